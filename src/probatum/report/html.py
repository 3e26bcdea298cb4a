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
from probatum.core.outside import clipped, shortened, visible, visible_lines
from probatum.core.sheet import Diagram, Entry, Mark, Moment, Page, Vertex
from probatum.report.diagram import HEIGHT, WIDTH, drawn
from probatum.report.layout import SYMBOL_MARKS, is_code
from probatum.report.page import SENTENCES
from probatum.report.shown import bounded, timed
from probatum.report.style import STYLE

_STYLE_DIGEST: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
_POLICY: Final = f"default-src 'none'; style-src 'sha256-{_STYLE_DIGEST}'; base-uri 'none'; form-action 'none'"
_HEAD: Final = f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<style>{STYLE}</style>
"""
_WEIGHTY: Final = (Mark.FAILS, Mark.UNDECIDED)
# Characters of a box's title, and of its group or the label of an edge.
_MOST_TITLE: Final = 60
_MOST_LABEL: Final = 16


def html_document(title: str, pages: Sequence[Page]) -> str:
    """Return these pages, one after the other, as a document that ends with a line break."""
    whole = ": ".join([title, *(f"{page.word} {page.subject}" for page in pages[:1])])
    body = "\n".join(line for number, page in enumerate(pages, 1) for line in _page(page, number))
    return f"{_HEAD}<title>{_line(whole)}</title>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"


def _text(text: str) -> str:
    return escape(visible_lines(text))


def _line(text: str) -> str:
    return escape(visible(clipped(text)))


def _mark(mark: Mark, word: str = "", look: str = "mark") -> str:
    return f'<span class="{look} {mark}">{SYMBOL_MARKS[mark]} {escape(word or mark)}</span>'


def _small(text: str) -> str:
    return f'<span class="small">{_line(text)}</span>' if text else ""


def _detail(html: str) -> str:
    return f'<p class="detail">{html}</p>' if html else ""


def _page(page: Page, number: int) -> Iterable[str]:
    # The first page is what the document is about; whatever follows is below it.
    level = 1 if number == 1 else 2
    yield f'<article aria-labelledby="page-{number}">'
    yield _mark(page.mark, page.word, "word mark")
    yield f'<h{level} class="name" id="page-{number}"><bdi>{_line(page.subject)}</bdi></h{level}>'
    yield from (f'<p class="lead">{_text(sentence)}</p>' for sentence in page.sentences)
    heading = f"h{level + 1}"
    for section in page.sections:
        yield f'{_title(heading, section.title)}<ol class="entries">'
        yield from map(_entry, section.entries)
        yield "</ol>"
    if page.timeline:
        yield _title(heading, "Timeline")
        yield from _timeline(page.timeline)
    if page.diagram.vertices:
        yield _title(heading, page.diagram.title)
        yield from _diagram(page.diagram)
    if page.closing:
        yield "<dl>"
        for label, value in page.closing:
            told = _text(value) if label in SENTENCES else f"<code>{_text(value)}</code>"
            yield f"<dt>{_line(label)}</dt><dd>{told}</dd>"
        yield "</dl>"
    yield "</article>"


def _title(heading: str, title: str) -> str:
    return f'<{heading} class="title">{_line(title)}</{heading}>'


def _entry(entry: Entry) -> str:
    place = _small(f"line {entry.line}") if entry.line else ""
    look = ' class="code"' if is_code(entry) else ""
    detail = _detail("\n".join(map(_text, entry.detail)))
    mark = _mark(entry.mark, entry.word)
    return f"<li><div>{mark}{place}</div><div{look}><p>{_text(entry.text)}</p>{detail}</div></li>"


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterable[str]:
    """Yield a table of cells that are HTML already."""
    yield f"<table><thead><tr>{''.join(f'<th>{heading}</th>' for heading in headings)}</tr></thead><tbody>"
    yield from (f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    yield "</tbody></table>"


def _timeline(moments: Sequence[Moment]) -> Iterable[str]:
    timed_moments, left_out = timed(moments)
    rows = []
    for each in timed_moments:
        told, scale = each.moment, ""
        if each.place is not None:
            dot = f'<line x2="100%" y1="8" y2="8"/><circle cx="{each.place}%" cy="8" r="4"/>'
            scale = f'<svg class="scale {told.mark}" aria-hidden="true" width="85%" height="16">{dot}</svg>'
        what = _line(told.title) + _small(told.lane) + _detail(_text(told.detail))
        rows.append((_line(each.time) + scale, what, _mark(told.mark)))
    yield from _table(("Time", "What", "State"), rows)
    yield _detail(left_out)


def _diagram(whole: Diagram) -> Iterable[str]:
    diagram, left_out = bounded(whole)
    title = {each.id: _line(each.title) for each in diagram.vertices}
    rows = [(title[each.id] + _small(each.group), "", _mark(each.mark)) for each in diagram.vertices]
    rows += [(title[each.source], title[each.target] + _small(each.label), _mark(each.mark)) for each in diagram.edges]
    counts = f"{counted(len(diagram.vertices), 'node')}, {counted(len(diagram.edges), 'edge')}"
    yield f'<div class="drawing" tabindex="0" role="region" aria-label="{_line(whole.title)}, drawn">'
    yield from _drawing(diagram, counts)
    yield f"</div><details><summary>The same as a list: {counts}</summary>"
    yield from _table(("What", "Leads to", "State"), rows)
    yield f"</details>{_detail(left_out)}"


def _drawing(diagram: Diagram, counts: str) -> Iterable[str]:
    """Yield an SVG: curves, boxes above them, and above all the labels that must not be overlooked."""
    drawing = drawn(diagram)
    marks = [*(each.mark for each in diagram.vertices), *(each.mark for each in diagram.edges)]
    told = [counts, *(f"{marks.count(mark)} {mark}" for mark in _WEIGHTY if mark in marks)]
    label = f"{_line(diagram.title)}: {', '.join(told)}; from left to right"
    size = f'width="{drawing.width}" height="{drawing.height}" viewBox="0 0 {drawing.width} {drawing.height}"'
    yield f'<svg role="img" aria-label="{label}" {size}>'
    edges = list(zip(diagram.edges, drawing.routes, strict=True))
    for edge, (path, _, _) in edges:
        yield f'<path class="edge {edge.mark}" d="{path}"><title>{_line(edge.label)}</title></path>'
    yield from (_box(vertex, *corner) for vertex, corner in zip(diagram.vertices, drawing.corners, strict=True))
    for edge, (_, x, y) in edges:
        if edge.mark in _WEIGHTY:
            said = f"{SYMBOL_MARKS[edge.mark]} {shortened(visible(clipped(edge.label)), _MOST_LABEL)}"
            yield f'<text class="tag {edge.mark}" x="{x}" y="{y + 4}">{escape(said.rstrip())}</text>'
    yield "</svg>"


def _box(vertex: Vertex, x: int, y: int) -> str:
    state = "" if vertex.mark is Mark.NOTE else _mark(vertex.mark, look="state")
    title = escape(shortened(visible(clipped(vertex.title)), _MOST_TITLE))
    above = state + _small(shortened(vertex.group, _MOST_LABEL))
    box = f'<div class="box {vertex.mark}" title="{_line(vertex.title)}">{above}{title}</div>'
    return f'<foreignObject x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}">{box}</foreignObject>'
