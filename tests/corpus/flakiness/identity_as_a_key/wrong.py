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
    seen: set[str] = set()
    found = []
    for heading in headings:
        anchor = heading.lower().replace(" ", "-")
        found.append(f"{anchor}-{id(heading):x}" if anchor in seen else anchor)
        seen.add(anchor)
    return found
