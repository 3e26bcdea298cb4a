"""What statistics are made of: sums, sums of squares about the mean, values by their place in order, and the like.

Each part is computed in one way (`computed`) and confirmed in another one (`is_confirmed`): sums by what is left about
the mean, moments by deviations, order by counting instead of sorting, products in another order.
A checked part is the same number by its definition (Cramér, Mathematical Methods of Statistics, 15.4 and 27.2).
Refuses parts that need what is not there: a second list, positive values, values that are numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.statistics.datasets import MIXED, Dataset


@dataclass(frozen=True, slots=True)
class Samples:
    """The data of a claim, and the second list where one is given."""

    data: Dataset
    other: Dataset | None = None

    def values(self, which: str) -> tuple[tuple[int, ...], int]:
        """Return the numbers of ``data`` or ``other``, times a whole number, and that number."""
        found = self.data if which == "data" else self.paired()[1]
        if not found.scaled:
            raise NotAttemptedError(MIXED, "The values are texts; this statistic is of numbers.")
        return found.scaled, found.scale

    def paired(self) -> tuple[Dataset, Dataset]:
        """Return both lists."""
        if self.other is None:
            raise NotAttemptedError("stats.other_missing", "This statistic needs a second list, 'other'.")
        return self.data, self.other


def require_pairs(samples: Samples) -> None:
    """Raise where the lists are not of the same length."""
    data, other = samples.paired()
    if len(data) != len(other):
        raise NotAttemptedError("stats.unpaired", f"The lists have {len(data)} and {len(other)} values.")


@dataclass(frozen=True, slots=True)
class _Part:
    compute: Callable[[Samples, str], Fraction]
    confirm: Callable[[Samples, str, Fraction], bool]


def computed(samples: Samples, part: str) -> Fraction:
    """Return a part by its name, such as ``sum data`` or ``order 3``."""
    kind, _, rest = part.partition(" ")
    return _PARTS[kind].compute(samples, rest)


def is_confirmed(samples: Samples, part: str, value: Fraction) -> bool:
    """Return whether a part has this value, which is established otherwise than it is computed."""
    kind, _, rest = part.partition(" ")
    return _PARTS[kind].confirm(samples, rest, value)


def _sum(samples: Samples, which: str) -> Fraction:
    values, scale = samples.values(which)
    return Fraction(sum(values), scale)


def _is_sum(samples: Samples, which: str, total: Fraction) -> bool:
    values, scale = samples.values(which)
    mean = total * scale / len(values)
    return sum(each * mean.denominator - mean.numerator for each in values) == 0


def _moment(first: Sequence[int], second: Sequence[int], scale: int) -> Fraction:
    """Return the sum of products of deviations from the means, from the moments about zero."""
    count = len(first)
    return Fraction(count * sum(map(mul, first, second)) - sum(first) * sum(second), count * scale)


def _is_moment(first: Sequence[int], second: Sequence[int], scale: int, moment: Fraction) -> bool:
    count, mean, other = len(first), sum(first), sum(second)
    deviations = ((count * x - mean) * (count * y - other) for x, y in zip(first, second, strict=True))
    return Fraction(sum(deviations), count * count * scale) == moment


def _both(samples: Samples, which: str) -> tuple[Sequence[int], Sequence[int], int]:
    """Return two lists by their names, and the scale of their products."""
    one, two = which.split()
    if one != two:
        require_pairs(samples)
    (first, scale), (second, other_scale) = samples.values(one), samples.values(two)
    return first, second, scale * other_scale


def _order(samples: Samples, rank: str) -> Fraction:
    values, scale = samples.values("data")
    return Fraction(sorted(values)[int(rank) - 1], scale)


def _is_order(samples: Samples, rank: str, value: Fraction) -> bool:
    values, scale = samples.values("data")
    if scale % value.denominator:
        return False
    scaled = value.numerator * (scale // value.denominator)
    below = sum(each < scaled for each in values)
    return below < int(rank) <= below + sum(each == scaled for each in values)


def _raw_products(samples: Samples, _: str) -> Fraction:
    first, second, scale = _both(samples, "data other")
    return Fraction(sum(map(mul, first, second)), scale)


def _is_raw_products(samples: Samples, _: str, value: Fraction) -> bool:
    """By halves of squares: 4xy = (x + y)^2 - (x - y)^2."""
    first, second, scale = _both(samples, "data other")
    squares = sum((x + y) ** 2 - (x - y) ** 2 for x, y in zip(first, second, strict=True))
    return Fraction(squares, 4 * scale) == value


_PARTS: Final[Mapping[str, _Part]] = {
    "sum": _Part(_sum, _is_sum),
    "moment": _Part(
        lambda samples, which: _moment(*_both(samples, which)),
        lambda samples, which, value: _is_moment(*_both(samples, which), value),
    ),
    "order": _Part(_order, _is_order),
    "products": _Part(_raw_products, _is_raw_products),
}
