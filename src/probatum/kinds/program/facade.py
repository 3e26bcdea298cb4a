"""What programs offer in Python: one call from a source to a verdict.

Refuses to make a verdict itself: whoever gives this its service retains the proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Any, Final, Generic, Protocol, TypeVar

from probatum.core.arguments import CALLABLE, TEXT, TEXT_OR_BYTES, Types, bytes_of, require_name, require_types
from probatum.core.choice import chosen
from probatum.core.command import Given
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import UsageError
from probatum.core.events import Listener
from probatum.core.ports import Store, VerdictStream
from probatum.kinds.program.request import ProgramRequest, parse_level
from probatum.programs.decide import DEFAULT_MIN_STRENGTH, EvidencePolicy, Level
from probatum.programs.projects.import_names import importable
from probatum.readings.acceptances import GivenReadings
from probatum.readings.policies import ACCEPTED, require_policy

TextOrBytes = str | bytes | bytearray | memoryview
Record = Mapping[str, object]
Readings = TextOrBytes | Record | Sequence[Record]
Answered_co = TypeVar("Answered_co", covariant=True)
_NO_SIBLINGS: Final[Mapping[str, TextOrBytes]] = MappingProxyType({})
_DUE: Final[Mapping[str, Types]] = {
    "source": TEXT_OR_BYTES,
    **dict.fromkeys(("contract", "tests", "against"), (*TEXT_OR_BYTES, NoneType)),
    "function": (*TEXT, NoneType),
    "readings": (*TEXT_OR_BYTES, Mapping, list, tuple, NoneType),
    "python": (*TEXT, Path, NoneType),
    "listener": (CALLABLE, NoneType),
    **dict.fromkeys(("name", "level", "evidence", "readings_policy"), TEXT),
    "min_strength": (int, float),
    **dict.fromkeys(("refactor", "allow_unchecked"), (bool,)),
    "siblings": (Mapping,),
}


class AskProgram(Protocol[Answered_co]):
    """Answers a request of a kind, with the store of its proof, options of the workbench, and who hears of events."""

    def __call__(
        self, kind: str, request: ProgramRequest, store: Store | None, given: Given, listener: Listener | None, /
    ) -> Answered_co: ...


@dataclass(frozen=True, slots=True)
class ProgramDoor(Generic[Answered_co]):
    """One way to ask about a program; called, it takes what `probatum verify` takes."""

    ask: AskProgram[Answered_co]

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
        readings: Readings | None = None,
        readings_policy: str = ACCEPTED,
        python: str | Path | None = None,
        store: Store | None = None,
        listener: Listener | None = None,
    ) -> Answered_co:
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
            readings: what readers wrote about the documentation: the content of a readings file, or one record or a
                list of them as JSON has them; raises UsageError for anything else.
            readings_policy: which of them count, ``accepted``, ``consensus:N``, ``proposed`` or ``none``; raises
                UsageError for any other.
            python: the interpreter to run the program with, or the folder of a virtual environment; raises UsageError
                where it is none. None means the running one.
            store: where the proof of a VERIFIED verdict is kept; None means the default store of this user.
            listener: called with each event as it happens. What it raises ends the run, and is raised when nothing of
                it is left running; there is no verdict then.
        """
        asked = locals()
        require_types(asked, _DUE)
        given = Given(options={} if python is None else {"python": str(python)})
        return self.ask("program", _request_of(asked), store, given, listener)


@dataclass(frozen=True, slots=True)
class VerifyProgram(ProgramDoor[DiagnosticResult]):
    """`probatum.verify_program`: verifies the functions of a Python source."""

    begin: AskProgram[VerdictStream]

    @property
    def stream(self) -> ProgramDoor[VerdictStream]:
        """The same call, which returns a `VerdictStream` and does not wait.

        ``await verify_program.stream(source)`` gives the verdict, ``async for event in verify_program.stream(source)``
        the events: it is named after what it returns, and found where its arguments are. It takes no ``listener``.
        """
        return ProgramDoor(self.begin)


def _request_of(asked: Mapping[str, Any]) -> ProgramRequest:
    """Return the request of arguments by name, whose types were checked."""
    require_name(asked["name"])
    modules = {importable(module, "siblings"): content for module, content in asked["siblings"].items()}
    require_types(modules, dict.fromkeys(modules, TEXT_OR_BYTES))
    contract = asked["contract"]
    tests, against = (None if asked[each] is None else bytes_of(asked[each]) for each in ("tests", "against"))
    given = _given(asked["readings"])
    return ProgramRequest(
        bytes_of(asked["source"]),
        asked["name"],
        asked["function"],
        None if contract is None else _text(contract),
        tests,
        against,
        parse_level(asked["level"]),
        asked["min_strength"],
        chosen(asked["evidence"], EvidencePolicy, "evidence"),
        asked["refactor"],
        given.records,
        require_policy(asked["readings_policy"]),
        given.acceptance,
        given.not_counted,
        asked["allow_unchecked"],
        tuple((module, bytes_of(content)) for module, content in modules.items()),
    )


def _text(contract: TextOrBytes) -> str:
    try:
        return contract if isinstance(contract, str) else bytes_of(contract).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("contract.not_text", "The contract is not UTF-8 text.") from None


def _given(readings: Readings | None) -> GivenReadings:
    if readings is None:
        return GivenReadings()
    # Deferred: reading them needs much that a program without readings does not.
    from probatum.kinds.program.acceptance import BY_AUTHOR
    from probatum.readings.notebook import read_notebook
    from probatum.readings.recorded import reading_records

    try:
        if isinstance(readings, str | bytes | bytearray | memoryview):
            records = read_notebook(bytes_of(readings))
        else:
            rows = [readings] if isinstance(readings, Mapping) else readings
            records = reading_records([dict(row) if isinstance(row, Mapping) else row for row in rows])
    except ValueError as error:
        sentence = f"'readings' cannot be read: {error}."
        raise UsageError("readings.not_read", sentence, "See their form with: probatum read FILE --ask") from error
    return BY_AUTHOR.of(records, None)
