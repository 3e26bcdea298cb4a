"""From a whole file to its specifications: which definitions, which places, which claims, and hostile text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.errors import UsageError
from probatum.programs.extract import extract_contract, extract_module
from probatum.programs.specification import FunctionSpec, ModuleSpec, Parameter, Span
from probatum.programs.units import find_function
from tests.programs.parsing import pairs, program, read

MODULE = '''
from __future__ import annotations
import os, json.decoder
from math import pi as PI

LIMIT: int = 3


@staticmethod
def decorated(a, /, b: int = 2, *rest, c: str, d=None, **more) -> list[int]:
    """decorated(1) == [1]"""
    yield a


async def later(x):
    """later(1) == 2"""
    def inner():
        """inner(1) == 2"""
    return x


class Stack(Base):
    """A stack.

    >>> s = Stack(3)
    >>> s.push(4)
    >>> s.size
    1
    """

    def __init__(self, room, name=""):
        """Stack(3).size == 0"""

    def push(self, x):
        """push(3) == None"""

    @staticmethod
    def zero(x):
        """zero(1) == 0; Stack.zero(2) == 0"""

    @property
    def size(self):
        """How many."""

    @size.setter
    def size(self, value):
        """Not this one."""


class Solution:
    def double(self, n):
        """Twice a number:
        double(2) == 4"""


if LIMIT:
    def chosen(x):
        """chosen(1) == 1"""
else:
    import pathlib
'''


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as Python counts them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def at(lines: list[str], span: Span) -> str:
    """Return what stands at a place."""
    if span.line == span.end_line:
        return lines[span.line - 1][span.column : span.end_column]
    first, last = lines[span.line - 1][span.column :], lines[span.end_line - 1][: span.end_column]
    return "\n".join([first, *lines[span.line : span.end_line - 1], last])


def spans(module: ModuleSpec) -> list[tuple[Span, str]]:
    """Return every place and text that a specification shows."""
    found = []
    for function in module.functions:
        found += [(each.span, each.text) for each in (*function.examples, *function.unreadable)]
        if function.returns is not None:
            found.append((function.returns.span, function.returns.annotation))
    return found


def assert_places_hold(text: str, module: ModuleSpec) -> None:
    lines = lines_of(text)
    for span, shown in spans(module):
        assert at(lines, span) == "\n".join(lines_of(shown))
        assert shown.strip()


class TestDefinitions:
    module = extract_module(MODULE)

    def function(self, name: str) -> FunctionSpec:
        return find_function(self.module, name)

    def test_functions_classes_and_methods_in_order(self) -> None:
        assert [(each.qualname, each.kind) for each in self.module.functions] == [
            ("decorated", "function"),
            ("later", "function"),
            ("Stack", "class"),
            ("Stack.__init__", "method"),
            ("Stack.push", "method"),
            ("Stack.zero", "staticmethod"),
            ("Stack.size", "method"),
            ("Solution", "class"),
            ("Solution.double", "method"),
            ("chosen", "function"),
        ]

    def test_the_parameters_of_a_dataclass_are_its_fields(self) -> None:
        source = """
from dataclasses import dataclass, field

@dataclass(frozen=True)
class Point:
    x: int
    y: float = 0.0
    names: list[str] = field(default_factory=list)
    unit: str = field(default="m")
    length: float = field(init=False)
    origin: ClassVar[int] = 0
    _: KW_ONLY
    colour: str = ""

@dataclass
class Corner(Point):
    angle: int

@dataclasses.dataclass(kw_only=True)
class Circle:
    radius: float
    centre: Point = field(kw_only=False)

@dataclass(init=False)
class Made:
    angle: int
