"""The subset of Python that readings are written in: what is allowed, and what is refused with which words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.readings.documented import Documentation
from probatum.readings.rules import SubsetError
from probatum.readings.subset import (
    Around,
    refusals,
    require_clause,
    require_helpers,
    require_input,
    require_reference,
)
from probatum.readings.values import Reading, ReadingKind, ReadingRecord

HELPERS = "import math\nfrom statistics import median\n\nLIMIT = 3\n\ndef half(x):\n    return x / 2\n"
DOCUMENTED = Documentation(
    "f", (), "", "", "", ("xs", "k"), frozenset({"Stack", "push", "stack", "json"}), frozenset({"Stack", "push"})
)
AROUND = Around.of(DOCUMENTED, HELPERS)
OF_X = replace(DOCUMENTED, parameters=("x",), usable=frozenset())

SESSION = """s = Stack(); s.push(1)
try:
    s.pop(2)
    ok = False
except IndexError:
    ok = True
assert ok"""
FAILING = """try:
    Stack().pop()
except IndexError:
    pass
else:
    assert False, 'no exception'"""
DOUBLE = """class Clock:
    now = 3
    def time(self):
        return self.now
assert Stack(Clock()).at == 3"""
LOOP = """import asyncio
async def job():
    await asyncio.sleep(0)
    return 1
