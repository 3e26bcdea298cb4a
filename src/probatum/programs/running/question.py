"""What is asked about one function of a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from probatum.programs.decide import EvidencePolicy, ProgramPolicy
from probatum.programs.running.checks import PlannedCheck
from probatum.programs.running.forging import means_of_forging
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec, ModuleSpec
from probatum.readings.coverage import covered, quotes_of
from probatum.readings.values import Reading, ReadingRecord
from probatum.sandbox import Program


@dataclass(frozen=True, slots=True)
class MadeInput:
    """A helper that an environment wrote: it returns one value."""

    source: str
    doubt: str
    """Why a call with it that breaks a clause is a question; empty where it is none."""


def withheld(policy: ProgramPolicy, source: Source) -> str:
    """Return why what runs in the program's own process does not count, empty where it does."""
    if policy.evidence == EvidencePolicy.SPLIT:
        return "the policy splits the two"
    means = means_of_forging(source.program, source.tree)
    return f"the program could forge it there: {means[0]}" if means else ""


@dataclass(frozen=True, slots=True)
class FunctionQuestion:
    """One function to verify: the program that holds it, what it is specified to do, and under which policy."""

    source: Source
    function: FunctionSpec
    policy: ProgramPolicy
    tests: bytes | None = None
    readings: tuple[ReadingRecord, ...] = ()
    """The records that the policy counts, whole."""
    proposals: tuple[ReadingRecord, ...] = ()
    """Those that it does not count: broken, they withhold VERIFIED, and nothing else."""
    further: tuple[PlannedCheck, ...] = ()
    """Checks beside the documented ones: what an earlier version answers, where that has to stay the same."""
    silent: frozenset[str] = frozenset()
    """Ids of readings among them that do not count: what they say of requirements and exceptions limits the others."""
    environments: Mapping[str, MadeInput] = field(default_factory=dict)
    """What environments wrote for the inputs of the readings, by the names of the helpers."""

    @property
    def counted(self) -> tuple[ReadingRecord, ...]:
        """The readings that count."""
        return tuple(map(self.heard, self.readings))

    def heard(self, record: ReadingRecord) -> ReadingRecord:
        """Return a record without the readings that do not count."""
        kept = tuple(each for each in record.readings if record.id_of(each) not in self.silent)
        return replace(record, readings=kept)

    def about(self, record: ReadingRecord) -> FunctionQuestion:
        """Return the same question about the member of a class that a record names, else this one."""
        named = (each for each in self.module.functions if each.qualname == record.function != self.function.qualname)
        found = next(named, None)
        return self if found is None else replace(self, function=found)

    def line_read(self, record: ReadingRecord, reading: Reading) -> int:
        """Return the line of the words that a reading of a record quotes, of the function where they are nowhere."""
        said, id = self.function.statements, record.id_of(reading)
        touched = covered(said, (quote for _, quote in quotes_of(record, self.function.qualname))).touched
        own = [each for each in said if id in touched.get(each.id, ())]
        whole = [each for each in own if each.text == reading.statement]
        return next((each.span.line for each in (*whole, *own)), self.function.span.line)

    @property
    def program(self) -> Program:
        """The program as a candidate process loads it."""
        return self.source.program

    @property
    def withheld(self) -> str:
        """Why what runs in the program's own process does not count, empty where it does."""
        return withheld(self.policy, self.source)

    @property
    def module(self) -> ModuleSpec:
        """What the whole file specifies."""
        return self.source.module
