"""Sentences that give a fixed value for some calls: "returns None if the list is empty", "-1 when not found".

Refuses a value that is not written out. A condition that cannot be read leaves the value possible for every call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from probatum.programs.reading.sentences import lower
from probatum.programs.results.forms_truth import condition_read
from probatum.programs.results.nouns import Scene
from probatum.programs.results.worded_conditions import condition_of

__all__ = ["Sentinel", "fixed_results_in", "sentinels_of", "split_trailing"]


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A fixed result, and when it is due."""

    result: str
    """A condition that says that the result is this value."""
    condition: str | None
    """A condition on the arguments; None where the words could not be read."""

    @property
    def value(self) -> str:
        """The fixed result as Python; a list where an empty list and an empty tuple are both meant."""
        written = self.result.split(" ", 2)[2]
        return "[]" if self.result.startswith("result in ") else written


_VALUE = (
    r"(?:the )?(?:integer |number |value |string |boolean |literal )?"
    r"(?:none|null|nil|true|false|-?\d+(?:\.\d+)?|zero|'[^']*'|\"[^\"]*\"|\[\]|\(\)|\{\}"
    r"|(?:an? |the )?empty (?:list|array|string|tuple|dictionary|dict|set)|value of [a-z_]\w*)"
)
_SHOULD = r"(?:(?:the function|it|you|we|this)(?: should| will| must)?,? )?"
_IF = r"(?:,? (?:if|when|whenever|in case(?: of| that)?|in the case (?:of|that|where)|where)|,? for(?= (?:an? )?empty))"
_ELSE = (
    rf"(?:[,;.]? (?:and |or )?(?:otherwise|else),? {_SHOULD}(?:returns? )?(?P<other>{_VALUE})|,? (?:and|or|else) "
    rf"(?:should )?"
    rf"(?:returns? )?(?P<last>{_VALUE})(?:,? otherwise)?)"
)
_BEFORE = re.compile(
    rf"(?:and |note:? )?(?:if|when|whenever|in case(?: of| that)?|for(?= (?:an? )?empty)) (?P<when>.+?)(?:,? then"
    rf"|,)? {_SHOULD}"
    rf"returns? (?P<value>{_VALUE}){_ELSE}?"
)
_AFTER = re.compile(rf"(?:and )?returns? (?P<value>{_VALUE}){_IF} (?P<when>.+?){_ELSE}?")
_OTHERWISE = re.compile(rf"(?:otherwise|else|if not),? {_SHOULD}(?:returns? )?(?P<value>{_VALUE})")
_SEVERAL = re.compile(r"\b(?:if|when|returns?|otherwise|unless|except)\b")
_TRAILING = re.compile(
    rf"(?P<main>.+?),? (?:or|and) (?:returns? )?(?P<value>{_VALUE}){_IF} (?P<when>.+)|(?P<first>.+?)(?:,|;) (?:else"
    rf"|otherwise),? "
    rf"(?:returns? )?(?P<other>{_VALUE})"
)
_SOMEWHERE = re.compile(rf"\b(?:or|and|returns?|gives?|else) (?P<value>{_VALUE}){_IF}\b")
_ALLOWED = re.compile(rf"(?P<first>.+?),? or (?P<other>{_VALUE})")


def sentinels_of(scene: Scene, text: str) -> tuple[Sentinel, ...]:
    """Return the fixed results that a whole sentence gives, none when it says something else."""
    small = lower(text)
    match = _BEFORE.fullmatch(small) or _AFTER.fullmatch(small)
    if match is not None and _SEVERAL.search(match["when"]):
        return ()
    if match is None:
        match = _OTHERWISE.fullmatch(small)
        return (Sentinel(_is_value(text, match, "value"), None),) if match is not None else ()
    other = "other" if match["other"] is not None else "last" if match["last"] is not None else ""
    first = _is_value(text, match, "value")
    if not other:
        return (Sentinel(first, _condition(scene, match["when"])),)
    second = _is_value(text, match, other)
    read = condition_read(scene, match["when"])
    if read is None:
        return (Sentinel(first, None), Sentinel(second, None))
    guards = " and ".join((*read[1], ""))
    return (Sentinel(first, f"{guards}({read[0]})"), Sentinel(second, f"{guards}not ({read[0]})"))


def split_trailing(scene: Scene, text: str, *, allowed: bool = False) -> tuple[str, tuple[Sentinel, ...]]:
    """Part "the index of x, or -1 if x is missing" into what is returned and the fixed result beside it.

    With ``allowed``, "between 0 and 1, or None" too: a further value that the result may always have.
    """
    small = lower(text)
    match = _TRAILING.fullmatch(small)
    if match is None:
        match = _ALLOWED.fullmatch(small) if allowed else None
        if match is None:
            return text, ()
        return text[: match.end("first")], (Sentinel(_is_value(text, match, "other"), None),)
    if match["main"] is not None:
        condition = _condition(scene, match["when"])
        return text[: match.end("main")], (Sentinel(_is_value(text, match, "value"), condition),)
    return text[: match.end("first")], (Sentinel(_is_value(text, match, "other"), None),)


def fixed_results_in(text: str) -> tuple[str, ...]:
    """Return the conditions on the result of every "or VALUE if …" in a document, whatever words follow.

    Truth values are left out: "True if" gives the result of every call.
    """
    found = {_is_value(text, match, "value") for match in _SOMEWHERE.finditer(lower(text))}
    return tuple(sorted(found - {"result == True", "result == False"}))


def _condition(scene: Scene, words: str) -> str | None:
    condition = condition_of(scene, words)
    if condition is not None:
        return condition
    read = condition_read(scene, words)
    return " and ".join((*read[1], f"({read[0]})")) if read is not None else None


def _is_value(text: str, match: re.Match[str], group: str) -> str:
    written = text[match.start(group) : match.end(group)]
    named = re.fullmatch(r"(?:the )?value of (\w+)", written, re.IGNORECASE)
    if named is not None:
        return f"result == {named.group(1)}"
    small = re.sub(r"^(?:the )?(?:integer |number |value |string |boolean |literal )?", "", lower(written))
    written = written[len(written) - len(small) :]
    if small in {"none", "null", "nil"}:
        return "result is None"
    if small in {"true", "false"}:
        return f"result == {small.capitalize()}"
    if written[0] in "'\"":
        return f"result == {written[1:-1]!r}"
    if small in {"[]", "()"} or re.search(r"(?:list|array|tuple)$", small):
        return "result in ([], ())"
    if small == "{}" or re.search(r"(?:dict|dictionary)$", small):
        return "result == {}"
    if small.endswith("set"):
        return "result == set()"
    if small.endswith("string"):
        return "result == ''"
    return f"result == {'0' if small == 'zero' else small}"
