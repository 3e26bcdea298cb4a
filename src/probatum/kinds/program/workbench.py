"""Runs programs and observes what they do; keeps two warm sandboxes from the first program to the last.

Refuses to run a program when no isolation is available, unless that was asked for by its name.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from probatum.core.command import Given
from probatum.core.decision import Decision, Outcome, decide
from probatum.core.errors import UsageError
from probatum.core.events import Event, Listener
from probatum.core.ports import Rechecker, SourceReader
from probatum.kinds.program.levels import policy_of
from probatum.kinds.program.observed import VerifiedFunction, VerifiedProgram, program_not_judged
from probatum.kinds.program.proof import ProgramRechecker, program_of
from probatum.kinds.program.request import DEFAULT_MIN_STRENGTH, ProgramRequest, require_strength
from probatum.programs.decide import NO_ISOLATION, decide_program
from probatum.programs.extract import find_function
from probatum.programs.judging.suggestions import suggest
from probatum.programs.loading import load_failure, read_program
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import Question
from probatum.programs.specification import FunctionSpec
from probatum.programs.units import units_of
from probatum.programs.verifier import verify_function
from probatum.sandbox import Sandbox, Tier, environment_named, own_environment
from probatum.verification.kind import Observed


class ProgramWorkbench:
    """Verifies programs in sandboxes."""

    def __init__(self, python: str | None = None, *, unsafe_no_isolation: bool = False) -> None:
        """Keep what programs run with; sandboxes are opened when the first program needs them.

        Args:
            python: an interpreter whose installed packages programs can import; None means the running one.
            unsafe_no_isolation: run programs without a sandbox.

        Raises:
            UsageError: ``python`` is no interpreter that the sandbox can run.
        """
        self.python = own_environment() if python is None else environment_named(python)
        self._unsafe_no_isolation = unsafe_no_isolation
        self._benches: Benches | None = None

    def close(self) -> None:
        """End the sandboxes; nothing is left running."""
        benches, self._benches = self._benches, None
        if benches is not None:
            benches.first.close()
            benches.second.close()

    def rechecker(self, demands: Given, _sources: SourceReader) -> Rechecker:
        """Return what re-checks proofs of programs; it opens sandboxes only for a replay."""
        min_strength = demands.number("min-strength", DEFAULT_MIN_STRENGTH)
        require_strength(min_strength)
        return ProgramRechecker(self._borrowed_benches, self.python, min_strength)

    def observe(self, request: ProgramRequest, listener: Listener) -> Observed:
        """Read the specification and run what it asks for, function by function; raises as `Workbench.observe`."""
        listener(Event("start", "Starting deep verification", {"level": request.level.value}))
        listener(Event("spec_extraction", "Reading the specification"))
        program = program_of(request)
        read = read_program(request.content, program.module_name, program.importable)
        if isinstance(read, Decision):
            return program_not_judged(request, self._in_another_language(read))
        units = units_of(read.module, request.function, request.contract, request.tests, program.module_name)
        clauses = sum(len(unit.examples) + len(unit.properties) + len(unit.raises) for unit in units)
        listener(Event("spec_extracted", f"{clauses} clauses in {len(units)} functions", {"clauses": clauses}))
        policy = policy_of(request)
        earlier = None
        if request.against is not None:
            earlier = program_of(replace(request, content=request.against))
            _require_defines(request.against, units)
        benches = self._open_benches()
        if benches.first.tier is Tier.UNSAFE_NONE:
            policy = replace(policy, isolation=NO_ISOLATION)
        failure = load_failure(program, benches)
        if failure is not None or not units:
            return program_not_judged(request, failure or decide_program((), policy))
        verified = []
        for unit in units:
            started = time.monotonic()
            question = Question(program, read.text, read.module, unit, policy, earlier, request.tests)
            record = verify_function(question, benches, listener)
            duration = int((time.monotonic() - started) * 1000)
            suggested = suggest(question, record, benches) if request.suggest else None
            verified.append(VerifiedFunction(request, policy, self.python, unit, record, duration, suggested))
        return VerifiedProgram(request, policy, self.python, tuple(verified))

    @contextmanager
    def _borrowed_benches(self) -> Iterator[Benches]:
        yield self._open_benches()

    def _open_benches(self) -> Benches:
        if self._benches is None:
            opened = partial(Sandbox.open, unsafe_no_isolation=self._unsafe_no_isolation, python=self.python)
            with ThreadPoolExecutor(1) as threads:
                second = threads.submit(opened, hash_seed=1)
                first = opened(hash_seed=0)
                try:
                    self._benches = Benches(first, second.result())
                except BaseException:
                    first.close()
                    raise
        return self._benches

    def _in_another_language(self, decision: Decision) -> Decision:
        """Take the blame from a program that only the Python which reads it, and not the one that runs it, refuses."""
        if decision.outcome is not Outcome.REFUTED or self.python.is_own_version:
            return decision
        here = ".".join(str(number) for number in sys.version_info[:2])
        detail = f"Python {here}, which reads the file, says {decision.fields.get('detail')}"
        hint = f"It would be run by {self.python.version}; run probatum itself under that version."
        return decide(Outcome.NOT_ATTEMPTED, "program.not_python", fields={"detail": detail, "hint": hint})


def _require_defines(earlier: bytes, units: tuple[FunctionSpec, ...]) -> None:
    read = read_program(earlier)
    if isinstance(read, Decision):
        sentence = f"the earlier version cannot be read: {read.agent_message}"
        raise UsageError("against.unreadable", sentence, str(read.fields.get("detail", "")))
    for unit in units:
        find_function(read.module, unit.qualname)
