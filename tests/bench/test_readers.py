"""Readers on labelled programs: what the trial refuses, what is found and what it costs; bad readers of good ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from benchmarks.bad_reader import BAD, DAMAGES, bad_records, flipped, of_another, off_by_one, passed
from probatum.app.bench_port import BenchReport, BenchRequest
from probatum.bench.measure import Measured, ReadCounts
from probatum.bench.readers import readers_report
from probatum.bench.runner import run_bench
from probatum.bench.sets import read_set, set_named
from probatum.core.decision import Outcome
from probatum.core.errors import UsageError
from probatum.core.events import ignore

WORDS = "Return the number that follows n, and 9 at most."
PROMPT = f'def following(n: int) -> int:\n    """{WORDS}\n\n    >>> following(4)\n    5\n    """\n'
OTHER = PROMPT.replace("following", "next_one").replace("4", "5").replace("5\n", "6\n")
ROWS = [
    {"task_id": f"Own/{number}", "entry_point": name, "prompt": prompt, "correct": right, "buggy": wrong}
    for number, (name, prompt, right, wrong) in enumerate(
        [
            ("following", PROMPT, "    return min(n + 1, 9)\n", "    return n + 1\n"),
            ("next_one", OTHER, "    return min(n + 1, 9)\n", "    return min(n + 1, 8)\n"),
        ]
    )
]
INPUTS = ["(0,)", "(4,)", "(7,)", "(8,)", "(9,)", "(30,)", "(-3,)"]
GOOD, CONTRADICTS = "result == min(n + 1, 9)", "result == n - 1"


def record(number: int, clause: str, **further: str) -> dict[str, object]:
    statement = {"text": WORDS, "kind": "result", "clause": clause}
    function = str(ROWS[number]["entry_point"])
    reference = f"def expected(n):\n    return {GOOD.removeprefix('result == ')}\n"
    own: dict[str, object] = {"id": f"Own/{number}", "function": function, "statements": [statement]}
    return {**own, "helpers": "", "reference": reference, "inputs": INPUTS, **further}


def lines(path: Path, rows: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> BenchReport:
    """One reader who is right about the first task, and contradicts the example of the second."""
    folder = tmp_path_factory.mktemp("readers")
    data = lines(folder / "pairs.jsonl", ROWS)
    readings = lines(folder / "readings.jsonl", [record(0, GOOD), record(1, CONTRADICTS)])
    return run_bench(request_of(data, readings), ignore)


def request_of(data: Path, *readings: Path) -> BenchRequest:
    store = data.parent / "store.sqlite"
    return BenchRequest("readers", data, store, readings=readings, programs="humanevalfix")


def test_what_the_trial_refuses_is_counted_with_its_reason(told: BenchReport) -> None:
    assert told.document["programs_with_readings"] == 4
    assert told.document["trial"] == {
        "refused_on_right": {"count": 1, "of": 2, "share": 0.5},
        "refused_on_wrong": {"count": 1, "of": 2, "share": 0.5},
    }
    assert told.document["reasons"] == {"contradicts_example": 2}
    assert ("  because of contradicts_example", "2") in told.tables[0].rows


def test_both_runs_stand_side_by_side(told: BenchReport) -> None:
    without, with_readings = told.document["without"], told.document["with"]
    assert isinstance(without, dict)
    assert isinstance(with_readings, dict)
    counts = {key: (without[key]["count"], with_readings[key]["count"]) for key in with_readings}  # type: ignore[call-overload,index]  # shares
    assert counts == {
        "open_statements": (2, 1),
        "bugs_found": (0, 1),
        "right_refuted": (0, 0),
        "right_verified": (0, 1),
        "wrong_verified": (0, 0),
        "not_attempted": (0, 0),
    }
    assert told.document["lists"] == {
        "right_programs_refuted_by_readings": [],
        "right_programs_no_longer_verified": [],
        "wrong_programs_verified_by_readings": [],
        "bugs_found_by_readings": ["Own/0 (buggy)"],
        "bugs_no_longer_found": [],
    }
    assert told.title == "readers on humanevalfix, 4 programs, level standard, readings proposed"


REFUTED, LOST = "right_programs_refuted_by_readings", "right_programs_no_longer_verified"
CHANGES: dict[str, tuple[str, str, int, set[str]]] = {
    "a right program refuted": ("undecided", "refuted", 0, {REFUTED}),
    "a VERIFIED program refuted": ("tested", "refuted", 0, {REFUTED, LOST}),
    "a right program only undecided": ("proved", "undecided", 0, {LOST}),
    "a wrong program VERIFIED": ("undecided", "tested", 1, {"wrong_programs_verified_by_readings"}),
    "a bug found": ("tested", "refuted", 1, {"bugs_found_by_readings"}),
    "a bug lost": ("refuted", "undecided", 1, {"bugs_no_longer_found"}),
    "no verdict is no change": ("tested", "not_attempted", 0, set()),
    "no verdict before is none either": ("not_attempted", "refuted", 1, set()),
    "the same": ("refuted", "refuted", 1, set()),
}


@pytest.mark.parametrize(("before", "after", "place", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_readings_change_is_listed(
    before: str, after: str, place: int, expected: set[str], tmp_path: Path
) -> None:
    chosen = set_named("humanevalfix")
    pair = read_set(chosen, lines(tmp_path / "pairs.jsonl", ROWS[:1]), without_examples=False, limit=None)

    def run(outcome: str) -> list[Measured]:
        rows = [Measured(each, Outcome.UNDECIDED, None) for each in pair]
        rows[place] = Measured(pair[place], Outcome(outcome), None, read=ReadCounts(2, 1, 3, ("says_nothing",)))
        return rows

    lists = readers_report(chosen, run(before), run(after), "").document["lists"]
    assert isinstance(lists, dict)
    assert {name for name, some in lists.items() if some} == expected


UNUSABLE: dict[str, tuple[dict[str, object], str]] = {
    "no set": ({"programs": None}, "--set, and --readings"),
    "no readings": ({"readings": ()}, "--readings or --with"),
    "another set": ({"name": "humanevalfix"}, "--set is about readings"),
    "a reader of another set": (
        {"name": "humanevalfix", "programs": None, "reader": "small"},
        "--with is about readings",
    ),
    "an unknown reader": ({"readings": (), "reader": "small"}, "No model 'small' is configured"),
    "an unknown set": ({"programs": "humaneval"}, "Unknown labelled set"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_request_that_cannot_be_measured_is_refused(name: str, tmp_path: Path) -> None:
    given, message = UNUSABLE[name]
    data, readings = lines(tmp_path / "pairs.jsonl", ROWS), lines(tmp_path / "readings.jsonl", [record(0, GOOD)])
    fields = {"name": "readers", "programs": "humanevalfix", "readings": (readings,), **given}
    with pytest.raises(UsageError, match=message):
        run_bench(BenchRequest(data=data, store=tmp_path / "store", **fields), ignore)  # type: ignore[arg-type]  # by name


def test_readings_of_no_program_of_the_set_are_refused(tmp_path: Path) -> None:
    data = lines(tmp_path / "pairs.jsonl", ROWS)
    readings = lines(tmp_path / "readings.jsonl", [{**record(0, GOOD), "id": "Own/7"}])
    with pytest.raises(UsageError) as caught:
        run_bench(request_of(data, readings), ignore)
    assert caught.value.code == "bench.no_readings"


FLIPS = {
    "less": ("result < n", "result <= n"),
    "a chain": ("0 <= n > 1", "0 < n >= 1"),
    "inside a call": ("all(x == n for x in result)", "all((x != n for x in result))"),
    "membership": ("n in result", "n not in result"),
    "identity": ("result is None", "result is not None"),
    "nothing to flip": ("isinstance(n, int)", "isinstance(n, int)"),
    "no clause": ("", ""),
}


@pytest.mark.parametrize(("clause", "expected"), FLIPS.values(), ids=FLIPS)
def test_comparisons_are_flipped(clause: str, expected: str) -> None:
    assert clauses(flipped([record(0, clause)])) == [expected]


def test_every_tenth_clause_with_a_number_is_off_by_one() -> None:
    changed = clauses(off_by_one([record(0, "n > 3" if each % 2 else "result") for each in range(41)]))
    assert [place for place, clause in enumerate(changed) if clause == "n > 4"] == [19, 39]
    assert set(changed) == {"n > 3", "n > 4", "result"}


def test_clauses_of_another_function_speak_of_the_own_parameters() -> None:
    two = "def expected(a, b):\n    return a\n"
    records = [
        record(0, "result > n"),
        record(1, "result == a + b", reference=two),
        record(
            1, "other(m__after) == m + 1", reference="def expected(m):\n    return m\n", helpers="def other(x): ..."
        ),
    ]
    taken = of_another(records)
    assert clauses(taken) == ["other(n__after) == n + 1", "result == a + b", "result > m"]
    assert [each["helpers"] for each in taken] == ["def other(x): ...", "", ""]


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_only_what_says_something_else_is_damaged(damage: Callable[..., list[dict[str, object]]]) -> None:
    made = bad_records([record(0, "isinstance(n , int)")], damage)
    assert [(each.damaged, each.record["reader"], each.record["reference"]) for each in made] == [
        (frozenset(), BAD, "")
    ]


def clauses(records: Iterable[dict[str, object]]) -> list[str]:
    return [each["clause"] for record in records for each in record["statements"]]  # type: ignore[attr-defined]  # a record


def test_what_gets_through_is_neither_refused_nor_left_out() -> None:
    refused = [{"id": "r1", "why": "says_nothing"}, {"id": "r9", "why": "says_nothing"}]
    stopped = [
        "the reading r2 of 'x' was not asked: it is outside",
        "the reading r3 was not asked: it had settled the matter",
    ]
    tried = {"readings": {"tried": 4, "refused": refused}, "not_asked": stopped}
    of = passed([(tried, frozenset({"r1", "r2", "r3", "r4"})), ({}, frozenset({"r5"}))])
    assert (of.programs, of.given, of.refused, of.not_asked, of.through) == (1, 4, {"says_nothing": 1}, 1, 2)
