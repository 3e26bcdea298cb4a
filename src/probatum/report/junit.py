"""JUnit XML for continuous integration: one test case for each subject.

Refuted is a failure, not attempted an error. Undecided is a failure too: only VERIFIED may look green. Text of a
subject is escaped, and so are characters that XML 1.0 does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.disclosure import Layer
from probatum.core.outside import visible_lines
from probatum.report.judged import Judged, outcome_of, said, told

_FAILURES: Final = (Outcome.REFUTED, Outcome.UNDECIDED)


def junit_xml(suite: str, judged: Sequence[Judged], layer: Layer = Layer.PROOF) -> str:
    """Return a report of these subjects as an XML document that ends with a line break."""
    outcomes = [outcome_of(each.verdict) for each in judged]
    failures = sum(outcome in _FAILURES for outcome in outcomes)
    errors = outcomes.count(Outcome.NOT_ATTEMPTED)
    counts = f'tests="{len(judged)}" failures="{failures}" errors="{errors}" skipped="0"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites {counts}>"]
    lines.append(f"  <testsuite name={_attribute(suite)} {counts}>")
    for each, outcome in zip(judged, outcomes, strict=True):
        lines += _case(each, outcome, layer)
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""])


def _case(judged: Judged, outcome: Outcome, layer: Layer) -> list[str]:
    head = f"    <testcase name={_attribute(judged.name)} classname={_attribute(judged.asked or 'probatum')}"
    findings = _text("\n".join(f"{each.severity.value}: {said(each)}" for each in told(judged, layer)))
    if outcome in {Outcome.TESTED, Outcome.PROVED}:
        body = [f"      <system-out>{findings}</system-out>"] if findings else []
    else:
        element = "failure" if outcome in _FAILURES else "error"
        kind = outcome.value if layer is Layer.AGENT else judged.verdict.constraint_id or outcome.value
        message = _attribute(judged.verdict.agent_message)
        body = [f"      <{element} type={_attribute(kind)} message={message}>{findings}</{element}>"]
    return [f"{head}>", *body, "    </testcase>"] if body else [f"{head}/>"]


def _text(text: str) -> str:
    """Return text as the content of an element; what XML does not have, and what hides text, becomes an escape."""
    return visible_lines(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(text: str) -> str:
    """Return text as a quoted attribute; a line break survives there as a reference only."""
    escaped = _text(text).replace('"', "&quot;").replace("\n", "&#10;")
    return f'"{escaped}"'
