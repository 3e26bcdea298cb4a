"""Generated claims, whose truth is known by construction, against every engine.

PROBATUM_CLAIMS is how many claims there are in all; without it, there are few of each family.
"""

from __future__ import annotations

import os
from collections import defaultdict
from functools import cache
from itertools import islice, zip_longest
from typing import Final

import pytest

from probatum.core.frozen import frozen_dict
from probatum.exact import engines
from tests.exact.claims import altered
from tests.exact.generated.catalogue import claims
from tests.exact.generated.claim import Family
from tests.exact.generated.measure import Tally, available, measured

SEED: Final = 20261125
FAMILIES: Final = available()
NAMES: Final = tuple(dict.fromkeys(family.engine for family in FAMILIES))
A_FAMILY: Final = max(1, int(os.environ.get("PROBATUM_CLAIMS", 32 * len(FAMILIES))) // len(FAMILIES))
SAMPLE: Final = 200
DECIDED: Final = 0.95


@cache
def _tallies(engine: str) -> dict[Family, Tally]:
    return measured(SEED, A_FAMILY, tuple(family for family in FAMILIES if family.engine == engine))


@pytest.mark.parametrize("engine", NAMES)
def test_no_false_claim_is_proved_and_no_true_one_is_refuted(engine: str) -> None:
    tallies = _tallies(engine).values()
    assert [made for tally in tallies for made in tally.false_proved] == []
    assert [made for tally in tallies for made in tally.false_refuted] == []


@pytest.mark.parametrize("engine", NAMES)
def test_no_engine_fails_and_every_proof_passes_its_check(engine: str) -> None:
    assert [failed for tally in _tallies(engine).values() for failed in tally.failed] == []


@pytest.mark.parametrize("engine", NAMES)
def test_nearly_all_claims_are_decided(engine: str) -> None:
    tallies = _tallies(engine).values()
    undecided = [each for tally in tallies for each in tally.undecided]
    assert len(undecided) <= (1 - DECIDED) * sum(tally.claims for tally in tallies), undecided[:5]


def test_a_proof_with_another_digit_proves_nothing() -> None:
    """Proofs of all families in turn, each with each of its digits replaced."""
    families = [tally.proofs for engine in NAMES for tally in _tallies(engine).values()]
    in_turn = (proof for row in zip_longest(*families) for proof in row if proof is not None)
    accepted = defaultdict(list)
    for claim, certificate in islice(in_turn, SAMPLE):
        for changed in altered(frozen_dict(certificate)):
            try:
                engines.check(claim, changed)
            except ValueError:
                continue
            accepted[claim.engine].append((claim.statement, changed))
    assert dict(accepted) == {}


def test_a_seed_gives_the_same_claims_and_half_of_them_are_true() -> None:
    made = list(claims(7, 4 * len(FAMILIES), FAMILIES))
    assert made == list(claims(7, 4 * len(FAMILIES), FAMILIES))
    assert sum(claim.truth for claim in made) == len(made) / 2
