"""Headlines of plain text reports."""

import os


def headline(title: str, width: int | None = None) -> str:
    """Return the title between equals signs, ``width`` characters in all; a longer title is not cut.

    Where the signs cannot be shared evenly, the right side has one more.

    >>> headline("Sales")
    '======== Sales ========='
    >>> headline("Stock", 11)
    '== Stock =='
    >>> headline("Stock", 10)
    '= Stock =='
    >>> headline("Stock", 4)
    ' Stock '
    >>> headline("", 6)
    '==  =='
    """
    if width is None:
        width = int(os.environ.get("COLUMNS", "24"))
    signs = max(width - len(title) - 2, 0)
    return "=" * (signs // 2) + f" {title} " + "=" * (signs - signs // 2)