"""
        point, corner, circle, made = extract_module(source).functions
        assert point.parameters == (
            Parameter("x", "positional_or_keyword", "int"),
            Parameter("y", "positional_or_keyword", "float", "0.0"),
            Parameter("names", "positional_or_keyword", "list[str]", "field(default_factory=list)"),
            Parameter("unit", "positional_or_keyword", "str", '"m"'),
            Parameter("colour", "keyword_only", "str", '""'),
        )
        assert [(each.name, each.kind) for each in circle.parameters] == [
            ("centre", "positional_or_keyword"),
            ("radius", "keyword_only"),
        ]
        assert corner.parameters == made.parameters == ()

    def test_parameters(self) -> None:
        assert self.function("decorated").parameters == (
            Parameter("a", "positional_only"),
            Parameter("b", "positional_or_keyword", "int", "2"),
            Parameter("rest", "var_positional"),
            Parameter("c", "keyword_only", "str"),
            Parameter("d", "keyword_only", None, "None"),
            Parameter("more", "var_keyword"),
        )
        assert [each.name for each in self.function("Stack").parameters] == ["room", "name"]
        assert [each.name for each in self.function("Stack.push").parameters] == ["self", "x"]

    def test_kinds_of_functions(self) -> None:
        assert self.function("later").is_async
        assert not self.function("decorated").is_async

    def test_the_span_begins_with_the_decorator(self) -> None:
        span = self.function("decorated").span
        assert MODULE.split("\n")[span.line - 1] == "@staticmethod"
        assert (span.column, span.end_line - span.line) == (0, 3)

    def test_annotation_of_the_result(self) -> None:
        claim = self.function("decorated").returns
        assert claim is not None
        assert claim.annotation == "list[int]"

    def test_names(self) -> None:
        assert self.module.defined[:5] == ("annotations", "os", "json", "PI", "LIMIT")

    def test_methods_are_called_on_what_the_document_can_make(self) -> None:
        assert [each.expression for each in self.function("Stack").examples] == ["s.push(4)", "s.size"]
        assert pairs(self.function("Stack.__init__")) == [("Stack(3).size", 0)]
        assert pairs(self.function("Stack.zero")) == [("Stack.zero(1)", 0), ("Stack.zero(2)", 0)]
        assert pairs(self.function("Solution.double")) == [("Solution().double(2)", 4)]
        assert self.function("Stack.push").examples == ()
        assert "object" in self.function("Stack.push").unreadable[0].reason

    def test_ids_count_within_a_function(self) -> None:
        assert [each.id for each in self.function("Stack").examples] == ["e1", "e2"]

    def test_places(self) -> None:
        assert_places_hold(MODULE, self.module)

    def test_a_name_that_is_not_there(self) -> None:
        with pytest.raises(UsageError, match=r"no_such_name.*Did you mean 'Stack'"):
            find_function(self.module, "Stak")
        with pytest.raises(UsageError, match="no_such_name"):
            find_function(extract_module(""), "f")


def test_the_last_definition_of_a_name_counts() -> None:
    module = extract_module('def f(x):\n    """f(1) == 1"""\n\n\ndef f(x):\n    """f(1) == 2"""\n')
    assert [pairs(each) for each in module.functions] == [[("f(1)", 2)]]


def test_documents_are_dedented() -> None:
    assert read("One.\n\n  Two.").document == "One.\n\n  Two."


LITERALS: Mapping[str, tuple[str, object]] = {
    "plain": ('"""f(1) == 2"""', 2),
    "raw": ('r"""f(1) == "a\\nb" """', "a\nb"),
    "escapes in a long text": ('"""Text.\n\n    f(1) == "a\\nb\\t"\n    """', "a\nb\t"),
    "double backslash": ('"""Text.\n    f(1) == "a\\\\nb"\n    """', "a\nb"),
    "escapes as layout": ('"Text.\\n\\nf(1) == 2\\n"', 2),
    "escaped quotes": ('"f(1) == \\"a\\""', "a"),
    "hexadecimal": ('"""f(1) == "\\x41\\u00e4\\N{BULLET}" """', "A\u00e4\u2022"),
    "octal": ('"""f(1) == "\\101" """', "A"),
    "continued line": ('"""f(1) \\\n== 2"""', 2),
    "joined": ('("Text. "\n    "f(1) "  # a comment\n    "== 2")', 2),
    "umlauts before it": ('"""ä ö ü f(1) == 2"""', 2),
    "wide characters before it": ('"""😀 f(1) == 2"""', 2),
    "form feed": ('"""Text.\n\f\n    f(1) == 2\n    """', 2),
    "tabs": ('"""Text.\n\tf(1)\t==\t2\n\t"""', 2),
    "line separator": ('"""Text.\u2028\n    f(1) == 2\n    """', 2),
    "unknown escape": ('"""\\d f(1) == 2"""', 2),
}


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", LITERALS)
def test_every_way_to_write_a_docstring(name: str, ending: str) -> None:
    literal, value = LITERALS[name]
    source = f"x = 'ä'\n\n\ndef f(x):\n    {literal}\n".replace("\n", ending)
    module = extract_module(source)
    assert pairs(module.functions[0]) == [("f(1)", value)]
    assert_places_hold(source, module)
    assert module.functions[0].examples[0].text.startswith("f(1)")


class TestContracts:
    function = read("f(1) == 1\nf(2) == 2")

    def test_adds_examples_with_places_in_the_contract(self) -> None:
        contract = "It squares.\r\nf(3) == 9\r\nf(abc) == 1\r\nDoes not modify its argument."
        added = extract_contract(contract, self.function)
        assert [(each.id, each.expression, each.source) for each in added.examples[2:]] == [("e3", "f(3)", "contract")]
        assert added.examples[2].span == Span(2, 0, 2, 9)
        assert [(each.text, each.source) for each in added.unreadable] == [("f(abc) == 1", "contract")]

    def test_quotes_around_a_contract_are_no_output(self) -> None:
        assert pairs(extract_contract('"""\n>>> f(3)\n9\n""" and nothing else', self.function))[2:] == [("f(3)", 9)]

    def test_prose_alone_adds_nothing_but_statements(self) -> None:
        extended = extract_contract("Return the square.", self.function)
        assert replace(extended, further="", statements=self.function.statements) == self.function
        assert extended.statements[-1].text == "Return the square."
        assert "Return the square." in extended.further

    def test_names_of_the_module(self) -> None:
        assert "contract" not in [each.source for each in extract_contract("f(K) == 1", self.function).examples]
        assert extract_contract("f(K) == 1", self.function, ("K",)).examples[-1].expression == "f(K)"

    def test_methods(self) -> None:
        method = find_function(extract_module(MODULE), "Solution.double")
        added = extract_contract("Solution().double(3) == 6", method)
        assert pairs(added)[-1] == ("Solution().double(3)", 6)


MANY = 10_000
HOSTILE: Mapping[str, Callable[[], str]] = {
    "open brackets": lambda: "f(" * 100_000,
    "open brackets on lines": lambda: "f(\n" * 60_000,
    "open brackets with values": lambda: "f([1, 2 == 3\n" * 15_000,
    "quotes": lambda: "f('" * 60_000,
    "quotes on lines": lambda: "f('a\n" * 40_000,
    "triple quotes": lambda: "f('''a\n" * 25_000,
    "arrows": lambda: "f(1) ->" * 25_000,
    "arrows on lines": lambda: "f(1) ->\n" * 25_000,
    "equals signs": lambda: "f(1) == " + "1 = " * 50_000 + "1",
    "sums": lambda: "f(1) == " + "1 + " * 50_000 + "1",
    "minus signs": lambda: "f(1) == " + "-" * 200_000,
    "spaces": lambda: "f(1) ==" + " " * 200_000,
    "blank lines": lambda: "f(1) ==" + "\n" * 200_000,
    "prompts": lambda: ">>> \n" * 40_000,
    "open prompts": lambda: ">>> f([\n" * 25_000,
    "dots": lambda: ">>> f(1\n" + "... \n" * 40_000,
    "one long output": lambda: ">>> f(1)\n" + "[1,\n" * 50_000,
    "inputs": lambda: "Input: " * 30_000,
    "inputs on lines": lambda: "Input: x = 1\n" * 15_000,
    "inputs without end": lambda: "Input: " + "1, " * 60_000,
    "for": lambda: "For x = 1 " * 20_000,
    "results": lambda: "For x = 1, " + "returns 1 " * 20_000,
    "assignments": lambda: "x = 1\n" * 30_000,
    "names": lambda: "f" * 200_000 + "(1) == 2",
    "dotted names": lambda: "a." * 100_000 + "f(1) == 2",
    "words": lambda: "should return " * 15_000,
    "not": lambda: "does not " * 20_000 + "modify the " * 10_000,
    "headings": lambda: "Example:\n" * 20_000,
    "backticks": lambda: "`" * 200_000,
    "digits": lambda: "f(1) == " + "9" * 150_000,
    "null characters": lambda: "f(1) == '\\0' " * 10_000,
    "unknown characters": lambda: "f(1) == \U0010ffff\u202e\ufeff" * 10_000,
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_are_read_to_their_end(name: str) -> None:
    text = program(HOSTILE[name]())
    assert_places_hold(text, extract_module(text))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("line", ["f({0}) == {0}", "f({0}) -> {0}", ">>> f({0})\n{0}"])
def test_ten_thousand_examples(line: str) -> None:
    function = read("\n".join(line.format(number) for number in range(MANY)))
    assert len(function.examples) == MANY
    assert function.examples[-1].id == f"e{MANY}"


DEEP: Mapping[str, str] = {
    "signs": "x = " + "-" * 100_000 + "1",
    "attributes": "x = a" + ".a" * 100_000,
    "additions": "x = " + "1 + " * 100_000 + "1",
    "brackets": "x = " + "(" * 100_000,
}


@pytest.mark.parametrize("name", DEEP)
def test_files_nested_too_deeply_are_refused_or_read(name: str) -> None:
    try:
        module = extract_module(DEEP[name])
    except (SyntaxError, ValueError):
        return
    assert module.functions == ()


def test_null_bytes_are_refused() -> None:
    with pytest.raises((SyntaxError, ValueError)):
        extract_module("x = 1\0")


FRAGMENTS = """f(|f(1)|g(2)|)|[1, 2|]|(|{|}| == | = | -> |=>|➞|3|-1.5|'a'|"|'|True|null|...|>>> |... |    |Input: \
|Output: |x = |For |If |the output should be |returns |raises ValueError|assert |# |Example:|does not modify |the list\
|,|.|:|`|1 + 2|*|\\|\\n\
|Traceback (most recent call last):|ValueError: x|ä|\u2028|\f|\t|\n|\n\n"""
PIECES = st.sampled_from(FRAGMENTS.split("|"))


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(['"""', "'''", 'r"""', '"']), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_document_is_read_and_every_place_holds(document: str, quote: str, windows: bool) -> None:
    text = f"def f(x):\n    {quote}{document}{quote.lstrip('r')}\n    return x\n"
    text = text.replace("\n", "\r\n") if windows else text
    try:
        module = extract_module(text)
    except (SyntaxError, ValueError):
        return
    assert_places_hold(text, module)
    for function in module.functions:
        for example in function.examples:
            ast.parse(example.expression, mode="eval")


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_as_a_contract(text: str) -> None:
    function = FunctionSpec("f", "function", Span(1, 0, 1, 0), (Parameter("x", "positional_or_keyword"),))
    added = extract_contract(text, function)
    for example in added.examples:
        assert example.source == "contract"


@given(st.text(max_size=120))
@settings(max_examples=150, deadline=None)
def test_any_file_is_read_or_refused_as_python_refuses_it(text: str) -> None:
    try:
        module = extract_module(text)
    except (SyntaxError, ValueError):
        return
    assert isinstance(module, ModuleSpec)


INSIDE: Mapping[str, str] = {
    "match": "match LEVEL:\n    case 1:\n        {}\n    case _:\n        pass",
    "try with groups": "try:\n    {}\nexcept* OSError:\n    pass",
    "while": "while True:\n    {}\n    break",
    "overloads of a name that nothing else defines": "def overload(f):\n    return f\n@overload\n{}",
    "a setter of no property": "@anything.setter\n{}",
    "the last of a block": "if LEVEL:\n    pass\nelse:\n    {}",
}


@pytest.mark.parametrize("name", INSIDE)
def test_a_definition_inside_of_any_statement_is_one_of_the_file(name: str) -> None:
    module = extract_module("LEVEL = 1\n" + INSIDE[name].format("def half(n): return n"))
    assert "half" in [each.qualname for each in module.functions]


def test_an_overload_is_another_signature_of_what_is_defined() -> None:
    module = extract_module("@overload\ndef half(n: int): ...\ndef half(n): return n\n")
    assert [(each.qualname, each.parameters[0].annotation) for each in module.functions] == [("half", None)]
