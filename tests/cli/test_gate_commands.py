"""What the gate asks beyond the proof: a policy that demands enough, and a ledger that has the verdict."""

from __future__ import annotations

import json
import logging
import sqlite3
from pathlib import Path

import pytest

from probatum.core.canonical import canonical_bytes
from probatum.proof import sqlite_file
from tests.cli import programs
from tests.cli.command import Commands, Prepared

LOG = ("--ledger", "log.sqlite")
SUBJECT = ("--subject", "app.py")
RECORDED = "a ledger has an entry about this verdict"
INCLUDED = "the entry is in the ledger that the head commits to"
GOES_ON = "the ledger goes on from the head that was kept"
TRUSTED_HEAD = "a trusted key signed the head of the ledger"
DEMANDS = "what was judged, and by what, is what is required"


pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def reference(commands: Commands, tmp_path: Path, prepared: Prepared) -> str:
    """The second of three entries."""

    def make() -> str:
        for name in ("release", "stranger"):
            commands.run("key", "generate", name)
            (tmp_path / f"{name}.pem").write_text(commands.run("key", "public", name).stdout)
        (tmp_path / "wrong.py").write_bytes(programs.WRONG)
        commands.run("verify", "wrong.py", *LOG)
        written = commands.run("verify", "app.py", *LOG, "--json").stdout
        (tmp_path / "verdict.json").write_text(written)
        (tmp_path / "head.txt").write_text(commands.run("ledger", "head", *LOG, "--sign", "release").stdout)
        commands.run("verify", "wrong.py", *LOG)
        return str(json.loads(written)["verdict"]["proof_ref"])

    return str(prepared("the second of three entries", make))


@pytest.fixture
def bundle(commands: Commands, reference: str, tmp_path: Path) -> Path:
    ended = commands.run("proof", "export", reference, "--out", "bundle.json", "--sign", "release", *LOG)
    assert (ended.code, "with its entry in the ledger" in ended.stdout) == (0, True)
    return tmp_path / "bundle.json"


def asked(commands: Commands, *arguments: str) -> tuple[int, str]:
    """Return the exit code, and the title of the step that failed."""
    ended = commands.run("gate", *arguments, *SUBJECT, "--json")
    document = json.loads(ended.stdout)
    assert document["admitted"] is (ended.code == 0)
    return ended.code, next((step["title"] for step in document["steps"] if step["holds"] is False), "")


def test_a_recorded_verdict_is_admitted(commands: Commands, reference: str) -> None:
    assert asked(commands, "verdict.json", *LOG) == (0, "")
    kept = ("--checkpoint", "head.txt")
    assert asked(commands, "verdict.json", *LOG, *kept, "--trust-log", "release.pem", "--recheck") == (0, "")
    assert asked(commands, "verdict.json", *LOG, *kept, "--trust-log", "stranger.pem") == (1, GOES_ON)
    assert asked(commands, "verdict.json", *LOG, *kept, "--origin", "example.com/log") == (1, GOES_ON)
    assert asked(commands, "verdict.json", *LOG, *kept, "--origin", "probatum/ledger") == (0, "")


def test_a_verdict_that_is_not_recorded_is_refused(commands: Commands, reference: str, tmp_path: Path) -> None:
    assert commands.run("gate", "verdict.json", *SUBJECT, "--ledger", "none.sqlite").code == 2
    commands.run("verify", "wrong.py", "--ledger", "other.sqlite")
    assert asked(commands, "verdict.json", "--ledger", "other.sqlite") == (1, RECORDED)
    page = commands.run("gate", "verdict.json", *SUBJECT, "--ledger", "other.sqlite").stdout
    assert "probatum verify PATH --ledger FILE" in page
    assert not (tmp_path / "none.sqlite").exists()


