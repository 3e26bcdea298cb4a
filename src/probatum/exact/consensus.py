"""Decides that several claims hold together: each is decided by its own engine, and the weakest says what the whole is.

Proved only where there are at least two distinct claims and each is proved; refuted where one is refuted. Refuses a
claim about several claims among them, and a list that is not read as claims.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError
from probatum.core.frozen import frozen_dict, thaw
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.exact import engines
from probatum.exact.claim import ExactClaim, Ruling, proved, refuted, undecided

AGREED: Final = "consensus.agreed"
MAX_CLAIMS: Final = 20
_SYNTAX: Final = "consensus.syntax"
_STATEMENT: Final = re.compile(
    r"(?:(?:all|both|each|every)(?: of)? )?(?:the |these )?claims? (?:holds?|(?:is|are) true)(?: together)?\.?",
    re.IGNORECASE,
)


def decide(claim: ExactClaim) -> Ruling:
    """Return whether all claims hold; raises NotAttemptedError for a list that cannot be read."""
    members = _members(claim)
    items: list[object] = []
    open_ones: list[dict[str, object]] = []
    for number, member in enumerate(members, start=1):
        ruling = _ruling(member)
        said: dict[str, object] = {"engine": member.engine, "constraint": ruling.constraint}
        if ruling.outcome is Outcome.REFUTED:
            detail = f"Claim {number} is refuted by the engine {member.engine!r}."
            return refuted("consensus.refuted", detail, {"number": number, **said, "evidence": thaw(ruling.evidence)})
        if ruling.outcome is not Outcome.PROVED:
            open_ones.append({"number": number, **said})
        items.append({**said, "certificate": thaw(ruling.evidence)})
    if open_ones:
        detail = f"{len(open_ones)} of {len(members)} claims are not decided, claim {open_ones[0]['number']} first."
        return undecided("consensus.open", detail, {"open": open_ones})
    if not _are_distinct(members):
        return undecided(
            "consensus.too_few", "At least two distinct claims are needed: for two engines, or with two statements."
        )
    return proved(AGREED, {"form": "consensus", "claims": items})


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes: that of each claim is checked by its own engine."""
    shape = Shape(certificate, "certificate").exactly("form", "claims")
    members = _members(claim)
    items = list(shape.items("claims"))
    if shape.text("form") != "consensus" or len(items) != len(members) or not _are_distinct(members):
        raise ValueError("there is one certificate for each of two or more distinct claims")
    for item, member in zip(items, members, strict=True):
        item.exactly("engine", "constraint", "certificate")
        established = engines.check(member, item.raw_object("certificate"))
        if item.text("engine") != member.engine or item.text("constraint") != established:
            raise ValueError("a certificate is for another claim")
    return AGREED


def _ruling(member: ExactClaim) -> Ruling:
    try:
        return engines.decide(member)
    except (NotAttemptedError, BudgetError) as error:
        return undecided(error.code, error.sentence)


def _are_distinct(members: list[ExactClaim]) -> bool:
    return len({(each.engine, "".join(each.statement.split()).lower()) for each in members}) > 1


def _members(claim: ExactClaim) -> list[ExactClaim]:
    if not _STATEMENT.fullmatch(" ".join(claim.statement.split())):
        raise NotAttemptedError(_SYNTAX, "The statement is not about all claims.", "Write: all claims hold")
    given = claim.given.get("claims")
    try:
        listed = Shape(read_json(given) if isinstance(given, str) else given, "claims")
        members = [_member(each) for each in listed.items(least=1, most=MAX_CLAIMS)]
    except (ValueError, UsageError) as error:
        raise NotAttemptedError(_SYNTAX, f"The claims are not read: {error}.") from error
    if len(members) != 2 and "both" in claim.statement.lower():
        raise NotAttemptedError(_SYNTAX, f"There are not two claims, but {len(members)}.", "Write: all claims hold")
    if any(each.engine == claim.engine for each in members):
        raise NotAttemptedError("consensus.nested", "A claim about several claims cannot be one of them.")
    for each in members:
        try:
            engines.require_inputs(each)
        except UsageError as error:
            raise NotAttemptedError(_SYNTAX, error.sentence, error.hint) from error
    return members


def _member(shape: Shape) -> ExactClaim:
    shape.exactly("engine", "statement", may=("given",))
    given = shape.raw_object("given") if shape.has("given") else {}
    return ExactClaim(shape.text("engine"), shape.text("statement"), frozen_dict(given))
