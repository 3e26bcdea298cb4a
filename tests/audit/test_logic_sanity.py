"""Window, coverage, duplicates, confidence, and what the event needs (B22 to B27, B31, B32)."""

from __future__ import annotations

import math

import pytest

from probatum.audit import CheckResult, ClaimExtractor, EvidenceBundle, LogicSanityChecker, PromptSpec
from tests.audit.cases import (
    INSIDE,
    audit,
    bundle,
    failed,
    item,
    naming,
    price,
    requirement,
    spec,
    variables,
)

TWO = ("src_1", "src_2")


def sanity(asked: PromptSpec, evidence: EvidenceBundle) -> list[CheckResult]:
    return list(LogicSanityChecker().check(asked, evidence, ClaimExtractor().extract(asked, evidence)))


def test_what_is_right_passes_every_check() -> None:
    for evidence in (bundle(price(105000)), bundle(price(105000, at=None)), bundle(price(1, confidence=0.0))):
        checks = sanity(spec(), evidence)
        assert checks
        assert failed(checks) == []
        _, verification = audit(spec(), evidence)
        assert verification.ok
        assert verification.challenge is None
        assert verification.error is None


# B22: nothing to go by.
NOTHING = {
    "B22 no items": bundle(),
    "no items that succeeded": bundle(price(105000, success=False), price(105000, "ev_2", error="timeout")),
    "no item of a declared requirement": bundle(price(105000, of="req_other")),
    "no item that can be read": bundle(item("ev_1", "{"), item("ev_2", "")),
    "no content": bundle(item("ev_1")),
    "no such field": bundle(item("ev_1", {"volume": 3})),
    "null": bundle(price(None)),
}


@pytest.mark.parametrize("name", NOTHING)
def test_b22_nothing_to_go_by_is_insufficient_evidence(name: str) -> None:
    trace, verification = audit(spec(), NOTHING[name])
    found = variables(trace)
    assert found["event_observed"] is None
    assert found["insufficient_evidence"] is True
    assert not verification.ok
    assert failed(verification.checks)[0].check_id
    assert verification.error is not None


def test_a_question_without_requirements_is_not_answered() -> None:
    asked = spec().model_copy(update={"data_requirements": type(spec().data_requirements)([])})
    for evidence in (bundle(), bundle(price(105000))):
        trace, verification = audit(asked, evidence)
        assert variables(trace)["event_observed"] is None
        assert not verification.ok


def test_b23_a_requirement_without_an_item_is_not_covered() -> None:
    asked = spec(requirement(), requirement("req_volume", expected_fields=["volume"]), event="price > 1 and volume > 1")
    assert failed(naming(sanity(asked, bundle(price(3))), "req_volume"))
    trace, verification = audit(asked, bundle(price(3)))
    assert failed(naming(verification.checks, "req_volume"))
    assert not failed(naming(verification.checks, "req_price"))
    assert variables(trace)["insufficient_evidence"] is True
    assert variables(trace)["event_observed"] is None


def test_b23_a_stray_item_is_flagged_and_not_used() -> None:
    evidence = bundle(price(95000), price(105000, "ev_stray", of="req_unknown"))
    trace, verification = audit(spec(), evidence)
    assert naming(verification.checks, "ev_stray")
    assert not naming(verification.checks, "ev_1")
    assert variables(trace)["event_observed"] is False
    assert list(variables(trace)["source_summary"]) == ["ev_1"]


@pytest.mark.parametrize("fault", [{"success": False}, {"error": "timeout"}, {"success": False, "error": "HTTP 502"}])
def test_b24_a_failed_item_covers_nothing(fault: dict[str, object]) -> None:
    trace, verification = audit(spec(), bundle(price(105000, **fault)))
    assert not verification.ok
    assert failed(naming(verification.checks, "req_price"))
    assert variables(trace)["source_summary"] == []


