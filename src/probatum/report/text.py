"""Plain text for pipes and files: no colour, no wrapping, words for symbols.

Characters that are not plainly visible become Python escapes, which a pasted literal still understands.
"""

from __future__ import annotations

from collections.abc import Sequence

from probatum.core.outside import visible
from probatum.core.sheet import Mark, Page
from probatum.report.layout import lay_out

WORD_MARKS = {Mark.HOLDS: "ok", Mark.FAILS: "FAILS", Mark.UNDECIDED: "open", Mark.NOTE: "-"}


def plain_text(page: Page) -> str:
    """Return a page as text that ends with a line break."""
    return "".join(f"{line.text}\n" for line in lay_out(page, WORD_MARKS))


def aligned_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return rows under their headings, the first column to the left and the others to the right.

    Raises ValueError if a row does not have one cell for each heading.
    """
    table = [[visible(cell) for cell in row] for row in (headings, *rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "".join(f"{line}\n" for line in lines)
