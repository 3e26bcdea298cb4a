"""Decides that several claims hold together: each is decided by its own engine, and the weakest says what the whole is.

Two engines share it. ``consensus`` is given its claims beside the statement and needs two distinct ones. The statement
of ``reasoning`` is itself the list, as JSON: its items are the steps of a derivation, claims with the names of their
engines, or texts, which are equations of the engine ``math``. That a step follows from the one before it is claimed
nowhere but in a step itself. Proved where every claim is proved, refuted where one is. Refuses an empty list, a claim
about several claims among them, and whatever is not read as a list of claims.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError
from probatum.core.frozen import frozen_dict, thaw
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.exact import engines
from probatum.exact.claim import ExactClaim, Ruling, proved, refuted, undecided

MAX_CLAIMS: Final = 100
STATEMENT: Final = "all claims hold"
_DERIVATION: Final = "reasoning"
_EQUATIONS: Final = "math"
_PAGE: Final = "see docs/reference/claims/consensus.md"
_SHAPE: Final = 'A claim is {"engine": "math", "statement": "3 + 4 = 7"}, with "given" where its engine takes more'


@dataclass(frozen=True, slots=True)
class _Constraints:
    holds: str
    fails: str
    open: str
    syntax: str


_OF: Final = {
    "consensus": _Constraints("consensus.agreed", "consensus.refuted", "consensus.open", "consensus.syntax"),
    _DERIVATION: _Constraints(
        "reasoning.every_step_derived", "reasoning.step_wrong", "reasoning.step_open", "reasoning.syntax"
    ),
}


def decide(claim: ExactClaim) -> Ruling:
    """Return whether all claims hold; raises NotAttemptedError for a list that cannot be read."""
    members, of = _members(claim), _OF[claim.engine]
    items: list[object] = []
    open_ones: list[dict[str, object]] = []
    for number, member in enumerate(members, start=1):
        ruling = _ruling(member)
        said: dict[str, object] = {"engine": member.engine, "constraint": ruling.constraint}
        if ruling.outcome is Outcome.REFUTED:
            detail = f"Claim {number} is refuted by the engine {member.engine!r}: {member.statement[:80]!r}."
            return refuted(of.fails, detail, {"number": number, **said, "evidence": thaw(ruling.evidence)})
        if ruling.outcome is not Outcome.PROVED:
            open_ones.append({"number": number, **said, "detail": ruling.detail})
        items.append({**said, "certificate": thaw(ruling.evidence)})
    if open_ones:
        first = open_ones[0]
        told = f"claim {first['number']} first: {first['detail'] or first['constraint']}"
        return undecided(
            of.open, f"{len(open_ones)} of {len(members)} claims are not decided, {told}", {"open": open_ones}
        )
    if not _are_enough(claim, members):
        detail = "At least two distinct claims are needed: for two engines, or with two statements."
        return undecided("consensus.too_few", detail)
    return proved(of.holds, {"form": claim.engine, "claims": items})


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes: each claim's own certificate is checked by its own engine.

    A conjunction holds where each of its members does (introduction of "and"; Gentzen 1935).
    """
    shape = Shape(certificate, "certificate").exactly("form", "claims")
    members = _members(claim)
    items = list(shape.items("claims"))
    if shape.text("form") != claim.engine or len(items) != len(members) or not _are_enough(claim, members):
        raise ValueError("there is one certificate for each claim")
    for item, member in zip(items, members, strict=True):
        item.exactly("engine", "constraint", "certificate")
        established = engines.check(member, item.raw_object("certificate"))
        if item.text("engine") != member.engine or item.text("constraint") != established:
            raise ValueError("a certificate is for another claim")
    return _OF[claim.engine].holds


def stated(claim: ExactClaim) -> str:
    """Return every claim in canonical form, with its engine and its number."""
    members = enumerate(_members(claim), start=1)
    return "; ".join(f"({number}) {each.engine}: {engines.stated(each) or each.statement}" for number, each in members)


def _ruling(member: ExactClaim) -> Ruling:
    try:
        return engines.decide(member)
    except (NotAttemptedError, BudgetError) as error:
        return undecided(error.code, error.sentence)


def _are_enough(claim: ExactClaim, members: list[ExactClaim]) -> bool:
    distinct = {(each.engine, "".join(each.statement.split()).lower()) for each in members}
    return len(distinct) > 1 or claim.engine == _DERIVATION


def _members(claim: ExactClaim) -> list[ExactClaim]:
    syntax, is_derivation = _OF[claim.engine].syntax, claim.engine == _DERIVATION
    if not is_derivation and claim.statement.strip() != STATEMENT:
        raise NotAttemptedError(
            syntax, "The statement does not say that all claims hold.", f"Write: {STATEMENT} ({_PAGE})"
        )
    given = claim.statement if is_derivation else claim.given.get("claims")
    try:
        listed = Shape(read_json(given) if isinstance(given, str) else given, "claims")
        members = [_member(each, is_derivation=is_derivation) for each in listed.items(least=1, most=MAX_CLAIMS)]
        for each in members:
            if each.engine in _OF:
                raise NotAttemptedError("consensus.nested", "A claim about several claims cannot be one of them.")
            engines.require_inputs(each)
    except (ValueError, UsageError) as error:
        hint = "" if is_derivation else f"{_SHAPE} ({_PAGE})."
        raise NotAttemptedError(syntax, f"The claims cannot be read: {str(error).removesuffix('.')}.", hint) from error
    return members


def _member(shape: Shape, *, is_derivation: bool) -> ExactClaim:
    if is_derivation and isinstance(shape.raw(), str):
        return ExactClaim(_EQUATIONS, shape.text())
    shape.exactly("engine", "statement", may=("given",))
    given = shape.raw_object("given") if shape.has("given") else {}
    return ExactClaim(shape.text("engine"), shape.text("statement"), frozen_dict(given))
