"""Every notation in which documents write a call and its value, by table: what is read, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from probatum.programs.specification import Unread
from tests.programs.parsing import pairs, read


@dataclass(frozen=True)
class Case:
    document: str
    expected: list[tuple[str, object]]
    header: str = "def f(x):"
    notation: str | None = None


READ: Mapping[str, Case] = {
    "double equals": Case("f(2) == 4", [("f(2)", 4)], notation="equals"),
    "single equals": Case("f(2) = 4", [("f(2)", 4)], notation="equals"),
    "fat arrow": Case("f('a') => 'A'", [("f('a')", "A")], notation="arrow"),
    "long fat arrow": Case("f([]) ==> []", [("f([])", [])], notation="arrow"),
    "thin arrow": Case("f(2) -> 4", [("f(2)", 4)], notation="arrow"),
    "long thin arrow": Case("f(2) --> 4", [("f(2)", 4)], notation="arrow"),
    "heavy arrow": Case("f(2) ➞ 4", [("f(2)", 4)], notation="arrow"),
    "arrow sign": Case("f(2) → 4", [("f(2)", 4)], notation="arrow"),
    "no spaces": Case("f(2)==>4", [("f(2)", 4)]),
    "arrow without a space before the value": Case("f(2) ->4", [("f(2)", 4)]),
    "comment with arrow": Case("f(2)  # => 4", [("f(2)", 4)], notation="comment"),
    "assert": Case("assert f(2) == 4", [("f(2)", 4)], notation="equals"),
    "assert with message": Case("assert f(2) == 4, 'two squared'", [("f(2)", 4)]),
    "assert with arrow": Case("assert f([1, 2]) => [2]", [("f([1, 2])", [2])], notation="arrow"),
    "assert of truth": Case("assert f(2)", [("bool(f(2))", True)]),
    "assert of untruth": Case("assert not f(0)", [("not f(0)", True)]),
    "assert of a wrapped call": Case("assert sorted(f([2, 1])) == [1, 2]", [("sorted(f([2, 1]))", [1, 2])]),
    "assert of nearness": Case("assert abs(f(2) - 4.0) < 0.1", [("abs(f(2) - 4.0) < 0.1", True)]),
    "assert of identity": Case("assert f(0) is None", [("f(0)", None)]),
    "wrapped call": Case("len(f('ab')) == 2", [("len(f('ab'))", 2)]),
    "rounded call": Case("round(f(2), 2) -> 1.41", [("round(f(2), 2)", 1.41)]),
    "part of the result": Case("f(2)[0] == 4", [("f(2)[0]", 4)]),
    "star bullet": Case("* f(2) -> 4\n* f(3) -> 9", [("f(2)", 4), ("f(3)", 9)]),
    "dash bullet": Case("- f(2) -> 4", [("f(2)", 4)]),
    "numbered": Case("1. f(2) == 4\n2) f(3) == 9", [("f(2)", 4), ("f(3)", 9)]),
    "for": Case("for f(2) == 4", [("f(2)", 4)]),
    "label": Case("Example: f(2) == 4", [("f(2)", 4)]),
    "numbered label": Case("Example 2: f(2) == 4", [("f(2)", 4)]),
    "abbreviated label": Case("e.g. f(2) == 4", [("f(2)", 4)]),
    "in backticks": Case("`f(2)` == `4`; ``f(3)`` == ``9``.", [("f(2)", 4), ("f(3)", 9)]),
    "in parentheses": Case("Squares its argument (f(2) == 4).", [("f(2)", 4)]),
    "two on a line": Case("f(2) == 4, f(3) == 9", [("f(2)", 4), ("f(3)", 9)]),
    "semicolon": Case("f(2) == 4; f(3) == 9", [("f(2)", 4), ("f(3)", 9)]),
    "trailing comment": Case("f(2) == 4  # since 2 * 2", [("f(2)", 4)]),
    "trailing dash": Case("f(2) == 4 - that is two squared", [("f(2)", 4)]),
    "explained on the next line": Case("f(2) ➞ 4\n# two squared", [("f(2)", 4)]),
    "trailing zeros": Case("f(2) == 6.00", [("f(2)", 6.0)]),
    "arithmetic": Case("f(2) == 2**31 - 1", [("f(2)", 2**31 - 1)]),
    "arithmetic that is spelt out": Case("f(2) -> 19 - 5 - 6 = 8", [("f(2)", 8)]),
    "sum that is spelt out": Case("f([3]) == 1 + 9 + 0 = 10", [("f([3])", 10)]),
    "arguments over lines": Case("f([\n  [1, 2],\n  [3]\n]) == 3", [("f([[1, 2], [3]])", 3)]),
    "value over lines": Case("f(2) == [1,\n         2]", [("f(2)", [1, 2])]),
    "value on the next line": Case("f(2) ==\n    [1, 2]", [("f(2)", [1, 2])]),
    "arrow on the next line": Case("f(2)\n    => [1, 2]", [("f(2)", [1, 2])]),
    "brackets in strings": Case("f(')(') == '(['", [("f(')(')", "([")]),
    "hash in a string": Case("f('#') == '#'", [("f('#')", "#")]),
    "arrow in a string": Case("f('a -> b') == '=>'", [("f('a -> b')", "=>")]),
    "quote in a string": Case('f("it\'s") == "\\"x\\""', [('f("it\'s")', '"x"')]),
    "foreign truth": Case("f(2) => true\nf(3) => false", [("f(2)", True), ("f(3)", False)]),
    "foreign nothing": Case("f(2) == null\nf(3) == none", [("f(2)", None), ("f(3)", None)]),
    "set": Case("f(2) == {1, 2}\nf(3) == set()", [("f(2)", {1, 2}), ("f(3)", set())]),
    "dictionary": Case("f('a') == {'a': [1, (2, 3)]}", [("f('a')", {"a": [1, (2, 3)]})]),
    "bytes and complex": Case("f(b'a') == b'\\x00'\nf(1j) == 2+3j", [("f(b'a')", b"\x00"), ("f(1j)", 2 + 3j)]),
    "tuple": Case("f(2) == (1,)", [("f(2)", (1,))]),
    "infinity": Case("f(2) == float('inf')\nf(3) == -inf", [("f(2)", math.inf), ("f(3)", -math.inf)]),
    "two expressions": Case("f(2) == f(-2)", [("f(2) == f(-2)", True)]),
    "a stand-in for the name": Case("candidate(2) == 4", [("f(2)", 4)], notation="equals_renamed"),
    "name with its module": Case("numbers.f(2) == 4", [("f(2)", 4)], notation="equals_renamed"),
    "keyword argument": Case("f(x=2) == 4", [("f(x=2)", 4)]),
    "block in a page": Case("Example::\n\n    f(2) == 4\n", [("f(2)", 4)]),
    "fenced": Case("```python\nf(2) == 4\n```", [("f(2)", 4)]),
    "section with a line below": Case("Examples\n--------\nf(2) == 4", [("f(2)", 4)]),
    "unicode": Case("f('ä→b') == '日本'", [("f('ä→b')", "日本")]),
}

IN_WORDS = (
    "f(2) returns 4",
    "f(2)   # returns 4",
    "f(2) should be 4",
    "f(2) => returns 4",
    "Input: [4, 2]\nOutput: 2",
    "Example 1:\n  Input: 3\n  Output: 9",
    "For x = [1, 2] the output should be 3",
    "Given [3, 1], return [1, 3]",
    "x = [2, 1]\nreturn ['One', 'Two']",
)


@pytest.mark.parametrize("document", IN_WORDS)
def test_what_words_tell_is_no_example(document: str) -> None:
    function = read(document)
    assert function.examples == ()
    assert function.words


@pytest.mark.parametrize("name", READ)
def test_reads(name: str) -> None:
    case = READ[name]
    function = read(case.document, case.header)
    assert pairs(function) == case.expected
    if case.notation is not None:
        assert {example.notation for example in function.examples} == {case.notation}
    assert function.unreadable == ()


REFUSED: Mapping[str, tuple[str, str]] = {
    "unquoted argument": ("f(abc) => True", "quotes"),
    "unquoted value": ("f('abc') => abc", "not a value"),
    "quote too many": ('f(["a", "b"]) == ""ab"', "not clear"),
    "quote too few": ("f('a) == 'b'", "do not close"),
    "bracket too few": ("f([1, 2) == 3", "do not close"),
    "bracket missing in the value": ("f(2) == [1, 2", "do not close"),
    "abbreviated value": ("f(5) == [1, 2, ...]", "abbreviated"),
    "abbreviated after the value": ("f(5) == [0], ...", "not clear"),
    "recurrence": ("f(n) -> f(n-1) + f(n-2)", "'n'"),
    "placeholder": ("f(n) = n + 1", "'n'"),
    "parameter as argument": ("f(x) == 4", "'x'"),
    "condition after the value": ("f(2) = 1 if the list is long", "not clear"),
    "alternative": ("f(2) == 3 or 4", "not clear"),
    "bare tuple": ("f(2) -> 1, 2", "not clear"),
    "unit": ("f(2) == 50%", "not clear"),
    "rounded": ("f(2) ≈ 1.41", "approximate"),
    "false arithmetic": ("f(2) -> 19 - 5 - 6 = 9", "is not"),
    "foreign truth inside": ("f(2) == [true, false]", "quotes"),
    "curly quotes": ("f(“abc”) == 3", "Python"),
    "large power": ("f(2) == 10 ** 10 ** 10", "too large"),
    "large repetition": ("f(2) == [0] * 10 ** 9", "too large"),
    "deep nesting": ("f(" + "[" * 150 + "]" * 150 + ") == 1", "do not close"),
    "deep value": ("f(1) == " + "[" * 80 + "]" * 80, "deeply"),
    "many signs": ("f(1) == " + "-" * 3000 + "1", "deeply"),
    "nothing follows": ("f(2) ==\n\nThe end.", "not a value"),
    "exception behind an arrow": ("f(-1) -> raises ValueError", "not a value"),
    "another name in an assert": ("assert square(2) == 4", "'square'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_with_a_reason(name: str) -> None:
    document, reason = REFUSED[name]
    function = read(document)
    assert function.examples == ()
    assert len(function.unreadable) == 1
    assert reason in function.unreadable[0].reason


PROSE: Mapping[str, str] = {
    "mention": "f(x) returns the sum of all numbers.",
    "mention with a number": "f(x) returns 1 if x is prime and 0 otherwise.",
    "signature": "f(x) -> int",
    "signature with annotation": "f(x: int) -> list[int]",
    "signature with default": "f(x=2) -> str",
    "call without arguments": "``f()`` returns ``True`` for all even numbers, else f() is False.",
    "arrow to a description": "f(x) -> the square of the number",
    "call alone": "See f(2) for more.",
    "comment behind a call": "f(2)  # 4",
    "exception in words": "f(-1) raises ValueError, and f('a') should raise a TypeError.",
    "definition": "def f(x): return x == 4",
    "another function's formula": "g(n) = n! * (n - 1)!",
    "inequality": "f(2) != 4 and f(2) <= 9",
    "other language": "x = 3 * f(2) == 4",
}


@pytest.mark.parametrize("name", PROSE)
def test_leaves_prose_alone(name: str) -> None:
    function = read(PROSE[name])
    assert (function.examples, function.unreadable) == ((), ())


def test_another_name_must_be_free_and_fit() -> None:
    taken = read("g(2) == 4", before="def g(x):\n    return x\n\n")
    assert [(each.expression, each.notation) for each in taken.examples] == [("g(2)", "equals")]
    assert read("solution(2, 3) == 4").examples == ()
    assert read("solution(2) == 4").examples[0].confidence == pytest.approx(0.8)


def test_scalar_in_parentheses_is_refused_beside_tuples() -> None:
    function = read("f(1) ==> ('a', 'b')\nf(2) ==> ('a')")
    assert pairs(function) == [("f(1)", ("a", "b"))]
    assert "comma" in function.unreadable[0].reason
    assert pairs(read("f(2) ==> ('a')")) == [("f(2)", "a")]


def test_contradicting_examples_do_not_count() -> None:
    function = read("f(1) == 2\nf( 1 ) == 3\nf(2) == 2\nf('a b') == 1\nf('ab') == 2")
    assert pairs(function) == [("f(2)", 2), ("f('a b')", 1), ("f('ab')", 2)]
    assert [(each.text, each.reason) for each in function.unreadable] == [
        ("f(1) == 2", "contradicts line 4"),
        ("f( 1 ) == 3", "contradicts line 3"),
    ]


def test_a_repeated_example_is_no_contradiction() -> None:
    assert read("f(1) == 2\nf(1) == 2.0\nf(1) => 2").unreadable == ()


OTHER_NAMES: Mapping[str, tuple[str, str, int]] = {
    "about something else": ("def f(x):", "square(2) == 4", 0),
    "beside its own": ("def sorted_list_sum(lst):", "sorted_list_sum([1]) == 1\nlist_sort([2]) == 2", 1),
    "a former name": ("def sorted_list_sum(lst):", "list_sort([2]) == 2", 1),
    "a former name in the text": ("def sorted_list_sum(lst):", "See list_sort.\n\nlist_sort([2]) == 2", 0),
    "two names": ("def sorted_list_sum(lst):", "list_sort([2]) == 2\nlist_sum([2]) == 2", 0),
    "a sibling's name": ("def encode_text(text):", "decode_text('b') == 'a'", 0),
    "the other way round": ("def miles_to_km(x):", "km_to_miles(8) == 5", 0),
}


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_an_example_about_another_name_is_not_the_functions_own(name: str) -> None:
    header, document, kept = OTHER_NAMES[name]
    function = read(document, header)
    assert len(function.examples) == kept
    about_others = [row for row in function.unreadable if row.why is Unread.NOT_ITS_OWN]
    assert len(about_others) == document.count("==") - kept
    assert all("which the file does not define" in row.reason for row in about_others)
