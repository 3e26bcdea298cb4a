"""Files of tests against right and wrong programs: what plain pytest passes is never refuted, nothing bent is believed.

The control is plain pytest: it passes every right pair, fails the mistaken ones and believes most that forge.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from probatum.kinds.program.levels import policy_shortfalls
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.decide import EvidencePolicy, ProgramPolicy
from probatum.programs.loading import read_source
from probatum.programs.record import CheckRecord, CheckState, is_not_carried
from probatum.programs.running.execute import Benches
from probatum.programs.running.given_tests import GivenRun, run_given_tests
from probatum.programs.running.question import withheld
from probatum.programs.source import Source
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from probatum.sandbox import Program, Sandbox
from tests.attacks.right_under_tests import PAIRS as RIGHT
from tests.attacks.wrong_under_tests import FORGING, MISTAKEN
from tests.services import Service, tolerant

# Given tests that ask too little to fail; how much they notice decides about them.
SHARED, SPLIT = ProgramPolicy(), ProgramPolicy(evidence="split")
IDLE = frozenset({"a test that returns", "a test without assertions", "a test that swallows"})


@pytest.fixture(scope="module")
def benches() -> Iterator[Benches]:
    with Sandbox.open(hash_seed=0) as first, Sandbox.open(hash_seed=1) as second:
        yield Benches(first, second)


def _run(pair: tuple[str, str], benches: Benches, policy: ProgramPolicy = SPLIT) -> GivenRun:
    program = Program(pair[0].encode(), "subject")
    source = read_source(program)
    assert isinstance(source, Source)
    why = withheld(policy, source)
    run = run_given_tests(program, pair[1].encode(), source.module.defined, benches, withheld=why)
    assert len({record.id for record in run.records}) == len(run.records) > 0
    return run


def _records(pair: tuple[str, str], benches: Benches, policy: ProgramPolicy = SPLIT) -> tuple[CheckRecord, ...]:
    return _run(pair, benches, policy).records


@pytest.mark.sampled(15)
@pytest.mark.parametrize("name", RIGHT)
def test_what_plain_pytest_passes_holds_or_says_what_was_not_carried(name: str, benches: Benches) -> None:
    records = _records(RIGHT[name], benches)
    open_ones = [record for record in records if record.state is not CheckState.HOLDS]
    assert all(map(is_not_carried, open_ones)), [(each.text, each.observed, each.note) for each in open_ones]
    assert all("cannot cross" in record.note for record in open_ones)


@pytest.mark.sampled(15)
@pytest.mark.parametrize("name", MISTAKEN)
def test_a_mistake_is_seen_also_in_the_programs_own_process(name: str, benches: Benches) -> None:
    states = [record.state for record in _records(MISTAKEN[name], benches, SHARED)]
    assert set(states) - {CheckState.HOLDS}, states


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", sorted(FORGING.keys() - IDLE))
def test_nothing_bent_passes(name: str, benches: Benches) -> None:
    states = [record.state for record in _records(FORGING[name], benches)]
    assert set(states) - {CheckState.HOLDS} or name == "the program decides what is skipped", states


@pytest.mark.parametrize(
    ("name", "count", "why"),
    [
        ("tests that skip themselves", 6, "it is skipped, or marked to fail"),
        ("tests that ask nothing", 2, "nothing of the program runs in it"),
    ],
)
def test_what_is_no_evidence_is_named_and_the_others_decide(name: str, count: int, why: str, benches: Benches) -> None:
    run = _run(RIGHT[name], benches)
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
    states = {record.text: record.state for record in _records(STORED, benches)}
    assert states == dict.fromkeys(("test_start", "test_started"), CheckState.UNDECIDED)


SHOWN = {
    "alone in pytest it is right": "it sees pytest beside it",
    "so is what looks for its variable": "it sees the variable of pytest",
    "and what walks the stack": "it sees the file of tests on the stack",
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_right_beside_its_tests_alone_never_counts(name: str, benches: Benches) -> None:
    records = _records(FORGING[SHOWN[name]], benches, SHARED)
    assert {record.state for record in records} == {CheckState.UNDECIDED}
    assert all("one of the two was bent" in record.note for record in records)


@pytest.mark.sampled(16)
@pytest.mark.parametrize(("name", "evidence"), [(name, each) for name in FORGING for each in EvidencePolicy])
def test_no_wrong_program_is_verified(name: str, evidence: EvidencePolicy) -> None:
    with Service(MemoryStore()) as service:
        source, tests = FORGING[name]
        answer = service.verify_program(
            tolerant(source.encode(), "subject.py", tests=tests.encode(), evidence=evidence)
        )
    assert answer.verdict.proof_ref is None, answer.verdict


IN_ITS_PROCESS = ProgramRequest(
    RIGHT["monkeypatch of a constant"][0].encode(),
    "subject.py",
    tests=RIGHT["monkeypatch of a constant"][1].encode(),
    allow_unchecked=True,
)


def test_what_ran_in_the_programs_own_process_says_so_and_a_gate_can_refuse_it() -> None:
    store = MemoryStore()
    with Service(store) as service:
        verdict = service.verify_program(IN_ITS_PROCESS).verdict
        assert verdict.constraint_id == "program.tested_shared_unchecked"
        assert "in the program's own process" in verdict.agent_message
        assert verdict.developer_fields["evidence"] == "shared"
        assert verdict.proof_ref is not None
        assert b'"evidence":"shared"' in store.fetch(verdict.proof_ref)
        admitted = recheck(verdict.proof_ref, store, service.recheckers(), replay=True)
        split = service.verify_program(replace(IN_ITS_PROCESS, evidence=EvidencePolicy.SPLIT)).verdict
    assert admitted.holds, admitted
    assert split.constraint_id == "program.tests_not_carried"
    assert policy_shortfalls(SHARED.to_json(), SPLIT)


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
