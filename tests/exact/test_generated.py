"""Generated claims, whose truth is known by construction, against every engine.

PROBATUM_CLAIMS is how many claims there are in all; without it, there are few of each family.
"""

from __future__ import annotations

import os
from collections import defaultdict
from itertools import islice, zip_longest
from typing import Final

import pytest

from probatum.core.frozen import frozen_dict
from probatum.exact import engines
from tests.exact.claims import altered
from tests.exact.generated.catalogue import claims
from tests.exact.generated.measure import available, measured

SEED: Final = 20261125
FAMILIES: Final = available()
NAMES: Final = tuple(dict.fromkeys(family.engine for family in FAMILIES))
A_FAMILY: Final = max(1, int(os.environ.get("PROBATUM_CLAIMS", 16 * len(FAMILIES))) // len(FAMILIES))
A_PROOF: Final = 4
"""Claims of each family that proofs are taken from."""
SAMPLE: Final = 100
DECIDED: Final = 0.95


@pytest.mark.parametrize("engine", NAMES)
def test_no_claim_comes_out_wrong_every_proof_passes_its_check_and_nearly_all_are_decided(engine: str) -> None:
    tallies = measured(SEED, A_FAMILY, tuple(family for family in FAMILIES if family.engine == engine)).values()
    assert [made for tally in tallies for made in tally.false_proved] == []
    assert [made for tally in tallies for made in tally.false_refuted] == []
    assert [failed for tally in tallies for failed in tally.failed] == []
    undecided = [each for tally in tallies for each in tally.undecided]
    assert len(undecided) <= (1 - DECIDED) * sum(tally.claims for tally in tallies), undecided[:5]


def test_a_proof_with_another_digit_proves_nothing() -> None:
    """Proofs of all families in turn, each with each of its digits replaced."""
    families = [tally.proofs for tally in measured(SEED, A_PROOF, FAMILIES).values()]
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
