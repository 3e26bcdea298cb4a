"""Examples outside of docstrings: strings at module level, ``__test__``, comments, files of tests."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from probatum.programs.examples.mined_tests import mined_examples
from probatum.programs.extract import extract_module
from tests.programs.parsing import pairs

F = "def f(x):\n    return x\n"
PLACES: Mapping[str, tuple[str, str, list[tuple[str, object]]]] = {
    "string behind the definition": (F + '"""Do.\n\n>>> f(1)\n1\n"""\n', "module", [("f(1)", 1)]),
    "module docstring": (
        '"""Things.\n\n>>> f(2)\n2\n>>> g(3)\n3\n"""\ndef g(x):\n    return x\n' + F,
        "module",
        [("f(2)", 2)],
    ),
    "string about it further down": (F + "y = 1\n'f(2) == 2'\n", "module", [("f(2)", 2)]),
    "string about something else": (F + "y = 1\n'g(2) == 2'\n", "module", []),
    "__test__": (F + "__test__ = {'f': '>>> f(1)\\n1\\n', 'g': g}\n", "__test__", [("f(1)", 1)]),
    "comment above": ("# f(1) -> 1\n" + F, "comment", [("f(1)", 1)]),
    "comments above a decorator": ("# >>> f(1)\n# 1\n@cache\n" + F, "comment", [("f(1)", 1)]),
    "comment apart": ("# f(1) -> 1\n\n" + F, "comment", []),
    "comment beside": ("def f(x):  # f(1) -> 1\n    return x\n", "comment", [("f(1)", 1)]),
    "comments below": (
        "def f(x):\n    # f(1) -> 1\n    # f(2) -> 2\n    return x\n",
        "comment",
        [("f(1)", 1), ("f(2)", 2)],
    ),
    "comment in the middle": ("def f(x):\n    y = x\n    # f(1) -> 1\n    return x\n", "comment", []),
    "comment for machines": ("# type: f(1) -> 1\n" + F, "comment", []),
}


@pytest.mark.parametrize("name", PLACES)
def test_places(name: str) -> None:
    source, kind, expected = PLACES[name]
    function = extract_module(source).functions[-1]
    assert pairs(function) == expected
    for example in function.examples:
        assert example.source == kind
        line = source.splitlines()[example.span.line - 1]
        assert line[example.span.column :].startswith(example.text.splitlines()[0])


def test_a_weaker_place_does_not_lower_the_docstring() -> None:
    source = (
        '# f(1) -> 2\n# f(2) -> 2\n# f(3) -> 3\ndef f(x):\n    """f(1) -> 1\n\n    f(2) -> 2\n    """\n    return x\n'
    )
    function = extract_module(source).functions[0]
    assert pairs(function) == [("f(1)", 1), ("f(2)", 2), ("f(3)", 3)]
    assert [each.id for each in function.examples] == ["e1", "e2", "e3"]
    assert [(each.text, each.reason) for each in function.unreadable] == [("f(1) -> 2", "contradicts line 5")]


IMPORT = "from artifact import f\n"
TESTS: Mapping[str, tuple[str, list[tuple[str, object]]]] = {
    "assertions": (IMPORT + "def test_a():\n    assert f(2) == 4\n    assert 9 == f(3)\n", [("f(2)", 4), ("f(3)", 9)]),
    "identity": (IMPORT + "def test_a():\n    assert f(2) is None\n", [("f(2)", None)]),
    "module": ("import artifact\ndef test_a():\n    assert artifact.f(2) == 4\n", [("f(2)", 4)]),
    "another name": ("from artifact import f as g\ndef test_a():\n    assert g(2, k=1) == 4\n", [("f(2, k=1)", 4)]),
    "own module": ("from own import f\ndef test_a():\n    assert f(2) == 4\n", [("f(2)", 4)]),
    "class": (
        IMPORT
        + "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(2), 4)\n",
        [("f(2)", 4)],
    ),
    "table": (
        IMPORT + "import pytest\n@pytest.mark.parametrize('x, y', [(2, 4), (3, 9)])\ndef test_a(x, y):\n"
        "    assert f(x) == y\n",
        [("f(2)", 4), ("f(3)", 9)],
    ),
    "exception": (
        IMPORT + "import pytest\ndef test_a():\n    with pytest.raises(ValueError):\n        f(-1)\n",
        [("f(-1)", ("raises", "ValueError"))],
    ),
    "a step before": (IMPORT + "def test_a():\n    x = 2\n    assert f(x) == 4\n", []),
    "fixture": (IMPORT + "def test_a(tmp_path):\n    assert f(2) == 4\n", []),
    "fixtures in the file": (
        IMPORT + "import pytest\n@pytest.fixture(autouse=True)\ndef s(): ...\ndef test_a():\n    assert f(2) == 4\n",
        [],
    ),
    "set-up": (IMPORT + "class T:\n    def setUp(self): ...\n    def test_a(self):\n        assert f(2) == 4\n", []),
    "something at the top": (IMPORT + "patch(f)\ndef test_a():\n    assert f(2) == 4\n", []),
    "another function": ("from artifact import g\ndef test_a():\n    assert g(2) == 4\n", []),
    "another module": ("from other import f\ndef test_a():\n    assert f(2) == 4\n", []),
    "no Python": ("def (", []),
}


@pytest.mark.parametrize("name", TESTS)
def test_pairs_of_given_tests(name: str) -> None:
    text, expected = TESTS[name]
    function = extract_module("def f(x, k=0):\n    return x\n").functions[0]
    found = mined_examples(text.encode(), function, "own")
    with_them = type(function)(function.qualname, function.kind, function.span, examples=found)
    assert pairs(with_them) == expected
    assert {each.source for each in found} <= {"given_tests"}
