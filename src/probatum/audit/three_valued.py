"""What an event predicate is worth: true, false, or unknown with the reasons why, in Kleene's three values.

Whatever is missing, of another kind, in another unit or only known within a range that leaves both answers open is
unknown, never false. Arithmetic is exact: a float counts as the shortest decimal text that names it. More that becomes
known never turns true into false or back.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple, Protocol, TypeAlias

from probatum.audit.event_terms import (
    Compared,
    Condition,
    EventPredicate,
    FieldRef,
    Junction,
    Negation,
    OneOf,
    Operand,
    SourceQuorum,
    SpecName,
    Value,
    Within,
    condition_text,
    operand_text,
    operands_of,
)
from probatum.core.outside import clipped, visible

Converter: TypeAlias = Callable[[Fraction, str, str], Fraction | None]
"""A number, its unit and another unit to the number in that unit; None where that is not possible."""

MOST_REASONS: Final = 8
DAY: Final = 86_400
SECONDS: Final[Mapping[str, Fraction]] = {
    name: Fraction(seconds)
    for names, seconds in (
        ("ms millisecond milliseconds", "0.001"),
        ("s sec secs second seconds", 1),
        ("min mins minute minutes", 60),
        ("h hr hrs hour hours", 3_600),
        ("d day days", DAY),
        ("week weeks", 7 * DAY),
    )
    for name in names.split()
}
"""Units of time with a fixed length, which months and years do not have."""
_MOMENT: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]{1,18})?))?([Zz]|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_VERSION: Final = re.compile(r"[vV]?([0-9]{1,18}(?:\.[0-9]{1,18}){0,99})([-+][0-9A-Za-z.+-]*)?")


class EvidenceValues(Protocol):
    """What is known about the names of a predicate."""

    def value(self, field: FieldRef) -> Value | None:
        """Return the value that all sources agree on, None where there is none."""

    def by_source(self, field: FieldRef) -> Mapping[str, Value | None]:
        """Return each source's own value; None for a source that counts although its value is not known."""

    def bound(self, name: str) -> Value | None:
        """Return what the specification binds to one of `SPEC_NAMES`, None where it binds nothing."""


