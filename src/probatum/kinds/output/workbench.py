"""Judges outputs, one after the other; keeps the contracts that it was asked about ready.

Opens no sandbox and loads nothing that judges programs, unless a verifier is named that does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from probatum.contracts.specification import ContractSpec
from probatum.core.canonical import JsonValue
from probatum.core.command import Given
from probatum.core.events import Event, Listener, ignore
from probatum.core.ports import Rechecker, SourceReader
from probatum.core.shape import Shape
from probatum.kinds.output.demand import demanded_contract
from probatum.kinds.output.judging import observe_output, read_input, ready_contract
from probatum.kinds.output.memory import ContractMemory
from probatum.kinds.output.observed import JudgedOutput
from probatum.kinds.output.proof import input_digest, output_rechecker, spec_of
from probatum.kinds.output.request import OutputRequest
from probatum.kinds.output.verifiers import EachInItsPlace, named_verifiers
from probatum.proof.account import Document
from probatum.verification.executors import VerifierExecutor
from probatum.verification.kind import Host
from probatum.verification.observed import Observed
from probatum.verification.registry import VerifierRegistry

# Contracts that are kept ready.
MAX_READY: Final = 64


class OutputWorkbench:
    """Judges outputs by contracts."""

    def __init__(self, registry: VerifierRegistry, executor: VerifierExecutor | None = None) -> None:
        """Keep which verifiers there are, and what runs those that are not built in."""
        self._registry = registry
        self._executor = executor
        self._last_input: tuple[bytes, JsonValue] | None = None
        self._ready: dict[tuple[int, bool], ContractMemory] = {}

    @classmethod
    def with_verifiers(cls, ids: Sequence[str], host: Host) -> OutputWorkbench:
        """Return a workbench with these verifiers beside the built-in ones; raises as `named_verifiers` does."""
        executor = EachInItsPlace(frozenset(host.verifier_ids())) if ids else None
        return cls(named_verifiers(ids, host), executor)

    def observe(self, request: OutputRequest, listener: Listener) -> Observed:
        """Read one output and run every verifier that its contract asks for; raises as `Workbench.observe` does."""
        if listener is not ignore:
            listener(Event("start", "Checking the output against its contract"))
        memory = self._contract(request.contract, has_input=request.input is not None)
        seen = observe_output(
            memory.ready,
            request.content,
            self._input(request.input),
            executor=self._executor,
            listener=listener,
        )
        return JudgedOutput(request, memory.ready, seen, memory.alike(seen.record))

    def rechecker(self, demands: Given, sources: SourceReader) -> Rechecker:
        """Return what re-checks proofs of outputs; for a gate, with the contract that it demands."""
        return output_rechecker(self._registry, self._executor, demanded_contract(demands, sources))

    def observed_again(self, artifact: Document, parts: Mapping[str, bytes]) -> Observed:
        """Read the output again and run every verifier that the recorded contract asks for."""
        named, digest = Shape(artifact).member("subject"), input_digest(artifact)
        given = None if digest is None else parts[digest]
        request = OutputRequest(parts[named.text("digest")], named.text("name"), spec_of(artifact), given)
        return self.observe(request, ignore)

    def close(self) -> None:
        """Forget what was kept ready."""
        self._ready.clear()

    def _contract(self, spec: ContractSpec, *, has_input: bool) -> ContractMemory:
        key = id(spec), has_input
        known = self._ready.get(key)
        # An entry keeps its specification alive, so that its identity stays its own.
        if known is not None and known.ready.spec is spec:
            return known
        if len(self._ready) >= MAX_READY:
            self._ready.clear()
        self._ready[key] = ContractMemory(ready_contract(spec, self._registry, has_input=has_input))
        return self._ready[key]

    def _input(self, content: bytes | None) -> JsonValue:
        """Return the value of an input; one that is given with many outputs is read once."""
        if content is None or self._last_input is None or self._last_input[0] is not content:
            self._last_input = None if content is None else (content, read_input(content))
        return None if self._last_input is None else self._last_input[1]
