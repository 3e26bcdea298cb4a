"""Where generated values get their decisions from: every decision is one bounded number.

A seeded generator makes those of the inputs that are run, Hypothesis (in `smallest`) those of a search that shrinks.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Choices(Protocol):
    """A source of decisions."""

    def below(self, count: int) -> int:
        """Return a number from 0 to ``count - 1``; smaller ones are simpler. ``count`` is at least 1."""


class SeededChoices:
    """Decisions that are the same for the same seed text, on every machine."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a choice, not a secret

    def below(self, count: int) -> int:
        """Return the next number, all equally likely."""
        return self._random.randrange(count)


def between(choices: Choices, low: int, high: int) -> int:
    """Return a number from ``low`` to ``high``, both included."""
    return low + choices.below(max(1, high - low + 1))


def one_in(choices: Choices, count: int) -> bool:
    """Decide something that should happen once in ``count`` times; the simplest decision is no."""
    return choices.below(count) == count - 1


def pick(choices: Choices, options: Sequence[T]) -> T:
    """Return one of the options; the first is the simplest."""
    return options[choices.below(len(options))]
