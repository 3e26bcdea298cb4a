"""Counters for faulty copies of one program: the same bytes as when every copy is read as a whole, only sooner."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.errors import NotAttemptedError
from probatum.programs.faults import counted_copies
from probatum.programs.faults.counted_copies import copy_with_work_limit
from probatum.programs.faults.mutants import plan_mutants
from probatum.programs.faults.work_limit import with_work_limit
from tests.programs.parsing import source_of
from tests.programs.planted_programs import NAMES, PROGRAMS

SHOP = '''"""A shop."""
from __future__ import annotations
import functools; import math

RATES = {"book": 7, "tool": 19}  # per cent
LIMIT = 3; MOST = 9


@functools.lru_cache
def net(price: int, kind: str = "tool") -> float:
    """Return the price without tax."""
    return sum(price for _ in range(1)) / (1 + RATES[kind] / 100)


class Basket(list[int]):
    """Holds prices."""

    size = 3; depth = [n for n in range(2)]

    def total(self):
        # All of them.
        return sum(each for each in self)

    @property
    def dear(self):
        while self and self[-1] < LIMIT:
            self.pop()
        return self

    def cheap(self): return [each for each in self if each < \\
        MOST]

if RATES:
    def last(prices):
        for price in prices:
            pass
        return price
else:
    last = max

def main(): print(net(3), """
    not code: for x in y
""")
'''
LAYOUTS = {
    "a shop": SHOP,
    "a shop with other line ends": SHOP.replace("\n", "\r\n"),
    "a shop without a last line end": SHOP.rstrip(),
    "a shop in another encoding": "# coding: latin-1\n" + SHOP.replace("shop", "café"),
    "lines that are shared": "x = 1; y = 2; \\\nz = 3\ndef f(): return [a for a in (x, y)]\nclass C: w = 4\n",
    "nothing but a function": "def f(x):\n    for y in x: pass\n    return y\n",
}
SPLICES = [
    "",
    "x",
    "\n",
    "    ",
    ";",
    "#",
    '"""',
    "if True:\n",
    "for x in y: z\n",
    "\\\n",
    ")",
    "é",
    "_probatum_work",
    "else:\n",
]


def outcome(count: object, *arguments: bytes, name: str) -> bytes | str:
    try:
        return count(*arguments, 50, fresh_for=name)  # type: ignore[operator,no-any-return]  # one of two functions
    except NotAttemptedError as error:
        return error.code


def encoded(name: str, text: str) -> bytes:
    return text.encode("latin-1" if "latin-1" in LAYOUTS[name] else "utf-8")


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(LAYOUTS)), st.data())
def test_any_change_gives_the_bytes_that_reading_the_whole_copy_gives(name: str, data: st.DataObject) -> None:
    text = LAYOUTS[name]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    copy = encoded(name, text[:start] + data.draw(st.sampled_from(SPLICES)) + text[end:])
    for function in ("net", "Basket"):
        expected = outcome(with_work_limit, copy, name=function)
        assert outcome(copy_with_work_limit, copy, encoded(name, text), name=function) == expected


@pytest.mark.parametrize("name", LAYOUTS)
def test_any_line_may_be_missing_or_come_twice(name: str) -> None:
    lines = LAYOUTS[name].splitlines(keepends=True)
    program = encoded(name, LAYOUTS[name])
    for number in range(len(lines)):
        for changed in (lines[:number] + lines[number + 1 :], lines[: number + 1] + lines[number:]):
            copy = encoded(name, "".join(changed))
            assert outcome(copy_with_work_limit, copy, program, name="net") == outcome(
                with_work_limit, copy, name="net"
            )


@pytest.mark.parametrize("name", PROGRAMS)
def test_planted_faults_are_counted_alike(name: str) -> None:
    program = (SHOP + PROGRAMS[name] + "\n\n" + SHOP).encode()
    for mutant in plan_mutants(source_of(PROGRAMS[name]), NAMES[name], limit=20, seed=0):
        copy = SHOP.encode() + mutant.source + b"\n\n" + SHOP.encode()
        expected = with_work_limit(copy, 50, fresh_for=NAMES[name])
        assert copy_with_work_limit(copy, program, 50, fresh_for=NAMES[name]) == expected


def test_a_change_far_down_is_all_that_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> bytes:
        raise AssertionError("the whole copy was read")

    monkeypatch.setattr(counted_copies, "with_work_limit", refuse)
    for before, after in (("(1)", "(2)"), ("each in self)", "each in ())"), ("price in prices", "price in [0]")):
        assert copy_with_work_limit(SHOP.replace(before, after).encode(), SHOP.encode(), 50, fresh_for="net")


def test_what_is_no_python_is_refused_as_ever() -> None:
    for copy, program in ((b"def f(:", b"x = 1"), (b"def f(:", b"def f(:"), (b"\xff\xfe", b"x = 1")):
        with pytest.raises(NotAttemptedError):
            copy_with_work_limit(copy, program, 50)
    assert copy_with_work_limit(b"x = 1\n", b"def f(:", 50) == with_work_limit(b"x = 1\n", 50)
    with pytest.raises(ValueError, match="at least 1"):
        copy_with_work_limit(b"x = 1", b"x = 2", 0)
