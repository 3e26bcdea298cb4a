"""Parts of a changed statement: each expression that differs by itself is put back by itself."""

from __future__ import annotations

import ast

import pytest

from probatum.changes.syntax.file_syntax import FileText
from probatum.changes.syntax.inner_parts import head_of, inner_parts

# Base, head, and the head with each part put back.
_CASES: dict[str, tuple[str, str, list[str]]] = {
    "two arguments": ("f(1, 2)", "f(3, 4)", ["f(1, 4)", "f(3, 2)"]),
    "one argument is no part": ("f(1, 2)", "f(1, 4)", []),
    "a keyword changes beside": ("f(1, k=True)", "f(2, k=False)", ["f(1, k=False)", "f(2, k=True)"]),
    "a keyword goes": ("f(1, k=True)", "f(2)", ["f(1)", "f(2, k=True)"]),
    "a keyword comes": ("f(1)", "f(2, k=True)", ["f(1, k=True)", "f(2)"]),
    "one keyword for another": ("f(k=True)", "f(m=True)", ["f(m=True, k=True)", "f()"]),
    "both sides": ("a + 1 < b", "a + 2 < c", ["(a + 1) < c", "a + 2 < b"]),
    "another shape is one part": ("a + b * 2", "g(a) - b", []),
    "a name that is gone": ("f(gone, 1)", "f(a, 2)", ["f(a, 1)"]),
    "texts": ("f'{a} {b}', 'x'", "f'{b} {a}', 'y'", ["f'{a} {b}', 'y'", "f'{b} {a}', 'x'"]),
    "letters of more bytes": ("f('é', 1, a)", "f('ü', 2, a)", ["f('é', 2, a)", "f('ü', 1, a)"]),
}


def _nodes(base: str, head: str) -> tuple[ast.AST, ast.AST]:
    both = [ast.parse(text).body[0] for text in (base, head)]
    return both[0], both[1]


def _put_back(base: str, head: str) -> list[str]:
    was, now = _nodes(base, head)
    parts = inner_parts(was, now, FileText(head.encode()), {"f", "g", "a", "b", "c", "dataclass"})
    return [head[: each.start] + each.text + head[each.end :] for each in parts]


@pytest.mark.parametrize("name", _CASES)
def test_each_expression_is_put_back_by_itself(name: str) -> None:
    base, head, wanted = _CASES[name]
    begin = "def h(a, b, c):\n    return "
    found = [text.removeprefix(begin) for text in _put_back(begin + base, begin + head)]
    assert [ast.dump(ast.parse(each)) for each in found] == [ast.dump(ast.parse(each)) for each in wanted], found


def test_statements_side_by_side_are_parts() -> None:
    base, head = (
        "def h(a):\n    b = a + 1\n    c = b * 2\n    return c\n",
        "def h(a):\n    b = a + 2\n    c = b * 3\n    return c\n",
    )
    assert _put_back(base, head) == [head.replace("+ 2", "+ 1"), head.replace("* 3", "* 2")]


def test_a_statement_more_beside_does_not_hide_the_others() -> None:
    base = "def h(a):\n    b = a\n    return f(b, 1)\n"
    head = "def h(a):\n    b = a\n    log(b)\n    return f(b, 2)\n"
    assert _put_back(base, head) == []


def test_annotations_and_documentation_are_no_parts() -> None:
    base = 'def h(a: int) -> int:\n    """One."""\n    return a + 1\n'
    head = 'def h(a: str) -> str:\n    """Two."""\n    return a + 2\n'
    assert _put_back(base, head) == []


def test_the_head_of_a_class_is_taken_apart() -> None:
    base, head = "@dataclass(frozen=True)\nclass A:\n    x = 1\n", "@dataclass(order=True)\nclass A:\n    x = 2\n"
    was, now = _nodes(base, head)
    assert isinstance(was, ast.ClassDef)
    assert isinstance(now, ast.ClassDef)
    parts = inner_parts(head_of(was), head_of(now), FileText(head.encode()), {"dataclass"})
    assert [each.text for each in parts] == ["dataclass(order=True, frozen=True)", "dataclass()"]
