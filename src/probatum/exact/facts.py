"""Decides whether a text contains the words of a statement, one after the other: what it says at which place.

Nothing of the text is interpreted: what stands around the words may take them back, and that is not judged. Only white
space may differ, and the words begin and end where words of the text do. Advice of models travels along and decides
nothing. Refuses an empty statement or text. That words are missing refutes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from probatum.core.diagnostics import AdvisoryCheck
from probatum.core.errors import NotAttemptedError
from probatum.core.frozen import frozen_dict
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.exact.claim import ExactClaim, Ruling, proved, undecided

HOLDS: Final = "facts.stated"
_NOT_STATED: Final = "facts.not_stated"
_MAX_ADVICE: Final = 50
_LONGEST: Final = 200
_HEURISTIC: Final = "heuristic"
_WORD: Final = re.compile(r"\S+")
_INSIDE: Final = re.compile(r"(?:\w|\d[.,])\Z")
"""What makes the first word a part of a longer one, or of a longer number."""
_GOES_ON: Final = re.compile(r"\w|[.,]\d")
"""What makes the last word a part of a longer one, or of a longer number."""


def decide(claim: ExactClaim) -> Ruling:
    """Return whether the text contains the words of a statement; raises as `EngineModule.decide`."""
    advice = _advice(claim)
    words, text = _read(claim)
    found = _place(words, text)
    if found is not None:
        return proved(HOLDS, {"form": "quotation", "offset": found[0], "length": found[1] - found[0]})
    detail = "The text does not contain these words; whether it says the same in others is not judged."
    if not advice:
        return undecided(_NOT_STATED, detail)
    labels = {each["label"] for each in advice if "label" in each}
    providers = {each.get("provider") for each in advice}
    constraint = "facts.provider_drift" if len(labels) > 1 else "facts.llm_fallback"
    if labels == {"SUPPORTED"} and providers == {_HEURISTIC}:
        constraint = "facts.heuristic_supported"
    checks = [
        AdvisoryCheck("heuristic" if each.get("provider") == _HEURISTIC else "llm_fallback", details=frozen_dict(each))
        for each in advice
    ]
    told = {"reason": _NOT_STATED, "advisory": [each.to_dict() for each in checks]}
    return undecided(constraint, f"{detail} Advice decides nothing.", told)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes: the words are compared with those of the text at this place.

    No theorem is needed: equal sequences of characters are equal (white space counts as one space).
    """
    shape = Shape(certificate, "certificate").exactly("form", "offset", "length")
    try:
        words, text = _read(claim)
    except NotAttemptedError as error:
        raise ValueError(error.sentence) from error
    start = shape.whole("offset", 0)
    end = start + shape.whole("length", 1)
    is_apart = _is_apart(text[max(0, start - 2) : start], text[end : end + 2])
    is_tight = end <= len(text) and text[start:end] == text[start:end].strip()
    if shape.text("form") != "quotation" or text[start:end].split() != words or not is_apart or not is_tight:
        raise ValueError("the words do not stand at this place of the text")
    return HOLDS


def stated(claim: ExactClaim) -> str:
    """Return what is claimed of the text, in canonical form."""
    words, _ = _read(claim)
    return f"the text contains the words {' '.join(words)!r}"


def _place(words: list[str], text: str) -> tuple[int, int] | None:
    """Return where the words begin and end in the text; None where they do not stand there."""
    parts = [(match.group(), match.start()) for match in _WORD.finditer(text)]
    plain, wanted = " ".join(word for word, _ in parts), " ".join(words)
    start = plain.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if _is_apart(plain[max(0, start - 2) : start], plain[end : end + 2]):
            return _in_text(start, parts), _in_text(end - 1, parts) + 1
        start = plain.find(wanted, start + 1)
    return None


def _in_text(place: int, parts: list[tuple[str, int]]) -> int:
    """Return the place in a text of a place in its words, which single spaces part there."""
    for word, start in parts:
        if place < len(word):
            return start + place
        place -= len(word) + 1
    raise IndexError("the place lies behind the last word")


def _is_apart(before: str, after: str) -> bool:
    return not _INSIDE.search(before) and not _GOES_ON.match(after)


def _read(claim: ExactClaim) -> tuple[list[str], str]:
    words, text = claim.statement.split(), claim.inputs.text("context")
    if not words or not text.strip():
        raise NotAttemptedError("facts.empty", "The statement or the text is empty.")
    return words, text


def _advice(claim: ExactClaim) -> list[dict[str, str]]:
    """Read advice from JSON, or from its text; raises NotAttemptedError for anything else."""
    if not claim.inputs.has("advice"):
        return []
    given = claim.inputs.raw("advice")
    try:
        shape = Shape(read_json(given) if isinstance(given, str) else given, "advice")
        return [_advised(each) for each in shape.items(most=_MAX_ADVICE)]
    except ValueError as error:
        raise NotAttemptedError("engine.invalid", f"The advice is not read: {error}.") from error


def _advised(shape: Shape) -> dict[str, str]:
    shape.exactly(may=("provider", "label", "score", "error"))
    told = {key: shape.words(key)[:_LONGEST] for key in ("provider", "label", "error") if shape.has(key)}
    if ("label" in told) == ("error" in told):
        shape.refuse("expected a label or an error")
    if "label" in told:
        told["label"] = told["label"].upper()
    if shape.has("score"):
        told["score"] = str(shape.number("score", 0, 1))
    return told
