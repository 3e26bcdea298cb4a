"""The visible text of a page, and where in its source each character stands."""

from __future__ import annotations

from html import unescape
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import BudgetError
from probatum.readers.markup import MAX_TAGS, visible_text

SEEN = {
    "<p>Hello   <b>wor</b>ld</p><p>x</p>": "Hello world\nx",
    "10<sup>6</sup> H<sub>2</sub>O 5<sub>2</sub>": "10^6 H2O 5_2",
    "95,000<sup>[1]</sup>": "95,000^[1]",
    "1,<a href='<b>'>000</a>": "1,000",
    "a&amp;b &lt;c&gt; &euro;5&nbsp;000": "a&b <c> €5\u00a0000",
    "95&shy;000": "95000",
    "<table><tr><td>a<td><p>b</p><td></td><td>d</tr><tr><td></td><td>2</td></tr></table>": "a\tb\t\td\n\t2",
    "a<!-- c -->d</foo>e<table>x<tr><td>y</table>z": "adex\ny\nz",
    "<pre>\na  b\r\n c</pre>": "a  b\n c",
    "x<br>y<hr>z<ul><li>1<li>2</ul>": "x\ny\nz\n1\n2",
    "<s>old</s> new <del>1</del><strike>2</strike><ins>3</ins>": "new 3",
    "<p style='text-decoration: line-through'>5</p>6": "6",
    "<div hidden>h</div><i style='Display : NONE'>n</i><i style='a:b;visibility:hidden'>m</i>ok": "ok",
    "<p style='display:/* */none'>x</p><p style='display:block'>y": "y",
    "<head><title>t</title><style>x</style></head><script>1</script>b<noscript>no</noscript><template>q": "b",
    "<s>a<b>b</s>c</b>": "c",
    "<dialog>d</dialog><textarea>5</textarea>e": "e",
    "<math><mn>10</mn></math><svg><text>5</text><text>6</text></svg>": "5\n6",
    "\ufeffabc": "abc",
    "a < b > c": "a < b > c",
    "": "",
}


@pytest.mark.parametrize("html", SEEN)
def test_what_is_seen(html: str) -> None:
    assert visible_text(html).text == SEEN[html]


DOUBTFUL_STYLES = [
    r"opacity:0.001",
    r"d\69splay:none",
    r"display:\6eone",
    r"position:absolute;left:-9999px",
    r"text-indent:-9999px",
    r"height:0;overflow:hidden",
    r"clip-path:inset(100%)",
    r"color:transparent",
    r"transform:scale(0)",
    r"content-visibility:hidden",
    r"filter:opacity(0)",
    r"font:0/0",
    r"display:nonesuch",
    r"display:none;display:block",
    r"opacity:0;opacity:1",
    r"content:';display:none'",
    r"display:none;display:block!important",
    r"opacity:",
    r"direction:rtl",
]
HIDING_STYLES = [
    "display:none;display:NONE",
    "display:block;display:none",
    "display:none!important;display:block",
    "opacity:.0",
    "opacity:00%",
    "font-size:.0px",
    "font-size:00px",
    "opacity:0;color:red",
    "visibility:collapse",
    "text-decoration:line-through;text-decoration-line:none",
]
# The page to the text, what is doubtful of it, and what is left out.
TOLD = {
    **{f'a<p style="{style}">b': ("a\nb", ["b"], "") for style in DOUBTFUL_STYLES},
    **{f'a<p style="{style}">b': ("a", [], "b") for style in HIDING_STYLES},
    "<p style>a <b>b</b></p><p style>c</p>d<i style>e</i>": ("a b\nc\nde", ["a b\nc", "e"], ""),
    "a<div popover>b</div><progress>c</progress><meter>d</meter>": ("a\nb\ncd", ["b\ncd"], ""),
    "<details>a<summary>b</summary>c<summary>d</summary></details>": ("a\nb\nc\nd", ["a", "c\nd"], ""),
    "<details open><summary>b</summary>c</details>": ("b\nc", [], ""),
    "<details style><summary>b</summary></details>": ("b", ["b"], ""),
    "a<bdo dir=ltr>1</bdo><p dir=RTL>2<p dir=auto>3<p dir=LTR>4": ("a1\n2\n3\n4", ["1\n2\n3"], ""),
    "a<svg><text display=none>5</text></svg>": ("a\n5", ["5"], ""),
    "<font color=white>a</font>b": ("ab", ["a"], ""),
    "<div>a<template shadowrootmode=open><p>b</template>c</div>d": ("ac\nd", ["ac"], "b"),
    "<template>a</template><noscript>b</noscript><script>c</script>d": ("d", [], ""),
    "a<title style=display:block>b</title>": ("a", [], "b"),
    # An element that formats goes on in the blocks that follow, until its own end tag.
    "<p><s>a</p><p>b</s></p><p>c": ("b\nc", ["b\nc"], "a"),
    "<p><s>a <b title='>'>x</b></s></p><p>c": ("c", [], "a x"),
    "<p><i><s>a</i>b</s>c</p>d": ("bc\nd", ["b"], "a"),
    "<p><s><!--</s>-->a</p>b": ("b", ["b"], "a"),
    """<p><s><b x"y=">"</s></p>b""": ("b", ["b"], ""),
    "<p><a b=c d='x<y' style>a</a></p>b": ("a\nb", ["a\nb"], ""),
    "<table><col style><tr><td>a</table>b": ("a\nb", ["a\nb"], ""),
    "<p><span hidden>a</p>b": ("b", [], "a"),
    # What XHTML ends at once swallows the page in HTML.
    'a<div hidden="hidden"/><p>b</p>': ("a", [], "b"),
    "a<script src = 'x'/>b</script>c<script>d</script>": ("ac", [], "b"),
    "<head><title/>a</title></head>b": ("b", [], "a"),
    "<table><tr><script/>a</script><td>x<td>y": ("x\ty", [], "a"),
    "<p>1<p hidden>a  b<p>c</p><p hidden>d<i>e</i>": ("1\nc", [], "a b\nde"),
    "<table hidden><tr><td>a<td>b</table><del>c</del><del>d</del>": ("", [], "a\tb\nc\nd"),
    "<select><option>a<option>b</select><textarea>c\n d</textarea>": ("", [], "a\nb\nc d"),
    "<dialog>a</dialog><object>b</object><math>c</math>": ("", [], "a\nb\nc"),
    '<div style="visibility:hidden">a<p style="visibility:visible">b': ("", [], "a\nb"),
}


