"""What programs offer in Python: one call from a source to a verdict.

Refuses to make a verdict itself: whoever gives this its service retains the proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from probatum.core.diagnostics import DiagnosticResult
from probatum.core.ports import Store
from probatum.kinds.program.request import ProgramRequest


@dataclass(frozen=True, slots=True)
class VerifyProgram:
    """`probatum.verify_program`: verifies the functions of a Python source."""

    # What answers a request of a kind, with the store where its proof is kept.
    ask: Callable[[str, ProgramRequest, Store | None], DiagnosticResult]

    def __call__(
        self, source: str | bytes, function: str | None = None, *, name: str = "artifact.py", store: Store | None = None
    ) -> DiagnosticResult:
        """Verify the functions of a Python source, given as text or as bytes, and return the verdict.

        Args:
            source: the program.
            function: a qualified name, to judge this one alone; raises UsageError where the program lacks it.
            name: what to call the file in reports.
            store: where the proof of a VERIFIED verdict is kept; None means the default store of this user.
        """
        content = source.encode() if isinstance(source, str) else source
        return self.ask("program", ProgramRequest(content, name, function), store)
