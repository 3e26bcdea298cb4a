"""Criteria about the fields of a JSON output: that they are there, of which type, within which bounds, in which order.

A field is meant where its name stands in one place of the output, places in lists aside. Refuses to look for one that
is called otherwise, and to read numbers that are written as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from probatum.judge.criteria.forms import Decide, bounds_of, every, strings, within
from probatum.judge.criteria.reading import OutputView
from probatum.judge.criteria.table import WHOLE_TEXT
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis

Told = Mapping[str, str]
_FIELD: Final = re.compile(r"(?!(?:.*\b)?(?:or|all|any|either|at least|no)\b)[\w.$ -]{1,60}")
_SIGNS: Final[Mapping[str, Told]] = {
    "positive": {"bound": ">", "low": "0"},
    "negative": {"bound": "<", "low": "0"},
    "nonnegative": {"bound": ">=", "low": "0"},
    "zero": {"bound": "exactly", "low": "0"},
}
_WHOLE: Final = frozenset(["list", "array", *WHOLE_TEXT.split("|")])


def number_in(value: object) -> Fraction | None:
    """Return a JSON number as it is written; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Fraction(value) if isinstance(value, int) else Fraction(Decimal(repr(value)))


def _values(view: OutputView, told: Told, *, or_whole: bool) -> list[object] | str:
    """Return the values of the field that is meant, or why none is meant for certain."""
    name = told.get("field", "output").strip(" '\"")
    single = f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")
    if "." in name and view.called(name) and view.called(name.rpartition(".")[2]):
        return f"{name[:60]!r} may be a name, or a path"
    entries = view.called(name) or (view.called(single) if "every" in told else [])
    if not entries and or_whole and name.lower() in _WHOLE:
        return [view.data or view.output]
    if not entries:
        return f"the output has no field {name[:60]!r}"
    if len({each.around for each in entries}) > 1 or len({each.key for each in entries}) > 1:
        return f"the field {name[:60]!r} stands in several places"
    values = [each.value for each in entries]
    if "every" in told:
        return values[0] if len(values) == 1 and isinstance(values[0], list) else values
    return values if len(values) == 1 else f"the field {name[:60]!r} stands in several items"


def _each(test: Callable[[object, Told], bool | None], *, or_whole: bool = False) -> Decide:
    """Return what decides a criterion about each value of a field, or about the output where it may be meant."""

    def whole(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
        values = _values(view, told, or_whole=or_whole)
        if isinstance(values, str):
            return unknown(values)
        states = [test(each, told) for each in values]
        holds = every(states)
        shown = _shown(values[states.index(holds)]) if holds in states else "empty"
        many = f"; {len(states)} values were looked at" if len(states) > 1 else ""
        return ruled(holds, Basis.EXACT, f"{told.get('field', 'the output')[:60]} is {shown}{many}", values=len(states))

    return whole


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    try:
        return json.dumps(value)[:60]
    except ValueError:
        return "a very large number"


def _bounded(value: object, told: Told) -> bool | None:
    told = _SIGNS[told["sign"].lower().replace("-", "")] if "sign" in told else told
    number, bounds = number_in(value), bounds_of(told)
    if number is None or bounds is None:
        return None
    return number == bounds[0] if bounds[2] else within(told, number, number)


def _filled(value: object, _told: Told) -> bool | None:
    value = value.strip() if isinstance(value, str) else value
    if isinstance(value, str) and value and not any(sign.isprintable() for sign in value):
        return None
    return bool(value) if isinstance(value, str | list | dict) else False if value is None else None


def _equal(value: object, told: Told) -> bool | None:
    """Return whether a text is one of some; None where only case, space or a full stop differs."""
    choices = strings(told["names"])
    folded = {each.strip().strip(".").lower() for each in choices}
    if not isinstance(value, str) or value in choices:
        return True if isinstance(value, str) else None
    return None if value.strip().strip(".").lower() in folded else False


def _length(value: object, told: Told) -> bool | None:
    return within(told, len(value), len(value)) if isinstance(value, list) else None


def _present(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    names = [each for part in re.split(r",? and |, ", told["fields"]) if (each := part.strip(" '\""))]
    if not isinstance(view.data, dict | list) or not all(map(_FIELD.fullmatch, names)):
        return unknown("the output is no JSON object, or which fields are meant is not certain")
    missing = [each for each in names if not view.called(each)]
    # One plain word may be no name: "has field validation".
    is_list = len(names) > 1 and not any(" " in each for each in names)
    if missing and not is_list and not re.search(r"['\"_]|[a-z][A-Z]", told["fields"]):
        return unknown(f"{missing[0]!r} may be no name of a field")
    if missing:
        return ruled(False, Basis.EXACT, f"the output has no field {missing[0]!r}", missing=missing)
    places = [view.called(each) for each in names]
    is_sure = all(len(each) == 1 and not each[0].around and each[0].value is not None for each in places)
    return ruled(True if is_sure else None, Basis.EXACT, f"the output has {', '.join(names)[:200]}", fields=names)


DATA_DECIDERS: Final[Mapping[str, Decide]] = {
    "bounded": _each(_bounded),
    "filled": _each(_filled, or_whole=True),
    "equal": _each(_equal, or_whole=True),
    "length": _each(_length, or_whole=True),
    "present": _present,
}
