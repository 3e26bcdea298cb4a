"""Claims of finance: formulas computed with fractions, rates of return by construction."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Decimal
from fractions import Fraction
from math import floor
from random import Random
from typing import Final

from tests.exact.generated.claim import (
    Made,
    claimed,
    families,
    fixed,
    last_digit_changed,
    nearly,
    related,
    rounded,
    written,
)

_ROUNDING: Final = {
    "half_even": ROUND_HALF_EVEN,
    "half_up": ROUND_HALF_UP,
    "up": ROUND_UP,
    "down": ROUND_DOWN,
    "floor": ROUND_FLOOR,
    "ceiling": ROUND_CEILING,
}


def _amount(random: Random) -> Fraction:
    return Fraction(random.randint(1, 10**7), random.choice([1, 100]))


def _rate(random: Random) -> Fraction:
    return Fraction(random.randint(1, 2500), 10000)


def _percent(rate: Fraction) -> str:
    return f"{written(rate * 100)}%"


def _formula(random: Random) -> tuple[str, Fraction]:
    """Return a figure and its value."""
    base, other, rate, years = _amount(random), _amount(random), _rate(random), random.randint(1, 12)
    a, b, r = written(base), written(other), _percent(rate)
    grown = (1 + rate) ** years
    paid = base * rate / (1 - 1 / (grown * (1 + rate)))
    figures: list[tuple[str, Fraction]] = [
        (f"future_value({a}, {r}, {years})", base * grown),
        (f"present_value({a}, {r}, {years})", base / grown),
        (f"compound_interest({a}, {r}, {years})", base * grown - base),
        (f"simple_interest({a}, {r}, {years})", base * rate * years),
        (f"payment({a}, {r}, {years})", base * rate / (1 - 1 / grown)),
        (f"payment({a}, {r}, {years}, begin)", base * rate / (1 - 1 / grown) / (1 + rate)),
        (f"total_interest({a}, {r}, {years})", base * rate / (1 - 1 / grown) * years - base),
        (f"annuity_future({a}, {r}, {years})", base * (grown - 1) / rate),
        (f"annuity_present({a}, {r}, {years})", base * (1 - 1 / grown) / rate),
        (f"future_value({a}, {r}, {years}, 12)", base * (1 + rate / 12) ** (12 * years)),
        (f"balance({a}, {r}, {years + 1}, {years})", base * grown - paid * (grown - 1) / rate),
        (f"present_value({a}, {r}, {years}, 4)", base / (1 + rate / 4) ** (4 * years)),
        (f"effective_rate({r}, {years})", (1 + rate / years) ** years - 1),
        (f"change({a}, {b})", (other - base) / base),
        (f"margin({a}, {b})", (other - base) / other),
        (f"markup({a}, {b})", (other - base) / base),
        (f"share({a}, {b})", base / other),
        (f"{r} of {a}", rate * base),
        (f"discounted({a}, {r})", base * (1 - rate)),
        (f"with_tax({a}, {r})", base * (1 + rate)),
        (f"without_tax({a}, {r})", base / (1 + rate)),
        (f"round({a} * {r}, 2, half_up)", Fraction(floor(base * rate * 100 + Fraction(1, 2)), 100)),
        (f"straight_line({a}, {written(base / 10)}, {years})", base * Fraction(9, 10) / years),
    ]
    return random.choice(figures)


def _formula_compared(random: Random, truth: bool) -> Made:
    while True:
        text, value = _formula(random)
        if value.denominator <= 10**40:
            return claimed(random, text, value, truth), {}


def _formula_rounded(random: Random, truth: bool) -> Made:
    while True:
        text, value = _formula(random)
        told = rounded(value, random.randint(0, 6))
        if told is not None:
            break
    return f"{text} ~= {told if truth else last_digit_changed(random, told)}", {}


def _ways_of_rounding(random: Random, truth: bool) -> Made:
    name = random.choice(list(_ROUNDING))
    places, more = random.randint(0, 3), random.randint(1, 3)
    value = Decimal(random.randint(-(10**7), 10**7)).scaleb(-places - more)
    if random.random() < 0.5:
        # A number just in the middle, where the ways of rounding differ.
        value = Decimal(random.randint(-999, 999) * 10 + 5).scaleb(-places - 1)
    result = Fraction(value.quantize(Decimal(1).scaleb(-places), _ROUNDING[name]))
    step = Fraction(1, 10**places)
    told = result if truth else result + random.choice([-step, step])
    return f"round({value:f}, {places}, {name}) = {fixed(told, places)}", {}


def _rate_of_return(random: Random, truth: bool) -> Made:
    """Flows that are invested at a rate: what is put in once comes back with it, so there is one rate."""
    rate = Fraction(random.randint(-900, 3000), 1000)
    years = random.randint(1, 5)
    paid = [Fraction(random.randint(0, 500)) for _ in range(years - 1)] + [Fraction(random.randint(1, 500))]
    worth = sum((each / (1 + rate) ** (at + 1) for at, each in enumerate(paid)), Fraction(0))
    flows = [-worth, *paid]
    told = rate if truth else nearly(random, rate)
    scale = worth.denominator
    texts = [str(int(each * scale)) for each in flows]
    sides = random.choice([f"irr = {written(told)}", f"irr = {written(told * 100)}%"])
    if random.random() < 0.3:
        sides = f"irr {related(random, rate, told, truth)} {written(told)}"
    return sides, {"flows": random.choice([texts, ", ".join(texts)])}


def _present_value(random: Random, truth: bool) -> Made:
    rate = _rate(random)
    flows = [random.randint(-5000, 5000) for _ in range(random.randint(2, 6))]
    value = sum((each / (1 + rate) ** at for at, each in enumerate(flows)), Fraction(0))
    text = rounded(value, 2)
    if text is None:
        text = fixed(Fraction(value.numerator // value.denominator), 0)
        return f"npv({_percent(rate)}) {'>=' if truth else '<'} {text}", {"flows": flows}
    if not truth:
        text = last_digit_changed(random, text)
    return f"npv({_percent(rate)}, flows) ~= {text}", {"flows": flows}


def _growth(random: Random, truth: bool) -> Made:
    rate, years, start = _rate(random), random.randint(1, 6), random.randint(1, 99999)
    end = start * (1 + rate) ** years
    told = rate if truth else nearly(random, rate)
    return f"cagr({start}, {written(end)}, {years}) = {_percent(told)}", {}


def _amounts(random: Random, truth: bool) -> Made:
    each, times = Fraction(random.randint(1, 99999), 100), random.randint(2, 60)
    sign = random.choice("$€")
    value = each * times if truth else nearly(random, each * times)
    if value < 0 or value * 100 % 1:
        value = each * times + Fraction(1, 100)
    return f"{sign}{fixed(each, 2)} * {times} = {sign}{fixed(value, 2)}", {}


FAMILIES: Final = families(
    "finance",
    *(_formula_compared, _formula_rounded, _ways_of_rounding, _rate_of_return, _present_value, _growth, _amounts),
)