# B25: the time that a record speaks of, whether it is outside of the window; the window is January 2026 in UTC.
TIMES = {
    "B25 before": ("2025-12-31T23:59:59Z", True),
    "B25 a microsecond before": ("2025-12-31T23:59:59.999999Z", True),
    "B25 at the start": ("2026-01-01T00:00:00Z", False),
    "B25 inside": (INSIDE, False),
    "B25 at the end": ("2026-01-31T23:59:59Z", False),
    "B25 a microsecond after": ("2026-01-31T23:59:59.000001Z", True),
    "B25 after": ("2026-02-01T00:00:00Z", True),
    "B25 long before": ("1970-01-01T00:00:00Z", True),
    "B25 naive, inside": ("2026-01-01T00:00:00", False),
    "B25 naive, at the end": ("2026-01-31T23:59:59", False),
    "B25 naive, outside": ("2025-12-31T23:59:59", True),
    "B25 a zone that brings it in": ("2025-12-31T22:00:00-02:00", False),
    "B25 a zone that brings it out": ("2026-01-01T01:00:00+02:00", True),
    "B25 a zone at the end": ("2026-02-01T01:59:59+02:00", False),
    "B25 a zone after the end": ("2026-01-31T22:00:00-02:00", True),
    "B25 epoch, inside": (1767225600, False),
    "B25 epoch, before": (1767225599, True),
    "B25 epoch, at the end": (1769903999, False),
    "B25 epoch, after": (1769904000, True),
    "B25 epoch with a fraction": (1767225600.5, False),
}


@pytest.mark.parametrize("name", TIMES)
def test_b25_only_what_is_outside_of_the_window_fails(name: str) -> None:
    written, outside = TIMES[name]
    evidence = bundle(price(105000, at=written, fetched_at="2026-03-01T00:00:00Z"), collected_at="2026-03-01T00:00:00Z")
    _, verification = audit(spec(), evidence)
    assert bool(failed(naming(verification.checks, "ev_1"))) is outside
    assert verification.ok is not outside
    assert bool(failed(sanity(spec(), evidence))) is outside


# The slack in seconds, the time, whether that is outside.
SLACK = {
    "B25 at the slack": (60, "2025-12-31T23:59:00Z", False),
    "B25 beyond the slack": (60, "2025-12-31T23:58:59Z", True),
    "B25 at the slack after the end": (1, "2026-02-01T00:00:00Z", False),
    "B25 beyond the slack after the end": (1, "2026-02-01T00:00:00.5Z", True),
    "B25 no slack": (0, "2025-12-31T23:59:59Z", True),
}


@pytest.mark.parametrize("name", SLACK)
def test_b25_slack_counts_where_it_is_declared(name: str) -> None:
    seconds, written, outside = SLACK[name]
    asked = spec(requirement(extra={"slack_seconds": seconds}))
    late = "2026-03-01T00:00:00Z"
    _, verification = audit(asked, bundle(price(105000, at=written, fetched_at=late), collected_at=late))
    assert verification.ok is not outside


def test_b25_one_item_outside_does_not_hide_another_inside() -> None:
    asked = spec(requirement(sources=TWO))
    evidence = bundle(price(105000), price(105000, "ev_2", source="src_2", at="2025-06-01T00:00:00Z"))
    _, verification = audit(asked, evidence)
    assert failed(naming(verification.checks, "ev_2"))
    assert not naming(verification.checks, "ev_1")


def test_what_lies_outside_of_the_window_does_not_decide() -> None:
    trace, verification = audit(spec(), bundle(price(105000, at="2025-06-01T00:00:00Z")))
    assert variables(trace)["event_observed"] is None
    assert not verification.ok


UNREADABLE_TIMES = [
    "yesterday",
    "2026-13-01T00:00:00Z",
    "2026-02-30",
    "32/01/2026",
    "03/04/2026",
    "",
    "12:00",
    True,
    {},
    [1],
]


@pytest.mark.parametrize("written", UNREADABLE_TIMES)
def test_a_time_that_cannot_be_read_is_said(written: object) -> None:
    """Never a silent drop: what does not say when it was cannot be known to lie inside."""
    _, verification = audit(spec(), bundle(price(105000, at=written)))
    assert failed(naming(verification.checks, "ev_1"))


def test_evidence_from_the_future_is_reported() -> None:
    """It speaks of a time after the one at which it was fetched."""
    fetched = "2026-01-10T00:00:00Z"
    evidence = bundle(price(105000, at="2026-01-20T00:00:00Z", fetched_at=fetched), collected_at=fetched)
    _, verification = audit(spec(), evidence)
    assert failed(naming(verification.checks, "ev_1"))
    _, verification = audit(spec(), bundle(price(105000, at=fetched, fetched_at=fetched), collected_at=fetched))
    assert verification.ok


