"""The one entry through which every interface asks for a verdict.

It alone makes a verdict VERIFIED, and only after the artifact that the verdict rests on was retained. An exception
anywhere in a verification becomes BLOCKED: it says nothing about the subject. Refuses to run a program when no
isolation is available.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from probatum.app.answers import DEFAULT_MIN_STRENGTH, FunctionAnswer, Level, ProgramAnswer, ProgramRequest
from probatum.app.program_policy import policy_of
from probatum.app.program_proof import (
    EARLIER,
    MODULE,
    TESTS,
    ProgramRechecker,
    module_key,
    program_artifact,
    program_of,
    taking_part,
)
from probatum.app.program_result import recommendations, result_of, specification_of
from probatum.app.program_sheet import decision_sheet, function_sheet
from probatum.app.pytest_source import pytest_source
from probatum.app.sandboxes import begin_to_open, environment
from probatum.app.settings import read_settings
from probatum.app.suggested_examples import suggestions_json, with_suggestions
from probatum.app.verdicts import blocked_by, blocked_by_defect, proved_verdict, verdict_without_proof
from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Decision, DiagnosticStatus, Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import BudgetError, ProbatumError, UsageError
from probatum.core.events import Event, Listener, ignore
from probatum.core.ports import Rechecker, Recorder, Store
from probatum.core.subject import PYTHON, Subject
from probatum.programs.decide import NO_ISOLATION, ProgramPolicy, decide_function, decide_program
from probatum.programs.extract import find_function
from probatum.programs.judging.suggestions import Suggested, suggest
from probatum.programs.loading import load_failure, read_source
from probatum.programs.record import FunctionRecord
from probatum.programs.running.compare import printable
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import Question
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec
from probatum.programs.units import units_of
from probatum.programs.verifier import verify_function
from probatum.proof.stores import open_store
from probatum.sandbox import Opening, Program, Tier

if TYPE_CHECKING:
    from probatum.app.output_answers import OutputAnswer, OutputRequest
    from probatum.app.output_demand import DemandedContract
    from probatum.app.output_service import OutputService


@dataclass(frozen=True, slots=True)
class _Judged:
    """One function with everything that was observed and decided."""

    function: FunctionSpec
    record: FunctionRecord
    decision: Decision
    duration_ms: int
    suggested: Suggested | None = None


class Service:
    """Holds the warm sandboxes and the store; use it as a context manager."""

    def __init__(
        self,
        store: Store,
        *,
        unsafe_no_isolation: bool = False,
        python: str | None = None,
        recorder: Recorder | None = None,
        opening: Opening | None = None,
    ) -> None:
        """Keep what the service works with; sandboxes are opened when the first program needs them.

        Args:
            store: where proofs of VERIFIED verdicts are kept.
            unsafe_no_isolation: run programs without a sandbox.
            python: an interpreter whose installed packages programs can import; None means the running one.
            recorder: the ledger that every verdict is recorded in before it is given; None means none.
            opening: the sandboxes, where their owner began to open them before this was loaded.

        Raises:
            UsageError: ``python`` is no interpreter that the sandbox can run.
        """
        self._store = store
        self.python = opening.python if opening is not None else environment(python)
        self._unsafe_no_isolation = unsafe_no_isolation
        self._recorder = recorder
        self._opening = opening
        self._benches: Benches | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the sandboxes; nothing is left running."""
        opening, self._opening, self._benches = self._opening, None, None
        if opening is not None:
            opening.close()

    def verify_program(self, request: ProgramRequest, listener: Listener = ignore) -> ProgramAnswer:
        """Verify one program and retain the proof of a VERIFIED verdict.

        Raises:
            UsageError: the request names something that the program does not define.
        """
        try:
            listener(Event("start", "Starting deep verification", {"level": request.level.value}))
            answer = self._recorded(request, self._verify(request, listener))
        except UsageError:
            raise
        except BudgetError as error:
            fields = {"detail": printable(error.sentence)}
            answer = self._not_run(request, decide(Outcome.UNDECIDED, "program.too_large", fields=fields))
        except ProbatumError as error:
            answer = self._not_run(request, blocked_by(error))
        except Exception as error:  # noqa: BLE001  # law 3: whatever breaks in here is not the subject's fault
            answer = self._not_run(request, blocked_by_defect(error))
        listener(Event("complete", answer.verdict.agent_message, {"status": answer.verdict.status.value}))
        return answer

    def _recorded(self, request: ProgramRequest, answer: ProgramAnswer) -> ProgramAnswer:
        if self._recorder is not None:
            name = f"{request.name}::{request.function}" if request.function else request.name
            self._recorder.record(name, request.source, answer.verdict)
        return answer

    def recheckers(
        self, min_strength: float = DEFAULT_MIN_STRENGTH, demanded: DemandedContract | None = None
    ) -> dict[str, Rechecker]:
        """Return the recheckers by kind of artifact.

        Args:
            min_strength: the share of planted faults that they say is required of programs.
            demanded: the contract that they say is required of outputs; with it, no program is what is required.
        """
        contract = None if demanded is None else demanded.name
        programs = ProgramRechecker(self._borrowed_benches, self.python, min_strength, contract)
        return {"program": programs, **self._outputs.recheckers(demanded)}

    def verify_output(self, request: OutputRequest, listener: Listener = ignore) -> OutputAnswer:
        """Judge one structured output, see `OutputService.verify_output`; no sandbox is opened for it."""
        return self._outputs.verify_output(request, listener)

    @cached_property
    def _outputs(self) -> OutputService:
        # Deferred, so that verifying a program need not load what judges outputs.
        from probatum.app.output_service import OutputService

        return OutputService(self._store, recorder=self._recorder)

    @contextmanager
    def _borrowed_benches(self) -> Iterator[Benches]:
        yield self._open_benches()

    def _open_benches(self) -> Benches:
        if self._benches is None:
            unsafe = self._unsafe_no_isolation
            self._opening = self._opening or begin_to_open(self.python, unsafe_no_isolation=unsafe)
            try:
                self._benches = Benches(*self._opening.sandboxes())
            except BaseException:
                self.close()
                raise
        return self._benches

    def _verify(self, request: ProgramRequest, listener: Listener) -> ProgramAnswer:
        listener(Event("spec_extraction", "Reading the specification"))
        program = _program(request, request.source)
        read = read_source(program, request.tree)
        if isinstance(read, Decision):
            return self._not_run(request, self._in_another_language(read))
        units = units_of(read.module, request.function, request.contract, request.tests, program.module_name)
        clauses = sum(len(unit.examples) + len(unit.properties) + len(unit.raises) for unit in units)
        listener(Event("spec_extracted", f"{clauses} clauses in {len(units)} functions", {"clauses": clauses}))
        policy = policy_of(request)
        earlier = None if request.against is None else _program(request, request.against)
        if request.against is not None:
            _require_defines(request.against, units)
        benches = self._open_benches()
        if benches.first.tier is Tier.UNSAFE_NONE:
            policy = replace(policy, isolation=NO_ISOLATION)
        failure = load_failure(program, benches)
        if failure is not None or not units:
            return self._not_run(request, failure or decide_program((), policy))
        judged = []
        for unit in units:
            started = time.monotonic()
            question = Question(read, unit, policy, earlier, request.tests)
            record = verify_function(question, benches, listener)
            duration = int((time.monotonic() - started) * 1000)
            suggested = suggest(question, record, benches) if request.suggest else None
            judged.append(_Judged(unit, record, decide_function(record, policy), duration, suggested))
        return self._answer(request, policy, judged, read)

    def _in_another_language(self, decision: Decision) -> Decision:
        """Take the blame from a program that only the Python which reads it, and not the one that runs it, refuses."""
        if decision.outcome is not Outcome.REFUTED or self.python.is_own_version:
            return decision
        here = ".".join(str(number) for number in sys.version_info[:2])
        detail = f"Python {here}, which reads the file, says {decision.fields.get('detail')}"
        hint = f"It would be run by {self.python.version}; run probatum itself under that version."
        return decide(Outcome.NOT_ATTEMPTED, "program.not_python", fields={"detail": detail, "hint": hint})

    def _not_run(self, request: ProgramRequest, decision: Decision) -> ProgramAnswer:
        verdict = verdict_without_proof(decision)
        sheet = decision_sheet(request.name, verdict, decision, repeat_command(request))
        return ProgramAnswer(verdict, decision.exit_code, (), sheet)

    def _answer(
        self, request: ProgramRequest, policy: ProgramPolicy, judged: Sequence[_Judged], source: Source
    ) -> ProgramAnswer:
        functions = tuple(self._function_answer(request, policy, one, source) for one in judged)
        tests = pytest_source(module_key(request.module, request.name), [one.record for one in judged])
        if len(functions) == 1:
            [only] = functions
            return ProgramAnswer(only.verdict, only.exit_code, functions, only.sheet, tests)
        records = [one.record for one in judged]
        decision = decide_program(records, policy)
        verdict = self._verdict(request, policy, records, decision, source)
        sheet = decision_sheet(request.name, verdict, decision, repeat_command(request))
        return ProgramAnswer(verdict, decision.exit_code, functions, sheet, tests)

    def _function_answer(
        self, request: ProgramRequest, policy: ProgramPolicy, one: _Judged, source: Source
    ) -> FunctionAnswer:
        verdict = self._verdict(request, policy, [one.record], one.decision, source)
        repeat = repeat_command(request, one.record.qualname)
        result = result_of(one.record, one.decision, one.function, one.duration_ms)
        sheet = function_sheet(request.name, verdict, one.record, repeat, recommendations(one.record))
        return FunctionAnswer(
            qualname=one.record.qualname,
            verdict=verdict,
            exit_code=one.decision.exit_code,
            result=result if one.suggested is None else {**result, "suggestions": suggestions_json(one.suggested)},
            specification=specification_of(one.function),
            sheet=sheet if one.suggested is None else with_suggestions(sheet, one.suggested),
        )

    def _verdict(
        self,
        request: ProgramRequest,
        policy: ProgramPolicy,
        records: Sequence[FunctionRecord],
        decision: Decision,
        source: Source,
    ) -> DiagnosticResult:
        if decision.status is not DiagnosticStatus.VERIFIED:
            return verdict_without_proof(decision)
        subject = Subject(request.source, PYTHON, request.name)
        further = _further_inputs(request)
        extras = {name: digest_of(content) for name, content in further.items()}
        versions = taking_part(source, self.python)
        artifact = program_artifact(
            subject, request.contract, records, policy, decision, extras, source.program, versions
        )
        beside = {digest: further[name] for name, digest in extras.items()} | {subject.digest: request.source}
        return proved_verdict(decision, canonical_bytes(artifact), self._store, beside)


