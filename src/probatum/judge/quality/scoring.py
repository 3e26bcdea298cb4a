"""From what the rules found to issues and a score: the score is one less what the issues take away, and nothing else.

Each issue holds in its evidence what it takes, in millionths of the score. The issues of one factor together never
take more than its weight, so that no issue is free and one more never raises a score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.core.outside import shortened, visible
from probatum.core.shape import Shape
from probatum.judge.layers import ROOT, issue
from probatum.judge.quality.rules import MOST_POINTS, RULES, QualityFactor

MOST_ISSUES: Final = 100
"""Issues that are told one by one; the most severe come first into the list, which is ordered by place."""
_POINT: Final = 1_000
_WHOLE: Final = 1_000_000
_SHOWN: Final = 80
_HUNDRED_LINES: Final = 100
_SEVERITIES: Final = tuple(Severity)


@dataclass(frozen=True, slots=True)
class QualityHit:
    """One place where a rule found something."""

    rule: str
    line: int = 0
    """Counts from 1 in the text that was judged; 0 where the place is the whole text or a function."""
    function: str = ""
    """The function that is meant as a whole."""
    slots: Mapping[str, object] = field(default_factory=FrozenDict)
    """What fills the templates of the rule."""
    path: str = ""
    """The path of the text in the output, where its issues must name it."""
    lines: int = 0
    """How many lines of code the text has; none in prose."""

    @property
    def place(self) -> str:
        """The location as the schema of results writes it."""
        inner = f"function:{self.function}" if self.function else f"line:{self.line}" if self.line else ""
        return ":".join(each for each in (self.path, inner) if each) or ROOT

    @property
    def cost(self) -> int:
        """What the hit takes from the score, in millionths."""
        rule = RULES[self.rule]
        scale = _HUNDRED_LINES if rule.is_whole else max(_HUNDRED_LINES, self.lines)
        return max(1, rule.points * _POINT * _HUNDRED_LINES // scale)


def issues_of(hits: Sequence[QualityHit]) -> tuple[Finding, ...]:
    """Return what is told: at most `MOST_ISSUES` issues by place, and one that counts the rest."""
    ranked = sorted(enumerate(hits), key=lambda each: (_SEVERITIES.index(RULES[each[1].rule].severity), each[0]))
    told = [_issue(hit) for _, hit in sorted(ranked[:MOST_ISSUES])]
    rest = [hit for _, hit in ranked[MOST_ISSUES:]]
    if rest:
        costs = Counter[QualityFactor]()
        for hit in rest:
            costs[RULES[hit.rule].factor] += hit.cost
        taken = {factor.value: costs[factor] for factor in QualityFactor if factor in costs}
        rule, more = RULES["more_issues"], RULES["more_issues"].message.format(what=f"{len(rest):,}")
        told.append(
            issue(rule.severity, rule.type, more, ROOT, rule.suggestion, rule=rule.name, taken=FrozenDict(taken))
        )
    return tuple(told)


def score_of(issues: Iterable[Finding]) -> float:
    """Return the score that is left after what issues of this layer take: 1.0 where there is none."""
    taken = Counter[QualityFactor]()
    for each in issues:
        costs = Shape(each.evidence).member("taken")
        for name in costs.raw_object():
            taken[QualityFactor(name)] += costs.whole(name, 0)
    lost = sum(min(cost, MOST_POINTS[factor] * _POINT) for factor, cost in taken.items())
    return max(0, _WHOLE - lost) / _WHOLE


def _issue(hit: QualityHit) -> Finding:
    rule = RULES[hit.rule]
    slots = {name: shortened(visible(str(value)), _SHOWN) for name, value in hit.slots.items()}
    texts = (rule.message.format(**slots), visible(hit.place, 4 * _SHOWN), rule.suggestion.format(**slots))
    return issue(rule.severity, rule.type, *texts, rule=rule.name, taken=FrozenDict({rule.factor.value: hit.cost}))
