"""What the evidence establishes: predicates, selection policies, the last step (B20, B28 to B30, B33 to B40)."""

from __future__ import annotations

import ast
import copy
import re
from pathlib import Path

import pytest

import probatum.audit
from probatum.audit import AuditorAgent, DataRequirement, EvidenceItem
from probatum.audit.canonical import dumps_canonical
from tests.audit.cases import (
    INSIDE,
    audit,
    bundle,
    conflicts,
    item,
    naming,
    price,
    requirement,
    scalars,
    spec,
    variables,
)

THREE = ("src_1", "src_2", "src_3")
STEP_TYPES = {"search", "extract", "check", "deduce", "aggregate", "map"}

# B28 and others like it: the price, the event, what is observed.
EVENTS = {
    "B28 above": (105000, "price > 100000", True),
    "B28 below": (95000, "price > 100000", False),
    "B28 at it": (100000, "price > 100000", False),
    "B28 at it, included": (100000, "price >= 100000", True),
    "just above": (100000.01, "price > 100000", True),
    "the threshold by name": (105000, "price > threshold", True),
    "the threshold by name, below": (99999.99, "price > threshold", False),
    "as a function of what it is about": (105000, "price(BTC_USD) > 100000", True),
    "below, asked for": (95000, "price < 100000", True),
    "at most": (100000, "price <= 100000", True),
    "equal": (100000, "price == 100000", True),
    "not equal": (100000, "price != 100000", False),
    "negative": (-5, "price < -4.5", True),
    "zero": (0, "price > 0", False),
    "a fraction that binary floats cannot write": (0.3, "price >= 0.3", True),
    "both": (105000, "price > 100000 and price < 110000", True),
    "one of both fails": (115000, "price > 100000 and price < 110000", False),
    "either": (95000, "price > 100000 or price < 96000", True),
    "not": (95000, "not price > 100000", True),
    "not, twice": (95000, "not not (price > 100000)", False),
    "membership": (3, "price in (1, 2, 3)", True),
    "no member": (4, "price in (1, 2, 3)", False),
    "brackets": (5, "price > 1 and (price > 9 or price < 6)", True),
    "and before or": (5, "price > 9 and price > 8 or price > 1", True),
}


@pytest.mark.parametrize("name", EVENTS)
def test_b28_the_event_is_what_the_evidence_says(name: str) -> None:
    value, event, observed = EVENTS[name]
    threshold = "100000" if "100000" in event or "threshold" in event else None
    trace, verification = audit(spec(event=event, threshold=threshold), bundle(price(value)))
    found = variables(trace)
    assert found["event_observed"] is observed
    assert found["numeric_value"] == value
    assert list(found["source_summary"]) == ["ev_1"]
    assert found["conflict_detected"] is found["insufficient_evidence"] is False
    assert verification.ok


def test_b28_no_verdict_stands_in_a_trace() -> None:
    for value in (105000, 95000, None):
        trace, _ = audit(spec(), bundle(price(value)))
        words = [word for word in scalars(trace.model_dump()) if isinstance(word, str)]
        assert not [word for word in words if re.search(r"\b(YES|NO|INVALID|UNCERTAIN)\b", word)]
        assert not [word for word in words if word.casefold() in {"yes", "no", "verdict", "outcome"}]


@pytest.mark.parametrize("threshold", ["100000", "100,000", "$100,000", "100k", "100000.0", "1e5"])
def test_a_threshold_as_people_write_it_is_that_number_or_unknown(threshold: str) -> None:
    trace, verification = audit(spec(event="price > threshold", threshold=threshold), bundle(price(105000)))
    assert variables(trace)["event_observed"] in ({True} if threshold in {"100000", "100,000"} else {True, None})
    assert verification.ok == (variables(trace)["event_observed"] is True)
    trace, _ = audit(spec(event="price > threshold", threshold=threshold), bundle(price(99000)))
    assert variables(trace)["event_observed"] is not True


