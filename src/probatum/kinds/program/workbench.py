"""What programs are verified on: two sandboxes, warm from the first program to the last.

The sandboxes start while what judges programs is still being loaded. Refuses to run a program when no isolation is
available, unless that was asked for by its name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from probatum.core.command import Given
from probatum.core.errors import NotAttemptedError
from probatum.core.events import Event, Listener
from probatum.core.ports import Rechecker, SourceReader
from probatum.core.shape import Shape
from probatum.kinds.program.request import ProgramRequest
from probatum.proof.account import Document
from probatum.sandbox import Opening, environment_named, own_environment
from probatum.verification.observed import Observed

if TYPE_CHECKING:
    from probatum.programs.running.execute import Benches


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

    def observe(self, request: ProgramRequest, listener: Listener, *, only: Collection[str] | None = None) -> Observed:
        """Read the specification and run what it asks for, function by function; raises as `Workbench.observe`.

        Of several functions that are asked about, ``only`` these are observed.
        """
        listener(Event("start", "Starting deep verification", {"level": request.level.value}))
        self.require_home(request)
        self._begin_to_open()
        # Deferred, so that the sandboxes start meanwhile.
        from probatum.kinds.program.observing import observe_program

        return observe_program(request, self.python, self.open_benches, listener, only=only)

    def require_home(self, request: ProgramRequest) -> None:
        """Raise NotAttemptedError for a file that is installed for another Python than that of this workbench."""
        if request.installed_in and not self.python.imports_from(request.installed_in):
            sentence = f"{request.name} is installed in {request.installed_in}; this Python does not import from there."
            hint = "Name the interpreter of the environment that it is installed in: --python INTERPRETER"
            raise NotAttemptedError("program.missing_package", sentence, hint)

    def rechecker(self, demands: Given, sources: SourceReader) -> Rechecker:
        """Return what re-checks proofs of programs; it opens sandboxes only for a replay."""
        from probatum.kinds.program.demand import demanded
        from probatum.kinds.program.rechecking import program_rechecker

        return program_rechecker(self.open_benches, self.python, demanded(demands, sources, self.python).unmet)

    def observed_again(self, artifact: Document, parts: Mapping[str, bytes]) -> Observed:
        """Return what an artifact records; nothing is run."""
        from probatum.kinds.program.rechecking import recorded_program

        return recorded_program(artifact, parts[Shape(artifact).member("subject").text("digest")])

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

    def open_benches(self) -> Benches:
        """Return the sandboxes, opened by the first who asks; raises as `Opening.sandboxes`."""
        from probatum.programs.running.execute import Benches

        try:
            return Benches(*self._begin_to_open().sandboxes())
        except BaseException:
            self.close()
            raise
