"""Counted work: endless programs stop, all others behave as before, on the same lines."""

import ast
import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.errors import NotAttemptedError
from probatum.programs.faults.mutants import plan_mutants
from probatum.programs.faults.work_limit import WORK_LIMIT_ERROR, with_work_limit
from tests.programs.parsing import source_of
from tests.programs.planted_programs import CALLS, NAMES, PROGRAMS, outcome

PLENTY = 100_000

ENDLESS: dict[str, str] = {
    "while": "def f():\n    while True: pass",
    "while over several lines": "def f():\n    while (\n        True\n    ):\n        pass",
    "for over an endless iterator": "import itertools\ndef f():\n    for x in itertools.count():\n        pass",
    "comprehension": "import itertools\ndef f():\n    return [x for x in itertools.count()]",
    "generator expression": "import itertools\ndef f():\n    return sum(x for x in itertools.count())",
    "errors swallowed": "def f():\n    while True:\n        try: g()\n        except BaseException: pass",
    "two functions": "def f():\n    while 1:\n        g()\ndef g():\n    return 1",
    "exponential recursion": "def f(n=60):\n    return f(n - 1) + f(n - 2) if n > 1 else 1",
    "exponential recursion under if": "def f(n=60):\n    if n > 1:\n        return f(n - 1) + f(n - 2)\n    return 1",
    "exponential recursion in a lambda": "f = lambda n=60: f(n - 1) + f(n - 2) if n > 1 else 1",
    "first statement is try": "def f(n=60):\n    try: return n < 2 or f(n - 1) + f(n - 2)\n    finally: pass",
    "first statement is a definition": "def f(n=60):\n    def g(): return f(n - 1) + f(n - 2)\n    return n < 2 or g()",
    "at import": "while True: pass",
    "class body": "class C:\n    while True: pass",
}


@pytest.mark.parametrize("case", ENDLESS)
def test_endless_program_is_cut_off(case: str) -> None:
    assert outcome(with_work_limit(ENDLESS[case].encode(), 1000), "f", ())[0] == WORK_LIMIT_ERROR


@pytest.mark.parametrize("case", PROGRAMS)
def test_results_stay_the_same(case: str) -> None:
    source = PROGRAMS[case].encode()
    for arguments in CALLS[case]:
        before = outcome(source, NAMES[case], copy.deepcopy(arguments))
        assert outcome(with_work_limit(source, PLENTY), NAMES[case], copy.deepcopy(arguments)) == before


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(name for name in PROGRAMS if CALLS[name])), st.data())
def test_mutants_behave_the_same_under_a_limit_that_they_do_not_reach(case: str, data: st.DataObject) -> None:
    mutants = plan_mutants(source_of(PROGRAMS[case]), NAMES[case], limit=100, seed=0)
    mutant = data.draw(st.sampled_from(mutants))
    arguments = data.draw(st.sampled_from(CALLS[case]))
    limited = outcome(with_work_limit(mutant.source, 2000), NAMES[case], copy.deepcopy(arguments))
    if limited[0] != WORK_LIMIT_ERROR:
        assert limited == outcome(mutant.source, NAMES[case], copy.deepcopy(arguments))


LAYOUTS: dict[str, str] = {
    "docstring and future import": '"""Doc."""\nfrom __future__ import division\ndef f(x): return [y\n  for y in x]\n',
    "docstring in brackets": '("Doc.")\ndef f(x):\n    ("Inner.")\n    return x\n',
    "definition on the first line": "def f(x):\n    return x\n\ndef g(x):\n    return x\n",
    "only a definition, no line end": "def f(x): return x",
    "blank line first": "\n\ndef f(x):\n    return x\nclass C:\n    pass\n",
    "encoding comment": "# coding: latin-1\n\nx = 'é'\ndef f(x):\n    return x\n",
    "shebang": "#!/usr/bin/env python3\n# comment\nimport os\ndef f(x):\n    return x\n",
    "tuple without brackets": "def f(x):\n    for a in x, *x: pass\n    return [b for b in (1, 2)]\n",
    "assignment expression": "def f(x):\n    while (y := len(x)) > 3: x = x[1:]\n    if z := x: return z\n",
    "generator as only argument": "def f(x):\n    return sum(y for y in x if any(z for z in [y]))\n",
    "f-string": 'def f(x):\n    return f"{[y for y in x]!r:>{10}}"\n',
    "annotations": "def f(x: [y for y in ()] = None) -> (lambda: 1):\n    z: [y for y in ()] = x\n    return z\n",
    "with and match": "def f(x):\n    with open(x) as a, x: return 1\ndef g(x):\n match x, 1:\n  case _: return 2\n",
    "name already taken": "_probatum_work = 1\ndef f(x):\n    return _probatum_work\n",
}


@pytest.mark.parametrize("case", LAYOUTS)
def test_layout_keeps_line_numbers_docstrings_and_future_imports(case: str) -> None:
    encoding = "latin-1" if "latin-1" in LAYOUTS[case] else "utf-8"
    before = ast.parse(LAYOUTS[case])
    after = ast.parse(with_work_limit(LAYOUTS[case].encode(encoding), PLENTY))
    compile(after, "limited.py", "exec", dont_inherit=True)
    assert ast.get_docstring(after) == ast.get_docstring(before)
    places = {node.name: node.lineno for node in ast.walk(before) if isinstance(node, ast.FunctionDef)}
    assert places == {node.name: node.lineno for node in ast.walk(after) if isinstance(node, ast.FunctionDef)}
    documents = [ast.get_docstring(node) for node in ast.walk(before) if isinstance(node, ast.FunctionDef)]
    assert documents == [ast.get_docstring(node) for node in ast.walk(after) if isinstance(node, ast.FunctionDef)]


def test_work_is_counted_over_all_calls_of_a_process() -> None:
    namespace: dict[str, object] = {}
    exec(with_work_limit(b"def f(): return 1", 3), namespace)
    function = namespace["f"]
    assert callable(function)
    assert [function() for _ in range(3)] == [1, 1, 1]
    with pytest.raises(BaseException, match="units of work"):
        function()


@pytest.mark.parametrize("source", [b"def f(:", b"\xff\xfe", b"x = 1\x00"])
def test_text_that_is_not_python_is_not_attempted(source: bytes) -> None:
    with pytest.raises(NotAttemptedError):
        with_work_limit(source, 10)


def test_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="limit"):
        with_work_limit(b"x = 1", 0)


def test_every_outermost_call_begins_anew_where_that_is_asked() -> None:
    source = b"def walk(n):\n    for _ in range(n):\n        pass\n    return walk(n - 1) if n % 2 else n\n"
    names: dict[str, Any] = {}
    exec(with_work_limit(source, 100, fresh_for="walk"), names)  # our own program
    assert [names["walk"](40) for _ in range(50)] == [40] * 50
    assert names["walk"].__name__ == "walk"
    with pytest.raises(BaseException, match="more than 100 units"):
        names["walk"](51 * 2)
    assert names["walk"](7) == 6


def test_a_class_keeps_its_limit_for_life() -> None:
    source = b"class Walk:\n    def on(self):\n        return 1\n"
    names: dict[str, Any] = {}
    exec(with_work_limit(source, 3, fresh_for="Walk"), names)  # our own program
    walk = names["Walk"]()
    assert [walk.on() for _ in range(3)] == [1, 1, 1]
    with pytest.raises(BaseException, match="more than 3 units"):
        walk.on()
