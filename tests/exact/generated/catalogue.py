"""All families, and claims from each of them in turn."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from tests.exact.generated import (
    arithmetic,
    calculus,
    constraints,
    days,
    derivations,
    documents,
    files,
    matrices,
    money,
    networks,
    polynomials,
    propositions,
    quantities,
    quotations,
    samples,
    tables,
)
from tests.exact.generated.claim import Family, Generated

_MODULES: Final = (
    *(arithmetic, polynomials, calculus, propositions, constraints, samples, money, quantities, days),
    *(matrices, quotations, networks, tables, documents, files, derivations),
)
FAMILIES: Final[tuple[Family, ...]] = tuple(family for module in _MODULES for family in module.FAMILIES)


def claims(seed: int, count: int, families: tuple[Family, ...] = FAMILIES) -> Iterator[Generated]:
    """Yield so many claims, half of each family true; the same seed gives the same claims of a family."""
    sources = [Random(f"{seed} {family.engine} {family.name}") for family in families]
    for number in range(count):
        at = number % len(families)
        yield families[at].claim(sources[at], number // len(families) % 2 == 0)
