"""A verdict that rests on readings is admitted for these readings and this policy, and for no others."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from probatum.readings.notebook import write_notebook
from tests.cli.command import Commands
from tests.programs.readers import BAD, GOOD, GUARD, INPUTS, NET, REMARKED_NET, WRONG_NET, accepted, record

WEAKER = accepted(GOOD)
GATE = ("gate", "verdict.json", "--subject", "shop.py", "--acceptance", "self")


def _with_readings(folder: Path, *readings: object) -> None:
    (folder / "shop.readings.toml").write_text(write_notebook([record(*readings)]))  # type: ignore[arg-type]  # readings


@pytest.fixture
def verified(commands: Commands, tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_bytes(NET)
    _with_readings(tmp_path, *accepted(GOOD, GUARD))
    ended = commands.run("verify", "shop.py", "--json")
    assert ended.code == 0
    (tmp_path / "verdict.json").write_text(ended.stdout)
    return tmp_path


@pytest.mark.usefixtures("verified")
@pytest.mark.parametrize("options", [(), ("--allow-unchecked",), ("--recheck", "--replay")])
def test_what_was_verified_is_admitted(options: tuple[str, ...], commands: Commands) -> None:
    assert commands.run(*GATE, *options).code == 0


def test_other_readings_are_refused(commands: Commands, verified: Path) -> None:
    _with_readings(verified, *WEAKER)
    assert commands.run(*GATE).code == 1
    (verified / "shop.readings.toml").unlink()
    assert commands.run(*GATE).code == 1
    _with_readings(verified, *accepted(GOOD, GUARD))
    assert commands.run(*GATE).code == 0
    # What is only proposed takes no part.
    _with_readings(verified, *accepted(GOOD, GUARD), *WEAKER[:0])
    assert commands.run(*GATE).code == 0


@pytest.mark.usefixtures("verified")
@pytest.mark.parametrize("policy", ["proposed", "none"])
def test_another_policy_is_refused(policy: str, commands: Commands) -> None:
    assert commands.run(*GATE, "--readings-policy", policy).code == 1


def test_proposals_are_admitted_only_where_they_are_asked_for(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_bytes(NET)
    _with_readings(tmp_path, GOOD, GUARD)
    ended = commands.run("verify", "shop.py", "--readings-policy", "proposed", "--json")
    assert "nobody accepted" in json.loads(ended.stdout)["verdict"]["agent_message"]
    (tmp_path / "verdict.json").write_text(ended.stdout)
    assert commands.run(*GATE).code == 1
    assert commands.run(*GATE, "--readings-policy", "proposed").code == 0


def test_what_tolerates_unchecked_statements_is_admitted_only_where_that_is_asked_for(
    commands: Commands, tmp_path: Path
) -> None:
    (tmp_path / "shop.py").write_bytes(REMARKED_NET)
    _with_readings(tmp_path, *WEAKER)
    assert commands.run("verify", "shop.py").code == 3
    ended = commands.run("verify", "shop.py", "--allow-unchecked", "--json")
    verdict = json.loads(ended.stdout)["verdict"]
    assert ended.code == 0
    assert "One statement of the documentation was tolerated that nothing checks." in verdict["agent_message"]
    (tmp_path / "verdict.json").write_text(ended.stdout)
    refused = commands.run(*GATE)
    assert refused.code == 1
    assert "ask the gate with --allow-unchecked" in refused.stdout
    assert commands.run(*GATE, "--allow-unchecked", "--recheck", "--replay").code == 0
    [listed] = _decided(commands, verdict["proof_ref"])["unchecked"]
    assert "Rates are shares of one. (nothing checks it)" in listed


def _decided(commands: Commands, reference: str) -> dict[str, list[str]]:
    """Return what the decision of an artifact tells developers."""
    document = json.loads(commands.run("proof", "show", reference, "--json").stdout)
    fields: dict[str, list[str]] = document["decision"]["developer_fields"]
    return fields


def test_an_accepted_reading_refutes(commands: Commands, verified: Path) -> None:
    (verified / "shop.py").write_bytes(WRONG_NET)
    ended = commands.run("verify", "shop.py")
    assert ended.code == 1
    assert "net_price(20.0, 1.0)" in ended.stdout
    assert "read as: abs(result" in ended.stdout


def test_a_consensus_is_admitted_for_the_same_readers_and_policy_alone(commands: Commands, tmp_path: Path) -> None:
    again = replace(GOOD, clause="abs(gross - result * (1 + rate)) <= 1e-6 * max(1, abs(gross))")
    one = record(GOOD, GUARD, inputs=(*INPUTS, "(1.0, -0.5)"))
    two = replace(record(again, GUARD), reader="another")
    (tmp_path / "shop.py").write_bytes(NET)
    (tmp_path / "shop.readings.toml").write_text(write_notebook([one, two]))
    ended = commands.run("verify", "shop.py", "--readings-policy", "consensus:2", "--json")
    assert ended.code == 0
    (tmp_path / "verdict.json").write_text(ended.stdout)
    assert commands.run(*GATE, "--readings-policy", "consensus:2", "--recheck", "--replay").code == 0
    for policy in ("accepted", "proposed", "consensus:3"):
        assert commands.run(*GATE, "--readings-policy", policy).code == 1
    (tmp_path / "shop.readings.toml").write_text(write_notebook([one]))
    assert commands.run(*GATE, "--readings-policy", "consensus:2").code == 1


@pytest.mark.parametrize("policy", ["consensus", "consensus:1", "consensus:10", "consensus:2 ", "Consensus:2"])
def test_what_is_no_policy_is_refused(policy: str, commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_bytes(NET)
    ended = commands.run("verify", "shop.py", "--readings-policy", policy)
    assert ended.code == 2
    assert "accepted|consensus:N|proposed|none" in ended.stderr


def test_a_proposal_that_would_count_and_cannot_be_right_is_listed_with_its_reason(
    commands: Commands, tmp_path: Path
) -> None:
    (tmp_path / "shop.py").write_bytes(NET)
    (tmp_path / "shop.readings.toml").write_text(write_notebook([record(BAD, GUARD)]))
    ended = commands.run("verify", "shop.py", "--readings-policy", "proposed", "--verbose", "--json")
    assert ended.code == 3
    assert "does not count: the documented net_price(119.0, 0.19), which is 100.0, contradicts it" in ended.stdout


def test_a_proposal_that_has_lapsed_is_no_part_of_the_proof(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_bytes(NET)
    gone = replace(GOOD, statement="Words that are not there.")
    mine, another = record(*accepted(GOOD, GUARD)), replace(record(gone), reader="another")
    (tmp_path / "shop.readings.toml").write_text(write_notebook([mine, another]))
    (tmp_path / "verdict.json").write_text(commands.run("verify", "shop.py", "--json").stdout)
    assert commands.run(*GATE, "--recheck", "--replay").code == 0
