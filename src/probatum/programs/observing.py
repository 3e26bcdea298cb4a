"""Observes one program: reads its specification, runs what it asks for, function by function, and keeps the records.

The one way in which programs are judged, by a command as by `probatum.programs.deep`. Refuses to decide anything but
that a program cannot be judged at all.
"""

from __future__ import annotations

import ast
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from probatum.core.decision import Decision, Outcome, decide
from probatum.core.errors import BudgetError, UsageError
from probatum.core.events import Event, Listener
from probatum.core.frozen import frozen_dict
from probatum.core.limits import MAX_FUNCTIONS
from probatum.core.messages import counted, listed
from probatum.programs.decide import NO_ISOLATION, ProgramPolicy, decide_program
from probatum.programs.demands import unmet_by
from probatum.programs.judging.differences import VersionsCompared, compare_with_earlier
from probatum.programs.judging.missed_at_import import missed_at_import, named_by, unless_reached
from probatum.programs.judging.reading_choice import chosen
from probatum.programs.judging.readings_in_force import ReadingsInForce, readings_in_force
from probatum.programs.judging.readings_not_asked import not_asked
from probatum.programs.judging.statement_states import with_statements
from probatum.programs.judging.suggestions import Suggested, suggest
from probatum.programs.loading import load_failure, read_source, with_shown_names
from probatum.programs.neighbours import with_owners
from probatum.programs.perspectives.fits import told_of, wrong_uses
from probatum.programs.perspectives.versions import narrowed, removed
from probatum.programs.projects.data_files import MAX_BYTES, MAX_FILES
from probatum.programs.record import CheckState, FunctionRecord
from probatum.programs.result import specification_of
from probatum.programs.running.execute import Benches
from probatum.programs.running.given_tests import GivenRun, run_given_tests
from probatum.programs.running.question import FunctionQuestion, withheld
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS
from probatum.programs.running.worlds import reads_of, short_of_memory
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec, StatementState
from probatum.programs.units import CONTRACT, find_function, units_of, with_read_classes
from probatum.programs.verifier import verify_function
from probatum.readings.acceptances import NotCounted
from probatum.readings.policies import counted_by
from probatum.readings.values import ReadingRecord
from probatum.sandbox import Environment, Program, Tier

_SAME = "the earlier version is the program itself, byte for byte: comparing them shows nothing"
_LEFT_OUT = f"Data files of its packages are given up to {MAX_BYTES:,} bytes and {MAX_FILES} files; left out: "
_MOST_NAMED = 8
_OTHER_SYNTAX = "raises SyntaxError"
_NOT_COMPARED = "the earlier version gave no result that could be compared"


@dataclass(frozen=True, slots=True)
class AskedProgram:
    """One program, and what is asked about it."""

    program: Program
    policy: ProgramPolicy
    function: str | None = None
    """Only this qualified name; None for every public function that the file defines."""
    contract: str | None = None
    tests: bytes | None = None
    against: bytes | None = None
    readings: tuple[ReadingRecord, ...] = ()
    not_counted: tuple[NotCounted, ...] = ()
    """Acceptances of readings that do not count."""
    left_out: tuple[str, ...] = ()
    """Data files of its packages that it is not given."""
    without: frozenset[str] = frozenset()
    """Definitions of the file that are left out, by the names that its own start with."""
    suggest: bool = False
    tree: ast.Module | None = None
    """The syntax of the source, where it was parsed already."""


@dataclass(frozen=True, slots=True)
class ObservedFunction:
    """One function of a program, and everything that was observed of it."""

    function: FunctionSpec
    record: FunctionRecord
    duration_ms: int
    suggested: Suggested | None
    is_alone: bool
    not_counted: tuple[str, ...]
    proposed: int


