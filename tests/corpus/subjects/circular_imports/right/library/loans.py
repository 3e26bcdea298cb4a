"""Lending and returning books."""

from library import members
from library.members import limit_of


def lent(loans: list[str], book: str, kind: str = "adult") -> list[str]:
    """Return what a member has at home after borrowing a book; without change if the limit is reached.

    Children may have 2 books, adults 4, others 1. A book that is at home already is not lent again.

    >>> lent([], "Emma")
    ['Emma']
    >>> lent(["Emma"], "Ulysses", "child")
    ['Emma', 'Ulysses']
    >>> lent(["Emma", "Ulysses"], "Dracula", "child")
    ['Emma', 'Ulysses']
    >>> lent(["a", "b", "c"], "d")
    ['a', 'b', 'c', 'd']
    >>> lent(["a", "b", "c", "d"], "e")
    ['a', 'b', 'c', 'd']
    >>> lent(["Emma"], "Ulysses", "guest")
    ['Emma']
    >>> lent(["Emma"], "Emma")
    ['Emma']
    """
    if len(loans) >= limit_of(kind):
        return list(loans)
    return loans if book in loans else [*loans, book]


def returned(loans: list[str], book: str | None) -> list[str]:
    """Return what is still at home after a book came back.

    >>> returned(["Emma", "Ulysses"], "Emma")
    ['Ulysses']
    >>> returned(["Emma"], "Dracula")
    ['Emma']
    >>> returned(["Emma"], None)
    ['Emma']
    """
    return [each for each in loans if each != book]


def summary(loans: list[str]) -> str:
    """Describe what a member has at home.

    >>> summary([])
    'nothing at home'
    >>> summary(["Emma"])
    '1 at home'
    >>> summary(["Emma", "Ulysses"])
    '2 at home'
    """
    return "nothing at home" if members.may_leave(loans) else f"{len(loans)} at home"
