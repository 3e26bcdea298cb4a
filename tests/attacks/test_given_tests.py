"""Files of tests against right and wrong programs: what plain pytest passes is never refuted, nothing bent is believed.

The control is plain pytest: it passes every right pair, fails the mistaken ones and believes most that forge.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from probatum.core.command import Given
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.loading import read_source
from probatum.programs.record import CheckRecord, CheckState, is_not_carried
from probatum.programs.running.execute import Benches
from probatum.programs.running.given_tests import GivenRun, run_given_tests
from probatum.programs.source import Source
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from probatum.sandbox import Program, Sandbox
from tests.attacks.right_under_tests import PAIRS as RIGHT
from tests.attacks.wrong_under_tests import FORGING, MISTAKEN
from tests.services import Service, tolerant

# Given tests that ask too little to fail; how much they notice decides about them.
IDLE = frozenset({"a test that returns", "a test without assertions", "a test that swallows"})


@pytest.fixture(scope="module")
def benches() -> Iterator[Benches]:
    with Sandbox.open(hash_seed=0) as first, Sandbox.open(hash_seed=1) as second:
        yield Benches(first, second)


def _run(pair: tuple[str, str], benches: Benches, *, trusted: bool) -> GivenRun:
    program = Program(pair[0].encode(), "subject")
    source = read_source(program)
    assert isinstance(source, Source)
    run = run_given_tests(program, pair[1].encode(), source.module.defined, benches, trusted=trusted)
    assert len({record.id for record in run.records}) == len(run.records) > 0
    return run


def _records(pair: tuple[str, str], benches: Benches, *, trusted: bool) -> tuple[CheckRecord, ...]:
    return _run(pair, benches, trusted=trusted).records


@pytest.mark.sampled(15)
@pytest.mark.parametrize("name", RIGHT)
def test_what_plain_pytest_passes_holds_or_says_what_was_not_carried(name: str, benches: Benches) -> None:
    records = _records(RIGHT[name], benches, trusted=False)
    open_ones = [record for record in records if record.state is not CheckState.HOLDS]
    assert all(map(is_not_carried, open_ones)), [(each.text, each.observed, each.note) for each in open_ones]
    assert all("cannot carry" in record.note for record in open_ones)


@pytest.mark.sampled(15)
@pytest.mark.parametrize("name", MISTAKEN)
def test_a_mistake_is_seen_also_where_the_file_is_trusted(name: str, benches: Benches) -> None:
    states = [record.state for record in _records(MISTAKEN[name], benches, trusted=True)]
    assert set(states) - {CheckState.HOLDS}, states


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", sorted(FORGING.keys() - IDLE))
def test_nothing_bent_passes(name: str, benches: Benches) -> None:
    states = [record.state for record in _records(FORGING[name], benches, trusted=False)]
    assert set(states) - {CheckState.HOLDS} or name == "the program decides what is skipped", states


@pytest.mark.parametrize(
    ("name", "count", "why"),
    [
        ("tests that skip themselves", 6, "it is skipped, or marked to fail"),
        ("tests that ask nothing", 2, "nothing of the program runs in it"),
    ],
)
def test_what_is_no_evidence_is_named_and_the_others_decide(name: str, count: int, why: str, benches: Benches) -> None:
    run = _run(RIGHT[name], benches, trusted=False)
    assert {record.state for record in run.records} == {CheckState.HOLDS}
    assert len(run.aside) == count
    assert all(f"does not count: {why}" in sentence for sentence in run.aside)


STORED = (
    """
import subprocess
RATE = 20
STARTED = None

def start():
    global STARTED
    try:
        STARTED = subprocess.run(["true"]).returncode == 0
    except OSError:
        STARTED = False
    return RATE

def is_started():
    return STARTED
""",
    """
import artifact

def test_start(monkeypatch):
    monkeypatch.setattr(artifact, "RATE", 0)
    assert artifact.start() == 0

def test_started():
    assert artifact.is_started()
""",
)


def test_what_a_test_that_is_not_carried_met_refutes_no_later_one(benches: Benches) -> None:
    states = {record.text: record.state for record in _records(STORED, benches, trusted=False)}
    assert states == dict.fromkeys(("test_start", "test_started"), CheckState.UNDECIDED)


SHOWN = {
    "alone in pytest it is right": "it sees pytest beside it",
    "so is what looks for its variable": "it sees the variable of pytest",
    "and what walks the stack": "it sees the file of tests on the stack",
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_right_beside_its_tests_alone_is_not_even_trusted(name: str, benches: Benches) -> None:
    records = _records(FORGING[SHOWN[name]], benches, trusted=True)
    assert {record.state for record in records} == {CheckState.UNDECIDED}
    assert all("one of the two was bent" in record.note for record in records)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("name", FORGING)
def test_no_wrong_program_is_verified(name: str) -> None:
    with Service(MemoryStore()) as service:
        source, tests = FORGING[name]
        answer = service.verify_program(tolerant(source.encode(), "subject.py", tests=tests.encode()))
    assert answer.verdict.proof_ref is None, answer.verdict


TRUSTED = ProgramRequest(
    RIGHT["monkeypatch of a constant"][0].encode(),
    "subject.py",
    tests=RIGHT["monkeypatch of a constant"][1].encode(),
    trusts_tests=True,
    allow_unchecked=True,
)


def test_what_rests_on_trust_says_so_and_needs_a_gate_that_was_asked_likewise() -> None:
    store = MemoryStore()
    with Service(store) as service:
        verdict = service.verify_program(TRUSTED).verdict
        assert verdict.constraint_id == "program.tested_beside_unchecked"
        assert "not forge-resistant" in verdict.agent_message
        assert verdict.developer_fields["forge_resistant"] is False
        assert verdict.proof_ref is not None
        assert b'"trusts_tests":true' in store.fetch(verdict.proof_ref)
        refused = recheck(verdict.proof_ref, store, service.recheckers())
        asked = service.recheckers(Given(options={"trust-tests": True, "allow-unchecked": True}))
        admitted = recheck(verdict.proof_ref, store, asked, replay=True)
    assert admitted.holds, admitted
    assert refused.holds, "what is recorded is whole; only a gate demands more"


CONTROLS = {
    **{f"right: {name}": (pair, True) for name, pair in RIGHT.items()},
    **{f"mistaken: {name}": (pair, False) for name, pair in MISTAKEN.items()},
}


@pytest.mark.long
@pytest.mark.parametrize("name", CONTROLS)
def test_the_control_is_plain_pytest(name: str, tmp_path: Path) -> None:
    (source, tests), passes = CONTROLS[name]
    (tmp_path / "artifact.py").write_text(source)
    (tmp_path / "subject.py").write_text("from artifact import *\n")
    (tmp_path / "test_given.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "test_given.py"]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False, text=True)
    assert (done.returncode == 0) is passes, done.stdout
