"""JUnit XML for continuous integration: one test case for each subject, or for each of its parts.

Refuted is a failure, not attempted an error. Undecided is a failure too: only VERIFIED may look green. What a baseline
knows is skipped. Text of a subject is escaped, and so are characters that XML 1.0 does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.disclosure import Layer
from probatum.core.outside import visible_lines
from probatum.report.judged import Judged, outcome_of, said, told

_FAILURES: Final = (Outcome.REFUTED, Outcome.UNDECIDED)


def junit_xml(suite: str, judged: Sequence[Judged], layer: Layer = Layer.PROOF) -> str:
    """Return a report of these subjects as an XML document that ends with a line break."""
    cases = [case for each in judged for case in _cases(each)]
    outcomes = [outcome_of(case.verdict) for _, case in cases if not case.is_known]
    failures = sum(outcome in _FAILURES for outcome in outcomes)
    errors, skipped = outcomes.count(Outcome.NOT_ATTEMPTED), len(cases) - len(outcomes)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="{skipped}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites {counts}>"]
    lines.append(f"  <testsuite name={_attribute(suite)} {counts}>")
    for group, case in cases:
        lines += _case(group, case, layer)
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""])


def _cases(judged: Judged) -> Iterator[tuple[str, Judged]]:
    """Yield what has a test case of its own, with the group that it is shown in."""
    ranks = [outcome_of(part.verdict).rank for part in judged.parts]
    if not ranks or outcome_of(judged.verdict).rank < min(ranks):
        yield judged.asked or "probatum", judged
    yield from ((judged.name, part) for part in judged.parts)


def _case(group: str, judged: Judged, layer: Layer) -> list[str]:
    outcome = outcome_of(judged.verdict)
    head = f"    <testcase name={_attribute(judged.name)} classname={_attribute(group)}"
    findings = _text("\n".join(f"{each.severity.value}: {said(each)}" for each in told(judged, layer)))
    if outcome in {Outcome.TESTED, Outcome.PROVED}:
        body = [f"      <system-out>{findings}</system-out>"] if findings else []
    else:
        element = "failure" if outcome in _FAILURES else "error"
        kind = outcome.value if layer is Layer.AGENT else judged.verdict.constraint_id or outcome.value
        message = _attribute(judged.verdict.agent_message)
        body = [f"      <{element} type={_attribute(kind)} message={message}>{findings}</{element}>"]
        if judged.is_known:
            body = [f"      <skipped message={message}/>"]
    return [f"{head}>", *body, "    </testcase>"] if body else [f"{head}/>"]


def _text(text: str) -> str:
    """Return text as the content of an element; what XML does not have, and what hides text, becomes an escape."""
    return visible_lines(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(text: str) -> str:
    """Return text as a quoted attribute; a line break survives there as a reference only."""
    escaped = _text(text).replace('"', "&quot;").replace("\n", "&#10;")
    return f'"{escaped}"'
