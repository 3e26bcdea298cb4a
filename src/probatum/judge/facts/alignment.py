"""Rules one claim against the sentences of the sources: supported, contradicted, or not found.

A claim is compared word by word with the sentences that share most with it. What was seen becomes a dozen measures, and
a weighted sum of them a score. Refuses to call a claim contradicted without a difference that can be named, at a place
where the rest of the sentence says the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.validation import ClaimStatus
from probatum.judge.facts.claims import LONGEST
from probatum.judge.facts.opposition import (
    SURE,
    Conflict,
    Meeting,
    Opposition,
    denials,
    keeps_bound,
    oppositions,
    other_genders,
)
from probatum.judge.facts.passages import Passage, Passages
from probatum.judge.facts.words import Word, folded, rounds_to, runs, words_of

_CLOSEST: Final = 3
"""So many sentences may tell a claim together."""
_MET: Final = 0.55
"""A word is met from this quality on; what has but the beginning of it in common can be another."""
_LONGEST_CLAIM: Final = 2 * LONGEST
_SHOWN: Final = 60
# Fitted by logistic regression with a penalty of 10 on the squares of the weights of standardised measures, on three
# public sets of claims with sentences that support or refute them and of summaries with planted errors; each set and
# each answer of a set weighs the same, faithful sentences of summaries 2.25 times as much.
_BIAS: Final = -0.93
_WEIGHTS: Final[Mapping[str, float]] = {
    "number": -2.28,
    "date": -4.17,
    "name": -2.52,
    "negation": -2.87,
    "opposite": -2.94,
    "kind": -3.93,
    "gender": -2.14,
    "together": 1.25,
    "rest": 0.52,
    "heaviest": -0.59,
    "bound": -2.77,
    "denied": 1.18,
    "length": 0.55,
}
_NEGATED: Final = 0.8
"""So much of a claim must be met for a negation to be one of the same; met as a whole it contradicts by itself."""
_LOST: Final = 0.3
_JOINS: Final = re.compile(
    r"[,;:()/|–—→…&]|--|\b(?:and|but|while|because|as|so|whereas|although|though|since|if|or|when)\b", re.IGNORECASE
)
"""What may part two clauses."""
_WHOLE: Final = 0.95 * SURE / _NEGATED


@dataclass(frozen=True, slots=True)
class Alignment:
    """What the sources say of a claim, where, and how likely it is that they support it, in whole percent.

    Where no passage speaks of the claim ``source`` is -1 and the offsets are zero.
    """

    status: ClaimStatus
    score: int
    source: int
    start: int
    end: int
    reason: str
    conflict: Conflict | None = None


def aligned(claim: str, passages: Passages) -> Alignment:
    """Return what the sources say of a claim."""
    if len(claim) > _LONGEST_CLAIM:
        return Alignment(ClaimStatus.UNSUPPORTED, 0, -1, 0, 0, "The claim is too long to be one sentence.")
    words = words_of(claim, passages.names)
    content = tuple(index for index, word in enumerate(words) if word.weight)
    meetings = _meetings(words, content, passages) if content else []
    if not meetings:
        return Alignment(ClaimStatus.UNSUPPORTED, 0, -1, 0, 0, "No sentence of the sources has a word of this claim.")
    best = meetings[0]
    place = best.passage.source, best.passage.start, best.passage.end
    if [folded(word.text) for word in words] == [folded(word.text) for word in best.passage.words]:
        return Alignment(ClaimStatus.SUPPORTED, 100, *place, "This sentence stands in the source.")
    measures, found = _measured(claim, words, content, meetings, passages)
    total = _BIAS + sum(weight * measures[name] for name, weight in _WEIGHTS.items())
    score = round(100 / (1 + math.exp(-total)))
    strongest = max(found, key=lambda each: each.sureness, default=None)
    is_plain = strongest is not None and (strongest.conflict is not Conflict.NEGATION or strongest.sureness > _WHOLE)
    if strongest is not None and strongest.sureness >= SURE and (score < 50 or is_plain):
        score = min(score, 49)
        return Alignment(ClaimStatus.CONTRADICTED, score, *place, _told(strongest), strongest.conflict)
    new = _new_clause(claim, words, content, meetings)
    if score >= 50 and new:
        return Alignment(ClaimStatus.UNSUPPORTED, 49, *place, f"No sentence says: {new[:_SHOWN]}.")
    if score >= 50:
        return Alignment(ClaimStatus.SUPPORTED, score, *place, "The source says so in much the same words.")
    missing = [words[index].text[:_SHOWN] for index in content if index not in best.met]
    reason = f"The closest sentence does not say: {', '.join(missing[:6])}." if missing else "No sentence says so."
    return Alignment(ClaimStatus.UNSUPPORTED, score, *place, reason)


def _new_clause(claim: str, words: Sequence[Word], content: Sequence[int], meetings: Sequence[Meeting]) -> str:
    """Return a clause of two words or more of which no passage has one, where the claim has other clauses."""
    clauses: list[list[int]] = [[]]
    place = 0
    for index in content:
        if clauses[-1] and _JOINS.search(claim, place, words[index].start):
            clauses.append([])
        clauses[-1].append(index)
        place = words[index].end
    for each in clauses if len(clauses) > 1 else ():
        if len(each) > 1 and all(meeting.quality.get(index, 0.0) < _LOST for index in each for meeting in meetings):
            return claim[words[each[0]].start : words[each[-1]].end]
    return ""


def _told(found: Opposition) -> str:
    said, instead = (text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…" for text in (found.said, found.instead))
    if found.conflict is Conflict.NEGATION:
        return f"Only the claim is negated: {said!r}." if said else f"Only the source is negated: {instead!r}."
    return f"The claim says {said!r} where the source says {instead!r} ({found.conflict.value})."


def _meetings(words: Sequence[Word], content: Sequence[int], passages: Passages) -> list[Meeting]:
    """Return the closest meetings of a claim with a passage, the best first."""
    total = sum(words[index].weight for index in content)
    found = [_meeting(words, content, total, passages.all[number]) for number in passages.candidates(words)]
    # The sort is stable: of equals the earlier one is the better.
    return [each for each in sorted(found, key=lambda each: -each.share)[:_CLOSEST] if each.share > 0]


def _meeting(words: Sequence[Word], content: Sequence[int], total: float, passage: Passage) -> Meeting:
    met: dict[int, int] = {}
    quality: dict[int, float] = {}
    taken: set[int] = set()
    last = -1
    for index in content:
        rank, place, best = 0.0, -1, 0.0
        for key, worth in words[index].asks:
            for position, own in passage.where.get(key, ()):
                # Of the places that are as good, one that is free and near the place before is better.
                value = worth * own - 0.05 * (position in taken) - 0.0005 * min(abs(position - last - 1), 20)
                if value > rank:
                    rank, place, best = value, position, worth * own
        if place < 0 and words[index].is_loose:
            near = (position for position, other in enumerate(passage.words) if rounds_to(words[index], other))
            place, best = next(near, -1), 0.9
        if place >= 0:
            quality[index], last = best, place
            taken.add(place)
            if best > _MET:
                met[index] = place
    share = sum(words[index].weight * each for index, each in quality.items()) / total
    return Meeting(passage, met, quality, share)


def _measured(
    claim: str, words: Sequence[Word], content: Sequence[int], meetings: Sequence[Meeting], passages: Passages
) -> tuple[dict[str, float], list[Opposition]]:
    """Return the measures of a claim, each about from 0 to 1, and in what the passages differ."""
    best = meetings[0]
    together = {index: max(each.quality.get(index, 0.0) for each in meetings) for index in content}
    name = next(runs(words), (0, 0))
    is_subject = not any(word.weight for word in words[: name[0]])
    rest = [index for index in content if not (is_subject and name[0] <= index < name[1])] or content
    bounds = {index: keeps_bound(claim, words[index], best.passage.words) for index in content}
    met = {**best.quality, **{index: 0.9 for index, is_kept in bounds.items() if is_kept}}
    together |= {index: max(together[index], met[index]) for index in content if index in met}
    found = [*oppositions(words, meetings, passages.stems), *other_genders(words, passages)]
    if True in bounds.values():
        found = [each for each in found if each.conflict not in {Conflict.NUMBER, Conflict.DATE}]
    broken = next((words[index].text for index, is_kept in bounds.items() if is_kept is False), "")
    if broken and best.share >= _MET:
        found.append(Opposition(Conflict.NUMBER, broken, "a number beyond that", SURE))
    opposite = max((each.sureness for each in found if each.conflict is Conflict.OPPOSITE), default=0.0)
    denied = denials(claim)
    is_turned = _is_turned(words, best, bool(denied))
    if denied:
        # What is not safe is unsafe.
        found = [each for each in found if each.conflict is not Conflict.OPPOSITE]
    if is_turned:
        sure = best.share * (1 - opposite) * SURE / _NEGATED
        theirs = denials(best.passage.text)
        said, instead = (
            text[slice(*spans[0])] if spans else "" for text, spans in ((claim, denied), (best.passage.text, theirs))
        )
        found = [Opposition(Conflict.NEGATION, said, instead, sure)]
    strengths = dict.fromkeys(Conflict, 0.0)
    for each in found:
        strengths[each.conflict] = max(strengths[each.conflict], each.sureness)
    measures: dict[str, float] = {conflict.value: strength for conflict, strength in strengths.items()}
    measures["together"] = _share(words, content, together)
    measures["rest"] = _share(words, rest, met)
    measures["heaviest"] = max(words[index].weight * (1 - together[index]) for index in rest)
    measures["bound"] = float(bool(broken))
    measures["denied"] = max(1 - best.share, opposite) if is_turned and denied else 0.0
    measures["length"] = math.log(len(content))
    return measures, found


def _share(words: Sequence[Word], indices: Sequence[int], quality: Mapping[int, float]) -> float:
    """Return what share of the weight of these words is met."""
    total = sum(words[index].weight for index in indices)
    return sum(words[index].weight * quality.get(index, 0.0) for index in indices) / total


def _is_turned(words: Sequence[Word], best: Meeting, is_denied: bool) -> bool:
    """Tell whether one of a claim and a passage denies what the other says, names apart."""
    spans = denials(best.passage.text)
    places = [best.passage.words[place] for index, place in best.met.items() if not words[index].is_name]
    inside = sum(any(start < place.end and place.start < end for start, end in spans) for place in places)
    return not inside if is_denied else inside * 2 > len(places)
