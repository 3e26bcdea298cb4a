"""What was observed of one output, and what follows from it: decision, proof, document and sheet.

Refuses to decide or to soften beyond `decide_output`: everything else restates a finding, a result or a decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from probatum.contracts.reading import read_output
from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision, Outcome, blocked_by, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.finding import Finding, Severity
from probatum.core.messages import counted, writable
from probatum.core.outside import shell_command
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.core.subject import JSON, Subject
from probatum.kinds.output.judging import ObservedOutput, ReadyContract
from probatum.kinds.output.memory import AlikeOutputs
from probatum.kinds.output.request import OutputRequest
from probatum.verification.observed import NotJudged, Proof, Refusal, Whole
from probatum.verification.results import VerificationResult, VerificationStatus, verification_results_to_jsonable

_ORDER: Final = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
_MARKS: Final = {
    VerificationStatus.PASS: Mark.HOLDS,
    VerificationStatus.WARN: Mark.HOLDS,
    VerificationStatus.FAIL: Mark.FAILS,
    VerificationStatus.SKIPPED: Mark.UNDECIDED,
}
_NEXT: Final = {
    "contract.nothing_enforced": "after you have said in the contract what an output must be: a type, required keys",
    "contract.check_skipped": "after you have mended what let a verifier be skipped, see below",
    "contract.too_few_passed": "after you have mended what did not pass, or asked for fewer in the contract",
    "contract.too_large": "after you have made the output, or its input, smaller",
    "contract.input_violated": "after you have mended the input; without --input the output is judged alone",
}
_KEYS_TOLD: Final = 8
_KEY_LENGTH: Final = 40


@dataclass(frozen=True, slots=True)
class JudgedOutput(Whole):
    """One output that was judged."""

    request: OutputRequest
    ready: ReadyContract
    seen: ObservedOutput
    alike: AlikeOutputs

    @property
    def name(self) -> str:
        """What the output is called."""
        return self.request.name

    def decide(self) -> Decision:
        """Return the decision that all outputs share of which the same was observed."""
        return self.alike.decision

    def proof(self) -> Proof:
        """Return the artifact, with the output and its input beside it; raises as `proof_of` does."""
        request = self.request
        subject = Subject(request.content, JSON, request.name)
        beside = {subject.digest: request.content}
        if request.input is not None:
            beside = {digest_of(request.input): request.input, **beside}
        return Proof(self.alike.proof_of(subject, request.input), beside)

    def document(self) -> dict[str, object]:
        """Return every finding with its place, and what each verifier said."""
        result = _result(self.ready.name, self.findings(), self.seen.results, passed=self.decide().exit_code == 0)
        # Whoever reads such a text in another way than we did would act on a value that nobody judged.
        return {"result": {**result, "value": self.seen.repaired[0]} if self.seen.repaired else result}

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings of the reading, the contract and the verifiers, errors first."""
        of_results = [finding for result in self.seen.results for finding in result.findings]
        every = (*self.seen.reading, *of_results, *self.ready.concerns)
        return tuple(sorted(every, key=lambda finding: _ORDER[finding.severity])) if len(every) > 1 else every

    def asked(self) -> str:
        """Return task and version of the contract."""
        return f"contract {self.ready.name}"

    def summary(self) -> str:
        """Return kind and size of the output."""
        return output_summary(self.request.content)

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return every complaint with place and nearest fix, then who was asked."""
        findings = self.findings()
        errors = [each for each in findings if each.severity is Severity.ERROR]
        others = [each for each in findings if each.severity is not Severity.ERROR]
        sections = (
            Section(
                f"What breaks the contract {self.ready.name}", tuple(_entry(Mark.FAILS, e) for e in errors), whole=True
            ),
            Section("Remarks", tuple(_entry(Mark.NOTE, each) for each in others)),
            Section("Verifiers", tuple(_slot(each) for each in self.seen.results)),
        )
        return Sheet(
            subject=self.request.name,
            verdict=verdict,
            headline=verdict.agent_message,
            sections=tuple(section for section in sections if section.entries),
            repeat=repeat_command(self.request),
            next_step=_next_step(self.decide(), errors),
        )


def output_not_judged(request: OutputRequest, decision: Decision) -> NotJudged:
    """Return what there is to say of an output that was not judged."""
    contract = f"{request.contract.task_id} {request.contract.version}"
    return not_judged_by(request.name, contract, decision, repeat_command(request), output_summary(request.content))


def not_judged_by(name: str, contract: str, decision: Decision, repeat: str = "", about: str = "") -> NotJudged:
    """Return what there is to say of an output that was not judged by a contract of this name."""
    result = _result(contract, (), (), passed=False)
    by = f"contract {contract}" if contract else ""
    step = _NEXT.get(decision.constraint_id, "")
    return NotJudged(name, decision, step, repeat, told={"result": result}, by=by, about=about)


def unusable_contract(name: str, contract: str, error: NotAttemptedError, output: bytes) -> Refusal:
    """Return what there is to say of an output whose contract is there and cannot be used."""
    decision = blocked_by(error)
    # Of what else can be wrong with a file only the developer's layer tells; too large is said of outputs alone.
    if decision.constraint_id in {"verifier.fault", "contract.too_large"}:
        decision = decide(Outcome.NOT_ATTEMPTED, "contract.unreadable", fields=decision.fields)
    return Refusal(not_judged_by(name, writable(contract), decision, about=output_summary(output)), output)


def repeat_command(request: OutputRequest) -> str:
    """Return the command that repeats a run; nothing where there was no command."""
    return shell_command(["probatum", "check", request.name, *request.repeated_with]) if request.repeated_with else ""


def _result(
    contract: str, findings: tuple[Finding, ...], results: tuple[VerificationResult, ...], *, passed: bool
) -> dict[str, object]:
    return {
        "passed": passed,
        "contract": contract,
        "findings": [finding.to_dict() for finding in findings],
        "verification_results": verification_results_to_jsonable(results),
    }


def _entry(mark: Mark, finding: Finding) -> Entry:
    # Only of what is wrong the line is shown: a remark is about the whole.
    line = finding.location.line if finding.location is not None and mark is Mark.FAILS else None
    return Entry(mark, finding.message, line, (finding.suggestion,) if finding.suggestion else ())


def _slot(result: VerificationResult) -> Entry:
    mark = _MARKS[result.status]
    if mark is Mark.HOLDS and not result.could_have_failed:
        mark = Mark.UNDECIDED
    placed = {finding.message for finding in result.findings}
    unplaced = tuple(text for text in (*result.errors, *result.warnings) if text not in placed)
    fault = f" (fault: {result.fault.value})" if result.fault is not None else ""
    return Entry(mark, f"{result.verifier_id}: {result.summary}{fault}", detail=unplaced)


def _next_step(decision: Decision, errors: list[Finding]) -> str:
    hint = decision.fields.get("hint")
    if isinstance(hint, str) and hint:
        return hint
    if decision.outcome is Outcome.REFUTED and len(errors) == 1:
        return errors[0].suggestion
    return _NEXT.get(decision.constraint_id, "")


def output_summary(content: bytes) -> str:
    """Return what kind of value an output is, which keys it has, and how long it is.

    Never what it says: a record may travel further than the output.
    """
    size = counted(len(content), "byte")
    try:
        read = read_output(content)
    except BudgetError:
        return f"beyond the budget, {size}"
    if not read.is_readable:
        return f"not one JSON value, {size}"
    count = len(read.findings)
    repaired = f", read with {counted(count, 'remark')}" if count else ""
    return f"{_kind(read.value)}, {size}{repaired}"


def _kind(value: JsonValue) -> str:
    if isinstance(value, dict):
        keys = [key if len(key) <= _KEY_LENGTH else key[:_KEY_LENGTH] + "…" for key in list(value)[:_KEYS_TOLD]]
        more = [f"{len(value) - _KEYS_TOLD} more"] if len(value) > _KEYS_TOLD else []
        shown = ", ".join([*map(ascii, keys), *more])
        return f"object with {shown}" if value else "empty object"
    if isinstance(value, list):
        return f"array of {len(value)}"
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    return "string" if isinstance(value, str) else "number"
