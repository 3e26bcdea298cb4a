"""What programs offer in Python: one call from a source to a verdict.

Refuses to make a verdict itself: whoever gives this its service retains the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType, NoneType
from typing import Final

from probatum.core.arguments import TEXT, TEXT_OR_BYTES, Types, bytes_of, require_name, require_types
from probatum.core.choice import chosen
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import UsageError
from probatum.core.ports import Store
from probatum.kinds.program.import_names import importable
from probatum.kinds.program.request import ProgramRequest, parse_level
from probatum.programs.decide import DEFAULT_MIN_STRENGTH, EvidencePolicy, Level

TextOrBytes = str | bytes | bytearray | memoryview
_NO_SIBLINGS: Final[Mapping[str, TextOrBytes]] = MappingProxyType({})
_DUE: Final[Mapping[str, Types]] = {
    "source": TEXT_OR_BYTES,
    **dict.fromkeys(("contract", "tests", "against"), (*TEXT_OR_BYTES, NoneType)),
    "function": (*TEXT, NoneType),
    **dict.fromkeys(("name", "level", "evidence"), TEXT),
    "min_strength": (int, float),
    **dict.fromkeys(("refactor", "allow_unchecked"), (bool,)),
    "siblings": (Mapping,),
}


@dataclass(frozen=True, slots=True)
class VerifyProgram:
    """`probatum.verify_program`: verifies the functions of a Python source."""

    # What answers a request of a kind, with the store where its proof is kept.
    ask: Callable[[str, ProgramRequest, Store | None], DiagnosticResult]

    def __call__(
        self,
        source: TextOrBytes,
        function: str | None = None,
        *,
        name: str = "artifact.py",
        contract: TextOrBytes | None = None,
        tests: TextOrBytes | None = None,
        against: TextOrBytes | None = None,
        level: str = Level.STANDARD.value,
        min_strength: float = DEFAULT_MIN_STRENGTH,
        evidence: str = EvidencePolicy.SHARED.value,
        refactor: bool = False,
        allow_unchecked: bool = False,
        siblings: Mapping[str, TextOrBytes] = _NO_SIBLINGS,
        store: Store | None = None,
    ) -> DiagnosticResult:
        """Verify the functions of a Python source and return the verdict.

        Sources and contract are text or bytes, a bytearray or memoryview too. Raises UsageError for any other type.

        Args:
            source: the program.
            function: a qualified name, to judge this one alone; raises UsageError where the program lacks it.
            name: what to call the file in reports.
            contract: examples and conditions beside the documentation, as `probatum verify --contract` takes them.
            tests: the source of a pytest file that imports the program as ``artifact``.
            against: the source of an earlier version; what it answers otherwise is told as a question.
            level: ``quick``, ``standard`` or ``thorough``; raises UsageError for any other.
            min_strength: the least share of planted faults that the checks must notice, 0 to 1.
            evidence: ``shared``, or ``split`` where nothing counts that ran in the program's own process.
            refactor: whether results must stay the same as ``against`` gives them.
            allow_unchecked: whether statements that nothing checks are tolerated; the verdict counts them.
            siblings: sources of modules that the program imports, by dotted name, a package as ``name.__init__``.
            store: where the proof of a VERIFIED verdict is kept; None means the default store of this user.
        """
        require_types(locals(), _DUE)
        require_name(name)
        modules = {importable(module, "siblings"): content for module, content in siblings.items()}
        require_types(modules, dict.fromkeys(modules, TEXT_OR_BYTES))
        request = ProgramRequest(
            bytes_of(source),
            name,
            function,
            None if contract is None else _text(contract),
            None if tests is None else bytes_of(tests),
            None if against is None else bytes_of(against),
            parse_level(level),
            min_strength,
            evidence=chosen(evidence, EvidencePolicy, "evidence"),
            refactor=refactor,
            allow_unchecked=allow_unchecked,
            siblings=tuple((module, bytes_of(content)) for module, content in modules.items()),
        )
        return self.ask("program", request, store)


def _text(contract: TextOrBytes) -> str:
    try:
        return contract if isinstance(contract, str) else bytes_of(contract).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("contract.not_text", "The contract is not UTF-8 text.") from None
