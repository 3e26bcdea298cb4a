"""What a sentence of documentation says once introductions are taken off: from its verb on.

"Write a function that takes a list of integers and returns the sum …" and "Given a list xs, compute the sum …" both
become "return sum …". Refuses to take off words that it does not know: they might change the meaning.
"""

from __future__ import annotations

import re

from probatum.programs.reading.scanning import word_set
from probatum.programs.reading.sentences import lower
from probatum.programs.results.nouns import Scene

__all__ = ["begins_with_verb", "core_of", "is_declaration", "is_harmless", "without_introduction"]

_VERBS = (
    r"(?:returns?|returning|computes?|calculates?|finds?|gets?|gives?|outputs?|produces?|generates?|counts?|sorts?"
    r"|sums?"
    r"|adds?|checks?|tests?|determines?|removes?|deletes?|filters?|reverses?|converts?|concatenates?|joins?|evaluates?"
    r"|inserts?|multipl(?:y|ies)|obtains?|repeats?|replaces?|flips?|swaps?|if|tells?|takes|accepts|receives)\b"
)
_FUNCTION = re.compile(
    r"(?:an? (?:simple )?(?:function|program|method) (?:that|which) (?:should )?|(?:please )?(?:write|create"
    r"|implement|complete|define|build|make|design|develop) (?:an?|the) (?:simple )?"
    r"(?:python )?(?:function|method|program|algorithm)(?: called| named)?(?: \w+)?,? ?(?:that|which|to|for)? "
    r"(?:will |should )?)"
)
_SUBJECT = re.compile(
    r"(?:your (?:task|goal|job) is to|you (?:need|have|are asked|are required|want) to|you (?:should|must|will)"
    r"|(?:the|this) (?:function|method|program|result)(?: should| will| must| shall)?|it(?: should| will| must)?"
    r"|in this (?:kata|task|problem|exercise|function),|please|note(?: that)?:?|task:?|simply|and|then|to|should) "
)
_TAKES = re.compile(
    r"(?:takes?|accepts?|receives?|gets?|is given|will be given|given)(?: in)?(?: as (?:an )?(?:input|argument"
    r"|parameter)s?)? "
    rf"(?P<said>.+?)(?: as (?:an? )?(?:inputs?|arguments?|parameters?))?(?:,|,? and|,? then)+ (?=(?:you |your |it "
    rf")?{_VERBS}|you |your |the function )"
)
_GIVEN = re.compile(
    r"(?:you (?:are|will be|'re) given|you'll be given|we are given|given|for|from|with|in|out of) (?P<said>.+?)(?:,"
    r"| and|;|\.) "
    rf"(?:then |please )*(?=you |your |the function |{_VERBS})"
)
_RETURN = re.compile(
    r"(?:(?:computes?|calculates?|finds?|gets?|outputs?|gives?|generates?|produces?|evaluates?|selects?|obtains?"
    r"|determines?)"
    r"(?: out)?(?: and returns?)?|returns?) (?:back )?(?!if\b|whether\b)"
)
_COUNT = re.compile(
    r"(?:(?:counts?|returns?|determines?|finds?(?: out)?|computes?|calculates?) (?:(?:the )?(?:total )?number of "
    r"|how many ))"
    r"(?P<rest>.+)|counts? (?P<all>.+)"
)
_ARTICLE = re.compile(r"(?<=^return )(?:the |an? )")
_TRAILING = re.compile(
    r"(?:,? (?:are there|there are|does it (?:consist of|contain|have)|it (?:consists of|contains)|as (?:an? "
    r")?(?:integer|int|result|output|string)"
    r"|as a (?:new )?list|efficiently|and returns? (?:it|them|the result|the (?:new|resulting) (?:list|string))))+$"
)
_DECLARING = word_set(
    "a an the this that given input supplied provided specified of two three four both any your list lists array "
    "arrays "
    "sequence tuple string strings text word words sentence integer integers int ints number numbers float floats "
    "value "
    "values dictionary dict positive negative non-negative nonnegative non-empty nonempty natural floating point "
    "real and "
    "called named single message names elements as variable parameter argument with items whole decimal pair only"
)
_HARMLESS = re.compile(
    r"(?:you |we )?(?:may |can )?(?:always )?assume\b|knowing that\b|it is (?:guaranteed|assumed)"
    r"|.*\bis guaranteed\b|.*\bwill "
    r"(?:be valid"
    r"|not be empty|always be)\b|do(?:es)? not use\b|don't use\b|.*\b(?:not? (?:modif|mutat|chang)\w+|leaves? .* "
    r"unchanged)\b"
    r"|(?:keep|keeping|preserv\w+) (?:the )?(?:original |relative )?order\b.*|.*\border (?:is|should be) (?:kept"
    r"|preserved)"
    r"|empty (?:sum|product) .*|.*\bcomplexity\b|this (?:is|uses) .*\balgorithm\b"
)
_DISTURBING = word_set(
    "if unless except excepting but when whenever otherwise only ignore ignores ignored ignoring not no never should "
    "must "
    "instead also then first after before reverse sort remove replace convert round swap exclude excluding exclusive "
    "include "
    "count treat treated consider considered multiple several tie ties negative empty case however while where other "
    "return returns result output returned duplicates duplicate order rounded defined definition following means equal "
    "twice overlapping without counts ordered sorted"
)


