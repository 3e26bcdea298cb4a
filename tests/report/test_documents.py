"""HTML and Markdown: what they show, that no text of a subject becomes markup, and that nothing is left out silently.

To accept changed snapshots, run with PROBATUM_UPDATE_SNAPSHOTS=1 and review the difference of the files.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from justhtml import JustHTML
from markdown_it import MarkdownIt

from probatum.core.disclosure import Layer
from probatum.core.outside import is_seen
from probatum.core.sheet import Diagram, Edge, Mark, Moment, Vertex
from probatum.report.html import html_document
from probatum.report.markdown import markdown_document
from probatum.report.page import page_of
from tests.report.sheets import DIAGRAM, HOSTILE, hostile_sheet, sheet

SNAPSHOTS = Path(__file__).parent / "snapshots"
ELEMENTS = """
    html head meta title style body main article h1 h2 h3 p bdi span div section ol li code dl dt dd table
    thead tbody tr th td details summary svg path foreignObject text line circle
"""
ATTRIBUTES = """
    lang charset http-equiv content name class id title aria-labelledby aria-label aria-hidden role tabindex
    width height viewBox x y x2 y1 y2 cx cy r d
"""
MERMAID_NODE = re.compile(r'  n\d+\["[^"\[\]<>`{}|;:%@\\]+(?:;[^"\[\]<>`{}|:%@\\]*)*"\](?::::(?:fails|undecided))?')
MERMAID_EDGE = re.compile(
    r'  n\d+ -\.?->(?:\|"[^"\[\]<>`{}|:%@\\]+"\|)? n\d+|  n\d+ -->(?:\|"[^"\[\]<>`{}|:%@\\]+"\|)? n\d+'
)
MERMAID_LOOK = re.compile(r"flowchart LR|  classDef \w+ [\w#:,\- ]+")
MARKDOWN = MarkdownIt("commonmark").enable("table")


@pytest.mark.parametrize("form", ["html", "md"])
def test_a_sheet_looks_as_before(form: str) -> None:
    pages = [page_of(sheet()), page_of(sheet((), Diagram()), layer=Layer.DEVELOPER)]
    told = html_document("probatum audit", pages) if form == "html" else markdown_document(pages)
    path = SNAPSHOTS / f"sheet.{form}"
    if os.environ.get("PROBATUM_UPDATE_SNAPSHOTS"):
        path.write_text(told, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == told


def tags(html: str) -> list[str]:
    """Return the elements of a document in their order, and fail for what no document of ours has."""
    found = []
    pending = [JustHTML(html, sanitize=False, strict=True).root]
    while pending:
        node = pending.pop()
        pending += reversed(getattr(node, "children", None) or [])
        if node.name.startswith(("#", "!")):
            assert node.name != "#comment"
            continue
        found.append(node.name)
        assert node.name in ELEMENTS.split()
        assert set(node.attrs) <= set(ATTRIBUTES.split())
    return found


def drawings(html: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(each) for each in re.findall(r"<svg role=.*?\n</svg>", html, re.DOTALL)]


def test_the_page_forbids_what_it_does_not_need() -> None:
    html = html_document("t", [page_of(sheet())])
    style = html.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}">' in html
    assert re.findall(r"(?:src|href|url|@import|style=)\b", html.replace(policy, "")) == []


def test_a_drawing_is_named_and_a_mark_is_a_word() -> None:
    html = html_document("t", [page_of(sheet())])
    [drawing] = drawings(html)
    told = "How it follows: 6 nodes, 8 edges, 3 fails, 3 undecided; from left to right"
    assert drawing.get("aria-label") == told
    for word in ("✗ fails", "? undecided", "✓ holds"):
        assert html.count(word) > 2


def test_the_first_page_has_the_one_first_heading() -> None:
    html = html_document("t", [page_of(sheet())] * 3)
    headings = [each for each in tags(html) if re.fullmatch(r"h\d", each)]
    assert headings == ["h1", *["h2"] * 4, "h2", *["h3"] * 4, "h2", *["h3"] * 4]
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("layer", Layer)
def test_the_agent_reads_the_sentence_alone(layer: Layer) -> None:
    for form in (lambda pages: html_document("t", pages), markdown_document):
        told = form([page_of(sheet(), layer=layer)])
        assert "Some documented statements about btc could not be decided." in told
        assert ("Kraken" in told) == ("Two sources" in told) == (layer is not Layer.AGENT)


def parsed(markdown: str) -> tuple[list[str], str]:
    """Return the kinds of blocks and spans of a document, and the Mermaid in it."""
    tokens = MARKDOWN.parse(markdown)
    spans = [each for token in tokens for each in token.children or []]
    mermaid = "".join(token.content for token in tokens if token.type == "fence" and token.info == "mermaid")
    return [
        token.type for token in (*tokens, *spans) if token.type not in {"text", "code_inline", "softbreak"}
    ], mermaid


@pytest.mark.parametrize("name", HOSTILE)
def test_text_of_a_subject_is_never_markup(name: str) -> None:
    assert_harmless(HOSTILE[name])


@given(st.text(st.characters(codec=None)) | st.text("`\\|*_[]<>&#@%~-=\n .1:;\"'"))
def test_any_text_is_harmless(text: str) -> None:
    assert_harmless(text)


def assert_harmless(text: str) -> None:
    like = "a\nb" if "\n" in text.removesuffix("\n") else "a"
    whole, plain = (page_of(hostile_sheet(each), verbose=True) for each in (text, like))
    html = html_document(text, [whole])
    assert all(map(is_seen, html.split("\n")))
    assert len(drawings(html)) == 1
    tags(html)
    markdown = markdown_document([whole])
    assert all(map(is_seen, markdown.split("\n")))
    found, mermaid = parsed(markdown)
    assert not {"html_block", "html_inline", "link_open", "image", "em_open", "code_block"} & set(found)
    for line in mermaid.splitlines():
        assert MERMAID_NODE.fullmatch(line) or MERMAID_EDGE.fullmatch(line) or MERMAID_LOOK.fullmatch(line), line
    wanted = parsed(markdown_document([plain]))[0]
    counts = ("heading_open", "table_open", "tr_open", "th_open", "td_open", "fence", "hr", "strong_open")
    if text.strip() and not text.startswith(">>> "):
        assert {each: found.count(each) for each in counts} == {each: wanted.count(each) for each in counts}


@pytest.mark.parametrize("name", ["a code span that ends", "ticks", "a tick", "an address"])
def test_code_says_what_the_subject_says(name: str) -> None:
    text = HOSTILE[name]
    tokens = MARKDOWN.parse(markdown_document([page_of(hostile_sheet(text))]))
    assert text in {each.content for token in tokens for each in token.children or [] if each.type == "code_inline"}


def test_what_a_site_would_link_is_code() -> None:
    tokens = MARKDOWN.parse(markdown_document([page_of(hostile_sheet(HOSTILE["an address"]))]))
    told = "".join(each.content for token in tokens for each in token.children or [] if each.type == "text")
    assert not re.search(r"[@#]\w|://|www\.|GH-", told)


def test_long_names_are_shortened() -> None:
    pages = [page_of(sheet((Moment("", "x" * 100_000),), Diagram((Vertex("a", "y" * 100_000),))))]
    assert max(len(html_document("t", pages)), len(markdown_document(pages))) < 25_000


def crowd(count: int) -> Diagram:
    marks = [Mark.HOLDS] * (count - 2) + [Mark.UNDECIDED, Mark.FAILS]
    vertices = tuple(Vertex(str(index), f"<{index}>", "", mark) for index, mark in enumerate(marks))
    return Diagram(vertices, tuple(Edge(str(index), str(index + 1)) for index in range(count - 1)))


def test_a_crowd_is_told_and_what_fails_comes_first() -> None:
    moments = tuple(Moment(f"{1000 + index}-01-01", str(index)) for index in range(250))
    page = page_of(sheet((*moments, Moment("1000-01-02", "fails", mark=Mark.FAILS)), crowd(300)))
    for told in (html_document("t", [page]), markdown_document([page])):
        assert "Left out: 51 of 251 moments." in told
        assert "Left out: 100 of 300 nodes and 101 of 299 edges." in told
        assert "299" in told.partition("How it follows")[2].partition("Left out")[0]
        assert "250-01-01" not in told


def test_edges_that_lead_nowhere_and_ids_that_come_twice_are_told() -> None:
    diagram = Diagram((Vertex("a", "A"), Vertex("a", "B")), (Edge("a", "b"), Edge("b", "a"), Edge("a", "a")))
    html = html_document("t", [page_of(sheet((), diagram))])
    assert "Left out: 1 of 2 nodes and 2 of 3 edges." in html


def test_mermaid_stays_below_what_its_renderers_draw() -> None:
    vertices = tuple(Vertex(str(index), "<>" * 50, "<>" * 50) for index in range(200))
    edges = tuple(Edge(one.id, other.id, "<>" * 50) for one in vertices[:20] for other in vertices[:20])
    told = markdown_document([page_of(sheet((), Diagram(vertices, edges)))])
    assert len(parsed(told)[1]) < 50_000
    assert "Left out: 1" in told


def test_times_are_told_in_their_order_and_in_one_zone() -> None:
    rows = [line for line in markdown_document([page_of(sheet())]).splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows[2:]] == [
        "2026-01-17 23:59 UTC",
        "2026-01-18 00:00:30 UTC",
        "2026-01-31",
        "in January",
    ]


@pytest.mark.parametrize("time", ["0001-01-01T00:00+14:00", "2026-02-30", "20260101", "2026-01-01T25:00", "٢٠٢٦-01-01"])
def test_what_is_no_time_is_told_as_it_is(time: str) -> None:
    told = markdown_document([page_of(sheet((Moment(time, "x"), Moment("9999-12-31", "y")), DIAGRAM))])
    assert told.index("| 9999-12-31 |") < told.index(f"| {time} |")
