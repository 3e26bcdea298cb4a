"""Calls made to break what is stated: which ones are made, which are not, and that they find what chance does not."""

from __future__ import annotations

import ast

import pytest

from probatum.programs.extract import extract_module
from probatum.programs.inputs.generate import Call, CallSource, argument_strategy
from probatum.programs.inputs.telling import telling_calls
from probatum.programs.specification import FunctionSpec, Precondition, Property, Span

PLACE = Span(2, 0, 2, 5)
Arguments = tuple[object, ...]


def states(expression: str, condition: str = "True", text: str = "what is stated") -> Property:
    return Property("p1", "condition", expression, text, PLACE, condition)


def requires(expression: str) -> Precondition:
    return Precondition("r1", expression, "what is required", PLACE)


def function(parameters: str) -> FunctionSpec:
    return extract_module(f"def f({parameters}):\n    return 1\n").functions[0]


def source(parameters: str, *documented: Arguments) -> CallSource:
    found = argument_strategy(function(parameters), [(arguments, {}) for arguments in documented], ast.parse(""))
    assert found is not None
    return found


def made(parameters: str, clause: Property | Precondition, *documented: Arguments, count: int = 25) -> list[Arguments]:
    return [call.args for call in telling_calls(source(parameters, *documented), [clause], count=count, seed=0)]


DISTINCT = states("len(list(result)) == len({repr(v_) for v_ in result})")
MEMBERS = states("all(v_ in xs for v_ in result)")
AS_LONG = states("len(result) == len(xs)")
SORTED = states("result == sorted(xs)")
BOUND = states("result <= k")
LONG = states("result", "len(xs) > 3", "more than 3")
OF_TOTAL = states("result", "s == 'total'", "of the total")

# what is made: parameters, what is stated, documented calls, a call that must be among the first 25
MADE: dict[str, tuple[str, Property | Precondition, tuple[Arguments, ...], Arguments]] = {
    "the same word in capitals": ("xs: list[str]", DISTINCT, ((["News", "sport"],),), (["News", "sport", "SPORT"],)),
    "a blank before a word": ("xs: list[str]", DISTINCT, ((["a b", "c"],),), (["a b", "c", " c"],)),
    "the same item again": ("xs: list[int]", DISTINCT, (([3, 1],), ([2],)), ([3, 1, 1],)),
    "nothing but one item": ("xs: list[int]", DISTINCT, (([3, 1],), ([2],)), ([3, 3, 3],)),
    "another sign": ("xs: list[int]", DISTINCT, (([3, -1],), ([2],)), ([3, -1, 1],)),
    "records that agree in one place": (
        "xs: list[tuple[str, int]]",
        DISTINCT,
        (([("a", 1), ("b", 2)],), ([("c", 3)],)),
        ([("a", 1), ("b", 2), ("a", 2)],),
    ),
    "every item in capitals": ("s: str, xs: list[str]", MEMBERS, (("AB", ["ab", "c"]),), ("AB", ["AB", "C"])),
    "an item as another argument": ("x: int, xs: list[int]", MEMBERS, ((7, [8, 9]),), (8, [8, 9])),
    "an empty text among the items": ("xs: list[str]", AS_LONG, ((["ab"],),), (["ab", ""],)),
    "an empty list among the items": ("xs: list[list[int]]", AS_LONG, (([[1], []],), ([[2, 3]],)), ([[1], [], []],)),
    "a single item": ("xs: list[int]", AS_LONG, (([4, 5, 6],), ([],)), ([4],)),
    "no item where that is documented": ("xs: list[int], n: int", AS_LONG, (([4, 5], 1), ([], 2)), ([], 1)),
    "the other order": ("xs: list[int]", SORTED, (([4, 9, 6],), ([1, 2],)), ([6, 9, 4],)),
    "a number that equals another one": ("n: int, k: int", BOUND, ((3, 8), (5, 6)), (8, 8)),
    "the last index": ("xs: list[int], k: int", BOUND, (([5, 6, 7], 0), ([1], 0)), ([5, 6, 7], 2)),
    "a neighbour of a required bound": ("n: int", requires("n <= 60"), ((3,), (5,)), (60,)),
    "a length at a bound": (
        "xs: list[int]",
        states("result", "len(xs) > 3", "more than 3"),
        (([1, 2],), ([3],)),
        ([1, 2, 1, 2],),
    ),
    "the text that a condition names": (
        "s: str",
        states("result", "s == 'total'", "of the total"),
        (("a",), ("b",)),
        ("total",),
    ),
    "the fewest words": ("s: str", states("len(result) <= len(s)"), (("ab cd",), ("ef",)), ("",)),
    "equal values": ("d: dict[str, int]", DISTINCT, (({"a": 1, "b": 2},), ({},)), ({"a": 1, "b": 1},)),
    "None where it is allowed": ("n: int | None", MEMBERS, ((3,), (4,)), (None,)),
}


@pytest.mark.parametrize("row", MADE.values(), ids=MADE)
def test_a_telling_call_is_made(row: tuple[str, Property | Precondition, tuple[Arguments, ...], Arguments]) -> None:
    parameters, clause, documented, wanted = row
    assert wanted in made(parameters, clause, *documented)


def test_no_capitals_where_no_documented_text_has_any() -> None:
    texts = [text for (items,) in made("xs: list[str]", DISTINCT, (["ab", "cde"],), count=200) for text in items]
    assert all(text == text.lower() and " " not in text for text in texts)


def test_no_repetitions_where_documented_lists_never_have_any() -> None:
    documented = ([3, 1, 2, 9],), ([4, 8, 6, 7],), ([9, 5, 1, 2],)
    assert all(len(set(items)) == len(items) for (items,) in made("xs: list[int]", DISTINCT, *documented, count=200))


def test_no_other_order_where_documented_lists_have_one() -> None:
    documented = ([1, 2, 9],), ([4, 6, 7],), ([3, 5, 8, 9],)
    assert all(items == sorted(items) for (items,) in made("xs: list[int]", SORTED, *documented, count=200))


def test_numbers_stay_in_the_range_of_documented_ones() -> None:
    assert all(0 <= number <= 200 for (number,) in made("n: int", BOUND, (100,), (3,), (40,), count=200))


def test_numbers_that_no_word_names_are_not_tried() -> None:
    careful = states("result == 2 ** n % p", "n >= 0 and p > 0", "Return 2^n modulo p.")
    assert all(p > 1 for _, p in made("n: int, p: int", careful, (3, 5), (0, 101), (7, 11), count=200))


def test_structured_texts_keep_their_structure() -> None:
    dates = ("2020-01-31",), ("1999-12-01",)
    assert all(len(str(date)) == 10 for (date,) in made("day: str", AS_LONG, *dates, count=200))


def test_arguments_keep_the_relations_that_documented_ones_have() -> None:
    calls = made("a: list[int], b: list[int]", DISTINCT, ([1, 2], [3, 4]), ([5], [6]), count=200)
    assert all(len(first) == len(second) for first, second in calls)


def test_telling_calls_are_few_distinct_and_the_same_every_time() -> None:
    drawn = source("xs: list[str], n: int", (["News", "b c"], 2))
    first, second = (telling_calls(drawn, [DISTINCT], count=25, seed=0) for _ in range(2))
    assert first == second
    assert len(first) == 25
    assert len(set(map(repr, first))) == 25
    assert Call((["News", "b c"], 2)) not in first


def test_without_a_documented_call_drawn_ones_are_varied() -> None:
    assert any("" in items for (items,) in made("xs: list[str]", AS_LONG, count=50))
