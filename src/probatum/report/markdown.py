"""Pages as Markdown, for comments and documents: with a table for the timeline and Mermaid for the diagram.

All that a subject says stays text: signs of Markdown are escaped, what a site would turn into a link or a mention
stands as code, and in Mermaid everything but plain letters is a numbered entity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from probatum.core.outside import clipped, lines_of, shortened, visible
from probatum.core.sheet import Diagram, Entry, Mark, Moment, Page
from probatum.report.layout import SYMBOL_MARKS, is_code
from probatum.report.page import SENTENCES
from probatum.report.shown import MOST, bounded, timed

_SIGNS: Final = re.compile(r"[\\`*_\[\]<>~&$]")
# What can mean something where a line begins.
_BEGINNING: Final = re.compile(r"^(\d{1,9}(?=[.)])|(?=[#+=-]))")
# Mentions, references and addresses, which sites find in plain text as well.
_LINKED: Final = re.compile(r"[@#]|://|www\.|GH-\d", re.IGNORECASE)
_TICKS: Final = re.compile("`+")
# Of ASCII what Mermaid might read, such as fa:fa-car, 1. and %%, within quotes or not.
_NOT_PLAIN: Final = re.compile(r"[!-'*+\-./:;<>?@\[-^`{-~]")
_MOST_LABEL: Final = 60
# Mermaid draws no text beyond 50,000 characters.
_MOST_MERMAID: Final = 45_000
_LOOKS: Final = {
    Mark.FAILS: "stroke:#b3231d,stroke-width:3px",
    Mark.UNDECIDED: "stroke:#a86b00,stroke-width:2px,stroke-dasharray:5 3",
}


def markdown_document(pages: Sequence[Page]) -> str:
    """Return these pages, one after the other, as Markdown that ends with a line break."""
    return "\n---\n\n".join("\n".join(_page(page, 1 if number == 0 else 2)) for number, page in enumerate(pages))


def _page(page: Page, level: int) -> Iterable[str]:
    heading = "#" * (level + 1)
    yield f"{'#' * level} {SYMBOL_MARKS[page.mark]} {page.word}: {_code(clipped(page.subject))}\n"
    yield from (f"{_text(sentence)}\n" for sentence in page.sentences)
    for section in page.sections:
        yield f"{heading} {_text(clipped(section.title))}\n"
        yield from map(_entry, section.entries)
        yield ""
    if page.timeline:
        yield f"{heading} Timeline\n"
        yield from _timeline(page.timeline)
    if page.diagram.vertices:
        yield f"{heading} {_text(clipped(page.diagram.title))}\n"
        yield _diagram(page.diagram)
    for label, value in page.closing:
        yield f"- **{_text(label)}** {_text(value) if label in SENTENCES else _code(value)}"
    if page.closing:
        yield ""


def _text(text: str) -> str:
    """Return a text as one line of plain Markdown."""
    words = (_code(word) if _LINKED.search(word) else _SIGNS.sub(r"\\\g<0>", word) for word in visible(text).split(" "))
    return _BEGINNING.sub(r"\1\\", " ".join(words).strip(" "))


def _code(text: str) -> str:
    """Return a text as code within a line."""
    seen = visible(text)
    fence = "`" * (1 + max(map(len, _TICKS.findall(seen)), default=0))
    # A tick at an end would join the fence; one space at each end belongs to the fence.
    space = " " if seen[:1] in {"`", " "} or seen[-1:] in {"`", " "} else ""
    return f"{fence}{space}{seen}{space}{fence}" if seen.strip(" ") else ""


def _cell(text: str) -> str:
    return _text(clipped(text)).replace("|", "\\|")


def _marked(mark: Mark, word: str = "") -> str:
    return f"{SYMBOL_MARKS[mark]} {_text(word) or mark}"


def _entry(entry: Entry) -> str:
    head = f"- **{_marked(entry.mark, entry.word)}**{f', line {entry.line}' if entry.line else ''}:"
    details = [line for detail in entry.detail for line in lines_of(detail)]
    if not is_code(entry):
        return "\n".join((f"{head} {_text(entry.text)}", *(f"  - {_text(each)}" for each in details)))
    lines = [visible(line) for line in (*lines_of(entry.text), *details)]
    fence = "`" * max(3, 1 + max(len(run) for line in lines for run in ("", *_TICKS.findall(line))))
    block = "\n".join(f"  {line}" for line in (f"{fence}text", *lines, fence))
    return f"{head}\n\n{block}\n"


def _timeline(moments: Sequence[Moment]) -> Iterable[str]:
    rows, left_out = timed(moments)
    yield "| Time | State | What | Where | Detail |\n| --- | --- | --- | --- | --- |"
    for row in rows:
        told = row.moment
        cells = (_cell(row.time), _marked(told.mark), _cell(told.title), _cell(told.lane), _cell(told.detail))
        yield f"| {' | '.join(cells)} |"
    yield f"\n{left_out}\n" if left_out else ""


def _diagram(whole: Diagram, most: int = MOST) -> str:
    diagram, left_out = bounded(whole, most)
    drawing = "\n".join(_mermaid(diagram))
    if len(drawing) > _MOST_MERMAID:
        return _diagram(whole, most // 2)
    return f"```mermaid\n{drawing}\n```\n" + (f"\n{left_out}\n" if left_out else "")


def _mermaid(diagram: Diagram) -> Iterable[str]:
    number = {vertex.id: f"n{index}" for index, vertex in enumerate(diagram.vertices)}
    yield "flowchart LR"
    for vertex in diagram.vertices:
        look = f":::{vertex.mark}" if vertex.mark in _LOOKS else ""
        yield f'  {number[vertex.id]}["{_label(vertex.mark, vertex.group, vertex.title) or "·"}"]{look}'
    for edge in diagram.edges:
        arrow = "-.->" if edge.mark in _LOOKS else "-->"
        label = _label(edge.mark, edge.label)
        arrow += f'|"{label}"|' if label else ""
        yield f"  {number[edge.source]} {arrow} {number[edge.target]}"
    yield from (f"  classDef {mark} {look}" for mark, look in _LOOKS.items())


def _label(mark: Mark, *texts: str) -> str:
    state = "" if mark is Mark.NOTE else SYMBOL_MARKS[mark]
    told = " · ".join(shortened(clipped(each), _MOST_LABEL) for each in texts if each)
    return _NOT_PLAIN.sub(lambda match: f"#{ord(match[0])};", visible(f"{state} {told}".strip()))
