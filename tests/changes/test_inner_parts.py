"""Parts of a changed statement: each expression that differs by itself is put back by itself."""

from __future__ import annotations

import ast

import pytest

from probatum.changes.syntax.file_syntax import FileText
from probatum.changes.syntax.inner_parts import inner_parts, own_of

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
    "a pattern": (
        "re.match('^[a-z-]+$', a)",
        "re.match('^[a-z0-9-]+', a)",
        ["re.match('^[a-z-]+', a)", "re.match('^[a-z0-9-]+$', a)"],
    ),
    "a pattern and another argument": (
        "re.sub('a', 'b')",
        "re.sub('a+', 'c')",
        ["re.sub('a', 'c')", "re.sub('a+', 'b')"],
    ),
    "a text is one part": ("f('one two', 1)", "f('one 2 two!', 2)", ["f('one two', 2)", "f('one 2 two!', 1)"]),
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
    base, head = "@dataclass(frozen=True)\nclass A:\n    x = 1\n", "@dataclass(order=True)\nclass A:\n    x = 1\n"
    was, now = _nodes(base, head)
    parts = inner_parts(own_of(was), own_of(now), FileText(head.encode()), {"dataclass"})
    assert [each.text for each in parts] == ["dataclass(order=True, frozen=True)", "dataclass()"]


def test_a_statement_of_another_kind_is_a_part() -> None:
    base = "def h(a):\n    b = a.pop()\n    log(b)\n    return b\n"
    head = "def h(a):\n    b = a.pop(0)\n    if b is None:\n        log(b)\n    return b\n"
    assert [ast.unparse(ast.parse(each)) for each in _put_back(base, head)] == [
        head.replace("pop(0)", "pop()").rstrip(),
        base.replace("pop()", "pop(0)").rstrip(),
    ]


def test_settings_of_a_module_are_parts() -> None:
    base, head = "X = f(a=1, b=True)\nY = 1\n", "X = f(a=2, b=False)\nY = 1\n"
    was, now = (own_of(ast.parse(text)) for text in (base, head))
    parts = inner_parts(was, now, FileText(head.encode()), {"f"})
    assert [head[: each.start] + each.text + head[each.end :] for each in parts] == [
        head.replace("a=2", "a=1"),
        head.replace("b=False", "b=True"),
    ]


def test_a_base_that_is_gone_is_put_back_beside_the_new_one() -> None:
    base, head = "class A(f):\n    x = 1\n", "class A(g):\n    x = 1\n"
    assert _put_back(base, head) == ["class A(f):\n    x = 1\n", "class A(f, g):\n    x = 1\n"]
