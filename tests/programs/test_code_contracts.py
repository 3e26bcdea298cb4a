"""Conditions written in Python: assertions, icontract, deal, PEP 316, limits in annotations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from probatum.programs.extract import extract_module
from probatum.programs.specification import FunctionSpec, Origin
from probatum.programs.units import units_of


@dataclass(frozen=True)
class Case:
    source: str
    required: list[str] = field(default_factory=list)
    promised: list[str] = field(default_factory=list)
    kind: str = ""


CASES: Mapping[str, Case] = {
    "assertions": Case(
        'def f(n, k):\n    """Do."""\n    assert n > 0, "positive"\n    assert 0 <= k < n\n    m = n\n'
        "    assert m > 1\n",
        ["n > 0", "0 <= k < n"],
        kind="assert",
    ),
    "assertion with a constant of the file": Case(
        "LIMIT = 10\ndef f(n):\n    assert n < LIMIT\n", ["n < 10"], kind="assert"
    ),
    "assertion with a function of the file": Case(
        "def odd(n):\n    return n % 2\ndef f(n):\n    assert odd(n)\n", ["odd(n)"], kind="assert"
    ),
    "assertion about something else": Case("import os\ndef f(n):\n    assert os.environ\n    assert not other(n)\n"),
    "assertion after a step": Case("def f(n):\n    n = abs(n)\n    assert n > 0\n"),
    "assertion right before the result": Case(
        "def f(n: int, xs: list):\n    assert n > 0\n    m = n + 1\n    assert m > n, 'grows'\n"
        "    assert m not in xs\n    return m\n",
        ["n > 0"],
        ["result > n", "result not in xs__after"],
        kind="assert",
    ),
    "assertion about a parameter that is returned": Case(
        "def f(xs):\n    xs.sort()\n    assert xs == sorted(xs)\n    return xs\n",
        [],
        ["result == sorted(result)"],
        kind="assert",
    ),
    "assertion before another way out": Case(
        "def f(n):\n    if n > 9:\n        return 9\n    m = n + 1\n    assert m > n\n    return m\n"
    ),
    "assertion about a local name": Case("def f(n):\n    low = n\n    m = n + 1\n    assert m > low\n    return m\n"),
    "assertion about a parameter that is bound again": Case(
        "def f(n):\n    n = abs(n)\n    m = n + 1\n    assert m > n\n    return m\n"
    ),
    "assertion before a last change": Case("def f(n):\n    m = n\n    assert m > 0\n    m += 1\n    return m\n"),
    "assertion of a generator": Case("def f(n):\n    m = n\n    yield m\n    assert m > 0\n    return m\n"),
    "assertion about a local name called result": Case(
        "def f(n):\n    result = n\n    m = n + 1\n    assert m > result\n    return m\n"
    ),
    "icontract": Case(
        "import icontract\n@icontract.require(lambda xs: len(xs) > 0)\n"
        "@icontract.ensure(lambda xs, result: result in xs)\n"
        "def f(xs):\n    return max(xs)\n",
        ["len(xs) > 0"],
        ["result in xs__after"],
        kind="icontract",
    ),
    "icontract by name, with a snapshot": Case(
        "from icontract import ensure, snapshot\n@snapshot(lambda xs: xs[:])\n"
        "@ensure(lambda OLD, xs: len(xs) == len(OLD.xs) + 1)\n"
        "def f(xs: list):\n    xs.append(1)\n",
        [],
        ["len(xs__after) == len(xs[:]) + 1"],
        kind="icontract",
    ),
    "icontract about immutable values": Case(
        "import icontract as ic\n@ic.ensure(lambda n, result: result > n)\ndef f(n: int) -> int:\n    return n + 1\n",
        [],
        ["result > n"],
        kind="icontract",
    ),
    "deal": Case(
        "import deal\n@deal.pre(lambda n: n > 0)\n@deal.pre(lambda _: _.n < 9)\n@deal.post(lambda r: r > 1)\n"
        "@deal.ensure(lambda _: _.result > _.n)\ndef f(n: int):\n    return n + 1\n",
        ["n > 0", "n < 9"],
        ["result > 1", "result > n"],
        kind="deal",
    ),
    "deal in a chain": Case(
        "import deal\n@deal.chain(deal.pre(lambda n: n > 0), deal.safe)\ndef f(n):\n    return n\n",
        ["n > 0"],
        kind="deal",
    ),
    "decorators of others": Case("import other\n@other.pre(lambda n: n > 0)\ndef f(n):\n    return n\n"),
    "named conditions": Case("import deal\n@deal.pre(check)\ndef f(n):\n    return n\n"),
    "PEP 316": Case(
        'def f(xs: list, n: int):\n    """Do.\n\n    pre: n > 0\n    post[xs]:\n        # a comment\n'
        '        len(xs) == len(__old__.xs) + n\n        __return__ > n\n    """\n',
        ["n > 0"],
        ["len(xs__after) == len(xs) + n", "result > n"],
        kind="pep316",
    ),
    "PEP 316 in words": Case('def f(n):\n    """Do.\n\n    post: the result is fine\n    """\n'),
    "literals": Case(
        'from typing import Literal\nMode = Literal["a", "b"]\ndef f(m: Mode, k: Literal[1, -1] | None):\n    pass\n',
        ["m in ('a', 'b',)", "k is None or k in (1, -1,)"],
        kind="annotation",
    ),
    "annotated types": Case(
        "from annotated_types import Gt, Len, MultipleOf\nfrom typing import Annotated\nLOW = 3\n"
        "def f(n: Annotated[int, Gt(LOW), MultipleOf(2)], xs: list[Annotated[int, Gt(0)]]) -> Annotated[int, Gt(0)]:\n"
        "    pass\n",
        ["n > 3", "n % 2 == 0", "all(each_ > 0 for each_ in xs)"],
        ["result > 0"],
        kind="annotation",
    ),
    "pydantic": Case(
        "from typing import Annotated\nfrom pydantic import Field, PositiveInt\n"
        "def f(s: Annotated[str, Field(min_length=1, max_length=9)], n: PositiveInt, "
        "k: 'Annotated[int, Field(ge=0)]'):\n    pass\n",
        ["len(s) >= 1", "len(s) <= 9", "n > 0", "k >= 0"],
        kind="annotation",
    ),
    "unknown markers": Case("from typing import Annotated\ndef f(n: Annotated[int, Own(0)], k: 'int'): ...\n"),
}


