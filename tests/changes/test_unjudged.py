"""What nothing tries is a question; what looks like it and is none is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.changes.suite import EndOfTest, RunOfTests
from probatum.changes.syntax.definitions import differences_of
from probatum.changes.unjudged import Unjudged, unjudged
from probatum.changes.versions.trees import ChangeTrees, Tree, TreeFile

_SOURCE = "from shop.a import up\n\n\ndef f(x):\n    return up(x)\n"
_USES = "import re\n\n\ndef f():\n    return 1\n\n\ndef g(x):\n    return re.sub(x, '', x)\n"
_TWICE = "def f(x):\n    return x + {0}\n\n\ndef f(x):\n    return x + {1}\n"
_EQUAL = "class Money:\n    def __eq__(self, other):\n        return {}\n"
_SHOWN = "Use it:\n\n>>> f(1)\n{}\n"


def _trees(base: dict[str, str], head: dict[str, str]) -> ChangeTrees:
    trees = [Tree({path: _file(text) for path, text in files.items()}) for files in (base, head)]
    return ChangeTrees(Path("/work"), *trees, "", "", "base", "head", ())


def _file(text: str) -> TreeFile:
    return TreeFile(b"", link=text[3:]) if text.startswith("-> ") else TreeFile(text.encode())


def _run(*, tests: tuple[str, ...] = (), ran: tuple[str, ...] = (), examples: tuple[str, ...] = ()) -> RunOfTests:
    ends = {"test_a.py::test_a": EndOfTest("passed", lines={path: frozenset({1}) for path in ran})}
    return RunOfTests(ends, (*tests, *examples), {}, examples=frozenset(examples))


def _found(base: dict[str, str], head: dict[str, str], run: RunOfTests) -> tuple[Unjudged, ...]:
    trees = _trees(base, head)
    differences = differences_of(trees.base.contents, trees.head.contents)
    return unjudged(trees, differences, run, run)


_DOCS = '"""{}."""\n\n\ndef drop():\n    """{}: drop."""\n\n\ndef other(given):\n    {}\n'

_QUESTIONS = {
    "data": ({"shop/rates.json": "1"}, {"shop/rates.json": "2"}, _run()),
    "data that is new": ({}, {"testdata/rates.csv": "2"}, _run()),
    "module in an archive": ({}, {"vendored.zip": "PK"}, _run()),
    "documentation that runs": ({}, {"docs/impl/calc.py": "x = 1"}, _run(ran=("docs/impl/calc.py",))),
    "example that runs": (
        {"examples/fast.py": "x = 1"},
        {"examples/fast.py": "x = 2"},
        _run(ran=("examples/fast.py",)),
    ),
    "named as a test and used": ({}, {"src/shop/t_test.py": "x = 1"}, _run(ran=("src/shop/t_test.py",))),
    "link": ({"shop.py": "x = 1"}, {"shop.py": "-> docs/fast.txt"}, _run()),
    "another origin": ({"shop/b.py": _SOURCE}, {"shop/b.py": _SOURCE.replace("shop.a", "shop.c")}, _run()),
    "another order": ({"a.py": _TWICE.format(1, 2)}, {"a.py": _TWICE.format(2, 1)}, _run()),
    "import that is gone and used": ({"a.py": _USES}, {"a.py": _USES.replace("import re\n", "")}, _run()),
    "import that is in another function now": (
        {"a.py": _USES},
        {"a.py": _USES.replace("import re\n", "").replace("return 1", "import re\n    return 1")},
        _run(),
    ),
    "module of a package that is imported no more": (
        {"a.py": "import xml.dom\nimport xml.sax\n\n\ndef f(x):\n    return xml.sax.parse(x)\n"},
        {"a.py": "import xml.dom\n\n\ndef f(x):\n    return xml.sax.parse(x)\n"},
        _run(),
    ),
    "name that is defined nowhere in a new file": ({}, {"a.py": _USES.replace("import re\n", "")}, _run()),
    "file that parses and does not compile": ({"a.py": _USES}, {"a.py": _USES + "    nonlocal y\n"}, _run()),
    "name that a package imports no more": (
        {"shop/a.py": "", "shop/__init__.py": "from .a import up, down\n"},
        {"shop/a.py": "", "shop/__init__.py": "from .a import down\n"},
        _run(),
    ),
    "name that a package lists and has no more": (
        {"shop/__init__.py": "from .a import up, down\n__all__ = ['up', 'down']\n"},
        {"shop/__init__.py": "from .a import down\n__all__ = ['up', 'down']\n"},
        _run(),
    ),
    "name that a package lists no more": (
        {"shop/__init__.py": "from shop.a import up, down\n__all__ = ['up', 'down']\n"},
        {"shop/__init__.py": "from shop.a import up, down\n__all__ = ['down']\n"},
        _run(),
    ),
    "docstring of a function that the program reads": (
        {"a.py": _DOCS.format("A", "admin", "return given.__doc__")},
        {"a.py": _DOCS.format("A", "all", "return given.__doc__")},
        _run(),
    ),
    "docstring of the module that the program reads": (
        {"a.py": _DOCS.format("A", "all", "return __doc__")},
        {"a.py": _DOCS.format("B", "all", "return __doc__")},
        _run(),
    ),
    "docstring of the function whose docstring is read": (
        {"a.py": _DOCS.format("A", "admin", "return drop.__doc__")},
        {"a.py": _DOCS.format("A", "all", "return drop.__doc__")},
        _run(),
    ),
    "docstring that another file reads": (
        {"a.py": _DOCS.format("A", "all", "pass"), "b.py": "from inspect import getdoc\nprint(getdoc(1))\n"},
        {"a.py": _DOCS.format("A", "admin", "pass"), "b.py": "from inspect import getdoc\nprint(getdoc(1))\n"},
        _run(),
    ),
    "equality": (
        {"a.py": _EQUAL.format("self is other")},
        {"a.py": _EQUAL.format("self.cents == other.cents")},
        _run(),
    ),
    "code in a comment of another encoding": (
        {"a.py": "STRICT = True\n"},
        {"a.py": "# coding: utf-7\nSTRICT +AD0- True\n# see the manual +AAo-STRICT +AD0- False\n"},
        _run(),
    ),
    "code in a comment by escapes": (
        {"a.py": "STRICT = True\n"},
        {"a.py": "# coding: unicode_escape\nSTRICT = True\n# see \\x0aSTRICT = False\n"},
        _run(),
    ),
    "too deep to be read": ({"a.py": f"X = 1{' + 1' * 1_500}\n"}, {"a.py": f"X = 2{' + 1' * 1_500}\n"}, _run()),
    "no Python": ({"a.py": "x = 1\n"}, {"a.py": "x = = 1\n"}, _run()),
    "reference of a test that is the function under test": (
        {"tests/test_a.py": "from shop.a import total\n\nORACLE = sum\n"},
        {"tests/test_a.py": "from shop.a import total\n\nORACLE = total\n"},
        _run(),
    ),
    "assertion of a class of tests": (
        {"tests/test_a.py": "class TestA(TestCase):\n    check = TestCase.assertEqual\n"},
        {"tests/test_a.py": "class TestA(TestCase):\n    check = TestCase.assertTrue\n"},
        _run(),
    ),
    "reference of a test from another module": (
        {"shop/a.py": "x = 1", "tests/test_a.py": "from shop.a import total as reference\n"},
        {"shop/a.py": "x = 1", "tests/test_a.py": "from shop.b import total as reference\n"},
        _run(),
    ),
    "fewer turns": ({"tests/test_a.py": "TURNS = 1000\n"}, {"tests/test_a.py": "TURNS = 0\n"}, _run()),
    "public and gone": ({"shop/b.py": _SOURCE}, {"shop/b.py": "from shop.a import up\n"}, _run()),
    "example in a document": (
        {"docs/use.rst": _SHOWN.format(1)},
        {"docs/use.rst": _SHOWN.format(2)},
        _run(examples=("docs/use.rst::use.rst",)),
    ),
    "example in a docstring": (
        {"a.py": f'"""{_SHOWN.format(1)}"""\n'},
        {"a.py": f'"""{_SHOWN.format(2)}"""\n'},
        _run(examples=("a.py::a",)),
    ),
}
_NONE = {
    "docstring that nobody reads": (
        {"a.py": _DOCS.format("A", "admin", "pass")},
        {"a.py": _DOCS.format("B", "all", "pass")},
        _run(),
    ),
    "docstring that is copied alone": (
        {"a.py": _DOCS.format("A", "admin", "other.__doc__ = given.__doc__; property(doc=given.__doc__)")},
        {"a.py": _DOCS.format("B", "all", "other.__doc__ = given.__doc__; property(doc=given.__doc__)")},
        _run(),
    ),
    "docstring of a function where that of another is read": (
        {"a.py": _DOCS.format("A", "admin", "return other.__doc__")},
        {"a.py": _DOCS.format("A", "all", "return other.__doc__")},
        _run(),
    ),
    "docstring of a function where that of the module is read": (
        {"a.py": _DOCS.format("A", "admin", "return __doc__")},
        {"a.py": _DOCS.format("A", "all", "return __doc__")},
        _run(),
    ),
    "import that follows a module": (
        {"shop/a.py": "", "tests/test_a.py": "from shop.a import total\n"},
        {"shop/b.py": "", "tests/test_a.py": "from shop.b import total\n"},
        _run(),
    ),
    "table of cases": ({"tests/test_a.py": "CASES = [1]\n"}, {"tests/test_a.py": "CASES = [1, 2]\n"}, _run()),
    "documentation": ({"README.md": "1", "docs/a.txt": "1"}, {"README.md": "2", "docs/a.txt": "2"}, _run()),
    "example that does not run": ({}, {"examples/fast.py": "x = 1"}, _run(ran=("shop.py",))),
    "named as a test and run as one": (
        {},
        {"src/shop/test_a.py": "x = 1"},
        _run(tests=("src/shop/test_a.py::test_a",), ran=("src/shop/test_a.py",)),
    ),
    "one more origin": (
        {"shop/b.py": _SOURCE},
        {"shop/b.py": f"try:\n    from shop.fast import up\nexcept ImportError:\n    {_SOURCE}"},
        _run(),
    ),
    "the same origin elsewhere": ({"shop/b.py": _SOURCE}, {"shop/b.py": f"import os\n{_SOURCE}"}, _run()),
    "one of two definitions edited": ({"a.py": _TWICE.format(1, 2)}, {"a.py": _TWICE.format(1, 3)}, _run()),
    "private and gone": ({"a.py": "def _f():\n    pass\n\n\nx = 1\n"}, {"a.py": "x = 1\n"}, _run()),
    "equality of a new class": ({}, {"a.py": _EQUAL.format("self is other")}, _run()),
    "example added": (
        {"docs/use.rst": _SHOWN.format(1)},
        {"docs/use.rst": _SHOWN.format(1) + "\n>>> f(2)\n2\n"},
        _run(examples=("docs/use.rst::use.rst",)),
    ),
    "example that nobody runs": ({"docs/use.rst": _SHOWN.format(1)}, {"docs/use.rst": _SHOWN.format(2)}, _run()),
    "imports that nobody uses": ({"a.py": f"import os\n{_USES}"}, {"a.py": _USES}, _run()),
    "import that is a definition now": (
        {"a.py": _USES},
        {"a.py": _USES.replace("import re\n", "class re:\n    sub = max\n")},
        _run(),
    ),
    "import that every function has for itself": (
        {"a.py": _USES},
        {"a.py": _USES.replace("import re\n", "").replace("    return re", "    import re\n\n    return re")},
        _run(),
    ),
    "name that is bound elsewhere": (
        {"a.py": "x = 1\n"},
        {"a.py": "x = 1\n\n\ndef f():\n    global y\n    y = __file__\n\n\nclass A:\n    z = 1\n    w = z, y\n"},
        _run(),
    ),
    "modules that a package imports for itself": (
        {"shop/__init__.py": "import os\nfrom typing import Any\n"},
        {"shop/__init__.py": ""},
        _run(),
    ),
    "requirements and configuration": ({}, {"requirements.txt": "a", "pyproject.toml": "[project]"}, _run()),
}


@pytest.mark.parametrize("name", _QUESTIONS)
def test_what_nothing_tries_is_one_question(name: str) -> None:
    (found,) = _found(*_QUESTIONS[name])
    expected = "change.expectation_changed" if name.startswith("example in") else "change.not_judged"
    assert found.constraint == expected


@pytest.mark.parametrize("name", _NONE)
def test_what_only_looks_like_it_is_none(name: str) -> None:
    assert _found(*_NONE[name]) == ()