def test_a_ledger_that_was_cut_is_found_by_the_kept_head(commands: Commands, reference: str, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "log.sqlite")
    connection.execute("DELETE FROM entries WHERE position = 0 OR position = 2")
    connection.execute("UPDATE entries SET position = 0")
    connection.execute("DELETE FROM nodes WHERE level > 0 OR position != 1")
    connection.execute("UPDATE nodes SET position = 0")
    connection.commit()
    connection.close()
    assert asked(commands, "verdict.json", *LOG) == (0, "")
    assert asked(commands, "verdict.json", *LOG, "--checkpoint", "head.txt") == (1, GOES_ON)


@pytest.mark.parametrize("content", [b"", b"no ledger"])
def test_a_damaged_ledger_refuses_at_its_step(
    content: bytes, commands: Commands, reference: str, tmp_path: Path
) -> None:
    (tmp_path / "damaged.sqlite").write_bytes(content)
    assert asked(commands, "verdict.json", "--ledger", "damaged.sqlite") == (1, RECORDED)


def test_a_locked_ledger_refuses_at_its_step(
    commands: Commands, reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_SECONDS", 0.0)
    holder = sqlite3.connect(tmp_path / "held.sqlite", isolation_level=None)
    sqlite3.connect(tmp_path / "log.sqlite").backup(holder)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    assert asked(commands, "verdict.json", "--ledger", "held.sqlite") == (1, RECORDED)
    holder.execute("COMMIT")
    holder.close()
    assert asked(commands, "verdict.json", "--ledger", "held.sqlite") == (0, "")


def test_a_bundle_carries_its_entry_to_a_stranger(commands: Commands, bundle: Path) -> None:
    trusting = ("--trust", "release.pem", "--recorded", "--store", "nothing")
    assert asked(commands, "bundle.json", *trusting) == (0, "")
    assert asked(commands, "bundle.json", *trusting, "--origin", "example.com/log") == (1, TRUSTED_HEAD)
    assert asked(commands, "bundle.json", *trusting, "--trust-log", "stranger.pem") == (1, TRUSTED_HEAD)
    assert asked(commands, "bundle.json", "--recorded", "--trust-log", "release.pem") == (0, "")
    assert asked(commands, "bundle.json", *LOG, "--trust", "release.pem", "--checkpoint", "head.txt") == (0, "")
    checked = json.loads(commands.run("proof", "recheck", "bundle.json", "--trust", "release.pem", "--json").stdout)
    assert [step["title"] for step in checked["steps"]][5:9] == [
        RECORDED,
        INCLUDED,
        "the signatures under the head verify",
        TRUSTED_HEAD,
    ]
    assert checked["holds"]


def test_a_bundle_without_an_entry_is_not_recorded(commands: Commands, reference: str) -> None:
    commands.run("proof", "export", reference, "--out", "bare.json", "--sign", "release")
    assert asked(commands, "bare.json", "--trust", "release.pem") == (0, "")
    assert asked(commands, "bare.json", "--trust", "release.pem", "--recorded") == (1, RECORDED)


def test_a_bent_entry_is_refused_and_imported_nowhere(commands: Commands, bundle: Path) -> None:
    document = json.loads(bundle.read_bytes())
    document["ledger"]["position"] = 0
    bundle.write_bytes(canonical_bytes(document))
    for trusting in ([], ["--trust", "release.pem", "--recorded"]):
        assert asked(commands, "bundle.json", *trusting) == (1, INCLUDED)
    assert commands.run("proof", "recheck", "bundle.json").code == 1


def test_a_bundle_that_cannot_be_read_is_refused_at_its_first_step(commands: Commands, bundle: Path) -> None:
    bundle.write_bytes(bundle.read_bytes()[:-1])
    assert asked(commands, "bundle.json") == (1, "the file is a bundle in canonical form")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--recorded"], "came alone"),
        (["--checkpoint", "head.txt"], "--checkpoint needs --ledger"),
        (["--origin", "example.com"], "heads of a ledger"),
        (["--trust-log", "release.pem"], "heads of a ledger"),
        (["--ledger", "log.sqlite", "--origin", "example.com"], "heads of a ledger"),
        (["--ledger", "log.sqlite", "--trust-log", "release.pem"], "heads of a ledger"),
        (["--ledger", "."], "is a folder"),
        (["--ledger", "log.sqlite", "--checkpoint", "none.txt"], "no file"),
        (["--min-strength", "1.5"], "takes 0 to 1"),
        (["--min-strength", "nan"], "takes 0 to 1"),
    ],
)
def test_what_cannot_be_asked_is_wrong_usage(
    arguments: list[str], words: str, commands: Commands, reference: str
) -> None:
    ended = commands.run("gate", "verdict.json", *SUBJECT, *arguments)
    assert (ended.code, words in ended.stderr) == (2, True), ended.stderr


