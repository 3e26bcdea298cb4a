"""Limits on repeated actions."""

from collections.abc import Callable


def attempts(limit: int) -> Callable[[bool], str]:
    """Return a function that is told whether a log-in was right and answers "welcome", "retry" or "locked".

    After ``limit`` wrong attempts in a row every answer is "locked"; a right one before that starts the count again.

    >>> login = attempts(2)
    >>> login(False)
    'retry'
    >>> login(True)
    'welcome'
    >>> login(False)
    'retry'
    >>> login(False)
    'locked'
    >>> login(True)
    'locked'
    >>> other = attempts(1)
    >>> other(True)
    'welcome'
    >>> other(False)
    'locked'
    >>> attempts(3)(False)
    'retry'
    """
    failures = 0

    def login(is_right: bool) -> str:
        nonlocal failures
        if failures >= limit:
            return "locked"
        if is_right:
            return "welcome"
        failures += 1
        return "locked" if failures == limit else "retry"

    return login
