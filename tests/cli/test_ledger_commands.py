"""Recording verdicts: what `verify` and `batch` write down, and what the commands about the ledger tell of it."""

from __future__ import annotations

import base64
import csv
import io
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from probatum.core.canonical import canonical_bytes
from probatum.core.digest import digest_of
from probatum.core.merkle import is_included, leaf_hash
from probatum.proof.checkpoint import read_checkpoint
from probatum.proof.ledger import Ledger
from tests.cli import programs
from tests.cli.command import Commands, Prepared

LOG = ("--ledger", "log.sqlite")


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(programs.HOLDING)
    (tmp_path / "wrong.py").write_bytes(programs.WRONG)
    (tmp_path / "=cmd.py").write_bytes(programs.WRONG)


@pytest.fixture
def recorded(commands: Commands, prepared: Prepared) -> list[dict[str, object]]:
    """Three verdicts, as the ledger tells them."""
    prepared(
        "three verdicts", lambda: [commands.run("verify", name, *LOG) for name in ("app.py", "wrong.py", "=cmd.py")]
    )
    return [json.loads(line) for line in commands.run("ledger", "export", *LOG).stdout.splitlines()]


def test_every_verdict_is_recorded_whatever_it_is(recorded: list[dict[str, object]]) -> None:
    assert [(row["position"], row["name"], row["status"]) for row in recorded] == [
        (0, "app.py", "VERIFIED"),
        (1, "wrong.py", "UNVERIFIABLE"),
        (2, "=cmd.py", "UNVERIFIABLE"),
    ]
    assert recorded[0]["subject"] == digest_of(programs.HOLDING)
    assert str(recorded[0]["proof_ref"]).startswith("sha256:")
    assert recorded[1]["proof_ref"] is None
    assert recorded[1]["outcome"] == "refuted"


def test_a_run_that_ended_leaves_each_database_in_one_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "probatum", "verify", "app.py", *LOG, "--store", "proofs.sqlite"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    assert sorted(path.name for path in tmp_path.glob("*.sqlite*")) == ["log.sqlite", "proofs.sqlite"]


def test_the_environment_may_name_the_ledger(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBATUM_LEDGER", "other.sqlite")
    commands.run("verify", "app.py")
    assert json.loads(commands.run("ledger", "head", "--json").stdout)["size"] == 1


def test_nothing_is_recorded_unless_it_is_asked_for(commands: Commands, tmp_path: Path) -> None:
    commands.run("verify", "app.py")
    assert not list(tmp_path.glob("*.sqlite"))


def test_a_verdict_that_cannot_be_recorded_is_not_given(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "log.sqlite").write_bytes(b"not a ledger")
    ended = commands.run("verify", "app.py", *LOG, "--json")
    verdict = json.loads(ended.stdout)["verdict"]
    assert (ended.code, verdict["status"], verdict["developer_fields"]["constraint_id"]) == (
        4,
        "BLOCKED",
        "ledger.unavailable",
    )


def test_a_batch_is_recorded_by_all_its_workers(commands: Commands, tmp_path: Path) -> None:
    requests = [
        {"id": str(number), "kind": "program", "source": programs.HOLDING.decode(), "level": "quick"}
        for number in range(6)
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(request) + "\n" for request in requests))
    assert commands.run("batch", "in.jsonl", "out.jsonl", "--workers", "2", *LOG).code == 0
    audited = json.loads(commands.run("ledger", "audit", *LOG, "--json").stdout)
    assert (audited["holds"], audited["size"]) == (True, 6)


def test_a_head_kept_elsewhere_finds_what_was_changed_later(
    commands: Commands, recorded: list[dict[str, object]], tmp_path: Path
) -> None:
    commands.run("key", "generate", "log")
    (tmp_path / "log.pem").write_text(commands.run("key", "public", "log").stdout)
    (tmp_path / "head.txt").write_text(commands.run("ledger", "head", *LOG, "--sign", "log").stdout)
    against = ("--checkpoint", "head.txt", "--trust", "log.pem")
    assert commands.run("ledger", "audit", *LOG, *against).code == 0
    commands.run("verify", "app.py", *LOG)
    assert commands.run("ledger", "audit", *LOG, *against).code == 0
    connection = sqlite3.connect(tmp_path / "log.sqlite")
    connection.execute("DELETE FROM entries WHERE position > 0")
    connection.execute("DELETE FROM nodes WHERE position > 0 OR level > 0")
    connection.commit()
    connection.close()
    assert commands.run("ledger", "audit", *LOG).code == 0
    found = commands.run("ledger", "audit", *LOG, *against)
    assert (found.code, "a checkpoint has 3 entries, the ledger 1" in found.stdout) == (1, True)


def test_a_head_by_a_stranger_is_no_head(commands: Commands, recorded: list[dict[str, object]], tmp_path: Path) -> None:
    for name in ("log", "stranger"):
        commands.run("key", "generate", name)
    (tmp_path / "log.pem").write_text(commands.run("key", "public", "log").stdout)
    (tmp_path / "head.txt").write_text(commands.run("ledger", "head", *LOG, "--sign", "stranger").stdout)
    ended = commands.run("ledger", "audit", *LOG, "--checkpoint", "head.txt", "--trust", "log.pem")
    assert (ended.code, "No trusted key" in ended.stderr) == (1, True)


def test_an_entry_is_proved_to_somebody_who_has_only_the_head(
    commands: Commands, recorded: list[dict[str, object]]
) -> None:
    commands.run("key", "generate", "log")
    proof = json.loads(commands.run("ledger", "prove", "1", *LOG, "--sign", "log", "--json").stdout)
    head = read_checkpoint(proof["checkpoint"].encode())
    path = [base64.b64decode(step) for step in proof["path"]]
    entry = base64.b64decode(proof["entry"])
    assert is_included(leaf_hash(entry), 1, head.size, path, head.root)
    assert json.loads(entry)["name"] == "wrong.py"
    assert commands.run("ledger", "prove", "3", *LOG).code == 2
    page = commands.run("ledger", "prove", "1", *LOG)
    assert (page.code, page.stdout.splitlines()[0]) == (0, "INCLUDED  log.sqlite")


def test_a_key_without_a_head_is_no_audit(
    commands: Commands, recorded: list[dict[str, object]], tmp_path: Path
) -> None:
    commands.run("key", "generate", "log")
    (tmp_path / "log.pem").write_text(commands.run("key", "public", "log").stdout)
    assert commands.run("ledger", "audit", *LOG, "--trust", "log.pem").code == 2


def test_an_entry_does_not_choose_its_place(commands: Commands, recorded: list[dict[str, object]]) -> None:
    Ledger(Path("log.sqlite")).append([canonical_bytes({**recorded[0], "name": " =1+1", "position": 0}), b"not ours"])
    rows = [json.loads(line) for line in commands.run("ledger", "export", *LOG).stdout.splitlines()]
    assert [row["position"] for row in rows] == [0, 1, 2, 3, 4]
    assert base64.b64decode(rows[4]["content"]) == b"not ours"
    table = commands.run("ledger", "export", *LOG, "--format", "csv").stdout
    assert "' =1+1" in table


def test_a_spreadsheet_runs_nothing(commands: Commands, recorded: list[dict[str, object]]) -> None:
    rows = list(csv.DictReader(io.StringIO(commands.run("ledger", "export", *LOG, "--format", "csv").stdout)))
    assert [row["name"] for row in rows] == ["app.py", "wrong.py", "'=cmd.py"]
    assert rows[0]["proof_ref"] == recorded[0]["proof_ref"]