def test_a_head_of_a_bundle_needs_a_key_of_the_readers(commands: Commands, bundle: Path) -> None:
    ended = commands.run("gate", "bundle.json", *SUBJECT, "--recorded")
    assert (ended.code, "needs --trust" in ended.stderr) == (2, True)


def test_every_refusal_is_logged_with_constraint_and_sentence(
    commands: Commands, bundle: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sentence = json.loads(bundle.read_bytes())["verdict"]["agent_message"]
    document = json.loads(bundle.read_bytes())
    document["ledger"]["position"] = 0
    Path("bent.json").write_bytes(canonical_bytes(document))
    Path("damaged.sqlite").write_bytes(b"no ledger")
    for arguments in (
        ["bent.json"],
        ["bundle.json", "--ledger", "damaged.sqlite"],
        ["bundle.json", "--require", "proved"],
    ):
        caplog.clear()
        with caplog.at_level(logging.WARNING, logger="probatum.gate"):
            assert asked(commands, *arguments)[0] == 1
        [record] = caplog.records
        assert "program.tested" in record.getMessage()
        assert sentence in record.getMessage()
    Path("bent.json").write_bytes(bundle.read_bytes()[:-1])
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="probatum.gate"):
        assert asked(commands, "bent.json")[0] == 1
    assert "canonical form" in caplog.text


def test_what_cannot_be_exported_is_named(commands: Commands, reference: str) -> None:
    signing = ("--out", "b.json", "--sign", "release")
    unsigned = commands.run("proof", "export", reference, "--out", "b.json", *LOG)
    assert (unsigned.code, "--ledger needs --sign" in unsigned.stderr) == (2, True)
    missing = commands.run("proof", "export", reference, *signing, "--ledger", "none.sqlite")
    assert (missing.code, "There is no ledger" in missing.stderr) == (2, True)
    commands.run("verify", "wrong.py", "--ledger", "other.sqlite")
    strange = commands.run("proof", "export", reference, *signing, "--ledger", "other.sqlite")
    assert (strange.code, "no entry about this verdict" in strange.stderr) == (1, True)
    origin = commands.run("proof", "export", reference, *signing, *LOG, "--origin", "two words")
    assert (origin.code, "origin" in origin.stderr) == (2, True)
    assert not Path("b.json").exists()


def test_a_weaker_policy_is_refused_and_the_page_says_what_to_do(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "verdict.json").write_text(commands.run("verify", "app.py", "--min-strength", "0.5", "--json").stdout)
    assert asked(commands, "verdict.json") == (1, DEMANDS)
    page = commands.run("gate", "verdict.json", *SUBJECT).stdout
    assert "verify again with --min-strength 0.7, or ask the gate with --min-strength 0.5" in page
    assert asked(commands, "verdict.json", "--min-strength", "0.5") == (0, "")


def test_more_may_be_demanded_than_the_default(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "verdict.json").write_text(commands.run("verify", "app.py", "--json").stdout)
    assert asked(commands, "verdict.json") == (0, "")
    assert asked(commands, "verdict.json", "--min-strength", "0.9") == (1, DEMANDS)
