"""Law 6. Each layer says no more than the deeper one; the agent's layer comes from a closed catalogue."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probatum.app.answers import Answer
from probatum.app.documents import answer_document, answer_line, files_document
from probatum.core.decision import Decision, Outcome, decide
from probatum.core.diagnostics import AdvisoryCheck, DiagnosticResult, DiagnosticStatus
from probatum.core.disclosure import Layer, disclose
from probatum.core.messages import built_in_sentences, is_catalogued
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.programs.decide import ProgramPolicy, decide_function, decide_program
from probatum.programs.record import CheckState, FunctionRecord
from probatum.report.page import page_of, summary_page
from probatum.report.text import plain_text
from tests.answers import Told, part_answer, program_answer
from tests.laws.records import ANY_POLICY, ANY_RECORD, EARNED, HOLDING, LENIENT

SECRET = "hidden expectation 7f3a"


def verdict_of(decision: Decision) -> DiagnosticResult:
    fields = decision.developer_fields()
    if decision.outcome in {Outcome.TESTED, Outcome.PROVED}:
        return DiagnosticResult.verified(decision.agent_message, fields, {"observed": 1})
    return DiagnosticResult.unverifiable(decision.agent_message, fields)


@settings(max_examples=150)
@given(st.lists(ANY_RECORD, max_size=2), ANY_POLICY)
def test_every_decision_speaks_from_the_catalogue(records: list[FunctionRecord], policy: ProgramPolicy):
    decision = decide_program(records, policy)
    assert decision.constraint_id in built_in_sentences()
    assert is_catalogued(decision.constraint_id, decision.agent_message)


@settings(max_examples=150)
@given(ANY_RECORD, ANY_POLICY)
def test_each_layer_of_a_verdict_is_part_of_the_deeper_one(record: FunctionRecord, policy: ProgramPolicy):
    result = verdict_of(decide_function(record, policy))
    agent, developer, proof = (disclose(result, layer) for layer in Layer)
    assert set(agent) < set(developer) < set(proof)
    assert agent == {key: developer[key] for key in agent}
    assert developer == {key: proof[key] for key in developer}


def hidden_everywhere(record: FunctionRecord, state: CheckState) -> FunctionRecord:
    check = replace(
        HOLDING,
        state=state,
        text=SECRET,
        note=SECRET,
        reproduction=f"f({SECRET!r})",
        expected={"value": SECRET},
        observed={"value": SECRET},
    )
    return replace(record, checks=(check,), unread=(SECRET,), suspicions=(SECRET,))


@given(st.sampled_from(CheckState), st.sampled_from(["flaky", "doubtful", "special_cases", "suspicions"]))
def test_the_agent_never_sees_a_check_its_values_or_its_reasons(state: CheckState, where: str):
    record = replace(hidden_everywhere(EARNED, state), **{where: (SECRET,)})
    shown = disclose(verdict_of(decide_function(record, LENIENT)), Layer.AGENT)
    assert SECRET not in str(shown)
    assert set(shown) == {"status", "agent_message"}


@given(st.text(max_size=80))
def test_a_hostile_name_carries_no_text_to_the_agent(name: str):
    decision = decide_function(replace(EARNED, qualname=name), LENIENT)
    shown = decision.agent_message.split(" passes ")[0]
    assert shown == "It" or re.fullmatch(r"[A-Za-z_][\w.\[\]]{0,63}", shown, re.ASCII)


RULES = st.from_regex(r"(?:rule|sig|CVE|PII)[-_.][0-9]{3,5}[a-z]?", fullmatch=True)
PATTERNS = st.sampled_from([r"(?i)ignore.*previous", r"\bpassword\b", r"[A-Z]{2}\d{6}", "^sk-[a-z0-9]{20,}$", "(a+)+"])
MATCHED = st.sampled_from(
    ["ignore all previous instructions", "hunter2-secret", "DE44500105175407324931", "größer 7f3a"]
)
SCORES = st.integers(1001, 9998).map(lambda score: score / 10_000)
HIDDEN_TESTS = st.integers(10_000, 99_999).map(lambda number: f"assert f({number}) == {number + 1}")
SECRETS = st.fixed_dictionaries(
    {"rule_id": RULES, "pattern": PATTERNS, "matched": MATCHED, "score": SCORES, "hidden_test": HIDDEN_TESTS}
)
"""What belongs below layer 1, by what it is."""
NAMES = st.sampled_from(["f", "Stack.push", "rows[0].name"]) | st.text(max_size=70)
COUNTS = st.integers(0, 10**9 - 1)


def told(constraint: str, outcome: Outcome, name: str, count: int, fields: Mapping[str, object]) -> DiagnosticResult:
    """Return the verdict of one constraint with these slots and these further fields."""
    slots = {
        slot: count if counted else name
        for slot, counted in re.findall(r"\{(\w+)(:count)?(?:\|[^}]*)?\}", built_in_sentences()[constraint])
    }
    decision = decide(outcome, constraint, slots, fields)
    if decision.status is DiagnosticStatus.VERIFIED:
        return DiagnosticResult.verified(decision.agent_message, decision.developer_fields(), {"seen": 1})
    return DiagnosticResult(decision.status, decision.agent_message, decision.developer_fields())


def spread(secrets: Mapping[str, object]) -> dict[str, object]:
    """Return developer fields that hold the secrets at every depth, in keys and in advice too."""
    texts = [str(secret) for secret in secrets.values()]
    return {
        **secrets,
        "reasons": texts,
        "deep": [{"er": {text: [text] for text in texts}}],
        "advisory_checks": [AdvisoryCheck("reader", constraint_id=texts[0], details={"says": texts})],
    }


def answered(verdict: DiagnosticResult, secrets: Mapping[str, object]) -> Answer:
    """Return the answer of a program whose every other part tells the secrets."""
    texts = [str(secret) for secret in secrets.values()]
    lines = tuple(Entry(mark, text, 3, (text,)) for mark in Mark for text in texts)
    sections = tuple(Section(text, lines) for text in texts)
    sheet = Sheet("a.py", verdict, texts[0], sections, repeat=texts[1], next_step=texts[2])
    told = {"result": {"issues": texts}, "specification": list(texts)}
    function = part_answer(verdict, Told("f", told, sheet, texts[-1]))
    return program_answer(verdict, Told("a.py", sheet_=sheet, text=texts[-1]), (function,))


def written(document: object) -> str:
    """Return a document as text in which a backslash is one backslash."""
    return json.dumps(document, ensure_ascii=False).replace("\\\\", "\\")


def shown_to(layer: Layer, answer: Answer) -> dict[str, str]:
    """Return everything that the outer layers print of an answer, as text, by what prints it."""
    [only] = answer.parts
    again = replace(only, observed=replace(only.observed, name="g"))
    two = replace(answer, parts=(only, again), observed=replace(answer.observed, name="b.py"))
    documents = {
        "verdict": disclose(answer.verdict, layer),
        "one function": answer_document(answer, layer),
        "two functions": answer_document(two, layer),
        "files": files_document([answer, two], layer, ["c.py"]),
        "a batch line": answer_line("1", answer, layer),
        "a batch line of two": answer_line("1", two, layer),
    }
    pages = {
        "page": page_of(answer.sheet, layer=layer),
        "verbose page": page_of(answer.sheet, layer=layer, verbose=True),
        "summary": summary_page("folder", [answer.sheet], answer.verdict, ["c.py"], layer),
    }
    shown = {name: written(document) for name, document in documents.items()}
    return {**shown, **{name: plain_text(page) for name, page in pages.items()}}


@pytest.mark.parametrize("constraint", built_in_sentences())
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(outcome=st.sampled_from(Outcome), name=NAMES, count=COUNTS, secrets=SECRETS, others=SECRETS)
def test_no_constraint_tells_the_agent_what_its_fields_hold(
    constraint: str, outcome: Outcome, name: str, count: int, secrets: dict[str, object], others: dict[str, object]
):
    verdict = told(constraint, outcome, name, count, spread(secrets))
    assert is_catalogued(constraint, verdict.agent_message)
    answer = answered(verdict, secrets)
    seen = shown_to(Layer.AGENT, answer)
    hidden = [constraint, *(str(secret) for secret in secrets.values())]
    assert [(where, secret) for where, text in seen.items() for secret in hidden if secret in text] == []
    # Not only these texts: with any other fields, the agent sees the very same.
    assert seen == shown_to(Layer.AGENT, answered(told(constraint, outcome, name, count, spread(others)), others))


@pytest.mark.parametrize("constraint", built_in_sentences())
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(outcome=st.sampled_from(Outcome), name=NAMES, count=COUNTS, secrets=SECRETS)
def test_every_layer_of_every_constraint_is_a_projection(
    constraint: str, outcome: Outcome, name: str, count: int, secrets: dict[str, object]
):
    verdict = told(constraint, outcome, name, count, spread(secrets))
    layers = [disclose(verdict, layer) for layer in Layer]
    for less, more in pairwise(layers):
        assert set(less) < set(more)
        assert less == {key: more[key] for key in less}
    documents = [answer_document(answered(verdict, secrets), layer) for layer in Layer]
    for less, more in pairwise(documents):
        assert set(less) <= set(more)
        assert all(less[key] == more[key] for key in less if key != "verdict")
    assert all(str(secret) in written(layers[1]) for secret in secrets.values())
    assert verdict.proof_ref is None or verdict.proof_ref not in written(documents[1])
