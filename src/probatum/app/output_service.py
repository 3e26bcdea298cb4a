"""The entry through which every interface asks for a verdict about a structured output.

It makes a verdict VERIFIED only after the proof, the output and its input were retained. An exception anywhere in a
verification becomes BLOCKED: it says nothing about the output. Opens no sandbox and loads nothing that judges
programs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from probatum.app.output_answers import OutputAnswer, OutputRequest
from probatum.app.output_demand import DemandedContract
from probatum.app.output_judging import ObservedOutput, ReadyContract, observe_output, read_input, ready_contract
from probatum.app.output_memory import AlikeOutputs, ContractMemory
from probatum.app.output_proof import JSON, KIND, OutputRechecker
from probatum.app.verdicts import blocked_by, blocked_by_defect, proved_verdict, verdict_without_proof, writable
from probatum.contracts.specification import ContractSpec
from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision, DiagnosticStatus, Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import BudgetError, ProbatumError
from probatum.core.events import Event, Listener, ignore
from probatum.core.finding import Finding, Severity
from probatum.core.ports import Rechecker, Recorder, Store
from probatum.core.subject import Subject
from probatum.verification.executors import VerifierExecutor
from probatum.verification.registry import VerifierRegistry, default_registry
from probatum.verification.run import RunBudget

MAX_READY: Final = 64
"""Contracts that are kept ready."""
_ORDER: Final = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


class OutputService:
    """Judges outputs; keeps the contracts that it was asked about ready."""

    def __init__(
        self,
        store: Store,
        *,
        recorder: Recorder | None = None,
        registry: VerifierRegistry | None = None,
        executor: VerifierExecutor | None = None,
        budget: RunBudget | None = None,
    ) -> None:
        """Keep what the service works with.

        Args:
            store: where proofs of VERIFIED verdicts are kept.
            recorder: the ledger that every verdict is recorded in before it is given; None means none.
            registry: which verifiers there are; the built-in ones without it.
            executor: what runs verifiers that are not built in.
            budget: how long a run may take.
        """
        self._store = store
        self._recorder = recorder
        self._registry = registry
        self._executor = executor
        self._budget = budget
        self._last_input: tuple[bytes, JsonValue] | None = None
        self._ready: dict[tuple[int, bool], ContractMemory] = {}

    def verify_output(self, request: OutputRequest, listener: Listener = ignore) -> OutputAnswer:
        """Judge one output and retain the proof of a VERIFIED verdict; never raises for what a request holds."""
        if listener is not ignore:
            listener(Event("start", "Checking the output against its contract"))
        answer = self._guarded(request, lambda: self._verify(request, listener))
        if self._recorder is not None:
            answer = self._guarded(request, partial(self._recorded, self._recorder, request, answer))
        if listener is not ignore:
            listener(Event("complete", answer.verdict.agent_message, {"status": answer.verdict.status.value}))
        return answer

    def _guarded(self, request: OutputRequest, step: Callable[[], OutputAnswer]) -> OutputAnswer:
        """Return what a step answers, and whatever breaks in it as an answer that is no statement about the output."""
        try:
            return step()
        except BudgetError as error:
            fields = {"detail": writable(error.sentence)}
            return not_judged(request, decide(Outcome.UNDECIDED, "contract.too_large", fields=fields))
        except ProbatumError as error:
            return not_judged(request, blocked_by(error))
        except Exception as error:  # noqa: BLE001  # law 3: whatever breaks in here is not the output's fault
            return not_judged(request, blocked_by_defect(error))

    def _recorded(self, recorder: Recorder, request: OutputRequest, answer: OutputAnswer) -> OutputAnswer:
        recorder.record(request.name, request.content, answer.verdict)
        return answer

    def recheckers(self, demanded: DemandedContract | None = None) -> dict[str, Rechecker]:
        """Return the recheckers by kind of artifact; for a gate, with the contract that it demands."""
        return {KIND: OutputRechecker(self._verifiers, self._executor, demanded)}

    def _verifiers(self) -> VerifierRegistry:
        if self._registry is None:
            self._registry = default_registry()
        return self._registry

    def _contract(self, spec: ContractSpec, *, has_input: bool) -> ContractMemory:
        key = id(spec), has_input
        known = self._ready.get(key)
        # An entry keeps its specification alive, so that its identity stays its own.
        if known is not None and known.ready.spec is spec:
            return known
        if len(self._ready) >= MAX_READY:
            self._ready.clear()
        self._ready[key] = ContractMemory(ready_contract(spec, self._verifiers(), has_input=has_input))
        return self._ready[key]

    def _input(self, content: bytes | None) -> JsonValue:
        """Return the value of an input; one that is given with many outputs is read once."""
        if content is None or self._last_input is None or self._last_input[0] is not content:
            self._last_input = None if content is None else (content, read_input(content))
        return None if self._last_input is None else self._last_input[1]

    def _verify(self, request: OutputRequest, listener: Listener) -> OutputAnswer:
        memory = self._contract(request.contract, has_input=request.input is not None)
        seen = observe_output(
            memory.ready,
            request.content,
            self._input(request.input),
            executor=self._executor,
            budget=self._budget,
            listener=listener,
        )
        alike = memory.alike(seen.record)
        return OutputAnswer(
            request.name,
            memory.ready.name,
            self._verdict(request, alike),
            alike.decision.exit_code,
            _findings(memory.ready, seen),
            seen.results,
            request.repeated_with,
            seen.repaired,
        )

    def _verdict(self, request: OutputRequest, alike: AlikeOutputs) -> DiagnosticResult:
        decision = alike.decision
        if decision.status is not DiagnosticStatus.VERIFIED:
            return verdict_without_proof(decision)
        subject = Subject(request.content, JSON, request.name)
        artifact = alike.proof_of(subject, request.input)
        beside = {subject.digest: request.content}
        if request.input is not None:
            beside = {digest_of(request.input): request.input, **beside}
        verdict = proved_verdict(decision, artifact, self._store, beside, alike.verdict)
        alike.verdict = verdict
        return verdict


def _findings(ready: ReadyContract, seen: ObservedOutput) -> tuple[Finding, ...]:
    of_results = [finding for result in seen.results for finding in result.findings]
    every = (*seen.reading, *of_results, *ready.concerns)
    return tuple(sorted(every, key=lambda finding: _ORDER[finding.severity])) if len(every) > 1 else every


def not_judged(request: OutputRequest, decision: Decision) -> OutputAnswer:
    """Return the answer about an output that was not judged."""
    verdict = verdict_without_proof(decision)
    contract = f"{request.contract.task_id} {request.contract.version}"
    return OutputAnswer(request.name, contract, verdict, decision.exit_code, repeated_with=request.repeated_with)


def not_judged_by_contract(name: str, contract: str, error: ProbatumError) -> OutputAnswer:
    """Return the answer about an output whose contract is there and cannot be used."""
    decision = blocked_by(error)
    # Of what else can be wrong with a file only the developer's layer tells; too large is said of outputs alone.
    if decision.constraint_id in {"verifier.fault", "contract.too_large"}:
        decision = decide(Outcome.NOT_ATTEMPTED, "contract.unreadable", fields=decision.fields)
    return OutputAnswer(name, writable(contract), verdict_without_proof(decision), decision.exit_code)
