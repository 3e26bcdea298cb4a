"""Formulas: what is read, what is refused, and the truth of their parts together."""

from __future__ import annotations

import ast
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError
from probatum.exact.formulas import called, compared, constant, holds, read_formula
from tests.exact.claims import BLOCKED, UNDECIDED, outcome_of

REFUSED = {
    "a sentence": "the width is 64",
    "nothing": "",
    "two statements": "a == 1; b == 2",
    "an assignment": "a = 1",
    "an attribute": "a.b == 1",
    "a subscript": "a[0] == 1",
    "a method": "'a'.upper() == 'A'",
    "a keyword argument": "f(a=1)",
    "a lambda": "(lambda: 1)()",
    "a comprehension": "[a for a in b]",
    "an f-string": "f'{a}' == 'b'",
    "bytes": "a == b'b'",
    "an imaginary number": "a == 1j",
    "None": "a == None",
    "membership": "a in b",
    "identity": "a is b",
    "a power": "a == 2 ** 64",
    "a walrus": "(a := 1) == 1",
    "a condition": "a if b else c",
    "await": "await a",
    "more digits than are kept": "a == 0.1000000000000000055",
    "a null byte": "a == '\0'" + "\0",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_not_a_formula_is_refused(text: str) -> None:
    with pytest.raises(NotAttemptedError):
        read_formula(text, "graph.syntax")


@pytest.mark.parametrize("text", ["a" * 3000, "not " * 200 + "a", "(" * 300 + "a" + ")" * 300, "-" * 900 + "1 == 1"])
def test_what_is_too_large_is_refused(text: str) -> None:
    with pytest.raises(ProbatumError) as caught:
        read_formula(text, "graph.syntax")
    assert isinstance(caught.value, BudgetError) or caught.value.code == "graph.syntax"


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        node = read_formula(text, "graph.syntax")
    except ProbatumError:
        return
    assert ast.dump(read_formula(ast.unparse(node), "graph.syntax")) == ast.dump(node)


KLEENE = {
    "a and b": {(True, None): None, (False, None): False, (True, True): True},
    "a or b": {(True, None): True, (False, None): None, (False, False): False},
    "not a": {(None, True): None, (True, None): False, (False, None): True},
    "not (a and b) or a": {(None, None): None, (True, False): True, (False, None): True},
}


@pytest.mark.parametrize(("text", "rows"), KLEENE.items())
def test_what_is_not_known_decides_nothing(text: str, rows: dict[tuple[bool | None, bool | None], bool | None]) -> None:
    for known, expected in rows.items():
        facts = dict(zip("ab", known, strict=True))
        assert holds(read_formula(text, "graph.syntax"), lambda node: facts[node.id]) is expected  # type: ignore[attr-defined]  # noqa: B023  # a name


def test_every_fact_is_asked_for() -> None:
    asked = []
    holds(read_formula("a and b or c", "graph.syntax"), lambda node: asked.append(node.id))  # type: ignore[attr-defined, func-returns-value]  # a name
    assert asked == ["a", "b", "c"]


def test_comparisons_are_exact() -> None:
    values = {"tenth": Fraction(1, 10), "name": "PNG"}

    def value(node: ast.expr) -> object:
        found = constant(node)
        return values.get(ast.unparse(node)) if found is None else found

    def truth(text: str) -> bool | None:
        node = read_formula(text, "graph.syntax")
        assert isinstance(node, ast.Compare)
        return compared(node, value)

    assert truth("tenth == 0.1") is truth("0 < tenth <= 1/10") is truth("name == 'PNG'") is True
    assert truth("tenth != 1/10") is truth("tenth > 0.1000001") is False
    assert truth("unknown == 1") is None
    for text in ("tenth == 'PNG'", "name < 'Q'", "1 == 1", "tenth == 1 == 'PNG'"):
        with pytest.raises(TypeError):
            truth(text)


def test_calls_are_of_constants() -> None:
    assert called(read_formula("f", "graph.syntax")) == ("f", ())
    assert called(read_formula("f('a', -1/2)", "graph.syntax")) == ("f", ("a", Fraction(-1, 2)))
    assert called(read_formula("f(g(1))", "graph.syntax")) is None
    assert called(read_formula("1", "graph.syntax")) is None


# Two examples of every notation that is no longer read: the answer says what to write instead, and where it stands.
WORDED = {
    "graph": ("there is a path from A to D", "Alice founded Acme."),
    "dates": ("2024-01-31 is a Wednesday", "days between 2024-02-28 and 2024-03-01 = 2"),
    "units": ("1 mile is 1.609344 km", "3 square metres equals 3 m²"),
    "image": ("is a 64x32 PNG", "contains a cat"),
    "code": ("does not call out", "imports only math and re"),
    "logic": ("maximum of x = 5", "entails: x > 5"),
    "reasoning": ("5 + 3 = 8, so the answer is 8.", "First, 48/2 = 24. Then 48 + 24 = 72."),
    "schema": ("the document satisfies the schema", "matches the schema"),
    "consensus": ("both claims are true", "The claims hold together."),
}
GIVEN: dict[str, dict[str, object]] = {
    "graph": {"edge": ["A -> B"]},
    "image": {"image": "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"},
    "code": {"code": "x = 1"},
    "logic": {"declare": ["x: int"]},
    "schema": {"document": "1", "schema": "{}"},
    "consensus": {"claims": "[]"},
}


@pytest.mark.parametrize(("engine", "statement"), [(name, each) for name, rows in WORDED.items() for each in rows])
def test_a_sentence_is_answered_with_what_to_write_instead(engine: str, statement: str) -> None:
    from probatum.exact import decide
    from tests.exact.claims import claim_of

    given_with_it = GIVEN.get(engine, {})
    assert outcome_of(engine, statement, **given_with_it)[0] in (BLOCKED, UNDECIDED)
    with pytest.raises(NotAttemptedError) as caught:
        decide(claim_of(engine, statement, **given_with_it))
    assert "Write" in caught.value.hint or "Facts are" in caught.value.hint
    assert f"docs/reference/claims/{engine}.md" in caught.value.hint
