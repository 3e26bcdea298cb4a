"""Criteria about the fields of a JSON output: that they are there, of which type, within which bounds, in which order.

A field is meant where its name stands in one place of the output, places in lists aside. Refuses to look for one that
is called otherwise, and to read numbers that are written as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from probatum.core.json_text import JsonTextError, read_json
from probatum.judge.criteria.forms import Decide, bounds_of, quoted, within
from probatum.judge.criteria.reading import OutputView
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "text": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "list": (list,),
    "array": (list,),
    "object": (dict,),
}


def number_in(value: object) -> Fraction | None:
    """Return a JSON number as it is written; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Fraction(value) if isinstance(value, int) else Fraction(Decimal(repr(value)))


def _judged(holds: bool | None, why: str, **evidence: object) -> CriterionRuling:
    return ruled(holds, Basis.EXACT, why, **evidence)


def _values(view: OutputView, told: Mapping[str, str]) -> list[object] | str:
    """Return the values of the field that is meant, or why none is meant for certain."""
    name = told["field"].strip(" '\"")
    entries = view.called(name) or ([] if "every" not in told else view.called(_singular(name)))
    if not entries:
        return f"the output has no field {name[:60]!r}"
    if len({each.around for each in entries}) > 1 or len({each.key for each in entries}) > 1:
        return f"the field {name[:60]!r} stands in several places"
    values = [each.value for each in entries]
    if "every" in told:
        return values[0] if len(values) == 1 and isinstance(values[0], list) else values
    return values if len(values) == 1 else f"the field {name[:60]!r} stands in several items"


def _singular(name: str) -> str:
    return name.removesuffix("ies") + "y" if name.endswith("ies") else name.removesuffix("s")


