"""Numbered headings."""

_number = 0


def numbered(headings: list[str], first: int = 1) -> list[str]:
    """Return the headings with numbers in front, beginning with ``first``; headings that are empty get none.

    >>> numbered(["Scope", "Terms"])
    ['1. Scope', '2. Terms']
    >>> numbered(["Method", "", "Results"], first=3)
    ['3. Method', '', '4. Results']
    >>> numbered(["Scope"])
    ['1. Scope']
    >>> numbered([])
    []
    """
    global _number
    if first > 1:
        _number = first - 1
    lines = []
    for heading in headings:
        if heading:
            _number += 1
            lines.append(f"{_number}. {heading}")
        else:
            lines.append("")
    return lines
