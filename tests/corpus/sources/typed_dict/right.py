"""Totals for a time sheet."""

from typing import TypedDict


class Entry(TypedDict):
    """One line of the time sheet."""

    project: str
    minutes: int
    billable: bool


def billable_hours(entries: list[Entry]) -> dict[str, float]:
    """Return the hours of every project that can be billed, rounded to two decimals.

    Projects without such hours do not appear.

    >>> billable_hours([{"project": "web", "minutes": 90, "billable": True}])
    {'web': 1.5}
    >>> billable_hours([
    ...     {"project": "web", "minutes": 10, "billable": True},
    ...     {"project": "app", "minutes": 60, "billable": False},
    ...     {"project": "web", "minutes": 10, "billable": True},
    ...     {"project": "web", "minutes": 10, "billable": True},
    ... ])
    {'web': 0.5}
    >>> billable_hours([
    ...     {"project": "app", "minutes": 16, "billable": True},
    ...     {"project": "web", "minutes": 60, "billable": True},
    ...     {"project": "app", "minutes": 20, "billable": False},
    ... ])
    {'app': 0.27, 'web': 1.0}
    >>> billable_hours([])
    {}
    """
    minutes: dict[str, int] = {}
    for entry in entries:
        if entry["billable"]:
            minutes[entry["project"]] = minutes.get(entry["project"], 0) + entry["minutes"]
    return {project: round(total / 60, 2) for project, total in minutes.items()}