def _each(test: Callable[[object, Mapping[str, str]], bool | None]) -> Decide:
    """Return what decides a criterion about each value of a field."""

    def whole(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
        values = _values(view, told)
        if isinstance(values, str):
            return unknown(values)
        states = [test(each, told) for each in values]
        holds = False if False in states else None if None in states or not states else True
        return _judged(holds, f"looked at {len(states)} values of {told['field'][:60]}", values=len(states))

    return whole


def _signed(value: object, told: Mapping[str, str]) -> bool | None:
    number, sign = number_in(value), told["sign"].lower().replace("-", "").replace(" ", "")
    if number is None:
        return None
    tests = {
        "positive": number > 0,
        "negative": number < 0,
        "nonnegative": number >= 0,
        "zero": number == 0,
        "nonzero": number != 0,
    }
    return tests.get(sign)


def _bounded(value: object, told: Mapping[str, str]) -> bool | None:
    number = number_in(value)
    bounds = bounds_of(told)
    if number is None or bounds is None or (bounds[2] and "equals" not in told):
        return None
    holds = within(told, number, number)
    return number == bounds[0] if bounds[2] else holds


def _typed(value: object, told: Mapping[str, str]) -> bool | None:
    name = told["type"].lower()
    kinds = _TYPES[name]
    if isinstance(value, bool):
        return bool in kinds
    if name == "integer" and isinstance(value, float):
        return None if value.is_integer() else False
    return isinstance(value, kinds)


def _filled(value: object, _told: Mapping[str, str]) -> bool | None:
    if isinstance(value, str):
        return bool(value.strip())
    return bool(value) if isinstance(value, list | dict) else False if value is None else None


def _equal(value: object, told: Mapping[str, str]) -> bool | None:
    wanted = quoted(told)
    same = isinstance(value, str) and value == wanted
    close = isinstance(value, str) and value.strip().lower() == wanted.strip().lower()
    return True if same else None if close else False


def _present(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
    if not isinstance(view.data, dict | list):
        return unknown("the output is no JSON object")
    names = [each.strip(" '\"") for each in re.split(r",? and |, ", told["fields"]) if each.strip(" '\"")]
    if any(
        not re.fullmatch(r"[\w.$ -]{1,60}", each) or re.search(r"\b(or|all|any|either|at least)\b", each)
        for each in names
    ):
        return unknown("which fields are meant is not certain")
    there = [each for each in names if view.called(each)]
    missing = [each for each in names if each not in there]
    if missing:
        return _judged(False, f"the output has no field {missing[0]!r}", missing=missing)
    is_full = all(entry.value is not None for each in there for entry in view.called(each))
    tops = isinstance(view.data, dict) and all(not entry.around for each in there for entry in view.called(each)[:1])
    return _judged(True if is_full and tops else None, f"the output has {', '.join(there)[:200]}", fields=there)


def _ordered(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
    values = _values(view, {**told, "every": "all"})
    if isinstance(values, str):
        return unknown(values)
    kinds = {str if isinstance(each, str) else Fraction if number_in(each) is not None else None for each in values}
    if len(kinds) != 1 or None in kinds:
        return unknown("the values are not all numbers, nor all text")
    keys: list[object] = [each if isinstance(each, str) else number_in(each) for each in values]
    if told["order"].lower().startswith(("unique", "distinct")):
        folded = {each.strip().lower() if isinstance(each, str) else each for each in keys}
        return _judged(
            len(set(keys)) == len(keys) if len(set(keys)) == len(folded) else None,
            f"{len(set(keys))} of {len(keys)} values differ",
        )
    rising, falling = (sorted(keys, reverse=each) == keys for each in (False, True))  # type: ignore[type-var]  # of one type
    way = told.get("way", "").lower()
    if kinds == {str} and [str(each).lower() for each in keys] != sorted(str(each).lower() for each in keys) and rising:
        return unknown("upper and lower case change the order")
    holds = falling if way.startswith("desc") else rising if way else True if rising else None if falling else False
    return _judged(holds, f"{len(keys)} values are {'' if holds else 'not '}in this order")


def _length(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
    if "field" in told:
        values = _values(view, told)
        if isinstance(values, str) or len(values) != 1:
            return unknown(values if isinstance(values, str) else "the field stands in several items")
        value = values[0]
    else:
        value = view.data
    if not isinstance(value, list):
        return unknown("what is to be counted is no list")
    return _judged(within(told, len(value), len(value)), f"the list has {len(value)} items", items=len(value))


def _sum(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
    values = _values(view, {**told, "every": "all"})
    numbers = [] if isinstance(values, str) else [number_in(each) for each in values]
    if isinstance(values, str) or not numbers or None in numbers:
        return unknown(values if isinstance(values, str) else "not every value is a number")
    total = sum((each for each in numbers if each is not None), Fraction(0))
    wanted: object = read_number(told["total"])
    if wanted is None:
        other = _values(view, {"field": told["total"]})
        wanted = number_in(other[0]) if isinstance(other, list) else None
    return _judged(
        None if wanted is None else total == wanted, f"the sum of {len(numbers)} values is {total}", sum=str(total)
    )


def read_number(text: str) -> Fraction | None:
    """Return the number that a text writes as JSON does; None where it writes none."""
    try:
        return number_in(read_json(text.replace(",", ""), 100))
    except (JsonTextError, ValueError):
        return None


_FIELD: Final = r"(?:(?:the )?(?:(?:field|key|property|value of) )?(?P<field>'[\w .$-]{1,60}'|\"[\w .$-]{1,60}\"|[A-Za-z_][\w.-]{0,40}(?: [A-Za-z_][\w-]{0,40})?)(?: (?:field|key|property|value))?)"
_ALL: Final = r"(?:(?P<every>all|every|each)(?: of)?(?: the)? (?P<field>'[\w .$-]{1,60}'|[A-Za-z_][\w-]{0,40}(?: [A-Za-z_][\w-]{0,40})?)(?: values?)?)"


def _both_ways(rest: str, test: Callable[[object, Mapping[str, str]], bool | None]) -> list[tuple[str, Decide]]:
    return [(f"{who} {rest}", _each(test)) for who in (_FIELD, _ALL)]


DATA_FORMS: Final[tuple[tuple[str, Decide], ...]] = (
    *_both_ways("<IS> (?P<sign>positive|negative|non-?negative|zero|non-?zero)(?: numbers?)?", _signed),
    *_both_ways("<IS> <BOUND>", _bounded),
    *_both_ways("(?P<equals><MUST>equals?|<IS> equal to) <BOUND>", _bounded),
    *_both_ways("<IS> (?:an? )?(?P<type>string|text|number|integer|boolean|list|array|object)s?", _typed),
    *_both_ways("<IS> (?:not |non-?)(?:empty|blank)", _filled),
    *_both_ways("(?:<MUST>equals?|<IS>(?: equal to)?) <QUOTED>", _equal),
    (
        r"(?:the )?(?:required )?(?:fields?|keys?|propert(?:y|ies)) (?P<fields>'?[\w.$'\", -]{1,200}?) (?:is|are|must be|should be) (?:present|included|defined|there)",
        _present,
    ),
    (
        r"(?:<TEXT>)?<HAVE> (?:the |an? )?(?:(?:required )?(?:fields?|keys?|properties):? )(?P<fields>[\w.$'\", -]{1,200})",
        _present,
    ),
    (_FIELD + r" (?:values? )?<IS> (?P<order>unique|distinct)", _ordered),
    (_ALL + r" (?:values? )?<IS> (?P<order>unique|distinct)", _ordered),
    (_FIELD + r" <IS> (?P<order>sorted)(?: in)?(?: (?P<way>ascending|descending)(?: order)?)?", _ordered),
    (r"(?:the )?(?:output|list|array|result) <HAVE> <BOUND> (?:items?|elements?|entries|rows)", _length),
    (_FIELD + r" <HAVE> <BOUND> (?:items?|elements?|entries|rows)", _length),
    (
        r"(?:the )?(?:sum|total) of (?:all |the )?(?P<field>'?[A-Za-z_][\w -]{0,40}?'?) (?:equals|is equal to|is|must equal) (?:the )?(?P<total>[\w.,'-]{1,40})",
        _sum,
    ),
)
