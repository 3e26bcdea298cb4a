"""What Python callers reach: each argument does what the option of the command does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from probatum import DiagnosticResult, check_output, load_contract_spec, verify_program
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.proof.stores import MemoryStore

DOUBLE = """
def double(n: int) -> int:
    \"\"\"
    >>> double(3)
    6
    >>> double(-2)
    -4
    >>> double(0)
    0
    \"\"\"
    return n * 2
"""
TESTS = "from artifact import double\n\n\ndef test_double():\n    assert double(5) == 11\n"
EARLIER = DOUBLE.replace("return n * 2", "return n * 2 if n < 50 else 7")
WORDED = DOUBLE.replace('"""\n', '"""Return a number twice.\n\n', 1)
IMPORTS = DOUBLE.replace("return n * 2", "return n * TWO").replace(
    "\ndef", "from numbers_of_mine import TWO\n\n\ndef", 1
)


def verified(**given: Any) -> DiagnosticResult:
    source = given.pop("source", DOUBLE)
    return verify_program(source, store=MemoryStore(), **given)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        ({}, "tested"),
        ({"function": "double"}, "tested"),
        ({"contract": "double(4) == 9"}, "refuted"),
        ({"contract": b"double(4) == 9"}, "refuted"),
        ({"source": bytearray(DOUBLE.encode())}, "tested"),
        pytest.param({"source": memoryview(DOUBLE.encode())}, "tested", id="a view of bytes"),
        ({"tests": TESTS}, "refuted"),
        ({"tests": TESTS.encode()}, "refuted"),
        ({"against": EARLIER}, "tested"),
        ({"against": EARLIER, "refactor": True}, "refuted"),
        ({"against": DOUBLE.replace("n * 2", "n + n")}, "tested"),
        ({"against": DOUBLE}, "undecided"),
        ({"level": "quick"}, "undecided"),
        ({"min_strength": 1.0}, "tested"),
        ({"source": WORDED}, "undecided"),
        ({"source": WORDED, "allow_unchecked": True}, "tested"),
        ({"source": IMPORTS}, "not_attempted"),
        ({"source": IMPORTS, "siblings": {"numbers_of_mine": "TWO = 2\n"}}, "tested"),
        ({"source": IMPORTS, "siblings": {"numbers_of_mine": b"TWO = 3\n"}}, "refuted"),
        ({"source": "x = '\ud800'"}, "not_attempted"),
    ],
    ids=str,
)
def test_verify_program_takes_what_the_command_takes(given: dict[str, Any], outcome: str) -> None:
    assert verified(**given).outcome == outcome


@pytest.mark.parametrize(
    "given",
    [{"level": "fast"}, {"min_strength": 2}, {"function": "treble"}, {"readings_policy": "all"}, {"python": "nowhere"}],
    ids=str,
)
def test_verify_program_refuses_what_the_command_refuses(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        verified(**given)


WRONG: dict[str, tuple[object, ...]] = {
    "source": (None, 3, [], {}),
    **dict.fromkeys(("contract", "tests", "against"), (3, [], True)),
    "function": (3, b"double", ""),
    "name": (5, None, b"a.py", "", "\ud800.py"),
    "level": (None, [], 1),
    "min_strength": ("0.7", True, None, float("nan")),
    "evidence": (None, [], 1),
    "allow_unchecked": ("no", 1, None),
    "readings": (3, True, {1, 2}),
    "readings_policy": (None, 1, []),
    "python": (3, b"python", []),
    "listener": ("print", 3, []),
    "siblings": (None, "x", [("x", "y")], {"x": 1}, {1: "x"}, {"../x": ""}, {"\ud800": ""}),
    "store": ("s", "", 5, {}, [], Path()),
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_wrong_type_is_wrong_usage_and_no_verdict(name: str, value: Any) -> None:
    with pytest.raises(UsageError) as caught:
        verify_program(**{"source": DOUBLE, "store": MemoryStore(), name: value})
    assert name in {"function", "min_strength"} or caught.value.code == "request.invalid"
    if name in {"name", "store"}:
        with pytest.raises(UsageError, match=name):
            check_output(**{"output": "{}", "contract": SCHEMA, "store": MemoryStore(), name: value})


def test_a_contract_that_is_no_text_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="not UTF-8"):
        verified(contract=b"\xff")


@dataclass
class Total:
    total: int


SCHEMA: dict[str, Any] = {"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]}
GATE = {"yes": True, "confidence": 0.9, "reason": "It rains."}


@pytest.mark.parametrize(
    ("output", "contract", "outcome"),
    [
        ('{"total": 4}', SCHEMA, "proved"),
        (b'{"total": 4}', SCHEMA, "proved"),
        (bytearray(b'{"total": 4}'), SCHEMA, "proved"),
        pytest.param(memoryview(b'{"total": 4}'), SCHEMA, "proved", id="a view of bytes"),
        ({"total": 4}, SCHEMA, "proved"),
        ({"total": 4}, Total, "proved"),
        ({"total": 4}, {"output_schema": SCHEMA}, "proved"),
        ("4", {"type": "nonsense"}, "not_attempted"),
        ('{"total": "4"}', SCHEMA, "refuted"),
        (None, SCHEMA, "refuted"),
        ("", SCHEMA, "refuted"),
        ({"total": 4}, {}, "undecided"),
        (GATE, "llm_boolean_gate", "proved"),
        (GATE, load_contract_spec("llm_boolean_gate"), "proved"),
    ],
    ids=str,
)
def test_check_output_takes_answers_and_contracts(output: object, contract: object, outcome: str) -> None:
    assert check_output(output, contract, store=MemoryStore()).outcome == outcome


def test_check_output_reads_a_contract_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "total.json"
    path.write_text('{"type": "integer"}')
    assert check_output(4, path, store=MemoryStore()).is_verified
    assert check_output(4, str(path), store=MemoryStore()).is_verified


@pytest.mark.parametrize(
    ("output", "contract", "error"),
    [
        ({"a": {1, 2}}, SCHEMA, UsageError),
        (float("nan"), SCHEMA, UsageError),
        ("4", "no_such_contract", UsageError),
        ("4", "", UsageError),
        ("4", {"output_schema": SCHEMA, "retry": 1}, NotAttemptedError),
        ("4", 7, UsageError),
    ],
    ids=str,
)
def test_check_output_refuses_by_name(output: object, contract: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        check_output(output, contract, store=MemoryStore())


def test_an_input_is_judged_with_the_output() -> None:
    contract = {"input_schema": {"type": "object", "required": ["question"]}, "output_schema": SCHEMA}
    assert check_output({"total": 4}, contract, input={"question": "?"}, store=MemoryStore()).is_verified
    assert check_output({"total": 4}, contract, input={}, store=MemoryStore()).outcome == "undecided"
