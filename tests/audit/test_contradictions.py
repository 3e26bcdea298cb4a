"""Who contradicts whom: by kind, path, entity and time, with tolerance for numbers (B9 to B14)."""

from __future__ import annotations

import math

import pytest

from probatum.audit import CheckResult, Claim, ClaimSet, ContradictionChecker
from tests.audit.cases import INSIDE, audit, bundle, conflicts, item, price, reported, requirement, spec, variables

LATER = "2026-01-16T12:00:00Z"


def claim(value: object, evidence_id: str = "ev_1", kind: str = "numeric", path: str = "price", **more: str) -> Claim:
    return Claim(f"cl_{evidence_id}_{path}_{kind}", kind, path, value, evidence_id, **more)


def checked(*claims: Claim) -> list[CheckResult]:
    """Return what the checker reports about these claims."""
    return reported(ContradictionChecker().check(ClaimSet(claims)))


def pair(left: object, right: object, kind: str = "numeric") -> list[CheckResult]:
    return checked(claim(left, "ev_1", kind), claim(right, "ev_2", kind))


# left, right, kind, whether they contradict each other
PAIRS = {
    "B9 100 and 200": (100, 200, "numeric", True),
    "B9 the smallest whole difference": (100, 101, "numeric", True),
    "B10 equal": (100, 100, "numeric", False),
    "B10 equal, as a fraction": (100, 100.0, "numeric", False),
    "B10 within the default": (1.0, 1.0 + 1e-12, "numeric", False),
    "B10 just beyond the default": (1.0, 1.00000001, "numeric", True),
    "B10 tiny numbers are not equal for being tiny": (1e-12, 2e-12, "numeric", True),
    "B10 huge numbers": (1e300, 1.1e300, "numeric", True),
    "B10 huge integers that a float cannot tell apart": (10**20, 10**20 + 1, "numeric", False),
    "B10 integers beyond floats": (10**400, 2 * 10**400, "numeric", True),
    "B11 negatives": (-5, -100, "numeric", True),
    "B11 equal negatives": (-5, -5.0, "numeric", False),
    "B11 zero and 100": (0, 100, "numeric", True),
    "B11 zero and -1": (0, -1, "numeric", True),
    "B11 zero and a tiny number": (0, 1e-6, "numeric", True),
    "B11 zero and minus zero": (0.0, -0.0, "numeric", False),
    "B11 opposite signs": (-7, 7, "numeric", True),
    "B12 true and false": (True, False, "boolean", True),
    "B12 false and true": (False, True, "boolean", True),
    "B13 true and true": (True, True, "boolean", False),
    "B13 false and false": (False, False, "boolean", False),
    "texts that differ": ("Lakers", "Celtics", "text_assertion", True),
    "texts that are equal": ("Lakers", "Lakers", "text_assertion", False),
    "texts that differ in spaces and case": ("Final  result", "final result", "text_assertion", False),
    "texts that differ in composition": ("Zürich", "Zu\u0308rich", "text_assertion", False),
    "texts that differ in one letter": ("Final", "Finals", "text_assertion", True),
    "the same instant": ("2026-01-15T12:00:00Z", "2026-01-15T12:00:00Z", "timestamp", False),
    "two instants": ("2026-01-15T12:00:00Z", "2026-01-15T12:00:01Z", "timestamp", True),
    "durations": (60, 61, "duration", True),
    "equal durations": (60, 60.0, "duration", False),
    "versions": ("1.2.3", "1.2.4", "version", True),
    "equal versions": ("1.2.3", "1.2.3", "version", False),
    "ranges that are apart": ([1, 2], [3, 4], "numeric", True),
    "equal ranges": ([1, 2], [1, 2], "numeric", False),
    "a range and what lies outside": ([1, 2], 7, "numeric", True),
    "a range and what lies inside": ([1, 3], 2, "numeric", False),
}


@pytest.mark.parametrize("name", PAIRS)
def test_two_claims_about_the_same_contradict_each_other(name: str) -> None:
    left, right, kind, contradict = PAIRS[name]
    for first, second in ((left, right), (right, left)):
        assert bool(pair(first, second, kind)) is contradict


@pytest.mark.parametrize("values", [(100, 200), (-5, -100), (0, 100)])
def test_b9_one_check_tells_claims_items_and_values(values: tuple[int, int]) -> None:
    found = pair(*values)
    assert len(found) == 1
    check = found[0]
    assert check.severity in {"warn", "error"}
    assert check.severity == "error" or check.ok, "a warning holds"
    assert set(check.details["claim_ids"]) == {"cl_ev_1_price_numeric", "cl_ev_2_price_numeric"}
    assert set(check.details["evidence_ids"]) == {"ev_1", "ev_2"}
    assert set(map(float, check.details["values"])) == set(values)


