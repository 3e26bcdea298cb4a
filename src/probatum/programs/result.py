"""The result object, a projection of what was observed and decided; it never claims more.

Refuses to add anything: every entry comes from the record, the decision or the document's own formula.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction

from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision, DiagnosticStatus, Outcome
from probatum.core.shape import Shape
from probatum.programs.judging.bases import decided_by
from probatum.programs.record import CheckKind, CheckRecord, CheckState, FunctionRecord
from probatum.programs.specification import (
    Example,
    FunctionSpec,
    Precondition,
    PrintsText,
    Property,
    RaisesClaim,
    RaisesError,
    ValueIs,
)
from probatum.programs.triangulate import Perspective, confidence, document_score
from probatum.programs.worth import evidence_of

SOURCE_STRENGTH = {
    "contract": Fraction(95, 100),
    **dict.fromkeys(("docstring", "comment", "module", "__test__"), Fraction(85, 100)),
    "given_tests": Fraction(80, 100),
}
SIGNATURE_STRENGTH = Fraction(9, 10)
NOTHING = Fraction(3, 10)

_ABOUT_ALL_CALLS = frozenset({CheckKind.PROPERTY, CheckKind.LAW, CheckKind.RETURN_TYPE, CheckKind.ARGUMENT})
_ISSUE_CATEGORY = {
    **dict.fromkeys(CheckKind, "contract_violation"),
    CheckKind.EXAMPLE: "wrong_output",
    CheckKind.TEST: "wrong_output",
    CheckKind.DIFFERENTIAL: "regression",
}


def document_of(record: FunctionRecord, decision: Decision, duration_ms: int = 0) -> dict[str, JsonValue]:
    """Return what is told of one function: the result object, and the clauses that were read."""
    return {"result": _result_of(record, decision, duration_ms), "specification": list(record.specification)}


def _result_of(record: FunctionRecord, decision: Decision, duration_ms: int) -> dict[str, JsonValue]:
    perspectives = _perspectives(record, decision)
    held = sum(check.state is CheckState.HOLDS for check in record.checks)
    tests = (held, len(record.checks)) if record.checks else None
    score = document_score(tests, perspectives, _specification_strength(record))
    equivalent = len(record.mutants) - record.planted
    idle = len(record.idle)
    return {
        "passed": decision.status is DiagnosticStatus.VERIFIED,
        "confidence": confidence(record, decision),
        "confidence_from": dict(evidence_of(record)),
        "raw_confidence": float(score.raw_confidence),
        "document_passed": score.passed,
        "decided_by": [each.value for each in decided_by(record, decision.outcome)],
        "strength": {"noticed": record.noticed, "total": record.planted, "equivalent": equivalent, "idle": idle},
        "issues": _issues(record),
        "generated_tests": [_generated_test(check) for check in record.checks],
        "test_results": _test_results(record),
        "perspective_results": [
            {
                "perspective": view.name,
                "verdict": view.verdict,
                "confidence": round(float(view.confidence), 4),
                "issues": list(view.issues),
                "recommendations": [],
            }
            for view in perspectives
        ],
        **_differences(record),
        "statements": {"total": len(record.statements), "open": len(record.open_statements)},
        **_readings(record),
        **({"not_asked": list(record.not_asked)} if record.not_asked else {}),
        "recommendations": list(recommendations(record)),
        "duration_ms": duration_ms,
    }


def _readings(record: FunctionRecord) -> dict[str, JsonValue]:
    refused: list[JsonValue] = [asdict(each) for each in record.refused]
    return {"readings": {"tried": record.tried, "refused": refused}} if record.tried else {}


def _differences(record: FunctionRecord) -> dict[str, JsonValue]:
    asked: list[JsonValue] = [asdict(each) for each in record.questions]
    return {"differences": {"compared": record.compared, "questions": asked}} if record.compared else {}


def specification_of(function: FunctionSpec) -> list[JsonValue]:
    """Return the clauses of one function, each with its source and place."""
    clauses: list[JsonValue] = []
    for example in function.examples:
        own: dict[str, JsonValue] = {"function": function.qualname, "text": example.text}
        own |= {"expression": example.expression, "expected": expected_text(example.expectation)}
        clauses.append(_clause_row(example, "example", {**own, "notation": example.notation}))
    # What is stated about all calls: requirements, properties and documented exceptions.
    for each in function.preconditions:
        clauses.append(_clause_row(each, "precondition", {"text": each.text, "expression": each.expression}))
    for stated in function.properties:
        own = {"text": stated.text, "expression": stated.expression}
        clauses.append(_clause_row(stated, "property", own))
    for claim in function.raises:
        clauses.append(_clause_row(claim, "raises", {"text": claim.text, "exception": claim.type_name}))
    for row in function.unreadable:
        clauses.append({"kind": "unreadable", "text": row.text, "reason": row.reason, "line": row.span.line})
    if function.returns is not None:
        annotation = f"-> {function.returns.annotation}"
        clauses.append({"kind": "return_type", "text": annotation, "line": function.returns.span.line})
    return clauses


def _clause_row(
    clause: Example | Precondition | Property | RaisesClaim, kind: str, own: Mapping[str, JsonValue]
) -> JsonValue:
    source = {"source": clause.source, "origin": clause.origin.value, "confidence": clause.confidence}
    return {"id": clause.id, "kind": kind, **own, **source, **asdict(clause.span)}


def expected_text(expectation: object) -> str:
    """Return what an example expects, as its document writes it."""
    if isinstance(expectation, ValueIs):
        return expectation.source
    if isinstance(expectation, RaisesError):
        return f"raises {expectation.type_name}"
    if isinstance(expectation, PrintsText):
        return f"prints {expectation.text!r}"
    return str(getattr(expectation, "text", expectation))


def _specification_strength(record: FunctionRecord) -> Fraction:
    rows = list(Shape(list(record.specification)).items())
    worth = [SOURCE_STRENGTH.get(each.text("source"), NOTHING) for each in rows if each.text("kind") == "example"]
    worth += [SIGNATURE_STRENGTH for each in rows if each.text("kind") == "return_type"]
    return max(worth, default=NOTHING)


def _perspectives(record: FunctionRecord, decision: Decision) -> list[Perspective]:
    """The deterministic reviewers: clauses against observations, and generated inputs against expectations."""
    if not record.checks:
        return []
    failing = tuple(f"{check.text} ({check.note})" for check in record.checks if check.state is CheckState.FAILS)
    open_checks = tuple(check.text for check in record.checks if check.state is not CheckState.HOLDS)
    verdict = "incorrect" if decision.outcome is Outcome.REFUTED else "suspicious" if open_checks else "correct"
    views = [Perspective("correctness_reviewer", verdict, Fraction(9, 10), failing or open_checks)]
    if record.generated_inputs:
        odd = (*record.unexpected, *record.special_cases, *record.flaky, *record.suspicions)
        share = Fraction(record.noticed + 1, record.planted + 2)
        views.append(Perspective("edge_case_hunter", "suspicious" if odd else "correct", share, odd))
    return [*views, *_further_perspectives(record)]


def _further_perspectives(record: FunctionRecord) -> list[Perspective]:
    """The reviewers of what it uses, and of what its earlier version did."""
    views = []
    if not record.uses_unknown:
        verdict, share = ("incorrect", Fraction(9, 10)) if record.wrong_uses else ("correct", Fraction(7, 10))
        views.append(Perspective("integration_analyst", verdict, share, record.wrong_uses))
    if record.compared or record.narrowed:
        changed = [c for c in record.checks if c.kind is CheckKind.DIFFERENTIAL and c.state is CheckState.FAILS]
        odd = (*(f"{each.call} gave {each.before} and gives {each.now}" for each in record.questions), *record.narrowed)
        verdict = "incorrect" if changed else "suspicious" if odd else "correct"
        issues = (*(f"{each.reproduction}: {each.note}" for each in changed), *odd)
        share = Fraction(record.compared + 1, record.compared + 2)
        views.append(Perspective("regression_detective", verdict, share, issues))
    return views


def _issues(record: FunctionRecord) -> list[JsonValue]:
    found = [
        ("critical", _ISSUE_CATEGORY[check.kind], f"line {check.line}: {check.text}: {check.note}", check.reproduction)
        for check in record.checks
        if check.state is CheckState.FAILS
    ]
    found += [("critical", "integration_issue", each, each) for each in record.wrong_uses]
    found += [("high", "regression", each, each) for each in record.narrowed]
    odd = (*record.unexpected, *record.special_cases, *record.flaky)
    found += [("high", "logic_error", each, each) for each in odd]
    found += [("low", "missing_edge_case", each, each) for each in record.suspicions]
    keys = ("severity", "category", "description", "evidence", "suggested_fix")
    return [dict(zip(keys, (*issue, None), strict=True)) for issue in found]


def _generated_test(check: CheckRecord) -> JsonValue:
    return {
        "id": check.id,
        "name": f"test_{check.id}",
        "description": check.text,
        "category": _category(check),
        "code": check.reproduction,
        "expected_outcome": "pass",
        "spec_coverage": [check.text],
        "priority": 1.0,
    }


def _category(check: CheckRecord) -> str:
    if check.kind is CheckKind.DIFFERENTIAL:
        return "regression"
    if isinstance(check.expected, dict) and "raises" in check.expected:
        return "error_case"
    if check.kind in _ABOUT_ALL_CALLS:
        return "property"
    return "happy_path" if check.is_written else "edge_case"


def _test_results(record: FunctionRecord) -> JsonValue:
    rows: list[JsonValue] = [
        {
            "test_id": check.id,
            "passed": check.state is CheckState.HOLDS,
            "state": check.state.value,
            "expected_output": check.expected,
            "actual_output": check.observed,
            "error_message": check.note or None,
            "counterexample": check.reproduction if check.is_contradicted else None,
        }
        for check in record.checks
    ]
    states = [check.state for check in record.checks]
    return {
        "total_tests": len(states),
        "passed": states.count(CheckState.HOLDS),
        "failed": states.count(CheckState.FAILS),
        "errors": len(states) - states.count(CheckState.HOLDS) - states.count(CheckState.FAILS),
        "test_results": rows,
    }


def recommendations(record: FunctionRecord) -> Sequence[str]:
    """Return what the author could do next, most useful first."""
    if record.not_judged:
        return [f"Write {record.qualname} as a function with 'def', or verify one function: PATH::NAME."]
    advice = []
    if any("contract" in sentence for sentence in record.unmet):
        advice.append(
            "Say each demand as an example with its result, such as f(2) == 4, or as a condition; a line of a contract"
            " that only explains begins with '#'."
        )
    elif record.unmet:
        advice.append("Give the version from before the change, or leave --against out.")
    if record.survivors and record.survivors[0].told_apart_by:
        shown = "; ".join(record.survivors[0].told_apart_by.splitlines())
        advice.append(f"Add an example for {shown}: it kills this mutant: {record.survivors[0].sentence}.")
    is_left = not record.strength_measured and not record.unmeasured
    if is_left and record.checks and all(each.state is CheckState.HOLDS for each in record.checks):
        advice.append("Run it with --level standard, which measures how strong the checks are.")
    if not record.checks:
        advice.append(
            "Write an example in code, such as f(2) == 4 or a session, or have the words read with 'probatum read'"
            " (docs/reference/notations.md)."
        )
    if record.open_statements and record.strength_measured:
        first = record.open_statements[0]
        advice.append(f"Have line {first.line} read: {first.text} ('probatum read' lists them).")
    advice += [f"Mend what does not count: {sentence}" for sentence in record.unread[:2]]
    return advice