@dataclass(frozen=True, slots=True)
class NotObserved:
    """A program of which no function could be judged: why, and what is documented of them."""

    decision: Decision
    units: tuple[FunctionSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedProgram:
    """A program that was read and loaded, and what is asked about it."""

    asked: AskedProgram
    policy: ProgramPolicy
    read: Source
    units: tuple[FunctionSpec, ...]
    earlier: Source | None
    benches: Benches


def open_program(
    asked: AskedProgram,
    python: Environment,
    open_benches: Callable[[], Benches],
    listener: Listener,
    only: Collection[str] | None = None,
) -> LoadedProgram | NotObserved:
    """Read and load a program; return why it is not judged where that fails or nothing is specified.

    ``open_benches`` gives the sandboxes, and is called only for a program that can be read. Of several functions that
    are asked about, ``only`` these are observed. Raises UsageError where a name is not there or the earlier version
    cannot be read, BudgetError for too many functions.
    """
    listener(Event("spec_extraction", "Reading the specification"))
    read = read_source(asked.program, asked.tree)
    if isinstance(read, Decision):
        return NotObserved(_in_another_language(read, python))
    units = _units(asked, read, only)
    if len(units) > MAX_FUNCTIONS:
        sentence = f"The file has {len(units):,} functions and classes; at most {MAX_FUNCTIONS:,} are judged at once."
        raise BudgetError("program.too_large", sentence, "Name one of them: PATH::NAME.")
    clauses = sum(len(unit.examples) + len(unit.properties) + len(unit.raises) for unit in units)
    said = f"{counted(clauses, 'clause')} in {counted(len(units), 'function')}"
    listener(Event("spec_extracted", said, {"clauses": clauses}))
    policy = asked.policy
    earlier = None if asked.against is None else earlier_version(asked, asked.against)
    benches = open_benches()
    if benches.first.tier is Tier.UNSAFE_NONE:
        policy = replace(policy, isolation=NO_ISOLATION)
    failure = load_failure(asked.program, benches)
    if failure is not None:
        failure = _in_another_language(failure, python)
        if asked.left_out and failure.constraint_id == "program.needs_resource":
            hint = f"{_LEFT_OUT}{listed(asked.left_out, _MOST_NAMED)}"
            failure = replace(failure, fields=frozen_dict({**failure.fields, "hint": hint}))
        return NotObserved(failure, units)
    shown = with_shown_names(read, benches)
    if isinstance(shown, Decision):
        return NotObserved(shown, units)
    units = units if shown is read else _units(asked, shown, only)
    if not units:
        return NotObserved(decide_program((), policy))
    return LoadedProgram(asked, policy, shown, units, earlier, benches)


def _units(asked: AskedProgram, read: Source, only: Collection[str] | None) -> tuple[FunctionSpec, ...]:
    module = asked.program.module_name
    units = units_of(read.module, asked.function, asked.contract, asked.tests, module)
    read_ones = {
        record.function
        for record in counted_by(asked.policy.readings, asked.readings).records
        for each in record.readings
        if each.kind in SPEAKS_OF_RESULTS and each.clause.strip()
    }
    units = with_read_classes(units, read_ones)
    kept = tuple(unit for unit in units if only is None or unit.qualname in only)
    if not asked.without:
        return kept
    return tuple(unit for unit in kept if _definition_of(unit, read) not in asked.without)


def _definition_of(unit: FunctionSpec, read: Source) -> str:
    """Return the name of the definition that a unit is or lies in; empty where no definition makes it."""
    name = unit.qualname.partition(".")[0]
    nodes = (each for each in read.tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef))
    return name if any(each.name == name for each in nodes) else ""


def observed_functions(
    opened: LoadedProgram, listener: Listener, begin: Callable[[], object]
) -> Iterator[ObservedFunction]:
    """Observe one function after the other, and those whose mutants others reach."""
    judged = {each.qualname: each for each in (*units_of(opened.read.module, None, None), *opened.units)}
    observe = _observer(opened, listener, begin)
    observed = cache(lambda name: observe(judged[name]))
    for unit in opened.units:
        found = observed(unit.qualname)
        record = with_owners(found.record, opened.read, judged, lambda name: observed(name).record)
        yield replace(found, record=record)


