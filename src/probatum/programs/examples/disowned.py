"""Examples that the document itself calls wrong or outdated: under "Bad:", in ``versionchanged``, after "used to".

One that holds counts like any other. Refuses to let one refute, or contradict an example that nothing takes back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from probatum.programs.examples.clauses import Doubt, Findings
from probatum.programs.source import normal
from probatum.programs.specification import Unread

DISOWNED = "disowned"
"""The notation of an example that the document marks as wrong or outdated."""
_WRONG = r"(?:bad|wrong|incorrect|buggy|broken|deprecated|outdated|obsolete|don['’]?t|do not|avoid|never)"
_OF_INPUTS = r"(?![ \t]+(?:in)?(?:put|valid|value|argument|data|type|format|character|call returns|raise))"
_HEADING = re.compile(
    rf"^[ \t]*+(?:[-*#.]+[ \t]*+)?(?:(?:examples? of )?(?:an? )?{_WRONG}{_OF_INPUTS}\b|(?:old|former|previous)\b|"
    r"(?:version(?:changed|added|removed)|deprecated)::|[^\n]{0,80}\b(?:(?:is|are|was|would be) (?:wrong|incorrect)|"
    r"the (?:problem|pitfall|mistake)s?)\b)"
    r"[^\n]{0,80}$",
    re.IGNORECASE,
)
_LINE = re.compile(
    rf"#[ \t]*{_WRONG}{_OF_INPUTS}\b|[✗❌]|\bused to\b|\b(?:before|prior to|until) (?:version|v?[0-9])|"
    r"\b(?:earlier|older|old|previous|former) versions?\b|\b(?:previously|formerly|no longer)\b|"
    r"\b(?:wrong|incorrect|mistaken) (?:reading|answer|result)\b|\b(?:do not|don['’]?t|never) expect\b",
    re.IGNORECASE,
)


def disown(findings: Findings, text: str) -> None:
    """Mark the examples that the text takes back; leave out those that contradict an example it does not."""
    spans = list(_spans(text))
    taken_back = [each for each in findings.examples if any(begin <= each.begin < end for begin, end in spans)]
    aside = set(map(id, taken_back))
    kept = [each for each in findings.examples if id(each) not in aside]
    own = {normal(each.expression) for each in kept}
    for each in taken_back:
        if normal(each.expression) in own:
            reason = "the document marks it as wrong or outdated"
            findings.doubts.append(Doubt(each.begin, each.end, reason, Unread.NOT_ITS_OWN))
        else:
            kept.append(replace(each, notation=DISOWNED))
    findings.examples[:] = kept


def _spans(text: str) -> Iterator[tuple[int, int]]:
    lines = text.split("\n")
    at = 0
    for number, line in enumerate(lines):
        if _LINE.search(line):
            yield at, at + len(line) + 1
        if _HEADING.match(line) and (line.rstrip().endswith(":") or ".. " in line):
            yield at, at + len("\n".join(lines[number : number + _length(lines[number:])])) + 1
        at += len(line) + 1


def _length(lines: list[str]) -> int:
    """Return how many lines belong to a heading: what is indented more than it, else the next paragraph."""
    below = next((index for index, line in enumerate(lines) if index and line.strip()), len(lines))
    margin = _margin(lines[0])
    is_inside = below < len(lines) and _margin(lines[below]) > margin
    for index in range(below, len(lines)):
        if lines[index].strip() and _margin(lines[index]) <= margin if is_inside else not lines[index].strip():
            return index
    return len(lines)


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())