def test_b12_a_boolean_conflict_tells_the_same() -> None:
    (check,) = pair(True, False, "boolean")
    assert set(check.details["evidence_ids"]) == {"ev_1", "ev_2"}
    assert len(check.details["claim_ids"]) == 2
    assert set(check.details["values"]) == {True, False}


UNRELATED = {
    "B13 other paths": (claim(1, "ev_1"), claim(2, "ev_2", path="volume")),
    "B13 other kinds": (claim(1, "ev_1"), claim("1", "ev_2", "text_assertion")),
    "B13 a truth value and a number": (claim(0, "ev_1"), claim(True, "ev_2", "boolean")),
    "B14 other times": (claim(1, "ev_1", time=INSIDE), claim(2, "ev_2", time=LATER)),
    "other entities": (claim(1, "ev_1", entity="BTC"), claim(2, "ev_2", entity="ETH")),
    "one claim alone": (claim(1, "ev_1"),),
    "nothing": (),
}


@pytest.mark.parametrize("name", UNRELATED)
def test_claims_about_different_things_do_not_contradict_each_other(name: str) -> None:
    assert checked(*UNRELATED[name]) == []


def test_b14_the_same_time_and_entity_are_the_same_key() -> None:
    about = {"time": INSIDE, "entity": "BTC"}
    assert len(checked(claim(1, "ev_1", **about), claim(2, "ev_2", **about))) == 1


def test_one_item_may_contradict_itself() -> None:
    first, second = claim(1, "ev_1"), Claim("cl_other", "numeric", "price", 2, "ev_1")
    assert len(checked(first, second)) == 1


def test_many_claims_of_one_key_are_all_told() -> None:
    found = checked(*(claim(value, f"ev_{value}") for value in (1, 2, 3)))
    assert {name for check in found for name in check.details["evidence_ids"]} == {"ev_1", "ev_2", "ev_3"}


def test_those_who_agree_with_nobody_are_found_in_a_crowd() -> None:
    crowd = [claim(100, f"ev_{number}") for number in range(50)]
    found = checked(*crowd[:25], claim(150, "ev_odd"), *crowd[25:])
    assert found
    assert all("ev_odd" in check.details["evidence_ids"] for check in found)


def test_two_keys_give_two_checks() -> None:
    found = checked(
        claim(1, "ev_1"),
        claim(True, "ev_1", "boolean", "settled"),
        claim(2, "ev_2"),
        claim(False, "ev_2", "boolean", "settled"),
    )
    assert len(found) == 2
    assert len({check.check_id for check in found}) == 2


def test_small_steps_do_not_add_up_to_agreement() -> None:
    """Each neighbour is within 1e-9 of the next; the ends are not."""
    values = [1.0 + step * 8e-10 for step in range(4)]
    found = checked(*(claim(value, f"ev_{place}") for place, value in enumerate(values)))
    assert any({"ev_0", "ev_3"} <= set(check.details["evidence_ids"]) for check in found)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_no_agreement(value: float) -> None:
    """NaN in a claim by somebody else: an answer, and never a silent agreement with a number."""
    assert pair(value, 3)
    assert pair(3, value)


# The tolerance that a requirement declares; left, right, whether they contradict each other.
DECLARED = {
    "B10 at the absolute tolerance": ({"absolute": 5}, 100, 105, False),
    "B10 just beyond it": ({"absolute": 5}, 100, 105.0000001, True),
    "B10 within it": ({"absolute": 5}, 100, 102, False),
    "B10 at a decimal tolerance": ({"absolute": 0.1}, 0.2, 0.3, False),
    "B10 beyond a decimal tolerance": ({"absolute": 0.1}, 0.2, 0.30000001, True),
    "B10 around zero": ({"absolute": 1}, -0.5, 0.5, False),
    "B10 within a relative tolerance": (0.01, 100, 100.5, False),
    "B10 at a relative tolerance": ({"relative": 0.01}, 99, 100, False),
    "B10 beyond a relative tolerance": ({"relative": 0.01}, 98.9, 100, True),
    "B10 relative, negative": ({"relative": 0.01}, -98.9, -100, True),
    "B10 no tolerance": (0, 100, 100.000001, True),
    "B10 no tolerance, equal": (0, 100, 100.0, False),
    "B10 either allows it": ({"relative": 0.5, "absolute": 1}, 100, 130, False),
}


@pytest.mark.parametrize("where", ["requirement", "field", "prompt"])
@pytest.mark.parametrize("name", DECLARED)
def test_b10_a_declared_tolerance_counts(name: str, where: str) -> None:
    tolerance, left, right, contradict = DECLARED[name]
    own: dict[str, dict[str, object]] = {
        "requirement": {"tolerance": tolerance},
        "field": {"fields": {"price": {"path": "price", "tolerance": tolerance}}},
        "prompt": {},
    }
    asked = spec(
        requirement(sources=["src_1", "src_2"], extra=own[where]),
        event="price > 1",
        extra={"tolerance": tolerance} if where == "prompt" else {},
    )
    trace, verification = audit(asked, bundle(price(left), price(right, "ev_2", source="src_2")))
    assert bool(conflicts(verification.checks)) is contradict
    assert variables(trace)["conflict_detected"] is contradict


