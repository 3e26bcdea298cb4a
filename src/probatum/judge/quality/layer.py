"""The quality layer: how good an output is, each deduction as an issue.

A rule of thumb never decides: the check is heuristic, save where announced Python does not parse. Data without text has
nothing to judge and keeps the whole score. Code of other languages is read for what every language has: parts that are
left out, and hidden characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.judge.layers import Basis, CheckOutcome, LayerCheck, LayerReport
from probatum.judge.quality.asked import asked_hits
from probatum.judge.quality.code import code_hits
from probatum.judge.quality.module import imported_names
from probatum.judge.quality.parts import OutputPart, PartKind, parts_of
from probatum.judge.quality.rules import BASIC
from probatum.judge.quality.scoring import QualityHit, issues_of, score_of
from probatum.judge.quality.text import basic_text_hits, neutral_hits, text_hits
from probatum.judge.request import ValidationRequest, ValidationType

QUALITY_CHECK: Final = "quality"


def quality_report(request: ValidationRequest) -> LayerReport:
    """Return everything that takes from the quality of the output, by place, and the score that is left."""
    parts, left_out = parts_of(request)
    # The blocks of one text go on from each other.
    shared = frozenset(name for part in parts if part.is_excerpt and part.tree for name in imported_names(part.tree))
    hits = [hit for part in parts for hit in _hits(part, shared)]
    hits += asked_hits(request.context.get("original_query"), parts)
    if left_out:
        hits.append(QualityHit("not_judged", slots={"what": f"{left_out:,} characters"}))
    issues = issues_of(hits)
    return LayerReport(ValidationType.QUALITY, (_check(parts, issues),), issues, score=score_of(issues))


def quality_score_of(request: ValidationRequest) -> float:
    """Return the score where the quality layer was not asked for: what the rules of `BASIC` alone leave.

    It says whether the output can be used as it stands (it parses, it answers, it is complete), not how good it is.
    """
    parts, _ = parts_of(request)
    return score_of(issues_of([hit for part in parts for hit in _basic(part)]))


def _check(parts: Sequence[OutputPart], issues: Sequence[Finding]) -> LayerCheck:
    is_broken = any(each.severity is Severity.ERROR for each in issues)
    is_shown = any(part.kind is PartKind.BROKEN_PYTHON and part.is_certain for part in parts)
    state = CheckOutcome.FAILED if is_broken else CheckOutcome.PASSED
    kinds = {kind.value: sum(part.kind is kind for part in parts) for kind in PartKind}
    evidence = FrozenDict(parts=FrozenDict(kinds), issues=len(issues))
    basis = Basis.STRUCTURE if is_shown else Basis.HEURISTIC
    return LayerCheck(QUALITY_CHECK, "The output has no critical flaw of quality", state, basis, evidence)


def _hits(part: OutputPart, shared: frozenset[str]) -> Iterator[QualityHit]:
    """Yield what every rule finds in a part, ordered by line, and named as the output names the place."""
    if part.kind is PartKind.PYTHON:
        found = [*code_hits(part, shared), *neutral_hits(part)]
    elif part.kind is PartKind.PROSE:
        found = [*text_hits(part), *neutral_hits(part)]
    else:
        found = [*_broken(part), *neutral_hits(part)]
    lines = part.text.count("\n") + 1 if part.kind is not PartKind.PROSE else 0
    found.sort(key=lambda hit: (hit.line, hit.rule))
    for hit in found:
        line = 0 if hit.function or not hit.line else hit.line + part.above
        yield replace(hit, line=line, path=part.path, lines=lines)


def _broken(part: OutputPart) -> Iterator[QualityHit]:
    if part.kind is PartKind.BROKEN_PYTHON:
        yield QualityHit("syntax", part.flaw_line, slots={"what": part.flaw})
    elif part.kind is PartKind.LARGE_CODE:
        yield QualityHit("not_judged", slots={"what": f"Code of {len(part.text):,} characters"})


def _basic(part: OutputPart) -> Iterator[QualityHit]:
    found = [*_broken(part), *neutral_hits(part)]
    if part.kind is PartKind.PROSE:
        found += basic_text_hits(part)
    return (hit for hit in found if hit.rule in BASIC)
