"""Deciding again from a stored program artifact: the state of a check follows from what was expected and observed.

A record that says otherwise was altered, or made by something else than this package. Refuses it, naming the check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision
from probatum.core.shape import Shape
from probatum.core.tagged import untagged
from probatum.programs.decide import EvidencePolicy, Level, ProgramPolicy, decide_program
from probatum.programs.established import EstablishedBy
from probatum.programs.proved import asked_about
from probatum.programs.record import (
    IN_OWN_PROCESS,
    LOADING,
    SPLIT_READINGS,
    SPLIT_TESTS,
    CheckKind,
    CheckRecord,
    CheckState,
    FunctionRecord,
    MutantRecord,
    MutantState,
    is_shared,
    mutant_state,
)
from probatum.programs.running.agreement import state_of_session, state_of_test
from probatum.programs.running.compare import NAMED_KINDS, compare
from probatum.programs.specification import Expectation, PrintsText, RaisesError, ReprIs, ValueIs
from probatum.readings.policies import NONE
from probatum.sandbox import Lost, LostReason, NotPlain, Raised, Reply, Returned

_EXPECTED: Mapping[str, Callable[[str], Expectation]] = {"raises": RaisesError, "prints": PrintsText, "repr": ReprIs}
_FOLLOWS = frozenset({CheckState.HOLDS, CheckState.FAILS})


def records_of(observations: object) -> tuple[FunctionRecord, ...]:
    """Read the records of an artifact; raises ValueError where they are not records."""
    rows = Shape(observations, "observations").items(least=1)
    return tuple(FunctionRecord.from_json(row.raw_object(), row.place) for row in rows)


def decide_again(observations: object, policy: object) -> Decision:
    """Derive the decision from recorded observations and the recorded policy; raises ValueError where they are none."""
    records = records_of(observations)
    demanded = ProgramPolicy.from_json(policy)
    for record in records:
        require_consistent(record)
        require_within(record, demanded)
    return decide_program(records, demanded)


def require_consistent(record: FunctionRecord) -> None:
    """Raise `ValueError` where a recorded state does not follow from what is recorded with it."""
    _require_distinct(record)
    if record.mutants and not record.strength_measured:
        raise ValueError("mutants are recorded although strength was not measured")
    for check in record.checks:
        if check.state in _FOLLOWS and _state_of(check) is not check.state:
            raise ValueError(
                f"check {check.id!r} is recorded as {check.state.value}; what it observed gives no such thing"
            )
    asked = asked_about(record)
    for each in record.established:
        if not asked.issuperset(each.clauses):
            raise ValueError("clauses are recorded as established that no check asks about")
        if (each.inputs > 0) is not (each.by is EstablishedBy.ENUMERATION) or not (each.inputs or each.clauses):
            raise ValueError("what is recorded as established rests on no input and on no clause")
    for mutant in record.mutants:
        _require_consistent_mutant(mutant, record)


def require_within(record: FunctionRecord, policy: ProgramPolicy) -> None:
    """Raise `ValueError` where more is recorded than the policy would have done or believed."""
    beside = any(map(is_shared, record.checks)) or any(m.noticed_by in IN_OWN_PROCESS for m in record.mutants)
    if policy.evidence == EvidencePolicy.SPLIT and beside:
        raise ValueError("checks are believed that ran in the program's own process; the policy splits the two")
    if not policy.refactor and any(check.kind is CheckKind.DIFFERENTIAL for check in record.checks):
        raise ValueError("an earlier version's answers are recorded as checks; the policy lets the program change")
    if policy.readings == NONE and any(check.kind is CheckKind.READING for check in record.checks):
        raise ValueError("readings are recorded; the policy lets none count")
    if policy.level != Level.THOROUGH and any(each.by is EstablishedBy.CROSSHAIR for each in record.established):
        raise ValueError("a symbolic search is recorded; the level of the policy has none")
    if len(record.mutants) > policy.mutants:
        raise ValueError(f"{len(record.mutants)} mutants are recorded; the policy allows {policy.mutants}")
    if record.generated_inputs > policy.most_inputs:
        raise ValueError(f"{record.generated_inputs} inputs are recorded; the policy allows {policy.most_inputs}")


def _require_distinct(record: FunctionRecord) -> None:
    for what, ids in (("check", [c.id for c in record.checks]), ("fault", [m.id for m in record.mutants])):
        if len(set(ids)) != len(ids):
            raise ValueError(f"the same {what} is recorded more than once")
    known = {check.id for check in record.checks} | {"", LOADING, SPLIT_TESTS, SPLIT_READINGS, *IN_OWN_PROCESS}
    if strangers := {mutant.noticed_by for mutant in record.mutants} - known:
        raise ValueError(f"mutants are killed by {sorted(strangers)[:3]}, which are not checks of the record")


def _require_consistent_mutant(mutant: MutantRecord, record: FunctionRecord) -> None:
    has_inputs = record.generated_inputs > 0
    due = mutant_state(mutant.noticed_by, mutant.told_apart_by, at_limit=mutant.at_limit, has_inputs=has_inputs)
    due = MutantState.EQUIVALENT if mutant.settled_by else due
    if due is not mutant.state:
        raise ValueError(f"fault {mutant.id!r} is recorded as {mutant.state.value}; what is recorded gives {due.value}")


def _state_of(check: CheckRecord) -> CheckState | None:
    if not isinstance(check.expected, dict) or not isinstance(check.observed, dict):
        return None
    if check.kind is CheckKind.TEST:
        split, plain = (str(check.observed.get(way)) for way in ("split", "plain"))
        return state_of_test(split, plain, forge_resistant=check.forge_resistant)
    if check.kind is CheckKind.READING and "outcome" in check.expected:
        split, plain = (str(check.observed.get(way)) for way in ("split", "plain"))
        return state_of_session(split, plain, forge_resistant=check.forge_resistant)
    if "claim" in check.expected:
        return CheckState.FAILS if check.state is CheckState.FAILS else None
    if "repeats" in check.observed:
        return CheckState.FAILS
    return compare(_expectation(check.expected), _reply(check.observed)).state


def _expectation(form: dict[str, JsonValue]) -> Expectation:
    if set(form) == {"value"}:
        return ValueIs(_observed(form["value"]), "")
    [(kind, content)] = form.items()
    if not isinstance(content, str) or kind not in _EXPECTED:
        raise ValueError("an unknown form of expectation in the record")
    return _EXPECTED[kind](content)


def _reply(form: dict[str, JsonValue]) -> Reply:
    if "lost" in form:
        return Lost(LostReason(str(form["lost"])), "")
    if "raises" in form:
        bases = form.get("bases")
        names = tuple(str(name) for name in bases) if isinstance(bases, list) else ()
        return Raised(str(form["raises"]), names, "")
    output = untagged(form.get("output", ""))
    return Returned(_observed(form.get("value")), output=str(output))


def _observed(value: JsonValue) -> object:
    # Objects that were not plain data stay unknown; of the others, what decided is their content.
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in {"$derived", "$kind"}:
        [content] = value.values()
        if not isinstance(content, list) or len(content) != 2 or ("$kind" in value and content[0] not in NAMED_KINDS):
            raise ValueError("an unknown form of value in the record")
        return NAMED_KINDS[str(content[0])](_observed(content[1])) if "$kind" in value else _observed(content[1])
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in {"$object", "$declared"}:
        return NotPlain(str(next(iter(value.values()))))
    return untagged(value)
