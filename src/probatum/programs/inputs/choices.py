"""Where generated values get their decisions from: a seeded generator of our own, or Hypothesis.

Every decision is one bounded number. Hypothesis makes it from single bits, because its ready-made numbers prefer
constants of whatever modules happen to be loaded, and the same input must give the same bytes everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["Choices", "DrawnChoices", "SeededChoices", "between", "one_in", "pick"]

T = TypeVar("T")
_BIT = st.booleans()


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


class DrawnChoices:
    """Decisions that Hypothesis makes, and therefore can shrink."""

    def __init__(self, draw: Callable[[SearchStrategy[bool]], bool]) -> None:
        self._draw = draw

    def below(self, count: int) -> int:
        """Return the next number, made of single bits."""
        number = 0
        for _ in range((count - 1).bit_length()):
            number = number * 2 + self._draw(_BIT)
        return number % count


def between(choices: Choices, low: int, high: int) -> int:
    """Return a number from ``low`` to ``high``, both included."""
    return low + choices.below(max(1, high - low + 1))


def one_in(choices: Choices, count: int) -> bool:
    """Decide something that should happen once in ``count`` times; the simplest decision is no."""
    return choices.below(count) == count - 1


def pick(choices: Choices, options: Sequence[T]) -> T:
    """Return one of the options; the first is the simplest."""
    return options[choices.below(len(options))]