@pytest.mark.parametrize("html", TOLD)
def test_what_is_doubtful_and_what_is_left_out(html: str) -> None:
    seen = visible_text(html)
    assert (seen.text, [seen.text[start:end] for start, end in seen.doubtful], seen.left_out) == TOLD[html]


def _misplaced(html: str) -> list[tuple[str, str]]:
    """Return the characters of the visible text that do not stand where they are said to, with what stands there."""
    seen, found = visible_text(html), []
    for place, sign in enumerate(seen.text):
        start, end = seen.source_span(place, place + 1)
        said = html[start:end]
        is_there = sign in said or sign in unescape(said) or sign in " \t\n^_" or said == html
        if not (0 <= start <= end <= len(html) and is_there):
            found.append((sign, said))
    return found


def _doubtful_bounds(html: str) -> list[int]:
    return [place for stretch in visible_text(html).doubtful for place in stretch]


@pytest.mark.parametrize("html", [*SEEN, *TOLD])
def test_places(html: str) -> None:
    assert _misplaced(html) == []


TAGS = "b /b p /p table /table tr td !--x-- pre /pre sup /sup /foo br script /script s /s a/x='>' svg form li i/hidden"
TAGS += " s/style script/ details summary div/hidden textarea /textarea select option template/shadowrootmode /template"
PIECES = [f"<{tag}>" for tag in (*TAGS.split(), "/i")]
PIECES += ["a", "5", "&amp;", "&copy", "&#65;", "&", "<", ">", '"', " ", "\n", "\r\n", "\0", "\ufeff"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_every_page_is_read_and_every_character_has_a_place(html: str) -> None:
    assert _misplaced(html) == []
    bounds = _doubtful_bounds(html)
    assert bounds == sorted(set(bounds))
    assert set(bounds) <= set(range(len(visible_text(html).text) + 1))


def test_a_span_covers_what_it_says() -> None:
    html = "<p>cost <b>1,</b>000 &euro;</p>"
    seen = visible_text(html)
    start = seen.text.index("1,000")
    first, last = seen.source_span(start, start + len("1,000 €"))
    assert html[first:last] == "1,</b>000 &euro;"
    with pytest.raises(ValueError):
        seen.source_span(3, 3)


def test_too_many_tags_are_refused() -> None:
    with pytest.raises(BudgetError) as caught:
        visible_text("<" * (MAX_TAGS + 1))
    assert caught.value.code == "reader.too_large"


def test_deep_nesting() -> None:
    assert visible_text("<div>" * 100_000 + "x").text == "x"


HOSTILE = [
    "<b>",
    "<p><font size=%d>x",
    "<a href=%d>x",
    "<table>x<tr>",
    "<table><td>",
    "<!--",
    "<a \"'",
    "x</foo>",
    "&",
    "&amp",
    "<",
]
HOSTILE += [
    "<b><p>x",
    "</zz>x",
    "<sup>5",
    "<td>5",
    "<p style='/* ",
    "<p style='display:",
    "<svg><foreignObject>",
    "<form><div>",
    "<a style=%d><b>",
    "<s><p>x",
    "<s style=%d '",
    "<i hidden>x",
    "<p style>x<b>y",
    "<p style='display:none;",
    "<p style='text-decoration:line-through ",
    "<details>x",
    "<template shadowrootmode>x",
    "<script x='>",
    "<col style><tr><td>x",
    '<s><b x=">',
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_with_the_length(piece: str) -> None:
    def spent(count: int) -> float:
        html = "".join(piece.replace("%d", str(number)) for number in range(count))
        times = []
        for _ in range(3):
            begin = process_time()
            visible_text(html)
            times.append(process_time() - begin)
        return min(times)

    assert spent(4_000) < 24 * spent(500) + 0.01
