"""The quality layer: what linters say about the Python code of an output, and how hard its prose is to read.

Code is decided where a linter looked at it; prose, data and code that no linter looked at stay open, and the result
says so. Refuses to judge code by rules of our own, and to call prose good because it reads easily.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.core.outside import visible
from probatum.core.validation import IssueType
from probatum.judge.layers import OPEN, ROOT, Basis, CheckOutcome, LayerCheck, LayerReport, issue
from probatum.judge.outputs import CodeBlock, OutputView, fenced_blocks
from probatum.judge.quality.readability import VERY_HARD, lix
from probatum.judge.request import ValidationRequest, ValidationType

MOST_REMARKS: Final = 100
"""Remarks of each linter that are reported one by one."""
_WHOLE: Final = 100
_COSTS: Final = {Severity.ERROR: 30, Severity.WARNING: 8, Severity.INFO: 2}
"""What an issue takes from a score of 100."""
_FUNCTION: Final = re.compile(r"`(\w+)` is too complex \((\d+) > (\d+)\)")
_TYPES: Final = (
    ("C90", Severity.WARNING, IssueType.COMPLEXITY_ISSUE),
    ("PERF", Severity.WARNING, IssueType.PERFORMANCE_ISSUE),
    ("E9", Severity.WARNING, IssueType.CORRECTNESS_ISSUE),
    ("E", Severity.INFO, IssueType.STYLE_ISSUE),
    ("N", Severity.INFO, IssueType.STYLE_ISSUE),
    ("W", Severity.INFO, IssueType.STYLE_ISSUE),
    ("S", Severity.WARNING, IssueType.SECURITY_ISSUE),
    ("B1", Severity.WARNING, IssueType.SECURITY_ISSUE),
    ("", Severity.WARNING, IssueType.CORRECTNESS_ISSUE),
)
"""By the beginning of a linter's rule: what an issue becomes; the first that fits counts."""


@dataclass(frozen=True, slots=True)
class LinterRemark:
    """One remark: the rule as the linter names it, the line from 1, and its words."""

    rule: str
    line: int
    message: str


class Linter(Protocol):
    """A linter for Python, which reads code and does not run it."""

    @property
    def name(self) -> str:
        """What it is called."""

    def remarks(self, source: str) -> Sequence[LinterRemark]:
        """Return what it says about a source; raises NotAttemptedError where it gives no answer."""


def quality_report(request: ValidationRequest, linters: Sequence[Linter] = ()) -> LayerReport:
    """Return what linters and the measure of readability say; raises NotAttemptedError where a linter fails."""
    view = OutputView(request.output)
    # Tests assert and name what stands elsewhere, which linters take for flaws.
    code = [each for each in view.code if not each.is_test]
    remarks = [(each, block, remark) for each in linters for block in code for remark in each.remarks(block.source)]
    issues = [*_remarks(remarks, len({each.path for each in code}) == 1), *_readability(view)]
    is_seen = bool(linters and code)
    about = f"Looked at by {', '.join(each.name for each in linters)}" if is_seen else "The quality of the output"
    state, basis = (CheckOutcome.PASSED, Basis.STRUCTURE) if is_seen else (CheckOutcome.UNDECIDED, Basis.NOTHING)
    if not is_seen:
        issues.append(_unseen(view))
    evidence = FrozenDict(blocks=len(code), remarks=len(remarks))
    score = max(0, _WHOLE - sum(_COSTS[each.severity] for each in issues)) / _WHOLE if is_seen else None
    return LayerReport(
        ValidationType.QUALITY, (LayerCheck("quality", about, state, basis, evidence),), tuple(issues), score=score
    )


def _remarks(remarks: Sequence[tuple[Linter, CodeBlock, LinterRemark]], is_one: bool) -> Iterator[Finding]:
    # The one code of an output needs no path: its lines and functions say where.
    for linter, block, each in remarks[:MOST_REMARKS]:
        severity, kind = next((row[1], row[2]) for row in _TYPES if each.rule.startswith(row[0]))
        named = _FUNCTION.search(each.message)
        inner = f"function:{named[1]}" if named else f"line:{each.line + block.above}"
        advice = f"See the rule {each.rule} of {linter.name}."
        place = f"{block.path}:{inner}" if block.path and not is_one else inner
        said = f"{visible(each.message)} ({linter.name} {each.rule})"
        yield issue(severity, kind, said, place, advice, rule=each.rule, source=linter.name)
    if len(remarks) > MOST_REMARKS:
        said = f"{len(remarks) - MOST_REMARKS:,} more remarks of linters"
        yield issue(Severity.INFO, IssueType.STYLE_ISSUE, said, ROOT, "Run the linters on the code.")


def _readability(view: OutputView) -> Iterator[Finding]:
    for leaf in view.leaves:
        if isinstance(leaf.value, str) and not any(block.path == leaf.path for block in view.code):
            score = lix(_prose(leaf.value))
            if score is not None and score > VERY_HARD:
                said = f"The text is very hard to read: LIX {score} (above {VERY_HARD})"
                advice = "Write shorter sentences and shorter words."
                yield issue(Severity.INFO, IssueType.READABILITY_ISSUE, said, leaf.path or ROOT, advice)


def _prose(text: str) -> str:
    """Return a text without its fenced blocks."""
    for block in fenced_blocks(text):
        text = text.replace(block.content, "\n", 1)
    return text


def _unseen(view: OutputView) -> Finding:
    said = "No linter looked at the code" if view.code else "Nothing here measures the quality of this output"
    advice = "Install ruff, or name a linter with --linter." if view.code else "Let a person or a model look at it."
    return issue(
        Severity.INFO,
        IssueType.COMPLETENESS_ISSUE,
        f"{said}, so the quality is open.",
        ROOT,
        advice,
        **{OPEN: "quality"},
    )
