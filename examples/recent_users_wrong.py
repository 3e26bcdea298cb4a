"""The members page: who joined last."""

from __future__ import annotations


def recent_users(users: list[dict[str, str]], limit: int = 10) -> list[str]:
    """Return the names of the users who joined last, newest first.

    >>> ada = {"name": "Ada", "joined": "2024-01-15"}
    >>> grace = {"name": "Grace", "joined": "2024-03-02"}
    >>> linus = {"name": "Linus", "joined": "2024-02-20"}
    >>> recent_users([ada, grace, linus])
    ['Grace', 'Linus', 'Ada']
    >>> recent_users([ada, grace, linus], limit=2)
    ['Grace', 'Linus']
    >>> recent_users([])
    []
    """
    by_date = sorted(users, key=lambda user: user["joined"])
    return [user["name"] for user in by_date[:limit]]
