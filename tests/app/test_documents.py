"""Answers as JSON: their shape, and what each layer may see."""

from __future__ import annotations

import json

import pytest

from probatum.app.answers import Answer
from probatum.app.documents import answer_document, answer_line, error_document, files_document, weakest_answer
from probatum.app.kinds import built_in_kinds
from probatum.app.request_lines import Identified, answer_to
from probatum.app.service import Service
from probatum.core.command import NOTHING
from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer
from probatum.core.errors import BudgetError, IntegrityError, NotAttemptedError, ProbatumError, UsageError
from probatum.kinds.program import lines
from probatum.proof.stores import MemoryStore
from probatum.verification.kind import RequestLine
from probatum.verification.observed import NotJudged, Refusal
from tests.answers import Told, part_answer, program_answer

SECRET = "the hidden test expects 42"


def verdict_of(outcome: Outcome, name: str) -> DiagnosticResult:
    slots: dict[str, str | int] = {"name": name, "checks": 4, "noticed": 9, "planted": 10}
    if outcome is Outcome.TESTED:
        decision = decide(outcome, "program.tested", slots)
        return DiagnosticResult.verified(decision.agent_message, decision.developer_fields(), {"name": name})
    decision = decide(outcome, "program.counterexample", slots, {"detail": SECRET})
    return DiagnosticResult.unverifiable(decision.agent_message, decision.developer_fields())


def answer(*outcomes: Outcome, name: str = "") -> Answer:
    functions = [
        part_answer(
            verdict_of(outcome, f"f{number}"),
            Told(
                f"f{number}",
                {"result": {"passed": outcome is Outcome.TESTED, "issues": [SECRET]}, "specification": [SECRET]},
            ),
        )
        for number, outcome in enumerate(outcomes)
    ]
    return program_answer(functions[-1].verdict, Told(name), functions)


def refuse(name: str, outcome: Outcome, constraint: str, reason: str) -> Answer:
    decision = decide(outcome, constraint, {"name": "it"}, {"reason": reason})
    with Service(MemoryStore()) as service:
        return service.answer_refusal(Refusal(NotJudged(name, decision)), built_in_kinds()["program"])


def test_one_function_is_the_document() -> None:
    document = answer_document(answer(Outcome.REFUTED))
    assert list(document) == ["verdict", "result", "specification"]
    json.dumps(document)


def test_several_functions_stand_under_their_names() -> None:
    document = answer_document(answer(Outcome.TESTED, Outcome.REFUTED))
    assert list(document) == ["verdict", "functions"]
    assert list(document["functions"]) == ["f0", "f1"]  # type: ignore[call-overload]  # a document is known by its keys alone


def test_no_function_is_an_empty_object_of_functions() -> None:
    document = answer_document(refuse("app.py", Outcome.NOT_ATTEMPTED, "program.not_python", "It is a picture."))
    assert document["functions"] == {}


DOCUMENTS = {
    "one function": lambda layer: answer_document(answer(Outcome.REFUTED), layer),
    "two functions": lambda layer: answer_document(answer(Outcome.TESTED, Outcome.REFUTED), layer),
    "files": lambda layer: files_document(
        [answer(Outcome.REFUTED, name="a.py"), answer(Outcome.TESTED, name="b.py")], layer
    ),
    "a batch line": lambda layer: answer_line("a", answer(Outcome.REFUTED), layer),
    "a batch line of two": lambda layer: answer_line("a", answer(Outcome.TESTED, Outcome.REFUTED), layer),
}


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_each_layer_says_no_more_than_the_deeper_one(document: object) -> None:
    assert callable(document)
    agent, developer, proof = (json.dumps(document(layer)) for layer in Layer)
    assert SECRET not in agent
    assert SECRET in developer
    assert "proof_ref" not in developer
    assert "proof_ref" in proof


def test_a_batch_line_of_one_function_carries_its_result() -> None:
    assert answer_line("a", answer(Outcome.TESTED))["result"] == {"passed": True, "issues": [SECRET]}


def test_a_batch_line_of_several_functions_carries_each_result() -> None:
    result = answer_line("a", answer(Outcome.TESTED, Outcome.REFUTED))["result"]
    assert isinstance(result, dict)
    assert result["passed"] is False
    assert set(result["functions"]) == {"f0", "f1"}


def test_the_weakest_answer_counts() -> None:
    verified, refuted = answer(Outcome.TESTED), answer(Outcome.REFUTED)
    undecided = refuse("a", Outcome.UNDECIDED, "program.too_large", "It is too large.")
    blocked = refuse("a", Outcome.NOT_ATTEMPTED, "program.unreadable", "It is locked.")
    ordered = [refuted, blocked, undecided, verified]
    for position, weakest in enumerate(ordered):
        assert weakest_answer(list(reversed(ordered[position:]))) is weakest


def test_of_no_answers_none_is_the_weakest() -> None:
    with pytest.raises(ValueError, match="nothing is not success"):
        weakest_answer([])


@pytest.mark.parametrize("outcome", [Outcome.PROVED, Outcome.TESTED, Outcome.REFUTED])
def test_a_refusal_never_verifies_and_never_refutes(outcome: Outcome) -> None:
    with pytest.raises(ValueError, match=r"never|nothing that was not judged"):
        refuse("a", outcome, "program.flaky", "whatever")


ERRORS: dict[str, tuple[ProbatumError, int, str]] = {
    "a budget": (BudgetError("program.too_large", "Too large."), 3, "program.too_large"),
    "a budget of another kind": (BudgetError("some.budget", "Too much."), 3, "program.too_large"),
    "no sandbox": (NotAttemptedError("sandbox.unavailable", "None."), 4, "sandbox.unavailable"),
    "a broken store": (IntegrityError("store.broken", "Broken."), 4, "store.unavailable"),
    "wrong usage inside": (UsageError("some.usage", "Odd."), 4, "request.invalid"),
}


@pytest.mark.parametrize(("error", "code", "constraint"), ERRORS.values(), ids=ERRORS)
def test_an_error_becomes_an_answer_that_judges_nothing(
    error: ProbatumError, code: int, constraint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_line: RequestLine) -> Refusal:
        raise error

    monkeypatch.setattr(lines, "program_request", fail)
    with Service(MemoryStore()) as service:
        refused = answer_to(service, Identified("a", {"id": "a", "kind": "program"}), NOTHING)
    assert (refused.exit_code, refused.verdict.constraint_id) == (code, constraint)
    assert not refused.verdict.is_verified


def test_an_error_as_a_document() -> None:
    document = error_document(UsageError("path.missing", "There is no file.", "Look again."))
    shown = {"code": "path.missing", "sentence": "There is no file.", "hint": "Look again."}
    assert document == {"error": shown, "exit_code": 2}
