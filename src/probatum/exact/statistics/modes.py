"""Decides which value is the most frequent one: ``mode = 1``, ``mode != "b"``, ``modes = {1, 2}``.

A mode is the only one; where several values are equally frequent, a claim about *the* mode is undecided. Counted by
value, and checked by sorting and measuring the runs. Refuses a text as the mode of numbers, and the reverse.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.core.json_text import JsonTextError, read_json
from probatum.core.shape import Shape
from probatum.exact.claim import Ruling, proved, refuted, undecided, unreadable
from probatum.exact.numbers.expressions import Collection, read_expression
from probatum.exact.numbers.rational import NotRationalError
from probatum.exact.numbers.real_roots import value_of, written_number
from probatum.exact.statistics.datasets import MIXED, Dataset

MATCH: Final = "stats.mode_unique_match"
TIE: Final = "stats.mode_ambiguous_tie"
HOLDS: Final = "stats.holds"
FAILS: Final = "stats.fails"
SYNTAX: Final = "stats.syntax"
MAX_SHOWN: Final = 100
_FORM: Final = re.compile(r"\s*(?P<what>modes?)(?:\(\s*data\s*\))?\s*(?P<relation>==|=|!=|≠)(?P<value>.*)", re.DOTALL)
_SAFE: Final = 2**53
_Value = Fraction | str


@dataclass(frozen=True, slots=True)
class ModeClaim:
    """What is said of the most frequent values."""

    is_set: bool
    is_denied: bool
    values: frozenset[_Value]

    @property
    def constraint(self) -> str:
        """Return what is established where it is true."""
        return HOLDS if self.is_set or self.is_denied else MATCH

    @property
    def text(self) -> str:
        """The claim in one spelling."""
        shown = ", ".join(sorted(f'"{each}"' if isinstance(each, str) else str(each) for each in self.values))
        value = f"{{{shown}}}" if self.is_set else shown
        return f"{'modes' if self.is_set else 'mode'} {'!=' if self.is_denied else '='} {value}"


def read_mode(statement: str) -> ModeClaim | None:
    """Return the claim about modes that a statement is; None where it begins otherwise."""
    match = _FORM.fullmatch(statement)
    if match is None:
        return None
    is_set, text = match["what"] == "modes", match["value"].strip()
    if '"' in text:
        values: list[_Value] = list(_texts(statement, text, match.start("value"), is_set=is_set))
    else:
        # What comes before is blanked, so that positions stay those of the statement.
        node = read_expression(" " * match.start("value") + match["value"], SYNTAX)
        if is_set and not (isinstance(node, Collection) and node.bracket == "{"):
            raise unreadable(SYNTAX, statement, match.start("value"), "A set such as {1, 2} is expected")
        try:
            values = [value_of(each, lambda _: None).rational for each in (node.items if is_set else (node,))]  # type: ignore[union-attr]  # a set
        except NotRationalError:
            raise unreadable(SYNTAX, statement, match.start("value"), "A number, or a text in quotes, is due") from None
    return ModeClaim(is_set, match["relation"] in ("!=", "≠"), frozenset(values))


def _texts(statement: str, text: str, start: int, *, is_set: bool) -> list[str]:
    opening, closing = "{}" if is_set else ("", "")
    try:
        if not (text.startswith(opening) and text.endswith(closing)):
            raise JsonTextError("brackets")
        items = read_json(f"[{text[len(opening) : len(text) - len(closing)]}]", depth=1)
    except JsonTextError:
        items = None
    if not isinstance(items, list) or not all(type(each) is str for each in items) or (not is_set and len(items) != 1):
        expected = 'A set of texts such as {"a", "b"}' if is_set else 'One text such as "a"'
        raise unreadable(SYNTAX, statement, start, f"{expected} is expected")
    return items


def decide_mode(claim: ModeClaim, data: Dataset) -> Ruling:
    """Return whether a claim about the most frequent values holds."""
    _require_like(claim, data)
    counts: Counter[int | str] = Counter(data.texts or data.scaled)
    most = max(counts.values())
    keys = _sorted([key for key, count in counts.items() if count == most])
    modes = [_value(key, data) for key in keys]
    found: dict[str, object] = {"modes": [_written(each) for each in modes[:MAX_SHOWN]], "modes_count": len(modes)}
    if len(modes) > 1 and not claim.is_set:
        detail = f"{len(modes)} values are equally frequent, so there is no single mode."
        return undecided(TIE, detail, {**found, "tie_detected": True})
    if (claim.values == set(modes)) is claim.is_denied:
        calculated, claimed = found["modes"], sorted((_written(each) for each in claim.values), key=str)
        if not claim.is_set:
            calculated, claimed = _written(modes[0]), claimed[0]  # type: ignore[assignment]  # the only one
        told = {**found, "calculated_value": calculated, "claimed_value": claimed, "is_denied": claim.is_denied}
        return refuted(FAILS, "Another value is the most frequent one.", told)
    rest = max((count for count in counts.values() if count < most), default=0)
    certificate = {"modes": [_written(each) for each in modes], "occurrences": most, "next": rest, "count": len(data)}
    return proved(claim.constraint, {"form": "mode", **certificate})


def check_mode(claim: ModeClaim, data: Dataset, certificate: Mapping[str, object]) -> str:
    """Return the constraint that a certificate of `decide_mode` establishes; raises ValueError where it is wrong."""
    shape = Shape(certificate, "certificate").exactly("form", "modes", "occurrences", "next", "count")
    _require_like(claim, data)
    runs = [(sum(1 for _ in run), key) for key, run in groupby(_sorted(data.texts or data.scaled))]
    most = max(length for length, _ in runs)
    modes = [_value(key, data) for length, key in runs if length == most]
    rest = max((length for length, _ in runs if length < most), default=0)
    numbers = [shape.whole(key) for key in ("occurrences", "next", "count")]
    if shape.text("form") != "mode" or numbers != [most, rest, len(data)]:
        raise ValueError("the runs have other lengths")
    if shape.raw_list("modes") != [_written(each) for each in modes]:
        raise ValueError("other values are the most frequent ones")
    if (len(modes) > 1 and not claim.is_set) or (set(modes) == claim.values) is claim.is_denied:
        raise ValueError("the claim does not follow")
    return claim.constraint


def _require_like(claim: ModeClaim, data: Dataset) -> None:
    if any(isinstance(each, str) is not bool(data.texts) for each in claim.values):
        kinds = ("texts", "a number") if data.texts else ("numbers", "a text")
        raise NotAttemptedError(MIXED, f"The data are {kinds[0]}, the statement names {kinds[1]}.")


def _sorted(keys: Sequence[int | str]) -> list[int | str]:
    # All of them are numbers, or all of them are texts.
    return sorted(keys)


def _value(key: int | str, data: Dataset) -> _Value:
    return key if isinstance(key, str) else Fraction(key, data.scale)


def _written(value: _Value) -> int | str:
    """Return a value as JSON: a text as it is, a small whole number as such, any other number as a text."""
    if isinstance(value, str):
        return value
    return value.numerator if value.denominator == 1 and abs(value) < _SAFE else written_number(value)
