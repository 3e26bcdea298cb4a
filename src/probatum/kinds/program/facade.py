"""What programs offer in Python: one call from a source to a verdict.

Refuses to make a verdict itself: whoever gives this its service retains the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from probatum.core.diagnostics import DiagnosticResult
from probatum.core.ports import Store
from probatum.kinds.program.request import ProgramRequest, parse_level
from probatum.programs.decide import DEFAULT_MIN_STRENGTH, Level

_NO_SIBLINGS: Final[Mapping[str, str | bytes]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class VerifyProgram:
    """`probatum.verify_program`: verifies the functions of a Python source."""

    # What answers a request of a kind, with the store where its proof is kept.
    ask: Callable[[str, ProgramRequest, Store | None], DiagnosticResult]

    def __call__(
        self,
        source: str | bytes,
        function: str | None = None,
        *,
        name: str = "artifact.py",
        contract: str | None = None,
        tests: str | bytes | None = None,
        against: str | bytes | None = None,
        level: str = Level.STANDARD.value,
        min_strength: float = DEFAULT_MIN_STRENGTH,
        trust_tests: bool = False,
        siblings: Mapping[str, str | bytes] = _NO_SIBLINGS,
        store: Store | None = None,
    ) -> DiagnosticResult:
        """Verify the functions of a Python source, given as text or as bytes, and return the verdict.

        Args:
            source: the program.
            function: a qualified name, to judge this one alone; raises UsageError where the program lacks it.
            name: what to call the file in reports.
            contract: examples and conditions beside the documentation, as `probatum verify --contract` takes them.
            tests: the source of a pytest file that imports the program as ``artifact``.
            against: the source of an earlier version, whose results must stay the same.
            level: ``quick``, ``standard`` or ``thorough``; raises UsageError for any other.
            min_strength: the least share of planted faults that the checks must notice, 0 to 1.
            trust_tests: whether tests that the program could have forged may carry the verdict, which then says so.
            siblings: sources of modules that the program imports, by dotted name, a package as ``name.__init__``.
            store: where the proof of a VERIFIED verdict is kept; None means the default store of this user.
        """
        request = ProgramRequest(
            source_bytes(source),
            name,
            function,
            contract,
            None if tests is None else source_bytes(tests),
            None if against is None else source_bytes(against),
            parse_level(level),
            min_strength,
            trusts_tests=trust_tests,
            siblings=tuple((module, source_bytes(content)) for module, content in siblings.items()),
        )
        return self.ask("program", request, store)


def source_bytes(source: str | bytes) -> bytes:
    """Return a source as the bytes of its file."""
    # A lone surrogate becomes bytes that are not UTF-8, and the reader of programs says so.
    return source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
