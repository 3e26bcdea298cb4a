"""Rules one claim against the sentences of the sources: supported, contradicted, or not found.

A claim is compared word by word with the sentences that share most with it. What was seen becomes a dozen measures, and
a weighted sum of them a score. Refuses to call a claim contradicted without a difference that can be named, at a place
where the rest of the sentence says the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.validation import ClaimStatus
from probatum.judge.facts.opposition import (
    Conflict,
    Opposition,
    exclusives,
    is_negated,
    is_within_bound,
    substitutions,
)
from probatum.judge.facts.passages import Passage, Passages
from probatum.judge.facts.lexicon import PRONOUNS
from probatum.judge.facts.words import Word, words_of
from probatum.readers.passages import negated_spans

_CLOSEST: Final = 4
_SUPPORTED: Final = 50
_CONTRADICTED: Final = 30
_MEASURES: Final = ()


@dataclass(frozen=True, slots=True)
class Alignment:
    """What the sources say of a claim, where, and how sure that is.

    ``score`` is how likely the claim is supported, in whole percent. Without a passage ``source`` is -1.
    """

    status: ClaimStatus
    score: int
    source: int
    start: int
    end: int
    reason: str
    conflict: Conflict | None = None


@dataclass(frozen=True, slots=True)
class _Meeting:
    """A claim beside one passage: which word meets which, how well, and what share of the claim that is."""

    passage: Passage
    number: int
    met: dict[int, int]
    quality: dict[int, float]
    share: float


def meet(claim: Sequence[Word], total: float, passage: Passage, number: int) -> _Meeting:
    met: dict[int, int] = {}
    quality: dict[int, float] = {}
    taken: set[int] = set()
    last = -1
    for index, word in enumerate(claim):
        best, place = 0.0, -1
        for key, worth in word.keys:
            for position in passage.where.get(key, ()):
                other = next(q for k, q in passage.words[position].keys if k == key)
                value = worth * other - (0.05 if position in taken else 0) - 0.01 * min(abs(position - last - 1), 20) / 20
                if value > best:
                    best, place = value, position
        if place >= 0:
            met[index], quality[index] = place, min(1.0, best + 0.06)
            taken.add(place)
            last = place
    share = sum(claim[index].weight * value for index, value in quality.items()) / total if total else 0.0
    return _Meeting(passage, number, met, quality, share)


def measures(claim_text: str, passages: Passages):
    claim = words_of(claim_text)
    content = [i for i, w in enumerate(claim) if w.is_content]
    total = sum(claim[i].weight for i in content)
    f = {}
    cands = passages.candidates(claim)
    # quick ranking
    meetings = [meet(claim, total, passages.all[n], n) for n in cands]
    meetings.sort(key=lambda m: (-m.share, m.number))
    if not meetings or not content:
        return None
    best = meetings[0]
    f['share'] = best.share
    quality = dict(best.quality)
    shares = []
    for _ in range(2):
        gain, pick = 0, None
        for m in meetings[:30]:
            g = sum(claim[i].weight * max(0, q - quality.get(i, 0)) for i, q in m.quality.items())
            if g > gain + 1e-9: gain, pick = g, m
        if pick:
            for i, q in pick.quality.items(): quality[i] = max(q, quality.get(i, 0))
        shares.append(sum(claim[i].weight * q for i, q in quality.items()) / total)
    f['share2'] = shares[0]-best.share
    f['share3'] = shares[1]-shares[0]
    def anywhere(w):
        return max((q for k, q in w.keys if k in passages.keys), default=0.0)
    allq = {i: anywhere(claim[i]) for i in content}
    f['all'] = sum(claim[i].weight * allq[i] for i in content) / total
    f['max_missing'] = max(claim[i].weight * (1 - allq[i]) for i in content)
    f['missing_number'] = float(any(claim[i].number is not None and allq[i] == 0 and is_within_bound(claim_text, claim[i], best.passage.words) is not True for i in content))
    f['missing_name'] = float(any(claim[i].is_name and claim[i].weight > 1 and allq[i] < .5 for i in content))
    f['missing_word'] = sum(1 for i in content if claim[i].number is None and not (claim[i].is_name and claim[i].weight>1) and allq[i] == 0)/len(content)
    f['away_number'] = float(any(claim[i].number is not None and allq[i] > 0 and quality.get(i,0) == 0 for i in content))
    f['away_name'] = float(any(claim[i].is_name and claim[i].weight>1 and allq[i] > .5 and best.quality.get(i, 0) == 0 for i in content))
    f['max_away'] = max(claim[i].weight * (1 - quality.get(i, 0)) for i in content)
    # pairs
    tot = got = 0.0
    for a, b in zip(content, content[1:]):
        w = min(claim[a].weight, claim[b].weight); tot += w
        v = 0
        for m in meetings[:8]:
            if a in m.met and b in m.met:
                d = m.met[b] - m.met[a]
                near = 1.0 if 0 < d <= 6 else .7 if -6 <= d else .5
                v = max(v, near*min(m.quality[a], m.quality[b]))
        got += w*v
    f['pairs'] = got/tot if tot else best.share
    # conflicts
    negc = negated_spans(claim_text)
    conf = []
    for m in meetings[:2]:
        used = frozenset(m.met.values())
        subs = substitutions(claim, m.passage, {i:p for i,p in m.met.items() if m.quality[i] > .55}, used)
        conf.append((m, subs))
    for name, kinds in (('c_number', (Conflict.NUMBER, Conflict.DATE)), ('c_name', (Conflict.NAME,)), ('c_opp', (Conflict.OPPOSITE,)), ('c_kind', (Conflict.KIND,))):
        f[name] = max((s.strength for s in conf[0][1] if s.conflict in kinds), default=0.0)
    meets_ = [best.passage.words[p] for i, p in best.met.items() if i in content]
    negp = is_negated(best.passage.negated, meets_)
    nc = is_negated(negc, [claim[i] for i in content]) or bool(negc)
    anyneg = any(s < best.passage.words[p].end for p in best.met.values() for s, e in best.passage.negated if best.passage.words[p].start < e)
    f['neg_claim'] = float(bool(negc) and not anyneg)
    f['neg_passage'] = float(negp and not negc)
    f['neg_any'] = float(anyneg and not negp and not negc)
    ex = exclusives(claim) - exclusives(best.passage.words)
    f['exclusive'] = float(bool(ex))
    f['pronoun'] = float(bool(claim) and claim[0].stem in PRONOUNS)
    f['log_sentences'] = math.log(len(passages.all))
    f['log_words'] = math.log(len(content))
    local(f, claim, content, meetings[:6], claim_text)
    # order of names
    names = [best.met[i] for i in content if i in best.met and claim[i].is_name and claim[i].weight >= 1]
    f['order'] = float(any(a > b for a, b in zip(names, names[1:])))
    return f, best, conf[0][1], claim


def local(f, claim, content, meetings, text):
    """support and contra per word"""
    sup = {}; con = {}; ctxs = {}
    where = {i: n for n, i in enumerate(content)}
    for i in content:
        n = where[i]
        near = [(content[k], 1 / abs(k - n)) for k in range(max(0, n - 3), min(len(content), n + 4)) if k != n]
        tot = sum(claim[j].weight * d for j, d in near)
        s = c = cx = 0.0
        for m in meetings:
            pos = [m.met[j] for j, _ in near if j in m.met]
            if i in m.met:
                here = m.met[i]
                ctx = sum(claim[j].weight * d * m.quality[j] * (1 if abs(m.met[j] - here) <= 8 else .5) for j, d in near if j in m.met) / tot if tot else 1.0
                s = max(s, m.quality[i] * ctx)
                q = m.quality[i]
            else:
                q = 0
                mid = sorted(pos)[len(pos) // 2] if pos else 0
                ctx = sum(claim[j].weight * d * m.quality[j] * (1 if abs(m.met[j] - mid) <= 6 else .5) for j, d in near if j in m.met) / tot if tot else 0.0
            c = max(c, (1 - q) * ctx)
        sup[i], con[i] = s, c
    def typ(w):
        return 'num' if w.number is not None else 'name' if w.is_name and w.weight > 1 else 'word'
    for t in ('num', 'name', 'word'):
        ii = [i for i in content if typ(claim[i]) == t]
        f['con_' + t] = max((max(0, con[i] - sup[i]) * min(1, claim[i].weight) for i in ii), default=0.0)
        f['sup_' + t] = min((sup[i] for i in ii), default=1.0)
    f['sup_mean'] = sum(sup[i] * claim[i].weight for i in content) / sum(claim[i].weight for i in content)
    from probatum.judge.facts.words import folded
    cw = {folded(w.text) for w in claim}
    pw = {folded(w.text) for m in meetings[:3] for w in m.passage.words}
    he, she, they = {'he', 'him', 'his'}, {'she', 'her', 'hers'}, {'they', 'them', 'their'}
    f['gender'] = float(bool((cw & he and pw & she and not pw & he) or (cw & she and pw & he and not pw & she)))
    f['they'] = float(bool(cw & they and not pw & they))
    f['first_missing'] = float(content[0] not in meetings[0].met)
