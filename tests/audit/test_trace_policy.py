"""The rules for a trace: each is broken alone in a trace that is right but for that (B15 to B21)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from probatum.audit import AuditorAgent, ReasoningTrace, TracePolicyVerifier, VerificationResult
from probatum.audit.canonical import dumps_canonical
from tests.audit.cases import audit, bundle, failed, names, price, requirement, spec
from tests.audit.traces import EVIDENCE, SPEC, VARIABLES, right_steps, step, trace_of, verify

Steps = list[dict[str, Any]]


def with_step(place: int, **fields: Any) -> Steps:
    """Return the right steps with other fields in one of them."""
    steps = right_steps()
    steps[place].update(fields)
    return steps


def renamed(*names: str) -> Steps:
    """Return the right steps under other ids, each of them after the one before."""
    steps = right_steps()[-len(names) :]
    for place, (each, name) in enumerate(zip(steps, names, strict=True)):
        each.update(step_id=name, prior_step_ids=list(names[max(0, place - 1) : place]))
    return steps


def without_variables(**output: object) -> Steps:
    return with_step(-1, output=output)


def test_a_right_trace_is_right() -> None:
    result = verify(right_steps())
    assert result.ok
    assert result.challenge is None
    assert failed(result.checks) == []
    assert result.checks


def first_two_ids(first: str, second: str) -> Steps:
    """Return the right steps with other ids for the first two, which the third follows."""
    steps = right_steps()
    steps[0]["step_id"], steps[1]["step_id"] = first, second
    steps[2]["prior_step_ids"] = [first, second]
    return steps


def order(*places: int) -> Steps:
    steps = right_steps()
    return [steps[place] for place in places]


# The steps, and the step that is to blame; "" where no single one is.
BROKEN: dict[str, tuple[Callable[[], Steps], str]] = {
    "B15 evidence that there is not": (lambda: with_step(2, evidence_ids=["nope"]), "step_0003"),
    "B15 among evidence that there is": (lambda: with_step(4, evidence_ids=["ev_1", "ev_3"]), "step_0005"),
    "B15 the empty id": (lambda: with_step(0, evidence_ids=[""]), "step_0001"),
    "B15 in another case": (lambda: with_step(0, evidence_ids=["EV_1"]), "step_0001"),
    "B16 after a later step": (lambda: with_step(2, prior_step_ids=["step_0005"]), "step_0003"),
    "B16 after the next": (lambda: with_step(1, prior_step_ids=["step_0001", "step_0003"]), "step_0002"),
    "B16 after itself": (lambda: with_step(3, prior_step_ids=["step_0004"]), "step_0004"),
    "B16 after none that there is": (lambda: with_step(3, prior_step_ids=["step_0042"]), "step_0004"),
    "B16 after the empty id": (lambda: with_step(3, prior_step_ids=["step_0003", ""]), "step_0004"),
    "B17 an id twice": (lambda: first_two_ids("step_0001", "step_0001"), "step_0001"),
    "B17 ids in the wrong order": (lambda: first_two_ids("step_0002", "step_0001"), ""),
    "B17 a later step first": (lambda: order(0, 1, 2, 3, 5, 4), ""),
    "B17 one digit": (lambda: first_two_ids("step_1", "step_0002"), "step_1"),
    "B17 no number": (lambda: first_two_ids("step_one", "step_0002"), "step_one"),
    "B17 another word": (lambda: first_two_ids("stage_0001", "step_0002"), "stage_0001"),
    "B17 more digits than needed": (lambda: first_two_ids("step_00001", "step_0002"), "step_00001"),
    "B17 digits of another script": (lambda: first_two_ids("step_000\u0661", "step_0002"), "step_000\u0661"),
    "B17 a newline after it": (lambda: first_two_ids("step_0001\n", "step_0002"), "step_0001\n"),
    "B19 no evaluation variables": (lambda: with_step(-1, output={}), ""),
    "B19 under another name": (lambda: without_variables(evaluation_variable=dict(VARIABLES)), ""),
    "B19 in a deduce step alone": (
        lambda: [
            *with_step(4, output={"evaluation_variables": dict(VARIABLES)})[:5],
            {**right_steps()[5], "output": {}},
        ],
        "",
    ),
    "B19 at the end, in a deduce step": (lambda: with_step(-1, type="deduce"), ""),
    "B19 at the end, in a check step": (lambda: with_step(-1, type="check"), ""),
    "B19 empty": (lambda: without_variables(evaluation_variables={}), ""),
    "B19 null": (lambda: without_variables(evaluation_variables=None), ""),
    "B19 a list": (lambda: without_variables(evaluation_variables=["event_observed"]), ""),
    "B19 text": (lambda: without_variables(evaluation_variables="event_observed"), ""),
    "B19 without the event": (lambda: without_variables(evaluation_variables={"conflict_detected": False}), ""),
    "B19 an event that is a number": (
        lambda: without_variables(evaluation_variables={**VARIABLES, "event_observed": 1}),
        "",
    ),
    "B19 an event that is a word": (
        lambda: without_variables(evaluation_variables={**VARIABLES, "event_observed": "true"}),
        "",
    ),
    "B19 no steps at all": (list, ""),
    "B21 an external address": (lambda: with_step(0, inputs={"external_url": "https://example.org"}), "step_0001"),
    "B21 external facts": (lambda: with_step(3, inputs={"external_facts": ["it rained"]}), "step_0004"),
    "B21 deep inside": (lambda: with_step(2, inputs={"a": [{"external_url": "https://e.org"}]}), "step_0003"),
    "B38 a map step without evidence": (lambda: with_step(5, evidence_ids=[]), "step_0006"),
    "B38 an aggregate without evidence": (lambda: with_step(3, evidence_ids=[]), "step_0004"),
    "B38 more evidence than the steps before had": (
        lambda: [
            step(1, "extract", [], evidence_ids=["ev_1"]),
            step(2, "aggregate", [1], evidence_ids=["ev_1", "ev_2"]),
            {**right_steps()[5], "step_id": "step_0003", "prior_step_ids": ["step_0002"]},
        ],
        "step_0002",
    ),
}  # fmt: skip


def assert_blamed(result: VerificationResult, blamed: str) -> None:
    assert not result.ok
    assert failed(result.checks)
    assert result.error is not None
    assert result.challenge is not None
    assert result.challenge.kind == "reasoning_leaf"
    if blamed:
        assert result.challenge.step_id == blamed


@pytest.mark.parametrize("name", BROKEN)
def test_a_rule_is_broken_alone(name: str) -> None:
    steps, blamed = BROKEN[name]
    policy = {"max_steps": 20}
    result = verify(steps(), **policy)
    if steps():
        assert_blamed(result, blamed)
    assert not result.ok


# A trace that is right in another way.
RIGHT: dict[str, tuple[Callable[[], Steps], dict[str, Any]]] = {
    "B17 gaps grow as well": (lambda: renamed("step_0007", "step_0009"), {}),
    "B17 five digits after four": (lambda: renamed("step_9998", "step_9999", "step_10000"), {}),
    "B18 as many steps as allowed": (right_steps, {"max_steps": 6}),
    "B19 in the last aggregate": (lambda: with_step(-1, type="aggregate"), {}),
    "B19 an event that nobody knows about": (
        lambda: without_variables(
            evaluation_variables={**VARIABLES, "event_observed": None, "insufficient_evidence": True}
        ),
        {},
    ),
    "B21 an external address where it is allowed": (
        lambda: with_step(0, inputs={"external_url": "https://example.org"}),
        {"allow_external_sources": True},
    ),
    "B21 a value that only says so": (lambda: with_step(0, inputs={"note": "external_url"}), {}),
    "a search step": (lambda: with_step(0, type="search"), {}),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_no_rule_forbids_is_right(name: str) -> None:
    steps, policy = RIGHT[name]
    result = verify(steps(), **policy)
    assert failed(result.checks) == []
    assert result.ok


def test_b17_ten_thousand_steps_are_counted_as_numbers() -> None:
    steps = [step(number, "extract", [number - 1] if number > 1 else []) for number in range(1, 10_001)]
    steps.append({**right_steps()[5], "step_id": "step_10001", "prior_step_ids": ["step_10000"]})
    assert verify(steps, max_steps=20_000).ok
    steps[9_999], steps[9_998] = steps[9_998], steps[9_999]
    assert not verify(steps, max_steps=20_000).ok


@pytest.mark.parametrize(("count", "ok"), [(200, True), (201, False)])
def test_b18_no_more_steps_than_the_policy_allows(count: int, ok: bool) -> None:
    steps = [step(number, "extract", []) for number in range(1, count)]
    steps.append({**right_steps()[5], "step_id": f"step_{count:04d}", "prior_step_ids": ["step_0001"]})
    result = verify(steps)
    assert result.ok is ok
    if not ok:
        assert_blamed(result, "")


@pytest.mark.parametrize("name", ["B15 evidence that there is not", "B16 after itself", "B17 an id twice"])
def test_b16_a_trace_that_nothing_validated_is_judged_as_well(name: str) -> None:
    made = trace_of(BROKEN[name][0]())
    unchecked = ReasoningTrace.model_construct(**{key: getattr(made, key) for key in ReasoningTrace.model_fields})
    assert_blamed(TracePolicyVerifier().verify(unchecked, SPEC, EVIDENCE), BROKEN[name][1])


def test_a_cycle_of_steps_is_found() -> None:
    steps = right_steps()
    steps[1]["prior_step_ids"], steps[2]["prior_step_ids"] = ["step_0003"], ["step_0002"]
    assert_blamed(verify(steps), "step_0002")


def test_the_first_step_to_blame_is_challenged() -> None:
    steps = with_step(3, evidence_ids=["nope"])
    steps[1]["evidence_ids"] = ["neither"]
    assert_blamed(verify(steps), "step_0002")


def test_a_bundle_without_items_grounds_nothing() -> None:
    assert not TracePolicyVerifier().verify(trace_of(right_steps()), SPEC, bundle()).ok


def test_every_failure_names_what_it_is_about() -> None:
    for name, (steps, blamed) in BROKEN.items():
        found = failed(verify(steps(), max_steps=20).checks)
        assert all(check.message for check in found), name
        assert not blamed or any(names(check, blamed) for check in found), name


def test_the_trace_of_an_audit_keeps_all_rules_also_after_it_was_written_and_read() -> None:
    """B34: nothing is lost on the way, an unknown event neither."""
    for evidence in (EVIDENCE, bundle(), bundle(price(None))):
        trace, _ = audit(SPEC, evidence)
        again = ReasoningTrace.model_validate_json(dumps_canonical(trace))
        assert dumps_canonical(again) == dumps_canonical(trace)
        ok = TracePolicyVerifier().verify(trace, SPEC, evidence).ok
        assert TracePolicyVerifier().verify(again, SPEC, evidence).ok == ok
        found = again.steps[-1].output["evaluation_variables"]
        assert "event_observed" in found
        assert found == trace.steps[-1].output["evaluation_variables"]


def test_b38_each_step_of_an_audit_is_grounded() -> None:
    asked = spec(requirement(sources=["src_1", "src_2"]), requirement("req_volume", expected_fields=["volume"]))
    trace, _ = AuditorAgent().audit(
        asked, bundle(price(105000), price(1, "ev_2", source="src_2"), price(3, "ev_3", of="req_volume"))
    )
    known: dict[str, set[str]] = {}
    for each in trace.steps:
        before = set().union(*(known[prior] for prior in each.prior_step_ids))
        if each.type in {"aggregate", "deduce", "map"}:
            assert each.prior_step_ids
            assert set(each.evidence_ids) <= before
        known[each.step_id] = set(each.evidence_ids) | before
    assert {"extract", "check", "aggregate", "deduce", "map"} <= {each.type for each in trace.steps}
