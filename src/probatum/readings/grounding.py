"""What readings of an output or its criteria come to: which are grounded, which refused, and what none speaks for.

A passage is closed only by a grounded reading that the policy counts. That the cited words mean the passage is the word
of its reader (`GroundedClaim.meaning_by`); nothing here decides it. Refuses to let two readers agree who say different
things of the same words: that they state nothing, and what they rest on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from probatum.core.canonical import JsonValue
from probatum.readings.claim_trials import ClaimRefusal, ClaimTrials, TriedClaim
from probatum.readings.claims import ClaimReading, ClaimRecord, json_of_claim
from probatum.readings.formal import Prove
from probatum.readings.paths import CitableSource
from probatum.readings.policies import (
    ACCEPTED,
    reader_key,
    readers_needed,
    require_policy,
    standing_for,
    standings_of,
)
from probatum.readings.values import Standing
from probatum.readings.verbatim import uncovered

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GroundedClaim:
    """A claim reading that passed its trial."""

    claim: ClaimReading
    meaning_by: str
    """The reader, whose word it is that what is cited means the passage."""
    counts: bool
    """Under the policy."""
    tried: TriedClaim

    @property
    def span(self) -> Span:
        """Where the passage is in the output."""
        return self.tried.place.start, self.tried.place.end

    @property
    def is_narrative(self) -> bool:
        """Whether the reader says that the words state nothing."""
        return self.claim.check == "narrative"

    @property
    def says(self) -> tuple[str, ...]:
        """What readers agree on who say the same of words: nothing, a criterion that holds alike, or a ground."""
        proof = self.tried.proof
        if not self.claim.criterion or proof is None:
            return (str(self.is_narrative),)
        return proof.outcome, *((self.claim.criterion,) if proof.altered is None else proof.altered)

    def document(self) -> dict[str, JsonValue]:
        """Return the reading as JSON, with what was compared, the numbers added and the words around its quote."""
        tried, claim = self.tried, json_of_claim(self.claim)
        claim.pop("value", None)
        row: dict[str, JsonValue] = {"reader": self.meaning_by, "check": self.claim.check, **claim}
        row |= {"compared": [list(pair) for pair in tried.compared], "added": list(tried.added)}
        if self.claim.criterion and tried.proof is not None:
            row["observed"] = tried.proof.detail
        if tried.cited is not None:
            row |= {"before": tried.cited.before, "after": tried.cited.after}
        return {key: value for key, value in row.items() if value}


@dataclass(frozen=True, slots=True)
class RefusedClaim:
    """A claim reading that failed its trial."""

    claim: ClaimReading
    reader: str
    refusal: ClaimRefusal


@dataclass(frozen=True, slots=True)
class Grounding:
    """What the readings of one text come to under one policy."""

    policy: str
    grounded: tuple[GroundedClaim, ...] = ()
    refused: tuple[RefusedClaim, ...] = ()
    open: tuple[Span, ...] = ()
    """Words that no grounded reading quotes that counts, line by line."""

    @property
    def counting(self) -> tuple[GroundedClaim, ...]:
        """The grounded readings that count."""
        return tuple(each for each in self.grounded if each.counts)

    def of(self, start: int, end: int) -> tuple[GroundedClaim, ...]:
        """Return the readings that together speak for every word between two places; none where one is left out."""
        at = bisect_right(self.open, start, key=lambda each: each[1])
        if at < len(self.open) and self.open[at][0] < end:
            return ()
        return tuple(each for each in self.counting if each.span[0] < end and start < each.span[1])


def grounding(
    output: str,
    sources: Sequence[CitableSource],
    records: Sequence[ClaimRecord],
    prove: Prove,
    policy: str = ACCEPTED,
) -> Grounding:
    """Try every claim reading that nobody rejected, and return what is grounded and what is open.

    Readings of one reader that quote the same words are of the places where these are, in order. Raises UsageError for
    an unknown policy.
    """
    rows = [(record.reader, record.claims) for record in records]
    return _grounding(output, rows, ClaimTrials(output, sources, prove), policy)


def criteria_grounding(
    criteria: str, records: Sequence[ClaimRecord], decide: Prove, policy: str = ACCEPTED
) -> Grounding:
    """Do the same with the readings of acceptance criteria, which are given as one text."""
    rows = [(record.reader, record.criteria) for record in records]
    return _grounding(criteria, rows, ClaimTrials(criteria, (), decide, "criteria"), policy)


def _grounding(
    text: str, rows: Sequence[tuple[str, Sequence[ClaimReading]]], trials: ClaimTrials, policy: str
) -> Grounding:
    require_policy(policy)
    # What needs the agreement of others is counted below.
    alone = standings_of(ACCEPTED if readers_needed(policy) else policy)
    passed, refused = list[GroundedClaim](), list[RefusedClaim]()
    for reader, claims in rows:
        seen: dict[tuple[str, ...], int] = {}
        for claim in claims:
            if claim.standing is Standing.REJECTED:
                continue
            words = tuple(claim.passage.split())
            seen[words] = seen.get(words, -1) + 1
            outcome = trials.tried(claim, seen[words])
            if isinstance(outcome, ClaimRefusal):
                refused.append(RefusedClaim(claim, reader, outcome))
            else:
                counts = standing_for(reader, claim.standing, claim.by) in alone
                passed.append(GroundedClaim(claim, reader.strip(), counts, outcome))
    grounded = _with_agreement(passed, readers_needed(policy)) if readers_needed(policy) else tuple(passed)
    still_open = uncovered(text, (each.span for each in grounded if each.counts))
    return Grounding(policy, grounded, tuple(refused), tuple(still_open))


def _with_agreement(passed: Sequence[GroundedClaim], needed: int) -> tuple[GroundedClaim, ...]:
    """Count what lies within words that enough readers speak for alike."""
    agreed = {
        said: list(_agreed([each for each in passed if each.says == said], needed))
        for said in {each.says for each in passed}
    }
    return tuple(
        GroundedClaim(
            each.claim,
            each.meaning_by,
            each.counts or any(a <= each.span[0] and each.span[1] <= b for a, b in agreed[each.says]),
            each.tried,
        )
        for each in passed
    )


def _agreed(passed: Sequence[GroundedClaim], needed: int) -> Iterator[Span]:
    """Yield the stretches that at least so many readers cover."""
    changes: list[tuple[int, int]] = []
    for reader in {reader_key(each.meaning_by) for each in passed}:
        for start, end in _merged(each.span for each in passed if reader_key(each.meaning_by) == reader):
            changes += [(start, 1), (end, -1)]
    depth, begin = 0, 0
    # Where one ends and another begins, the beginning is first: the stretch goes on.
    for at, change in sorted(changes, key=lambda each: (each[0], -each[1])):
        depth += change
        if change > 0 and depth == needed:
            begin = at
        elif change < 0 and depth == needed - 1:
            yield begin, at


def _merged(spans: Iterator[Span]) -> Iterator[Span]:
    last: Span | None = None
    for start, end in sorted(spans):
        if last is not None and start <= last[1]:
            last = last[0], max(last[1], end)
            continue
        if last is not None:
            yield last
        last = start, end
    if last is not None:
        yield last
