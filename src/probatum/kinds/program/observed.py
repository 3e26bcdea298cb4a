"""What was observed of one program, function by function, and what follows: decision, proof, document and sheet.

Refuses to decide beyond `probatum.programs.decide`, and to soften: every line restates a record or a decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.finding import Finding, Severity
from probatum.core.messages import counted
from probatum.core.shape import Shape
from probatum.core.sheet import Sheet
from probatum.core.subject import PYTHON, Subject
from probatum.kinds.program.findings import findings_of
from probatum.kinds.program.next_step import READER, AskedFunction, NextStep, before_loading, next_step, read_command
from probatum.kinds.program.proof import contract_content, further_inputs, module_key, program_account, taking_part
from probatum.kinds.program.request import ProgramRequest, repeat_command
from probatum.kinds.program.sheet import (
    function_sheet,
    statements_section,
    suggestions_json,
    with_acceptances,
    with_not_counted,
    with_suggestions,
)
from probatum.programs.decide import ProgramPolicy, decide_function, decide_program
from probatum.programs.judging.statement_states import with_statements
from probatum.programs.judging.suggestions import Suggested
from probatum.programs.pytest_source import is_importable, pytest_source
from probatum.programs.record import FunctionRecord
from probatum.programs.result import document_of
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec
from probatum.proof.account import Account, proof_of
from probatum.sandbox import Environment
from probatum.verification.desk import SavedFile
from probatum.verification.observed import NotJudged, Proof, Whole, reason_sheet


@dataclass(frozen=True, slots=True)
class VerifiedFunction(Whole):
    """One function with everything that was observed."""

    request: ProgramRequest
    policy: ProgramPolicy
    python: Environment
    source: Source
    function: FunctionSpec
    record: FunctionRecord
    duration_ms: int
    suggested: Suggested | None = None
    is_alone: bool = False
    """Whether it is all that is judged of its file."""
    not_counted: tuple[str, ...] = ()
    """Sentences about acceptances of readings that do not count."""
    proposed: int = 0
    """How many readings of it do not count because nobody accepted them."""

    @property
    def name(self) -> str:
        """The function's qualified name."""
        return self.record.qualname

    @property
    def line(self) -> int:
        """The line on which the function begins."""
        return self.record.line

    def decide(self) -> Decision:
        """Return what its record gives."""
        return decide_function(self.record, self.policy)

    def proof(self) -> Proof:
        """Return the proof about this function; raises as `proof_of` does."""
        return _proof(self, (self.record,))

    def document(self) -> Mapping[str, object]:
        """Return the result object, and the clauses that were read."""
        told = document_of(self.record, self.decide(), self.duration_ms)
        further: dict[str, JsonValue] = {"not_counted": list[JsonValue](self.not_counted)} if self.not_counted else {}
        if self.suggested is not None:
            further["suggestions"] = suggestions_json(self.suggested)
        return {**told, "result": {**Shape(told).raw_object("result"), **further}} if further else told

    def next_step(self) -> NextStep | None:
        """Return what gets it decided; None where it is."""
        decision = self.decide()
        if decision.outcome is not Outcome.UNDECIDED:
            return None
        # A name that no definition makes, and classes without code, are judged with their file alone.
        asked = AskedFunction(self.request, self._called(), self.proposed, self.suggested)
        reasons = Shape(dict(decision.fields)).texts("reasons")
        return next_step(self.record, decision.constraint_id, reasons, asked)

    def _called(self) -> str | None:
        return None if self.record.not_judged or self.function.declared else self.name

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return the counterexample, the clauses, and what the checks would notice."""
        repeat = repeat_command(self.request, self._called())
        sheet = function_sheet(self.request.name, verdict, self.record, repeat, self.next_step())
        sheet = with_acceptances(sheet, self.not_counted)
        sheet = with_not_counted(sheet, self.source) if self.is_alone else sheet
        return sheet if self.suggested is None else with_suggestions(sheet, self.suggested)

    def findings(self) -> tuple[Finding, ...]:
        """Return failing checks as errors, what is worth a look as warnings, and what nothing shows or kills."""
        return findings_of(self.record)


@dataclass(frozen=True, slots=True)
class VerifiedProgram(Whole):
    """Every function of a file that was judged."""

    request: ProgramRequest
    policy: ProgramPolicy
    python: Environment
    source: Source
    parts: Sequence[VerifiedFunction] = ()

    @property
    def name(self) -> str:
        """The file's name."""
        return self.request.name

    @property
    def _records(self) -> list[FunctionRecord]:
        return [part.record for part in self.parts]

    def decide(self) -> Decision:
        """Return what all records together give."""
        return decide_program(self._records, self.policy)

    def account(self) -> Account:
        """Return what a proof would tell, whatever the decision."""
        return _account(self, self._records)

    def proof(self) -> Proof:
        """Return the proof about the whole file; raises as `proof_of` does."""
        return _proof(self, self._records)

    def document(self) -> Mapping[str, object]:
        """Return nothing: its functions tell everything."""
        return {}

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return the verdict about the file, with what gets its undecided functions decided."""
        sheet = reason_sheet(self.name, self.decide(), verdict, repeat=repeat_command(self.request))
        step = self._next_step()
        sheet = sheet if step is None else replace(sheet, next_command=step.command, next_step=step.told)
        return with_not_counted(sheet, self.source)

    def _next_step(self) -> NextStep | None:
        """Return how to have all open words of the file read; where none are in the way, what one function needs."""
        steps = [step for part in self.parts if (step := part.next_step()) is not None]
        asked = next((step for step in steps if step.told == READER), None)
        if asked is not None:
            return replace(asked, command=read_command(self.request, None, "--ask"))
        return steps[0] if steps else None

    def findings(self) -> tuple[Finding, ...]:
        """Return what was found in all functions, errors first."""
        found = [finding for part in self.parts for finding in part.findings()]
        return tuple(sorted(found, key=lambda finding: finding.severity is not Severity.ERROR))

    def summary(self) -> str:
        """Return how many functions there are."""
        count = len(self.parts)
        return f"{counted(count, 'function')}, {counted(len(self.request.content), 'byte')}"

    def saved(self) -> Sequence[SavedFile]:
        """Return the checks that were run as a pytest file, where that was asked for."""
        request = self.request
        if request.save_to is None:
            return ()
        key = module_key(request.module, request.name)
        if not is_importable(key):
            return (SavedFile("Tests", request.save_to, "", "None saved: no test can import a file of this name."),)
        tests = pytest_source(key, self._records, self.source.module)
        why_not = "" if tests else "None saved: no check that was run can be written as a test."
        return (SavedFile("Tests", request.save_to, tests, why_not),)


@dataclass(frozen=True, slots=True)
class RecordedProgram(Whole):
    """What a proof records of a program, or of one function of it."""

    subject: Subject
    account: Account
    # Of a function, its own.
    record: FunctionRecord | None = None
    parts: Sequence[RecordedProgram] = ()

    @property
    def name(self) -> str:
        """The file's name, or the function's qualified name."""
        return self.subject.name if self.record is None else self.record.qualname

    def decide(self) -> Decision:
        """Return the decision that its records give."""
        return self.account.decision

    def proof(self) -> Proof:
        """Return the proof, as it was written; raises as `proof_of` does."""
        return Proof(proof_of("program", self.account, self.subject))

    def document(self) -> Mapping[str, object]:
        """Return what is told of a function; nothing of a program."""
        return {} if self.record is None else document_of(self.record, self.decide())

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return the verdict."""
        return reason_sheet(self.name, self.decide(), verdict)


def program_not_judged(request: ProgramRequest, decision: Decision, units: Sequence[FunctionSpec] = ()) -> NotJudged:
    """Return what there is to say of a program of which no function was judged, with what is documented of these."""
    is_open = decision.outcome is Outcome.UNDECIDED
    step = before_loading(decision.constraint_id) if is_open else ""
    records = [with_statements(FunctionRecord(each.qualname, each.span.line), each, ()) for each in units if is_open]
    statements = statements_section(records)
    return NotJudged(request.name, decision, step, repeat_command(request), sections=statements)


def _account(observed: VerifiedFunction | VerifiedProgram, records: Sequence[FunctionRecord]) -> Account:
    asked, versions = (
        contract_content(observed.request),
        taking_part(observed.source, observed.python, observed.policy.level),
    )
    return program_account(asked, records, observed.policy, observed.decide(), versions)


def _proof(observed: VerifiedFunction | VerifiedProgram, records: Sequence[FunctionRecord]) -> Proof:
    request = observed.request
    subject = Subject(request.content, PYTHON, request.name)
    beside = {digest_of(content): content for content in further_inputs(request).values()}
    artifact = proof_of("program", _account(observed, records), subject)
    return Proof(artifact, beside | {subject.digest: request.content})
