"""What a sentence says of the result, whatever words it names the result by: the returned list, the output, "returns a
list that …", each element of the result.

Returns the sentence as a statement that begins with ``result``, ``each`` or ``pair``; the forms read that. Refuses
subjects that could mean an argument, and "it" outside of a section about the result.
"""

from __future__ import annotations

import re

__all__ = ["said_of_result"]

_KIND = (
    r"(?:list|array|tuple|sequence|set|dictionary|dict|mapping|collection|value|number|integer|int|float|string|text"
    r"|result|path|score|distance|count|index)"
)
_MANY = r"(?:elements?|items?|values?|entries|entry|numbers?|integers?|strings?|words?|members?)"
_RESULT = (
    rf"(?:(?:the |its |this )?(?:returned|resulting|output|result|final|new) {_KIND}"
    rf"|(?:the |its )?(?:results?|outputs?|return value|value returned|{_KIND} returned|{_KIND} that is returned))"
)
_WHOLE = re.compile(rf"(?:note that |then,? )?{_RESULT} (?P<rest>.+)", re.IGNORECASE)
_EACH = re.compile(
    rf"(?:(?:every|each|any)(?: single)? (?:\w+)|all(?: of)?(?: the)? \w+s|the {_MANY}) (?:of|in|from) {_RESULT} "
    rf"(?P<rest>.+)|(?:every|each|all|all the|all of the) returned \w+ (?P<returned>.+)"
    rf"|the returned (?:elements|items|values|entries|numbers|strings|words) (?P<plural>.+)",
    re.IGNORECASE,
)
_PAIR = re.compile(rf"no two {_MANY} (?:of|in) {_RESULT} (?P<rest>.+)", re.IGNORECASE)
_NONE = re.compile(rf"no {_MANY} (?:(?:of|in) {_RESULT} (?P<rest>.+)|(?P<verb>.+?) in {_RESULT})", re.IGNORECASE)
_RETURNS = re.compile(
    rf"(?:returns?|returning) (?:an? |the )?(?:new )?{_KIND}(?: of [\w-]+)?,? (?:that|which) (?P<rest>.+)"
    rf"|(?:returns?|returning) (?:an? |the )?(?:new )?{_KIND}(?: of [\w-]+)? with (?P<owned>.+)"
    r"|(?:returns?|returning)(?: always)? (?P<choice>(?:one of|either) .+)",
    re.IGNORECASE,
)
_PLAIN_KIND = re.compile(
    rf"(?:an? |the )?(?:new )?{_KIND}(?: of [\w-]+)?(?:,? (?:that|which)| (?P<owns>with)) (?P<rest>.+)", re.IGNORECASE
)
_IT = re.compile(r"it (?P<rest>(?:is|has|contains|never|always|lies|must|should|will) .+)", re.IGNORECASE)
_THE = re.compile(r"(?:the )?(?P<noun>[a-z]+) (?P<rest>are .+)", re.IGNORECASE)
_RETURNED_NOUN = re.compile(r"returns? (?:all )?(?:the )?(?P<noun>[a-z]+)\b", re.IGNORECASE)

_COMPARED = r"(?P<low>\S+) ?<=? ?(?P<name>[a-z_]\w*) ?<=? ?\S+"
_SIGNS = re.compile(_COMPARED)
_BESIDE = re.compile(
    r"(?:an? |the |its )(?![^,]*\b(?:numbers?|counts?|sums?|totals?|products?|amounts?|index|positions?|lengths?|sizes?"
    r"|differences?|many)\b[^,]* (?:of|in|from) )[^,;:()]+, (?P<rest>(?:always |never |not )?(?:between|in the range"
    r"|at least|at most|no (?:more|less|greater|smaller) than|positive|negative|non-?negative"
    r"|an? (?:element|item|member) of)\b.*)",
    re.IGNORECASE,
)
"""What a section calls the result, and after a comma what it says of it: "The share of hits, between 0 and 1".

After "the number of values", such words could say which values are meant.
"""
_NAMED_SIGNS = re.compile(
    rf"(?:an? |the |its )(?:[\w-]+ )?(?P<named>\w+)(?: of [^,;:()]+)?, (?:with |where |in )?(?P<signs>{_COMPARED})",
    re.IGNORECASE,
)


def said_of_result(text: str, before: str = "", *, describes: bool = False, begins: bool = False) -> tuple[str, ...]:
    """Return the statements that a sentence makes about the result, in its own letters.

    ``before`` is the sentence before it: after "Return the points …", "The points are …" speaks of the result.
    ``describes`` is true in a section about the result, ``begins`` for the first words of one.
    """
    for pattern, subject in ((_PAIR, "pair"), (_EACH, "each"), (_NONE, "none"), (_WHOLE, "result")):
        match = pattern.fullmatch(text)
        if match is not None:
            return (_statement(subject, match),)
    match = _RETURNS.fullmatch(text)
    if match is not None:
        return (_owned(match["rest"] or (f"is {match['choice']}" if match["choice"] else ""), match["owned"]),)
    it = _IT.fullmatch(text) if describes and not begins else None
    if it is not None:
        return (f"result {it['rest']}",)
    signs = _SIGNS.fullmatch(text)
    if signs is not None and signs["name"] == "result":
        return (f"result as result: {text}",)
    if begins:
        beside = _BESIDE.fullmatch(text)
        if beside is not None:
            return (f"result is {beside['rest']}",)
        signs = _NAMED_SIGNS.fullmatch(text)
        if signs is not None:
            return (f"result as {signs['name']}: {signs['signs']}",) if signs["name"] == signs["named"] else ()
        match = _PLAIN_KIND.fullmatch(text)
        if match is not None:
            return (_owned("" if match["owns"] else match["rest"], match["rest"]),)
        return (f"result is {text}",)
    named, told = _THE.fullmatch(text), _RETURNED_NOUN.match(before)
    if named is not None and told is not None and named["noun"].lower() == told["noun"].lower():
        return (f"noun {named['noun']} {named['rest']}",)
    return ()


def _statement(subject: str, match: re.Match[str]) -> str:
    groups = [each for each in match.groups() if each is not None]
    return f"{subject} {groups[0]}"


def _owned(rest: str, owned: str | None) -> str:
    return f"result {rest}" if rest else f"result has {owned}"
