"""Decides claims about statistics of data: ``mean = 2.5``, ``stdev(sample) ~= 1.58``, ``quantile(0.9, linear) < 10``.

Everything is exact: data mean what is written, and roots are compared by their powers. Where a statistic has several
definitions in use (population or sample, nine quantiles), the claim names one; without it, it is decided only where
all of them agree. Refuses statistics that the data do not define, such as the correlation of a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final

from probatum.core.errors import NotAttemptedError, nearest
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted, unreadable
from probatum.exact.numbers.expressions import (
    Chain,
    FunctionCall,
    Name,
    Node,
    Number,
    Power,
    Prefixed,
    Relations,
    Suffixed,
    read_expression,
)
from probatum.exact.numbers.rational import FUNCTIONS, NotRationalError
from probatum.exact.numbers.real_roots import (
    RealRoot,
    first_broken,
    read_number_text,
    real,
    root_of,
    value_of,
    written_number,
)
from probatum.exact.numbers.writing import statement_text
from probatum.exact.statistics.datasets import read_dataset
from probatum.exact.statistics.modes import FAILS, HOLDS, SYNTAX, check_mode, decide_mode, read_mode
from probatum.exact.statistics.quantiles import METHODS, method_number, neighbours
from probatum.exact.statistics.samples import Samples, computed, is_confirmed

UNDEFINED: Final = "stats.undefined"
_MAX_READINGS: Final = 81
_KINDS: Final = ("population", "sample")
_LISTS: Final = ("data", "other")
_OF_TWO: Final = frozenset({"correlation", "covariance", "slope", "intercept", "r_squared", "weighted_mean"})
_Asking = Callable[[str], Fraction]


@dataclass(frozen=True, slots=True)
class _Figures:
    """The statistics of some data, made of parts that are asked for."""

    ask: _Asking
    samples: Samples
    chosen: Mapping[int, str]
    """By the place of a name: the definition that is taken where the claim names none."""

    @property
    def count(self) -> int:
        return len(self.samples.data)

    def known(self, node: Name | FunctionCall) -> RealRoot | None:
        """Return a statistic; None where it is no name of one."""
        if not _is_statistic(node):
            return None
        return _PLAIN[node.name](self) if node.name in _PLAIN else _CALLS[node.name].compute(self, node)

    def mean(self, which: str) -> Fraction:
        return self.ask(f"sum {which}") / len(self.samples.values(which)[0])

    def divided(self, above: Fraction, below: Fraction) -> Fraction:
        if not below:
            raise CannotDecideError(UNDEFINED, "The data do not define this statistic: it divides by zero.")
        return above / below

    def spread(self, which: str, kind: str) -> Fraction:
        """Return a variance or covariance of two names of lists."""
        lost = 1 if kind == "sample" else 0
        return self.divided(
            self.ask(f"moment {which}"), Fraction(len(self.samples.values(which.partition(" ")[0])[0]) - lost)
        )

    def quantile(self, probability: Fraction, method: int) -> Fraction:
        if not 0 <= probability <= 1:
            raise CannotDecideError(UNDEFINED, "A quantile is of a probability from 0 to 1.")
        found = neighbours(self.count, probability, method)
        low = self.ask(f"order {found.low}") if found.share < 1 else Fraction(0)
        high = self.ask(f"order {found.high}") if found.share else Fraction(0)
        return (1 - found.share) * low + found.share * high

    def correlation(self) -> RealRoot:
        across = self.ask("moment data other")
        squares = self.ask("moment data data") * self.ask("moment other other")
        return root_of(self.divided(across**2, squares), 2, (across > 0) - (across < 0))

    def slope(self) -> Fraction:
        return self.divided(self.ask("moment data other"), self.ask("moment data data"))

    def weighted_mean(self) -> RealRoot:
        if min(self.samples.values("other")[0]) < 0:
            raise CannotDecideError(UNDEFINED, "A weight is negative.")
        return real(self.divided(self.ask("products"), self.ask("sum other")))

    def option(self, node: Name | FunctionCall, at: int) -> str:
        """Return the definition that a name is to be read with: the one in its brackets, or one of several."""
        arguments = _arguments(node)
        if at == len(arguments):
            return self.chosen[node.start]
        argument = arguments[at]
        if isinstance(argument, Name):
            return argument.name
        return str(argument.value) if isinstance(argument, Number) else ""

    def kind(self, node: Name | FunctionCall) -> str:
        kind = self.option(node, 0)
        if kind not in _KINDS:
            raise NotAttemptedError("stats.kind_missing", f"{node.name} is of 'population' or 'sample'.")
        return kind

    def method(self, node: Name | FunctionCall, at: int) -> int:
        written = self.option(node, at)
        method = method_number(written)
        if method is None:
            sentence = f"A quantile is by one of the methods 1 to 9: {', '.join(METHODS)}."
            raise NotAttemptedError("stats.method_missing", sentence, nearest(written, METHODS))
        return method


@dataclass(frozen=True, slots=True)
class _Bracketed:
    """A statistic with something in brackets."""

    compute: Callable[[_Figures, Name | FunctionCall], RealRoot]
    least: int
    options: tuple[str, ...] = ()
    """The definitions that one more argument names, and that may be left open."""


def _arguments(node: Name | FunctionCall) -> tuple[Node, ...]:
    """Return what stands in the brackets, without the names of the lists, and the definition without its key."""
    given = node.arguments if isinstance(node, FunctionCall) else ()
    names = tuple(each.name if isinstance(each, Name) else "" for each in given[:2])
    if names == _LISTS and node.name in _OF_TWO:
        given = given[2:]
    elif names[:1] == _LISTS[:1] and node.name not in _OF_TWO:
        given = given[1:]
    match given:
        case (*others, Relations(operands=(Name(name="kind" | "method"), value), relations=("=",))):
            return (*others, value)
    return given


def _is_statistic(node: Name | FunctionCall) -> bool:
    """Return whether a name is one of a statistic; ``max(1, 2)`` is one of arithmetic."""
    return (node.name in _PLAIN or node.name in _CALLS) and not (node.name in FUNCTIONS and _arguments(node))


def _number(node: Name | FunctionCall, at: int) -> Fraction:
    return value_of(_arguments(node)[at], lambda _: None).rational


def _iqr(figures: _Figures, node: Name | FunctionCall) -> RealRoot:
    method = figures.method(node, 0)
    return real(figures.quantile(Fraction(3, 4), method) - figures.quantile(Fraction(1, 4), method))


_PLAIN: Final[dict[str, Callable[[_Figures], RealRoot]]] = {
    "count": lambda f: real(Fraction(f.count)),
    "sum": lambda f: real(f.ask("sum data")),
    "mean": lambda f: real(f.mean("data")),
    "median": lambda f: real(f.quantile(Fraction(1, 2), 7)),
    "min": lambda f: real(f.ask("order 1")),
    "max": lambda f: real(f.ask(f"order {f.count}")),
    "range": lambda f: real(f.ask(f"order {f.count}") - f.ask("order 1")),
    "weighted_mean": lambda f: f.weighted_mean(),
    "correlation": lambda f: f.correlation(),
    "slope": lambda f: real(f.slope()),
    "intercept": lambda f: real(f.mean("other") - f.slope() * f.mean("data")),
    "r_squared": lambda f: real(
        f.divided(f.ask("moment data other") ** 2, f.ask("moment data data") * f.ask("moment other other"))
    ),
}
_CALLS: Final[dict[str, _Bracketed]] = {
    "variance": _Bracketed(lambda f, n: real(f.spread("data data", f.kind(n))), 0, _KINDS),
    "stdev": _Bracketed(lambda f, n: root_of(f.spread("data data", f.kind(n)), 2), 0, _KINDS),
    "covariance": _Bracketed(lambda f, n: real(f.spread("data other", f.kind(n))), 0, _KINDS),
    "quantile": _Bracketed(lambda f, n: real(f.quantile(_number(n, 0), f.method(n, 1))), 1, METHODS),
    "percentile": _Bracketed(lambda f, n: real(f.quantile(_number(n, 0) / 100, f.method(n, 1))), 1, METHODS),
    "iqr": _Bracketed(_iqr, 0, METHODS),
}
_PLAIN.update({other: _PLAIN[name] for other, name in (("average", "mean"), ("minimum", "min"), ("maximum", "max"))})
_CALLS.update(dict.fromkeys(("std", "stddev", "standard_deviation"), _CALLS["stdev"]))


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a statement about data holds; raises as `EngineModule.decide`."""
    mode = read_mode(claim.statement)
    comparison = None if mode else _comparison(claim.statement)
    samples = _samples(claim)
    if comparison is None:
        assert mode is not None
        return decide_mode(mode, samples.data)
    parts: dict[str, Fraction] = {}

    def ask(part: str) -> Fraction:
        if part not in parts:
            parts[part] = computed(samples, part)
        return parts[part]

    readings = _readings(comparison)
    sides = [_sides(comparison, _Figures(ask, samples, chosen)) for chosen in readings]
    broken = [first_broken(comparison, each) for each in sides]
    written = [[str(side) for side in each] for each in sides]
    if all(place is None for place in broken):
        return proved(
            HOLDS, {"parts": {name: written_number(value) for name, value in parts.items()}, "sides": written}
        )
    place = broken[0]
    if place is None or None in broken:
        options = [each.options for each in _CALLS.values() if set(readings[0].values()) & set(each.options)]
        code = "stats.kind_missing" if _KINDS in options else "stats.method_missing"
        raise NotAttemptedError(code, "The definitions in use disagree.", f"Name one of {', '.join(options[0])}.")
    left, right = written[0][place : place + 2]
    is_left = next(_names_in(comparison.operands[place]), None) is not None
    values = {"calculated_value": left if is_left else right, "claimed_value": right if is_left else left}
    told = {**values, "relation": comparison.relations[place], "sides": written}
    return refuted(FAILS, f"The left side is {left[:80]}, the right side {right[:80]}.", told)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing."""
    mode = read_mode(claim.statement)
    samples = _samples(claim)
    if mode is not None:
        return check_mode(mode, samples.data, certificate)
    comparison = _comparison(claim.statement)
    shape = Shape(certificate, "certificate").exactly("parts", "sides")
    parts, confirmed = shape.member("parts"), dict[str, Fraction]()

    def ask(part: str) -> Fraction:
        if part not in confirmed:
            value = read_number_text(parts.text(part))
            if not is_confirmed(samples, part, value):
                raise ValueError(f"{part} is another number")
            confirmed[part] = value
        return confirmed[part]

    found = [_sides(comparison, _Figures(ask, samples, chosen)) for chosen in _readings(comparison)]
    if [[str(side) for side in each] for each in found] != shape.raw("sides") or confirmed.keys() != parts.raw().keys():  # type: ignore[union-attr]  # an object
        raise ValueError("the sides have other values, or there is a part that nothing asks for")
    if any(first_broken(comparison, each) is not None for each in found):
        raise ValueError("the values do not stand in the claimed relation")
    return HOLDS


def stated(claim: ExactClaim) -> str:
    """Return a statement as it is read; raises as `decide` for what cannot be read."""
    mode = read_mode(claim.statement)
    return mode.text if mode is not None else statement_text(_comparison(claim.statement))


def _samples(claim: ExactClaim) -> Samples:
    column, second = (claim.inputs.optional(Shape.text, key) for key in ("column", "other-column"))
    data = read_dataset(claim, "data", column)
    if second is not None:
        if "other" in claim.given:
            raise NotAttemptedError("stats.syntax", "The second list is given twice: 'other' and 'other-column'.")
        return Samples(data, read_dataset(claim, "data", second))
    return Samples(data, read_dataset(claim, "other") if "other" in claim.given else None)


def _sides(comparison: Relations, figures: _Figures) -> list[RealRoot]:
    try:
        return [value_of(each, figures.known) for each in comparison.operands]
    except NotRationalError as error:
        detail = f"{error} stands in a sum or a function, which is beyond exact comparison."
        raise CannotDecideError("stats.beyond", detail) from error


def _comparison(statement: str) -> Relations:
    hint = "Write a statistic and its value, such as: mean = 2.5."
    if not statement.strip():
        raise NotAttemptedError(SYNTAX, "The statement is empty.", hint)
    node = read_expression(statement, SYNTAX)
    if not isinstance(node, Relations):
        raise NotAttemptedError(SYNTAX, "The statement has no relation such as '=', so it claims nothing.", hint)
    named = 0
    for each in _names_in(node):
        if _is_statistic(each):
            named += 1
            _require_arguments(each, statement)
        elif not isinstance(each, FunctionCall) or each.name not in FUNCTIONS:
            near = nearest(each.name, (*_PLAIN, *_CALLS, "mode"))
            raise unreadable(SYNTAX, statement, each.start, "This is no statistic that is known", near or hint)
    if not named:
        raise NotAttemptedError(SYNTAX, "The statement names no statistic.", hint)
    return node


def _require_arguments(node: Name | FunctionCall, statement: str) -> None:
    least, options = (_CALLS[node.name].least, _CALLS[node.name].options) if node.name in _CALLS else (0, ())
    if not least <= len(_arguments(node)) <= least + bool(options):
        count = f"{least} or {least + 1}" if options else str(least or "no")
        problem = f"{node.name} takes {count} arguments beside the data"
        raise unreadable(SYNTAX, statement, node.start, problem)


def _names_in(node: Node) -> Iterator[Name | FunctionCall]:
    """Yield the names and calls of a tree; what stands in the brackets of a statistic is its own."""
    match node:
        case Name():
            yield node
        case FunctionCall():
            yield node
            for each in () if _is_statistic(node) else node.arguments:
                yield from _names_in(each)
        case Relations() | Chain():
            for each in node.operands:
                yield from _names_in(each)
        case Prefixed() | Suffixed():
            yield from _names_in(node.operand)
        case Power():
            yield from _names_in(node.base)
            yield from _names_in(node.exponent)
        case _:
            return


def _readings(comparison: Relations) -> list[dict[int, str]]:
    """Return the ways to read a claim: one for each choice of the definitions that it leaves open."""
    open_options: dict[int, tuple[str, ...]] = {}
    for node in _names_in(comparison):
        if node.name in _CALLS and _CALLS[node.name].options and len(_arguments(node)) == _CALLS[node.name].least:
            open_options[node.start] = _CALLS[node.name].options
    choices = 1
    for options in open_options.values():
        choices *= len(options)
    if choices > _MAX_READINGS:
        raise NotAttemptedError("stats.method_missing", "The statement leaves too many definitions open; name them.")
    return [dict(zip(open_options, chosen, strict=True)) for chosen in product(*open_options.values())]
