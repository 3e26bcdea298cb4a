"""What gets an undecided program decided: the command that its report begins with, and below it one line about that.

Where editing decides, the command repeats the run, and the line names what to edit before. Refuses to decide or to
promise: it follows the constraint that kept VERIFIED away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from probatum.core.messages import counted
from probatum.core.outside import lines_of, shell_command, shortened
from probatum.kinds.program.request import ProgramRequest, repeat_command
from probatum.programs.decide import EvidencePolicy, Level, too_few_faults
from probatum.programs.judging.suggestions import OPEN_VALUE, Suggested
from probatum.programs.record import FunctionRecord
from probatum.programs.result import recommendations

ABOUT_WORDS: Final = frozenset({"program.statement_unchecked", "program.no_specification", "program.reading_broken"})
"""Constraints that words and readings are in the way of."""
READER: Final = "prints what a reader needs to say what the open words mean: a model, an agent or you"
_FLAGGED: Final = "accepts what may say too little, once you have looked at it; --reject ends it"
_PROPOSED: Final = "--accept --all --by NAME accepts them, and verify counts them with --readings-policy proposed"
_AS_WELL: Final = "prints what a reader needs; readings and their inputs kill mutants as examples do"
_INPUTS: Final = "prints what a reader needs: give inputs that reach what nothing reaches"
_ADDED: Final = f"after you have added the examples below, each with the right result for its {OPEN_VALUE}"
_MOST_SHOWN: Final = 80

_AFTER: Final[Mapping[str, str]] = {
    "program.no_specification": "after you have written an example of {name} in its docstring: a call with its result",
    "programs.nothing_executed": "after you have added an example that can be run: a call of {name} with its result",
    "program.flaky": "after you have made {name} give the same result for the same input",
    "program.flaky_clock": "after you have made {name} take the time as an argument",
    "program.flaky_randomness": "after you have made {name} take its generator or its seed as an argument",
    "program.flaky_environment": "after you have made {name} take as arguments what it reads from its environment",
    "program.flaky_addresses": "after you have made {name} work without id() and the hashes of objects",
    "program.flaky_hash_seed": "after you have made {name} sort what comes out of a set before it counts",
    "program.flaky_earlier_calls": "after you have made {name} keep nothing between calls, such as a counter",
    "program.doubtful_document": "after you have mended the documentation: ",
    "program.clause_undecided": "after you have changed what could not be decided: ",
    "program.out_of_budget": "after you have made what did not end smaller: ",
    "program.lost": "after you have mended or removed what ends the process: ",
    "program.own_word": "after you have written the example with plain values: ",
    "program.tests_not_carried": "after you have made the tests pass plain values to {name}: ",
    "program.not_forge_resistant": "after you have added an example of plain values, which runs apart from {name}",
    "program.difference_open": "after you have undone the change; if it is meant, verify without --refactor: ",
    "program.unexpected_exception": "after you have documented the exception, or mended {name}: ",
    "program.wrong_use": "after you have mended {name}: ",
    "program.special_cased": "after you have added an example with other values, or mended {name}: ",
    "program.inputs_not_generated": "after you have given the parameters of {name} types of which values can be made",
    "program.strength_not_measured": "after you have mended what keeps their strength from being measured: ",
    "program.weak_checks": "after you have added an example: ",
}
_BEFORE: Final[Mapping[str, str]] = {
    "program.no_specification": "after you have written a function with an example of a call and its result",
    "program.out_of_budget": "after you have made the import end: guard what runs with if __name__ == '__main__'",
    "program.lost": "after you have mended what ends the process when the file is imported",
    "program.exits": "after you have removed what ends the process when the file is imported",
    "program.flaky": "after you have made the file import, or fail to import, every time",
}


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to do next."""

    command: str
    told: str


@dataclass(frozen=True, slots=True)
class AskedFunction:
    """One function of a request, and what is known beside its record."""

    request: ProgramRequest
    name: str | None
    """What commands call it; None where it is judged with its file alone."""
    proposed: int = 0
    """How many readings of it do not count because nobody accepted them."""
    suggested: Suggested | None = None

    def repeat(self, level: Level | None = None, *further: str) -> str:
        """Return the command that repeats the run, at another level or with more words."""
        return repeat_command(self.request, self.name, level, further)

    def read(self, *words: str) -> str:
        """Return the command about its readings."""
        return read_command(self.request, self.name, *words)


