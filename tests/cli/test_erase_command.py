"""`probatum proof erase`, and that commands which only read leave a store as it is."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from probatum import check_output
from probatum.proof import SqliteStore, open_store
from tests.cli import programs
from tests.cli.command import Commands, Prepared


@pytest.fixture
def reference(commands: Commands, tmp_path: Path, prepared: Prepared) -> str:
    def make() -> str:
        (tmp_path / "app.py").write_bytes(programs.HOLDING)
        written = commands.run("verify", "app.py", "--json").stdout
        (tmp_path / "verdict.json").write_text(written)
        return str(json.loads(written)["verdict"]["proof_ref"])

    return str(prepared("a proof to erase", make))


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(each): each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()}


READING = {
    "show": ["proof", "show", "REF"],
    "recheck": ["proof", "recheck", "REF"],
    "gate": ["gate", "verdict.json", "--subject", "app.py"],
    "export": ["proof", "export", "REF", "--out", "/dev/full"],
}


@pytest.mark.parametrize("store", ["store", "store.sqlite", "missing/store.sqlite"])
@pytest.mark.parametrize("name", READING)
def test_commands_that_read_touch_nothing(
    name: str, store: str, commands: Commands, reference: str, tmp_path: Path
) -> None:
    kept = open_store(tmp_path / "store")
    with closing(SqliteStore(tmp_path / "store.sqlite")) as copy:
        copy.retain_all([kept.fetch(digest) for digest in kept.digests()])
    before = content_of(tmp_path)
    commands.run(*[reference if word == "REF" else word for word in READING[name]], "--store", store)
    assert content_of(tmp_path) == before


def test_erasing_the_proof_takes_everything_that_only_it_needs(
    commands: Commands, reference: str, tmp_path: Path
) -> None:
    ended = commands.run("proof", "erase", reference, "--yes", "--json")
    document = json.loads(ended.stdout)
    assert (ended.code, [each["what"] for each in document["erased"]]) == (0, ["subject", "proof"])
    assert all(programs.HOLDING.strip() not in content for content in content_of(tmp_path / "store").values())
    for command, step in ((["proof", "recheck", reference], 2), (["gate", "verdict.json", "--subject", "app.py"], 2)):
        ended = commands.run(*command, "--json")
        failed = [each for each in json.loads(ended.stdout)["steps"] if each["holds"] is False]
        assert (ended.code, failed[0]["number"]) == (1, step)
        assert "was erased" in failed[0]["detail"]
    ended = commands.run("proof", "export", reference, "--out", "bundle.json")
    assert (ended.code, "error[store.erased]" in ended.stderr) == (1, True)
    assert not (tmp_path / "bundle.json").exists()
    assert commands.run("proof", "show", reference).code == 1
    assert commands.run("verify", "app.py").code == 0
    assert commands.run("proof", "recheck", reference).code == 0


def test_erasing_the_subject_alone_fails_the_re_check_at_its_step(commands: Commands, reference: str) -> None:
    assert commands.run("proof", "erase", reference, "--subject", "--yes").code == 0
    assert commands.run("proof", "show", reference).code == 0
    steps = json.loads(commands.run("proof", "recheck", reference, "--json").stdout)["steps"]
    assert [each["number"] for each in steps if each["holds"] is False] == [6]
    assert commands.run("gate", "verdict.json", "--subject", "app.py").code == 1


# Without the docstring of its module, which would document the function before it.
HOLDING_GROSS = programs.HOLDING.removeprefix(b'"""Prices."""').replace(b"net_price", b"gross")


def test_all_proofs_about_one_file_go_at_once(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(programs.HOLDING + b"\n\n" + HOLDING_GROSS)
    assert commands.run("verify", "app.py").code == 0
    verdict = json.loads(commands.run("verify", "app.py", "--json").stdout)["verdict"]
    plan = json.loads(commands.run("proof", "erase", verdict["proof_ref"], "--yes", "--json").stdout)
    assert [each["what"] for each in plan["erased"]] == ["proof"]
    assert [len(owners) for owners in plan["kept"].values()] == [2]
    [subject] = plan["kept"]
    plan = json.loads(commands.run("proof", "erase", subject, "--all", "--yes", "--json").stdout)
    assert [each["what"] for each in plan["erased"]] == ["subject", "proof", "proof"]


def test_without_a_terminal_nothing_is_erased_unconfirmed(commands: Commands, reference: str) -> None:
    ended = commands.run("proof", "erase", reference)
    assert (ended.code, "error[erase.not_confirmed]" in ended.stderr) == (2, True)
    assert ended.stdout == ""
    assert commands.run("proof", "recheck", reference).code == 0


@pytest.mark.parametrize(("answer", "code"), [(b"y\n", 0), (b"n\n", 2), (b"\n", 2), (b"\x04", 130)])
def test_on_a_terminal_a_person_is_asked(
    answer: bytes, code: int, commands: Commands, reference: str, tmp_path: Path
) -> None:
    mine, theirs = pty.openpty()
    try:
        command = [sys.executable, "-m", "probatum", "proof", "erase", reference, "--json"]
        running = subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, cwd=tmp_path)
        os.write(mine, answer)
        assert running.stdout is not None
        printed = running.stdout.read()
        assert running.wait(timeout=600) == code
    finally:
        os.close(mine)
        os.close(theirs)
    assert (b'"erased"' in printed) is (code == 0)
    assert commands.run("proof", "recheck", reference).code == (1 if code == 0 else 0)


def test_a_folder_that_cannot_be_written_is_a_named_error(
    commands: Commands, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("secrets.token_hex", full)
        ended = commands.run("proof", "erase", reference, "--yes")
    assert (ended.code, "error[store.full]" in ended.stderr) == (4, True)
    assert commands.run("proof", "recheck", reference).code == 0


def test_the_proofs_of_a_stream_are_listed_and_pruned(commands: Commands) -> None:
    good = b'{"yes": true, "confidence": 0.9, "reason": "ok"}'
    Path("a.jsonl").write_bytes(good + b"\n" + good.replace(b"ok", b"no") + b"\n")
    Path("b.json").write_bytes(good)
    gate = ("--contract", "llm_boolean_gate")
    assert commands.run("check", "a.jsonl", *gate, "--lines").code == 0
    assert commands.run("check", "b.json", *gate).code == 0

    def names(*pattern: str) -> list[str]:
        told = json.loads(commands.run("proof", "list", *pattern, "--json").stdout)
        assert told["bytes"] == sum(proof["bytes"] for proof in told["proofs"])
        return sorted(proof["subject"] for proof in told["proofs"])

    assert names() == ["a.jsonl:1", "a.jsonl:2", "b.json"]
    assert names("a.jsonl:*") == ["a.jsonl:1", "a.jsonl:2"]
    assert "2 proofs" in commands.run("proof", "list", "a.jsonl:*").stdout
    assert commands.run("proof", "prune", "a.jsonl:*").code == 2
    assert len(names()) == 3
    pruned = json.loads(commands.run("proof", "prune", "a.jsonl:*", "--yes", "--json").stdout)
    # The first line is what the other file holds: its proof still needs it.
    assert sorted(piece["what"] for piece in pruned["erased"]) == ["proof", "proof", "subject"]
    assert len(pruned["kept"]) == 1
    assert pruned["bytes"] > 1_000
    assert names() == ["b.json"]
    [left] = json.loads(commands.run("proof", "list", "--json").stdout)["proofs"]
    assert commands.run("proof", "recheck", left["proof_ref"], "--replay").code == 0
    assert commands.run("proof", "prune", "a.jsonl:*", "--yes").code == 2
    assert commands.run("proof", "prune", "*", "--yes").code == 0
    assert names() == []


def test_a_name_that_a_subject_has_is_no_pattern(commands: Commands) -> None:
    for name in ("a[1].json", "a1.json", "*"):
        Path(name).write_bytes(b'{"yes": true, "confidence": 0.9, "reason": "%s"}' % name.encode())
        assert commands.run("check", name, "--contract", "llm_boolean_gate").code == 0

    def names(*pattern: str) -> list[str]:
        told = json.loads(commands.run("proof", "list", *pattern, "--json").stdout)
        return sorted(proof["subject"] for proof in told["proofs"])

    assert names() == ["*", "a1.json", "a[1].json"]
    assert names("*") == ["*"]
    assert names("a?.json") == ["a1.json"]
    assert commands.run("proof", "prune", "*", "--yes").code == 0
    assert commands.run("proof", "prune", "a[1].json", "--yes").code == 0
    assert names() == names("*") == ["a1.json"]


def test_a_very_long_name_does_not_fill_the_screen(commands: Commands, tmp_path: Path) -> None:
    name = "n" * 100_000 + ".json"
    output = b'{"yes": true, "confidence": 0.9, "reason": "ok"}'
    verdict = check_output(output, "llm_boolean_gate", name=name, store=open_store(tmp_path / "store"))
    for words in (("list",), ("show", str(verdict.proof_ref))):
        assert max(map(len, commands.run("proof", *words).stdout.splitlines())) < 500
    assert name in commands.run("proof", "list", "--json").stdout


def test_many_contents_are_counted_and_not_listed(commands: Commands) -> None:
    Path("a.jsonl").write_bytes(b"".join(b'{"yes": true, "confidence": 0.%d, "reason": "ok"}\n' % n for n in range(6)))
    assert commands.run("check", "a.jsonl", "--contract", "llm_boolean_gate", "--lines").code == 0
    shown = commands.run("proof", "prune", "*", "--yes").stdout
    assert "12; --json names each of them" in shown
    assert "12 contents of " in shown.lower()
    assert "sha256:" not in shown
