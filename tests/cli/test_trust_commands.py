"""Handing a verdict on: keys, bundles, the gate, from one folder to a stranger's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from probatum.core.canonical import canonical_bytes
from tests.cli import programs
from tests.cli.command import Commands

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def reference(commands: Commands, tmp_path: Path) -> str:
    written = commands.run("verify", "app.py", "--json").stdout
    (tmp_path / "verdict.json").write_text(written)
    return str(json.loads(written)["verdict"]["proof_ref"])


@pytest.fixture
def bundle(commands: Commands, reference: str, tmp_path: Path) -> Path:
    assert commands.run("key", "generate", "release").code == 0
    (tmp_path / "release.pem").write_text(commands.run("key", "public", "release").stdout)
    assert commands.run("proof", "export", reference, "--out", "bundle.json", "--sign", "release").code == 0
    return tmp_path / "bundle.json"


def steps_of(commands: Commands, *arguments: str) -> tuple[int, dict[str, object]]:
    ended = commands.run(*arguments, "--json")
    return ended.code, json.loads(ended.stdout)


def test_a_verdict_is_admitted_for_its_own_subject_alone(commands: Commands, reference: str, app: Path) -> None:
    code, document = steps_of(commands, "gate", "verdict.json", "--subject", "app.py")
    assert (code, document["admitted"]) == (0, True)
    app.write_bytes(programs.HOLDING + b"\n")
    code, document = steps_of(commands, "gate", "verdict.json", "--subject", "app.py")
    assert (code, document["admitted"], document["steps"][3]["holds"]) == (1, False, False)


def test_re_check_and_replay_go_through_the_gate(commands: Commands, reference: str) -> None:
    counts = []
    for options in ([], ["--recheck"], ["--replay"]):
        code, document = steps_of(commands, "gate", "verdict.json", "--subject", "app.py", *options)
        assert code == 0
        counts.append(len(document["steps"]))
    assert counts == [7, 16, 17]


def test_a_verdict_whose_proof_is_elsewhere_is_refused(commands: Commands, reference: str) -> None:
    code, document = steps_of(commands, "gate", "verdict.json", "--subject", "app.py", "--store", "another")
    assert (code, document["steps"][1]["holds"]) == (1, False)


def test_a_stranger_checks_a_bundle_without_the_store(commands: Commands, bundle: Path, tmp_path: Path) -> None:
    for options in ([], ["--trust", "release.pem"], ["--replay"]):
        code, document = steps_of(commands, "proof", "recheck", "bundle.json", "--store", "nothing", *options)
        assert (code, document["holds"]) == (0, True), document
    assert not (tmp_path / "nothing").exists()
    code, _ = steps_of(
        commands, "gate", "bundle.json", "--subject", "app.py", "--trust", "release.pem", "--max-age", "1h", "--replay"
    )
    assert code == 0


def test_a_changed_byte_of_a_bundle_is_refused_everywhere(commands: Commands, bundle: Path) -> None:
    content = bytearray(bundle.read_bytes())
    content[len(content) // 2] ^= 1
    bundle.write_bytes(bytes(content))
    assert commands.run("proof", "recheck", "bundle.json").code == 1
    assert commands.run("proof", "import", "bundle.json", "--store", "other").code == 1
    assert commands.run("gate", "bundle.json", "--subject", "app.py", "--trust", "release.pem").code == 1


@pytest.mark.parametrize("out", ["-", "folder", "link"])
def test_a_bundle_goes_into_a_regular_file_alone(out: str, commands: Commands, reference: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("app.py")
    ended = commands.run("proof", "export", reference, "--out", out)
    assert (ended.code, "error[output.no_file]" in ended.stderr) == (2, True)
    assert not (tmp_path / "-").exists()


def test_another_key_does_not_open_the_gate(commands: Commands, bundle: Path, tmp_path: Path) -> None:
    commands.run("key", "generate", "stranger")
    (tmp_path / "stranger.pem").write_text(commands.run("key", "public", "stranger").stdout)
    assert commands.run("gate", "bundle.json", "--subject", "app.py", "--trust", "stranger.pem").code == 1
    assert commands.run("proof", "recheck", "bundle.json", "--trust", "stranger.pem").code == 1
    both = ["--trust", "stranger.pem", "--trust", "release.pem"]
    assert commands.run("gate", "bundle.json", "--subject", "app.py", *both).code == 0


def test_a_verdict_without_signature_does_not_open_a_gate_that_asks_for_one(commands: Commands, bundle: Path) -> None:
    assert commands.run("gate", "verdict.json", "--subject", "app.py", "--trust", "release.pem").code == 1


def test_an_imported_proof_is_re_checked_from_its_new_store(
    commands: Commands, bundle: Path, reference: str, tmp_path: Path
) -> None:
    imported = commands.run("proof", "import", "bundle.json", "--store", "other")
    assert (imported.code, reference in imported.stdout) == (0, True)
    assert commands.run("proof", "recheck", reference, "--store", "other", "--replay").code == 0
    assert commands.run("gate", "verdict.json", "--subject", "app.py", "--store", "other").code == 0


def test_keys_are_listed_and_never_replaced_or_shown(commands: Commands, tmp_path: Path) -> None:
    made = commands.run("key", "generate", "release")
    assert made.code == 0
    again = commands.run("key", "generate", "release")
    assert (again.code, "already a key" in again.stderr) == (2, True)
    listed = json.loads(commands.run("key", "list", "--json").stdout)
    assert [key["name"] for key in listed["keys"]] == ["release"]
    public = commands.run("key", "public", "release").stdout
    assert public.startswith("-----BEGIN PUBLIC KEY-----")
    for screen in (made, commands.run("key", "list"), commands.run("key", "public", "release", "--json")):
        assert "PRIVATE" not in screen.stdout + screen.stderr


def test_a_file_named_like_a_reference_does_not_stand_in_for_it(
    commands: Commands, bundle: Path, reference: str, tmp_path: Path
) -> None:
    (tmp_path / reference).write_bytes(bundle.read_bytes())
    assert commands.run("proof", "recheck", reference, "--store", "nothing").code == 1
    code, document = steps_of(commands, "proof", "recheck", f"./{reference}")
    assert (code, document["proof_ref"]) == (0, reference)


def test_the_gate_asks_all_of_a_bundle(commands: Commands, bundle: Path) -> None:
    """Also the statements that its own answer would not need."""
    document = json.loads(bundle.read_bytes())
    envelope = document["attestations"][1]["signatures"][0]
    envelope["sig"] = ("B" if envelope["sig"][0] == "A" else "A") + envelope["sig"][1:]
    bundle.write_bytes(canonical_bytes(document))
    for trust in ([], ["--trust", "release.pem"]):
        code, told = steps_of(commands, "gate", "bundle.json", "--subject", "app.py", *trust)
        assert (code, told["admitted"]) == (1, False)


def test_an_export_replaces_no_link_and_no_device(commands: Commands, reference: str, tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "kept.txt")
    (tmp_path / "kept.txt").write_text("mine")
    ended = commands.run("proof", "export", reference, "--out", "link.json")
    assert (ended.code, "not a regular file" in ended.stderr) == (2, True)
    assert (tmp_path / "kept.txt").read_text() == "mine"


def test_an_export_that_cannot_be_written_is_named(commands: Commands, reference: str) -> None:
    ended = commands.run("proof", "export", reference, "--out", "no/such/folder/b.json")
    assert (ended.code, "could not be written" in ended.stderr) == (2, True)
