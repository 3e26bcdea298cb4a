"""Breadcrumbs of a web page."""


def with_crumb(title: str, trail: list[str] = ["Home"]) -> list[str]:
    """Return the trail with a title at its end; without a trail, a new one begins at "Home".

    The list that was given is not modified. A title that the trail ends with already is not repeated.

    >>> with_crumb("Books")
    ['Home', 'Books']
    >>> with_crumb("Music")
    ['Home', 'Music']
    >>> with_crumb("Poetry", ["Home", "Books"])
    ['Home', 'Books', 'Poetry']
    >>> with_crumb("Books", ["Home", "Books"])
    ['Home', 'Books']
    >>> with_crumb("Home")
    ['Home']
    >>> with_crumb("Start", [])
    ['Start']
    >>> trail = ["Shop"]
    >>> with_crumb("Sale", trail)
    ['Shop', 'Sale']
    >>> trail
    ['Shop']
    """
    if not trail or trail[-1] != title:
        trail.append(title)
    return trail