assert asyncio.run(push(job)) == 1"""
ALLOWED = {
    "names that no words show": ("session", "json = []\nstack = Stack()\nstack.limit = 3\nassert json == stack.pop()"),
    "names that a block binds": ("session", "with Stack() as stack:\n    stack.limit = 3\n    assert stack.pop() == 3"),
    "what an object decorates": ("session", "s = Stack()\n@s.on('a')\ndef f():\n    pass\nassert s.pop() == f"),
    "answers that a double raises": ("session", "assert isinstance(Stack().pop(), BaseException)"),
    "a condition on the result": ("result", "result == sorted(xs)[:k] and len(result) <= LIMIT"),
    "a comprehension with the name of a parameter": ("result", "all(k >= 0 for k in result)"),
    "a name bound within": ("result", "(n := len(xs)) == 0 or result >= n"),
    "a lambda": ("result", "result == max(xs, key=lambda x: -x)"),
    "a helper and a module": ("result", "half(result) == math.floor(median(xs))"),
    "a requirement": ("requires", "isinstance(k, int) and not isinstance(k, bool) and k > 0"),
    "an exception": ("raises", "k < 0"),
    "a session that fails where no exception comes": ("session", FAILING),
    "an argument afterwards": ("effect", "xs__after == xs + [k]"),
    "a statement that could not be read": ("result", ""),
    "words alone": ("narrative", ""),
    "a session": ("session", SESSION),
    "a double": ("session", DOUBLE),
    "a loop of events": ("session", LOOP),
    "a helper written out once more": ("session", "def half(x):\n    return x // 2\nassert half(3) == 1 and push(1)"),
}

REFUSED = {
    "files": ("result", "open('/etc/passwd').read() == result", "'open', which is not among the built-ins"),
    "an import by name": ("result", "__import__('os').getcwd() == result", "imports 'os', expected one of"),
    "an allowed module by name": ("result", "__import__('math').pi == result", "no name that Python reserves"),
    "evaluated text": ("result", "eval('result') == 1", "'eval', which is not among the built-ins"),
    "all names": ("result", "globals()['result']", "'globals', which is not among"),
    "classes from values": ("result", "().__class__ is result", "the attribute '__class__'"),
    "a computed attribute": ("result", "getattr(result, '_' * 2 + 'x')", "computes the name of an attribute"),
    "a hidden attribute by name": ("result", "getattr(result, '__class__')", "the attribute '__class__'"),
    "a class made of computed names": (
        "result",
        "type('T', (), dict(a=1)) == result",
        "calls type() with computed names",
    ),
    "a special name in a class": ("result", "type('T', (), {'__class__': int}) == result", "underscore"),
    "a module within a module": ("result", "math.sys == result", "takes 'sys' from 'math'"),
    "a parameter bound again": ("result", "(xs := []) == result", "gives 'xs' another meaning"),
    "the result bound again": ("result", "(result := 1) == 1", "gives 'result' another meaning"),
    "a helper bound again": ("result", "(half := len) and result", "gives 'half' another meaning"),
    "a built-in bound again": ("result", "(len := half) and result", "gives 'len' another meaning"),
    "waiting": ("result", "await result", "an await"),
    "a generator by yield": ("result", "(lambda: (yield result))()", "a yield"),
    "a generator that waits": ("result", "[x async for x in result]", "waits for something"),
    "statements": ("result", "result = 1", "not written as Python"),
    "a result that is never named": ("result", "k > 0", "names no 'result'"),
    "a result in a requirement": ("requires", "result > 0", "'result', which this kind of reading does not have"),
    "an argument afterwards in a result": ("result", "xs__after == result", "'xs__after', which this kind"),
    "an unknown name": ("result", "lenght == result", "'lenght', which nothing binds"),
    "a program's name outside of sessions": ("result", "Stack() == result", "'Stack', which nothing binds"),
    "deep nesting": ("result", "(" * 80 + "result" + ")" * 80 + " + 1" * 200, "nested too deeply"),
    "words with a clause": ("narrative", "1 == 1", "a narrative reading has a clause"),
    "a session without assert": ("session", "Stack()", "ends in no assert"),
    "a session that asserts nothing": ("session", "assert (Stack(), 'holds')", "asserts what is always true"),
    "a session that asserts a text": ("session", "assert 'Stack()'", "asserts what is always true"),
    "a session that asserts too early": ("session", "assert Stack()\nStack()", "ends in no assert"),
    "a session that replaces the program": ("session", "Stack = list\nassert Stack() == []", "gives 'Stack' another"),
    "a session that defines the program": ("session", "def push(): return 1\nassert push()", "gives 'push' another"),
    "a session that changes the program": ("session", "Stack.pop = len\nassert Stack.pop([]) == 0", "changes 'Stack'"),
    "a metaclass": ("session", "class A(metaclass=type): pass\nassert A", "with a metaclass"),
    "global names": ("session", "def f():\n    global x\n    x = 1\nassert f", "a global statement"),
    "files from a session": ("session", "import io\nassert io.open('/etc/passwd')", "takes 'open' from 'io'"),
    "processes from a session": ("session", "import subprocess\nassert Stack()", "imports 'subprocess'"),
    "a process of the event loop": ("session", "import asyncio\nassert asyncio.subprocess", "takes 'subprocess' from"),
    "return outside of a function": ("session", "return 1\nassert Stack()", "outside function"),
}


def _reading(kind: str, clause: str) -> Reading:
    return Reading("words", ReadingKind(kind), clause, "ValueError" if kind == "raises" else "")


@pytest.mark.parametrize("row", ALLOWED.values(), ids=ALLOWED)
def test_a_clause_in_the_subset(row: tuple[str, str]) -> None:
    record = ReadingRecord("f", (_reading(*row),), helpers=HELPERS)
    assert refusals(record, DOCUMENTED) == ("",)


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_a_clause_outside_of_the_subset_is_refused(row: tuple[str, str, str]) -> None:
    kind, clause, said = row
    with pytest.raises(SubsetError) as told:
        require_clause(_reading(kind, clause), AROUND)
    assert said in str(told.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("print('here')", "line 1 of the helper code does something"),
        ("import os", "imports 'os', expected one of ast"),
        ("import random", "imports 'random'"),
        ("from re import *", "takes '*' from 're'"),
        ("from statistics import sys", "takes 'sys' from 'statistics'"),
        ("from re import _compiler", "the attribute '_compiler'"),
        ("from . import shop", "imports '.'"),
        ("import math\nmath.pi = 3", "line 2 of the helper code does something"),
        ("import math\ndef f():\n    math.pi = 3", "changes the module 'math'"),
        ("def f(): return open", "'open', which is not among the built-ins"),
        ("def f():\n    global n\n    n = 1", "a global statement in line 2"),
        ("class A: pass", "does something"),
        ("async def f(): pass", "does something"),
        ("@print\ndef f(): pass", "uses 'print', which is not among the built-ins"),
        ("import datetime\ndef f(): return datetime.date.today()", "asks for the present time"),
        ("def sorted(xs): return xs", "gives 'sorted' another meaning"),
        ("result = 1", "gives 'result' another meaning"),
        ("xs__after = 1", "a name that clauses have"),
        ("def f(:", "not written as Python"),
    ],
)
def test_helpers_that_are_refused(source: str, said: str) -> None:
    with pytest.raises(SubsetError) as told:
        require_helpers(source)
    assert said in str(told.value)


def test_a_session_says_whose_names_it_means() -> None:
    documented = replace(DOCUMENTED, name="filter", usable=frozenset({"filter", "sum", "TimeoutError"}))
    texts = [
        "assert filter(1) == 2",
        "assert sum([1]) == 1",
        "try:\n    filter(1)\nexcept TimeoutError:\n    pass\nassert True",
    ]
    said = refusals(ReadingRecord("filter", tuple(_reading("session", each) for each in texts)), documented)
    assert said[0] == ""
    assert said[1] == "the session names 'sum', which may be Python's own or the program's"
    assert "TimeoutError" not in said[2]


PACKAGED = Around(program=frozenset({"np", "price"}), bound=frozenset({"price"}), packages=frozenset({"numpy"}))


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nassert np.array([1]).sum() == price()",
        "from numpy import array, copy, trace\nassert price() == array(copy([1]))[0]",
        "import numpy\nassert numpy.array([1]).sum() == price()",
        "from numpy import abc\nassert abc.Shape() == price()",
    ],
)
def test_what_packages_name_like_modules_can_be_used(source: str) -> None:
    documented = replace(DOCUMENTED, usable=frozenset({"np", "price"}), packages=frozenset({"numpy"}))
    assert refusals(ReadingRecord("f", (_reading("session", source),)), documented) == ("",)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import numpy\nassert numpy.os.getcwd() == price()", "takes 'os' from 'numpy'"),
        ("from numpy import sys\nassert sys.path == price()", "takes 'sys' from 'numpy'"),
        ("import math as price\nassert price.pi > 3", "gives 'price' another meaning"),
        ("import statistics\nassert statistics.random.random() < price()", "takes 'random' from 'statistics'"),
    ],
)
def test_what_packages_and_modules_hold_is_not_all_usable(source: str, said: str) -> None:
    with pytest.raises(SubsetError) as told:
        require_clause(_reading("session", source), PACKAGED)
    assert said in str(told.value)


def test_helpers_tell_what_they_bind() -> None:
    helpers = 'import collections.abc as shapes\nimport math\nA, B = 1, 2\nC: int = 3\n"words"\n'
    cached = "from functools import lru_cache\n@lru_cache(maxsize=None)\ndef f(n):\n    m = n\n    return m\n"
    assert require_helpers(helpers + cached) == {
        **{"shapes": "collections.abc", "math": "math"},
        **dict.fromkeys(["A", "B", "C", "lru_cache", "f"], ""),
    }


def test_a_reference_defines_expected() -> None:
    require_reference("def expected(xs, k):\n    return half(k)", AROUND)
    with pytest.raises(SubsetError, match="defines no function 'expected'"):
        require_reference("def wanted(xs, k):\n    return k", AROUND)


@pytest.mark.parametrize(
    "source",
    [
        "(1, 'a')",
        "('x' * 3,)",
        "([half(1)],)",
        "(__import__('datetime').date(2026, 1, 31),)",
        "([lambda: __import__('asyncio').sleep(0, 1)], 2)",
        "(1,) * 2",
        "tuple(range(2))",
    ],
)
def test_inputs_that_are_allowed(source: str) -> None:
    assert _refusal(source) == ""


def _refusal(source: str) -> str:
    try:
        require_input(source, AROUND)
    except SubsetError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("1", "not a tuple of arguments"),
        ("[1]", "not a tuple of arguments"),
        ("(__import__('os').getcwd(),)", "imports 'os'"),
        ("(__import__('o' + 's'),)", "whose name is computed"),
        ("([__import__][0]('os'),)", "'__import__' as a value"),
        ("(__import__('io').open('/etc/passwd'),)", "takes 'open' from 'io'"),
        ("(open('/etc/passwd'),)", "'open'"),
        ("(xs,)", "'xs', which nothing binds"),
    ],
)
def test_inputs_that_are_refused(source: str, said: str) -> None:
    assert said in _refusal(source)


def test_every_reading_of_a_record_has_its_own_refusal() -> None:
    readings = (_reading("result", "result == 1"), _reading("result", "open"), _reading("narrative", ""))
    record = ReadingRecord("f", readings)
    assert [bool(each) for each in refusals(record, OF_X)] == [False, True, False]
    broken = ReadingRecord("f", readings, helpers="import os")
    assert [each[:19] for each in refusals(broken, OF_X)] == ["the helper code imp", "the helper code imp", ""]
