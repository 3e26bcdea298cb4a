"""What follows from the record of a change: the decision, and what to do first. Pure.

In order: what refutes, then what leaves it open, then VERIFIED. Refuses VERIFIED wherever something was not run, not
told, or told by a test that could not have failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from probatum.changes.claims.rulings import ClaimStanding
from probatum.changes.documented.values import BROKEN
from probatum.changes.record import ALIKE, ChangePolicy, ChangeRecord, Planted, UnitEvidence
from probatum.changes.suite import PASSED
from probatum.changes.table import RowStanding, without_parameters
from probatum.core.decision import Decision, Outcome, decide
from probatum.core.messages import counted

_SHOWN: Final = 20
_LEAST_NEAR: Final = 4


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that keeps a change from being VERIFIED: what it is, about what, and what would settle it."""

    constraint: str
    what: str
    step: str
    path: str = ""
    line: int = 0

    @property
    def refutes(self) -> bool:
        """Whether it shows that the change is wrong."""
        return self.constraint in _REFUTING


_REFUTING: Final = frozenset(
    {"change.regression", "change.broken_test", "change.differs", "change.documentation_broken"}
)
"""No claim is among them: our own reading of what somebody wrote warns, and refutes nothing."""


def reasons(record: ChangeRecord, policy: ChangePolicy) -> tuple[Reason, ...]:
    """Return everything that keeps a change from being VERIFIED, what refutes first, then what to do first."""
    found = [*_of_tests(record, policy), *_of_claims(record), *_of_runs(record), *_of_units(record, policy)]
    found += [*_of_calls(record, policy), *_of_documentation(record, policy)]
    found += [*_of_weakenings(record, policy), *_of_means(record), *_of_special_cases(record, policy)]
    found += [*_of_unjudged(record, policy), *_of_strength(record, policy)]
    is_inert = bool(record.inert) and not record.units and record.tests_passed > 0
    if not found and not record.faults and not _undoable(record) and not is_inert:
        what = "nothing that differs can be undone" if record.units else "no code of the sources differs"
        found.append(Reason("change.nothing_to_judge", what, "Look at it yourself."))
    return tuple(sorted(found, key=lambda each: not each.refutes))


def decide_change(record: ChangeRecord, policy: ChangePolicy, catalogue: Mapping[str, str]) -> Decision:
    """Return the decision on a change."""
    found = reasons(record, policy)
    if found:
        first = found[0]
        outcome = Outcome.REFUTED if first.refutes else Outcome.UNDECIDED
        same = [each.what for each in found if each.constraint == first.constraint]
        fields = {"detail": first.what, "hint": first.step, "about": same[:_SHOWN], "reasons": len(found)}
        return decide(outcome, first.constraint, {}, fields, catalogue=catalogue)
    accepted = accepted_of(record, policy)
    slots = {
        "accepted": len(accepted),
        "noticed": record.noticed + _undone(record),
        "total": len(record.faults) + len(_undoable(record)),
    }
    constraint = "change.verified_as_accepted" if accepted else "change.verified"
    if not accepted and not record.units:
        constraint, slots = "change.verified_inert", {"tests": record.tests_passed}
    elif not accepted and policy.is_refactoring and record.compared:
        constraint = "change.verified_refactoring"
        slots = {"calls": sum(each.calls for each in record.compared)}
    return decide(Outcome.TESTED, constraint, slots, catalogue=catalogue)


def accepted_of(record: ChangeRecord, policy: ChangePolicy) -> tuple[str, ...]:
    """Return what would be a question, had nobody accepted it."""
    if not policy.accepted:
        return ()
    left = {each.what for each in reasons(record, policy)}
    asked = reasons(record, replace(policy, accepted=()))
    return tuple(dict.fromkeys(each.what for each in asked if each.what not in left))


def _undoable(record: ChangeRecord) -> list[UnitEvidence]:
    return [each for each in record.units if each.undone is not None and each.undone.end != ALIKE]


def _undone(record: ChangeRecord) -> int:
    return sum(each.undone is not None and each.undone.is_noticed for each in record.units)


