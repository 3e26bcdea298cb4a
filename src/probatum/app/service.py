"""The one entry through which every interface asks for a verdict.

It alone makes a verdict VERIFIED, and only after the artifact that the verdict rests on was retained. An exception
anywhere in a verification becomes BLOCKED: it says nothing about the subject. Refuses to run a program when no
isolation is available.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from probatum.app.answers import FunctionAnswer, Level, ProgramAnswer, ProgramRequest
from probatum.app.program_proof import EARLIER, MODULE, TESTS, ProgramRechecker, program_artifact, program_of
from probatum.app.program_result import recommendations, result_of, specification_of
from probatum.app.program_sheet import decision_sheet, function_sheet
from probatum.app.pytest_source import pytest_source
from probatum.app.settings import read_settings
from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Decision, DiagnosticStatus, Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import BudgetError, IntegrityError, NotAttemptedError, ProbatumError, UsageError
from probatum.core.events import Event, Listener, ignore
from probatum.core.messages import CATALOGUE
from probatum.core.ports import Rechecker, Store
from probatum.core.subject import PYTHON, Subject
from probatum.programs.compare import printable
from probatum.programs.decide import NO_ISOLATION, ProgramPolicy, decide_function, decide_program
from probatum.programs.execute import Benches
from probatum.programs.extract import find_function
from probatum.programs.loading import load_failure, read_program
from probatum.programs.record import FunctionRecord
from probatum.programs.specification import FunctionSpec
from probatum.programs.units import units_of
from probatum.programs.verifier import Question, verify_function
from probatum.proof.stores import open_store
from probatum.sandbox import Sandbox, Tier

GENERATED_INPUTS = {Level.QUICK: 0, Level.STANDARD: 100, Level.THOROUGH: 400}
PLANTED_FAULTS = {Level.QUICK: 0, Level.STANDARD: 60, Level.THOROUGH: 250}


@dataclass(frozen=True, slots=True)
class _Judged:
    """One function with everything that was observed and decided."""

    function: FunctionSpec
    record: FunctionRecord
    decision: Decision
    duration_ms: int


class Service:
    """Holds the warm sandboxes and the store; use it as a context manager."""

    def __init__(self, store: Store, *, unsafe_no_isolation: bool = False) -> None:
        self._store = store
        self._unsafe_no_isolation = unsafe_no_isolation
        self._benches: Benches | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the sandboxes; nothing is left running."""
        benches, self._benches = self._benches, None
        if benches is not None:
            benches.first.close()
            benches.second.close()

    def verify_program(self, request: ProgramRequest, listener: Listener = ignore) -> ProgramAnswer:
        """Verify one program and retain the proof of a VERIFIED verdict.

        Raises:
            UsageError: the request names something that the program does not define.
        """
        listener(Event("start", "Starting deep verification", {"level": request.level.value}))
        try:
            answer = self._verify(request, listener)
        except UsageError:
            raise
        except BudgetError as error:
            fields = {"detail": printable(error.sentence)}
            answer = self._not_run(request, decide(Outcome.UNDECIDED, "program.too_large", fields=fields))
        except ProbatumError as error:
            answer = self._not_run(request, _blocked_by(error))
        except Exception as error:  # noqa: BLE001  # law 3: whatever breaks in here is not the subject's fault
            fields = {"detail": printable(f"{type(error).__name__}: {error}")[:300]}
            answer = self._not_run(request, decide(Outcome.NOT_ATTEMPTED, "verifier.fault", fields=fields))
        listener(Event("complete", answer.verdict.agent_message, {"status": answer.verdict.status.value}))
        return answer

    def recheckers(self) -> dict[str, Rechecker]:
        """Return the recheckers by kind of artifact."""
        return {"program": ProgramRechecker(self._borrowed_benches)}

    @contextmanager
    def _borrowed_benches(self) -> Iterator[Benches]:
        yield self._open_benches()

    def _open_benches(self) -> Benches:
        if self._benches is None:
            unsafe = self._unsafe_no_isolation
            with ThreadPoolExecutor(1) as threads:
                second = threads.submit(Sandbox.open, hash_seed=1, unsafe_no_isolation=unsafe)
                first = Sandbox.open(hash_seed=0, unsafe_no_isolation=unsafe)
                try:
                    self._benches = Benches(first, second.result())
                except BaseException:
                    first.close()
                    raise
        return self._benches

    def _verify(self, request: ProgramRequest, listener: Listener) -> ProgramAnswer:
        listener(Event("spec_extraction", "Reading the specification"))
        read = read_program(request.source)
        if isinstance(read, Decision):
            return self._not_run(request, read)
        units = units_of(read.module, request.function, request.contract)
        clauses = sum(len(unit.examples) for unit in units)
        listener(Event("spec_extracted", f"{clauses} clauses in {len(units)} functions", {"clauses": clauses}))
        policy = _policy(request)
        program = program_of(request.source, request.name, request.siblings)
        earlier = None if request.against is None else program_of(request.against, request.name, request.siblings)
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
            question = Question(program, read.text, read.module, unit, policy, earlier, request.tests)
            record = verify_function(question, benches, listener)
            duration = int((time.monotonic() - started) * 1000)
            judged.append(_Judged(unit, record, decide_function(record, policy), duration))
        return self._answer(request, policy, judged)

    def _not_run(self, request: ProgramRequest, decision: Decision) -> ProgramAnswer:
        verdict = _verdict_without_proof(decision)
        sheet = decision_sheet(request.name, verdict, decision, repeat_command(request))
        return ProgramAnswer(verdict, decision.exit_code, (), sheet)

    def _answer(self, request: ProgramRequest, policy: ProgramPolicy, judged: Sequence[_Judged]) -> ProgramAnswer:
        functions = tuple(self._function_answer(request, policy, one) for one in judged)
        tests = pytest_source(request.name, [one.record for one in judged])
        if len(functions) == 1:
            [only] = functions
            return ProgramAnswer(only.verdict, only.exit_code, functions, only.sheet, tests)
        records = [one.record for one in judged]
        decision = decide_program(records, policy)
        verdict = self._verdict(request, policy, records, decision)
        sheet = decision_sheet(request.name, verdict, decision, repeat_command(request))
        return ProgramAnswer(verdict, decision.exit_code, functions, sheet, tests)

    def _function_answer(self, request: ProgramRequest, policy: ProgramPolicy, one: _Judged) -> FunctionAnswer:
        verdict = self._verdict(request, policy, [one.record], one.decision)
        repeat = repeat_command(request, one.record.qualname)
        return FunctionAnswer(
            qualname=one.record.qualname,
            verdict=verdict,
            exit_code=one.decision.exit_code,
            result=result_of(one.record, one.decision, one.function, one.duration_ms),
            specification=specification_of(one.function),
            sheet=function_sheet(request.name, verdict, one.record, repeat, recommendations(one.record)),
        )

    def _verdict(
        self, request: ProgramRequest, policy: ProgramPolicy, records: Sequence[FunctionRecord], decision: Decision
    ) -> DiagnosticResult:
        if decision.status is not DiagnosticStatus.VERIFIED:
            return _verdict_without_proof(decision)
        subject = Subject(request.source, PYTHON, request.name)
        extras = {name: self._store.retain(content) for name, content in _further_inputs(request).items()}
        artifact = program_artifact(subject, request.contract, records, policy, decision, extras)
        self._store.retain(request.source)
        verdict = DiagnosticResult.verified(decision.agent_message, decision.developer_fields(), artifact)
        if self._store.retain(canonical_bytes(artifact)) != verdict.proof_ref:
            raise IntegrityError("store.wrong_digest", "The store kept the proof under another digest than its own.")
        return verdict