# Other kinds than numbers: the fields, the content, the event, what is observed.
KINDS = {
    "a truth value": ({"settled": True}, "settled", True),
    "a truth value that is false": ({"settled": False}, "settled", False),
    "not": ({"cancelled": False}, "not cancelled", True),
    "a text": ({"status": "Final"}, "status == 'Final'", True),
    "another text": ({"status": "Live"}, "status == 'Final'", False),
    "one of several texts": ({"status": "Official"}, "status in ('Final', 'Official')", True),
    "none of several texts": ({"status": "Live"}, "status in ('Final', 'Official')", False),
    "two fields": ({"home": 3, "away": 2}, "home > away", True),
    "two fields, one of them a text": ({"home": 3, "status": "Final"}, "home > 2 and status == 'Final'", True),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_events_over_other_kinds(name: str) -> None:
    content, event, observed = KINDS[name]
    asked = spec(requirement(expected_fields=list(content)), event=event)
    trace, verification = audit(asked, bundle(item("ev_1", {**content, "timestamp": INSIDE})))
    assert variables(trace)["event_observed"] is observed
    assert verification.ok


@pytest.mark.parametrize(("date", "observed"), [("2026-01-30", True), ("2026-01-31", True), ("2026-02-01", False)])
def test_events_over_dates(date: str, observed: bool) -> None:
    fields = {"close_date": {"path": "close_date", "kind": "timestamp"}}
    asked = spec(requirement(expected_fields=None, extra={"fields": fields}), event="close_date <= 2026-01-31")
    trace, _ = audit(asked, bundle(item("ev_1", {"close_date": date})))
    assert variables(trace)["event_observed"] is observed


# Kleene's logic over two fields, `settled` and `final`; None is a field that is not there.
KLEENE = [
    (True, None, "settled or final", True),
    (None, True, "settled or final", True),
    (False, None, "settled or final", None),
    (False, None, "settled and final", False),
    (None, False, "settled and final", False),
    (True, None, "settled and final", None),
    (None, None, "settled or final", None),
    (None, True, "not settled", None),
    (True, False, "settled and not final", True),
]


@pytest.mark.parametrize(("settled", "final", "event", "observed"), KLEENE)
def test_what_is_missing_is_neither_true_nor_false(
    settled: bool | None, final: bool | None, event: str, observed: bool | None
) -> None:
    """An event that holds either way may be told or be unknown; one that depends on what is missing is unknown."""
    content = {key: value for key, value in (("settled", settled), ("final", final)) if value is not None}
    asked = spec(requirement(expected_fields=["settled", "final"]), event=event)
    trace, _ = audit(asked, bundle(item("ev_1", content)))
    assert variables(trace)["event_observed"] in {observed, None}
    if variables(trace)["insufficient_evidence"]:
        assert variables(trace)["event_observed"] is None


def prices(*values: object, failing: tuple[int, ...] = (), tiers: tuple[int, ...] = ()) -> list[EvidenceItem]:
    """Return one item of each source, with these values."""
    return [
        price(
            value,
            f"ev_{place}",
            source=f"src_{place}",
            success=place not in failing,
            tier=tiers[place - 1] if tiers else 1,
        )
        for place, value in enumerate(values, 1)
        if value != "absent"
    ]


def quorum(count: int = 2, **policy: object) -> DataRequirement:
    return requirement(sources=THREE, strategy="multi_source_quorum", quorum=count, **{"min_sources": count, **policy})


# B29: the values of three sources, what is observed of "price > 100000", whether they conflict, whose values are used.
QUORUMS = {
    "B29 two of three": ((105000, 105000, 95000), True, True, {"ev_1", "ev_2"}),
    "B29 the other two": ((105000, 95000, 95000), False, True, {"ev_2", "ev_3"}),
    "B29 the outer two": ((95000, 105000, 95000), False, True, {"ev_1", "ev_3"}),
    "all agree": ((105000, 105000, 105000), True, False, {"ev_1", "ev_2", "ev_3"}),
    "two are enough": ((105000, 105000, "absent"), True, False, {"ev_1", "ev_2"}),
    "the last two are enough": (("absent", 95000, 95000), False, False, {"ev_2", "ev_3"}),
}


@pytest.mark.parametrize("name", QUORUMS)
def test_b29_the_majority_of_the_sources_counts(name: str) -> None:
    values, observed, conflict, used = QUORUMS[name]
    trace, verification = audit(spec(quorum()), bundle(*prices(*values)))
    found = variables(trace)
    assert found["event_observed"] is observed
    assert found["conflict_detected"] is conflict
    assert bool(conflicts(verification.checks)) is conflict
    assert set(found["source_summary"]) == used
    assert found["insufficient_evidence"] is False


NO_QUORUM = {
    "one source alone": (105000, "absent", "absent"),
    "two that differ": (105000, 95000, "absent"),
    "three that differ": (105000, 95000, 85000),
    "three that differ on one side": (105000, 106000, 107000),
}


@pytest.mark.parametrize("name", NO_QUORUM)
def test_b29_no_quorum_is_no_evidence(name: str) -> None:
    trace, verification = audit(spec(quorum()), bundle(*prices(*NO_QUORUM[name])))
    found = variables(trace)
    assert found["event_observed"] is None
    assert found["insufficient_evidence"] is True
    assert not verification.ok


def test_b29_one_source_does_not_vote_twice() -> None:
    same = [price(105000, f"ev_{number}", source="src_1") for number in (1, 2, 3)]
    trace, verification = audit(spec(quorum()), bundle(*same))
    assert variables(trace)["event_observed"] is None
    assert not verification.ok


def test_b29_a_source_that_is_not_declared_is_told() -> None:
    evidence = bundle(price(105000), price(105000, "ev_2", source="src_evil"), price(105000, "ev_3", source="SRC_1"))
    _, verification = audit(spec(quorum()), evidence)
    assert [names for names in ("ev_2", "ev_3") if not naming(verification.checks, names)] == []


def test_b29_a_tie_of_two_against_two_is_no_majority() -> None:
    asked = spec(
        requirement(
            sources=("src_1", "src_2", "src_3", "src_4"),
            strategy="multi_source_quorum",
            quorum=2,
            min_sources=2,
            max_sources=4,
        )
    )
    trace, verification = audit(asked, bundle(*prices(105000, 95000, 105000, 95000)))
    assert variables(trace)["conflict_detected"] is True
    assert variables(trace)["event_observed"] is None
    assert not verification.ok


# B30: the values of three sources, those that failed, what is observed, whose value is used.
FALLBACKS = {
    "B30 the first fails": ((95000, 105000, 105000), (1,), True, "ev_2"),
    "B30 the first two fail": ((95000, 95000, 105000), (1, 2), True, "ev_3"),
    "B30 the first is absent": (("absent", 105000, 105000), (), True, "ev_2"),
    "B30 the first has no value": ((None, 95000, 95000), (), False, "ev_2"),
    "the first is there": ((105000, 105000, 105000), (), True, "ev_1"),
    "the later ones fail": ((105000, 105000, 105000), (2, 3), True, "ev_1"),
}


@pytest.mark.parametrize("name", FALLBACKS)
def test_b30_the_first_source_that_is_there_counts(name: str) -> None:
    values, failing, observed, used = FALLBACKS[name]
    asked = spec(requirement(sources=THREE, strategy="fallback_chain"))
    trace, _ = audit(asked, bundle(*prices(*values, failing=failing)))
    found = variables(trace)
    assert found["event_observed"] is observed
    assert list(found["source_summary"]) == [used]
    assert "ev_2" in dumps_canonical(trace)


def test_b30_the_order_is_that_of_the_declaration() -> None:
    asked = spec(requirement(sources=THREE, strategy="fallback_chain"))
    trace, _ = audit(asked, bundle(*reversed(prices(105000, 105000, 105000))))
    assert list(variables(trace)["source_summary"]) == ["ev_1"]


# The single best: the tie breaker, the items, whose value is used.
BEST = {
    "the highest tier": ("highest_provenance", prices(105000, 105000, 105000, tiers=(1, 3, 2)), "ev_2"),
    "the highest tier, last": ("highest_provenance", prices(105000, 105000, 105000, tiers=(0, 1, 4)), "ev_3"),
    "the source declared first": ("source_priority", list(reversed(prices(105000, 105000, 105000))), "ev_1"),
    "the most recent": (
        "most_recent",
        [
            price(105000, "ev_1", at="2026-01-10T00:00:00Z", fetched_at="2026-01-20T00:00:00Z"),
            price(105000, "ev_2", at="2026-01-12T00:00:00Z", fetched_at="2026-01-22T00:00:00Z", source="src_2"),
            price(105000, "ev_3", at="2026-01-11T00:00:00Z", fetched_at="2026-01-21T00:00:00Z", source="src_3"),
        ],
        "ev_2",
    ),
}


@pytest.mark.parametrize("name", BEST)
def test_the_single_best_is_chosen_as_declared(name: str) -> None:
    breaker, items, used = BEST[name]
    trace, _ = audit(spec(requirement(sources=THREE, tie_breaker=breaker)), bundle(*items))
    assert variables(trace)["event_observed"] is True
    assert list(variables(trace)["source_summary"]) == [used]


def test_fewer_sources_than_declared_are_insufficient() -> None:
    for strategy in ("single_best", "multi_source_quorum", "fallback_chain"):
        asked = spec(requirement(sources=THREE, strategy=strategy, min_sources=2))
        trace, verification = audit(asked, bundle(price(105000)))
        assert not verification.ok, strategy
        assert variables(trace)["insufficient_evidence"] is True, strategy


def test_at_least_so_many_sources_say_so() -> None:
    asked = spec(requirement(sources=THREE), event="at_least(2, price > 100000)")
    for values, expected in {
        (105000, 106000, 95000): {True},
        (105000, 95000, 95000): {False},
        (105000, "absent", "absent"): {None, False},
    }.items():
        trace, _ = audit(asked, bundle(*prices(*values)))
        assert variables(trace)["event_observed"] in expected, values


def test_the_value_of_an_event_over_two_requirements() -> None:
    asked = spec(
        requirement(),
        requirement("req_volume", ["src_2"], ["volume"]),
        event="price > 100000 and volume >= 10",
    )
    volume = item("ev_2", {"volume": 10, "timestamp": INSIDE}, source="src_2", of="req_volume")
    trace, verification = audit(asked, bundle(price(105000), volume))
    assert variables(trace)["event_observed"] is True
    assert set(variables(trace)["source_summary"]) == {"ev_1", "ev_2"}
    assert verification.ok


def test_b33_an_audit_has_the_same_bytes_again_and_on_copies() -> None:
    asked, evidence = spec(quorum()), bundle(*prices(105000, 105000, 95000))
    first, verdict = audit(asked, evidence)
    for again in (
        audit(asked, evidence),
        audit(copy.deepcopy(asked), copy.deepcopy(evidence)),
        audit(*(type(each).model_validate_json(each.model_dump_json()) for each in (asked, evidence))),
    ):
        assert dumps_canonical(again[0]) == dumps_canonical(first)
        assert dumps_canonical(again[1]) == dumps_canonical(verdict)


def test_b35_one_digit_changes_the_trace() -> None:
    traces = {dumps_canonical(audit(spec(), bundle(price(value)))[0]) for value in (105000, 105001, 205000)}
    assert len(traces) == 3


def test_b39_the_agent_works_without_a_model_and_says_how_it_decoded() -> None:
    agent = AuditorAgent(llm=None, name="auditor-1")
    assert AuditorAgent().role == agent.role == "auditor"
    assert agent.name == "auditor-1"
    trace, verification = agent.audit(spec(), bundle(price(105000)), ctx=None)
    assert verification.ok
    assert trace.policy.decoding_policy
    assert trace.policy.allow_external_sources is False


def test_step_ids_count_from_one_and_the_stages_follow_each_other() -> None:
    trace, _ = audit(spec(quorum()), bundle(*prices(105000, 105000, 95000)))
    assert [step.step_id for step in trace.steps] == [f"step_{number:04d}" for number in range(1, len(trace.steps) + 1)]
    assert {step.type for step in trace.steps} <= STEP_TYPES
    kinds = [step.type for step in trace.steps]
    firsts = [kinds.index(kind) for kind in ("extract", "aggregate", "deduce", "map")]
    assert firsts == sorted(firsts)
    assert set(trace.evidence_refs) == {"ev_1", "ev_2", "ev_3"}


@pytest.mark.parametrize("count", [150, 199, 200, 201, 1_000])
def test_b20_many_items_fit_into_the_steps_that_are_allowed(count: int) -> None:
    items = [price(105000, f"ev_{number}") for number in range(count)]
    trace, verification = audit(spec(), bundle(*items))
    assert trace.policy.max_steps == 200
    assert len(trace.steps) <= 200
    assert set(trace.evidence_refs) == {each.evidence_id for each in items}
    assert {name for step in trace.steps if step.type in {"extract", "search"} for name in step.evidence_ids} == set(
        trace.evidence_refs
    )
    assert variables(trace)["event_observed"] is True
    assert verification.ok


def test_b20_more_requirements_than_steps() -> None:
    asked = spec(*(requirement(f"req_{number}") for number in range(400)))
    items = [price(105000, f"ev_{number}", of=f"req_{number}") for number in range(400)]
    trace, _ = audit(asked, bundle(*items))
    assert len(trace.steps) <= 200


def test_b40_source_files_are_short_and_know_six_types_of_steps() -> None:
    folder = Path(probatum.audit.__file__).parent
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") <= 500, path.name
        ast.parse(text)
