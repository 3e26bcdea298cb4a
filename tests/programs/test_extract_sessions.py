"""Interpreter sessions: prompts, output, exceptions, set-up, directives, and what a missing output documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from probatum.programs.specification import NOTHING_SHOWN
from tests.programs.parsing import PRINTS, RAISES, REPR, pairs, read

TRACEBACK = 'Traceback (most recent call last):\n  File "<stdin>", line 1\n'


@dataclass(frozen=True)
class Case:
    document: str
    expected: list[tuple[str, object]]
    header: str = "def f(x):"
    body: str = "return x"
    before: str = ""


READ: Mapping[str, Case] = {
    "value": Case(">>> f(2)\n4", [("f(2)", 4)]),
    "no space after the prompt": Case(">>>f(2)\n4", [("f(2)", 4)]),
    "several": Case(">>> f(2)\n4\n>>> f(3)\n9", [("f(2)", 4), ("f(3)", 9)]),
    "continued": Case(">>> f([1,\n...    2])\n[1, 2]", [("f([1, 2])", [1, 2])]),
    "brackets around an expression over lines": Case(
        ">>> (f(2)\n...  + f(3))\n13\n>>> (f(2) ==\n...  4)\nTrue", [("f(2) + f(3)", 13), ("f(2)", 4)]
    ),
    "continued without dots": Case(">>> f([1,\n       2])\n[1, 2]", [("f([1, 2])", [1, 2])]),
    "output over lines": Case(">>> f(2)\n[1,\n 2]", [("f(2)", [1, 2])]),
    "comment after the call": Case(">>> f(2)  # two\n4", [("f(2)", 4)]),
    "value in the comment": Case(">>> f(2)  # => 4", [("f(2)", 4)]),
    "wrapped": Case(">>> round(f(2), 2)\n1.41", [("round(f(2), 2)", 1.41)]),
    "string": Case(">>> f('a')\n'A'", [("f('a')", "A")]),
    "set": Case(">>> f(2)\n{1, 2}", [("f(2)", {1, 2})]),
    "true comparison": Case(">>> f(2) == 4\nTrue", [("f(2)", 4)]),
    "bare comparison": Case(">>> f(2) == 4\n>>> f([]) == []", [("f(2)", 4), ("f([])", [])]),
    "comparison the other way round": Case(">>> 4 == f(2)\nTrue", [("f(2)", 4)]),
    "false comparison": Case(">>> f(2) == 5\nFalse", [("f(2) == 5", False)]),
    "comparison of two calls": Case(">>> f(2) == f(-2)\nTrue", [("f(2) == f(-2)", True)]),
    "membership": Case(">>> f(2) in (3, 4)\nTrue", [("f(2) in (3, 4)", True)]),
    "assertion": Case(">>> assert f(2) == 4", [("f(2)", 4)]),
    "arrow after the prompt": Case(">>> f(2) -> 4\n>>> f(3) => 9", [("f(2)", 4), ("f(3)", 9)]),
    "None shown by a blank line": Case(">>> f([])\n\n>>> f([1])\n1", [("f([])", None), ("f([1])", 1)]),
    "traceback": Case(f">>> f(-1)\n{TRACEBACK}ValueError: negative", [("f(-1)", (RAISES, "ValueError"))]),
    "short traceback": Case(
        ">>> f(-1)\nTraceback (most recent call last):\n...\nKeyError: 'x'", [("f(-1)", (RAISES, "KeyError"))]
    ),
    "qualified exception": Case(
        f">>> f('x')\n{TRACEBACK}json.decoder.JSONDecodeError: bad", [("f('x')", (RAISES, "JSONDecodeError"))]
    ),
    "exception without a traceback": Case(">>> f(-1)\nValueError: negative", [("f(-1)", (RAISES, "ValueError"))]),
    "printed": Case(">>> print(f(2))\n4", [("print(f(2))", (PRINTS, "4"))]),
    "printed blank line": Case(">>> print(f(2))\na\n<BLANKLINE>\nb", [("print(f(2))", (PRINTS, "a\n\nb"))]),
    "procedure prints": Case(">>> f('you')\nHello, you!", [("f('you')", (PRINTS, "Hello, you!"))], body="print(x)"),
    "procedure prints a number": Case(">>> f(3)\n9", [("f(3)", (PRINTS, "9"))], "def f(x) -> None:", "print(x * x)"),
    "object": Case(">>> f(1)\nPoint(x=1, y=2)", [("f(1)", (REPR, "Point(x=1, y=2)"))]),
    "object that holds one in angle brackets": Case(
        ">>> f(1)\nTally([1, 2], rule=<built-in function abs>)",
        [("f(1)", (REPR, "Tally([1, 2], rule=<built-in function abs>)"))],
    ),
    "object in angle brackets": Case(">>> f(1)\n<Colour.RED: 1>", [("f(1)", (REPR, "<Colour.RED: 1>"))]),
    "list of objects": Case(">>> f(1)\n[Point(x=1), Point(x=2)]", [("f(1)", (REPR, "[Point(x=1), Point(x=2)]"))]),
    "own class with a value's name": Case(
        ">>> f(1)\nFraction(1, 2)", [("f(1)", (REPR, "Fraction(1, 2)"))], before="class Fraction:\n    pass\n\n"
    ),
    "statements that print": Case(
        ">>> for each in f(2): print(each)\n1\n2", [("exec('for each in f(2): print(each)')", (PRINTS, "1\n2"))]
    ),
    "values inside a statement": Case(
        ">>> for each in f(2):\n...     each\n1\n2",
        [("exec(\"for each in f(2):\\n    __import__('sys').displayhook(each)\")", (PRINTS, "1\n2"))],
    ),
    "strings as Python 2 showed them": Case(">>> f(1)\nURL(u'a', [u'b'])", [("f(1)", (REPR, "URL('a', ['b'])"))]),
    "statements that raise": Case(
        f">>> a = f(2)\n>>> a[5] = 1\n{TRACEBACK}IndexError: no", [("exec('a[5] = 1')", (RAISES, "IndexError"))]
    ),
    "awaited": Case(">>> await f(2)\n4", [("f(2)", 4)], "async def f(x):"),
    "skipped": Case(">>> f(2)  # doctest: +SKIP\n4\n>>> f(3)\n9", [("f(3)", 9)]),
    "white space does not count in values": Case(
        ">>> f(2)  # doctest: +NORMALIZE_WHITESPACE\n[1,\n    2]", [("f(2)", [1, 2])]
    ),
    "less indented text": Case("Example:\n    >>> f(2)\n    4\nNote that four is even.", [("f(2)", 4)]),
    "fenced": Case("```python\n>>> f(2)\n4\n```", [("f(2)", 4)]),
    "section": Case("Examples\n--------\n>>> f(2)\n4\n\nNotes\n-----\nNone.", [("f(2)", 4)]),
    "google section": Case("Args:\n    x: a number\n\nExamples:\n    >>> f(2)\n    4", [("f(2)", 4)]),
    "carriage return in a string": Case(r">>> f('a\r\n')" + "\n" + r"'a\n'", [(r"f('a\r\n')", "a\n")]),
    "the file's own module": Case(">>> import shapes\n>>> shapes.f(2)\n4", [("f(2)", 4)]),
    "imported from the file's own module": Case(">>> from shapes import f\n>>> f(2)\n4", [("f(2)", 4)]),
}


@pytest.mark.parametrize("name", READ)
def test_reads(name: str) -> None:
    case = READ[name]
    function = read(case.document, case.header, case.body, case.before)
    assert pairs(function) == case.expected
    assert function.unreadable == ()


REFUSED: Mapping[str, tuple[str, str]] = {
    "unquoted output": (">>> f('abc')\ncba", "quotes"),
    "abbreviated output": (">>> f(2)\n[1, 2, ...]", "abbreviated"),
    "ellipsis": (">>> f(2)  # doctest: +ELLIPSIS\n'a...z'", "abbreviated"),
    "address": (">>> f(2)\n<object at 0x7f3a>", "address"),
    "object over lines": (">>> f(2)\n[Point(1),\n Point(2)]", "several lines"),
    "no sign between": (">>> f([1, 0]) [0, 1]", "no sign"),
    "syntax": (">>> f(2\n4", "cannot be read"),
    "unknown name": (">>> f(numbers)\n4", "numbers"),
    "unknown package": (">>> import shapes\n>>> f(shapes.square(2))\n4", "shapes"),
    "mixed output": (">>> f(2)\nworking\n4", "quotes"),
    "printed text that may be abbreviated": (">>> print(f(2))\nPoint(...)", "abbreviated"),
    "white space of printed text": (">>> print(f(2))  # doctest: +NORMALIZE_WHITESPACE\na b", "white space"),
    "comment without a sign": (">>> f(2)  # 4", "no output"),
    "sentence without a blank line": (">>> f(2)\n4\nThe result is even.", "neither a value nor printed"),
    "nothing follows at the end": (">>> f(2)", "no output"),
    "large constant": (">>> f(2) == 10 ** 10 ** 10\nTrue", "too large"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_with_a_reason(name: str) -> None:
    document, reason = REFUSED[name]
    function = read(document)
    assert function.examples == ()
    assert [reason in each.reason for each in function.unreadable] == [True]


def test_no_output_against_an_annotation_is_refused() -> None:
    function = read(">>> f(2)\n\n>>> f(3)\n9", "def f(x) -> int:")
    assert pairs(function) == [("f(3)", 9)]
    assert "annotation is int" in function.unreadable[0].reason
    assert pairs(read(">>> f(2)\n\n>>> f(3)\n9", "def f(x) -> int | None:")) == [("f(2)", None), ("f(3)", 9)]


@pytest.mark.parametrize(
    ("document", "header", "notation"),
    [
        (">>> f(2)\n>>> f(3)\n9", "def f(x):", NOTHING_SHOWN),
        (">>> f(2)\n>>> f(3)\n9", "def f(x) -> int | None:", "doctest"),
        (">>> f(2)\n>>> f(3)\n9", "def f(x) -> Optional[int]:", "doctest"),
        (">>> f(2)\n>>> f(3)\n9", "def f(x) -> object:", NOTHING_SHOWN),
        (">>> f(2).close()\n>>> f(3)\n9", "def f(x) -> int | None:", NOTHING_SHOWN),
    ],
)
def test_a_missing_output_says_none_for_sure_only_where_the_annotation_has_none(
    document: str, header: str, notation: str
) -> None:
    function = read(document, header)
    assert function.examples[0].notation == notation


def test_state_carries_on() -> None:
    document = ">>> import math\n>>> a = [3, 1]\n>>> a.append(2)\n>>> f(a)\n[1, 2, 3]\n>>> a.pop()\n3\n>>> f([])\n[]"
    function = read(document)
    assert [(each.expression, each.setup) for each in function.examples] == [
        ("a.append(2)", ("import math", "a = [3, 1]")),
        ("f(a)", ("import math", "a = [3, 1]", "a.append(2)")),
        ("a.pop()", ("import math", "a = [3, 1]", "a.append(2)", "f(a)")),
        ("f([])", ("import math",)),
    ]


def test_a_call_that_is_documented_to_raise_is_set_up_with_its_exception_passed_over() -> None:
    function = read(f">>> a = [1]\n>>> f(a)\n{TRACEBACK}ValueError: no\n>>> f(a + [2])\n3")
    assert function.examples[1].setup == ("a = [1]", "try:\n    f(a)\nexcept Exception:\n    pass")


def test_a_session_remembers_also_what_nothing_seems_to_depend_on() -> None:
    function = read(">>> a = [1]\n>>> f(2)\n4\n>>> f(3)\n9")
    assert [(each.setup, each.before) for each in function.examples] == [((), ("a = [1]",)), ((), ("a = [1]", "f(2)"))]


def test_definitions_carry_on_with_their_decorators() -> None:
    function = read(">>> @f\n... def g(x):\n...     def h():\n...         return x\n...     return h()\n>>> g(2)\n4")
    assert [(each.expression, each.setup[0].split("\n")[:2]) for each in function.examples] == [
        ("g(2)", ["@f", "def g(x):"])
    ]


def test_steps_that_print_are_set_up_silently_or_not_at_all() -> None:
    function = read(">>> a = [1]\n>>> print(a.pop())\n1\n>>> print(f(a), end='')\n[]")
    assert [each.setup for each in function.examples] == [("a = [1]",), ("a = [1]", "[a.pop()]")]
    loud = read(">>> a = [1]\n>>> f(a)\nworking\n1\n>>> print(f(a))\n[]")
    assert loud.examples == ()
    assert "that of earlier steps" in loud.unreadable[-1].reason


def test_effects_concern_every_later_example() -> None:
    function = read(">>> import random\n>>> random.seed(3)\n>>> f(2)\n4", "def f(x) -> int:")
    assert function.examples[-1].setup == ("import random", "random.seed(3)")


def test_printing_under_another_name() -> None:
    function = read(">>> from pprint import pprint as pp\n>>> pp(f(2))\n[1]")
    assert pairs(function) == [("pp(f(2))", (PRINTS, "[1]"))]


def test_what_the_module_holds_makes_every_call_a_step() -> None:
    counting = "count = [0]\n\n"
    function = read(">>> f(1)\n1\n>>> f(1)\n2", body="count.append(x)\n    return len(count) - 1", before=counting)
    assert [(each.expression, each.setup) for each in function.examples] == [("f(1)", ()), ("f(1)", ("f(1)",))]


def test_set_up_that_cannot_be_executed_takes_its_examples_with_it() -> None:
    function = read(">>> a = unknown(1)\n>>> f(a)\n4\n>>> f(2)\n4")
    assert pairs(function) == [("f(2)", 4)]
    assert ["unknown" in function.unreadable[0].reason, "'a'" in function.unreadable[1].reason] == [True, True]


def test_a_session_with_too_many_steps_is_refused_from_there_on() -> None:
    function = read(">>> a = []\n" + ">>> a.append(1)\n" * 400 + ">>> f(a)\n1")
    assert max(len(each.setup) for each in function.examples) <= 200
    assert "steps" in function.unreadable[-1].reason
