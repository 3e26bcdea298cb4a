"""Whole requests of any JSON: a result whose issues fit the schema, or a named error."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Outcome
from probatum.core.errors import ProbatumError
from probatum.judge.criteria.tools import CriteriaTools
from probatum.judge.judging import decide_checks, judged
from probatum.judge.request import validation_request
from probatum.judge.scoring import result_of
from tests.judge.test_criteria import RUN, WITHOUT_A_RUN, WORDS_ALONE

# Rows with marks hold their values.
ROWS = [getattr(row, "values", row) for row in (*WITHOUT_A_RUN, *RUN)]
CRITERIA = [*(criterion for _, criterion, _ in ROWS), *WORDS_ALONE]
WORDS = sorted({word for each in CRITERIA for word in each.split()})
SIGNS = "\u200b\u202e\ud800\x00`#|-*[](){}<>&;:'\"\n\t $@.\\0123456789\u00e9\u00df\u0130\ufb01\u0663\u2167"
TEXTS = st.text(st.one_of(st.characters(), st.sampled_from(SIGNS)), max_size=40)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(10**300, 10**305),
    st.floats(),
    TEXTS,
    st.sampled_from(CRITERIA),
)
KEYS = st.one_of(
    TEXTS,
    st.sampled_from(["code", "tests", "language", "status", "total", "items", "price", "summary", "title", "text"]),
)
VALUES = st.recursive(
    LEAVES, lambda each: st.lists(each, max_size=5) | st.dictionaries(KEYS, each, max_size=5), max_leaves=20
)
KINDS = st.sampled_from(
    ["python: ", "jsonpath: ", "jsonpath: $", "jsonpath: all($", "regex: ", "count: ", "valid: ", "call: "]
)
SENTENCES = st.one_of(
    TEXTS,
    st.sampled_from(CRITERIA),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join),
    st.tuples(KINDS, TEXTS).map("".join),
)
LAYERS = st.sampled_from(["schema", "facts", "criteria", "quality", "hallucination", "x"])
SCHEMA_KEYS = st.sampled_from(
    ["type", "properties", "required", "items", "pattern", "enum", "const", "minimum", "$ref", "format", "allOf", "not"]
)
SOURCES = st.lists(st.one_of(TEXTS, st.fixed_dictionaries({"name": TEXTS, "text": TEXTS})), max_size=3)
REQUESTS = st.fixed_dictionaries(
    {"output": VALUES, "validation_types": st.lists(LAYERS, min_size=1, max_size=5)},
    optional={
        "acceptance_criteria": st.lists(SENTENCES, max_size=6) | VALUES,
        "expected_schema": st.dictionaries(SCHEMA_KEYS, VALUES, max_size=5) | VALUES,
        "trusted_sources": SOURCES | VALUES,
        "context": st.dictionaries(TEXTS, VALUES, max_size=3) | VALUES,
    },
)


@settings(max_examples=150, deadline=None)
@given(REQUESTS)
def test_any_request_gives_a_result_or_a_named_error(fields: dict[str, Any]) -> None:
    try:
        asked = validation_request(fields)
        reports = tuple(judged(asked, CriteriaTools()))
    except ProbatumError:
        return
    assert reports == tuple(judged(asked, CriteriaTools()))
    decision, result = decide_checks(reports), result_of(reports, 1.0)
    assert len(result.issues) == sum(len(each.issues) for each in reports)
    assert result.valid is (decision.outcome is not Outcome.REFUTED)
    for report in reports:
        for check in report.checks:
            canonical_bytes(check.evidence)
        for each in report.issues:
            assert 10 <= len(each.message) <= 500
            assert each.message.isprintable()