# max_age_seconds, the time of the record, whether it is too old; fetched and collected on the 20th, in the window.
FETCHED = "2026-01-20T00:00:00Z"
AGES = {
    "at the age": (86400, "2026-01-19T00:00:00Z", False),
    "beyond the age": (86400, "2026-01-18T23:59:59Z", True),
    "fresh": (86400, "2026-01-19T12:00:00Z", False),
    "days old": (3600, INSIDE, True),
}


@pytest.mark.parametrize("name", AGES)
def test_stale_evidence_is_reported_where_an_age_is_declared(name: str) -> None:
    seconds, written, stale = AGES[name]
    asked = spec(requirement(extra={"max_age_seconds": seconds}))
    _, verification = audit(asked, bundle(price(105000, at=written, fetched_at=FETCHED), collected_at=FETCHED))
    assert bool(failed(naming(verification.checks, "ev_1"))) is stale
    assert verification.ok is not stale


def test_b26_a_reversed_window_is_a_structured_failure() -> None:
    asked = spec(window=("2026-01-31T00:00:00Z", "2026-01-01T00:00:00Z"))
    trace, verification = audit(asked, bundle(price(105000)))
    assert variables(trace)["event_observed"] is None
    assert failed(sanity(asked, bundle(price(105000))))
    assert not verification.ok
    assert any("window" in f"{check.check_id} {check.message}" for check in failed(verification.checks))


def test_a_window_of_one_instant_is_one() -> None:
    _, verification = audit(spec(window=(INSIDE, INSIDE)), bundle(price(105000)))
    assert verification.ok


# B27: an event that cannot be evaluated: its definition, its threshold.
UNKNOWN_EVENTS = {
    "B27 no threshold": ("price > threshold", None),
    "B27 a threshold in words": ("price > threshold", "a lot"),
    "B27 an empty threshold": ("price > threshold", ""),
    "B27 NaN": ("price > threshold", "nan"),
    "B27 prose": ("Bitcoin closes above one hundred thousand dollars", "100000"),
    "a threshold that the event contradicts": ("price > 100000", "120000"),
    "no such variable": ("prize > 100000", None),
    "blank": ("  ", None),
    "half of a comparison": ("price >", None),
    "two comparisons without a word": ("price > 1 price < 3", None),
    "an open bracket": ("(price > 1", None),
    "Python": ("__import__('os').system('true') == 0", None),
    "an attribute": ("price.__class__ == 1", None),
    "a lambda": ("(lambda: True)()", None),
    "a constant": ("true", None),
    "a comparison of constants": ("1 < 2", None),
    "a comparison with itself": ("price == price", None),
    "a consequence of itself": ("price > 1 or not price > 1", None),
    "no comparison": ("price", None),
    "a number against text": ("price > 'many'", None),
    "an assignment": ("price = 105000 := 1", None),
}


@pytest.mark.parametrize("name", UNKNOWN_EVENTS)
def test_b27_an_event_that_cannot_be_evaluated_is_unknown(name: str) -> None:
    event, threshold = UNKNOWN_EVENTS[name]
    evidence = bundle(price(105000))
    asked = spec(event=event, threshold=threshold)
    trace, verification = audit(asked, evidence)
    assert variables(trace)["event_observed"] is None
    assert not verification.ok
    assert failed(verification.checks)


@pytest.mark.parametrize("name", [name for name in UNKNOWN_EVENTS if name.startswith("B27")])
def test_b27_the_sanity_check_says_so(name: str) -> None:
    event, threshold = UNKNOWN_EVENTS[name]
    assert failed(sanity(spec(event=event, threshold=threshold), bundle(price(105000))))


@pytest.mark.parametrize("confidence", [1.2, -0.1, math.nan, math.inf, -math.inf, 1.0000001, -1e-9])
def test_b31_a_confidence_outside_of_its_bounds_fails(confidence: float) -> None:
    evidence = bundle(price(105000, confidence=confidence))
    assert failed(naming(sanity(spec(), evidence), "ev_1"))
    _, verification = audit(spec(), evidence)
    assert failed(naming(verification.checks, "ev_1"))
    assert not verification.ok


