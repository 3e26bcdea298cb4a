"""Which verifiers there are, which run, and what is asked of their answers."""

from __future__ import annotations

import pytest

from probatum.core.errors import UsageError
from probatum.verification import VerifierRegistry
from probatum.verification.policy import AtLeast, Slot, VerificationPolicy, concerns, policy_of
from tests.verification.fakes import passing

DEFAULT = ["json.object", "contract.schema"]


def test_f26_ids_are_listed_in_order():
    registry = VerifierRegistry()
    for name in ("z", "a", "m"):
        registry.register(name, passing(name))
    assert registry.list_ids() == ["a", "m", "z"]
    assert registry.get("nope") is None
    assert registry.get(None) is None  # type: ignore[arg-type]  # bent on purpose


@pytest.mark.parametrize("bad", ["", " ", None, 5, b"x"], ids=repr)
def test_f28_an_id_is_text(bad: object):
    with pytest.raises(ValueError):
        VerifierRegistry().register(bad, passing("a"))  # type: ignore[arg-type]  # bent on purpose


@pytest.mark.parametrize(
    "bad", [object(), None, type(passing("a")), lambda: None], ids=["object", "None", "class", "function"]
)
def test_f28_a_verifier_has_verify(bad: object):
    with pytest.raises(ValueError):
        VerifierRegistry().register("a", bad)  # type: ignore[arg-type]  # bent on purpose


def test_an_id_is_taken_once():
    registry = VerifierRegistry()
    registry.register("a", passing("a"))
    with pytest.raises(ValueError, match="taken"):
        registry.register("a", passing("a"))


@pytest.mark.parametrize(
    "stated",
    [
        {},
        None,
        {"verifier_ids": None},
        {"verifier_ids": "json.object"},
        {"verifier_ids": {}},
        {"verifier_ids": ["json.object", 3]},
        {"verifier_ids": []},
        {"level": "nonsense"},
        {"level": 7},
        "text",
    ],
    ids=repr,
)
def test_f30_an_invalid_policy_is_the_default_one(stated: object):
    assert [slot.verifier_id for slot in policy_of(stated).slots] == DEFAULT


def test_f29_f34_order_and_repetition_are_kept():
    ids = ["contract.schema", "json.object", "contract.schema"]
    assert [slot.verifier_id for slot in policy_of({"verifier_ids": ids}).slots] == ids


@pytest.mark.parametrize(
    ("level", "ids", "is_mandatory"),
    [
        ("none", DEFAULT, False),
        ("schema", ["contract.schema"], True),
        ("task_internal", DEFAULT, True),
        ("full", DEFAULT, True),
    ],
)
def test_a_level_names_its_verifiers(level: str, ids: list[str], is_mandatory: bool):
    slots = policy_of({"level": level}).slots
    assert [slot.verifier_id for slot in slots] == ids
    assert {slot.is_mandatory for slot in slots} == {is_mandatory}
    assert [slot.verifier_id for slot in policy_of({"level": level, "verifier_ids": ["x"]}).slots] == ["x"]


def test_optional_ones_and_groups():
    policy = policy_of(
        {
            "verifier_ids": ["a"],
            "optional_verifier_ids": ["b", "c"],
            "at_least": {"count": 1, "verifier_ids": ["b", "c"]},
        }
    )
    assert policy.slots == (Slot("a"), Slot("b", is_mandatory=False), Slot("c", is_mandatory=False))
    assert policy.at_least == (AtLeast(1, ("b", "c")),)
    assert VerificationPolicy.from_json(policy.to_json()) == policy


@pytest.mark.parametrize(
    "group",
    [
        {"count": 0, "verifier_ids": ["a"]},
        {"count": 2, "verifier_ids": ["a"]},
        {"count": 2, "verifier_ids": ["a", "a"]},
        {"count": True, "verifier_ids": ["a"]},
        {"count": 1, "verifier_ids": ["b"]},
        {"count": 1},
        "a",
        5,
    ],
    ids=repr,
)
def test_a_group_that_cannot_be_counted_is_refused(group: object):
    with pytest.raises(UsageError):
        policy_of({"verifier_ids": ["a"], "at_least": group})


def test_an_empty_policy_is_an_error():
    with pytest.raises(ValueError, match="nothing verified"):
        VerificationPolicy(())


@pytest.mark.parametrize(
    "data",
    [None, {}, {"slots": [], "at_least": []}, {"slots": [{"verifier_id": "a"}], "at_least": []},
     {"slots": [{"verifier_id": "a", "is_mandatory": 1}], "at_least": []},
     {"slots": [{"verifier_id": 1, "is_mandatory": True}], "at_least": []},
     {"slots": [{"verifier_id": "a", "is_mandatory": True}], "at_least": [{"count": True, "verifier_ids": ["a"]}]},
     {"slots": {}, "at_least": []}, {"slots": [{"verifier_id": "a", "is_mandatory": True}], "at_least": [], "x": 1}],
    ids=repr,
)  # fmt: skip
def test_a_policy_is_read_back_strictly(data: object):
    with pytest.raises(ValueError):
        VerificationPolicy.from_json(data)


def test_what_counts_for_nothing_is_told():
    told = concerns({"verifier_id": ["x"], "level": "ful", "verifier_ids": []})
    assert "Did you mean 'verifier_ids'?" in told[0]
    assert len(told) == 3
    assert concerns({"level": "full"}) == [] == concerns(None)
    assert concerns([]) == ["The verification policy is not an object; the default one is used."]
