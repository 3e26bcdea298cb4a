"""Law 7. Any bytes in give a verdict or a named error with a code; never a traceback, never a hang."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import parse_layer
from probatum.core.errors import ProbatumError
from probatum.programs.record import FunctionRecord
from probatum.proof.artifact import parse_artifact
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from tests.core.strategies import JSON, JSON_OBJECTS
from tests.laws.programs import SOUND
from tests.proof.sample import RECHECKERS, sample_artifact
from tests.services import Level, ProgramRequest, Service

EXIT_CODES = {0, 1, 3, 4}


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with Service(MemoryStore()) as opened:
        yield opened


def assert_answers(service: Service, source: bytes) -> None:
    answer = service.verify_program(ProgramRequest(source, "any.py", level=Level.QUICK))
    assert answer.exit_code in EXIT_CODES
    assert answer.verdict.constraint_id
    assert DiagnosticResult.from_dict(answer.verdict.to_dict()) == answer.verdict
    assert answer.verdict.constraint_id != "verifier.fault", answer.verdict


SOURCES = {
    "nothing": b"",
    "a null byte": b"x = 1\0",
    "all bytes": bytes(range(256)),
    "a byte order mark": b"\xef\xbb\xbf" + SOUND,
    "an unknown encoding": b"# coding: klingon\nx = 1\n",
    "latin-1 without saying so": "x = '\u00e9'".encode("latin-1"),
    "a lone surrogate": b"def f():\n    '''>>> f()\n    '\\ud800'\n    '''\n    return '\\ud800'\n",
    "10,000 brackets": b"x = " + b"(" * 10_000 + b")" * 10_000,
    "10,000 minus signs": b"x = " + b"-" * 10_000 + b"1",
    "an integer of 10,000 digits": b"def f():\n    '''>>> f()\n    1\n    '''\n    return " + b"9" * 10_000,
    "a value nested 500 deep": (
        b"def f():\n    '''>>> f()\n    1\n    '''\n    x = []\n    for _ in range(500):\n        x = [x]\n"
        b"    return x\n"
    ),
    "a cyclic value": b"def f():\n    '''>>> f()\n    1\n    '''\n    x = []\n    x.append(x)\n    return x\n",
    "a name of 10,000 letters": b"def " + b"f" * 10_000 + b"():\n    '''>>> 1\n    1\n    '''\n",
    "a name in other letters": "def größe():\n    '''>>> größe()\n    1\n    '''\n    return 1\n".encode(),
    "a value that is no number": b"def f():\n    '''>>> f()\n    nan\n    '''\n    return float('nan')\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_hostile_source(name: str, service: Service):
    assert_answers(service, SOURCES[name])


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=st.binary(max_size=200))
def test_any_bytes(source: bytes, service: Service):
    assert_answers(service, source)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_sound_source_with_any_damage(service: Service, data: st.DataObject):
    start = data.draw(st.integers(0, len(SOUND)))
    length = data.draw(st.integers(0, 12))
    assert_answers(service, SOUND[:start] + data.draw(st.binary(max_size=6)) + SOUND[start + length :])


@given(JSON)
def test_any_json_as_a_verdict(data: JsonValue):
    with pytest.raises(ValueError):
        DiagnosticResult.from_dict(data)


@given(JSON_OBJECTS)
def test_any_json_as_a_record(data: dict[str, JsonValue]):
    with pytest.raises(ValueError):
        FunctionRecord.from_json(data)


@given(st.binary(max_size=300))
def test_any_bytes_as_an_artifact(content: bytes):
    with pytest.raises(ProbatumError) as caught:
        parse_artifact(content)
    assert caught.value.code.startswith("artifact.")


@given(st.text(max_size=80))
def test_any_text_as_a_reference_or_a_layer(text: str):
    assert not recheck(text, MemoryStore(), RECHECKERS).holds
    with pytest.raises(ProbatumError):
        parse_layer(text + "?")


ENTRIES = sorted(sample_artifact())


@settings(max_examples=200)
@given(st.sampled_from(ENTRIES), JSON)
def test_any_json_in_any_entry_of_an_artifact_gives_a_report(entry: str, value: JsonValue):
    store = MemoryStore()
    ref = store.retain(canonical_bytes({**sample_artifact(), entry: value}))
    report = recheck(ref, store, RECHECKERS, replay=True)
    assert not report.holds
    assert report.failure.detail
