"""Decides derivations: every arithmetic step of a text is derived again, and nothing in it may be left unread.

A derivation is the given steps and then the statement. It is proved where it consists of steps that hold exactly, and
of words that claim nothing; it is refuted by its first step that is wrong in every way in which it can be read. Refuses
to prove a text that says more than its steps, and one that is given a context, whose meaning is not derived.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted, undecided
from probatum.exact.numbers.arithmetic import check_closed, decide_closed, written_amount
from probatum.exact.numbers.expressions import Relations, read_expression
from probatum.exact.numbers.rational import NotRationalError, evaluate
from probatum.exact.reasoning.doubts import MONEY, is_certainly_wrong
from probatum.exact.reasoning.steps import ReadDerivation, read_derivation

HOLDS: Final = "reasoning.every_step_derived"
MAX_CHARACTERS: Final = 50_000
_SYNTAX: Final = "math.syntax"
_CANNOT: Final = (CannotDecideError, NotRationalError, NotAttemptedError, BudgetError)


def decide(claim: ExactClaim) -> Ruling:
    """Return whether every step of a derivation holds; raises as `EngineModule.decide`."""
    text, has_context = _derivation(claim)
    read = read_derivation(text)
    derived: list[object] = []
    qualified: list[str] = []
    first_open: int | None = None
    for number, step in enumerate(read.steps, start=1):
        certificate, is_money_left_out = _derived(step.math), False
        if certificate is None:
            # '12 * 4 = $48' is no equation of amounts, but its sum is right.
            certificate, is_money_left_out = _derived(MONEY.sub("", step.math)), True
        if certificate is not None:
            derived.append({"step": step.math, **certificate})
            qualified += [step.text] if is_money_left_out or not step.is_complete else []
            continue
        wrong = is_certainly_wrong(step)
        if wrong is not None:
            left, right = wrong
            told = {"number": number, "step": step.text, "left": str(left), "right": str(right)}
            detail = f"Step {number} is wrong: its left side is {str(left)[:60]}, and its right side {str(right)[:60]}."
            return refuted("reasoning.step_wrong", detail, told)
        first_open = first_open or number
    known = {"steps": len(read.steps), "derived": len(derived)}
    if not read.steps:
        return undecided("reasoning.no_step", "The text has no arithmetic step.", known)
    if first_open is not None:
        step = read.steps[first_open - 1]
        told = {**known, "number": first_open, "step": step.text}
        return undecided("reasoning.step_open", f"Step {first_open} cannot be derived as it is written.", told)
    unread = (*read.unread, *qualified, *_open_answers(read))
    if unread:
        rest = " … ".join(unread[:5])[:200]
        return undecided("reasoning.partial", "The text says more than its steps.", {**known, "unread": rest})
    if has_context:
        detail = "The steps hold, and it is not derived that they follow from the context."
        return undecided("reasoning.context_not_derived", detail, known)
    return proved(HOLDS, {"form": "steps", "steps": derived})


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes: each step is read again, and its values checked by residues."""
    shape = Shape(certificate, "certificate").exactly("form", "steps")
    text, has_context = _derivation(claim)
    read = read_derivation(text)
    if shape.text("form") != "steps" or has_context or read.unread or _open_answers(read):
        raise ValueError("the text says more than its steps")
    items = list(shape.items("steps", least=1))
    if len(items) != len(read.steps):
        raise ValueError("there is one item for each step")
    for item, step in zip(items, read.steps, strict=True):
        item.exactly("step", "form", "values")
        comparison = _comparison(step.math)
        if item.text("step") != step.math or comparison is None or not step.is_complete:
            raise ValueError("the step is another one")
        check_closed(comparison, {"form": item.raw("form"), "values": item.raw("values")})
    return HOLDS


def _derivation(claim: ExactClaim) -> tuple[str, bool]:
    given = claim.inputs
    steps = [given.text("step")] if isinstance(claim.given.get("step"), str) else []
    try:
        if not steps and given.has("step"):
            steps = list(given.texts("step"))
        has_context = given.has("context") and bool(given.text("context").strip())
    except ValueError as error:
        raise NotAttemptedError("engine.invalid", f"The steps and the context are texts: {error}.") from error
    text = "\n".join([*steps, claim.statement])
    if len(text) > MAX_CHARACTERS:
        raise BudgetError("engine.too_large", f"A derivation has at most {MAX_CHARACTERS:,} characters.")
    return text, has_context


def _comparison(math: str) -> Relations | None:
    try:
        node = read_expression(math, _SYNTAX)
    except (NotAttemptedError, BudgetError):
        return None
    return node if isinstance(node, Relations) else None


def _derived(math: str) -> dict[str, object] | None:
    comparison = _comparison(math)
    if comparison is None:
        return None
    try:
        ruling = decide_closed(comparison)
    except (*_CANNOT, ValueError):  # ValueError: a number has more digits than are written.
        return None
    return dict(ruling.evidence) if ruling.outcome is Outcome.PROVED else None


def _open_answers(read: ReadDerivation) -> list[str]:
    """Return the stated answers that are not the result of the step before them."""
    return [
        stated
        for place, stated in read.answers
        if not place or _amount(read.steps[place - 1].sides[-1]) != _amount(stated) or _amount(stated) is None
    ]


def _amount(side: str) -> str | None:
    try:
        return written_amount(evaluate(read_expression(side, _SYNTAX)))
    except (*_CANNOT, ValueError):
        return None
