"""Tasks whose right answers are known, with the inputs on which a function is compared; the same ones each time.

Refuses a task that can mean several things: where answers differ as another meaning would have it, it stays open.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final


@dataclass(frozen=True, slots=True)
class KnownTask:
    """A task: the kind of its inputs, the right answer to each, and the words that name it."""

    inputs: str
    answer: Callable[..., object]
    words: tuple[str, ...]
    has_variants: bool = False
    """Whether it has usual variants, such as the other order, that answer otherwise throughout."""


def _primes(number: int) -> bool:
    return number > 1 and all(number % each for each in range(2, math.isqrt(number) + 1))


def _fibonacci(number: int) -> int:
    one, other = 0, 1
    for _ in range(number):
        one, other = other, one + other
    return one


LONGEST: Final = 600
TASKS: Final[Mapping[str, KnownTask]] = {
    "sort": KnownTask("lists", sorted, ("sort", "sorting", "sorts"), has_variants=True),
    "revers": KnownTask("lists", lambda given: given[::-1], ("reverse", "reversal", "reversing")),
    "sum": KnownTask("lists", sum, ("sum", "summation")),
    "max": KnownTask("full lists", max, ("max", "maximum")),
    "min": KnownTask("full lists", min, ("min", "minimum")),
    "average": KnownTask("full lists", lambda given: Fraction(sum(given), len(given)), ("average", "mean")),
    "dedup": KnownTask(
        "lists", lambda given: list(dict.fromkeys(given)), ("dedup", "deduplication"), has_variants=True
    ),
    "factorial": KnownTask("small", math.factorial, ("factorial",)),
    "fibonacci": KnownTask("small", _fibonacci, ("fibonacci",), has_variants=True),
    "prime": KnownTask("small", _primes, ("primality",)),
}


def task_called(word: str) -> KnownTask | None:
    """Return the task that a word names."""
    return next((task for task in TASKS.values() if word.lower() in task.words), None)


def task_in(name: str) -> KnownTask | None:
    """Return the task that the name of a function speaks of."""
    return next((task for part, task in TASKS.items() if part in name.lower()), None)


def inputs_of(kind: str) -> list[tuple[object, ...]]:
    """Return the arguments of every call that compares a function with a task of this kind."""
    chance = random.Random(7)  # noqa: S311  # no secret: the same inputs each time
    lengths = (1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 5, 8, 8, 13, 13, 21, 40)
    lists = [[chance.randint(-50, 50) for _ in range(length)] for length in lengths]
    lists += [[5], [2, 2, 2], list(range(20)), list(range(20, 0, -1)), [0, -1, 0, 1], [10**12, -(10**12)]]
    lists += [[chance.randint(-(10**9), 10**9) for _ in range(length)] for length in (150, LONGEST)]
    if kind == "small":
        return [(each,) for each in (*range(31), 41, 49, 77, 91, 97, 121, 143, 169, 211)]
    return [(each,) for each in (lists if kind == "full lists" else [[], *lists])]


def same(found: object, wanted: object) -> bool | None:
    """Return whether an answer is the wanted one; None where it is of another type, or rounded."""
    if isinstance(wanted, Fraction):
        if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
            return False
        distance = abs(Fraction(found) - wanted)
        return True if distance <= abs(wanted) / 10**9 else None if distance < Fraction(1, 2) else False
    try:
        if isinstance(found, float) and found != wanted and isinstance(wanted, int | float):
            # What another order of sums rounds away is no wrong answer for everybody.
            return None if math.isnan(found) or math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-12) else False
        if found == wanted:
            are_numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (found, wanted))
            return True if are_numbers or repr(found) == repr(wanted) else None
        is_sequence = isinstance(found, list | tuple) and isinstance(wanted, list | tuple)
        return None if is_sequence and list(found) == list(wanted) else False  # type: ignore[call-overload]  # just seen
    except (ValueError, RecursionError, OverflowError):
        return None
