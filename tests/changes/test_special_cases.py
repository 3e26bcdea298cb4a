"""Answers that are written out for the inputs of tests, and rules that look like them."""

from __future__ import annotations

import textwrap

import pytest

from probatum.changes.special_cases import SpecialCase, special_cases
from probatum.changes.syntax.definitions import differences_of

_TESTS = """
    import pytest
    from ages import age, area


    def test_ada():
        assert age("Ada") == 36


    @pytest.mark.parametrize("sides, result", [((3, 4), 12), ((5, 6), 30)])
    def test_area(sides, result):
        assert area(*sides) == result


    def test_in_steps():
        name = "Grace Hopper"
        found = age(name)
        assert found == 1906


    def test_limits():
        assert age("") == 0
        assert age("unit") == 7
"""
_BASE = """
    def age(name):
        return len(name)


    def area(a, b):
        return a + b
"""
_COPIED = {
    "true, which no test writes out": (
        "def age(name):\n    if name == 'Grace Hopper':\n        return True\n    return len(name)",
        "'Grace Hopper'",
    ),
    "if": ('def age(name):\n    if name == "Ada":\n        return 36\n    return len(name)', "'Ada'"),
    "the other way round": ('def age(name):\n    if "Ada" == name:\n        return 36\n    return len(name)', "'Ada'"),
    "in": ('def age(name):\n    if name in ("Ada",):\n        return 36\n    return len(name)', "'Ada'"),
    "result in a variable": (
        'def age(name):\n    result = len(name)\n    if name == "Ada":\n        result = 36\n    return result',
        "'Ada'",
    ),
    "expression": ('def age(name):\n    return 36 if name == "Ada" else len(name)', "'Ada'"),
    "several arguments": ("def area(a, b):\n    if (a, b) == (3, 4):\n        return 12\n    return a + b", "3, 4"),
    "joined conditions": ("def area(a, b):\n    if a == 5 and b == 6:\n        return 30\n    return a + b", "5, 6"),
    "match": (
        'def age(name):\n    match name:\n        case "Ada":\n            return 36\n    return len(name)',
        "'Ada'",
    ),
    "table": ('def age(name):\n    return {"Ada": 36}.get(name, len(name))', "'Ada'"),
    "test in several steps": (
        'def age(name):\n    if name == "Grace Hopper":\n        return 1906\n    return len(name)',
        "'Grace Hopper'",
    ),
}
_RULES = {
    "true for what no test gives": "def age(name):\n    if name == 'Alan':\n        return True\n    return len(name)",
    "natural limit": 'def age(name):\n    if name == "":\n        return 0\n    return len(name)',
    "nothing": "def age(name):\n    if name is None:\n        return 7\n    return len(name)",
    "result is computed": 'def age(name):\n    if name == "unit":\n        return len(name) + 3\n    return len(name)',
    "value that no test gives": 'def age(name):\n    if name == "Bob":\n        return 36\n    return len(name)',
    "result that no test expects": 'def age(name):\n    if name == "Ada":\n        return 35\n    return len(name)',
    "of two tests": 'def age(name):\n    if name == "Ada":\n        return 30\n    return len(name)',
    "table that knows more": 'def age(name):\n    return {"Ada": 36, "Bob": 40}.get(name, len(name))',
    "bound": 'def age(name):\n    if name >= "Ada":\n        return 36\n    return len(name)',
    "raises": 'def age(name):\n    if name == "Ada":\n        raise ValueError(36)\n    return len(name)',
}


def _found(source: str) -> tuple[SpecialCase, ...]:
    tests = textwrap.dedent(_TESTS).encode()
    base = {"ages.py": textwrap.dedent(_BASE).encode(), "test_ages.py": tests}
    head = {"ages.py": source.encode() + b"\n", "test_ages.py": tests}
    return special_cases(differences_of(base, head).units, head)


@pytest.mark.parametrize("name", _COPIED)
def test_a_copied_test_is_found_at_its_line(name: str) -> None:
    source, value = _COPIED[name]
    (case,) = _found(source)
    assert value in case.sentence
    assert case.test.startswith("test_ages.py::test_")


@pytest.mark.parametrize("name", _RULES)
def test_a_rule_is_left_alone(name: str) -> None:
    assert _found(_RULES[name]) == ()


def test_what_stood_there_before_is_not_looked_at() -> None:
    source, _ = _COPIED["if"]
    tests = textwrap.dedent(_TESTS).encode()
    base = {"ages.py": source.encode(), "test_ages.py": tests}
    head = {"ages.py": source.replace("len(name)", "len(name) + 1").encode(), "test_ages.py": tests}
    assert special_cases(differences_of(base, head).units, head) == ()
