"""Contradictions: claims about the same thing that cannot all hold.

Claims are about the same thing where kind, path, entity and time agree; a claim that does not say its time is compared
with all times. Numbers agree within a tolerance, after conversion of units; ranges where they meet; a day with every
moment of it; texts after normalisation. Refuses to blame an item: a contradiction is a warning that holds, and it
withholds VERIFIED.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from math import isfinite
from typing import Final

from probatum.audit.claims import DURATION, NUMERIC, TIMESTAMP, Claim, ClaimSet, exact, written
from probatum.audit.declarations import Tolerance
from probatum.audit.json_paths import without_indices
from probatum.audit.reasoning import CheckResult
from probatum.audit.units import convert
from probatum.core.messages import listed

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
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
        tolerance = Tolerance(Fraction(0))
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
        read = [_end(claim, end, unit) for end in ends]
        if len(read) == 2 and read[0] is not None and read[1] is not None:
            found.append(PlacedClaim(claim, read[0][0], read[1][1]))
        else:
            apart.append(claim)
    return found, apart


def _end(claim: Claim, end: object, unit: str) -> tuple[Fraction, Fraction] | None:
    if claim.kind == TIMESTAMP:
        return moments_of(str(end))
    if not isinstance(end, int | float) or (isinstance(end, float) and not isfinite(end)):
        return None
    number = convert(exact(end), claim.unit, unit)
    return None if number is None else (number, number)


def moments_of(text: str) -> tuple[Fraction, Fraction] | None:
    """Return the first and the last moment of a time stamp, in seconds; None for what is none.

    A day ends just before the next one begins; a time without a zone is UTC.
    """
    is_day = "T" not in text
    try:
        moment = datetime.fromisoformat(f"{text}T00:00:00+00:00" if is_day else text.replace("Z", "+00:00"))
    except ValueError:
        return None
    start = seconds_of(moment)
    return start, start + (Fraction(86_400) - Fraction(1, 1_000_000) if is_day else 0)


def seconds_of(moment: datetime) -> Fraction:
    """Return an instant in seconds; one without a zone is UTC."""
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return Fraction((aware - _EPOCH) // _MICROSECOND, 1_000_000)


def normalised(text: str) -> str:
    """Return text as it is compared: compatible characters, case and white space make no difference."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


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
