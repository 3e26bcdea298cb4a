"""The 38 attacks on the verdict, each with a test: a function `test_attack_NUMBER_…`, or a row `attack NUMBER …`.

A row is a key of a table that a test is parametrised by. Refuses a number without a test.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.house.sources import ROOT

ATTACKS: Mapping[int, str] = {
    1: "VERIFIED without a proof",
    2: "a proof that is text, but no digest",
    3: "a proof that is no text",
    4: "the status as plain text, without a proof",
    5: "a status that is none of the three",
    6: "the status as plain text, with a proof",
    7: "attributes set and deleted",
    8: "an object bent past its checks",
    9: "an unverifiable verdict replaced by a verified one",
    10: "fields replaced under the old proof",
    11: "`__new__` and pickle",
    12: "a subclass without the checks",
    13: "a dictionary with a made-up proof",
    14: "a dictionary with tampered fields and the true proof",
    15: "a dictionary that lies about authority, or holds an unknown key",
    16: "a dictionary with wrong types inside",
    17: "the caller's dictionary changed afterwards",
    18: "fields changed in place",
    19: "changes through copies and through to_dict",
    20: "evidence of nothing",
    21: "evidence that contradicts the message",
    22: "numbers that JSON does not have",
    23: "values that JSON does not have",
    24: "nesting without end",
    25: "values that look alike",
    26: "numbers and texts that are equal in one sense only",
    27: "a lone surrogate",
    28: "a message that leaks or says nothing",
    29: "advice that is more than advice",
    30: "an object that only looks like a verdict",
    31: "the reference of nothing, for the signer",
    32: "a layer swapped under a valid signature",
    33: "equality and hash with advice",
    34: "an attestation of what failed, with a confidence",
    35: "a token without, with another, or with a bent signature",
    36: "two subjects with opposite claims and the same evidence",
    37: "two runs that the same words describe",
    38: "rows deleted from the log",
}

_FUNCTION = re.compile(r"test_attack_(\d+)_")
_ROW = re.compile(r"attack (\d+) ")


def _named(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and (match := _FUNCTION.match(node.name)):
            yield int(match[1]), node.name
        elif isinstance(node, ast.Dict):
            for key in node.keys:
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and (match := _ROW.match(key.value)):
                    yield int(match[1]), key.value


@cache
def _tests() -> Mapping[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if "corpus" not in path.parts:
            for number, name in _named(path):
                found[number].append(f"{path.relative_to(ROOT).as_posix()}: {name}")
    return found


@pytest.mark.parametrize("number", ATTACKS)
def test_every_attack_has_a_test(number: int) -> None:
    assert _tests().get(number), f"attack {number} has no test: {ATTACKS[number]}"


def test_no_test_names_an_attack_that_is_not_listed() -> None:
    assert list(ATTACKS) == list(range(1, 39))
    assert {number: names for number, names in _tests().items() if number not in ATTACKS} == {}
