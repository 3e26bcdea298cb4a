"""What is asked about one function of a program."""

from __future__ import annotations

from dataclasses import dataclass

from probatum.programs.decide import ProgramPolicy
from probatum.programs.readings.values import ReadingRecord
from probatum.programs.running.checks import PlannedCheck
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec, ModuleSpec
from probatum.sandbox import Program


@dataclass(frozen=True, slots=True)
class FunctionQuestion:
    """One function to verify: the program that holds it, what it is specified to do, and under which policy."""

    source: Source
    function: FunctionSpec
    policy: ProgramPolicy
    tests: bytes | None = None
    readings: tuple[ReadingRecord, ...] = ()
    """Those that the policy counts."""
    proposals: tuple[ReadingRecord, ...] = ()
    """Those that it does not count: broken, they withhold VERIFIED, and nothing else."""
    further: tuple[PlannedCheck, ...] = ()
    """Checks beside the documented ones: what an earlier version answers, where that has to stay the same."""

    @property
    def program(self) -> Program:
        """The program as a candidate process loads it."""
        return self.source.program

    @property
    def module(self) -> ModuleSpec:
        """What the whole file specifies."""
        return self.source.module
