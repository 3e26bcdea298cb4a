"""The quality layer: how good an output is, each deduction as an issue.

A rule of thumb never decides: the check is heuristic, save where announced Python does not parse. Data without text has
nothing to judge and keeps the whole score. Code of other languages is read for what every language has: parts that are
left out, and hidden characters.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.exact.code.names import imported
from probatum.judge.layers import Basis, CheckOutcome, LayerCheck, LayerReport
from probatum.judge.quality.asked import asked_hits
from probatum.judge.quality.module import CodeModule
from probatum.judge.quality.names import name_hits
from probatum.judge.quality.parts import OutputPart, PartKind, parts_of
from probatum.judge.quality.rules import BASIC, RULES, QualityFactor
from probatum.judge.quality.scoring import QualityHit, issues_of, score_of
from probatum.judge.quality.second_source import Linter, second_opinions
from probatum.judge.quality.security import security_hits
from probatum.judge.quality.smells import smell_hits
from probatum.judge.quality.structure import structure_hits
from probatum.judge.quality.style import style_hits
from probatum.judge.quality.text import basic_hits, text_hits
from probatum.judge.request import ValidationRequest, ValidationType

MOST_DEPTH: Final = 150
"""How deep code nests at most, so that rules which recurse have room."""
_SILENCED: Final = re.compile(r"#\s*noqa\b", re.IGNORECASE)


def quality_report(request: ValidationRequest, linters: Sequence[Linter] = ()) -> LayerReport:
    """Return everything that takes from the quality of the output, by place, and the score that is left.

    What linters say follows, and changes neither check nor score. Raises NotAttemptedError where one gives no answer.
    """
    parts, left_out = parts_of(request)
    # The blocks of one text go on from each other.
    blocks = (node for part in parts if part.is_excerpt and part.tree for node in ast.walk(part.tree))
    imports = (node for node in blocks if isinstance(node, ast.Import | ast.ImportFrom))
    shared = frozenset(name for node in imports for _, name, _ in imported(node))
    hits = [hit for part in parts for hit in _hits(part, shared)]
    hits += asked_hits(request.context.get("original_query"), parts)
    if left_out:
        hits.append(QualityHit("not_judged", slots={"what": f"{left_out:,} characters of the output"}))
    issues = issues_of(hits)
    told = (*issues, *second_opinions(linters, parts))
    return LayerReport(ValidationType.QUALITY, (_check(parts, issues),), told, score=score_of(issues))


def quality_score_of(request: ValidationRequest) -> float:
    """Return the score where the quality layer was not asked for: what the rules of `BASIC` alone leave.

    It says whether the output can be used as it stands (it parses, it answers, it is complete), not how good it is.
    """
    parts, _ = parts_of(request)
    return score_of(issues_of([hit for part in parts for hit in basic_hits(part) if hit.rule in BASIC]))


def _check(parts: Sequence[OutputPart], issues: Sequence[Finding]) -> LayerCheck:
    is_broken = any(each.severity is Severity.ERROR for each in issues)
    is_shown = any(part.kind is PartKind.BROKEN_PYTHON and part.is_certain for part in parts)
    state = CheckOutcome.FAILED if is_broken else CheckOutcome.PASSED
    kinds = {kind.value: sum(part.kind is kind for part in parts) for kind in PartKind}
    evidence = FrozenDict(parts=FrozenDict(kinds), issues=len(issues))
    basis = Basis.STRUCTURE if is_shown else Basis.HEURISTIC
    return LayerCheck("quality", "The output has no critical flaw of quality", state, basis, evidence)


def _hits(part: OutputPart, shared: frozenset[str]) -> Iterator[QualityHit]:
    """Yield what every rule finds in a part, ordered by line, and named as the output names the place."""
    found = [*basic_hits(part)]
    if part.tree is not None:
        found += _code_hits(part, part.tree, shared)
    elif part.kind is PartKind.PROSE:
        found += text_hits(part.text)
    lines = part.text.count("\n") + 1 if part.kind is not PartKind.PROSE else 0
    for hit in sorted(found, key=lambda hit: (hit.line, hit.rule)):
        line = 0 if hit.function or not hit.line else hit.line + part.above
        yield replace(hit, line=line, path=part.path, lines=lines)


def _code_hits(part: OutputPart, tree: ast.Module, shared: frozenset[str]) -> Iterator[QualityHit]:
    """Yield what every rule for code finds, but for style on lines that are marked as meant."""
    module = CodeModule(tree, part.text, is_excerpt=part.is_excerpt)
    if module.depth > MOST_DEPTH:
        yield QualityHit("not_judged", slots={"what": f"code that nests {module.depth} levels deep"})
        return
    rules = (structure_hits, smell_hits, style_hits, security_hits)
    for hit in chain(*(each(module) for each in rules), name_hits(module, shared)):
        is_style = RULES[hit.rule].factor is QualityFactor.STYLE
        if not (is_style and _SILENCED.search(module.lines[hit.line - 1])):
            yield hit
