"""Claims about statistics of data: computed with fractions, and roots with fifty digits."""

from __future__ import annotations

import statistics
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random
from typing import Final

from tests.exact.generated.claim import (
    Made,
    claimed,
    families,
    fixed,
    last_digit_changed,
    related,
    rounded,
    written,
)


def _data(random: Random, least: int = 3) -> tuple[list[Fraction], int]:
    places = random.choice([0, 0, 1, 2, 4])
    size = random.randint(least, random.choice([6, 12, 30]))
    spread = random.choice([3, 10, 1000]) * 10**places
    values = [
        Fraction(random.randint(-spread if random.random() < 0.3 else 0, spread), 10**places) for _ in range(size)
    ]
    return values, places


def _given(random: Random, values: list[Fraction], places: int) -> object:
    texts = [fixed(value, places) for value in values]
    kind = random.randrange(3)
    if kind == 0:
        return ", ".join(texts)
    if kind == 1:
        return "[" + ", ".join(texts) + "]"
    return texts


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _spread(values: list[Fraction], kind: str) -> Fraction:
    mean = _mean(values)
    return sum(((each - mean) ** 2 for each in values), Fraction(0)) / (len(values) - (kind == "sample"))


def _quantile(values: list[Fraction], part: Fraction, method: str) -> Fraction:
    ordered, size = sorted(values), len(values)
    position = (size - 1) * part if method == "linear" else (size + 1) * part - 1
    position = min(max(position, Fraction(0)), Fraction(size - 1))
    low = position.numerator // position.denominator
    high = min(low + 1, size - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


def _root(value: Fraction) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        return (Decimal(value.numerator) / Decimal(value.denominator)).sqrt()


def _figure(random: Random, values: list[Fraction]) -> tuple[str, Fraction]:
    kind = random.choice(["sample", "population"])
    part = Fraction(random.randint(1, 99), 100)
    method = random.choice(["linear", "weibull"])
    figures: list[tuple[str, Fraction]] = [
        ("mean", _mean(values)),
        ("sum", sum(values, Fraction(0))),
        ("median", Fraction(statistics.median(values))),
        ("count", Fraction(len(values))),
        ("min", min(values)),
        ("max", max(values)),
        ("range", max(values) - min(values)),
        (f"variance({kind})", _spread(values, kind)),
        (f"stdev({kind})^2", _spread(values, kind)),
        (f"quantile({written(part)}, {method})", _quantile(values, part, method)),
        (f"quantile(data, {written(part)}, method={method})", _quantile(values, part, method)),
        (f"iqr({method})", _quantile(values, Fraction(3, 4), method) - _quantile(values, Fraction(1, 4), method)),
        (f"variance(data, kind={kind})", _spread(values, kind)),
        ("max(data) - mean(data)", max(values) - _mean(values)),
        (f"percentile({part * 100}, {method})", _quantile(values, part, method)),
    ]
    return random.choice(figures)


def _one_figure(random: Random, truth: bool) -> Made:
    values, places = _data(random)
    name, value = _figure(random, values)
    return claimed(random, name, value, truth), {"data": _given(random, values, places)}


def _one_column(random: Random, truth: bool) -> Made:
    values, places = _data(random)
    name, value = _figure(random, values)
    rows = [f"{at},{fixed(each, places)},{random.randint(0, 9)}" for at, each in enumerate(values)]
    return claimed(random, name, value, truth), {"data": "\n".join(["row,price,size", *rows]), "column": "price"}


def _two_figures(random: Random, truth: bool) -> Made:
    values, places = _data(random)
    (one, left), (two, right) = _figure(random, values), _figure(random, values)
    return f"{one} {related(random, left, right, truth)} {two}", {"data": _given(random, values, places)}


def _deviation_rounded(random: Random, truth: bool) -> Made:
    while True:
        values, places = _data(random)
        kind = random.choice(["sample", "population"])
        digits = random.randint(1, 9)
        text = rounded(_root(_spread(values, kind)), digits)
        if text is not None and len(set(values)) > 1:
            break
    if not truth:
        text = last_digit_changed(random, text)
    return f"stdev({kind}) ~= {text}", {"data": _given(random, values, places)}


def _sample_or_population(random: Random, truth: bool) -> Made:
    """The variance of the sample taken for that of the population."""
    values, places = _data(random)
    kinds = ["sample", "population"]
    random.shuffle(kinds)
    value = _spread(values, kinds[0])
    kind = kinds[0] if truth else kinds[1]
    if value == 0:
        return ("range = 0" if truth else "range = 1"), {"data": _given(random, values, places)}
    return f"variance({kind}) = {written(value)}", {"data": _given(random, values, places)}


def _mode(random: Random, truth: bool) -> Made:
    values = [random.randint(0, 6) for _ in range(random.randint(3, 12))]
    (likely, times), *others = Counter(values).most_common()
    modes = {likely, *(value for value, count in others if count == times)}
    if len(modes) == 1 and others and random.random() < 0.6:
        told = likely if truth else others[0][0]
        if random.random() < 0.3:
            return f'mode = "{"abcdefg"[told]}"', {"data": ["abcdefg"[each] for each in values]}
        return f"mode = {told}", {"data": values}
    if not truth:
        modes ^= {random.choice([each for each in range(8) if each not in modes or len(modes) > 1])}
    return f"modes = {{{', '.join(map(str, random.sample(sorted(modes), len(modes))))}}}", {"data": values}


def _two_lists(random: Random, truth: bool) -> Made:
    while True:
        left, places = _data(random)
        right = [Fraction(random.randint(0, 50), 2) for _ in left]
        across, down = _spread(left, "population"), _spread(right, "population")
        if across and down and sum(right):
            break
    means, size = (_mean(left), _mean(right)), len(left)
    shared = _mean([(a - means[0]) * (b - means[1]) for a, b in zip(left, right, strict=True)])
    given = {"data": _given(random, left, places), "other": _given(random, right, 1)}
    root = _root(shared * shared / (across * down))
    text = rounded(root if shared >= 0 else -root, random.randint(2, 8))
    if text is not None and Fraction(text) and random.random() < 0.4:
        turned = text.removeprefix("-") if text[0] == "-" else f"-{text}"
        return f"correlation ~= {text if truth else random.choice([last_digit_changed(random, text), turned])}", given
    facts = {
        "covariance(population)": shared,
        "covariance(sample)": shared * size / (size - 1),
        "slope": shared / across,
        "intercept": means[1] - shared / across * means[0],
        "r_squared": shared * shared / (across * down),
        "weighted_mean": sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0)) / sum(right),
    }
    name, value = random.choice(list(facts.items()))
    return claimed(random, name, value, truth), given


FAMILIES: Final = families(
    "stats",
    *(_one_figure, _one_column, _two_figures, _deviation_rounded, _sample_or_population, _mode, _two_lists),
)
