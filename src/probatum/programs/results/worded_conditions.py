"""Words for a condition on the arguments ("the list is empty", "n is negative") as Python conditions.

Refuses whatever says something of the result or of a search ("not found", "no such element"): that is no condition on
the arguments that can be read.
"""

from __future__ import annotations

import re

from probatum.programs.results.nouns import COUNTS, Scene, kind_guard
from probatum.programs.results.worded_predicates import predicate_of

__all__ = ["condition_of"]

_EMPTY = re.compile(
    r"(?P<what>.+?) (?:is|are) (?:an? )?empty(?: (?:list|array|string|sequence|text|dictionary|dict))?"
    r"|(?P<without>.+?) (?:has|have|contains?) no (?:elements|items|entries|numbers|values|characters)"
)
_EMPTY_FIRST = re.compile(
    r"(?:of )?(?:an? |the )?empty (?P<what>.+?)(?: (?:is|are) (?:given|passed|provided|supplied))?"
)
_FEW = re.compile(
    r"(?P<what>.+?) (?:has|have|contains?) (?:(?P<fewer>fewer|less) than|(?P<only>only|exactly)) (?P<n>\w+) "
    r"(?:elements?|items?|numbers?|values?|entries|characters?)"
)
_STATE = re.compile(r"(?P<what>.+?) (?:is|are) (?P<how>.+)")
_SAME = re.compile(r"(?:the )?(?:two )?(?:values|numbers|strings|arguments|inputs) are (?:the same|equal|identical)")
_MEMBER = re.compile(
    r"(?P<part>\w+) (?:is|does|was)? ?(?P<denied>not |missing |absent )?(?:in|from|occurs? in|appears? in|present in"
    r"|found in|contained in|among|an? (?:element|item|member|key) of) (?P<whole>(?:the )?(?:given |input )?\w+)"
    r"|(?P<container>(?:the )?(?:given |input )?\w+) (?:does not contain|has no|contains no) (?P<lacking>\w+)"
)
_SYMBOLS = re.compile(r"(?P<left>\w+) (?P<operator><=|>=|==|<|>) (?P<right>-?\w+)")


def condition_of(scene: Scene, words: str) -> str | None:
    """Return the condition that the words set on the arguments, None when they are not understood."""
    words = re.sub(r"^(?:the case (?:that|where|when) |case )", "", words.strip().strip(",:"))
    return (
        _emptiness(scene, words) or _fewness(scene, words) or _sameness(scene, words) or _comparison(scene, words)
        or _membership(scene, words) or _state(scene, words)
    )  # fmt: skip


def _emptiness(scene: Scene, words: str) -> str | None:
    for pattern in (_EMPTY, _EMPTY_FIRST):
        match = pattern.fullmatch(words)
        if match is None:
            continue
        groups = match.groupdict()
        phrase = groups.get("what") or groups.get("without") or ""
        name = scene.sequence(phrase) or scene.text(phrase) or _mapping(scene, phrase)
        if name is not None:
            return _with_kind(scene, name, f"len({name}) == 0")
    return None


def _mapping(scene: Scene, phrase: str) -> str | None:
    words = [word for word in phrase.split() if word not in {"a", "an", "the", "given", "input"}]
    if len(words) != 1:
        return None
    named = scene.named(words[0])
    if named is not None:
        return named if scene.kind(named) in {"dict", ""} else None
    fitting = [name for name in scene.parameters if scene.kind(name) == "dict"]
    return fitting[0] if words[0] in {"dictionary", "dict", "mapping"} and len(fitting) == 1 else None


def _with_kind(scene: Scene, name: str, condition: str) -> str:
    kind = scene.kind(name).split(" ")[0]
    guard = kind_guard(name, kind) if kind in {"list", "text", "dict"} else f"hasattr({name}, '__len__')"
    return f"{guard} and {condition}"


def _fewness(scene: Scene, words: str) -> str | None:
    match = _FEW.fullmatch(words)
    if match is None:
        return None
    name = scene.sequence(match["what"]) or scene.text(match["what"])
    number = COUNTS.get(match["n"], match["n"] if match["n"].isdigit() else None)
    if name is None or number is None:
        return None
    return _with_kind(scene, name, f"len({name}) {'<' if match['fewer'] else '=='} {number}")


def _sameness(scene: Scene, words: str) -> str | None:
    if _SAME.fullmatch(words) and len(scene.parameters) == 2:
        first, second = scene.parameters
        return f"type({first}) is type({second}) and {first} == {second}"
    return None


def _comparison(scene: Scene, words: str) -> str | None:
    match = _SYMBOLS.fullmatch(words)
    left, right = (scene.number(match["left"]), scene.number(match["right"])) if match is not None else (None, None)
    if match is None or left is None or right is None or scene.named(match["left"]) is None:
        return None
    return f"{kind_guard(left, 'number')} and {left} {match['operator']} {right}"


def _membership(scene: Scene, words: str) -> str | None:
    match = _MEMBER.fullmatch(words)
    if match is None:
        return None
    part = scene.named(match["part"] or match["lacking"])
    place = match["whole"] or match["container"]
    whole = scene.sequence(place) or _mapping(scene, place)
    if part is None or whole is None or part == whole or (scene.kind(whole) or "list").split(" ")[0] == "text":
        return None
    if words.split(" ")[-2] == "from" and not match["denied"]:
        return None
    denied = "not " if match["denied"] or match["lacking"] else ""
    return f"type({whole}) in (list, tuple, dict, set, frozenset) and {part} {denied}in {whole}"


def _state(scene: Scene, words: str) -> str | None:
    match = _STATE.fullmatch(words)
    name = scene.number(match["what"]) if match is not None else None
    if match is None or name is None or name not in scene.parameters:
        return None
    how = match["how"]
    number = scene.number(how)
    if number is not None:
        return f"{kind_guard(name, 'number')} and {name} == {number}"
    predicate = predicate_of(scene, how)
    if predicate is None or predicate.kind not in {"int", "number"}:
        return None
    condition = " and ".join(part.replace("{x}", name) for part in (predicate.domain, predicate.condition) if part)
    return " and ".join((kind_guard(name, predicate.kind), *predicate.guards, f"({condition})"))