def _of_tests(record: ChangeRecord, policy: ChangePolicy) -> Iterator[Reason]:
    for row in record.rows:
        name, path = row.id, row.id.partition("::")[0]
        match row.standing:
            case RowStanding.REGRESSION:
                how = "" if row.head_on_head == "failed" else f" ({row.head_on_head})"
                step = f"Mend what {without_parameters(name)} tests: it passed before the change."
                yield Reason("change.regression", f"{name} passed before and fails now{how}", step, path)
            case RowStanding.BROKEN:
                step = f"Mend {without_parameters(name)}, or what it tests."
                yield Reason("change.broken_test", f"{name} fails on the sources that it comes with", step, path)
            case RowStanding.EXPECTATION if not policy.accepts(name):
                what = f"{name} expected something else before; the old version fails now"
                yield Reason(
                    "change.expectation_changed",
                    what,
                    f"Put the old test back; where this is meant, a person accepts it: --accept {_word(name)}",
                    path,
                )
            case RowStanding.FLAKY:
                step = "Make it independent of order and hash seed; until then it says nothing."
                yield Reason("change.flaky", f"{name} passes in one order and fails in another", step, path)
            case RowStanding.LACKING:
                what = f"{name} needs what is not here: {row.lacks}"
                yield Reason(
                    "change.not_run", what, "Install it where the tests run, or run this test by yourself.", path
                )
            case RowStanding.FAILING if row.is_edited and not policy.accepts(name):
                step = f"Mend it; where it could not pass here before either: --accept {_word(name)}"
                yield Reason("change.not_run", f"{name} is edited, and fails before and now", step, path)
            case RowStanding.UNKNOWN:
                yield Reason("change.not_run", f"{name} did not end ({row.head_on_head})", "Run it by itself.", path)
            case _:
                pass


def _of_claims(record: ChangeRecord) -> Iterator[Reason]:
    for each in record.claims:
        if each.standing is ClaimStanding.CONTRADICTED:
            step = "Say what is so, or make it so."
            yield Reason("change.claim_contradicted", f"{each.claim.quote!r}: {each.evidence}", step)


def _of_runs(record: ChangeRecord) -> Iterator[Reason]:
    is_open = any(each.undone is not None and not each.undone.is_noticed for each in record.units)
    for sentence in record.uncollected if is_open else ():
        yield Reason("change.not_run", sentence, "Name the Python that has what the tests need with --python.")
    for trouble in record.troubles:
        yield Reason("change.not_run", trouble, "See that the tests run to their end by themselves.")


def _of_units(record: ChangeRecord, policy: ChangePolicy) -> Iterator[Reason]:
    # Of a refactoring, calls tell whether a function does the same.
    by_calls = {each.unit for each in record.compared if each.calls} if policy.is_refactoring else set[str]()
    for unit in record.units:
        undone = unit.undone
        if undone is None or undone.is_noticed or unit.name in by_calls:
            continue
        name = unit.name.rpartition("::")[2]
        step = f"Add a test that fails without the change to {name}."
        if undone.end == "unrun":
            yield Reason("change.no_witness", f"no test runs {unit.name}", step, unit.path, unit.line)
        else:
            yield from _unnoticed(undone, unit.name, step, policy)
    for each in record.faults:
        if each.is_part and not each.is_noticed and (each.end == "unrun" or each.unit not in by_calls):
            step = f"Add a test that fails without line {each.line} of {each.path}."
            if each.end == "unrun":
                what = f"no test runs line {each.line} of {each.path}"
                yield Reason("change.no_witness", what, step, each.path, each.line)
            else:
                yield from _unnoticed(each, each.unit, step, policy)


def _unnoticed(fault: Planted, unit: str, step: str, policy: ChangePolicy) -> Iterator[Reason]:
    """Yield that no test notices a part of the change; one that no call tells from before may be accepted."""
    if fault.end not in {"survived", ALIKE}:
        what = f"it is not known whether a test notices if {fault.sentence}"
        yield Reason("change.not_run", what, step, fault.path, fault.line)
        return
    what = f"no test fails if {fault.sentence}"
    if fault.end == ALIKE:
        if policy.accepts(unit):
            return
        what += ", and no call that was tried differs"
        step = f"{step[:-1]}; where it only says the same otherwise, a person accepts it: --accept {_word(unit)}"
    elif fault.call:
        what += f", and {fault.call} comes to something else then"
    yield Reason("change.no_witness", what, step, fault.path, fault.line)


def _of_calls(record: ChangeRecord, policy: ChangePolicy) -> Iterator[Reason]:
    """Yield what differs and no test shows; of a refactoring, what differs at all, or could not be compared."""
    places = {each.name: (each.path, each.line) for each in record.units}
    for function in record.compared:
        if function.lost:
            what = f"{counted(function.lost, 'call')} of {function.unit} did not come back on one of the versions"
            yield Reason(
                "change.not_run",
                what,
                "Run it again, and see that the function comes to its end.",
                *places.get(function.unit, ("", 0)),
            )
    if not policy.is_refactoring:
        for function in record.compared:
            if function.alone and function.near >= _LEAST_NEAR and not policy.accepts(function.unit):
                what = f"only {function.alone} comes to something else, and none of {function.near} calls near it does"
                step = f"Write the rule, or accept it with --accept {_word(function.unit)}"
                path, line = places.get(function.unit, ("", 0))
                yield Reason("change.special_case", what, step, path, line)
        for each in record.differences:
            if each.is_question and not policy.accepts(each.unit):
                what = f"{each.call} {each.head} now, and {each.base} before; no test shows that"
                step = f"Add a test that shows it; where it is meant, a person accepts it: --accept {_word(each.unit)}"
                yield Reason("change.unshown", what, step, each.path, each.line)
        return
    for each in record.differences:
        what = f"{each.call} {each.head} now, and {each.base} before"
        step = f"Let {each.unit.rpartition('::')[2]} do what it did, or do not call this a refactoring."
        yield Reason("change.differs", what, step, each.path, each.line)
    compared = {each.unit for each in record.compared if each.calls}
    for unit in record.units:
        if unit.of == "function" and unit.kind in {"changed", "moved"} and unit.name not in compared:
            what = f"no call of {unit.name} could be made on both versions"
            yield Reason("change.not_run", what, "Add a test that calls it with plain values.", unit.path, unit.line)