def _program(request: ProgramRequest, source: bytes) -> Program:
    return program_of(source, module_key(request.module, request.name), request.siblings)


def _further_inputs(request: ProgramRequest) -> dict[str, bytes]:
    further = {MODULE + name: content for name, content in request.siblings}
    if request.tests is not None:
        further[TESTS] = request.tests
    if request.against is not None:
        further[EARLIER] = request.against
    return further


def _require_defines(earlier: bytes, units: Sequence[FunctionSpec]) -> None:
    read = read_source(Program(earlier))
    if isinstance(read, Decision):
        sentence = f"the earlier version cannot be read: {read.agent_message}"
        raise UsageError("against.unreadable", sentence, str(read.fields.get("detail", "")))
    for unit in units:
        find_function(read.module, unit.qualname)


def repeat_command(request: ProgramRequest, qualname: str | None = None) -> str:
    """Return the command that repeats a run."""
    name = qualname or request.function
    parts = ["probatum", "verify", f"{request.name}::{name}" if name else request.name]
    if request.level is not Level.STANDARD:
        parts += ["--level", request.level.value]
    return shlex.join([*parts, *request.repeated_with])


def verify_program(
    source: str | bytes, function: str | None = None, *, name: str = "artifact.py", store: Store | None = None
) -> DiagnosticResult:
    """Verify the functions of a Python source and return the verdict.

    Args:
        source: the program, as text or as the bytes of its file.
        function: a qualified name, to judge this one alone.
        name: what to call the file in reports.
        store: where the proof of a VERIFIED verdict is kept; None means the default store of this user.

    Raises:
        UsageError: the program does not define ``function``.
    """
    content = source.encode() if isinstance(source, str) else source
    with Service(store or open_store(read_settings().store_path())) as service:
        return service.verify_program(ProgramRequest(content, name, function)).verdict
