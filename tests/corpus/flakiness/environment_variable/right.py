"""Headlines of plain text reports."""


def headline(title: str, width: int = 24) -> str:
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
    signs = max(width - len(title) - 2, 0)
    return "=" * (signs // 2) + f" {title} " + "=" * (signs - signs // 2)