def is_declaration(scene: Scene, words: str) -> bool:
    """Return whether words only say what the function is given."""
    return all(
        word.strip("'\",()") in _DECLARING or scene.named(word.strip("'\",()")) is not None or not word.strip("'\",()")
        for word in words.split()
    )


def without_introduction(scene: Scene, text: str) -> str:
    """Return the sentence, its letters as they are, without what introduces the verb."""
    for _ in range(8):
        small = lower(text)
        match = _FUNCTION.match(small) or _SUBJECT.match(small) or _own_name(scene, small)
        if match is None:
            match = _declared(scene, _TAKES, small) or _declared(scene, _GIVEN, small)
        if match is None or not match.end():
            return text
        text = text[match.end() :].lstrip(" ,")
    return text


def _own_name(scene: Scene, small: str) -> re.Match[str] | None:
    if not scene.name:
        return None
    return re.match(
        rf"{re.escape(lower(scene.name))} (?:is an? function (?:that|which) |should |will )?(?={_VERBS})", small
    )


def _declared(scene: Scene, pattern: re.Pattern[str], small: str) -> re.Match[str] | None:
    at = 0
    while (match := pattern.match(small)) is not None and at < 3:
        if is_declaration(scene, match["said"]):
            return match
        at += 1
        break
    return None


def core_of(text: str) -> str:
    """Return a sentence without introduction in lower case, verbs of returning and counting made one."""
    small = lower(text).strip(" .:;")
    small = _TRAILING.sub("", small)
    count = _COUNT.fullmatch(small)
    if count is not None:
        counted = re.sub(r"^(?:the|all|all the) ", "", count["rest"] or count["all"])
        return f"return number of {re.sub(r' (?:are there|there are) in ', ' in ', counted)}"
    return _RETURN.sub("return ", small, count=1) if _RETURN.match(small) else small


def without_article(core: str) -> str:
    """Return the core without the article of what is returned."""
    return _ARTICLE.sub("", core)


def begins_with_verb(core: str) -> bool:
    """Return whether the core begins with a verb that the forms know."""
    return re.match(_VERBS, core) is not None


def is_harmless(scene: Scene, text: str) -> bool:
    """Return whether a sentence that no form reads cannot change what the others define."""
    small = lower(text)
    if _HARMLESS.match(small):
        return True
    if is_declaration(
        scene, re.sub(r"^(?:you (?:are|will be|'re) (?:given )?|input (?:to this function )?(?:is|are) )", "", small)
    ):
        return True
    stripped = re.sub(r"^\w+ (?:is|are) ", "", small)
    if is_declaration(scene, stripped) or (
        re.match(r"(?:\w+ )?(?:takes|accepts|receives) ", small) and not _disturbs(small)
    ):
        return True
    return not _disturbs(small)


def _disturbs(small: str) -> bool:
    return any(word.strip("'\",()*") in _DISTURBING for word in re.split(r"[\s/]+", small))
