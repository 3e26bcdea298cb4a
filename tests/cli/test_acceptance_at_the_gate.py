"""Who accepted the readings that a verdict rests on: what `verify` says of it, and what the gate admits."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from probatum.kinds.program import acceptance
from probatum.readings.notebook import read_notebook, write_notebook
from tests.cli import programs
from tests.cli.command import Commands, Prepared
from tests.kinds.test_revisions import git
from tests.programs.readers import GOOD, PLAIN_NET, accepted, record

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
GATE = ("gate", "verdict.json", "--subject", "shop.py")
BY_AUTHOR = "It rests on readings that count as accepted by its author."
SELF, BASE, NEXT, KEY = "self", "git:base", "git:next", "key:ops.pem"
FILE = "shop.readings.toml"


@pytest.fixture
def shop(prepared: Prepared, commands: Commands, tmp_path: Path) -> Path:
    """A program with a reading that was accepted on the base, and signed by ``ops``."""

    def make() -> None:
        for name in ("ops", "other"):
            assert commands.run("key", "generate", name).code == 0
            (tmp_path / f"{name}.pem").write_text(commands.run("key", "public", name).stdout)
        (tmp_path / "shop.py").write_bytes(PLAIN_NET)
        (tmp_path / FILE).write_text(write_notebook([record(GOOD)]))
        git(tmp_path, "init", "-q")
        git(tmp_path, "add", "shop.py", FILE)
        git(tmp_path, "commit", "-qm", "proposed")
        git(tmp_path, "tag", "early")
        assert commands.run("read", "shop.py", "--accept", "--by", "Ada", "--sign", "ops").code == 0
        git(tmp_path, "commit", "-qam", "accepted")
        git(tmp_path, "tag", "base")
        git(tmp_path, "commit", "--allow-empty", "-qm", "next")
        git(tmp_path, "tag", "next")

    prepared("accepted readings", make)
    return tmp_path


def _verify(commands: Commands, folder: Path, *options: str) -> dict[str, object]:
    ended = commands.run("verify", "shop.py", *options, "--json")
    assert ended.code == 0
    (folder / "verdict.json").write_text(ended.stdout)
    told: dict[str, object] = json.loads(ended.stdout)["verdict"]
    return told


TELL = "the gate was not told whose acceptance counts"
AGAIN = "its readings count as accepted by its author: verify again with --acceptance git:REV or key:FILE"
# whose acceptance counted when it was verified, and by what the gate was asked: why it refuses
ASKED: dict[str, tuple[str, dict[str | None, str]]] = {
    "anybody's": (SELF, {SELF: "", None: TELL, BASE: AGAIN, KEY: AGAIN}),
    "what is on the base": (BASE, {SELF: "", None: TELL, BASE: "", NEXT: "", KEY: "", "git:early": "does not have it"}),
    "what is signed": (KEY, {SELF: "", None: TELL, BASE: "", KEY: "", "key:other.pem": "signed by another key"}),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_gate_is_asked_likewise(name: str, commands: Commands, shop: Path) -> None:
    verified, gates = ASKED[name]
    verdict = _verify(commands, shop, "--acceptance", verified)
    fields = verdict["developer_fields"]
    assert isinstance(fields, dict)
    assert (fields.get("acceptance") == "self") == (BY_AUTHOR in str(verdict["agent_message"])) == (verified == SELF)
    for asked, why in gates.items():
        ended = commands.run(*GATE, *(("--acceptance", asked) if asked else ()))
        assert (ended.code, why in ended.stdout) == (1 if why else 0, True), asked
    # What is derived or run again needs neither the repository nor the key.
    shutil.rmtree(shop / ".git")
    (shop / "ops.pem").unlink()
    assert commands.run(*GATE, "--acceptance", SELF, "--recheck", "--replay").code == 0
    assert commands.run("proof", "recheck", str(verdict["proof_ref"]), "--replay").code == 0


# what counts when it is verified, and why the only acceptance does not
WITHHELD = {
    "accepted after the base": (("--acceptance", "git:early"), "the readings file at git:early does not have it"),
    "signed by another key": (("--acceptance", "key:other.pem"), "it is signed by another key"),
}


@pytest.mark.parametrize("name", WITHHELD)
def test_an_acceptance_that_does_not_count_is_listed(name: str, commands: Commands, shop: Path) -> None:
    options, why = WITHHELD[name]
    ended = commands.run("verify", "shop.py", *options)
    assert ended.code == 3
    assert "Acceptances that do not count" in ended.stdout
    assert why in ended.stdout
    told = json.loads(commands.run("verify", "shop.py", *options, "--json").stdout)
    assert [why in each for each in told["result"]["not_counted"]] == [True]
    # It is a proposal: what counts proposals says that nobody accepted it.
    fields = _verify(commands, shop, *options, "--readings-policy", "proposed")
    assert "that nobody accepted" in str(fields["agent_message"])
    assert BY_AUTHOR not in str(fields["agent_message"])


def test_what_does_not_count_of_other_functions_is_listed(commands: Commands, shop: Path) -> None:
    told = read_notebook((shop / FILE).read_bytes())
    (shop / FILE).write_text(write_notebook([*told, record(*accepted(GOOD), function="gone")]))
    answer = json.loads(commands.run("verify", "shop.py", "--acceptance", BASE, "--json").stdout)
    [sentence] = answer["result"]["not_counted"]
    assert f"the readings file at {BASE} does not have it" in sentence


def test_a_verdict_that_only_claims_a_base_is_refused(
    commands: Commands, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(acceptance, "unless_on", lambda *_: lambda *_: "")
        verdict = _verify(commands, shop, "--acceptance", "git:early")
    assert BY_AUTHOR not in str(verdict["agent_message"])
    refused = commands.run(*GATE, "--acceptance", "git:early")
    assert refused.code == 1
    assert "the readings file at git:early does not have it" in refused.stdout
    assert commands.run(*GATE).code == 1


def test_another_reading_under_a_true_base_is_refused(commands: Commands, shop: Path) -> None:
    """The author accepts a reading that says nothing, commits it, and verifies by that commit."""
    [told] = read_notebook((shop / FILE).read_bytes())
    weak = replace(told, readings=(replace(told.readings[0], clause="result == result"),))
    (shop / FILE).write_text(write_notebook([weak]))
    git(shop, "commit", "-qam", "weaker")
    ended = commands.run("verify", "shop.py", "--acceptance", "git:HEAD", "--allow-unchecked", "--json")
    (shop / "verdict.json").write_text(ended.stdout)
    for asked in (BASE, KEY):
        refused = commands.run(*GATE, "--allow-unchecked", "--acceptance", asked)
        assert refused.code == 1


def test_an_edited_verdict_is_refused(commands: Commands, shop: Path) -> None:
    _verify(commands, shop)
    document = json.loads((shop / "verdict.json").read_text())
    del document["verdict"]["developer_fields"]["acceptance"]
    (shop / "verdict.json").write_text(json.dumps(document))
    refused = commands.run(*GATE, "--acceptance", SELF)
    assert refused.code == 1
    assert "3. the proof gives this very verdict" in refused.stdout


def test_a_verdict_that_rests_on_no_reading_is_not_concerned(commands: Commands, app: Path) -> None:
    ended = commands.run("verify", app.name, "--json")
    Path("verdict.json").write_text(ended.stdout)
    assert commands.run("gate", "verdict.json", "--subject", app.name).code == 0


@pytest.mark.usefixtures("app")
def test_a_folder_without_a_repository_is_refused_by_verify_and_by_the_gate(commands: Commands) -> None:
    Path("verdict.json").write_text(commands.run("verify", "app.py", "--json").stdout)
    for ended in (
        commands.run("verify", "app.py", "--acceptance", "git:HEAD"),
        commands.run("gate", "verdict.json", "--subject", "app.py", "--acceptance", "git:HEAD"),
        commands.run("verify", "-", "--acceptance", "git:HEAD", stdin=programs.HOLDING),
    ):
        assert ended.code == 2
        assert "error[acceptance.no_" in ended.stderr


# options of read, and the code of the error
NOT_SIGNED = {
    "no such key": (("--accept", "--by", "Ada", "--sign", "nobody"), "key.unknown"),
    "a rejection": (("--reject", "r0", "--by", "Ada", "--sign", "ops"), "read.alone"),
    "nothing to accept": (("--sign", "ops"), "read.alone"),
}


@pytest.mark.parametrize("name", NOT_SIGNED)
def test_what_cannot_be_signed_is_refused(name: str, commands: Commands, tmp_path: Path) -> None:
    options, code = NOT_SIGNED[name]
    (tmp_path / "shop.py").write_bytes(PLAIN_NET)
    (tmp_path / FILE).write_text(write_notebook([record(GOOD)]))
    ended = commands.run("read", "shop.py", *options)
    assert ended.code == 2
    assert f"error[{code}]" in ended.stderr
    assert "accepted" not in (tmp_path / FILE).read_text()


def test_an_acceptance_is_renewed_without_its_old_signature(commands: Commands, shop: Path) -> None:
    [told] = read_notebook((shop / FILE).read_bytes())
    assert commands.run("read", "shop.py", "--accept", told.id_of(told.readings[0]), "--by", "Bob").code == 0
    [told] = read_notebook((shop / FILE).read_bytes())
    assert (told.readings[0].by, told.readings[0].key, told.readings[0].signature) == ("Bob", "", "")


def test_a_batch_and_its_requests_say_whose_acceptance_counts(commands: Commands, shop: Path) -> None:
    from probatum.readings.recorded import json_of

    [told] = read_notebook((shop / FILE).read_bytes())
    asked = {"kind": "program", "source": PLAIN_NET.decode(), "readings": [json_of(told)]}
    ops, other = (f"key:{(shop / f'{name}.pem').read_text()}" for name in ("ops", "other"))
    rows = {"none": {}, "ops": {"acceptance": ops}, "other": {"acceptance": other}, "git": {"acceptance": "git:base"}}
    lines = [json.dumps({"id": name, **asked, **row}) for name, row in rows.items()]
    (shop / "requests.jsonl").write_text("\n".join(lines))

    def constraints(*options: str) -> dict[str, object]:
        assert commands.run("batch", "requests.jsonl", "answers.jsonl", *options).code == 0
        answers = [json.loads(line) for line in (shop / "answers.jsonl").read_text().splitlines()]
        (shop / "answers.jsonl").unlink()
        return {each["id"]: each["verdict"]["developer_fields"]["constraint_id"] for each in answers}

    invalid = "request.invalid"
    open_ = "program.statement_unchecked"
    by_author = "program.tested_by_author"
    assert constraints() == {"none": by_author, "ops": "program.tested", "other": open_, "git": invalid}
    assert constraints("--acceptance", KEY) == {
        "none": "program.tested",
        **dict.fromkeys(("ops", "other", "git"), invalid),
    }


# the file of keys of a batch, and the code of the error, which is that of verify
NO_KEYS = {
    "none.pem": "path.missing",
    "pipe": "path.not_a_file",
    "large.pem": "file.too_large",
    "shop.py": "key.not_public",
    "-": "path.stdin",
}


@pytest.mark.parametrize("name", NO_KEYS)
def test_a_batch_reads_its_keys_once_before_any_request(name: str, commands: Commands, shop: Path) -> None:
    os.mkfifo(shop / "pipe")
    (shop / "large.pem").write_text((shop / "ops.pem").read_text() * 60)
    (shop / "requests.jsonl").write_text(json.dumps({"id": "1", "kind": "program", "source": PLAIN_NET.decode()}))
    ended = commands.run("batch", "requests.jsonl", "answers.jsonl", "--acceptance", f"key:{name}")
    assert ended.code == (3 if name == "large.pem" else 2)
    assert f"error[{NO_KEYS[name]}]" in ended.stderr
    assert not (shop / "answers.jsonl").exists()
