"""What the words of a statement are about, as far as a closed list of words can tell.

Refuses to call anything narrative or a name that could say how a program behaves: what is not on a list here is
normative.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from probatum.programs.parsing.scanning import word_set
from probatum.programs.specification import Parameter, Statement, StatementKind
from probatum.programs.statements.blocks import INTRODUCING
from probatum.programs.statements.declared import looks_like_type

_WORD = re.compile(r"[^\W\d_][\w']*")
_TUPLE = re.compile(r"\bof \([a-z ]+(?:, [a-z ]+)+\)")
"""How the parts of a tuple are named: "list of (name, rate)"."""
_NUMBER = re.compile(r"\d")
_EXCEPTION = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration)\b")
_CODE = re.compile(r"[`\"<>=\[\]{}:]|\w\(|\w_|(?<!\w)'")
_FAILING = word_set("raise raises raised error errors exception exceptions fail fails failure invalid")
_CONDITIONS = _FAILING | word_set(
    "if when whenever unless otherwise else except only until while where must should shall may might can cannot"
    " could will would not no never none nothing without neither nor always every each any both either least most"
    " more less fewer greater larger smaller longer shorter higher lower than above below between within before"
    " after at equal equals same different zero one two three four five six seven eight nine ten twice once first"
    " last true false null empty valid default required optional defaults allowed ignored instead single see also"
    " even negative positive exactly return returns"
)
_QUALIFYING = word_set(
    "is are was were be been has have had does do contains contain maps holds specifies controls determines"
    " defines sets gives indicates tells selects whether that which who whose as like such in e.g i.e using via"
    " all other maximum minimum max min limit inclusive exclusive sorted order ascending descending increasing"
    " decreasing unique distinct finite infinite lowercase uppercase upper lower case sensitive insensitive"
    " seconds milliseconds microseconds minutes hours days weeks bytes bits pixels degrees radians percent meters"
    " characters ignore skip exclude omit drop remove strip replace include keep prefer avoid truncate pad append"
    " insert prepend add exact exactly relative absolute per starting ending inplace copy new random thread safe"
    " deprecated percentage nanoseconds depends depend means refers happens occurs matches applies works affects"
    " takes accepts supports uses allows enables disables becomes gets makes we you it they"
)
_DUTIES = _FAILING | word_set(
    "if when whenever unless otherwise else except only until while must should shall may might can cannot could"
    " not no never none nothing without neither nor always default defaults optional ignored instead returned"
    " modified changed"
)
"""What a description says of behaviour, even where a reference does as the program."""
_BESIDE_RESULTS = _FAILING | word_set(
    "raising failing abort aborts exit modify modifies modified modifying mutate mutates mutated mutating unchanged"
    " inplace place side original copy print prints printed log logs logged write writes written save saves saved"
    " warn warns warning warnings"
)
"""What a program does beside giving a result: no agreement of results shows it."""
_DEMANDS = word_set(
    "return returns returned must shall should ignore ignored instead default defaults optional required never always"
)
"""What no mere explanation says."""
_NOUNS = word_set(
    "the a an some another this name names path value values number numbers text string strings list sequence iterable"
    " iterator dict dictionary mapping set tuple callable function object instance type unit node index key date file"
    " url uri size array image"
)
"""What a description may begin with that is no order to do something."""
_JOINING = word_set(
    "one each every both as in is are be been has have that which who whose whether other like using via"
)
"""What a summary may say of what its details say."""
_POSITIONS = word_set("first second third last")
_NO_PARTICIPLES = word_set("speed seed feed bed shed")
_REFERENCE = re.compile(
    r"(?:see|see also|also see|cf\.?|refer to)(?: the)?:? (?:(?::[a-z:]{1,20}:)?`{1,2}[\w.~ -]{1,80}`{1,2}(?:\(\))?_?"
    r"(?:,? (?:and|or) |, )?){1,6}(?: for (?:more |further |additional )?(?:details|information|documentation))?\.?",
    re.IGNORECASE,
)
_LINK = re.compile(r"(?:see(?: also)?:? )?<?https?://\S+>?\.?", re.IGNORECASE)
_VERSION = re.compile(
    r"(?:(?:new|added|introduced|available) (?:in|since) (?:version )?)?v?\d+(?:\.\d+){0,3}\.?", re.IGNORECASE
)
_LEGAL = re.compile(
    r"(?:copyright\b|\(c\) \d{4}|licen[sc]ed under\b|spdx-license-identifier\b|authors?:).*", re.IGNORECASE
)
_NARRATIVE_TITLES = {"author", "authors", "license", "licence", "copyright", "see also", "seealso"}
_NARRATIVE_SECTIONS = {"references"}
_LONGEST_NAMING, _LONGEST_TITLE = 12, 16


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def names_behaviour(text: str, parameters: Iterable[str]) -> bool:
    """True for words that name a parameter, a number, a condition or an exception.

    A reading that declares such words narrative counts only when a person accepted it.
    """
    words = _words(text)
    named = {name.lower() for name in parameters}
    return bool(
        words & _CONDITIONS or words & named or _NUMBER.search(text) or _EXCEPTION.search(text) or "n't" in text
    )


def is_narrative(statement: Statement, parameters: Iterable[str]) -> bool:
    """True for what surely says nothing about behaviour: cross references, version notes, authors and licences."""
    text, title = statement.text, statement.about.lower()
    if statement.kind in {StatementKind.PARAMETER, StatementKind.RESULT, StatementKind.RAISES, StatementKind.CODE}:
        return False
    if statement.kind is not StatementKind.SUMMARY and (_REFERENCE.fullmatch(text) or _LINK.fullmatch(text)):
        return True
    if _LEGAL.fullmatch(text) or title in _NARRATIVE_SECTIONS:
        return True
    if _VERSION.fullmatch(text):
        return not text[:1].isdigit() or title == "versionadded"
    return title in _NARRATIVE_TITLES and not names_behaviour(text, parameters)


def is_naming(statement: Statement, parameters: Sequence[Parameter]) -> bool:
    """True for a parameter's description that only names what it is: "The string to encode.", ``list of int``."""
    text = _TUPLE.sub("of tuple", statement.text.rstrip(". "))
    if looks_like_type(text):
        return True
    head, _, types = text.partition(", ")
    if types and not looks_like_type(types.removeprefix("an ").removeprefix("a ")):
        return False
    words = [word.lower() for word in _WORD.findall(re.sub(r"\bto be \w+ed\b", "", head))]
    about = [each for each in parameters if each.name in {name.strip() for name in statement.about.split(",")}]
    if any(_is_switch(each) for each in about) or words[:1] == [] or words[0] not in _NOUNS:
        return False
    named = {each.name.lower() for each in parameters}
    plain = re.sub(r"`{1,2}(\w+)`{1,2}", lambda match: "" if match[1].lower() in named else match[0], head)
    is_short = 0 < len(words) <= _LONGEST_NAMING
    return is_short and not _CODE.search(plain) and not _NUMBER.search(plain) and not any(map(_says_more, words))


