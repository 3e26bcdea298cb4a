"""`verify_program` with readings, another Python and a listener: what the command line has, Python has too."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probatum import DiagnosticResult, verify_program
from probatum.core.errors import UsageError
from probatum.core.events import Event
from probatum.proof.stores import MemoryStore
from probatum.readings.notebook import write_notebook
from probatum.readings.recorded import json_of
from probatum.readings.values import ReadingRecord
from tests.cli.command import Commands
from tests.cli.programs import HOLDING, WRONG
from tests.programs.readers import GOOD, GUARD, NET, PLAIN_NET, WRONG_NET, accepted, record
from tests.sandbox.environments import make_environment
from tests.workers.outside import own_children

ACCEPTED = record(*accepted(GOOD, GUARD))
PROPOSED = record(GOOD, GUARD)
NOTEBOOK = write_notebook([ACCEPTED])
PARCEL = b"import parcel\n" + HOLDING.replace(b"100 + percent", b"parcel.WHOLE + percent")


def verified(source: bytes = NET, **given: Any) -> DiagnosticResult:
    return verify_program(source, store=MemoryStore(), **given)


@pytest.mark.parametrize(
    "readings",
    [
        NOTEBOOK,
        NOTEBOOK.encode(),
        bytearray(NOTEBOOK.encode()),
        memoryview(NOTEBOOK.encode()),
        json_of(ACCEPTED),
        [json_of(ACCEPTED)],
        (json_of(ACCEPTED),),
    ],
    ids=["text", "bytes", "bytearray", "memoryview", "record", "list", "tuple"],
)
def test_readings_come_as_a_file_or_as_records(readings: Any) -> None:
    verdict = verified(readings=readings)
    assert (verdict.outcome, verdict.constraint_id) == ("tested", "program.tested_by_author")


@pytest.mark.parametrize("readings", [None, "", b"", [], ()], ids=repr)
def test_without_readings_a_statement_stays_open(readings: Any) -> None:
    assert verified(PLAIN_NET, readings=readings).constraint_id == "program.statement_unchecked"


@pytest.mark.parametrize(
    ("source", "given", "policy", "constraint"),
    [
        (NET, PROPOSED, "proposed", "program.tested_unaccepted"),
        (PLAIN_NET, ACCEPTED, "none", "program.statement_unchecked"),
        (PLAIN_NET, PROPOSED, "consensus:2", "program.statement_unchecked"),
        (WRONG_NET, ACCEPTED, "accepted", "program.reading_contradicted"),
        (WRONG_NET, PROPOSED, "accepted", "program.reading_broken"),
        (NET.replace(b"without tax", b"without the tax"), ACCEPTED, "accepted", "program.statement_unchecked"),
    ],
    ids=["proposed", "none", "consensus", "refuted", "withheld", "lapsed"],
)
def test_the_policy_says_which_readings_count(
    source: bytes, given: ReadingRecord, policy: str, constraint: str
) -> None:
    assert verified(source, readings=json_of(given), readings_policy=policy).constraint_id == constraint


def test_what_a_reader_accepts_of_its_own_does_not_count() -> None:
    own = replace(ACCEPTED, readings=tuple(replace(each, by=ACCEPTED.reader) for each in ACCEPTED.readings))
    verdict = verified(readings=json_of(own))
    assert verdict.outcome == "undecided"


@pytest.mark.parametrize(
    "readings",
    [
        "readings = 3",
        "[[readings]",
        b"\xff",
        {},
        {1: 2},
        {"function": "net_price"},
        {"function": "net_price", "statements": (), "reader": "a"},
        ["net_price"],
        [[]],
        "\ud800",
        NOTEBOOK.replace("without tax", "without the tax"),
    ],
    ids=repr,
)
def test_what_are_no_readings_is_wrong_usage(readings: Any) -> None:
    with pytest.raises(UsageError) as caught:
        verified(readings=readings)
    assert (caught.value.code, bool(caught.value.hint)) == ("readings.not_read", True)


def test_a_policy_that_nobody_defined_is_wrong_usage_with_a_hint() -> None:
    with pytest.raises(UsageError, match="accepted") as caught:
        verified(readings_policy="acepted")
    assert (caught.value.code, "'accepted'" in caught.value.hint) == ("readings.policy", True)


def test_a_program_runs_with_another_python(tmp_path: Path) -> None:
    make_environment(tmp_path / "venv", {"parcel.py": "WHOLE = 100\n"}, ("parcel", "1.2"))
    assert verified(PARCEL).outcome == "not_attempted"
    for python in (tmp_path / "venv", str(tmp_path / "venv" / "bin" / "python")):
        assert verified(PARCEL, python=python).is_verified


@pytest.mark.parametrize("python", ["", "nowhere/python", Path("/bin/true"), Path("/")], ids=repr)
def test_what_is_no_python_is_wrong_usage(python: Any) -> None:
    with pytest.raises(UsageError) as caught:
        verified(python=python)
    assert caught.value.code.startswith("python.")


def test_the_command_line_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROBATUM_STORE", "store")
    Path("shop.py").write_bytes(NET)
    Path("shop.readings.toml").write_text(NOTEBOOK)
    told = json.loads(Commands(monkeypatch, capsys).run("verify", "shop.py", "--json").stdout)
    store = MemoryStore()
    verdict = verify_program(NET, name="shop.py", readings=NOTEBOOK, store=store)
    assert verdict.is_verified
    assert told["verdict"]["proof_ref"] == verdict.proof_ref
    assert {path.read_bytes() for path in Path("store").rglob("*") if path.is_file()} == {
        store.fetch(digest) for digest in store.digests()
    }


def test_a_listener_gets_the_events_in_their_order() -> None:
    events: list[Event] = []
    verdict = verified(HOLDING + b"\n\n" + WRONG, listener=events.append)
    stages = [each.stage for each in events]
    assert stages[:3] == ["start", "spec_extraction", "spec_extracted"]
    assert stages.count("function") == 2
    assert stages[-1] == "complete"
    assert events[-1].data["status"] == verdict.status.value


class StoppedError(Exception):
    """What a listener of these tests raises."""


@pytest.mark.parametrize("stage", ["start", "spec_extracted", "test_execution", "analysis", "complete"])
@pytest.mark.parametrize("error", [StoppedError("enough"), UsageError("a.b", "No."), KeyboardInterrupt()], ids=repr)
def test_what_a_listener_raises_is_raised_when_nothing_is_left_running(stage: str, error: BaseException) -> None:
    heard: list[str] = []
    before = own_children()

    def listen(event: Event) -> None:
        heard.append(event.stage)
        if event.stage == stage:
            raise error

    with pytest.raises(type(error)) as caught:
        verified(HOLDING, listener=listen)
    assert caught.value is error
    assert heard[-1] == stage
    assert own_children() == before


def test_after_a_listener_that_raised_the_next_call_works() -> None:
    with pytest.raises(ZeroDivisionError):
        verified(HOLDING, listener=lambda _: 1 / 0)  # type: ignore[arg-type]  # it returns nothing
    assert verified(HOLDING).is_verified
