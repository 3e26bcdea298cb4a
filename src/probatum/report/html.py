"""Pages as one HTML document that stands alone: no script, nothing loaded, readable on any screen and on paper.

All that a subject says is text: made visible, then escaped, and the document forbids whatever it does not need. A mark
is a sign and a word, never a colour alone. A drawing stands as a list below it, too.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from probatum.core.messages import counted
from probatum.core.outside import clipped, visible, visible_lines
from probatum.core.sheet import Diagram, Entry, Mark, Moment, Section
from probatum.report.diagram import bounded
from probatum.report.drawing import svg
from probatum.report.layout import SYMBOL_MARKS, is_code
from probatum.report.page import NEXT, Page
from probatum.report.style import STYLE
from probatum.report.timeline import SCALE, timed

_STYLE_DIGEST: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
_POLICY: Final = f"default-src 'none'; style-src 'sha256-{_STYLE_DIGEST}'; base-uri 'none'; form-action 'none'"


def html_document(title: str, pages: Sequence[Page]) -> str:
    """Return these pages, one after the other, as a document that ends with a line break."""
    head = (
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{_short(': '.join([title, *(f'{page.word} {page.subject}' for page in pages[:1])]))}</title>",
        f"<style>{STYLE}</style>",
    )
    body = (line for number, page in enumerate(pages, 1) for line in _page(page, number))
    lines = ("<!DOCTYPE html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", "<main>", *body)
    return "\n".join((*lines, "</main>", "</body>", "</html>", ""))


def _text(text: str) -> str:
    return escape(visible_lines(text))


def _short(text: str) -> str:
    return escape(visible(clipped(text)))


def _mark(mark: Mark, word: str = "", more: str = "") -> str:
    return f'<span class="mark {more}{mark}">{SYMBOL_MARKS[mark]} {escape(word or mark)}</span>'


def _page(page: Page, number: int) -> Iterable[str]:
    # The first page is what the document is about; whatever follows is below it.
    level = 1 if number == 1 else 2
    yield f'<article aria-labelledby="page-{number}">'
    yield _mark(page.mark, page.word, "word ")
    yield f'<h{level} class="name" id="page-{number}"><bdi>{_short(page.subject)}</bdi></h{level}>'
    yield from (f'<p class="lead">{_text(sentence)}</p>' for sentence in page.sentences)
    heading = f"h{level + 1}"
    for section in page.sections:
        yield from _section(section, heading)
    yield from _timeline(page.timeline, heading)
    yield from _diagram(page.diagram, heading, number)
    if page.closing:
        yield "<dl>"
        for label, value in page.closing:
            told = _text(value) if label == NEXT else f"<code>{_text(value)}</code>"
            yield f"<dt>{_short(label)}</dt><dd>{told}</dd>"
        yield "</dl>"
    yield "</article>"


def _title(heading: str, title: str) -> str:
    return f'<{heading} class="title">{_short(title)}</{heading}>'


def _section(section: Section, heading: str) -> Iterable[str]:
    yield _title(heading, section.title)
    yield '<ol class="entries">'
    for entry in section.entries:
        yield f"<li>{_said(entry)}</li>"
    yield "</ol>"


def _said(entry: Entry) -> str:
    place = f'<span class="place">line {entry.line}</span>' if entry.line else ""
    look = "code" if is_code(entry) else "prose"
    detail = "\n".join(_text(each) for each in entry.detail)
    more = f'<p class="{look} detail">{detail}</p>' if detail else ""
    return (
        f'<div>{_mark(entry.mark, entry.word)}{place}</div><div><p class="{look}">{_text(entry.text)}</p>{more}</div>'
    )


def _timeline(moments: Sequence[Moment], heading: str) -> Iterable[str]:
    if not moments:
        return
    rows, left_out = timed(moments)
    yield _title(heading, "Timeline")
    yield '<table><thead><tr><th class="time">Time</th><th class="scale" aria-hidden="true"></th>'
    yield '<th>What</th><th class="marked">State</th></tr></thead><tbody>'
    for row in rows:
        moment = row.moment
        clock = f"<span>{escape(row.clock)}</span>" if row.clock else ""
        lane = f'<span class="lane">{_short(moment.lane)}</span>' if moment.lane else ""
        detail = f'<p class="detail">{_text(moment.detail)}</p>' if moment.detail else ""
        yield f'<tr><td class="time">{escape(row.date) or "not known"}{clock}</td>{_dot(row.place, moment.mark)}'
        yield f"<td><p>{_short(moment.title)}</p>{lane}{detail}</td><td>{_mark(moment.mark)}</td></tr>"
    yield "</tbody></table>"
    yield from _aside(left_out)


def _dot(place: int | None, mark: Mark) -> str:
    if place is None:
        return '<td class="scale" aria-hidden="true"></td>'
    at = f"{place * 100 / SCALE:.1f}%"
    line = '<line x1="0" x2="100%" y1="12" y2="12"/>'
    sign = f'<circle class="plate" cx="{at}" cy="12" r="9"/><text x="{at}" y="17" text-anchor="middle">'
    sign += f"{'●' if mark is Mark.NOTE else SYMBOL_MARKS[mark]}</text>"
    return (
        f'<td class="scale" aria-hidden="true"><svg class="dot {mark}" width="100%" height="24">{line}{sign}</svg></td>'
    )


def _diagram(whole: Diagram, heading: str, number: int) -> Iterable[str]:
    if not whole.vertices:
        return
    diagram, left_out = bounded(whole)
    title = _short(whole.title)
    nodes, edges = counted(len(diagram.vertices), "node"), counted(len(diagram.edges), "edge")
    yield _title(heading, whole.title)
    yield f'<div class="scroll drawing" tabindex="0" role="region" aria-label="{title}, drawn">'
    yield svg(diagram, f"drawing-{number}")
    yield "</div>"
    yield from _aside(left_out)
    yield f"<details><summary>The same as a list: {nodes}, {edges}</summary>"
    yield "<table><thead><tr><th>What</th><th>Leads to</th><th>State</th></tr></thead><tbody>"
    title_of = {each.id: _short(each.title) for each in diagram.vertices}
    for vertex in diagram.vertices:
        group = f'<span class="lane">{_short(vertex.group)}</span>' if vertex.group else ""
        yield f"<tr><td>{title_of[vertex.id]}{group}</td><td></td><td>{_mark(vertex.mark)}</td></tr>"
    for edge in diagram.edges:
        label = f'<span class="lane">{_short(edge.label)}</span>' if edge.label else ""
        ends = f"<td>{title_of[edge.source]}</td><td>{title_of[edge.target]}{label}</td>"
        yield f"<tr>{ends}<td>{_mark(edge.mark)}</td></tr>"
    yield "</tbody></table></details>"


def _aside(sentence: str) -> Iterable[str]:
    if sentence:
        yield f'<p class="aside">{escape(sentence)}</p>'
