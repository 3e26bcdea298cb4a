"""The members page: who joined last."""

from __future__ import annotations


def recent_users(joined: dict[str, str], limit: int = 10) -> list[str]:
    """Return the names of the users who joined last, newest first.

    >>> joined = {"Ada": "2024-01-15", "Grace": "2024-03-02", "Linus": "2024-02-20"}
    >>> recent_users(joined)
    ['Grace', 'Linus', 'Ada']
    >>> recent_users(joined, limit=2)
    ['Grace', 'Linus']
    >>> recent_users({})
    []
    """
    return sorted(joined, key=joined.__getitem__)[:limit]
