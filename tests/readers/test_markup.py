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


def _require_places(html: str) -> None:
    seen = visible_text(html)
    for place, sign in enumerate(seen.text):
        start, end = seen.source_span(place, place + 1)
        assert 0 <= start <= end <= len(html)
        said = html[start:end]
        assert sign in said or sign in unescape(said) or sign in " \t\n^_" or said == html


@pytest.mark.parametrize("html", SEEN)
def test_places(html: str) -> None:
    _require_places(html)


TAGS = "b /b p /p table /table tr td !--x-- pre /pre sup /sup /foo br script /script s /s a/x='>' svg form li i/hidden"
PIECES = [f"<{tag}>" for tag in (*TAGS.split(), "/i")]
PIECES += ["a", "5", "&amp;", "&copy", "&#65;", "&", "<", ">", '"', " ", "\n", "\r\n", "\0", "\ufeff"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_every_page_is_read_and_every_character_has_a_place(html: str) -> None:
    _require_places(html)


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
]


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
