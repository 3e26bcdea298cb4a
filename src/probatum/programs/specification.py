"""What a program is specified to do: clauses, each with its source text, exact place and origin.

Text that looks like a clause but cannot be read is kept as `Unreadable`: it is reported, never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

NOTHING_SHOWN = "nothing shown"
"""The notation of a call after which a session shows nothing: None, unless the author left the output out."""


class Origin(StrEnum):
    """Who vouches for a clause. What the specification shows or says in so many words refutes; a model never does."""

    GROUND_TRUTH = "ground_truth"
    """An example, a contract, an executable condition, a given test, an earlier version."""
    DERIVED = "derived"
    """What documentation states about all calls, or a law that the kind of object is under."""
    MODEL = "model"


class DecidedBy(StrEnum):
    """What a check rests on: what its clause is written in."""

    EXAMPLE = "example"
    CODE_CONDITION = "code_condition"
    """An assertion, a contract library's condition, an annotated limit."""
    READING = "reading"
    TYPE = "type"
    """The declared type of the result."""
    TEST = "test"
    OLD_VERSION = "old_version"
    LAW = "law"
    """What holds of every object of a kind, such as equality and ordering."""


@dataclass(frozen=True, slots=True)
class Span:
    """A place in the source file: 1-based lines, 0-based columns, end exclusive in columns."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class ValueIs:
    """The result equals this plain Python value (numbers by tolerance, see `programs.running.compare`)."""

    value: object
    source: str


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
    notation: str
    """How it is written: ``doctest``, ``equals``, ``arrow``, ``returns``, ``prose``, `NOTHING_SHOWN` …"""
    source: str = "docstring"
    setup: tuple[str, ...] = ()
    """Python statements that the document writes before the expression and that it depends on, in order."""
    before: tuple[str, ...] = ()
    """The whole session up to here, where it is more than the set-up: nobody can see all that may depend on it."""
    origin: Origin = Origin.GROUND_TRUTH
    confidence: float = 0.95
    places: tuple[tuple[str, Span], ...] = ()
    """What else of the documentation is checked with it, by source: steps in its set-up, the same example again."""


class Unread(StrEnum):
    """Why text that claims to be a clause does not count as one."""

    NOT_READ = "not_read"
    CONTRADICTED = "contradicted"
    """It was read, and another clause says otherwise."""
    NOT_ITS_OWN = "not_its_own"
    """It is not about the program: it uses nothing that the file defines, or the document marks it as wrong."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Text that claims to be an example and does not count as one."""

    text: str
    reason: str
    span: Span
    source: str = "docstring"
    why: Unread = Unread.NOT_READ


@dataclass(frozen=True, slots=True)
class ReturnClaim:
    """The declared type of the result, as an annotation."""

    annotation: str
    span: Span


@dataclass(frozen=True, slots=True)
class Precondition:
    """A condition that calls meet: what lies outside of it is not specified, and no input to judge by."""

    id: str
    expression: str
    """A Python condition over the parameters' names, e.g. ``0 <= k < len(xs)``; may call functions of the module."""
    text: str
    span: Span
    source: str = "docstring"
    """``docstring``, ``contract``, ``comment``, ``assert``, ``icontract``, ``deal``, ``pep316``, ``annotation`` …"""
    origin: Origin = Origin.DERIVED
    confidence: float = 0.9


@dataclass(frozen=True, slots=True)
class Property:
    """A condition that the result of every specified call meets."""

    id: str
    expression: str
    """A Python condition over the parameters' names (their values before the call), ``NAME__after`` (their values
    after it) and ``result``; may call functions of the module by name."""
    text: str
    span: Span
    source: str = "docstring"
    origin: Origin = Origin.DERIVED
    confidence: float = 0.8


@dataclass(frozen=True, slots=True)
class RaisesClaim:
    """The document says that calls may raise an exception; when one is due is a reading's matter."""

    id: str
    type_name: str
    text: str
    span: Span
    source: str = "docstring"
    origin: Origin = Origin.DERIVED
    confidence: float = 0.8


RUN_TIME = "run time"
"""The source of documentation that the loaded program shows and its syntax does not."""
_SOURCES = {"contract": " of the contract", RUN_TIME: " of its __doc__ at run time"}
_IN_THE_FILE = frozenset({"docstring", "comment", "module", "__test__"})


def is_public_part(name: str) -> bool:
    """Whether a name in a class is meant for others: neither private nor without its special meaning."""
    return not name.startswith("_") or name.endswith("__")


def place_of(line: int, source: str) -> str:
    """Return where a line of documentation is: ``line 3``, ``line 3 of the contract``, ``line 3 of shapes.base``."""
    where = "" if source in _IN_THE_FILE else f" of {source}"
    return f"line {line}{_SOURCES.get(source, where)}"


class StatementKind(StrEnum):
    """What part of its documentation a statement is; where it stands, never how its words are understood."""

    SUMMARY = "summary"
    """The first sentence of a document, before any section."""
    SENTENCE = "sentence"
    """A sentence of the running text or of a section of notes, an item of a list, a row of a table."""
    PARAMETER = "parameter"
    """A sentence about one parameter, in its entry."""
    RESULT = "result"
    """A sentence of a section about what is returned or yielded."""
    RAISES = "raises"
    """A sentence of an entry about one exception."""
    CONDITION = "condition"
    """A condition written in Python."""
    CODE = "code"
    """No statement: a checked example, a keyword, a name or a type that the signature confirms."""
    EXAMPLE = "example"
    """An example or a step of a session, until it is known what is checked, see `statements.consumed`."""
    TYPE = "type"
    """The type of a parameter without an annotation, until it is known what documented calls pass."""


