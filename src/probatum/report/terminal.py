"""Lines of a page on a terminal: colour, symbols, and lines that wrap under their own text.

Every piece becomes styled text: markup in a subject's text is never interpreted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from probatum.report.layout import PageLine, Role

_STYLE = {
    Role.HOLDS: "bold green",
    Role.FAILS: "bold red",
    Role.UNDECIDED: "bold yellow",
    Role.NOTE: "dim",
    Role.SUBJECT: "bold",
    Role.TITLE: "bold underline",
    Role.PLACE: "cyan",
    Role.DETAIL: "italic",
    Role.LABEL: "dim",
}


class TerminalLines:
    """Lines that a rich console prints; print it with ``crop=False``, or lines to be copied lose their end."""

    def __init__(self, lines: Sequence[PageLine]) -> None:
        self._lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self._lines:
            yield from _wrapped(line, console, options.max_width)


def _wrapped(line: PageLine, console: Console, width: int) -> Iterator[Text]:
    """Yield the line, broken between words where it is too wide, its continuation hanging under its text."""
    text = Text()
    for piece in line.pieces:
        text.append(piece.text, _STYLE.get(piece.role, ""))
    text.rstrip()
    room = width - line.hang
    if line.copyable or text.cell_len <= width or room < width // 3:
        text.no_wrap, text.overflow = True, "ignore"
        yield text
        return
    head, body = text.divide([line.hang])
    for number, part in enumerate(body.wrap(console, room)):
        part.rstrip()
        yield (head if number == 0 else Text(" " * line.hang)) + part
