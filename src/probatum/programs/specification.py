"""What a program is specified to do: clauses, each with its source text, exact place and origin.

A clause is something that can be checked by running the program. Text that looks like a clause but cannot be
read is kept as `Unreadable`: it is reported, never guessed. Refuses nothing itself; these are values only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

__all__ = [
    "Example",
    "Expectation",
    "FunctionSpec",
    "ModuleSpec",
    "Origin",
    "Parameter",
    "PrintsText",
    "RaisesError",
    "ReprIs",
    "ReturnClaim",
    "Span",
    "UnchangedClaim",
    "Unreadable",
    "ValueIs",
]


class Origin(StrEnum):
    """Who vouches for a clause. Only ground truth refutes on its own."""

    GROUND_TRUTH = "ground_truth"
    DERIVED = "derived"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Span:
    """A place in the source file: 1-based lines, 0-based columns, end exclusive in columns."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class ValueIs:
    """The result equals this plain Python value (numbers by tolerance, see `programs.compare`)."""

    value: object
    source: str
    """The value as the document writes it."""


@dataclass(frozen=True, slots=True)
class RaisesError:
    """The call raises this exception, named by its type; the message is for people only."""

    type_name: str


@dataclass(frozen=True, slots=True)
class PrintsText:
    """The step writes exactly this text to standard output (trailing white space aside)."""

    text: str


@dataclass(frozen=True, slots=True)
class ReprIs:
    """The result's ``repr`` is this text, which is not a Python literal (``Point(x=1, y=2)``, ``<Colour.RED: 1>``)."""

    text: str


Expectation = ValueIs | RaisesError | PrintsText | ReprIs


@dataclass(frozen=True, slots=True)
class Example:
    """One documented example: evaluate ``expression`` (after ``setup``) and compare with ``expectation``."""

    id: str
    """Stable within its function: ``e1``, ``e2``, … in order of appearance."""
    expression: str
    """One Python expression in terms of the module's own names, e.g. ``mean([1, 2])`` or ``round(f(2), 3)``."""
    expectation: Expectation
    span: Span
    text: str
    """The example as written in the file, for people."""
    notation: str
    """How it is written: ``doctest``, ``equals``, ``arrow``, ``returns``, ``input_output``, ``prose`` …"""
    source: str = "docstring"
    """``docstring``, ``contract``, ``comment`` …"""
    setup: tuple[str, ...] = ()
    """Python statements that the document writes before the expression, in order."""
    origin: Origin = Origin.GROUND_TRUTH
    confidence: float = 0.95


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Text that claims to be an example but cannot be read as one."""

    text: str
    reason: str
    span: Span
    source: str = "docstring"


@dataclass(frozen=True, slots=True)
class ReturnClaim:
    """The annotation of the result, as source text."""

    annotation: str
    span: Span


@dataclass(frozen=True, slots=True)
class UnchangedClaim:
    """The document says in words that the arguments are not modified."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: annotation and default as source text, None where there is none."""

    name: str
    kind: str
    """``positional_only``, ``positional_or_keyword``, ``var_positional``, ``keyword_only``, ``var_keyword``."""
    annotation: str | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """Everything that one function (or method, or class) is documented to do."""

    qualname: str
    """``f``, ``Stack`` or ``Stack.push``."""
    kind: str
    """``function``, ``method``, ``class``."""
    span: Span
    """Of the definition, decorators included."""
    parameters: tuple[Parameter, ...] = ()
    document: str = ""
    """The documentation text, dedented."""
    examples: tuple[Example, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    returns: ReturnClaim | None = None
    unchanged: UnchangedClaim | None = None
    is_async: bool = False
    is_generator: bool = False

    @property
    def has_clauses(self) -> bool:
        """True when there is at least one clause that can be executed."""
        return bool(self.examples)


@dataclass(frozen=True, slots=True)
class ModuleSpec:
    """The specifications of one Python file, in order of definition."""

    functions: tuple[FunctionSpec, ...]
    imports: tuple[str, ...] = ()
    """Top-level names of the modules that the file imports (``os``, ``numpy``); relative imports start with a dot."""
    defined: tuple[str, ...] = field(default=())
    """Names bound at module level, in order."""
