"""What programs are verified on: two sandboxes, warm from the first program to the last.

The sandboxes start while what judges programs is still being loaded. Refuses to run a program when no isolation is
available, unless that was asked for by its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from probatum.core.command import Given
from probatum.core.events import Event, Listener
from probatum.core.ports import Rechecker, SourceReader
from probatum.kinds.program.request import DEFAULT_MIN_STRENGTH, ProgramRequest, require_strength
from probatum.sandbox import Opening, environment_named, own_environment
from probatum.verification.kind import Observed

if TYPE_CHECKING:
    from probatum.programs import Benches


class ProgramWorkbench:
    """Verifies programs in sandboxes."""

    def __init__(self, python: str | None = None, *, unsafe_no_isolation: bool = False) -> None:
        """Keep what programs run with; sandboxes are opened when the first program needs them.

        ``python`` is an interpreter whose installed packages programs can import, None for the running one; raises
        UsageError where the sandbox cannot run it.
        """
        self.python = own_environment() if python is None else environment_named(python)
        self._unsafe_no_isolation = unsafe_no_isolation
        self._opening: Opening | None = None

    def observe(self, request: ProgramRequest, listener: Listener) -> Observed:
        """Read the specification and run what it asks for, function by function; raises as `Workbench.observe`."""
        listener(Event("start", "Starting deep verification", {"level": request.level.value}))
        self._begin_to_open()
        # Deferred, so that the sandboxes start meanwhile.
        from probatum.kinds.program.verifying import observe_program

        return observe_program(request, self.python, self._open_benches, listener)

    def rechecker(self, demands: Given, _sources: SourceReader) -> Rechecker:
        """Return what re-checks proofs of programs; it opens sandboxes only for a replay."""
        from probatum.kinds.program.proof import program_rechecker

        min_strength = demands.number("min-strength", DEFAULT_MIN_STRENGTH)
        require_strength(min_strength)
        trusts_tests = demands.flag("trust-tests")
        return program_rechecker(self._open_benches, self.python, min_strength, trusts_tests=trusts_tests)

    def close(self) -> None:
        """End the sandboxes; nothing is left running."""
        opening, self._opening = self._opening, None
        if opening is not None:
            opening.close()

    def _begin_to_open(self) -> Opening:
        if self._opening is None:
            # They differ in their hash seed.
            self._opening = Opening((0, 1), self.python, unsafe_no_isolation=self._unsafe_no_isolation)
        return self._opening

    def _open_benches(self) -> Benches:
        from probatum.programs import Benches

        try:
            return Benches(*self._begin_to_open().sandboxes())
        except BaseException:
            self.close()
            raise
