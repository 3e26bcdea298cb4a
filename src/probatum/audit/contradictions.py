"""Contradictions: claims about the same thing that cannot all hold.

Claims are about the same thing where kind, path, entity and time agree; a claim that does not say its time is compared
with all times. Numbers agree within a tolerance, after conversion of units; ranges where they meet; a day with every
moment of it; texts after normalisation. Refuses to blame an item: a contradiction is a warning that holds, and it
withholds VERIFIED.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from probatum.audit.claims import DURATION, NUMERIC, TIMESTAMP, Claim, ClaimSet, written
from probatum.audit.extras import Tolerance
from probatum.audit.json_paths import without_indices
from probatum.audit.measures import normalised, span_of
from probatum.audit.reasoning import CheckResult
from probatum.core.messages import listed

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class PlacedClaim:
    """A claim on a line: a number in the unit of its group, or a time in seconds; ends are equal but for ranges."""

    claim: Claim
    low: Fraction
    high: Fraction


class ContradictionChecker:
    """Finds claims that contradict each other."""

    def __init__(self, tolerance: Callable[[str], Tolerance] = lambda _path: Tolerance()) -> None:
        """Keep how exactly numbers of a path have to agree."""
        self._tolerance: Final = tolerance

    def check(self, claims: ClaimSet) -> list[CheckResult]:
        """Return one warning for each group of claims that contradict each other; none where all agree."""
        groups: dict[Key, dict[str, list[Claim]]] = {}
        for claim in claims:
            groups.setdefault(_key(claim), {}).setdefault(claim.time, []).append(claim)
        return [check for key, timed in groups.items() for check in self._of_key(key, timed)]

    def _of_key(self, key: Key, timed: dict[str, list[Claim]]) -> Iterator[CheckResult]:
        timeless = timed.get("", [])
        same: list[Claim] = []
        if timeless:
            found = agreeing(timeless, self._tolerance(key[1]))
            yield from _told(key, "", found)
            # All of them agree, so that the outermost speak for the others; else it was said.
            same = [*found[0][:1], *found[0][1:][-1:]] if len(found) == 1 else []
        for time, members in timed.items():
            if time:
                yield from _told(key, time, agreeing([*same, *members], self._tolerance(key[1])))


def _key(claim: Claim) -> Key:
    # Of a list of records, what a record is about or when says which ones belong together, and not its place.
    place = without_indices(claim.path) if claim.entity or claim.time else claim.path
    return claim.kind, place, claim.entity


def agreeing(claims: Sequence[Claim], tolerance: Tolerance) -> list[list[Claim]]:
    """Return claims of one kind in clusters, the lowest first, each of which agrees with all others of its cluster.

    What is counted in a unit that does not compare with the first one forms clusters of its own, by unit.
    """
    if claims[0].kind not in {NUMERIC, DURATION, TIMESTAMP}:
        same: dict[str, list[Claim]] = {}
        for claim in claims:
            same.setdefault(normalised(str(claim.value)), []).append(claim)
        return list(same.values())
    if claims[0].kind == TIMESTAMP:
        tolerance = Tolerance(relative=0)
    measured, apart = measure(claims)
    clusters: list[list[Claim]] = []
    end = Fraction(0)
    for each in sorted(measured, key=lambda each: (each.low, each.high)):
        if clusters and agree(end, each.low, tolerance):
            clusters[-1].append(each.claim)
            end = min(end, each.high)
        else:
            clusters.append([each.claim])
            end = each.high
    by_unit: dict[str, list[Claim]] = {}
    for claim in apart:
        by_unit.setdefault(claim.unit, []).append(claim)
    return [*clusters, *by_unit.values()]


def agree(end: Fraction, start: Fraction, tolerance: Tolerance) -> bool:
    """Return whether what ends here and what starts there meet, or are as close as is allowed."""
    return start <= end or tolerance.allows(end, start)


def measure(claims: Iterable[Claim]) -> tuple[list[PlacedClaim], list[Claim]]:
    """Return claims as ranges of numbers in the first unit among them, and those that do not compare with it."""
    every = list(claims)
    unit = next((claim.unit for claim in every if claim.unit), "")
    found: list[PlacedClaim] = []
    apart: list[Claim] = []
    for claim in every:
        ends = claim.value if isinstance(claim.value, list) else [claim.value, claim.value]
        span = span_of(claim.kind, ends, claim.unit, unit)
        if span is not None:
            found.append(PlacedClaim(claim, *span))
        else:
            apart.append(claim)
    return found, apart


def _told(key: Key, time: str, clusters: list[list[Claim]]) -> Iterator[CheckResult]:
    if len(clusters) < 2:
        return
    kind, path, entity = key
    members = [claim for cluster in clusters for claim in cluster]
    about = "".join(f" {word} {text}" for word, text in (("of", entity), ("at", time)) if text)
    values = [f"{cluster[0].told} ({listed(_items(cluster), 2)})" for cluster in clusters]
    yield CheckResult.warning(
        f"contradiction.{kind}",
        f"Claims contradict each other about {path}{about}: {listed(values, 5)}.",
        {
            "kind": kind,
            "path": path,
            **({"entity": entity} if entity else {}),
            **({"time": time} if time else {}),
            "claim_ids": [claim.claim_id for claim in members],
            "evidence_ids": _items(members),
            "values": [written(claim.value) for claim in members],
            "groups": [[claim.claim_id for claim in cluster] for cluster in clusters],
        },
    )


def _items(claims: Iterable[Claim]) -> list[str]:
    return list(dict.fromkeys(claim.evidence_id for claim in claims))
