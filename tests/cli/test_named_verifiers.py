"""Verifiers of packages on the command line: they run where the user names them, and nowhere else."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from probatum.kinds.output import verifiers
from tests.cli.command import Commands, Ended
from tests.verification.packages import install_example, offering

IBAN = ("--verifier", "iso.iban")
VALID, WRONG = {"iban": "DE89370400440532013000"}, {"iban": "DE89370400440532013001"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_example(tmp_path_factory.mktemp("plugin"))


@pytest.fixture
def paying(site: Path, commands: Commands, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """Commands in a folder with a contract that asks for the example's verifier."""
    monkeypatch.syspath_prepend(str(site))
    contract_that_asks_for("iso.iban")
    Path("out.json").write_text(json.dumps(VALID))
    Path("wrong.json").write_text(json.dumps(WRONG))
    return commands


def contract_that_asks_for(verifier_id: str, schema: object = None) -> None:
    stated = {
        "contract_spec_format": 2,
        "task_id": "pay",
        "version": "v1",
        "output_schema": schema or {"type": "object", "required": ["iban"]},
        "verification_policy": {"verifier_ids": ["contract.schema", verifier_id]},
    }
    Path("c.json").write_text(json.dumps(stated))


def check(commands: Commands, *arguments: str) -> Ended:
    return commands.run("check", "out.json", "--contract", "c.json", *arguments)


def verdict(ended: Ended) -> dict[str, object]:
    """Return what the developer's layer says, with the proof's reference."""
    told = json.loads(ended.stdout)["verdict"]
    return {"proof_ref": told.get("proof_ref"), **told["developer_fields"]}


def test_one_that_is_named_judges(paying: Commands):
    good = check(paying, *IBAN, "--json")
    assert (good.code, verdict(good)["outcome"]) == (0, "proved")
    bad = paying.run("check", "wrong.json", "--contract", "c.json", *IBAN)
    assert bad.code == 1
    assert "$.iban: expected an IBAN, got 'DE89370400440532013001'" in bad.stdout
    assert "--verifier iso.iban" in bad.stdout
    assert "probatum_iban" not in sys.modules


def test_a_contract_does_not_choose_what_runs(paying: Commands):
    ended = check(paying)
    assert ended.code == 4
    told = (
        "No verifier is registered as 'iso.iban'. It is installed and runs only where you name it: --verifier iso.iban"
    )
    assert told in " ".join(ended.stdout.split())
    assert verdict(check(paying, "--json"))["constraint_id"] == "contract.verifier_failed"


@pytest.mark.parametrize(
    ("named", "hint"),
    [
        ("iso.ibam", "Did you mean 'iso.iban'?"),
        ("program.dep", "Did you mean 'program.deep'?"),
        ("", ""),
        ("ISO.IBAN", ""),
    ],
)
def test_an_id_that_nobody_offers(named: str, hint: str, paying: Commands):
    ended = check(paying, "--verifier", named)
    assert ended.code == 2
    assert "plugin.unknown" in ended.stderr
    assert hint in ended.stderr
    assert check(paying, *IBAN, "--verifier", named, "--lines").code == 2


