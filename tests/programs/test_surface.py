"""What of a file is judged, named or left out: names of its own, what it exports, callables without a definition."""

from __future__ import annotations

import pytest

from probatum.programs.as_shown import as_shown
from probatum.programs.extract import extract_module
from probatum.programs.running.shown_names import Shown, ShownName
from probatum.programs.specification import Unread
from probatum.programs.units import units_of
from tests.programs.parsing import source_of

PARTS = """
import operator
from functools import partial
from json import loads

__all__ = ["_open", "_made", "TABLE"]
TABLE = {}
double = lambda number: 2 * number
half: object = partial(operator.mul, 0.5)
if TABLE:
    first = operator.itemgetter(0)
_made = lambda: 3
_hidden = lambda: 4
total = sum([1, 2])

def shown(number):
    return number

def _open(number):
    return number

def _closed(number):
    return number
"""


def test_what_the_file_exports_is_judged_and_callables_without_a_definition_are_named() -> None:
    units = units_of(extract_module(PARTS), None, None)
    assert [unit.qualname for unit in units] == ["shown", "_open"]
    assert [row.text for row in units[0].unreadable] == ["double", "_made"]
    [one] = units_of(extract_module(PARTS), "shown", None)
    assert not one.unreadable


def test_what_the_loaded_module_shows_settles_what_syntax_leaves_open() -> None:
    functions = [ShownName(name, True, True, "", name) for name in ("shown", "_open")]
    callables = [ShownName(name, True, False, "", "") for name in ("double", "half", "first", "_made", "late")]
    rows = [*functions, *callables, ShownName("total", False, False, "", "")]
    found = as_shown(source_of(PARTS), Shown({each.name: each for each in rows}))
    units = units_of(found.module, None, None)
    assert [row.text for row in units[0].unreadable] == ["double", "half", "first", "_made", "late"]


SESSION = '''
import math
from pkg.part import helper

def shown(number):
    """
    >>> {}
    """
    return number
'''


@pytest.mark.parametrize(
    ("session", "counts"),
    [
        ("shown(1)\n    1", True),
        ("x = shown(1)\n    >>> x\n    1", True),
        ("call = lambda number: shown(number)\n    >>> call(1)\n    1", True),
        ("helper(1)\n    1", True),
        ("from pkg.part import other\n    >>> other(1)\n    1", True),
        ("from statistics import shown\n    >>> shown(1)\n    1", True),
        ("1 == 1\n    True", False),
        ("len([1])\n    1", False),
        ("math.floor(1.5)\n    1", False),
        ("import json\n    >>> json.loads('1')\n    1", False),
        ("shown = 1\n    >>> shown\n    1", False),
        ("(lambda shown: 1)(2)\n    1", False),
    ],
)
def test_an_example_counts_where_it_uses_the_program(session: str, counts: bool) -> None:
    [unit] = units_of(extract_module(SESSION.format(session), "own", ["pkg", "pkg.part", "own"]), None, None)
    assert bool(unit.examples) is counts
    assert [row.why for row in unit.unreadable] == ([] if counts else [Unread.NOT_ITS_OWN])
