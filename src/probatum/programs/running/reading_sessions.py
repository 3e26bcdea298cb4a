"""Readings that are sessions, run as given tests are: apart from the program, and beside it.

A session that shares objects with the program (a callback, an object that is changed) needs one process with it. What
passes there alone counts where the program uses no means by which it could forge it; what fails there refutes. An
exception of the program inside a session breaks it. Refuses a session that does not parse.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import indent

from probatum.programs.parsing.expressions import free_names, names_in
from probatum.programs.record import PLAIN_READINGS, SPLIT_READINGS, CheckKind, CheckRecord, CheckState
from probatum.programs.running.agreement import PASSED, state_of_session
from probatum.programs.running.checks import Statements
from probatum.programs.running.clause_sessions import failing_call
from probatum.programs.running.execute import Benches
from probatum.programs.running.given_tests import GivenRun, SharedRuns, run_given_tests
from probatum.programs.running.inside import asked_inside
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.tested_sessions import sessions_of_tests
from probatum.programs.source import module_or_none
from probatum.readings.values import Reading, ReadingRecord
from probatum.readings.vocabulary import COMPUTING, SCRATCH
from probatum.sandbox import Program
from probatum.sandbox.inside.asserted import MAY_BE_DUE, NOT_MET

# What the sandbox runs without pytest.
PLAIN_FUNCTIONS = "# plain functions"
_TEST = "test_"
BY_READINGS = (SPLIT_READINGS, PLAIN_READINGS)
Sessions = Mapping[str, tuple[Reading, str]]
"""Readings and the bodies of their tests, by the names of these."""
_MAKE_SCRATCH = f"import pathlib, tempfile\n{SCRATCH} = pathlib.Path(tempfile.mkdtemp())\n"
_NOTHING_RUNS = "nothing of the program runs in its session"


@dataclass(frozen=True, slots=True)
class SessionRun:
    """What came of the sessions of one record, and what runs them on faulty copies."""

    records: tuple[CheckRecord, ...] = ()
    shared: SharedRuns | None = None
    """None where none of them holds apart from the program."""
    not_asked: tuple[tuple[str, str], ...] = ()
    """By the id of a reading, why its session says nothing."""


def run_sessions(question: FunctionQuestion, record: ReadingRecord, benches: Benches) -> Iterator[SessionRun]:
    """Run every session of a record under both hash seeds; two processes have no folder in common."""
    known = _sessions(record)
    filing = {name: told for name, told in known.items() if _names_scratch(told[1])}
    others = {name: told for name, told in known.items() if name not in filing}
    yield _session_run(question, record, others, benches)
    yield _session_run(question, record, filing, benches, carries=False)


def run_clauses(
    question: FunctionQuestion, record: ReadingRecord, clauses: Mapping[Reading, str], benches: Benches
) -> SessionRun:
    """Run clauses in the program's own process, as `clause_sessions` writes them.

    Where what runs there does not count, one that fails still does: there a program can only forge a pass.
    """
    sessions = {f"{_TEST}{record.id_of(each)}": (each, body) for each, body in clauses.items()}
    told = _session_run(question, record, sessions, benches, carries=False)
    # One that says nothing here either is no question of its own.
    telling = (each for each in told.records if each.state is not CheckState.UNDECIDED)
    return replace(told, records=tuple(_told(question, each) for each in telling))


def _told(question: FunctionQuestion, record: CheckRecord) -> CheckRecord:
    """Return a record with what environments wrote for its call, as a question where that call is nobody's promise."""
    call = module_or_none(record.reproduction)
    named = names_in(call) if call is not None else set[str]()
    made = [told for name, told in question.environments.items() if name in named]
    doubt = next((each.doubt for each in made if each.doubt), "")
    if made and not doubt and record.note.startswith("raises: "):
        doubt = "nobody wrote these values"
    if record.state is CheckState.FAILS and (doubt or MAY_BE_DUE in record.note):
        note = f"either the program or this reading is wrong: {record.reproduction} {record.note}"
        note += f"; {doubt}" if doubt else ""
        record = replace(record, state=CheckState.UNDECIDED, note=note)
    lines = [*(each.source.rstrip() for each in made), record.reproduction]
    asked = record.inputs["source"] if isinstance(record.inputs, dict) else ""
    # What was tried is in the proof, whoever wrote it.
    used = [told.source for name, told in question.environments.items() if f"{name}()" in str(asked)]
    given = replace(record, inputs={"form": "session", "source": "".join([*used, str(asked)])}) if used else record
    return replace(given, reproduction="\n".join(lines))


def _session_run(
    question: FunctionQuestion, record: ReadingRecord, sessions: Sessions, benches: Benches, *, carries: bool = True
) -> SessionRun:
    source, ended = _run(question, record, sessions, benches, carries=carries)
    telling = [each for each in ended if not _says_nothing(each)]
    held = [each for each in telling if each.state is CheckState.HOLDS]
    shared = SharedRuns(benches.first, source, question.module.defined, held, BY_READINGS) if held else None
    why = {each.text: each.note for each in ended}
    idle = ((session_id(name), why.get(name) or _NOTHING_RUNS) for name in sessions)
    lines = {name: question.line_read(record, reading) for name, (reading, _) in sessions.items()}
    told = (_record(each, *sessions[each.text], lines[each.text]) for each in telling)
    return SessionRun(tuple(told), shared, tuple(idle))


