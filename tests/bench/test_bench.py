"""Labelled sets: what the product may see of a row, and what is counted as what."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from probatum.app.bench_port import BenchReport, BenchRequest
from probatum.app.pool import PoolOptions
from probatum.bench import runner
from probatum.bench.measure import percentile
from probatum.bench.runner import run_bench
from probatum.bench.sets import last_definition, read_set, set_named
from probatum.core.errors import UsageError
from probatum.core.events import Event, ignore

PROMPT = 'def double(x):\n    """Return twice x.\n\n    >>> double(2)\n    4\n    """\n'
BARE_PROMPT = 'def double(x):\n    """Return twice x."""\n'


def pair_row(number: int, *, bare: str | None = BARE_PROMPT) -> dict[str, object]:
    return {
        "task_id": f"Pair/{number}",
        "entry_point": "double",
        "prompt": PROMPT,
        "prompt_without_examples": bare,
        "correct": f"    return x * 2  # {number}\n",
        "buggy": f"    return x + 3  # {number}\n",
        "test": "a hidden oracle",
    }


def single_row(number: int, label: str) -> dict[str, object]:
    program = PROMPT + f"    return x * 2  # {label} {number}\n"
    return {"task_id": f"Task/{number}", "author": "ada", "prompt": PROMPT, "program": program, "label": label}


def write(path: Path, rows: Iterable[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


STATED = {"tested": 0.9, "proved": 0.9, "undecided": 0.5}


class Oracle:
    """Stands in for the pool: answers each program by what is written in it, and remembers what it was shown."""

    def __init__(self, outcomes: dict[str, str]) -> None:
        self.outcomes = outcomes
        self.requests: list[dict[str, object]] = []
        self.given: dict[str, object] = {}

    def __call__(self, lines: Iterable[bytes], options: PoolOptions) -> Generator[bytes]:
        self.given = dict(options.given.options)
        for line in lines:
            request = json.loads(line)
            self.requests.append(request)
            outcome = next(name for mark, name in self.outcomes.items() if mark in request["source"])
            verdict = {"developer_fields": {"outcome": outcome, "constraint_id": f"program.{outcome}"}}
            strength = {"noticed": 3, "total": 4, "equivalent": 1, "idle": 0}
            stated = {"confidence": STATED.get(outcome, 0.0), "confidence_from": {"checks": 2}}
            result = (
                {"strength": strength, "duration_ms": 1500, **stated}
                if outcome != "not_attempted"
                else {"functions": {}}
            )
            yield json.dumps({"id": request["id"], "verdict": verdict, "result": result}).encode() + b"\n"


def run(data: Path, name: str, oracle: Oracle, monkeypatch: pytest.MonkeyPatch, **options: object) -> BenchReport:
    monkeypatch.setattr(runner, "answer_lines", oracle)
    return run_bench(BenchRequest(name, data, data.parent / "store", **options), ignore)  # type: ignore[arg-type]  # options by name


def test_pairs_are_counted_with_their_twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write(tmp_path / "pairs.jsonl", [pair_row(number) for number in range(5)])
    outcomes = {
        "x * 2  # 0": "tested",
        "x + 3  # 0": "refuted",
        "x * 2  # 1": "refuted",
        "x + 3  # 1": "refuted",
        "x * 2  # 2": "proved",
        "x + 3  # 2": "tested",
        "x * 2  # 3": "undecided",
        "x + 3  # 3": "not_attempted",
        "x * 2  # 4": "tested",
        "x + 3  # 4": "undecided",
    }
    document = run(data, "humanevalfix", Oracle(outcomes), monkeypatch).document
    assert document["refuted_twin_spared"] == {"count": 1, "of": 5, "share": 0.2}
    assert document["false_alarms"] == {"count": 1, "of": 5, "share": 0.2}
    assert document["verified_precision"] == {"count": 3, "of": 4, "share": 0.75}
    assert document["verified_coverage"] == {"count": 4, "of": 10, "share": 0.4}
    assert document["outcomes"] == {
        "correct": {"refuted": 1, "verified": 3, "undecided": 1, "not_attempted": 0},
        "buggy": {"refuted": 2, "verified": 1, "undecided": 1, "not_attempted": 1},
    }
    assert document["lists"] == {
        "false_alarms": ["Pair/1 (correct)"],
        "verified_but_wrong": ["Pair/2 (buggy)"],
        "wrong_and_not_refuted": ["Pair/2 (buggy)", "Pair/3 (buggy)", "Pair/4 (buggy)"],
    }
    assert document["seconds"] == {"p50": 1.5, "p95": 1.5}
    assert document["mean_strength"] == 0.75
    assert document["confidence"]["auc"] == pytest.approx(0.74)


def test_single_programs_are_counted_by_label(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [single_row(1, "right"), single_row(2, "wrong"), single_row(3, "wrong"), single_row(4, "hard_wrong")]
    data = write(tmp_path / "programs.jsonl", rows)
    oracle = Oracle({"# right": "tested", "# wrong 2": "refuted", "# wrong 3": "undecided", "# hard_wrong": "tested"})
    report = run(data, "llm-programs", oracle, monkeypatch)
    assert report.document["refuted_wrong"] == {"count": 1, "of": 2, "share": 0.5}
    assert report.document["refuted_hard_wrong"] == {"count": 0, "of": 1, "share": 0.0}
    assert report.tables[0].rows == (
        ("right", "0", "1", "0", "0", "1"),
        ("wrong", "1", "0", "1", "0", "2"),
        ("hard_wrong", "0", "1", "0", "0", "1"),
    )


def test_the_product_sees_the_program_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write(tmp_path / "pairs.jsonl", [pair_row(7)])
    oracle = Oracle({"": "undecided"})
    run(data, "humanevalfix", oracle, monkeypatch)
    assert [sorted(request) for request in oracle.requests] == [["function", "id", "kind", "source"]] * 2
    assert [request["id"] for request in oracle.requests] == ["0", "1"]
    shown = json.dumps(oracle.requests)
    assert not any(word in shown for word in ("hidden oracle", "buggy", "correct", "Pair/7"))
    assert oracle.requests[0]["source"] == PROMPT + "    return x * 2  # 7\n"


def test_without_examples_rows_that_have_no_such_prompt_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write(tmp_path / "pairs.jsonl", [pair_row(1), pair_row(2, bare=None)])
    oracle = Oracle({"": "undecided"})
    report = run(data, "humanevalfix", oracle, monkeypatch, without_examples=True)
    assert len(oracle.requests) == 2
    assert ">>>" not in json.dumps(oracle.requests)
    assert report.title.endswith("without examples")


def test_a_limit_takes_the_first_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write(tmp_path / "pairs.jsonl", [pair_row(number) for number in range(5)])
    report = run(data, "humanevalfix", Oracle({"": "undecided"}), monkeypatch, limit=2)
    assert report.document["programs"] == 4


def test_the_evidence_that_counts_is_asked_of_the_product_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oracle = Oracle({"x * 2": "tested", "x + 3": "refuted"})
    data = write(tmp_path / "pairs.jsonl", [pair_row(1)])
    report = run(data, "humanevalfix", oracle, monkeypatch, evidence="split")
    assert (oracle.given["evidence"], "evidence split" in report.title) == ("split", True)
    with pytest.raises(UsageError, match="'spilt'"):
        run(data, "humanevalfix", oracle, monkeypatch, evidence="spilt")


def test_a_share_of_nothing_is_not_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write(tmp_path / "pairs.jsonl", [pair_row(1)])
    report = run(data, "humanevalfix", Oracle({"": "not_attempted"}), monkeypatch)
    assert report.document["verified_precision"] == {"count": 0, "of": 0, "share": None}
    assert report.document["mean_strength"] is None
    assert ("VERIFIED programs that are right", "0 of 0 (-)") in report.tables[1].rows


def test_progress_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write(tmp_path / "pairs.jsonl", [pair_row(1)])
    monkeypatch.setattr(runner, "answer_lines", Oracle({"": "undecided"}))
    heard: list[Event] = []
    run_bench(BenchRequest("humanevalfix", data, tmp_path), heard.append)
    assert [event.data for event in heard] == [{"done": 1, "total": 2}, {"done": 2, "total": 2}]


UNUSABLE = {
    "not JSON": "{",
    "not an object": "[]",
    "a missing field": json.dumps({"task_id": "a"}),
    "a field of another type": json.dumps({**pair_row(1), "prompt": 3}),
    "nothing": "",
}


@pytest.mark.parametrize("content", UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_data_is_named(content: str, tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"data\.jsonl"):
        read_set(set_named("humanevalfix"), path, without_examples=False, limit=None)


def test_data_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    chosen = set_named("llm-programs")
    with pytest.raises(UsageError, match="cannot be read"):
        read_set(chosen, tmp_path / "no.jsonl", without_examples=False, limit=None)
    (tmp_path / "data.jsonl").write_bytes(b"\xff\xff")
    with pytest.raises(UsageError, match="is not UTF-8 text"):
        read_set(chosen, tmp_path / "data.jsonl", without_examples=False, limit=None)


def test_single_programs_have_no_version_without_examples(tmp_path: Path) -> None:
    data = write(tmp_path / "programs.jsonl", [single_row(1, "right")])
    with pytest.raises(UsageError, match="no prompts without examples"):
        read_set(set_named("llm-programs"), data, without_examples=True, limit=None)


def test_an_unknown_label_is_named(tmp_path: Path) -> None:
    data = write(tmp_path / "programs.jsonl", [single_row(1, "perhaps")])
    with pytest.raises(UsageError, match="unknown label 'perhaps'"):
        read_set(set_named("llm-programs"), data, without_examples=False, limit=None)


def test_an_unknown_set_names_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        set_named("humaneval")
    assert caught.value.hint == "Did you mean 'humanevalfix'?"


PROMPTS = {
    "one function": (PROMPT, "double"),
    "helpers first": ("def helper(x):\n    return x\n\n\n" + PROMPT, "double"),
    "a method inside is no top level": ("class A:\n    def f(self): ...\n\n" + PROMPT, "double"),
    "a body that is still open": ("def helper(x):\n    return x\n\ndef double(x):\n", "double"),
    "async": ("async def fetch(x):\n    ...\n", "fetch"),
}


@pytest.mark.parametrize(("prompt", "name"), PROMPTS.values(), ids=PROMPTS)
def test_the_last_definition_of_a_prompt(prompt: str, name: str) -> None:
    assert last_definition(prompt) == name


def test_a_prompt_without_a_definition_is_refused() -> None:
    with pytest.raises(ValueError, match="no function"):
        last_definition("x = 1\n")


PERCENTILES = {"of one": ([3.0], 50, 3.0), "median": ([4.0, 1.0, 3.0, 2.0], 50, 2.0), "p95": ([*range(1, 101)], 95, 95)}


@pytest.mark.parametrize(("values", "percent", "expected"), PERCENTILES.values(), ids=PERCENTILES)
def test_percentiles(values: list[float], percent: int, expected: float) -> None:
    assert percentile(values, percent) == expected


def test_a_percentile_of_nothing_is_none() -> None:
    assert percentile([], 50) is None


@pytest.mark.parametrize("option", ["workers", "limit"])
def test_less_than_one_is_refused(option: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=option):
        BenchRequest("humanevalfix", tmp_path, tmp_path, **{option: 0})  # type: ignore[arg-type]  # options by name


def test_rows_are_there_for_the_asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write(tmp_path / "pairs.jsonl", [pair_row(1)])
    oracle = Oracle({"x * 2  # 1": "tested", "x + 3  # 1": "refuted"})
    assert "rows" not in run(data, "humanevalfix", oracle, monkeypatch).document
    document = run(data, "humanevalfix", oracle, monkeypatch, rows=True).document
    assert document["rows"] == [
        {
            "task": "Pair/1",
            "label": label,
            "outcome": outcome,
            "constraint": f"program.{outcome}",
            "noticed": 3,
            "planted": 4,
            "aside": 1,
            "idle": 0,
            "decided_by": [],
            "confidence": STATED.get(outcome, 0.0),
            "confidence_from": {"checks": 2},
        }
        for label, outcome in (("correct", "tested"), ("buggy", "refuted"))
    ]