Environment: TypeAlias = EvidenceValues


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The worth of a predicate: true, false, or None for unknown, and why, in at most `MOST_REASONS` sentences."""

    value: bool | None
    reasons: tuple[str, ...] = ()


Known: TypeAlias = Callable[[Operand], Value | None]
Judge: TypeAlias = Callable[[Compared | SourceQuorum], Evaluation]


class _Span(NamedTuple):
    """Every number from low to high; the high end is left out where the span is open."""

    low: Fraction
    high: Fraction
    is_open: bool = False


def evaluate(predicate: EventPredicate, environment: EvidenceValues, convert: Converter | None = None) -> Evaluation:
    """Return what a predicate is worth where the environment tells what is known; raises nothing for any value."""
    return worth(predicate.condition, environment, convert)


def worth(condition: Condition, environment: EvidenceValues, convert: Converter | None = None) -> Evaluation:
    """Return what a condition is worth, as `evaluate` does for a predicate."""

    def known(operand: Operand) -> Value | None:
        match operand:
            case FieldRef():
                return environment.value(operand)
            case SpecName(name):
                return environment.bound(name)
        return operand

    return combined(condition, _judge(known, environment, convert))


def _judge(known: Known, environment: EvidenceValues, convert: Converter | None) -> Judge:
    def judged(atom: Compared | SourceQuorum) -> Evaluation:
        if isinstance(atom, Compared):
            return _compared(atom, known, convert)
        return _by_sources(atom, environment, known, convert)

    return judged


def combined(condition: Condition, judged: Judge) -> Evaluation:
    """Return what a condition is worth, given what its comparisons and quorums are worth."""
    match condition:
        case Negation(inner):
            result = combined(inner, judged)
            return result if result.value is None else Evaluation(not result.value)
        case Junction(word, conditions):
            return _joined(word, [combined(each, judged) for each in conditions])
        case OneOf(operand, choices):
            return _joined("or", [judged(Compared(operand, "==", each)) for each in choices])
        case Within(operand, low, high):
            return _joined("and", [judged(Compared(low, "<=", operand)), judged(Compared(operand, "<=", high))])
    return judged(condition)


def _joined(word: str, results: list[Evaluation]) -> Evaluation:
    decisive = word == "or"
    if any(each.value is decisive for each in results):
        return Evaluation(decisive)
    if all(each.value is not None for each in results):
        return Evaluation(not decisive)
    return Evaluation(None, _few(reason for each in results for reason in each.reasons))


def _few(reasons: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reasons))[:MOST_REASONS]


def _by_sources(
    quorum: SourceQuorum, environment: EvidenceValues, known: Known, convert: Converter | None
) -> Evaluation:
    fields = dict.fromkeys(each for each in operands_of(quorum.condition) if isinstance(each, FieldRef))
    told = {field: environment.by_source(field) for field in fields}
    sources = sorted({source for values in told.values() for source in values})

    def by_one(source: str) -> Evaluation:
        def here(operand: Operand) -> Value | None:
            return told[operand].get(source) if isinstance(operand, FieldRef) else known(operand)

        return combined(quorum.condition, _judge(here, environment, convert))

    results = [by_one(source) for source in sources]
    holding = sum(each.value is True for each in results)
    unknown = sum(each.value is None for each in results)
    if holding >= quorum.count:
        return Evaluation(True)
    # A source that has not answered may still hold: fewer sources than wanted refute nothing.
    if len(sources) >= quorum.count > holding + unknown:
        return Evaluation(False)
    counted = f"{_shown(quorum)}: {holding} of {len(sources)} sources hold it, {unknown} unknown"
    return Evaluation(None, _few([counted, *(reason for each in results for reason in each.reasons)]))


def _compared(atom: Compared, known: Known, convert: Converter | None) -> Evaluation:
    left, right = known(atom.left), known(atom.right)
    if left is None or right is None:
        missing = [operand for operand, value in ((atom.left, left), (atom.right, right)) if value is None]
        return Evaluation(None, _few(f"{clipped(visible(operand_text(each)))} has no known value" for each in missing))
    result = _related(left, atom.operator, right, convert)
    return Evaluation(None, (f"{_shown(atom)}: {result}",)) if isinstance(result, str) else Evaluation(result)


def _shown(condition: Condition) -> str:
    return clipped(visible(condition_text(condition)))


def _related(left: Value, operator: str, right: Value, convert: Converter | None) -> bool | str:
    """Return whether two values stand in a relation, or why that is not known."""
    kinds = {left.kind, right.kind}
    if kinds in ({"boolean"}, {"text_assertion"}):
        if operator not in {"==", "!="}:
            return "truth values and texts have no order"
        wanted = bool if kinds == {"boolean"} else str
        if not isinstance(left.value, wanted) or not isinstance(right.value, wanted):
            return f"a value is no {left.kind}"
        return (_plain(left.value) == _plain(right.value)) is (operator == "==")
    if kinds == {"timestamp"}:
        spans = _times(left, right)
    elif kinds <= {"numeric", "duration"}:
        spans = _amounts(left, right, convert)
    elif "version" in kinds and kinds <= {"version", "text_assertion"}:
        spans = _versions(left, right)
    else:
        spans = f"a {left.kind} and a {right.kind} are not compared"
    if isinstance(spans, str):
        return spans
    result = _ordered(spans[0], operator, spans[1])
    return "what is known leaves both answers open" if result is None else result


def _plain(value: int | float | str) -> object:
    """Return what texts are compared by: width, case and the amount of white space make no difference."""
    if not isinstance(value, str):
        return value
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", value).casefold())
    return " ".join(folded.split())


def _ordered(left: _Span, operator: str, right: _Span) -> bool | None:
    """Return whether all values of two spans stand in a relation (true), none (false), or some (None)."""
    if operator in {">", ">="}:
        left, operator, right = right, operator.replace(">", "<"), left
    below, above = _is_below(left, right), _is_below(right, left)
    match operator:
        case "<":
            holds, fails = below, left.low >= right.high
        case "<=":
            holds, fails = left.high <= right.low, above
        case _:
            are_points = left.low == left.high and right.low == right.high
            holds, fails = are_points and not below and not above, below or above
    return holds is (operator != "!=") if holds or fails else None


def _is_below(left: _Span, right: _Span) -> bool:
    return left.high < right.low or (left.is_open and left.high == right.low)


def _amounts(left: Value, right: Value, convert: Converter | None) -> tuple[_Span, _Span] | str:
    ends = [_number(each) for value in (left, right) for each in _ends(value)]
    spans = _span(ends[:2]), _span(ends[2:])
    if spans[0] is None or spans[1] is None:
        return "a number is not finite, or the high end of a range is below the low end"
    units = [each.unit or ("s" if each.kind == "duration" else "") for each in (left, right)]
    has_duration = "duration" in {left.kind, right.kind}
    if "" in units and has_duration:
        return "a duration is compared with a number that has a unit of time"
    if "" in units or units[0] == units[1]:
        return spans[0], spans[1]
    converted = _span([_in_unit(end, units[1], units[0], convert) for end in spans[1][:2]], sort=True)
    if converted is None:
        return f"{clipped(visible(units[1]))} is not convertible to {clipped(visible(units[0]))}"
    return spans[0], converted


def _in_unit(number: Fraction, unit: str, wanted: str, convert: Converter | None) -> Fraction | None:
    if unit in SECONDS and wanted in SECONDS:
        return number * SECONDS[unit] / SECONDS[wanted]
    return convert(number, unit, wanted) if convert else None


def _ends(value: Value) -> tuple[int | float | str, int | float | str]:
    return value.value, value.value if value.high is None else value.high


def _number(number: int | float | str) -> Fraction | None:
    if isinstance(number, float):
        return Fraction(repr(number)) if math.isfinite(number) else None
    return Fraction(number) if isinstance(number, int) and not isinstance(number, bool) else None


def _span(ends: list[Fraction | None], *, sort: bool = False) -> _Span | None:
    low, high = ends
    if low is None or high is None or (high < low and not sort):
        return None
    return _Span(min(low, high), max(low, high))


def _versions(left: Value, right: Value) -> tuple[_Span, _Span] | str:
    parts = [_version(value) for value in (left, right)]
    if parts[0] is None or parts[1] is None:
        return "a value is no version such as 2.10.1"
    (first, first_suffix), (second, second_suffix) = parts[0], parts[1]
    if first == second and first_suffix != second_suffix:
        return "how two releases of one version are ordered is not known"
    zero, sign = Fraction(0), Fraction((first > second) - (first < second))
    return _Span(sign, sign), _Span(zero, zero)


def _version(value: Value) -> tuple[list[int], str] | None:
    found = _VERSION.fullmatch(value.value) if isinstance(value.value, str) and value.high is None else None
    if found is None:
        return None
    parts = [int(each) for each in found[1].split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return parts, found[2] or ""


def _times(left: Value, right: Value) -> tuple[_Span, _Span] | str:
    ends = [moment_of(each) if isinstance(each, str) else None for value in (left, right) for each in _ends(value)]
    moments = [each for each in ends if each is not None]
    if len(moments) < 4:
        return "a value is no time such as 2026-01-31T12:00:00Z"
    if moments[0][0] > moments[1][0] or moments[2][0] > moments[3][0]:
        return "the end of a range is before its beginning"
    if all(is_day for _, is_day in moments):
        return _Span(moments[0][0], moments[1][0]), _Span(moments[2][0], moments[3][0])
    return _stretch(*moments[:2]), _stretch(*moments[2:])


def _stretch(first: tuple[Fraction, bool], last: tuple[Fraction, bool]) -> _Span:
    """Return from the first instant to the last one; a last day goes on until the next one begins."""
    return _Span(first[0], last[0] + DAY, True) if last[1] else _Span(first[0], last[0])


def moment_of(text: str) -> tuple[Fraction, bool] | None:
    """Return the seconds from 0000-12-31 in UTC to a date or time in ISO 8601, and whether it is a date alone.

    A time without an offset is in UTC. What is no such text, or no day of the calendar, is None.
    """
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, zone = found.groups()
    try:
        seconds = Fraction(date(int(year), int(month), int(day)).toordinal() * DAY)
    except ValueError:
        return None
    if hour is None:
        return seconds, True
    away = (0, 0) if zone is None or zone in "Zz" else (int(zone[1:3]), int(zone[-2:]))
    if int(hour) > 23 or int(minute) > 59 or Fraction(second or 0) >= 60 or away[0] > 23 or away[1] > 59:
        return None
    offset = (away[0] * 60 + away[1]) * (-60 if zone and zone[0] == "-" else 60)
    return seconds + int(hour) * 3600 + int(minute) * 60 + Fraction(second or 0) - offset, False


def moment_text(seconds: Fraction) -> str | None:
    """Return the time in UTC that `moment_of` reads as these seconds; None before the year 1 and after 9999."""
    day, rest = divmod(seconds, DAY)
    if not 1 <= day <= date.max.toordinal():
        return None
    whole, part = divmod(rest, 1)
    minutes, second = divmod(int(whole), 60)
    fraction = f".{int(part * 10**18):018}".rstrip("0").rstrip(".")
    return f"{date.fromordinal(day)}T{minutes // 60:02}:{minutes % 60:02}:{second:02}{fraction}Z"
