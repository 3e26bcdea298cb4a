"""Second opinions from the standard library: functions whose name says which of its functions they are.

Where Python's own function contradicts a documented result and agrees with the program, the document is in doubt. A
twin never makes an example hold and never refutes.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping

from probatum.programs.running.checks import Action, DirectCall
from probatum.programs.running.compare import Agreement, agree

LARGEST_NUMBER = 10_000
LONGEST_INPUT = 1_000

TWINS: Mapping[str, Callable[..., object]] = {
    "average": statistics.fmean,
    "arithmetic_mean": statistics.fmean,
    "comb": math.comb,
    "factorial": math.factorial,
    "gcd": math.gcd,
    "greatest_common_divisor": math.gcd,
    "harmonic_mean": statistics.harmonic_mean,
    "hypotenuse": math.hypot,
    "isqrt": math.isqrt,
    "lcm": math.lcm,
    "least_common_multiple": math.lcm,
    "mean": statistics.fmean,
    "median": statistics.median,
    "perm": math.perm,
    "population_variance": statistics.pvariance,
}


def second_opinion(action: Action) -> tuple[object] | None:
    """Return, in a tuple of one, what the standard library's function of this name gives; None where there is none."""
    if not isinstance(action, DirectCall) or action.kwargs or not all(_is_small(value) for value in action.args):
        return None
    twin = TWINS.get(action.target.lower().strip("_"))
    if twin is None:
        return None
    try:
        return (twin(*action.args),)
    except (TypeError, ValueError, ArithmeticError, statistics.StatisticsError):
        return None


def _is_small(value: object) -> bool:
    if isinstance(value, list | tuple):
        return len(value) <= LONGEST_INPUT and all(_is_small(item) for item in value)
    return isinstance(value, int | float) and abs(value) <= LARGEST_NUMBER


def sides_with_program(action: Action, expected: object, observed: object) -> bool:
    """True when the second opinion agrees with the program and contradicts the document."""
    opinion = second_opinion(action)
    if opinion is None:
        return False
    [value] = opinion
    return agree(value, observed) is Agreement.EQUAL and agree(value, expected) is Agreement.DIFFERENT