def last(source: str) -> FunctionSpec:
    return extract_module(source).functions[-1]


@pytest.mark.parametrize("name", CASES)
def test_conditions_in_code(name: str) -> None:
    case = CASES[name]
    function = last(case.source)
    assert [each.expression for each in function.preconditions] == case.required
    assert [each.expression for each in function.properties] == case.promised
    for clause in (*function.preconditions, *function.properties):
        assert (clause.source, clause.origin) == (case.kind, Origin.GROUND_TRUTH)
        assert clause.text in case.source


def test_documented_exceptions_of_deal() -> None:
    function = last("import deal\n@deal.raises(ValueError, KeyError)\ndef f(n):\n    pass\n")
    assert [(each.type_name, each.source) for each in function.raises] == [
        ("ValueError", "deal"),
        ("KeyError", "deal"),
    ]


def test_an_invariant_is_reported_as_unchecked() -> None:
    function = extract_module('class A:\n    """Do.\n\n    inv: self.n > 0\n    """\n').functions[0]
    assert [each.reason for each in function.unreadable] == ["an invariant of objects is not checked"]


def test_the_strongest_source_of_a_condition_counts() -> None:
    function = last('def f(n):\n    """\n    Requires:\n        n > 0\n    """\n    assert n > 0\n')
    assert [(each.id, each.expression, each.source) for each in function.preconditions] == [("r1", "n > 0", "assert")]


def test_methods_do_not_require_anything_of_self() -> None:
    function = last("class A:\n    def f(self, n):\n        assert n > 0\n        assert self.m\n")
    assert [each.expression for each in function.preconditions] == ["n > 0"]


def test_a_contract_in_python_states_conditions() -> None:
    module = extract_module("def f(n):\n    return n\n")
    stub = (
        'def f(n):\n    """Do.\n\n    Requires:\n        n > 0\n\n    Raises:\n        ValueError: If large.\n    """\n'
    )
    [unit] = units_of(module, None, stub)
    assert [(each.id, each.expression, each.source) for each in unit.preconditions] == [("r1", "n > 0", "contract")]
    assert [(each.id, each.type_name, each.source) for each in unit.raises] == [("x1", "ValueError", "contract")]


def test_deep_conditions_are_left_out() -> None:
    deep = "n" + " + n" * 150
    assert last(f"def f(n):\n    assert {deep} > 0\n").preconditions == ()
