"""Recorded runs of tasks: what a record says, what is counted as what, and rows that are refused."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from probatum.app.bench_port import BenchReport, BenchRequest
from probatum.bench.contract_records import verification_status
from probatum.bench.runner import run_bench
from probatum.core.decision import Outcome
from probatum.core.errors import UsageError
from probatum.core.events import ignore

GIVEN = {"facts": "Water boils at 100 C.", "question": "Does it boil at 90 C?"}
GOOD = {"yes": False, "confidence": 0.9, "reason": "100 is more than 90."}
RECORD_FIELDS = (
    "case_id",
    "task_id",
    "contract_version",
    "ok",
    "error",
    "attempts",
    "elapsed_seconds",
    "model_id",
    "verification_status",
    "output_summary",
)


def case(number: int, **fields: object) -> dict[str, object]:
    return {"case_id": f"case-{number}", "task_id": "llm_boolean_gate", "input": GIVEN, **fields}


def measure(folder: Path, *rows: object, **options: object) -> BenchReport:
    data = folder / "runs.jsonl"
    data.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return run_bench(BenchRequest("contracts", data, folder / "store", **options), ignore)  # type: ignore[arg-type]  # options by name


def records_of(folder: Path, *rows: object, raw_outputs: bool = False) -> list[dict[str, object]]:
    path = folder / "records.jsonl"
    measure(folder, *rows, records=path, raw_outputs=raw_outputs)
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_record_has_the_fields_that_the_requirement_names(tmp_path: Path) -> None:
    run = case(1, output=json.dumps(GOOD), model_id="small", attempts=2, elapsed_seconds=0.5)
    [record] = records_of(tmp_path, run)
    assert tuple(record) == RECORD_FIELDS
    assert record == {
        "case_id": "case-1",
        "task_id": "llm_boolean_gate",
        "contract_version": "v1",
        "ok": True,
        "error": None,
        "attempts": 2,
        "elapsed_seconds": 0.5,
        "model_id": "small",
        "verification_status": "pass",
        "output_summary": "object with 'yes', 'confidence', 'reason', 67 bytes",
    }


def test_what_was_answered_is_in_a_record_only_where_it_is_asked_for(tmp_path: Path) -> None:
    run = case(1, output={**GOOD, "reason": "the-secret"})
    assert "the-secret" not in json.dumps(records_of(tmp_path, run))
    [record] = records_of(tmp_path, run, raw_outputs=True)
    assert tuple(record) == (*RECORD_FIELDS, "raw_output")
    assert json.loads(str(record["raw_output"]))["reason"] == "the-secret"


@pytest.mark.parametrize(
    ("fields", "ok", "status"),
    [
        ({"output": GOOD}, True, "pass"),
        ({"output": f"Here it is:\n```json\n{json.dumps(GOOD)}\n```"}, True, "pass"),
        ({"output": {**GOOD, "confidence": 90}}, True, "fail"),
        ({"output": "I think not."}, True, "fail"),
        ({"output": ""}, True, "fail"),
        ({"output": "[" * 100_000}, True, "skipped"),
        ({"output": GOOD, "input": {"facts": 1}}, True, "fail"),
        ({"output": None}, False, "skipped"),
        ({"error": "timed out"}, False, "skipped"),
        ({}, False, "skipped"),
    ],
)
def test_only_what_was_verified_passes(tmp_path: Path, fields: dict[str, object], ok: bool, status: str) -> None:
    [record] = records_of(tmp_path, case(1, **fields))
    assert (record["ok"], record["verification_status"]) == (ok, status)
    assert (record["error"] is None) == ok


@pytest.mark.parametrize(
    ("outcome", "slots", "status"),
    [
        (Outcome.TESTED, ["pass", "pass"], "pass"),
        (Outcome.PROVED, ["pass", "warn"], "warn"),
        (Outcome.UNDECIDED, ["pass", "pass"], "skipped"),
        (Outcome.UNDECIDED, ["pass", "warn"], "skipped"),
        (Outcome.UNDECIDED, ["pass", "fail"], "fail"),
        (Outcome.REFUTED, ["pass", "fail"], "fail"),
        (Outcome.NOT_ATTEMPTED, [], "fail"),
        (None, [], "skipped"),
    ],
)
def test_the_status_of_a_record_follows_from_the_verdict(outcome: Outcome, slots: list[str], status: str) -> None:
    assert verification_status(outcome, slots) == status


def contract_in(folder: Path, name: str, content: object) -> Path:
    place = folder / "contracts" / name / "v1"
    place.mkdir(parents=True)
    (place / "contract.json").write_text(content if isinstance(content, str) else json.dumps(content))
    return folder / "contracts"


def test_contracts_come_from_a_folder_where_one_is_named(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    contract_in(tmp_path, "count", {"contract_spec_format": 2, "output_schema": schema})
    contract_in(tmp_path, "loose", {"contract_spec_format": 2, "output_schema": {}})
    folder = contract_in(tmp_path, "broken", "{")
    rows = [
        {"case_id": "right", "task_id": "count", "output": {"n": 1}, "expected": "pass"},
        {"case_id": "wrong", "task_id": "count", "output": {"n": "1"}, "expected": "fail"},
        {"case_id": "free", "task_id": "loose", "output": {"n": "1"}},
        {"case_id": "nobody's fault", "task_id": "broken", "output": {"n": 1}},
    ]
    report = measure(tmp_path, *rows, contracts=folder, rows=True)
    kept = report.document["rows"]
    assert isinstance(kept, list)
    assert [row["verification_status"] for row in kept if isinstance(row, dict)] == ["pass", "fail", "skipped", "fail"]
    outcomes = report.document["outcomes"]
    assert isinstance(outcomes, dict)
    assert outcomes["no label"] == {"refuted": 0, "verified": 0, "undecided": 1, "not_attempted": 1, "no_output": 0}


def test_verdicts_are_counted_by_label_and_records_by_model(tmp_path: Path) -> None:
    bad = {**GOOD, "confidence": "high"}
    report = measure(
        tmp_path,
        case(1, output=GOOD, expected="pass", model_id="a", elapsed_seconds=1),
        case(2, output=bad, expected="fail", model_id="a", elapsed_seconds=3, attempts=2),
        case(3, output=bad, expected="pass", model_id="b"),
        case(4, output=GOOD, expected="fail", model_id="b"),
        case(5, error="refused", model_id="b", attempts=3),
    )
    document = report.document
    assert document["cases"] == 5
    assert document["bad_refuted"] == {"count": 1, "of": 2, "share": 0.5}
    assert document["false_alarms"] == {"count": 1, "of": 2, "share": 0.5}
    assert document["verified_precision"] == {"count": 1, "of": 2, "share": 0.5}
    assert document["verified_coverage"] == {"count": 2, "of": 4, "share": 0.5}
    assert document["lists"] == {
        "false_alarms": ["case-3"],
        "verified_but_bad": ["case-4"],
        "bad_and_not_refuted": ["case-4"],
    }
    models = document["models"]
    assert isinstance(models, list)
    first, second = models
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert (first["model_id"], first["ok"], first["mean_attempts"]) == ("a", 2, 1.5)
    assert first["elapsed_seconds"] == {"p50": 1.0, "p95": 3.0}
    assert (second["cases"], second["ok"], second["skipped"]) == (3, 2, 1)
    assert second["elapsed_seconds"] == {"p50": None, "p95": None}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("no json", "line 1"),
        ("[]", "expected an object, got a list"),
        ('{"case_id": "a", "case_id": "b", "task_id": "t"}', "twice"),
        ({"task_id": "llm_boolean_gate"}, "the key 'case_id' is missing"),
        ('{"case_id": "\\ud800", "task_id": "llm_boolean_gate"}', "surrogates not allowed"),
        ({"case_id": 1, "task_id": "llm_boolean_gate"}, "case_id: expected text, got 1"),
        (case(1, outputs=[]), "Did you mean 'output'"),
        (case(1, expected="yes"), "pass, fail"),
        (case(1, expected=["pass"]), "pass, fail"),
        (case(1, output=GOOD, error="both"), "not both"),
        (case(1, attempts=True), "attempts: expected a whole number"),
        (case(1, attempts=-1), "attempts: expected a whole number"),
        (case(1, elapsed_seconds="1"), "elapsed_seconds: expected a number"),
        (
            '{"case_id": "a", "task_id": "llm_boolean_gate", "elapsed_seconds": 1e999}',
            "elapsed_seconds: expected a number",
        ),
        ('{"case_id": "a", "task_id": "llm_boolean_gate", "output": NaN}', "NaN is not a JSON number"),
        ('{"case_id": "a", "task_id": "llm_boolean_gate", "output": "\\ud800"}', "surrogates not allowed"),
        ("[" * 100_000, "one list or object in 3 characters"),
    ],
)
def test_a_row_that_is_none_is_refused_by_its_line(tmp_path: Path, row: object, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        measure(tmp_path, row)
    assert caught.value.code == "bench.malformed"
    assert said in caught.value.sentence


@pytest.mark.parametrize("task", ["nope", "../../etc", "llm_boolean_gates", "a:b"])
def test_an_unknown_contract_ends_the_run(tmp_path: Path, task: str) -> None:
    with pytest.raises(UsageError) as caught:
        measure(tmp_path, {"case_id": "a", "task_id": task, "output": 1})
    assert caught.value.code == "contract.unknown"


def test_records_appear_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("earlier\n")
    with pytest.raises(UsageError):
        measure(tmp_path, case(1, output=GOOD), "broken", records=path)
    assert path.read_text() == "earlier\n"
    assert {each.name for each in tmp_path.iterdir()} <= {"records.jsonl", "runs.jsonl", "store"}


def test_a_folder_that_is_not_there_cannot_take_records(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        measure(tmp_path, case(1, output=GOOD), records=tmp_path / "none" / "records.jsonl")
    assert caught.value.code == "bench.records"


@pytest.mark.parametrize("kind", ["data", "link to the data", "folder", "pipe"])
def test_records_replace_neither_the_data_nor_what_is_no_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "runs.jsonl" if kind == "data" else tmp_path / "records.jsonl"
    if kind == "link to the data":
        path.symlink_to("runs.jsonl")
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(UsageError) as caught:
        measure(tmp_path, case(1, output=GOOD), records=path)
    assert caught.value.code == "bench.records"
    assert json.loads((tmp_path / "runs.jsonl").read_text())["case_id"] == "case-1"
    assert path.is_fifo() or path.is_dir() or path.exists()
    assert not (tmp_path / "store").exists()


def test_records_are_written_where_a_link_leads(tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to("target.jsonl")
    measure(tmp_path, case(1, output=GOOD), records=tmp_path / "link.jsonl")
    assert (tmp_path / "link.jsonl").is_symlink()
    assert json.loads((tmp_path / "target.jsonl").read_text())["case_id"] == "case-1"


@pytest.mark.parametrize("name", ["contracts", "humanevalfix"])
def test_data_that_may_never_end_is_refused(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    for data in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(UsageError) as caught:
            run_bench(BenchRequest(name, data, tmp_path / "store"), ignore)
        assert caught.value.code == "bench.unreadable"


def test_a_line_beyond_the_budget_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probatum.bench.contract_cases._MAX_LINE", 1000)
    with pytest.raises(UsageError, match=r"line 2 .* more than 1000 bytes"):
        measure(tmp_path, case(1, output=GOOD), case(2, output="x" * 5000))


@pytest.mark.parametrize("field", ["attempts", "elapsed_seconds"])
def test_counts_that_no_mean_can_be_made_of_are_refused(tmp_path: Path, field: str) -> None:
    with pytest.raises(UsageError) as caught:
        measure(tmp_path, case(1, output=GOOD, **{field: 10**400}))
    assert caught.value.code == "bench.malformed"


@pytest.mark.parametrize("number", ["1e-400", "1.00000000000000000001"])
def test_a_number_that_reading_would_change_is_not_measured(tmp_path: Path, number: str) -> None:
    row = json.dumps(case(1, output={**GOOD, "confidence": 7})).replace('"confidence": 7', f'"confidence": {number}')
    with pytest.raises(UsageError, match=r"line 1 .* Write the output as text"):
        measure(tmp_path, row)


def test_nothing_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        measure(tmp_path)
    assert caught.value.code == "bench.empty"
    with pytest.raises(UsageError) as caught:
        measure(tmp_path, case(1, output=GOOD), " ")
    assert caught.value.code == "bench.malformed"


def test_the_first_lines_alone_are_judged_where_that_is_asked(tmp_path: Path) -> None:
    rows = [case(number, output=GOOD) for number in range(5)]
    assert measure(tmp_path, *rows, limit=2).document["cases"] == 2


@pytest.mark.parametrize("options", [{"without_examples": True}, {"python": "python3"}])
def test_options_about_programs_are_refused(tmp_path: Path, options: dict[str, object]) -> None:
    with pytest.raises(UsageError) as caught:
        measure(tmp_path, case(1, output=GOOD), **options)
    assert caught.value.code == "bench.option"


@pytest.mark.parametrize("options", [{"contracts": Path()}, {"records": Path("r")}, {"raw_outputs": True}])
def test_options_about_outputs_are_refused_for_programs(tmp_path: Path, options: dict[str, object]) -> None:
    request = BenchRequest("corpus", tmp_path, tmp_path / "store", **options)  # type: ignore[arg-type]  # options by name
    with pytest.raises(UsageError) as caught:
        run_bench(request, ignore)
    assert caught.value.code == "bench.option"


@pytest.mark.parametrize(("raw_outputs", "mode"), [(False, 0o640), (True, 0o600)])
def test_records_are_as_readable_as_the_user_wants_them(tmp_path: Path, raw_outputs: bool, mode: int) -> None:
    before = os.umask(0o027)
    try:
        records_of(tmp_path, case(1, output=GOOD), raw_outputs=raw_outputs)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "records.jsonl").stat().st_mode) == mode
