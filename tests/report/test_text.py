"""Text for pipes and terminals: the same words, safe to print whatever a program put into them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from probatum.core.outside import is_seen, visible
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.report.layout import SYMBOL_MARKS, lay_out
from probatum.report.terminal import TerminalLines
from probatum.report.text import WORD_MARKS, aligned_table, plain_text

PAGE = Page(
    "REFUTED",
    Mark.FAILS,
    "app.py::newest",
    ("newest does not do what its documentation says.",),
    (
        Section("Counterexample", (Entry(Mark.FAILS, "newest([2, 1])", 14, ("gave [1, 2]", "expected [2, 1]")),)),
        Section("Clauses", (Entry(Mark.HOLDS, "newest([])\n== []", 3), Entry(Mark.UNDECIDED, "an open one", 120))),
        Section("Not checked", (Entry(Mark.NOTE, "what happens at midnight"),)),
    ),
    (("Repeat", "probatum verify app.py::newest"), ("Next", "Mend it.")),
)

PLAIN = """\
REFUTED  app.py::newest
newest does not do what its documentation says.

Counterexample
  FAILS  line 14  newest([2, 1])
                  gave [1, 2]
                  expected [2, 1]

Clauses
  ok     line 3    newest([])
                   == []
  open   line 120  an open one

Not checked
  -      what happens at midnight

Repeat  probatum verify app.py::newest
Next    Mend it.
"""

HOSTILE = {
    "escape sequence": "\x1b[2J\x1b[31mVERIFIED",
    "carriage return": "fails\rholds",
    "right to left override": "\u202eDEIFIREV",
    "zero width joiner": "a\u200db",
    "byte order mark": "\ufeff",
    "lone surrogate": "\ud800",
    "line separator": "\u2028VERIFIED",
    "terminal title": "\x1b]0;VERIFIED\x07",
    "markup": "[bold green]VERIFIED[/]",
}


def on_terminal(page: Page, *, width: int = 80, colour: bool = False) -> str:
    written = io.StringIO()
    system = "truecolor" if colour else None
    console = Console(file=written, width=width, force_terminal=colour, color_system=system, highlight=False)
    console.print(TerminalLines(lay_out(page, SYMBOL_MARKS)), crop=False)
    return written.getvalue()


def test_a_page_as_plain_text() -> None:
    assert plain_text(PAGE) == PLAIN


def test_a_terminal_shows_symbols_and_the_same_words() -> None:
    shown = on_terminal(PAGE)
    assert "✗  line 14  newest([2, 1])" in shown
    assert "✓  line 3    newest([])" in shown
    assert "·  what happens at midnight" in shown


def test_colours_appear_on_a_colour_terminal_alone() -> None:
    assert "\x1b[" in on_terminal(PAGE, colour=True)
    assert "\x1b" not in on_terminal(PAGE)


def test_a_long_note_wraps_under_its_own_text() -> None:
    page = Page("X", Mark.NOTE, "y", (), (Section("T", (Entry(Mark.NOTE, "word " * 30),)),))
    lines = on_terminal(page, width=40).splitlines()[3:]
    assert all(len(line) <= 40 for line in lines)
    assert all(line.startswith("     word") for line in lines[1:])


def test_a_call_to_be_pasted_is_never_broken() -> None:
    call = f"newest([{', '.join(['1'] * 80)}])"
    page = Page("REFUTED", Mark.FAILS, "y", (), (Section("T", (Entry(Mark.FAILS, call, 1, (call,)),)),))
    assert on_terminal(page, width=40).count(call) == 2


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_cannot_steer_the_reader(text: str) -> None:
    page = Page("REFUTED", Mark.FAILS, text, (text,), (Section(text, (Entry(Mark.HOLDS, text, 1, (text,)),)),))
    for shown in (plain_text(page), on_terminal(page)):
        assert all(character.isprintable() or character == "\n" for character in shown)
    assert len(plain_text(page).splitlines()) == 6
    assert "[bold green]VERIFIED[/]" not in text or "[bold green]VERIFIED[/]" in on_terminal(page)


@given(st.text())
def test_plain_text_is_plainly_visible_whatever_comes(text: str) -> None:
    page = Page("REFUTED", Mark.FAILS, text, (text,), (Section(text, (Entry(Mark.HOLDS, text, 1, (text,)),)),))
    assert all(map(is_seen, plain_text(page).split("\n")))


# Some letters, such as the fillers of Hangul, show nothing.
@given(st.text(st.characters(categories=["L", "N", "P", "S"]).filter(is_seen)))
def test_text_that_is_plainly_visible_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@given(st.text(max_size=20))
def test_a_literal_survives_being_made_plain(text: str) -> None:
    assert eval(visible(repr(text))) == text


def test_continuation_lines_stay_below_their_entry() -> None:
    hangs = [line.hang for line in lay_out(PAGE, WORD_MARKS) if line.text.strip() == "== []"]
    assert hangs == [len("  ok     line 120  ")]


def test_a_cell_steers_no_terminal_and_begins_no_line() -> None:
    table = aligned_table(("model", "n"), (("\x1b[31mred\nnew", "1"), ("ä", "2")))
    assert table.splitlines()[2:] == ["\\x1b[31mred\\nnew  1", "ä" + " " * 17 + "2"]


def test_a_table_aligns_its_columns() -> None:
    table = aligned_table(("label", "refuted"), (("right", "0"), ("hard_wrong", "140")))
    assert table == "label       refuted\n----------  -------\nright             0\nhard_wrong      140\n"


def test_a_ragged_table_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        aligned_table(("a", "b"), (("only one",),))