def _of_documentation(record: ChangeRecord, policy: ChangePolicy) -> Iterator[Reason]:
    """Yield what documentation shows and is not so: what held before refutes, what is new and wrong is a question."""
    for each in record.documented:
        about = f"{each.path}::{each.name}"
        if each.standing == BROKEN and each.held_before:
            step = f"Let {each.name} do what its documentation shows, or change what it shows."
            yield Reason("change.documentation_broken", f"of {about}, {each.sentence}", step, each.path, each.line)
        elif each.standing == BROKEN and not policy.accepts(about):
            step = f"Correct what it shows; where it is meant, a person accepts it: --accept {_word(about)}"
            yield Reason("change.documentation_wrong", f"of {about}, {each.sentence}", step, each.path, each.line)


def _of_weakenings(record: ChangeRecord, policy: ChangePolicy) -> Iterator[Reason]:
    for each in record.weakenings:
        about = each.test or each.path
        if not policy.accepts(about):
            step = f"Put the check back; where this is meant, a person accepts it: --accept {_word(about)}"
            yield Reason("change.weakened", f"{about}: {each.sentence}", step, each.path, each.line)
    passing = [row.id for row in record.rows if row.head_on_head == PASSED]
    for row in record.rows:
        if row.standing in {RowStanding.REMOVED, RowStanding.SWITCHED_OFF} and not policy.accepts(row.id):
            is_gone = row.standing is RowStanding.REMOVED
            # It has parameters now; what its cases check less is told by their text.
            if is_gone and any(each.startswith(f"{row.id}[") for each in passing):
                continue
            how = "is not there any more" if is_gone else f"is {row.head_on_head} now"
            if not any(each.test == without_parameters(row.id) for each in record.weakenings):
                step = f"Put it back; where this is meant, a person accepts it: --accept {_word(row.id)}"
                yield Reason("change.weakened", f"{row.id} {how}", step, row.id.partition("::")[0])


def _of_means(record: ChangeRecord) -> Iterator[Reason]:
    for each in record.means:
        step = "Do without it, or have a person look at it: results of tests in one process with it prove nothing."
        yield Reason(
            "change.reaches_runner", f"line {each.line} of {each.path} {each.what}", step, each.path, each.line
        )


def _of_special_cases(record: ChangeRecord, policy: ChangePolicy) -> Iterator[Reason]:
    for each in record.special_cases:
        if not policy.accepts(each.test):
            step = f"Write the rule, add a test with another input, or accept it with --accept {_word(each.test)}"
            what = f"line {each.line} of {each.path} {each.sentence}"
            yield Reason("change.special_case", what, step, each.path, each.line)


def _of_unjudged(record: ChangeRecord, policy: ChangePolicy) -> Iterator[Reason]:
    for each in record.unjudged:
        if not policy.accepts(each.path or each.sentence):
            what = f"{each.path}: {each.sentence}" if each.path else each.sentence
            step = f"Look at it; where it is meant, a person accepts it: --accept {_word(each.path or each.sentence)}"
            yield Reason(each.constraint, what, step, each.path, each.line)


def _of_strength(record: ChangeRecord, policy: ChangePolicy) -> Iterator[Reason]:
    by_calls = policy.is_refactoring
    counting = record.counting(by_calls=by_calls)
    if counting and record.strength(by_calls=by_calls) < policy.min_strength:
        survivors = [each for each in counting if not each.is_noticed and not (by_calls and each.call)]
        first = survivors[0]
        noticed = len(counting) - len(survivors)
        what = f"{noticed} of {len(counting)} planted faults are noticed; no test fails if {first.sentence}"
        yield Reason(
            "change.weak_tests", what, f"Add a test for line {first.line} of {first.path}.", first.path, first.line
        )


def _word(text: str) -> str:
    return f"'{text}'" if set(text) & set(" []()*?&;<>|$'\"\\") else text