def _observer(
    opened: LoadedProgram, listener: Listener, begin: Callable[[], object]
) -> Callable[[FunctionSpec], ObservedFunction]:
    """Return what observes one function of a program."""
    asked, policy, read, units, benches = opened.asked, opened.policy, opened.read, opened.units, opened.benches
    demanded = () if asked.contract is None else unmet_by(asked.contract, units)
    run_tests = _tests_of(asked, read, policy, benches)
    readings = readings_in_force(read, units, asked.readings, policy.readings)
    strays = _strays(asked, readings, _units(asked, read, None))
    missed, not_counted = missed_at_import(read, benches), _not_counted(asked, units)
    wrong, gone = wrong_uses(read, benches.first), _removed(opened)

    def observed(unit: FunctionSpec) -> ObservedFunction:
        begin()
        if len(units) > 1 and unit in units:
            listener(Event("function", unit.qualname, {"done": units.index(unit) + 1, "total": len(units)}))
        started = time.monotonic()
        own = readings.about(unit.qualname)
        names = named_by(unit, read.module, (*own.counting, *own.proposed), asked.tests)
        source = unless_reached(read, names, missed)
        question = FunctionQuestion(source, unit, policy, asked.tests, own.counting, own.proposed)
        compared = VersionsCompared() if opened.earlier is None else _compared(question, opened.earlier, benches)
        record = verify_function(replace(question, further=compared.checks), benches, listener, run_tests)
        old = tuple(each.sentence for each in readings.lapsed if each.is_about(unit.qualname))
        record = replace(
            record,
            unread=(*record.unread, *old),
            not_asked=(*record.not_asked, *own.outside, *strays.get(unit.qualname, ())),
            unmet=_unmet(asked, record, demanded, compared),
            compared=compared.inputs,
            questions=compared.questions,
            wrong_uses=told_of(read, unit.qualname, wrong or ()),
            uses_unknown=wrong is None,
            narrowed=(*compared.narrowed, *gone.get(unit.qualname, ())),
            specification=tuple(specification_of(unit)),
        )
        for each in unit.declared:
            its = readings.about(each.qualname)
            record = replace(record, not_asked=(*record.not_asked, *its.outside))
            record = _with_declared(record, FunctionQuestion(read, each, policy, readings=its.counting), benches)
        duration = int((time.monotonic() - started) * 1000)
        suggested = suggest(question, record, benches) if asked.suggest else None
        count = sum(len(each.readings) for each in own.proposed)
        told = (duration, suggested, len(units) == 1, not_counted.get(unit.qualname, ()), count)
        return ObservedFunction(unit, record, *told)

    return observed


def _with_declared(record: FunctionRecord, question: FunctionQuestion, benches: Benches) -> FunctionRecord:
    """Return a record with the statements of a class without code, and what came of the readings that count for it."""
    # They load what plants faults, which is large.
    from probatum.programs.judging.faults_elsewhere import tried_elsewhere
    from probatum.programs.judging.reading_strength import outcomes_of

    name, question = question.function.qualname, chosen(question, benches).question
    checks, broken = tried_elsewhere(question, benches) if question.counted else ((), Counter[str]())
    met = Counter(each.id for each in checks if each.state is CheckState.HOLDS)
    readings = outcomes_of(question.counted, met, broken)
    own = FunctionRecord(name, question.function.span.line, readings=readings)
    own = with_statements(own, question.function, question.counted)
    rows = (replace(e, id=f"{name}.{e.id}", reason=e.reason and f"{e.reason} ({name})") for e in own.statements)
    return replace(
        record,
        checks=(*record.checks, *checks),
        statements=(*record.statements, *rows),
        readings=(*record.readings, *readings),
    )


def _tests_of(asked: AskedProgram, read: Source, policy: ProgramPolicy, benches: Benches) -> Callable[[], GivenRun]:
    """Return what runs the given tests: one run serves every function of the file."""
    if asked.tests is None:
        return GivenRun
    noted = short_of_memory(read) if reads_of(read).endures else read.program
    given = partial(run_given_tests, noted, asked.tests, read.module.defined, benches)
    return cache(partial(given, withheld=withheld(policy, read)))