@pytest.mark.parametrize("confidence", [0.0, 1.0, 0.5, -0.0, 5e-324])
def test_b31_a_confidence_within_its_bounds_holds(confidence: float) -> None:
    _, verification = audit(spec(), bundle(price(105000, confidence=confidence)))
    assert verification.ok


def test_b31_the_confidence_of_a_claim_is_checked_as_well() -> None:
    from dataclasses import replace

    from probatum.audit import ClaimSet

    evidence = bundle(price(105000))
    claims = ClaimExtractor().extract(spec(), evidence)
    for confidence in (1.5, -1.0, math.nan):
        odd = ClaimSet(tuple(replace(claim, confidence=confidence) for claim in claims.claims))
        assert failed(LogicSanityChecker().check(spec(), evidence, odd))


@pytest.mark.parametrize("second", [105000, 95000])
@pytest.mark.parametrize("source", TWO)
def test_b32_an_id_taken_twice_is_a_structured_failure(second: int, source: str) -> None:
    asked = spec(requirement(sources=TWO))
    evidence = bundle(price(105000), price(second, source=source))
    trace, verification = audit(asked, evidence)
    assert failed(naming(verification.checks, "ev_1"))
    assert not verification.ok
    if second != 105000:
        assert variables(trace)["event_observed"] is not False, "the last does not win"


def test_two_requirements_of_one_id_are_reported() -> None:
    asked = spec(requirement(), requirement())
    _, verification = audit(asked, bundle(price(105000)))
    assert failed(naming(verification.checks, "req_price"))


def test_a_bundle_for_another_question_is_reported() -> None:
    trace, verification = audit(spec(), bundle(price(105000), market_id="market_2"))
    assert not verification.ok
    assert variables(trace)["event_observed"] is None or failed(verification.checks)


@pytest.mark.parametrize(
    "fields",
    [
        {"source": "src_unknown"},
        {"tier": 0},
        {"source": "src_forbidden"},
    ],
)
def test_an_item_that_the_question_does_not_allow_is_no_evidence(fields: dict[str, object]) -> None:
    """From a source that is not declared or is forbidden, or of too low a tier."""
    asked = spec(
        requirement(sources=["src_1", "src_forbidden"]),
        market={
            "min_provenance_tier": 1,
            "allowed_sources": [
                {"source_id": "src_1", "kind": "api"},
                {"source_id": "src_forbidden", "kind": "api", "allow": False},
            ],
        },
    )
    trace, verification = audit(asked, bundle(price(105000, **fields)))
    assert naming(verification.checks, "ev_1")
    assert not verification.ok
    assert variables(trace)["event_observed"] is None
    assert audit(asked, bundle(price(105000)))[1].ok


MISSPELT = {
    "a key of a field": {"fields": {"price": {"path": "price", "tolerence": 0.01}}},
    "a kind": {"fields": {"price": {"path": "price", "kind": "nummber"}}},
    "a selection": {"fields": {"price": {"path": "price", "select": "newest"}}},
    "a tolerance": {"tolerance": "1 %"},
    "a negative tolerance": {"tolerance": -1},
    "NaN as a tolerance": {"tolerance": math.nan},
    "slack in words": {"slack_seconds": "a minute"},
    "an infinite slack": {"slack_seconds": math.inf},
    "a date order": {"date_order": "MYD"},
    "a time zone": {"timezone": "Mars/Olympus"},
}


@pytest.mark.parametrize("name", MISSPELT)
def test_a_declaration_that_cannot_be_used_is_a_failed_check(name: str) -> None:
    _, verification = audit(spec(requirement(extra=MISSPELT[name])), bundle(price(105000)))
    assert failed(verification.checks)


def test_an_event_with_a_fault_is_not_replaced_by_a_weaker_one() -> None:
    """What is written in the language and cannot be read is no prose: the other half of it must not get lost."""
    asked = spec(event="price > 100000 and settled = = true", threshold="100000")
    weaker = asked.prediction_semantics.model_copy(update={"predicate": "price above"})
    for question in (asked, asked.model_copy(update={"prediction_semantics": weaker})):
        _, verification = audit(question, bundle(price(105000)))
        assert not verification.ok
