"""What was observed of a change, and what follows from it: decision, proof, document, findings and sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.changes.claims.rulings import ClaimStanding
from probatum.changes.documented.values import BROKEN, HOLDS
from probatum.changes.record import ALIKE, ChangeRecord, Planted
from probatum.changes.ruling import Reason, accepted_of, reasons
from probatum.changes.table import RowStanding, counts
from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision, DiagnosticStatus
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.finding import Finding, Location, Severity
from probatum.core.frozen import frozen_dict
from probatum.core.messages import counted, listed
from probatum.core.outside import shell_command
from probatum.core.shape import json_of
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.core.subject import Subject
from probatum.kinds.change.proof import change_account, contract_of, decision_on
from probatum.kinds.change.request import MEDIA_TYPE, ChangeRequest
from probatum.proof.account import proof_of
from probatum.verification.observed import Proof, Whole

_MOST_REASONS: Final = 8
_MOST_FAULTS: Final = 8
_MOST_PATHS: Final = 6
_MOST_DIFFERENCES: Final = 4
_MOST_DOCUMENTED: Final = 4
_DOCUMENTED: Final = {HOLDS: Mark.HOLDS, BROKEN: Mark.FAILS}
_MOST_LINES: Final = 40
_SAID_LINES: Final = 3
_MARKS: Final = {
    ClaimStanding.SUPPORTED: Mark.HOLDS,
    ClaimStanding.CONTRADICTED: Mark.UNDECIDED,
    ClaimStanding.UNPROVEN: Mark.UNDECIDED,
}
_WORDS: Final[Mapping[RowStanding, str]] = {
    RowStanding.KEPT: "pass before and now",
    RowStanding.WITNESS: "fail on the base and pass now: they show the change",
    RowStanding.SILENT: "are new and pass on the base too: they say nothing about the change",
    RowStanding.REGRESSION: "passed before and fail now",
    RowStanding.EXPECTATION: "expected something else before",
    RowStanding.BROKEN: "fail on the sources that they come with",
    RowStanding.REMOVED: "are not there any more",
    RowStanding.SWITCHED_OFF: "are skipped or marked to fail now",
    RowStanding.FLAKY: "pass or fail by order or hash seed",
    RowStanding.FAILING: "failed before and fail now",
    RowStanding.IDLE: "neither pass nor fail",
    RowStanding.LACKING: "fail since something is missing here",
    RowStanding.UNKNOWN: "did not end",
}
_GOOD: Final = frozenset({RowStanding.KEPT, RowStanding.WITNESS})
_BAD: Final = frozenset({RowStanding.REGRESSION, RowStanding.BROKEN})


@dataclass(frozen=True, slots=True)
class JudgedChange(Whole):
    """One change."""

    request: ChangeRequest
    record: ChangeRecord
    outputs: Mapping[str, str]
    """By test: what it said where it failed."""

    @property
    def name(self) -> str:
        """What the change is called."""
        return self.request.name

    def decide(self) -> Decision:
        """Return the decision that the record and the policy come to."""
        return decision_on(self.record, self.request.policy)

    def proof(self) -> Proof:
        """Return the artifact, with the subject beside it; raises as `proof_of` does."""
        subject = Subject(self.request.content, MEDIA_TYPE, self.request.name)
        account = change_account(self.record, self.request.policy, contract_of(self.request))
        return Proof(proof_of("change", account, subject), {subject.digest: self.request.content})

    def reasons(self) -> tuple[Reason, ...]:
        """Return what keeps it from being VERIFIED."""
        return reasons(self.record, self.request.policy)

    def document(self) -> dict[str, object]:
        """Return the whole record, and the reasons."""
        told: dict[str, JsonValue] = json_of(self.record)
        tests = [{**json_of(row), "standing": row.standing.value} for row in self.record.rows]
        del told["rows"]
        passed = self.decide().status is DiagnosticStatus.VERIFIED
        found: list[object] = [json_of(each) for each in self.reasons()]
        return {"result": {"passed": passed, **told, "tests": tests, "reasons": found}}

    def findings(self) -> tuple[Finding, ...]:
        """Return every reason at its place, and every fault that no test notices."""
        found = [
            _finding(
                Severity.ERROR if each.refutes else Severity.WARNING, each.constraint, each.what, each.path, each.line
            )
            for each in self.reasons()
        ]
        for each in self.record.faults:
            if not each.is_noticed:
                text = f"No test fails if {each.sentence}"
                found.append(_finding(Severity.INFO, "change.weak_tests", text, each.path, each.line))
        return tuple(found)

    def summary(self) -> str:
        """Return how much differs."""
        return counted(len(self.record.units), "changed definition")

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return what a reviewer reads: why, the tests, what they notice, the claims."""
        found = self.reasons()
        sections = [
            Section("Why", tuple(self._why(found))),
            Section("Tests", tuple(self._tests())),
            Section("Would the tests notice?", tuple(self._noticing())),
            Section("What else changed?", tuple(self._calls())),
            Section(
                "Accepted", tuple(Entry(Mark.NOTE, each) for each in accepted_of(self.record, self.request.policy))
            ),
            Section("Documentation", tuple(self._documentation())),
            Section("Claims", tuple(self._claims())),
            Section("Not judged", tuple(self._not_judged())),
        ]
        words = ["probatum", "change", *self.request.repeated_with]
        return Sheet(
            self.name,
            verdict,
            verdict.agent_message,
            tuple(each for each in sections if each.entries),
            shell_command(words),
            found[0].step if found else "",
            most_lines=_MOST_LINES,
        )

    def _why(self, found: tuple[Reason, ...]) -> Iterator[Entry]:
        for each in found[:_MOST_REASONS]:
            name = each.what.partition(" ")[0]
            said = self.outputs.get(name, "").strip().splitlines()
            detail = tuple(line for line in said if line.startswith("E "))[:_SAID_LINES]
            place = f"{each.path}:{each.line}: " if each.line and each.path not in each.what else ""
            yield Entry(Mark.FAILS if each.refutes else Mark.UNDECIDED, f"{place}{each.what}", detail=detail)
        if len(found) > _MOST_REASONS:
            yield Entry(Mark.NOTE, f"and {len(found) - _MOST_REASONS} more; --json lists all of them")

    def _tests(self) -> Iterator[Entry]:
        found = counts(self.record.rows)
        for standing, words in _WORDS.items():
            number = found[standing] + (self.record.others if standing is RowStanding.KEPT else 0)
            if number:
                mark = Mark.HOLDS if standing in _GOOD else Mark.FAILS if standing in _BAD else Mark.UNDECIDED
                mark = Mark.NOTE if standing in {RowStanding.IDLE, RowStanding.SILENT, RowStanding.FAILING} else mark
                yield Entry(mark, f"{number:,} {words}")

    def _noticing(self) -> Iterator[Entry]:
        parts = [each.undone for each in self.record.units if each.undone is not None]
        units = [each for each in parts if each.end != ALIKE]
        noticed = sum(each.is_noticed for each in units)
        is_refactoring = self.request.policy.is_refactoring
        if units and not is_refactoring:
            mark = Mark.HOLDS if noticed == len(units) else Mark.UNDECIDED
            text = f"{noticed} of {counted(len(units), 'changed definition')}: a test fails when its change is undone"
            yield Entry(mark, text)
        if (alike := len(parts) - len(units)) and not is_refactoring:
            text = f"{counted(alike, 'changed definition')}: no test and no call that was tried tells it from before"
            yield Entry(Mark.UNDECIDED, text)
        faults = self.record.counting(by_calls=is_refactoring)
        if faults:
            share = self.record.strength(by_calls=is_refactoring)
            strong = share >= self.request.policy.min_strength
            text = f"{round(share * len(faults))} of {counted(len(faults), 'planted fault')} noticed"
            text += " by tests or calls" if is_refactoring else ""
            yield Entry(Mark.HOLDS if strong else Mark.UNDECIDED, text)
        left = [each for each in faults if not each.is_noticed]
        for each in left[:_MOST_FAULTS]:
            yield Entry(Mark.NOTE, f"{each.path}: {_survivor(each)}")
        if len(left) > _MOST_FAULTS:
            yield Entry(Mark.NOTE, f"and {len(left) - _MOST_FAULTS} more; --json lists all of them")

    def _calls(self) -> Iterator[Entry]:
        compared, differences = self.record.compared, self.record.differences
        if not compared:
            return
        calls, differing = sum(each.calls for each in compared), sum(each.differing for each in compared)
        how = f"{differing:,} of {calls:,} calls of {counted(len(compared), 'changed function')} come to something else"
        yield Entry(Mark.NOTE, how if differing else how.replace("0 of", "none of", 1))
        mark = Mark.FAILS if self.request.policy.is_refactoring else Mark.NOTE
        for each in differences[:_MOST_DIFFERENCES]:
            yield Entry(mark, f"{each.call} {each.head} now", detail=(f"before it {each.base}",))
        if len(differences) > _MOST_DIFFERENCES:
            yield Entry(Mark.NOTE, f"and {len(differences) - _MOST_DIFFERENCES} more kinds; --json lists all of them")

    def _documentation(self) -> Iterator[Entry]:
        for each in self.record.documented[:_MOST_DOCUMENTED]:
            mark = _DOCUMENTED.get(each.standing, Mark.NOTE)
            name = f"{each.path}::{each.name}" if each.name else each.path
            yield Entry(
                mark if each.held_before or mark is not Mark.FAILS else Mark.UNDECIDED, f"{name}: {each.sentence}"
            )
        if len(self.record.documented) > _MOST_DOCUMENTED:
            yield Entry(
                Mark.NOTE, f"and {len(self.record.documented) - _MOST_DOCUMENTED} more; --json lists all of them"
            )

    def _claims(self) -> Iterator[Entry]:
        for each in self.record.claims:
            yield Entry(_MARKS[each.standing], f"{each.claim.quote!r} is {each.standing.value}: {each.evidence}")

    def _not_judged(self) -> Iterator[Entry]:
        if self.record.not_judged:
            yield Entry(Mark.NOTE, listed(self.record.not_judged, _MOST_PATHS))


def _survivor(fault: Planted) -> str:
    if fault.end == "survived":
        return f"no test fails if {fault.sentence}"
    if fault.end == "unrun":
        return f"no test runs line {fault.line}: {fault.sentence}"
    return f"it is not known whether a test notices if {fault.sentence}"


def _finding(severity: Severity, kind: str, message: str, path: str, line: int) -> Finding:
    evidence = frozen_dict({"file": path} if path else {})
    return Finding(severity, kind, message, Location(line) if line else None, evidence=evidence)