@pytest.mark.parametrize("tolerance_first", [True, False])
def test_b10_another_requirement_does_not_take_the_tolerance_away(tolerance_first: bool) -> None:
    tolerant = requirement(
        sources=["src_1", "src_2"], extra={"fields": {"price": {"path": "price", "tolerance": 0.01}}}
    )
    other = requirement("req_volume", ["src_3"], ["volume"])
    asked = spec(*((tolerant, other) if tolerance_first else (other, tolerant)), event="price > 1 and volume > 1")
    volume = item("ev_3", {"volume": 5, "timestamp": INSIDE}, source="src_3", of="req_volume")
    trace, verification = audit(asked, bundle(price(100), price(100.5, "ev_2", source="src_2"), volume))
    assert conflicts(verification.checks) == []
    assert variables(trace)["conflict_detected"] is False


@pytest.mark.parametrize("tolerance", [{}, {"tolerance": 0.01}, {"tolerance": {"relative": 0.5}}])
@pytest.mark.parametrize(("left", "right"), [("2026-01-10", "2026-01-12"), (INSIDE, "2026-01-15T12:00:01Z")])
def test_a_tolerance_for_numbers_is_none_for_dates(tolerance: dict[str, object], left: str, right: str) -> None:
    fields = {"fields": {"closed": {"path": "closed", "kind": "timestamp"}}}
    asked = spec(
        requirement(sources=["src_1", "src_2"], expected_fields=None, extra={**fields, **tolerance}),
        event="closed <= 2026-01-31",
    )
    items = [item("ev_1", {"closed": left}), item("ev_2", {"closed": right}, source="src_2")]
    _, verification = audit(asked, bundle(*items))
    assert len(conflicts(verification.checks)) == 1


def test_b9_the_audit_warns_and_records_its_tolerance() -> None:
    asked = spec(requirement(sources=["src_1", "src_2"]))
    trace, verification = audit(asked, bundle(price(100), price(200, "ev_2", source="src_2")))
    (check,) = conflicts(verification.checks)
    assert (check.ok, check.severity) == (True, "warn")
    assert set(check.details["evidence_ids"]) == {"ev_1", "ev_2"}
    assert variables(trace)["conflict_detected"] is True
    assert "tolerance" in repr(trace.policy.extra)


def test_b14_the_audit_reads_the_time_of_each_record() -> None:
    asked = spec(requirement(sources=["src_1", "src_2"]))
    trace, verification = audit(
        asked, bundle(price(105000, at=INSIDE), price(106000, "ev_2", at=LATER, source="src_2"))
    )
    assert conflicts(verification.checks) == []
    assert variables(trace)["conflict_detected"] is False


def test_b14_the_same_time_in_another_zone_is_the_same_time() -> None:
    asked = spec(requirement(sources=["src_1", "src_2"]))
    for other in ("2026-01-15T14:00:00+02:00", "2026-01-15T12:00:00", "2026-01-15T12:00:00.000Z", 1768478400):
        _, verification = audit(asked, bundle(price(1, at=INSIDE), price(2, "ev_2", at=other, source="src_2")))
        assert len(conflicts(verification.checks)) == 1, other


def test_conflicts_of_other_entities_are_none() -> None:
    asked = spec(requirement(sources=["src_1", "src_2"], extra={"entity_field": "symbol"}), event="price(BTC) > 1")
    contents = [{"symbol": symbol, "price": value, "timestamp": INSIDE} for symbol, value in (("BTC", 5), ("ETH", 9))]
    _, verification = audit(asked, bundle(item("ev_1", contents[0]), item("ev_2", contents[1], source="src_2")))
    assert conflicts(verification.checks) == []


# Equal or different values in other units; the units package decides, and without it nothing is claimed to be equal.
UNITS = {
    "the same length": ("1.5 km", "1500 m", False),
    "another length": ("1.5 km", "1501 m", True),
    "the same mass": ("2 kg", "2000 g", False),
    "other scales of one number": ("1.2 million", "1,200,000", False),
    "other numbers": ("1.2 million", "1,300,000", True),
}


@pytest.mark.parametrize("name", UNITS)
def test_numbers_are_compared_in_one_unit(name: str) -> None:
    pytest.importorskip("pint")
    left, right, contradict = UNITS[name]
    fields = {"length": {"label": "Length", "kind": "number"}}
    asked = spec(
        requirement(sources=["src_1", "src_2"], expected_fields=None, extra={"fields": fields}), event="length > 0"
    )
    items = [
        item(f"ev_{place}", f"Length: {written}", source=f"src_{place}", content_type="text")
        for place, written in enumerate((left, right), 1)
    ]
    _, verification = audit(asked, bundle(*items))
    assert bool(conflicts(verification.checks)) is contradict
