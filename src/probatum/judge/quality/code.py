"""Every rule for Python code over one tree, each line of style that is marked as meant left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from probatum.judge.quality.flow import flow_hits
from probatum.judge.quality.module import MOST_DEPTH, CodeModule
from probatum.judge.quality.names import name_hits
from probatum.judge.quality.parts import OutputPart
from probatum.judge.quality.performance import performance_hits
from probatum.judge.quality.rules import RULES, QualityFactor
from probatum.judge.quality.scoring import QualityHit
from probatum.judge.quality.security import security_hits
from probatum.judge.quality.smells import smell_hits
from probatum.judge.quality.structure import structure_hits
from probatum.judge.quality.style import style_hits

_RULES = (structure_hits, flow_hits, smell_hits, performance_hits, security_hits, style_hits)


def code_hits(part: OutputPart, also_bound: frozenset[str] = frozenset()) -> Iterator[QualityHit]:
    """Yield what is found in a part that parses; ``also_bound`` are names that other parts of the output bind."""
    module = CodeModule(part.tree or ast.Module([], []), part.text, is_excerpt=part.is_excerpt)
    if module.depth > MOST_DEPTH:
        yield QualityHit("too_deep", slots={"what": module.depth})
        return
    found = [hit for rules in _RULES for hit in rules(module)] + [*name_hits(module, also_bound)]
    for hit in found:
        is_style = RULES[hit.rule].factor is QualityFactor.STYLE
        if not (is_style and module.is_silenced(hit.line)):
            yield hit
