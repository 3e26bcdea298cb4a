"""Which contents an erasure takes away, and which it leaves because other proofs refer to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.app.erasing import ErasurePlan, Extent, erase, extent_of, plan_erasure
from probatum.core.canonical import canonical_bytes
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.ports import Store
from probatum.core.subject import Subject
from probatum.proof.artifact import Described, part
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore, open_store
from tests.proof.sample import RECHECKERS, SUBJECT, sample_artifact, sample_bytes

SHARED, OWN = b"a shared module", b"a log of one run"
OTHER = Subject(b"def sub(a, b): ...\n", "text/x-python", "sub.py")


def proof_with(*parts: bytes, **changes: object) -> bytes:
    content = {"modules": [part(digest_of(each)) for each in parts]}
    return sample_bytes(contract=Described("docstring", content), **changes)


FIRST = proof_with(SHARED, OWN)
SECOND = proof_with(SHARED, seed=1)
THIRD = proof_with(seed=2, subject=OTHER)
NAMES = {
    digest_of(SHARED): "shared",
    digest_of(OWN): "own",
    SUBJECT.digest: "subject",
    OTHER.digest: "other subject",
    digest_of(FIRST): "first",
    digest_of(SECOND): "second",
    digest_of(THIRD): "third",
    digest_of(b"loose"): "loose",
}


@pytest.fixture(params=["memory", "directory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    places = {"directory": "kept", "sqlite": "kept.sqlite"}
    kept = MemoryStore() if request.param == "memory" else open_store(tmp_path / places[request.param])
    kept.retain_all([SHARED, OWN, SUBJECT.content, OTHER.content, b"loose", FIRST, SECOND, THIRD])
    return kept


def told(plan: ErasurePlan) -> tuple[list[str], dict[str, list[str]], list[str]]:
    kept = {NAMES[digest]: [NAMES[owner] for owner in owners] for digest, owners in plan.kept.items()}
    return [NAMES[piece.digest] for piece in plan.erased], kept, sorted(NAMES[each] for each in plan.broken)


PLANS = {
    "a proof of several": (
        (FIRST, Extent.PROOF),
        (["own", "first"], {"subject": ["second"], "shared": ["second"]}, []),
    ),
    "a proof that shares nothing": ((THIRD, Extent.PROOF), (["other subject", "third"], {}, [])),
    "the subject of a proof": ((THIRD, Extent.SUBJECT), (["other subject"], {}, ["third"])),
    "the subject of several proofs": ((FIRST, Extent.SUBJECT), (["subject"], {}, ["first", "second"])),
    "all about a subject, by a proof": (
        (SECOND, Extent.ALL),
        (["shared", "own", "subject", "first", "second"], {}, []),
    ),
    "all about a subject, by itself": (
        (SUBJECT.content, Extent.ALL),
        (["shared", "own", "subject", "first", "second"], {}, []),
    ),
    "a part": ((SHARED, Extent.PROOF), (["shared"], {}, ["first", "second"])),
    "what no proof refers to": ((b"loose", Extent.PROOF), (["loose"], {}, [])),
}


@pytest.mark.parametrize("name", PLANS)
def test_the_plan_and_that_exactly_it_is_done(name: str, store: Store) -> None:
    (content, extent), (erased, kept, broken) = PLANS[name]
    plan = plan_erasure(digest_of(content), store, extent)
    found = told(plan)
    assert (sorted(found[0]), found[1], found[2]) == (sorted(erased), kept, broken)
    before = set(store.digests())
    erase(plan, store)
    assert before - set(store.digests()) == {piece.digest for piece in plan.erased}


def test_proofs_go_last_so_that_an_interrupted_erasure_can_be_asked_for_again(store: Store) -> None:
    plan = plan_erasure(digest_of(FIRST), store, Extent.ALL)
    assert [NAMES[piece.digest] for piece in plan.erased][-2:] in (["first", "second"], ["second", "first"])
    interrupted = [piece.digest for piece in plan.erased][:-1]
    store.erase(*interrupted)
    remaining = next(piece.digest for piece in plan.erased if piece.digest not in interrupted)
    again = plan_erasure(remaining, store, Extent.ALL)
    assert SUBJECT.digest in {piece.digest for piece in again.erased}
    erase(again, store)
    assert set(store.digests()) == {digest_of(THIRD), OTHER.digest, digest_of(b"loose")}


def test_other_proofs_hold_after_the_erasure_of_one(store: Store) -> None:
    assert recheck(digest_of(SECOND), store, RECHECKERS).holds
    erase(plan_erasure(digest_of(FIRST), store, Extent.PROOF), store)
    assert recheck(digest_of(SECOND), store, RECHECKERS).holds
    assert not recheck(digest_of(FIRST), store, RECHECKERS).holds


def test_a_proof_of_a_later_version_or_a_damaged_one_keeps_what_it_mentions() -> None:
    later = canonical_bytes({**sample_artifact(), "format": "probatum/proof-artifact/v2"})
    damaged = proof_with(SHARED, seed=3)
    store = MemoryStore({digest_of(damaged): damaged + b" "})
    store.retain_all([SHARED, SUBJECT.content, later, proof_with(SHARED)])
    plan = plan_erasure(digest_of(proof_with(SHARED)), store, Extent.PROOF)
    assert [piece.digest for piece in plan.erased] == [digest_of(proof_with(SHARED))]
    assert set(plan.kept) == {SUBJECT.digest, digest_of(SHARED)}


def test_what_is_not_kept_is_not_planned() -> None:
    store = MemoryStore()
    reference = store.retain(sample_bytes())
    assert [piece.digest for piece in plan_erasure(reference, store, Extent.PROOF).erased] == [reference]
    with pytest.raises(IntegrityError) as caught:
        plan_erasure(reference, store, Extent.SUBJECT)
    assert caught.value.code == "store.not_found"


def test_erasing_an_erased_proof_again_reaches_for_its_remains(store: Store) -> None:
    store.erase(digest_of(THIRD))
    plan = plan_erasure(digest_of(THIRD), store, Extent.PROOF)
    assert [piece.digest for piece in plan.erased] == [digest_of(THIRD)]
    erase(plan, store)


@pytest.mark.parametrize("extent", Extent)
def test_what_was_never_there_is_a_named_error(extent: Extent, store: Store) -> None:
    for reference, code in (("sha256:" + "0" * 64, "store.not_found"), ("sha256:x", "store.not_a_digest")):
        with pytest.raises(IntegrityError) as caught:
            plan_erasure(reference, store, extent)
        assert caught.value.code == code


def test_only_a_proof_has_a_subject(store: Store) -> None:
    with pytest.raises(UsageError) as caught:
        plan_erasure(digest_of(b"loose"), store, Extent.SUBJECT)
    assert caught.value.code == "erase.no_proof"


def test_the_extents() -> None:
    assert extent_of(subject=False, everything=False) is Extent.PROOF
    assert extent_of(subject=True, everything=False) is Extent.SUBJECT
    assert extent_of(subject=False, everything=True) is Extent.ALL
    with pytest.raises(UsageError):
        extent_of(subject=True, everything=True)
