"""Verifying a program: read what it is documented to do, run it isolated, plant faults, decide.

Other packages come in through this door; its names load what they need when they are first used. Nothing of the program
under test is imported or evaluated in this process.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from probatum.programs.decide import (
        DEFAULT_MIN_STRENGTH,
        GENERATED_INPUTS,
        NO_ISOLATION,
        PLANTED_FAULTS,
        Level,
        ProgramPolicy,
        decide_function,
        decide_program,
    )
    from probatum.programs.demands import unmet_by
    from probatum.programs.extract import find_function
    from probatum.programs.judging.suggestions import OPEN_VALUE, Suggested, suggest
    from probatum.programs.loading import load_failure, read_source
    from probatum.programs.reading.value_texts import value_text
    from probatum.programs.record import CheckKind, CheckRecord, CheckState, FunctionRecord, MutantState, is_not_carried
    from probatum.programs.rejudge import decide_again, records_of
    from probatum.programs.running.checks import value_of_input
    from probatum.programs.running.execute import Benches
    from probatum.programs.running.given_tests import GivenRun, run_given_tests
    from probatum.programs.running.question import FunctionQuestion
    from probatum.programs.source import UNPARSABLE, Source, parsed
    from probatum.programs.specification import (
        Example,
        FunctionSpec,
        Precondition,
        PrintsText,
        Property,
        RaisesClaim,
        RaisesError,
        ValueIs,
    )
    from probatum.programs.triangulate import Perspective, confidence, document_score
    from probatum.programs.units import units_of
    from probatum.programs.verifier import verify_function

__all__ = [
    "DEFAULT_MIN_STRENGTH", "GENERATED_INPUTS", "NO_ISOLATION", "OPEN_VALUE", "PLANTED_FAULTS",
    "UNPARSABLE", "Benches", "CheckKind", "CheckRecord", "CheckState", "Example", "FunctionQuestion", "FunctionRecord",
    "FunctionSpec", "GivenRun", "Level", "MutantState", "Perspective", "Precondition", "PrintsText", "ProgramPolicy",
    "Property", "RaisesClaim", "RaisesError", "Source", "Suggested", "ValueIs", "confidence", "decide_again",
    "decide_function", "decide_program", "document_score", "find_function", "is_not_carried", "load_failure", "parsed",
    "read_source", "records_of", "run_given_tests", "suggest", "units_of", "unmet_by", "value_of_input", "value_text",
    "verify_function",
]  # fmt: skip
# By module: the names that it defines.
_HOMES = {
    "decide": "DEFAULT_MIN_STRENGTH GENERATED_INPUTS NO_ISOLATION PLANTED_FAULTS Level ProgramPolicy"
    " decide_function decide_program",
    "demands": "unmet_by",
    "extract": "find_function",
    "judging.suggestions": "OPEN_VALUE Suggested suggest",
    "loading": "load_failure read_source",
    "reading.value_texts": "value_text",
    "record": "CheckKind CheckRecord CheckState FunctionRecord MutantState is_not_carried",
    "rejudge": "decide_again records_of",
    "running.checks": "value_of_input",
    "running.execute": "Benches",
    "running.given_tests": "GivenRun run_given_tests",
    "running.question": "FunctionQuestion",
    "source": "UNPARSABLE Source parsed",
    "specification": "Example FunctionSpec Precondition PrintsText Property RaisesClaim RaisesError ValueIs",
    "triangulate": "Perspective confidence document_score",
    "units": "units_of",
    "verifier": "verify_function",
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names.split():
            value = getattr(import_module(f"probatum.programs.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'probatum.programs' has no attribute {name!r}")
