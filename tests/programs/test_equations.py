"""Equations between calls that documentation writes out: which are read, and which say too little or too much."""

from __future__ import annotations

import pytest

from probatum.programs.extract import extract_module
from probatum.programs.requirements.equations import EQUATION
from probatum.programs.specification import Property

READ = (
    "This function is idempotent: f(f(s)) == f(s).",
    "Tidy it up. `f(f(s)) == s`",
    "f(f(s)) == s for every non-empty string.",
    "f(g(other)) == other",
)
LEFT = (
    "f(f(s)) == s if s is short.",
    "f(f(s)) == s for every good string.",
    "It is not true that f(f(s)) == s.",
    "f(h(s)) == s.",
    "f(f(other)) == s.",
    "g(g(s)) == s.",
    "f(s) == 3",
)


def properties(document: str) -> tuple[Property, ...]:
    source = f'def g(s):\n    return s\n\n\ndef f(s: str):\n    """{document}\n    """\n    return s[::-1]\n'
    return next(each for each in extract_module(source).functions if each.qualname == "f").properties


@pytest.mark.parametrize("document", READ)
def test_an_equation_is_a_property(document: str) -> None:
    [found] = properties(document)
    assert (found.form, found.id, found.source) == (EQUATION, "p1", "docstring")
    assert found.text.strip("`") in document


@pytest.mark.parametrize("document", LEFT)
def test_what_is_no_whole_equation_is_left(document: str) -> None:
    assert not [each for each in properties(document) if each.form == EQUATION]


def test_a_domain_is_the_condition_of_its_equation() -> None:
    [found] = properties("f(f(s)) == s for every non-empty string.")
    assert "len(s) > 0" in found.condition
