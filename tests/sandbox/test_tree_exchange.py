"""Functions that are put in the place of others: what cannot be put is refused, and what is put does what it says."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

from probatum.sandbox.inside.tree_exchange import exchange

_Ask = Callable[[Any], object]


def _imported(path: Path, name: str, text: str) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def name(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(sys.modules, "exchanged_here", ModuleType("exchanged_here"))
    return "exchanged_here"


# Source, what of it is replaced, by what, how it is asked, and its answers before and after.
PUT: dict[str, tuple[str, str, str, _Ask, object, object]] = {
    "a function": ("def f(x):\n    return x + 1\n", "x + 1", "x + 2", lambda m: m.f(1), 2, 3),
    "a function of another length": (
        "def f(x):\n    return x\n\n\ndef g(x):\n    return x\n",
        "def f(x):\n    return x",
        "def f(x):\n    y = x\n    y += 1\n    return y",
        lambda m: (m.f(1), m.g(1)),
        (1, 1),
        (2, 1),
    ),
    "a function by another name": (
        "def f(x):\n    return x + 1\n\n\nKEPT = [f]\n",
        "x + 1",
        "x + 2",
        lambda m: m.KEPT[0](1),
        2,
        3,
    ),
    "equal numbers of two types": ("def f():\n    return 1\n", "return 1", "return True", lambda m: m.f(), 1, True),
    "equal numbers of two signs": (
        "def f():\n    return 0.0\n",
        "0.0",
        "-0.0",
        lambda m: str(m.f()),
        "0.0",
        "-0.0",
    ),
    "a name that is asked": (
        "def f(x):\n    return x.real\n",
        "x.real",
        "x.imag",
        lambda m: m.f(3 + 4j),
        3.0,
        4.0,
    ),
    "a method": (
        "class C:\n    def f(self):\n        return 1\n\n\nMADE = C()\n",
        "return 1",
        "return 2",
        lambda m: m.MADE.f(),
        1,
        2,
    ),
    "a property": (
        "class C:\n    @property\n    def f(self):\n        return 1\n",
        "return 1",
        "return 2",
        lambda m: m.C().f,
        1,
        2,
    ),
    "a static method": (
        "class C:\n    @staticmethod\n    def f():\n        return 1\n",
        "return 1",
        "return 2",
        lambda m: m.C.f(),
        1,
        2,
    ),
    "what a decorator wraps": (
        """
        import functools


        def twice(inner):
            @functools.wraps(inner)
            def outer(x):
                return inner(x) + inner(x)

            return outer


        @twice
        def f(x):
            return x
        """,
        "return x\n",
        "return x + 1\n",
        lambda m: m.f(1),
        2,
        4,
    ),
    "a closure that was made before": (
        "def adder(n):\n    def add(x):\n        return x + n\n\n    return add\n\n\nADD = adder(1)\n",
        "x + n",
        "x - n",
        lambda m: (m.ADD(5), m.adder(1)(5)),
        (6, 6),
        (4, 4),
    ),
    "a generator": (
        "def f():\n    yield 1\n    yield 2\n",
        "yield 2",
        "yield 3",
        lambda m: list(m.f()),
        [1, 2],
        [1, 3],
    ),
    "a comprehension": (
        "def f(x):\n    return [y + 1 for y in x]\n",
        "y + 1",
        "y + 2",
        lambda m: m.f([1]),
        [2],
        [3],
    ),
    "a comprehension in place of a loop": (
        "def f(x):\n    found = []\n    for y in x:\n        found.append(y + 1)\n    return found\n",
        "found = []\n    for y in x:\n        found.append(y + 1)\n    return found",
        "return list(y + 2 for y in x)",
        lambda m: m.f([1]),
        [2],
        [3],
    ),
    "a loop in place of a comprehension": (
        "def f(x):\n    return {y: 1 for y in x}\n",
        "return {y: 1 for y in x}",
        "return dict.fromkeys(x, 2)",
        lambda m: m.f([1]),
        {1: 1},
        {1: 2},
    ),
    "a coroutine": (
        "import asyncio\n\n\nasync def f():\n    return 1\n",
        "return 1",
        "return 2",
        lambda m: asyncio_result(m.f()),
        1,
        2,
    ),
    "a lambda": ("F = lambda x: x + 1\n", "x + 1", "x + 2", lambda m: m.F(1), 2, 3),
    "a function after a change of nothing": (
        "def f():\n    return 1\n",
        "return 1",
        "return (1)",
        lambda m: m.f(),
        1,
        1,
    ),
}


def asyncio_result(coroutine: Any) -> object:
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    return None


@pytest.mark.parametrize("row", PUT)
def test_what_is_put_does_what_the_other_text_says(row: str, tmp_path: Path, name: str) -> None:
    source, old, new, asked, before, after = PUT[row]
    text = dedent(source)
    path = tmp_path / "module.py"
    module = _imported(path, name, text)
    assert repr(asked(module)) == repr(before)
    assert text.count(old) == 1
    assert exchange(str(path), text.encode(), text.replace(old, new).encode())
    assert repr(asked(module)) == repr(after)


# Source, what of it is replaced, and by what.
REFUSED: dict[str, tuple[str, str, str]] = {
    "a constant": ("LIMIT = 1\n\n\ndef f():\n    return LIMIT\n", "LIMIT = 1", "LIMIT = 2"),
    "a constant of an equal value": ("LIMIT = 1\n", "LIMIT = 1", "LIMIT = True"),
    "a comprehension outside of functions": ("TABLE = [x + 1 for x in range(3)]\n", "x + 1", "x + 2"),
    "a comprehension of a class": ("class C:\n    table = [x + 1 for x in range(3)]\n", "x + 1", "x + 2"),
    "a class body": ("class C:\n    value = 1\n", "value = 1", "value = 2"),
    "the body of a class within a function": (
        "def f():\n    class C:\n        value = 1\n\n    return C.value\n",
        "value = 1",
        "value = 2",
    ),
    "a base class": ("class C(int):\n    pass\n", "C(int)", "C(str)"),
    "a default value": ("def f(x=1):\n    return x\n", "x=1", "x=2"),
    "a decorator": (
        "import functools\n\n\n@functools.cache\ndef f():\n    return []\n",
        "@functools.cache\n",
        "",
    ),
    "an annotation": ("def f(x: int):\n    return x\n", "x: int", "x: str"),
    "a docstring": ('def f():\n    """One."""\n    return 1\n', '"""One."""', '"""Two."""'),
    "a docstring that goes": ('def f():\n    """One."""\n    return 1\n', '    """One."""\n', ""),
    "a function more": ("def f():\n    return 1\n", "def f", "def g():\n    return 2\n\n\ndef f"),
    "a function less": ("def g():\n    return 2\n\n\ndef f():\n    return 1\n", "def g():\n    return 2\n\n\n", ""),
    "functions that changed places": (
        "def a():\n    return 1\n\n\ndef b():\n    return 2\n",
        "def a():\n    return 1\n\n\ndef b():\n    return 2\n",
        "def b():\n    return 2\n\n\ndef a():\n    return 1\n",
    ),
    "a variable borrowed from around": (
        "def adder(n):\n    def add(x):\n        return x\n\n    return add\n\n\nADD = adder(1)\n",
        "return x\n",
        "return x + n\n",
    ),
    "one of two lambdas on a line": (
        "TABLE = {'up': lambda x: x + 1, 'down': lambda x: x - 1}\n",
        "x + 1",
        "x + 2",
    ),
    "a function that nobody holds": ("def f():\n    return 1\n\n\ndel f\n", "return 1", "return 2"),
    "what is no Python": ("def f():\n    return 1\n", "return 1", "return ("),
    "a zero byte": ("def f():\n    return 1\n", "return 1", "return 1\0"),
}


@pytest.mark.parametrize("row", REFUSED)
def test_what_importing_made_is_refused(row: str, tmp_path: Path, name: str) -> None:
    source, old, new = REFUSED[row]
    path = tmp_path / "module.py"
    _imported(path, name, source)
    assert source.count(old) == 1
    assert not exchange(str(path), source.encode(), source.replace(old, new).encode())


def test_a_file_that_nobody_imported_needs_nothing(tmp_path: Path) -> None:
    assert exchange(str(tmp_path / "module.py"), b"LIMIT = 1\n", b"LIMIT = 2\n")


def test_a_file_that_was_imported_by_a_link_is_refused(tmp_path: Path, name: str) -> None:
    text = "def f():\n    return 1\n"
    (tmp_path / "module.py").write_text(text)
    (tmp_path / "link.py").symlink_to("module.py")
    _imported(tmp_path / "link.py", name, text)
    assert not exchange(str(tmp_path / "module.py"), text.encode(), text.replace("1", "2").encode())


def test_a_module_that_is_not_registered_is_exchanged(tmp_path: Path, name: str) -> None:
    text = "def f():\n    return 1\n"
    module = _imported(tmp_path / "module.py", name, text)
    del sys.modules[name]
    assert exchange(str(tmp_path / "module.py"), text.encode(), text.replace("1", "2").encode())
    assert module.f() == 2
    assert not exchange(str(tmp_path / "module.py"), b"LIMIT = 1\n" + text.encode(), b"LIMIT = 2\n" + text.encode())


def test_two_modules_of_one_file_are_both_exchanged(tmp_path: Path, name: str) -> None:
    text = "def f():\n    return 1\n"
    path = tmp_path / "module.py"
    modules = [_imported(path, name, text) for _ in range(2)]
    assert exchange(str(path), text.encode(), text.replace("1", "2").encode())
    assert [module.f() for module in modules] == [2, 2]


def test_the_same_name_in_another_file_is_left_alone(tmp_path: Path, name: str) -> None:
    text = "def f():\n    return 1\n"
    other = _imported(tmp_path / "other.py", name, text)
    module = _imported(tmp_path / "module.py", name, text)
    assert exchange(str(tmp_path / "module.py"), text.encode(), text.replace("1", "2").encode())
    assert (module.f(), other.f()) == (2, 1)
