"""Anchors for the headings of a page."""


def anchors(headings: list[str]) -> list[str]:
    """Return an anchor for each heading: in lower case with hyphens for spaces; a repeated one gets a number from 2 on.

    >>> anchors(["First Steps", "Usage", "Usage", "usage"])
    ['first-steps', 'usage', 'usage-2', 'usage-3']
    >>> anchors(["A", "B"])
    ['a', 'b']
    >>> anchors(["A  B", "A B"])
    ['a--b', 'a-b']
    >>> anchors([])
    []
    """
    seen: dict[str, int] = {}
    found = []
    for heading in headings:
        anchor = heading.lower().replace(" ", "-")
        seen[anchor] = seen.get(anchor, 0) + 1
        found.append(anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor]}")
    return found
