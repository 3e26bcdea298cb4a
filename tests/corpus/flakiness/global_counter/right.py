"""Numbered headings."""


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
    lines = []
    number = first
    for heading in headings:
        if heading:
            lines.append(f"{number}. {heading}")
            number += 1
        else:
            lines.append("")
    return lines
