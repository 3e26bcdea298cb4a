"""The document's values of what was observed: records and decisions, told by the one projection of them.

Refuses to add anything to what `probatum.programs.result` tells of a function.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, TypeVar

from probatum.core.canonical import JsonValue
from probatum.core.shape import Shape
from probatum.core.tagged import untagged
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.deep.executor import RanTest
from probatum.programs.deep.types import (
    GeneratedTest,
    PerspectiveResult,
    ReviewVerdict,
    SemanticIssue,
    TestExecutionResult,
)
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.pytest_source import named_source
from probatum.programs.record import CheckRecord, CheckState, FunctionRecord
from probatum.programs.result import document_of
from probatum.programs.specification import ModuleSpec

Made = TypeVar("Made")
_WORST_FIRST: Final[Sequence[ReviewVerdict]] = ("incorrect", "suspicious", "correct")


@dataclass(frozen=True, slots=True)
class FunctionView:
    """One function, or several as one."""

    tests: tuple[GeneratedTest, ...] = ()
    executed: tuple[RanTest, ...] = ()
    perspectives: tuple[PerspectiveResult, ...] = ()
    issues: tuple[SemanticIssue, ...] = ()
    recommendations: tuple[str, ...] = ()
    confidence: float = 0.0


def view_of(records: Sequence[FunctionRecord], policy: ProgramPolicy, module: ModuleSpec) -> FunctionView:
    """Return what is told of all functions of a program; of several, each thing with its function's name."""
    views = [_view(record, policy, module) for record in records]
    if len(views) < 2:
        return views[0] if views else FunctionView()
    named = [_named(view, record.qualname) for view, record in zip(views, records, strict=True)]
    return FunctionView(
        tuple(each for view in named for each in view.tests),
        tuple(each for view in named for each in view.executed),
        tuple(_together(named)),
        tuple(each for view in named for each in view.issues),
        tuple(dict.fromkeys(each for view in named for each in view.recommendations)),
        min(view.confidence for view in named),
    )


def _view(record: FunctionRecord, policy: ProgramPolicy, module: ModuleSpec) -> FunctionView:
    told = Shape(document_of(record, decide_function(record, policy))).member("result")
    tests = [
        _written(_made(GeneratedTest, each), record.qualname, check, module)
        for each, check in zip(told.items("generated_tests"), record.checks, strict=True)
    ]
    return FunctionView(
        tuple(tests),
        tuple(_executed(each) for each in told.member("test_results").items("test_results")),
        tuple(_made(PerspectiveResult, each) for each in told.items("perspective_results")),
        tuple(_made(SemanticIssue, each) for each in told.items("issues")),
        told.texts("recommendations"),
        float(told.number("confidence")),
    )


def _made(kind: type[Made], row: Shape, **own: object) -> Made:
    """Return a value of a dataclass from the members that its fields name, and from what is given beside them."""
    given = row.raw_object()
    told = {each.name: given.get(each.name) for each in fields(kind)} | own  # type: ignore[arg-type]  # a dataclass
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in told.items()})


def _written(test: GeneratedTest, qualname: str, check: CheckRecord, module: ModuleSpec) -> GeneratedTest:
    name, code = named_source(qualname, check, module)
    # What cannot be written as a test is told as what can be pasted.
    return replace(test, name=name, code=code or test.code)


def _executed(row: Shape) -> RanTest:
    actual, expected = (_text(row.raw(name)) for name in ("actual_output", "expected_output"))
    unknown = {"error_traceback": row.raw("counterexample"), "duration_ms": 0, "stdout": "", "stderr": ""}
    result = _made(TestExecutionResult, row, actual_output=actual, expected_output=expected, **unknown)
    return RanTest(result, row.text("state") == CheckState.FAILS)


def _text(observed: JsonValue) -> str | None:
    if observed is None:
        return None
    if isinstance(observed, dict) and list(observed) == ["value"]:
        try:
            return value_text(untagged(observed["value"]))
        except ValueError:
            pass
    return json.dumps(observed, sort_keys=True, ensure_ascii=False)


def _named(view: FunctionView, name: str) -> FunctionView:
    return replace(
        view,
        tests=tuple(replace(each, id=f"{name}.{each.id}") for each in view.tests),
        executed=tuple(
            replace(e, result=replace(e.result, test_id=f"{name}.{e.result.test_id}")) for e in view.executed
        ),
        perspectives=tuple(
            replace(each, issues=tuple(f"{name}: {text}" for text in each.issues)) for each in view.perspectives
        ),
        issues=tuple(replace(each, description=f"{name}: {each.description}") for each in view.issues),
        recommendations=tuple(f"{name}: {text}" for text in view.recommendations),
    )


def _together(views: Sequence[FunctionView]) -> Iterator[PerspectiveResult]:
    """Yield each perspective once: its worst verdict, its least confidence, and all that it tells."""
    rows = [each for view in views for each in view.perspectives]
    for name in dict.fromkeys(each.perspective for each in rows):
        own = [each for each in rows if each.perspective == name]
        yield PerspectiveResult(
            name,
            min((each.verdict for each in own), key=_WORST_FIRST.index),
            min(each.confidence for each in own),
            tuple(text for each in own for text in each.issues),
            tuple(dict.fromkeys(text for each in own for text in each.recommendations)),
        )