NO_WORDS = frozenset({StatementKind.CODE, StatementKind.EXAMPLE, StatementKind.TYPE})
"""What is no statement."""


class StatementState(StrEnum):
    """What vouches for a statement."""

    CODE = "code"
    """A condition written in Python, that calls met."""
    QUOTED = "quoted"
    """A reading that counts quotes every word of it."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a program's documentation."""

    id: str
    """Stable within its function: ``s1``, ``s2``, … in order of appearance; ``c1``, … of code."""
    text: str
    """As written, with white space collapsed to single spaces."""
    kind: StatementKind
    span: Span
    """In the file, or in the contract where ``source`` says so."""
    source: str = "docstring"
    """As of examples: ``docstring``, ``contract``, ``comment`` …"""
    about: str = ""
    """The parameter or the exception whose entry it stands in."""
    owner: str = ""
    """The method whose documentation it stands in, where the statement of a class is one of its method's."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: annotation and default as source text, None where there is none."""

    name: str
    kind: str
    """``positional_only``, ``positional_or_keyword``, ``var_positional``, ``keyword_only``, ``var_keyword``."""
    annotation: str | None = None
    default: str | None = None

    @property
    def may_be_left_out(self) -> bool:
        """Whether a call need not pass it."""
        return self.default is not None or self.kind.startswith("var_")


@dataclass(frozen=True, slots=True)
class Definitions:
    """Functions that a contract in Python defines whole, besides the one that it is about."""

    names: tuple[str, ...]
    source: str
    """Python that binds them, for the clerk alone."""


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """Everything that one function (or method, or class) is documented to do."""

    qualname: str
    """``f``, ``Stack`` or ``Stack.push``."""
    kind: str
    """``function``, ``method``, ``staticmethod``, ``classmethod``, ``class``."""
    span: Span
    parameters: tuple[Parameter, ...] = ()
    document: str = ""
    further: str = ""
    """Other texts that it is documented in: a contract, comments."""
    examples: tuple[Example, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    returns: ReturnClaim | None = None
    documented_result: ReturnClaim | None = None
    """The type that the documentation declares in a place for types."""
    preconditions: tuple[Precondition, ...] = ()
    properties: tuple[Property, ...] = ()
    raises: tuple[RaisesClaim, ...] = ()
    statements: tuple[Statement, ...] = ()
    """Every word of the documentation, code included, of a class with that of its methods, in order."""
    definitions: Definitions | None = None
    """What the conditions above may call besides the functions of the module."""
    is_async: bool = False
    is_read: bool = False
    """A property: its value is read on an object, and nothing is called."""
    only_declares: bool = False
    """A protocol or an abstract class whose methods have no code: there is nothing in it to judge."""
    texts: tuple[str, ...] = ()
    """The texts that document it besides its docstring, see `parsing.further_texts`."""
    declared: tuple[FunctionSpec, ...] = ()
    """Of the first unit of a file: the documented classes without code, whose statements are settled with its own."""
    not_judged: str = ""
    """Why it cannot be judged: a public name that no definition makes, whose documented examples are run all the same.
    """

    @property
    def taken(self) -> tuple[Parameter, ...]:
        """The parameters that a caller fills: those of a method without its object or class."""
        return self.parameters[self.kind in {"method", "classmethod"} :]

    @property
    def result_type(self) -> ReturnClaim | None:
        """The declared type of the result: the annotation, or else what the documentation declares."""
        return self.returns or self.documented_result

    @property
    def words(self) -> tuple[Statement, ...]:
        """The statements, without what is code."""
        return tuple(each for each in self.statements if each.kind not in NO_WORDS)


@dataclass(frozen=True, slots=True)
class BoundName:
    """A public name that no definition makes: a lambda, an alias, what a call gives, a name from elsewhere."""

    spec: FunctionSpec
    """Its documented examples, and why it is not judged."""
    leads_to: str = ""
    """The qualified name of the file's definition that it is another name of; that one is judged in its place."""
    may_be_data: bool = False
    """Whether only running shows that it can be called."""
    is_ours: bool = True
    """False for a name from an installed package or the standard library: it is listed and bars nothing."""

    @property
    def name(self) -> str:
        """The name."""
        return self.spec.qualname


@dataclass(frozen=True, slots=True)
class ModuleSpec:
    """The specifications of one Python file, in order of definition."""

    functions: tuple[FunctionSpec, ...]
    defined: tuple[str, ...] = field(default=())
    own: frozenset[str] = frozenset()
    """The names of its own definitions, and of what its project has; an example that uses none says nothing of it."""
    exported: frozenset[str] = frozenset()
    """What its ``__all__`` names."""
    bound: tuple[BoundName, ...] = ()
    """The public names that no definition makes."""
    examples: tuple[Example, ...] = ()
    """Those of texts at module level, whatever they are about."""
    packages: frozenset[str] = frozenset()
    """What it imports besides the standard library, and the modules of its project."""

    def meant_by(self, name: str) -> str:
        """Return the qualified name of the definition that a name of the file means; the name itself where none."""
        first, dot, rest = name.partition(".")
        leads_to = next((each.leads_to for each in self.bound if each.name == first and each.leads_to), first)
        return f"{leads_to}{dot}{rest}"

    def is_public(self, name: str) -> bool:
        """Whether a top-level name is meant for others, under this name or another."""
        own = not name.startswith("_") or name in self.exported or name == "__getattr__"
        return own or any(each.leads_to.partition(".")[0] == name for each in self.bound)
