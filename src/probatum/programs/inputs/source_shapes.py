"""Shapes of values that only the program can make: they are written as expressions and evaluated inside the candidate.

Members of enumerations, objects of the file's classes, iterators, functions, and neighbours of arguments that a
document writes as expressions. One that turns out illegal where it is evaluated is dropped there.
"""

from __future__ import annotations

import ast
import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from probatum.programs.inputs.choices import Choices, one_in, pick
from probatum.programs.inputs.scalar_shapes import FloatShape, IntShape, ValueShape
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.source import expression_of
from probatum.sandbox import SourceArgument

_MOVABLE = (bool, int, float, str)
_MOST_CHANGES = 2
_VALUES = 3
_CHOOSING = "sum(sum(map(ord, str(x))) for x in (*args, *kwargs.values()) if isinstance(x, (int, str)))"
_DATED = (datetime.date, datetime.time, datetime.timedelta)


@dataclass(frozen=True, slots=True)
class FieldShape:
    """One parameter of a constructor with the values that it is given."""

    name: str
    shape: ValueShape
    is_required: bool
    by_position: bool = False


@dataclass(frozen=True, slots=True)
class ArgumentsShape:
    """The arguments that a constructor is called with; they are drawn, but vary only as a part of the whole call."""

    fields: tuple[FieldShape, ...]

    def draw(self, choices: Choices) -> object:
        """Return the arguments as they are written in a call."""
        parts: list[str] = []
        by_position = True
        for field in self.fields:
            if not field.is_required and choices.below(2) == 0:
                by_position = False
            elif field.by_position:
                parts += [written(field.shape.draw(choices))] if by_position else []
            else:
                parts.append(f"{field.name}={written(field.shape.draw(choices))}")
        return SourceArgument(", ".join(parts))


@dataclass(frozen=True, slots=True)
class WrittenShape:
    """Something written around a plain value or arguments: ``iter([1, 2])``, ``Point(1, 2)``."""

    inner: ValueShape | ArgumentsShape
    before: str
    after: str

    def draw(self, choices: Choices) -> object:
        """Return the expression around a value."""
        return SourceArgument(f"{self.before}{written(self.inner.draw(choices))}{self.after}")

    def vary(self, value: object, choices: Choices) -> object:
        """Return the expression with another literal in it, or around another value."""
        if not isinstance(value, SourceArgument) or one_in(choices, 3):
            return self.draw(choices)
        return _changed(value, choices)

    def fits(self, value: object) -> bool:
        return isinstance(value, SourceArgument) and value.text.startswith(self.before)


@dataclass(frozen=True, slots=True)
class DoubleShape:
    """An object that stands in for a protocol or an abstract class; its methods give one of a few values.

    Which one depends on the texts and whole numbers that they take, so that a wrong argument shows.
    """

    base: str
    attributes: tuple[tuple[str, ValueShape], ...]
    methods: tuple[tuple[str, ValueShape], ...]

    def draw(self, choices: Choices) -> object:
        """Return the expression that makes one."""
        members = [f"{name!r}: {written(shape.draw(choices))}" for name, shape in self.attributes]
        for name, shape in self.methods:
            values = sorted({written(shape.draw(choices)) for _ in range(_VALUES)})
            chosen = f"({', '.join(values)})[{_CHOOSING} % {len(values)}]" if len(values) > 1 else values[0]
            members.append(f"{name!r}: lambda self, *args, **kwargs: {chosen}")
        return SourceArgument(f"type({f'{self.base}Double'!r}, ({self.base},), {{{', '.join(members)}}})()")

    def vary(self, value: object, choices: Choices) -> object:
        """Return another one."""
        return self.draw(choices)

    def fits(self, value: object) -> bool:
        return isinstance(value, SourceArgument) and value.text.startswith(f"type({f'{self.base}Double'!r}, ")


@dataclass(frozen=True, slots=True)
class SampleShape:
    """Arguments that documented calls write as expressions, and their neighbours."""

    samples: tuple[SourceArgument, ...]

    def draw(self, choices: Choices) -> object:
        """Return a documented expression, mostly with other literals."""
        return self.vary(pick(choices, self.samples), choices)

    def vary(self, value: object, choices: Choices) -> object:
        """Return the expression with other literals, or another documented one."""
        if not isinstance(value, SourceArgument) or one_in(choices, 4):
            return pick(choices, self.samples)
        return _changed(value, choices)

    def fits(self, value: object) -> bool:
        return isinstance(value, SourceArgument)


