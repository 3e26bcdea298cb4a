"""Calls that are tried again."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def retried(times: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Call a function up to ``times`` times until it raises no OSError; the last OSError is raised.

    >>> answers = iter([OSError("busy"), OSError("busy"), "ready"])
    >>> @retried(3)
    ... def status():
    ...     answer = next(answers)
    ...     if isinstance(answer, OSError):
    ...         raise answer
    ...     return answer
    >>> status()
    'ready'
    >>> status.__name__
    'status'
    >>> calls = []
    >>> @retried(2)
    ... def send(text):
    ...     calls.append(text)
    ...     raise ConnectionError("refused")
    >>> send("hello")
    Traceback (most recent call last):
        ...
    ConnectionError: refused
    >>> calls
    ['hello', 'hello']
    >>> @retried(2)
    ... def parse(text):
    ...     calls.append(text)
    ...     return int(text)
    >>> parse("7"), calls
    (7, ['hello', 'hello', '7'])
    >>> parse("x")
    Traceback (most recent call last):
        ...
    ValueError: invalid literal for int() with base 10: 'x'
    >>> calls
    ['hello', 'hello', '7', 'x']
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def tried(*args: P.args, **kwargs: P.kwargs) -> R:
            for _ in range(times - 1):
                try:
                    return function(*args, **kwargs)
                except OSError:
                    continue
            return function(*args, **kwargs)

        return tried

    return decorate
