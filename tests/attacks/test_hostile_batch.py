"""A batch with hostile programs in it: every other request is answered, and a hostile one never passes or fails.

The programs give answers that are small to write and dear to read, or are dear to read themselves. Each is right about
what it documents, so nothing may refute it; what it answers beyond that nobody can look at, so nothing verifies it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

PLAIN: Final = '''def add(a: int, b: int) -> int:
    """
    >>> add(1, 2)
    3
    >>> add(5, -7)
    -2
    >>> add(0, 0)
    0
    """
    return a + b
'''


def hostile(body: str, documented: str = "[]", head: str = "") -> str:
    """Return a program that gives what is documented for 0, and for everything else what the body makes."""
    doc = f'    """\n    >>> make(0)\n    {documented}\n    """\n'
    start = f"    if n == 0:\n        return {documented}\n"
    return f"{head}def make(n: int):\n{doc}{start}{body}"


HOSTILE: Final[Mapping[str, str]] = {
    "doubled forty times": hostile("    x = []\n    for _ in range(40):\n        x = [x, x]\n    return x\n"),
    "doubled tuples": hostile("    x = ()\n    for _ in range(40):\n        x = (x, x)\n    return x\n", "()"),
    "doubled in dictionaries": hostile(
        "    x = {}\n    for _ in range(40):\n        x = {1: x, 2: x}\n    return x\n", "{}"
    ),
    "one row in every place": hostile("    return [tuple(range(5000))] * 5000\n"),
    "a list that holds itself": hostile("    x = []\n    x.extend([x] * 5000)\n    return x\n"),
    "floats that are nearly equal": hostile("    return {1 + k * 2.0**-52 for k in range(20000)}\n", "{1.0}"),
    "whole numbers with one hash": hostile("    return {k * (2**61 - 1) for k in range(1, 3000)}\n", "{0}"),
    "a huge fraction": hostile(
        "    return Fraction(3**200000, 2**200000)\n", "Fraction(1, 1)", "from fractions import Fraction\n\n"
    ),
    "a huge number": hostile("    return 1 << 4000000\n", "0"),
    "a huge decimal": hostile(
        "    return Decimal('1E+999999999') + n\n", "Decimal('0')", "from decimal import Decimal\n\n"
    ),
    "a text without end": hostile("    return 'ab' * 10**8\n", "''"),
    "a source that is one long sum": hostile("    return [" + "+".join(["n"] * 30000) + "]\n"),
    "a source of many branches": hostile(
        "".join(f"    if n == {k}:\n        n += 0\n" for k in range(2000)) + "    return [[]] * (n > 2000)\n"
    ),
    "a source that grows when it is changed": hostile(
        "".join(f"    n = n + {k} - {k}\n" for k in range(3000)) + "    return [tuple(range(5000))] * 5000\n"
    ),
}


def pairs() -> Iterator[tuple[str, str]]:
    """Yield every hostile program once, two at a time."""
    names = iter(HOSTILE)
    yield from zip(names, names, strict=True)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("two", list(pairs()), ids=" and ".join)
def test_two_hostile_programs_among_five_requests(two: tuple[str, str], tmp_path: Path) -> None:
    asked = {two[0]: HOSTILE[two[0]], two[1]: HOSTILE[two[1]], "a": PLAIN, "b": PLAIN, "c": PLAIN}
    requests, answers = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = (json.dumps({"id": name, "kind": "program", "source": source}) for name, source in asked.items())
    requests.write_text("".join(f"{line}\n" for line in lines))
    command = [sys.executable, "-m", "probatum", "batch", str(requests), str(answers), "--workers", "2"]
    done = subprocess.run(
        [*command, "--store", str(tmp_path / "store")], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in answers.read_text().splitlines()]
    statuses = {answer["id"]: answer["verdict"]["status"] for answer in told}
    outcomes = {answer["id"]: answer["verdict"]["developer_fields"]["outcome"] for answer in told}
    assert len(told) == len(asked)
    assert {statuses[name] for name in "abc"} == {"VERIFIED"}
    assert {outcomes[name] for name in two} <= {"undecided", "not_attempted"}, told
