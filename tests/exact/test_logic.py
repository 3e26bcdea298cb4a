"""Entailment, satisfiability and optima over declared names."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.frozen import thaw
from probatum.exact import ExactClaim, check, decide
from probatum.exact.numbers.expressions import Conditional, read_expression
from tests.exact.claims import (
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
    ruled,
)

X, R, P = ["x: int"], ["x: real"], ["p: bool", "q: bool", "r: bool"]
XY, XYR = ["x: int", "y: int"], ["x: real", "y: real"]
ABC = ["a, b, c: int"]
Row = tuple[list[str], list[str], str]

TRUE: list[Row] = [
    (X, ["x>5", "x<7"], "satisfiable"),
    (X, [], "satisfiable(x > 5 and x < 7)"),
    (X, ["x>5", "x<5"], "unsatisfiable"),
    (X, ["x>5", "x<6"], "unsatisfiable"),
    (R, ["x>5", "x<6"], "satisfiable"),
    (P, ["p->q", "p"], "q"),
    (P, ["p->q", "q->r", "not r"], "not p"),
    (P, ["p or q", "not p"], "q"),
    (P, [], "p or not p"),
    (P, [], "(p -> q) <-> (not q -> not p)"),
    (P, [], "equivalent(not (p and q), not p or not q)"),
    (P, [], "xor(p, q) <-> p != q"),
    (P, [], "((p -> q) -> p) -> p"),
    (P, [], "if(p, q, r) <-> (p and q) or (not p and r)"),
    (R, ["x==1/3"], "3*x==1"),
    (R, ["3*x==1"], "x==1/3"),
    (R, ["3*x==2"], "x=2/3"),
    (R, ["x==0.1+0.2"], "x==0.3"),
    (R, ["1/x==5"], "x==1/5"),
    (R, ["x>0"], "1/x>0"),
    (R, [], "x != 0 -> x/x == 1"),
    (R, [], "x*x >= 0"),
    (R, ["x>=1"], "x^-1 <= 1"),
    (XYR, [], "x^2 + y^2 >= 2*x*y"),
    (XYR, ["x>2", "y>3"], "x*y > 6"),
    (XYR, ["x+y==10"], "maximum(x*y) == 25"),
    (R, [], "x != 0 -> x^0 == 1"),
    (X, ["0<x<5"], "x<=4 and x>=1"),
    (X, [], "2*x != 1"),
    (X, ["x==7"], "x/2 == 7/2 and div(x, 2) == 3 and x mod 2 == 1"),
    (X, ["x==-7"], "div(x, 2) == -4 and x mod 2 == 1 and x % -2 == -1"),
    (X, ["x mod 2 == 0"], "(x + 1) mod 2 == 1"),
    (X, [], "x*x mod 4 != 2"),
    (X, [], "(x*x + x) mod 2 == 0"),
    (X, ["0<=x<=100"], "x*x != 2"),
    (X, ["x > 0"], " + ".join(["x"] * 1000) + " > 999"),
    (X, ["x > 0"], " - ".join(["x"] * 1000) + " < -997"),
    (X, ["abs(x) < 3", "x > 0"], "x == 1 or x == 2"),
    (XY, [], "3*x + 6*y != 1"),
    (XY, ["x<=y", "y<=x"], "x==y"),
    (XY, ["x+y==10", "x-y==2"], "x==6 and y==4"),
    (XY, [], "min(x, y) + max(x, y) == x + y"),
    (XYR, [], "(x+y)^2 == x^2 + 2*x*y + y^2"),
    (ABC, ["a<b", "b<c"], "distinct(a, b, c)"),
    pytest.param(
        *(ABC, ["distinct(a, b, c)", "0 < a < 4", "0 < b < 4", "0 < c < 4"], "a + b + c == 6"), marks=pytest.mark.long
    ),
    (R, ["x<=5"], "maximum(x) == 5"),
    (X, ["x<5"], "maximum(x) == 4"),
    (X, ["x<5"], "maximum(x) = 4"),
    (R, ["x>=1/3"], "minimum(3*x) == 1"),
    (XYR, ["x>=0", "y>=0", "x+y<=8", "2*x+y<=10", "x<=4"], "maximum(3*x + 2*y) == 18"),
]
FALSE: list[Row] = [
    (P, ["p->q", "p"], "not q"),
    (P, [], "p and not p"),
    (X, ["x>5"], "x<3"),
    (X, ["x>5", "x<5"], "satisfiable"),
    (X, ["x>5", "x<7"], "unsatisfiable"),
    (X, ["x==1/3"], "satisfiable"),
    (R, ["x==1/3"], "3*x!=1"),
    (R, ["3*x==2"], "x!=2/3"),
    (R, ["x==0.1+0.2"], "x!=0.3"),
    (X, ["x==7"], "x/2==3"),
    (X, ["x==-7"], "div(x, 2) == -3"),
    (R, ["x<5"], "maximum(x) == 4"),
    (R, ["x>0"], "maximum(x) == 1000000"),
    (R, ["x<=5"], "maximum(x) == 7"),
    (R, ["x<5"], "maximum(x) == 5"),
]


@pytest.mark.parametrize(("declare", "premise", "statement"), TRUE)
def test_true_claims_are_proved_and_every_digit_of_the_certificate_counts(
    declare: list[str], premise: list[str], statement: str
) -> None:
    assert ruled("logic", statement, declare=declare, premise=premise).outcome is PROVED
    require_every_digit_counts(claim_of("logic", statement, declare=declare, premise=premise))


@pytest.mark.parametrize(("declare", "premise", "statement"), FALSE)
def test_false_claims_are_refuted_by_counter_evidence(declare: list[str], premise: list[str], statement: str) -> None:
    ruling = ruled("logic", statement, declare=declare, premise=premise)
    assert ruling.outcome is REFUTED
    assert "model" in ruling.evidence or "refutation" in ruling.evidence


@pytest.mark.parametrize(
    ("declare", "premise", "statement", "constraint"),
    [
        (P, ["p->q", "q"], "p", "logic.not_entailed"),
        (P, [], "p", "logic.not_entailed"),
        (P, [], "(p -> q) <-> (q -> p)", "logic.not_entailed"),
        (X, [], "x*x > x", "logic.not_entailed"),
        (XY, ["x<=y"], "x<y", "logic.not_entailed"),
        (R, ["x>0"], "x>1", "logic.not_entailed"),
        (X, ["x>1", "x<0"], "x==42", "logic.vacuous_premises"),
        (X, ["1==2"], "x==42", "logic.vacuous_premises"),
        (X, ["x==1/3"], "x==0", "logic.vacuous_premises"),
        (X, ["x==0.5"], "x==0", "logic.vacuous_premises"),
        (X, ["x>1", "x<0"], "maximum(x) == 1", "logic.vacuous_premises"),
        (R, ["1/x==5", "x==0"], "satisfiable", "logic.undefined"),
        (R, ["1/x==5", "x==0"], "unsatisfiable", "logic.undefined"),
        (R, ["1/x==5", "x==0"], "x==1", "logic.undefined"),
        (X, ["10%x==3", "x==0"], "satisfiable", "logic.undefined"),
        (X, ["div(10, x)==3", "x==0"], "satisfiable", "logic.undefined"),
        (R, [], "x/x==1", "logic.undefined"),
        (R, ["x>=0"], "1/x > 0", "logic.undefined"),
        (R, ["x==1"], "1/(x-1) == 1/(x-1)", "logic.undefined"),
        (R, ["x==0"], "x^0 == 1", "logic.undefined"),
        (R, ["0<=x<=1"], "minimum(1/x) == 1", "logic.undefined"),
        (R, ["x<=5"], "maximum(x) == 5/0", "logic.undefined"),
        (ABC, ["a>0", "b>0", "c>0", "a^3 + b^3 == c^3"], "satisfiable", "logic.beyond"),
        (ABC, ["a>0", "b>0", "c>0", "a^3 + b^3 == c^3"], "unsatisfiable", "logic.beyond"),
        (R, ["x*x == 2"], "satisfiable", "logic.beyond"),
        (X, [], "x^1000000 > 5", "engine.out_of_budget"),
        (X, [], "2^64^64 > x", "engine.out_of_budget"),
        (XY, [], "((((x+y)^30)^30)^30)^30 > 5", "engine.too_large"),
        (X, [], "(" * 60 + "x > 1" + ")" * 60, "engine.too_large"),
        (X, [], " or ".join(f"x == {number}" for number in range(2000)), "engine.too_large"),
        (X, [], "*".join(["x"] * 1000) + " > 1", "engine.too_large"),
        (X, [], "+".join(["x"] * 5000) + " > 1", "engine.too_large"),
        (X, ["x>1"] * 201, "x>0", "engine.too_large"),
    ],
)
def test_what_is_not_decided_says_why(declare: list[str], premise: list[str], statement: str, constraint: str) -> None:
    assert outcome_of("logic", statement, declare=declare, premise=premise) == (UNDECIDED, constraint)


@pytest.mark.parametrize(
    ("declare", "premise", "statement", "code"),
    [
        ([], ["x>5"], "satisfiable", "logic.missing_declarations"),
        (X, ["y>5"], "satisfiable", "logic.missing_declarations"),
        (X, ["magic", "not magic2"], "satisfiable", "logic.missing_declarations"),
        (R, ["x < pi"], "x < 4", "logic.missing_declarations"),
        (["x: string"], ["x>5"], "satisfiable", "logic.type"),
        (["x: float"], ["x>5"], "satisfiable", "logic.type"),
        (["b: bitvec[0]"], ["b==1"], "satisfiable", "logic.type"),
        (["x: int", "x: real"], ["x>5"], "satisfiable", "logic.declaration"),
        (["x: int", "x: int"], ["x>5"], "satisfiable", "logic.declaration"),
        (["x int"], ["x>5"], "satisfiable", "logic.declaration"),
        (["mod: int"], ["1>5"], "satisfiable", "logic.declaration"),
        (["true: bool"], ["true"], "satisfiable", "logic.declaration"),
        (['{"x": "int", "x": "real"}'], ["x>5"], "satisfiable", "logic.declaration"),
        (X, [], "satisfiable", "logic.no_claim"),
        (X, [], "unsatisfiable", "logic.no_claim"),
        (X, ["x>1"], "", "logic.no_claim"),
        (X, ["x>1"], "satisfiable:", "logic.syntax"),
        (X, ["x>1", ""], "x>0", "logic.syntax"),
        (X, ["x>1"], "satisfiable and more", "logic.missing_declarations"),
        (X, ["x>1"], "x > 5 is satisfiable", "logic.syntax"),
        (X, ["x>1"], "maximum of x", "logic.syntax"),
        (X, ["x>1"], "maximum of x <= 5", "logic.syntax"),
        (X, ["x>1"], "maximum(x) == 5 and x = 3", "logic.unsupported"),
        (X, ["x>1"], "maximum(x) == x", "logic.type"),
        (X, ["x>1"], "x = 5 x", "logic.syntax"),
        (X, ["x>1"], "2x > 1", "logic.syntax"),
        (X, ["x>1"], "x // 2 > 1", "logic.syntax"),
        (X, ["x>1"], "x + 1", "logic.type"),
        (P, [], "p + 1 == 2", "logic.type"),
        (P, [], "p == 1", "logic.type"),
        (P, [], "p < q", "logic.type"),
        (P, [], "if(p, 1, q)", "logic.type"),
        (R, [], "x mod 2 == 0", "logic.type"),
        (X, [], "x ~= 1", "logic.type"),
        (X, [], "x == $5", "logic.unsupported"),
        (X, [], "forall(x > 0)", "logic.unsupported"),
        (X, [], "exists(x, x > 0)", "logic.unsupported"),
        (X, [], "sqrt(x) > 0", "logic.unsupported"),
        (X, [], "x! > 0", "logic.unsupported"),
        (X, [], "2^x > 0", "logic.unsupported"),
        (X, [], "abs(x, x) > 0", "logic.unsupported"),
        (X, [], "Int('y') > 5", "logic.syntax"),
    ],
)
def test_what_cannot_be_read_is_blocked(declare: list[str], premise: list[str], statement: str, code: str) -> None:
    assert outcome_of("logic", statement, declare=declare, premise=premise) == (BLOCKED, code)


def test_an_unattained_supremum_is_told_from_any_other_number() -> None:
    for name, relation, word in (("maximum", "<", 5), ("minimum", ">", -5)):
        near = outcome_of("logic", f"{name}(x) == {word}", declare=R, premise=[f"x {relation} {word}"])
        assert near == (REFUTED, "logic.supremum_not_attained")
        far = outcome_of("logic", f"{name}(x) == {word * 2}", declare=R, premise=[f"x {relation} {word}"])
        assert far == (REFUTED, "logic.fails")


@pytest.mark.parametrize("declare", [{"x": "int"}, ['{"x": "int"}'], "x: int", ["x : integer"]])
def test_declarations_are_texts_or_an_object(declare: object) -> None:
    assert ruled("logic", "x > 4", declare=declare, premise=["x > 5"]).outcome is PROVED


def test_a_certificate_holds_for_no_other_claim() -> None:
    certificate = thaw(ruled("logic", "x > 4", declare=X, premise=["x > 5"]).evidence)
    for statement in ("x > 3", "x  > 4", "unsatisfiable"):
        with pytest.raises(ValueError):
            check(claim_of("logic", statement, declare=X, premise=["x > 5"]), certificate)


@pytest.mark.parametrize(
    "steps",
    [
        [],
        ["add"],
        ["add 0:1"],
        ["add 0:1 1:1 2:-1"],
        ["add 0:1/0 1:1"],
        ["split 0"],
        ["cut x 5", "add 0:1"],
        ["add 9:1"],
    ],
)
def test_steps_that_do_not_refute_are_rejected(steps: list[str]) -> None:
    from probatum.exact.logic.refutations import check_refutation, find_refutation
    from probatum.exact.logic.terms import BOOL, conjunction, constant, term, variable

    number = variable("x", "int")
    low, high = term("<", BOOL, constant(5, "int"), number), term("<", BOOL, number, constant(6, "int"))
    condition = conjunction(low, high)
    check_refutation(condition, find_refutation(condition))
    with pytest.raises(ValueError):
        check_refutation(condition, steps)


def _pigeons(holes: int) -> Row:
    names = [[f"p{pigeon}_{hole}" for hole in range(holes)] for pigeon in range(holes + 1)]
    premises = [" or ".join(row) for row in names]
    for hole in range(holes):
        pairs = [(one[hole], other[hole]) for place, one in enumerate(names) for other in names[:place]]
        premises.append(" and ".join(f"not ({one} and {other})" for one, other in pairs))
    return [f"{name}: bool" for row in names for name in row], premises, "unsatisfiable"


def test_pigeons_find_no_room_and_too_many_exceed_the_budget() -> None:
    declare, premise, statement = _pigeons(3)
    assert ruled("logic", statement, declare=declare, premise=premise).outcome is PROVED
    declare, premise, statement = _pigeons(12)
    assert outcome_of("logic", statement, declare=declare, premise=premise) == (UNDECIDED, "logic.beyond")


def test_the_same_claim_gives_the_same_bytes() -> None:
    rows = [row for row in (*TRUE, *FALSE) if "real" in row[0][0] or "bitvec" in row[0][0]]
    claims = [claim_of("logic", statement, declare=declare, premise=premise) for declare, premise, statement in rows]
    first = [json.dumps(decide(claim).to_json()) for claim in claims]
    assert [json.dumps(decide(claim).to_json()) for claim in reversed(claims)] == first[::-1]


def test_an_arrow_binds_tighter_than_a_double_arrow() -> None:
    for text, arrow in (("a -> b <-> c", "<->"), ("a <-> b -> c", "<->"), ("a -> b -> c", "->")):
        node = read_expression(text, "logic.syntax")
        assert isinstance(node, Conditional)
        assert node.arrow == arrow
    assert outcome_of("logic", "p <-> q <-> r", declare=P) == (BLOCKED, "logic.syntax")


_LEAVES = st.sampled_from(["p", "q", "x > y", "x == 1", "x mod 2 == y", "x / y > 1", "abs(x) <= y", "x * y < 2"])
_FORMULAS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.builds("not ({})".format, inner),
        st.builds("({}) {} ({})".format, inner, st.sampled_from(["and", "or", "->", "<->"]), inner),
    ),
    max_leaves=5,
)


def _truth(leaf: str, values: dict[str, int]) -> bool | None:
    """Return what a leaf is for these values by Python's own rules; None where it divides by zero."""
    x, y = Fraction(values["x"]), Fraction(values["y"])
    if leaf == "x / y > 1":
        return x / y > 1 if y else None
    truths = {
        "x > y": x > y,
        "x == 1": x == 1,
        "x mod 2 == y": x - 2 * floor(x / 2) == y,
        "abs(x) <= y": abs(x) <= y,
        "x * y < 2": x * y < 2,
    }
    return truths[leaf] if leaf in truths else bool(values[leaf])