def explains(text: str) -> bool:
    """True for a description that only says what a value is: no condition, duty, exception or default."""
    words = _words(text)
    return not words & _DUTIES and not _EXCEPTION.search(text) and "n't" not in text


def shows_in_results(text: str) -> bool:
    """True for words that name no exception and no effect: what they say, results show."""
    words = _words(text)
    return not words & _BESIDE_RESULTS and not _EXCEPTION.search(text)


def only_explains(text: str) -> bool:
    """True for words that results show and that demand nothing: a reader may say that they explain other words."""
    return shows_in_results(text) and not _DEMANDS & _words(text)


def _is_switch(parameter: Parameter) -> bool:
    return parameter.default in {"True", "False"} or "bool" in (parameter.annotation or "")


def is_title(statement: Statement) -> bool:
    """True for a summary that only says what other statements say in detail: "Smooth a series."

    It has no condition, number, value, adverb or second clause.
    """
    words = _WORD.findall(statement.text.lower())
    is_plain = not _CODE.search(statement.text) and not _NUMBER.search(statement.text) and "," not in statement.text
    is_short = 1 < len(words) <= _LONGEST_TITLE
    says_more = ((_CONDITIONS | _QUALIFYING) - _JOINING).intersection(words)
    return is_plain and is_short and not says_more and not any(word.endswith("ly") for word in words)


def leads(statement: Statement) -> bool:
    """True for a short sentence without an end, as it stands before a list: "Raises ``ValueError`` for"."""
    is_running = statement.kind in {StatementKind.SUMMARY, StatementKind.SENTENCE}
    is_short = len(_WORD.findall(statement.text)) <= _LONGEST_NAMING and not re.search(r"[,;]", statement.text)
    return is_running and is_short and statement.text[-1:] not in {".", "!", "?"}


def is_empty(text: str) -> bool:
    """True for left over words that say nothing by themselves: "Write a function that"."""
    return all(word.lower() in _EMPTY for word in _WORD.findall(text)) and not _NUMBER.search(text)


_EMPTY = INTRODUCING - word_set("input inputs output outputs result results if when equal equals given") | word_set(
    "write create implement function method program that which takes your task goal please note pre post inv"
)


def _says_more(word: str) -> bool:
    if word in _POSITIONS | _NO_PARTICIPLES:
        return False
    return word in _CONDITIONS or word in _QUALIFYING or word.endswith(("ed", "n't")) or word.startswith("non-")