def _changed(argument: SourceArgument, choices: Choices) -> SourceArgument:
    """Return the expression with one or two of its literals moved; names and structure stay."""
    tree = expression_of(argument.text)
    if tree is None:
        return argument
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, _MOVABLE)]
    for _ in range(1 + choices.below(_MOST_CHANGES)):
        if constants:
            node = pick(choices, constants)
            node.value = _neighbour(node.value, choices)
    return SourceArgument(ast.unparse(tree))


def _neighbour(value: object, choices: Choices) -> bool | int | float | str:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        moved = IntShape().vary(value, choices)
        return moved if isinstance(moved, int) else value
    if isinstance(value, float):
        moved = FloatShape().vary(value, choices)
        return moved if isinstance(moved, float) else value
    return _neighbour_text(str(value), choices)


def _neighbour_text(text: str, choices: Choices) -> str:
    at = choices.below(len(text) + 1)
    letter = pick(choices, text + "abxyz")
    return pick(
        choices, (text[:at] + letter + text[at + 1 :], text[:at] + text[at + 1 :], text[:at] + letter + text[at:])
    )


def settled(value: object) -> object:
    """Return a value that holds expressions as one expression; every other as it is."""
    return SourceArgument(written(value)) if not isinstance(value, SourceArgument) and _holds_source(value) else value


def _holds_source(value: object) -> bool:
    if isinstance(value, SourceArgument):
        return True
    if isinstance(value, dict):
        return any(_holds_source(part) for pair in value.items() for part in pair)
    return isinstance(value, list | tuple | set | frozenset) and any(_holds_source(part) for part in value)


def written(value: object) -> str:
    """Write a plain value, or one that holds expressions, as Python that needs no import."""
    if isinstance(value, SourceArgument):
        return value.text
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(key)}: {written(held)}" for key, held in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, set | frozenset):
        # The order of a set depends on the hash seed; the text must not.
        inner = ", ".join(sorted(map(written, value)))
        return f"{type(value).__name__}([{inner}])"
    if isinstance(value, float) and not abs(value) < float("inf"):
        return f"float({str(value)!r})"
    if isinstance(value, _DATED):
        return f"__import__('datetime').{repr(value).removeprefix('datetime.')}"
    if isinstance(value, Decimal | Fraction):
        return f"__import__({type(value).__module__.lstrip('_')!r}).{value_text(value)}"
    return value_text(value)


_OF_ONE: dict[tuple[str, str], tuple[str, ...]] = {
    ("int", "int"): ("lambda n: n + 1", "lambda n: n", "lambda n: n * 2", "lambda n: -n", "lambda n: n % 3"),
    ("int", "bool"): ("lambda n: n > 0", "lambda n: n % 2 == 0", "lambda n: n > 5", "lambda n: n == 1"),
    ("str", "str"): ("lambda s: s.upper()", "lambda s: s", "lambda s: s[::-1]", "lambda s: s + '!'"),
    ("str", "bool"): ("lambda s: len(s) > 2", "lambda s: s.islower()", "lambda s: 'a' in s"),
    ("str", "int"): ("lambda s: len(s)", "lambda s: s.count('a')"),
    ("int", "str"): ("lambda n: str(n)", "lambda n: 'a' * n"),
}
_OF_TWO = {
    "int": ("lambda a, b: a + b", "lambda a, b: a - b", "lambda a, b: a * b", "lambda a, b: a if a > b else b"),
    "bool": ("lambda a, b: a < b", "lambda a, b: a == b", "lambda a, b: a >= b"),
    "str": ("lambda a, b: a + b", "lambda a, b: b + a"),
}


def function_texts(takes: Sequence[str] | None, gives: str, constants: Sequence[str]) -> tuple[str, ...]:
    """Return functions of these types as expressions; ``takes`` is None where nothing is said of the parameters.

    ``constants`` are values of the result's type as expressions: a function may always give one of them.
    """
    aliases = {"float": "int"}
    kinds = [aliases.get(each, each) for each in takes or ()]
    result = aliases.get(gives, gives)
    found: list[str] = []
    if len(kinds) == 1:
        found += _OF_ONE.get((kinds[0], result), ())
    if len(kinds) == 2 and kinds[0] == kinds[1]:
        found += _OF_TWO.get(result, ()) if kinds[0] in {"int", "str"} and result in {kinds[0], "bool"} else ()
    names = [f"a{number}" for number in range(1, len(kinds) + 1)]
    if not found:
        found += [
            f"lambda {', '.join(names)}: {name}" for name, kind in zip(names, kinds, strict=True) if kind == result
        ]
    parameters = "*args" if takes is None else ", ".join(names)
    return (*found, *(f"lambda {parameters}: {text}".replace("lambda :", "lambda:") for text in constants))