@settings(max_examples=60, deadline=None)
@given(st.lists(_LEAVES, max_size=3), _LEAVES)
def test_entailment_agrees_with_trying_all_values(premise: list[str], conclusion: str) -> None:
    box = ["-2 <= x <= 2", "-2 <= y <= 2"]
    claim = claim_of("logic", conclusion, declare=["x, y: int", "p, q: bool"], premise=[*premise, *box])
    ranges = (range(-2, 3), range(-2, 3), range(2), range(2))
    cases = [dict(zip("xypq", case, strict=True)) for case in product(*ranges)]
    models = [case for case in cases if all(_truth(each, case) is True for each in premise)]
    ends = {_truth(conclusion, case) for case in models}
    # False is what fails in every case, and not what fails in some.
    expected = {frozenset([True]): PROVED, frozenset([False]): REFUTED}.get(frozenset(ends), UNDECIDED)
    assert decide(claim).outcome is expected


@settings(max_examples=60, deadline=None)
@given(_FORMULAS)
def test_a_formula_and_its_negation_are_not_both_proved(formula: str) -> None:
    given_names = {"declare": ["x, y: int", "p, q: bool"]}
    first = decide(claim_of("logic", formula, **given_names)).outcome
    second = decide(ExactClaim("logic", f"not ({formula})", claim_of("logic", "p", **given_names).given)).outcome
    assert (first, second) != (PROVED, PROVED)
    assert (PROVED in (first, second)) <= (REFUTED in (first, second))
    assert (REFUTED in (first, second)) <= (PROVED in (first, second))
