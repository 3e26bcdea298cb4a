"""The engines by name: which module decides a claim, what is given with it, and what of it a verdict is about.

Data alone, so that commands and services list every engine without loading one. Each module has three functions:
``decide(claim) -> Ruling``; ``check(claim, certificate) -> str``, which checks a certificate by other means than it was
found, returns the constraint that it establishes, and raises ValueError where it establishes none; and
``stated(claim) -> str``, which prints the claim as it was read. Refuses an
unknown engine, an input that the engine does not take, and one that is missing. Every error about a text that an engine
does not read ends with an example of what it does read, and the page that describes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Final, Protocol, cast

from probatum.core.errors import BudgetError, NotAttemptedError, UsageError, nearest
from probatum.core.shape import ShapeError
from probatum.core.subject import JSON, PYTHON
from probatum.exact.claim import MAX_STATEMENT, CannotDecideError, ExactClaim, Ruling

STATEMENT: Final = "statement"


@dataclass(frozen=True, slots=True)
class Input:
    """One thing that is given with a claim."""

    name: str
    help: str
    is_required: bool = False
    is_repeated: bool = False
    """Whether it is a list of texts, one for each time that it is given."""
    is_binary: bool = False
    """Whether it is the bytes of a file, which travel as base64."""


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """One engine."""

    name: str
    question: str
    module: str
    inputs: tuple[Input, ...] = ()
    subject: str = STATEMENT
    """What a verdict is about and a gate holds against what is acted on: the statement, or one of the inputs."""
    media_type: str = "text/plain"
    """Of what a verdict is about."""
    example: str = ""
    """A statement that it reads."""


class EngineModule(Protocol):
    """What a module offers that decides claims."""

    def decide(self, claim: ExactClaim) -> Ruling:
        """Return what holds of a claim; raises NotAttemptedError, BudgetError and CannotDecideError."""

    def check(self, claim: ExactClaim, certificate: Mapping[str, object]) -> str:
        """Return the constraint that a certificate establishes; raises ValueError where it does not."""

    def stated(self, claim: ExactClaim) -> str:
        """Return the claim as it is read, in canonical form; raises as `decide`."""


_DATA: Final = Input("data", "The values: a JSON list, comma-separated numbers or CSV with a header.", is_required=True)

_ENTRIES: Final = (
    EngineEntry(
        "math",
        "Does an equation, inequality or identity hold?",
        ".algebra.engine",
        (Input("declare", "What a name stands for, such as 'x: real', or a condition on it.", is_repeated=True),),
        example="(a + b)^2 = a^2 + 2*a*b + b^2",
    ),
    EngineEntry(
        "stats",
        "Is a statistic of the data what it is claimed to be?",
        ".statistics.engine",
        (
            _DATA,
            Input("other", "A second list: y of a correlation or regression, weights, or a second sample."),
            Input("column", "The column of CSV data."),
            Input("other-column", "The column of CSV data that is the second list."),
        ),
        example="mean = 2.5",
    ),
    EngineEntry(
        "finance",
        "Is a financial figure what it is claimed to be?",
        ".finance.engine",
        (Input("flows", "Cash flows, one per period, the first at time 0: a list, as JSON or comma-separated."),),
        example="future_value(1000, 5%, 2) = 1102.50",
    ),
    EngineEntry("units", "Is a quantity the same in other units?", ".units.engine", example="3 km == 3000 m"),
    EngineEntry(
        "dates",
        "Is a comparison of dates, times or spans true?",
        ".dates.engine",
        (
            Input("holiday", "A day that is not a business day, as YYYY-MM-DD.", is_repeated=True),
            Input("weekend", "The days of the weekend, such as 'Saturday, Sunday', or 'none'; for business days."),
            Input("month-end", "What replaces a day that its month does not have: its 'last' day or the 'next' one."),
        ),
        example="weekday(date(2024, 1, 31)) == 'Wednesday'",
    ),
    EngineEntry(
        "linear",
        "Is a statement about a matrix true?",
        ".linear.engine",
        (
            Input("matrix", "The rows of A, as JSON or as [[1, 2], [3, 4]].", is_required=True),
            Input("other", "A second matrix, B."),
            Input("vector", "The right side b of a system, as a list."),
        ),
        example="det(A) = -2",
    ),
    EngineEntry(
        "logic",
        "Does a conclusion follow, or can conditions hold together?",
        ".logic.engine",
        (
            Input("declare", "The type of a name, such as 'x: int' or 'p, q: bool'.", is_repeated=True),
            Input("premise", "What is taken as given.", is_repeated=True),
        ),
        example="p or not p",
    ),
    EngineEntry(
        "sql",
        "Is a query sound for these tables, or the same as another?",
        ".sql.engine",
        (
            Input("schema", "The tables, as CREATE TABLE statements.", is_required=True),
            Input("same-as", "A query that has to give the same rows on every database."),
            Input("dialect", "The SQL dialect: sqlite (the default), postgres or mysql."),
        ),
        example="SELECT name FROM users WHERE age > 30",
    ),
    EngineEntry(
        "schema",
        "Does a document satisfy a JSON Schema?",
        ".schema.engine",
        (
            Input("document", "The JSON document.", is_required=True),
            Input("schema", "The JSON Schema.", is_required=True),
        ),
        subject="document",
        media_type=JSON,
    ),
    EngineEntry(
        "graph",
        "Do edges have this path, distance or property?",
        ".graph.engine",
        (
            Input(
                "edge",
                "An edge 'A -> B', 'A -- B', 'A -[likes]-> B' or 'A -[2.5]-> B'.",
                is_required=True,
                is_repeated=True,
            ),
        ),
        example="distance('A', 'D') <= 3",
    ),
    EngineEntry(
        "image",
        "Does an image have this format, size, mode or colour?",
        ".image.engine",
        (Input("image", "The image file.", is_required=True, is_binary=True),),
        subject="image",
        media_type="application/octet-stream",
        example="format == 'PNG' and width == 64",
    ),
    EngineEntry(
        "code",
        "Does Python code call out, import or define something?",
        ".code.engine",
        (Input("code", "The Python source.", is_required=True),),
        subject="code",
        media_type=PYTHON,
        example="imports('math') and not calls_out",
    ),
    EngineEntry(
        "execute",
        "What does Python code return when it runs in the sandbox?",
        ".code.execute",
        (Input("code", "The Python source.", is_required=True),),
        subject="code",
        media_type=PYTHON,
    ),
    EngineEntry(
        "reasoning",
        "Does every step of a derivation hold?",
        ".consensus",
        example='["3 + 4 = 7", {"engine": "units", "statement": "3 km == 3000 m"}]',
    ),
    EngineEntry(
        "facts",
        "Does a text contain these words?",
        ".facts",
        (
            Input("context", "The text.", is_required=True),
            Input("advice", "What models suggest, as a JSON list of provider, label and score; decides nothing."),
        ),
    ),
    EngineEntry(
        "consensus",
        "Do several engines establish the claims together?",
        ".consensus",
        (Input("claims", "A list of claims as JSON: engine, statement and what each is given.", is_required=True),),
        subject="claims",
        media_type=JSON,
    ),
)
ENGINES: Final[Mapping[str, EngineEntry]] = {entry.name: entry for entry in _ENTRIES}
_EXTRA: Final = "exact"
_OF_EXTRA: Final = frozenset({"sympy", "mpmath", "z3", "sqlglot", "PIL"})
"""The tops of the packages that the extra brings."""
_PAGE: Final = "docs/reference/claims/{}.md"
_INSTEAD: Final = {"rules": ("logic", "probatum claim logic q --declare 'p, q: bool' --premise 'p -> q' --premise p")}
"""For a name that is no engine: which one decides the like, and how it is asked."""


def engine_named(name: str) -> EngineEntry:
    """Return the entry of an engine; raises UsageError for an unknown one."""
    if name not in ENGINES:
        sentence = f"No engine is called {name[:60]!r}; there are {', '.join(ENGINES)}."
        engine, command = _INSTEAD.get(name, ("", ""))
        hint = f"Write it as formal premises: {command} ({_PAGE.format(engine)})" if engine else nearest(name, ENGINES)
        raise UsageError("engine.engine", sentence, hint)
    return ENGINES[name]


def require_inputs(claim: ExactClaim) -> EngineEntry:
    """Return the engine of a claim; raises UsageError where something else is given than it takes."""
    entry = engine_named(claim.engine)
    known = {each.name: each for each in entry.inputs}
    for name in claim.given:
        if name not in known:
            told = ", ".join(known) or "nothing"
            sentence = f"The engine {entry.name!r} is not given {name[:60]!r}; it takes {told}."
            raise UsageError("engine.input", sentence, nearest(name, known))
    for name, each in known.items():
        if each.is_required and name not in claim.given:
            raise UsageError("engine.input", f"The engine {entry.name!r} needs {name!r}: {each.help}")
    return entry


def decide(claim: ExactClaim) -> Ruling:
    """Return what the engine of a claim says; raises as `EngineModule.decide` and for a missing extra."""
    try:
        module = module_of(claim)
        try:
            ruling = module.decide(claim)
        except CannotDecideError as error:
            ruling = error.ruling
        return replace(ruling, stated=stated(claim))
    except ShapeError as error:
        raise NotAttemptedError("engine.invalid", f"What is given is of another type: {error}.") from error
    except ModuleNotFoundError as error:
        raise missing_extra(error) from error
    except NotAttemptedError as error:
        raise _with_example(error, engine_named(claim.engine)) from error


def stated(claim: ExactClaim) -> str:
    """Return a claim as its engine reads it, in canonical form; empty where it is not read to its end."""
    print_claim = getattr(module_of(claim), "stated", None)
    try:
        return print_claim(claim)[:MAX_STATEMENT] if print_claim is not None else ""
    except (NotAttemptedError, BudgetError, CannotDecideError, ShapeError):
        return ""


def _with_example(error: NotAttemptedError, entry: EngineEntry) -> NotAttemptedError:
    """Return an error about a text that is not read with an example of what is, where it gives no hint."""
    is_about_claim = error.code.endswith((".syntax", ".no_claim")) and error.code != "code.syntax"
    if error.hint or not entry.example or not is_about_claim:
        return error
    hint = f"Write for example: {entry.example} (see {_PAGE.format(entry.name)})"
    return NotAttemptedError(error.code, error.sentence, hint, error.details)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return the constraint that a certificate establishes; raises ValueError where it establishes none."""
    try:
        return module_of(claim).check(claim, certificate)
    except CannotDecideError as error:
        raise ValueError(str(error)) from error
    except ModuleNotFoundError as error:
        raise missing_extra(error) from error


def module_of(claim: ExactClaim) -> EngineModule:
    """Return the module that decides a claim; raises UsageError as `require_inputs`."""
    entry = require_inputs(claim)
    return cast("EngineModule", import_module(entry.module, __package__))


def missing_extra(error: ModuleNotFoundError) -> NotAttemptedError | ModuleNotFoundError:
    """Return the error that says how to install what is missing; the error itself where it is no extra's."""
    name = (error.name or "").partition(".")[0]
    if name not in _OF_EXTRA:
        return error
    hint = f'Install it: pip install "probatum[{_EXTRA}]"'
    return NotAttemptedError("engine.extra_missing", f"This claim needs the package {name!r}, which is not here.", hint)
