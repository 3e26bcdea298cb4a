"""Roots over evidence and steps: one digit is another root, and the challenge names the leaf (B35)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.audit import EvidenceBundle, PromptSpec, ReasoningTrace, TracePolicyVerifier
from probatum.audit.canonical import dumps_canonical
from probatum.audit.commitments import Commitment
from tests.audit.bundles import made
from tests.audit.cases import INSIDE, audit, bundle, item, price, requirement, spec

SOURCES = [f"src_{number}" for number in range(200)]
ASKED = spec(requirement(sources=SOURCES))
BUNDLE = bundle(
    *(
        item(
            f"ev_{number}",
            {"price": 105_000 + number / 7, "timestamp": INSIDE, "volume": number},
            source=SOURCES[number],
        )
        for number in range(200)
    )
)
COMMITMENT = Commitment.of_bundle(BUNDLE)


def with_digit_changed(text: str, place: int) -> str:
    """Return a text with another digit in the place of one of its digits."""
    digits = [at for at, sign in enumerate(text) if sign.isdigit()]
    at = digits[place % len(digits)]
    return text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]


def with_item(number: int, **changes: Any) -> EvidenceBundle:
    """Return the bundle with one item changed."""
    data = BUNDLE.model_dump(mode="json")
    for key, value in changes.items():
        data["items"][number][key] = value
    return EvidenceBundle.model_validate(data)


@given(st.integers(0, 199), st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_one_digit_anywhere_is_another_root_and_the_challenge_names_the_leaf(number: int, place: int) -> None:
    changed = with_item(number, raw_content=with_digit_changed(BUNDLE.items[number].raw_content or "", place))
    other = Commitment.of_bundle(changed)
    assert other.root != COMMITMENT.root
    challenge = COMMITMENT.challenge(other)
    assert challenge is not None
    assert (challenge.kind, challenge.leaf_index, challenge.evidence_id) == ("evidence_leaf", number, f"ev_{number}")


ORIGIN = BUNDLE.items[7].provenance.model_dump(mode="json")
CHANGES: dict[str, dict[str, Any]] = {
    "the confidence": {"confidence": 0.999999},
    "whether it succeeded": {"success": False},
    "an error": {"error": "none"},
    "the status": {"status_code": 200},
    "the requirement": {"requirement_id": "req_other"},
    "the type": {"content_type": "application/json"},
    "a parsed value": {"parsed_value": {"price": None}},
    "an extracted field": {"extracted_fields": {"a": None}},
    "the id": {"evidence_id": "ev_x"},
    "the tier": {"provenance": {**ORIGIN, "tier": 2}},
    "the hash of the content": {"provenance": {**ORIGIN, "content_hash": "0"}},
    "the time": {
        "provenance": {
            **BUNDLE.items[7].provenance.model_dump(mode="json"),
            "fetched_at": "2026-02-01T00:00:00.000001Z",
        }
    },
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_field_of_an_item_is_committed_to(name: str) -> None:
    other = Commitment.of_bundle(with_item(7, **CHANGES[name]))
    assert other.root != COMMITMENT.root
    challenge = COMMITMENT.challenge(other)
    assert challenge is not None
    assert challenge.leaf_index == 7


def test_items_left_out_added_or_exchanged_are_another_root() -> None:
    items = list(BUNDLE.items)
    others = [items[:-1], items[1:], [*items, items[-1]], [*items, items[0]], [items[1], items[0], *items[2:]], []]
    places = [199, 0, 200, 200, 0, 0]
    for found, place in zip(others, places, strict=True):
        other = Commitment.of_bundle(bundle(*found))
        assert other.root != COMMITMENT.root
        challenge = COMMITMENT.challenge(other)
        assert challenge is not None
        assert challenge.leaf_index == place


def test_equal_bundles_have_equal_roots_and_no_challenge() -> None:
    again = Commitment.of_bundle(EvidenceBundle.model_validate_json(BUNDLE.model_dump_json()))
    assert again.root == COMMITMENT.root
    assert COMMITMENT.challenge(again) is None


def test_a_duplicated_last_leaf_is_another_tree() -> None:
    """Where the last leaf is doubled to fill a level, three items and four have one root; here they have two."""
    items = [price(number, f"ev_{number}") for number in range(3)]
    assert Commitment.of_bundle(bundle(*items)).root != Commitment.of_bundle(bundle(*items, items[-1])).root


@pytest.mark.parametrize("number", [0, 1, 63, 64, 127, 128, 198, 199])
def test_a_disputed_leaf_is_shown_to_be_included_at_its_place_alone(number: int) -> None:
    path = COMMITMENT.inclusion(number)
    leaf = COMMITMENT.leaves[number]
    assert COMMITMENT.includes(leaf, number, path)
    assert not any(COMMITMENT.includes(leaf, other, path) for other in range(-2, 203) if other != number)
    assert not COMMITMENT.includes(COMMITMENT.leaves[number - 1], number, path)
    assert not COMMITMENT.includes(leaf, number, path[:-1])


def test_the_trace_holds_the_root_of_its_evidence() -> None:
    trace, _ = audit(ASKED, BUNDLE)
    assert COMMITMENT.root in json.dumps(dumps_canonical(trace))


@given(st.integers(0, 199), st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_a_trace_does_not_hold_for_evidence_with_another_digit(number: int, place: int) -> None:
    trace, _ = audit(ASKED, BUNDLE)
    assert TracePolicyVerifier().verify(trace, ASKED, BUNDLE).ok
    changed = with_item(number, raw_content=with_digit_changed(BUNDLE.items[number].raw_content or "", place))
    assert not TracePolicyVerifier().verify(trace, ASKED, changed).ok


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return where every scalar of plain data stands."""
    if isinstance(value, dict):
        return [each for key, inner in value.items() for each in leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [each for key, inner in enumerate(value) for each in leaves(inner, (*path, key))]
    return [path]


def test_a_trace_in_which_anything_of_a_step_was_edited_is_caught() -> None:
    """Whatever scalar of whatever step is changed, the trace does not hold any more, and a step is named."""
    case = made(4)
    asked, evidence = PromptSpec.model_validate(case.prompt), EvidenceBundle.model_validate(case.evidence)
    trace, _ = audit(asked, evidence)
    plain = json.loads(dumps_canonical(trace))
    places = [path for path in leaves(plain) if path[0] == "steps"]
    assert len(places) > 50
    missed = []
    for path in places:
        edited = json.loads(dumps_canonical(trace))
        holder = edited
        for key in path[:-1]:
            holder = holder[key]
        old = holder[path[-1]]
        holder[path[-1]] = "search" if path[-1] == "type" else not old if isinstance(old, bool) else f"{old}0"
        if path[-1] == "hash_commitment" and old is None:
            continue
        result = TracePolicyVerifier().verify(ReasoningTrace.model_validate(edited), asked, evidence)
        if result.ok or result.challenge is None:
            missed.append(path)
    assert missed == []


def test_the_reasoning_root_changes_with_the_evidence() -> None:
    roots = {
        Commitment.of_trace(audit(spec(), bundle(price(value)))[0]).root for value in (105000, 105001, 105000.5, 205000)
    }
    assert len(roots) == 4