def test_a_built_in_one_stays_what_it_is(paying: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    offering(tmp_path, "x", "raise RuntimeError('loaded')", verifier_id="contract.schema")
    monkeypatch.syspath_prepend(str(tmp_path))
    ended = check(paying, *IBAN, *IBAN, "--verifier", "contract.schema", "--verifier", "json.object")
    assert ended.code == 0


def test_every_line(paying: Commands):
    Path("lines").write_text("\n".join(map(json.dumps, [VALID, WRONG, VALID])))
    arguments = ("check", "lines", "--contract", "c.json", "--lines")
    ended = paying.run(*arguments, *IBAN)
    assert ended.code == 1
    outcomes = [json.loads(line)["verdict"]["developer_fields"]["outcome"] for line in ended.stdout.splitlines()]
    assert outcomes == ["proved", "refuted", "proved"]
    assert paying.run(*arguments).code == 4


BROKEN = {
    "raises at import": ("raise RuntimeError('no licence')", 300.0, "RuntimeError: no licence"),
    "ends at import": ("import os; os._exit(0)", 300.0, "its process ended without an answer"),
    "hangs at import": ("import time; time.sleep(600)", 1.0, "it took longer than 1 seconds"),
    "is no verifier": ("class Verifier: pass", 300.0, "expected an object with a method"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_one_that_does_not_load(name: str, commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source, seconds, sentence = BROKEN[name]
    offering(tmp_path, "x", source)
    monkeypatch.syspath_prepend(str(tmp_path))
    load = verifiers.verifier_elsewhere
    monkeypatch.setattr(verifiers, "verifier_elsewhere", lambda verifier_id: load(verifier_id, seconds))
    contract_that_asks_for("broken")
    Path("out.json").write_text("{}")
    ended = check(commands, "--verifier", "broken")
    assert ended.code == 4
    assert sentence in " ".join(ended.stderr.split())
    assert "plugin_x" not in sys.modules


SPITEFUL = """
import os, sys
print("printed at import")
from probatum.verification import VerificationResult, VerificationStatus
import probatum.verification.decide as decide
decide.decide_results = None
class Verifier:
    def verify(self, input_obj, output_obj, context=None):
        if output_obj.get("does") == "ends":
            os._exit(0)
        if output_obj.get("does") == "hangs":
            import time; time.sleep(600)
        return VerificationResult(VerificationStatus.PASS, "broken", "fine")
"""


def test_what_one_does_to_its_process_does_nothing_here(
    commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    offering(tmp_path, "x", SPITEFUL)
    monkeypatch.syspath_prepend(str(tmp_path))
    contract_that_asks_for("broken", {"type": "object", "minProperties": 1})
    for does, code in [("nothing", 0), ("ends", 4)]:
        Path("out.json").write_text(json.dumps({"does": does}))
        ended = check(commands, "--verifier", "broken", "--json")
        assert ended.code == code, ended
        json.loads(ended.stdout)


def test_a_proof_is_replayed_with_the_verifiers_that_made_it(paying: Commands):
    reference = str(verdict(check(paying, *IBAN, "--json"))["proof_ref"])
    assert paying.run("proof", "recheck", reference).code == 0
    assert paying.run("proof", "recheck", reference, "--replay", *IBAN).code == 0
    missing = paying.run("proof", "recheck", reference, "--replay")
    assert missing.code == 1
    assert "It is installed and runs only where you name it: --verifier iso.iban" in " ".join(missing.stdout.split())
    unused = paying.run("proof", "recheck", reference, *IBAN)
    assert (unused.code, "option.without_replay" in unused.stderr) == (2, True)
    unused = paying.run("proof", "recheck", reference, "--python", sys.executable)
    assert (unused.code, "--python needs --replay" in unused.stderr) == (2, True)
    assert paying.run("proof", "recheck", reference, "--replay", "--verifier", "iso.ibam").code == 2


def test_a_bundle_is_replayed_with_them_too(paying: Commands):
    reference = str(verdict(check(paying, *IBAN, "--json"))["proof_ref"])
    assert paying.run("proof", "export", reference, "--out", "b.json").code == 0
    assert paying.run("proof", "recheck", "b.json", "--replay", *IBAN).code == 0
    assert paying.run("proof", "recheck", "b.json", "--replay").code == 1


PROGRAM = '''
def double(number: int) -> int:
    """
    >>> double(2)
    4
    >>> double(-3)
    -6
    >>> double(0)
    0
    """
    return number * 2
'''


def test_a_program_is_verified_deeply(commands: Commands):
    contract_that_asks_for("program.deep", {"type": "string", "minLength": 1})
    Path("out.json").write_text(json.dumps(PROGRAM))
    assert check(commands).code == 4
    good = check(commands, "--verifier", "program.deep", "--json")
    assert (good.code, verdict(good)["outcome"]) == (0, "tested")
    reference = str(verdict(good)["proof_ref"])
    assert commands.run("proof", "recheck", reference, "--replay", "--verifier", "program.deep").code == 0
    assert commands.run("proof", "recheck", reference, "--replay").code == 1
    Path("out.json").write_text(json.dumps(PROGRAM.replace("* 2", "* 3")))
    assert check(commands, "--verifier", "program.deep").code == 1