def read_command(request: ProgramRequest, name: str | None, *words: str) -> str:
    """Return a command about the readings of a function, or of the whole file without a name."""
    given = list(request.repeated_with)
    kept = [given.index(option) for option in ("--contract", "--readings", "--python") if option in given]
    same = [word for at in kept for word in given[at : at + 2]]
    target = f"{request.name}::{name or request.function}" if name or request.function else request.name
    return shell_command(["probatum", "read", target, *words, *same])


def next_step(record: FunctionRecord, constraint: str, reasons: Sequence[str], asked: AskedFunction) -> NextStep:
    """Return what to do about an undecided function: read words, find examples, measure, or edit and repeat."""
    reason = reasons[0] if reasons else ""
    if constraint == "program.reading_flagged":
        ids = ",".join(each.id for each in record.flagged)
        return NextStep(asked.read("--accept", ids, "--by", "NAME"), _FLAGGED)
    if constraint in ABOUT_WORDS and asked.proposed:
        return NextStep(asked.read(), f"shows {counted(asked.proposed, 'proposed reading')}; {_PROPOSED}")
    if constraint == "program.reading_broken":
        return NextStep(
            asked.read(), f"shows the reading that {record.qualname} breaks: mend one of them (--reject ID --by NAME)"
        )
    if constraint in ABOUT_WORDS and record.open_statements:
        return NextStep(asked.read("--ask"), READER)
    if constraint == "program.inputs_not_generated" and record.readings:
        return NextStep(asked.read("--ask"), _INPUTS)
    if constraint == "program.strength_not_measured" and asked.request.level is Level.QUICK:
        return NextStep(asked.repeat(Level.STANDARD), "measures how strong the checks are")
    if constraint in {"program.tests_not_carried", "program.not_forge_resistant"} and (
        asked.request.evidence is EvidencePolicy.SPLIT
    ):
        words = tuple("shared" if each == "split" else each for each in asked.request.repeated_with)
        shared = replace(asked, request=replace(asked.request, repeated_with=words))
        return NextStep(shared.repeat(), "lets checks count that have to run in the program's own process")
    if constraint in {"program.contract_gives_nothing", "program.name_not_judged"}:
        return NextStep(asked.repeat(), recommendations(record)[0])
    if constraint == "program.weak_checks" and (step := _stronger(record, asked)):
        return step
    return NextStep(asked.repeat(), after(constraint, record.qualname, reason))


def _stronger(record: FunctionRecord, asked: AskedFunction) -> NextStep | None:
    """Return what makes checks stronger: examples that are known to kill mutants, readings, or more inputs."""
    if asked.suggested is not None and asked.suggested.examples:
        return NextStep(asked.repeat(), _ADDED)
    first = next((each for each in record.survivors if each.told_apart_by), None)
    if asked.suggested is None and first is not None:
        call = _in_one_line(first.told_apart_by)
        return NextStep(
            asked.repeat(None, "--suggest"), f"prints examples to add, such as {call}; you write their results"
        )
    few = too_few_faults(record)
    if few and record.planted == len(record.mutants):
        return NextStep(
            asked.repeat(), f"says the same until there is more to mutate: verify what calls {record.qualname}"
        )
    if record.open_statements:
        return NextStep(asked.read("--ask"), _AS_WELL)
    if (few or record.is_mostly_unmeasured) and asked.request.level is not Level.THOROUGH:
        return NextStep(asked.repeat(Level.THOROUGH), "tries more inputs and mutants: these are too few")
    return None


def after(constraint: str, name: str, reason: str) -> str:
    """Return what to edit before a run is repeated."""
    told = _AFTER.get(constraint, "after you have changed what it names: ").format(name=name)
    return told + _in_one_line(reason) if told.endswith(" ") else told


def before_loading(constraint: str) -> str:
    """Return what to edit in a file of which nothing could be run; empty where its reason says it."""
    return _BEFORE.get(constraint, "")


def _in_one_line(text: str) -> str:
    return shortened("; ".join(each.strip() for each in lines_of(text)), _MOST_SHOWN)