def sessions_on(
    question: FunctionQuestion, record: ReadingRecord, copies: Sequence[Program], benches: Benches
) -> list[dict[str, bool]]:
    """Return for the program, and then for each copy, which sessions of a record hold, by the ids of the readings."""
    source, ended = _run(question, record, _sessions(record), benches)
    telling = [each for each in ended if each.state in {CheckState.HOLDS, CheckState.FAILS}]
    # What only a process shared with the program shows cannot be compared on copies.
    compared = [each for each in telling if not each.forge_resistant or len(set(_ways(each))) == 1]
    known = {each.text: each.state is CheckState.HOLDS for each in compared}
    shared = SharedRuns(benches.first, source, question.module.defined, compared, BY_READINGS)
    broken = shared.broken(question.program, copies) if compared else [frozenset[str]() for _ in copies]
    rows = [known, *({name: name not in each for name in known} for each in broken)]
    return [{session_id(name): holds for name, holds in row.items()} for row in rows]


def _sessions(record: ReadingRecord) -> Sessions:
    return {f"{_TEST}{record.id_of(each)}": (each, each.clause) for each in record.readings if _is_session(each)}


def session_steps(question: FunctionQuestion) -> tuple[Statements, ...]:
    """Return what the sessions of the readings that count do to the program, without what they expect."""
    known, name = question.module.defined, question.program.module_name
    texts = (_source(each, _sessions(each), known) for each in question.counted)
    return tuple(
        each for text in texts for each in sessions_of_tests(text.encode("utf-8", "surrogatepass"), known, name)
    )


def _run(
    question: FunctionQuestion, record: ReadingRecord, sessions: Sessions, benches: Benches, *, carries: bool = True
) -> tuple[bytes, list[CheckRecord]]:
    """Return the sessions as a file of tests, and what came of each."""
    names, why = question.module.defined, question.withheld
    source = _source(record, sessions, names).encode("utf-8", "surrogatepass")
    run = GivenRun()
    if sessions:
        run = run_given_tests(question.program, source, names, benches, withheld=why, carries=carries)
    return source, [_judged(each) for each in run.records if each.text in sessions]


def _judged(record: CheckRecord) -> CheckRecord:
    if record.state is CheckState.FLAKY:
        return record
    return replace(record, state=state_of_session(*_ways(record), forge_resistant=record.forge_resistant))


def _says_nothing(record: CheckRecord) -> bool:
    """Tell whether a session is open that passes beside the program: its statement has to be checked otherwise.

    So has that of a clause which no call of its reader meets.
    """
    return record.state is CheckState.UNDECIDED and (_ways(record)[1] == PASSED or NOT_MET in record.note)


def session_id(test: str) -> str:
    """Return the id of the reading that a test of a session is."""
    return test.removeprefix(_TEST)


def _is_session(reading: Reading) -> bool:
    return reading.check == "session" and module_or_none(reading.clause) is not None


def _source(record: ReadingRecord, sessions: Sessions, defined: Collection[str]) -> str:
    tests = [f"def {name}():\n{indent(_body(body), '    ')}\n" for name, (_, body) in sessions.items()]
    asked = asked_inside("asserted") if any(reading.check != "session" for reading, _ in sessions.values()) else ""
    own = record.function.partition(".")[0]
    meant = f"from builtins import {', '.join(sorted(COMPUTING - {own}))}"
    # Helpers that are no Python come with words alone: nothing of them is asked.
    tree = module_or_none("\n".join([record.helpers, *tests]))
    used = names_in(tree, ast.Load) if tree is not None else set[str]()
    # What `__all__` leaves out is not among "*".
    named = [
        f"try: from artifact import {each}\nexcept ImportError: pass" for each in sorted(used.intersection(defined))
    ]
    return "\n".join([PLAIN_FUNCTIONS, "from artifact import *", *named, meant, record.helpers, asked, *tests])


def _body(source: str) -> str:
    """Return statements as they stand in a function, with the folder that they name; texts keep their lines."""
    return f"{_MAKE_SCRATCH if _names_scratch(source) else ''}{ast.unparse(ast.parse(source))}"


def _names_scratch(source: str) -> bool:
    return SCRATCH in free_names(ast.parse(source))


def _ways(record: CheckRecord) -> tuple[str, str]:
    observed = record.observed if isinstance(record.observed, dict) else {}
    return str(observed.get("split")), str(observed.get("plain"))


def _record(record: CheckRecord, reading: Reading, body: str, line: int) -> CheckRecord:
    call, note = (reading.clause, record.note) if reading.check == "session" else failing_call(record.note)
    return replace(
        record,
        id=session_id(record.text),
        kind=CheckKind.READING,
        line=line,
        text=reading.statement,
        inputs={"form": "session", "source": body},
        note=note,
        reproduction=call,
    )
