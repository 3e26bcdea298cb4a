"""The service as tests ask it: one method for each built-in kind, and what judges outputs chosen by the test."""

from __future__ import annotations

from typing import Any

from probatum.app.answers import Answer
from probatum.app.kinds import built_in_kinds
from probatum.app.service import Service as _Service
from probatum.core.command import Given
from probatum.core.events import Listener, ignore
from probatum.core.ports import Recorder, Store
from probatum.kinds.output.request import OutputRequest
from probatum.kinds.output.workbench import OutputWorkbench
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.decide import Level
from probatum.sandbox import Environment
from probatum.verification.executors import VerifierExecutor
from probatum.verification.kind import AnyKind, Workbench
from probatum.verification.registry import VerifierRegistry, default_registry

__all__ = ["Answer", "Level", "OutputRequest", "ProgramRequest", "Service", "tolerant"]


_OUTPUT, _PROGRAM = (built_in_kinds()[name] for name in ("output", "program"))


class Service(_Service):
    """Asks about programs and outputs."""

    def __init__(
        self,
        store: Store,
        *,
        recorder: Recorder | None = None,
        python: str | None = None,
        unsafe_no_isolation: bool = False,
        registry: VerifierRegistry | None = None,
        executor: VerifierExecutor | None = None,
    ) -> None:
        options: dict[str, object] = {} if python is None else {"python": python}
        if unsafe_no_isolation:
            options["unsafe-no-isolation"] = True
        super().__init__(store, recorder=recorder, given=Given(options=options))
        self._outputs = OutputWorkbench(registry or default_registry(), executor)

    def bench(self, kind: AnyKind) -> Workbench[Any]:
        """Return what the test chose for outputs, and for another kind its own."""
        return self._outputs if kind.name == "output" else super().bench(kind)

    @property
    def environment(self) -> Environment:
        """The Python that programs run with."""
        found = self.bench(built_in_kinds()["program"]).python
        assert isinstance(found, Environment)
        return found

    def verify_program(self, request: ProgramRequest, listener: Listener = ignore) -> Answer:
        """Return the answer about a program."""
        return self.verify(_PROGRAM, request, listener)

    def verify_output(self, request: OutputRequest, listener: Listener = ignore) -> Answer:
        """Return the answer about an output."""
        return self.verify(_OUTPUT, request, listener)


def tolerant(source: bytes, name: str, function: str | None = None, **parts: Any) -> ProgramRequest:
    """Return a request that tolerates unchecked statements: what is wrong has to be seen by other means."""
    return ProgramRequest(source, name, function, allow_unchecked=True, **parts)