def _unmet(
    asked: AskedProgram, record: FunctionRecord, demanded: Sequence[str], compared: VersionsCompared
) -> tuple[str, ...]:
    """Return what was demanded of a function and gives nothing to check."""
    unmet = [] if _is_read(record) else [*demanded]
    unmet += [_SAME] if asked.against == asked.program.source else []
    unmet += [_NOT_COMPARED] if asked.against is not None and not compared.inputs else []
    return tuple(unmet)


def _strays(
    asked: AskedProgram, readings: ReadingsInForce, units: Sequence[FunctionSpec]
) -> Mapping[str, tuple[str, ...]]:
    """Return for the first function of a file sentences about the readings of what is not judged with the file."""
    judged = [each.qualname for unit in units for each in (unit, *unit.declared)]
    if asked.function is not None or not units:
        return {}
    strays = [each for each in readings.counted.records if not any(map(each.is_about, judged))]
    told = [
        not_asked(each.id_of(reading), reading, f"{each.function} is not judged with its file")
        for each in strays
        for reading in each.readings
    ]
    gone = (each.sentence for each in readings.lapsed if not any(map(each.is_about, judged)))
    return {units[0].qualname: (*told, *gone)}


def _not_counted(asked: AskedProgram, units: Sequence[FunctionSpec]) -> Mapping[str, tuple[str, ...]]:
    """Return by function sentences about acceptances that do not count; what is not judged is with the first."""
    found: dict[str, tuple[str, ...]] = {}
    for told in asked.not_counted:
        judged = [unit for unit in units if any(told.is_about(each.qualname) for each in (unit, *unit.declared))]
        for unit in judged[:1] or (units[:1] if asked.function is None else ()):
            found[unit.qualname] = (*found.get(unit.qualname, ()), told.sentence)
    return found


def _is_read(record: FunctionRecord) -> bool:
    """Tell whether readings check all that a contract says: then it needs no clause of its own."""
    said = [each.state for each in record.statements if each.source == CONTRACT]
    return bool(record.readings and said) and StatementState.OPEN not in said


def _in_another_language(decision: Decision, python: Environment) -> Decision:
    """Take the blame from a program that only one of two Pythons refuses: the one that reads it, or that runs it."""
    said = str(decision.fields.get("detail"))
    is_loaded = decision.constraint_id != "program.does_not_parse"
    if (
        decision.outcome is not Outcome.REFUTED
        or python.is_own_version
        or (is_loaded and not said.startswith(_OTHER_SYNTAX))
    ):
        return decision
    here = ".".join(str(number) for number in sys.version_info[:2])
    if is_loaded:
        detail = f"{python.version}, which runs the file, {said}"
        hint = f"Python {here} reads it; name an interpreter of that version or a later one with --python."
    else:
        detail = f"Python {here}, which reads the file, says {said}"
        hint = f"It would be run by {python.version}; run probatum itself under that version."
    return decide(Outcome.NOT_ATTEMPTED, "program.not_python", fields={"detail": detail, "hint": hint})


def earlier_version(asked: AskedProgram, content: bytes) -> Source:
    """Return the earlier version of a program; raises UsageError where it cannot be read or lacks the one name."""
    read = read_source(replace(asked.program, source=content, shown=content))
    if isinstance(read, Decision):
        sentence = f"the earlier version cannot be read: {read.agent_message}"
        raise UsageError("against.unreadable", sentence, str(read.fields.get("detail", "")))
    if asked.function is not None:
        find_function(read.module, asked.function)
    return read


def _compared(question: FunctionQuestion, earlier: Source, benches: Benches) -> VersionsCompared:
    """Compare a function with its earlier version; one that is new has none."""
    found = {spec.qualname: spec for spec in earlier.module.functions}.get(question.function.qualname)
    if found is None:
        return VersionsCompared()
    then = FunctionQuestion(earlier, found, question.policy)
    compared = compare_with_earlier(question, then, benches)
    return replace(compared, narrowed=narrowed(found, question.function))


def _removed(opened: LoadedProgram) -> Mapping[str, tuple[str, ...]]:
    """Return for the first function of a file sentences about what its earlier version defines besides."""
    if opened.earlier is None or opened.asked.function is not None or not opened.units:
        return {}
    return {opened.units[0].qualname: removed(opened.earlier, opened.read)}