def _further_inputs(request: ProgramRequest) -> dict[str, bytes]:
    further = {MODULE + name: content for name, content in request.siblings}
    if request.tests is not None:
        further[TESTS] = request.tests
    if request.against is not None:
        further[EARLIER] = request.against
    return further


def _require_defines(earlier: bytes, units: Sequence[FunctionSpec]) -> None:
    read = read_program(earlier)
    if isinstance(read, Decision):
        sentence = f"the earlier version cannot be read: {read.agent_message}"
        raise UsageError("against.unreadable", sentence, str(read.fields.get("detail", "")))
    for unit in units:
        find_function(read.module, unit.qualname)


def _policy(request: ProgramRequest) -> ProgramPolicy:
    return ProgramPolicy(
        level=request.level.value,
        min_strength=request.min_strength,
        generated_inputs=GENERATED_INPUTS[request.level],
        mutants=PLANTED_FAULTS[request.level],
    )


def _verdict_without_proof(decision: Decision) -> DiagnosticResult:
    build = DiagnosticResult.blocked if decision.outcome is Outcome.NOT_ATTEMPTED else DiagnosticResult.unverifiable
    return build(decision.agent_message, decision.developer_fields())


def _blocked_by(error: ProbatumError) -> Decision:
    known = isinstance(error, NotAttemptedError) and error.code in CATALOGUE
    constraint = error.code if known else "store.unavailable" if error.code.startswith("store.") else "verifier.fault"
    fields = {"detail": printable(error.sentence), "hint": printable(error.hint)}
    return decide(Outcome.NOT_ATTEMPTED, constraint, fields=fields)


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
