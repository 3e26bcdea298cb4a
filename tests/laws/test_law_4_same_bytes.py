"""Law 4. The proof artifact depends on subject, contract, evidence, policy, versions and seed alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from probatum.core.canonical import canonical_bytes
from probatum.core.subject import PYTHON, Subject
from probatum.kinds.program.proof import contract_content, program_account, verifier_versions
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.decide import decide_function
from probatum.programs.record import FunctionRecord
from probatum.proof.account import proof_of
from probatum.proof.stores import MemoryStore
from probatum.sandbox import own_environment
from tests.laws.programs import SOUND, asked
from tests.laws.records import ANY_RECORD, EARNED, LENIENT
from tests.proof.sample import SUBJECT, observed, sample_bytes

ELSEWHERE = """
import sys
from pathlib import Path
import probatum
from probatum.proof.stores import MemoryStore
verdict = probatum.verify_program(Path(sys.argv[1]).read_bytes(), "clamp", name="clamp.py", store=MemoryStore())
print(verdict.proof_ref)
"""


def reference_elsewhere(program: Path, hash_seed: str, zone: str) -> str:
    surroundings = {**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone, "LC_ALL": "C"}
    command = [sys.executable, "-c", ELSEWHERE, str(program)]
    ran = subprocess.run(
        command, cwd=program.parent, env=surroundings, capture_output=True, text=True, check=True, timeout=600
    )
    return ran.stdout.strip()


def test_other_processes_hash_seeds_zones_and_folders_give_the_same_proof(tmp_path: Path):
    program = tmp_path / "clamp.py"
    program.write_bytes(SOUND)
    here = asked().verdict.proof_ref
    assert here is not None
    assert reference_elsewhere(program, "1", "Asia/Tokyo") == here
    assert reference_elsewhere(program, "4242", "America/Lima") == here


def keys_of(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def test_no_time_host_or_advice_stands_in_an_artifact():
    store = MemoryStore()
    verdict = asked(store=store).verdict
    artifact = json.loads(store.fetch(verdict.proof_ref))
    assert not keys_of(artifact) & {
        "duration_ms",
        "time",
        "date",
        "timestamp",
        "host",
        "user",
        "advisory_checks",
        "pid",
    }


def artifact_of(record: FunctionRecord, source: bytes = SOUND) -> bytes:
    decision = decide_function(record, LENIENT)
    subject = Subject(source, PYTHON, "clamp.py")
    versions = verifier_versions(own_environment())
    contract = contract_content(ProgramRequest(source, "clamp.py"))
    return proof_of("program", program_account(contract, [record], LENIENT, decision, versions), subject)


def test_each_input_of_a_proof_changes_its_bytes():
    whole = sample_bytes()
    other = {
        "subject": Subject(SUBJECT.content + b"#", PYTHON, SUBJECT.name),
        "claim": "add adds.",
        "seed": 1,
        "assumptions": [],
        "observations": observed((1, 2, 3), (5, 5, 10)),
    }
    changed = {name: sample_bytes(**{name: value}) for name, value in other.items()}
    assert len({whole, *changed.values()}) == 1 + len(other)


def test_the_same_record_gives_the_same_artifact():
    assert artifact_of(EARNED) == artifact_of(EARNED)
    assert artifact_of(EARNED) != artifact_of(EARNED, SOUND + b"\n")


@given(ANY_RECORD)
def test_a_record_is_one_json_value_and_is_read_back_from_it(record: FunctionRecord):
    shown = record.to_json()
    again = FunctionRecord.from_json(shown)
    assert again == record
    assert canonical_bytes(again.to_json()) == canonical_bytes(shown)


@given(ANY_RECORD, st.integers(1, 3))
def test_deciding_again_is_the_same_computation(record: FunctionRecord, times: int):
    decided = decide_function(record, LENIENT)
    for _ in range(times):
        record = FunctionRecord.from_json(json.loads(canonical_bytes(record.to_json())))
    assert decide_function(record, LENIENT) == decided
