"""Readings that are sessions, run as given tests are: apart from the program, and beside it.

A session that shares objects with the program (a callback, an object that is changed) needs one process with it. What
passes there alone proves nothing, since the program could forge it; what fails there refutes. An exception of the
program inside a session breaks it. Refuses a session that does not parse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import indent

from probatum.programs.readings.values import Reading, ReadingKind, ReadingRecord
from probatum.programs.record import CheckKind, CheckRecord, CheckState
from probatum.programs.running.agreement import state_of_session
from probatum.programs.running.execute import Benches
from probatum.programs.running.given_tests import SharedRuns, run_given_tests
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import module_or_none

# What the sandbox runs without pytest.
PLAIN_FUNCTIONS = "# plain functions"
_TEST = "test_"


@dataclass(frozen=True, slots=True)
class SessionRun:
    """What came of the sessions of one record, and what runs them on faulty copies."""

    records: tuple[CheckRecord, ...] = ()
    shared: SharedRuns | None = None
    """None where none of them holds apart from the program."""


def run_sessions(question: FunctionQuestion, record: ReadingRecord, benches: Benches) -> SessionRun:
    """Run every session of a record under both hash seeds."""
    sessions = {f"{_TEST}{record.id_of(each)}": each for each in record.readings if _is_session(each)}
    if not sessions:
        return SessionRun()
    source = _source(record, sessions).encode("utf-8", "surrogatepass")
    names = question.module.defined
    known = [
        each
        for each in run_given_tests(question.program, source, names, benches).records
        if each.text in sessions and each.state is not CheckState.FLAKY
    ]
    judged = [replace(each, state=state_of_session(*_ways(each))) for each in known]
    held = [each for each in judged if each.state is CheckState.HOLDS]
    shared = SharedRuns(benches.first, source, names, held) if held else None
    line = question.function.span.line
    # One that is left open says nothing: its statement has to be checked otherwise.
    telling = [each for each in judged if each.state is not CheckState.UNDECIDED]
    return SessionRun(tuple(_record(each, sessions[each.text], line) for each in telling), shared)


def session_id(test: str) -> str:
    """Return the id of the reading that a test of a session is."""
    return test.removeprefix(_TEST)


def _is_session(reading: Reading) -> bool:
    return reading.kind is ReadingKind.SESSION and module_or_none(reading.clause) is not None


def _source(record: ReadingRecord, sessions: dict[str, Reading]) -> str:
    tests = (f"def {name}():\n{indent(reading.clause, '    ')}\n" for name, reading in sessions.items())
    return "\n".join([PLAIN_FUNCTIONS, "from artifact import *", record.helpers, *tests])


def _ways(record: CheckRecord) -> Sequence[str]:
    observed = record.observed if isinstance(record.observed, dict) else {}
    return str(observed.get("split")), str(observed.get("plain"))


def _record(record: CheckRecord, reading: Reading, line: int) -> CheckRecord:
    return replace(
        record,
        id=session_id(record.text),
        kind=CheckKind.READING,
        line=line,
        text=reading.statement,
        inputs={"form": "session", "source": reading.clause},
        reproduction=reading.clause,
    )
