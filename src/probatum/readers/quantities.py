"""Reads numbers, percentages, money and lengths of time in text.

A number that is part of something else is none: a piece of a date, a time, a version, a power, a fraction, a score, a
telephone number or a name. Neither is one whose sign, scale or unit can be read in two ways: then nothing is read,
because a value that is missing is noticed and a wrong one is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from typing import Final

from probatum.readers.conventions import SPACE, Conventions, ReadValue
from probatum.readers.vocabulary import (
    CODES_LIKE_WORDS,
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    GLUED_SCALES,
    MINUTE,
    MONTHS,
    OTHER_MONEY,
    PERCENTAGES,
    SCALES,
    SCALES_OF_MONEY,
    SECONDS,
    UNITS,
    one_of,
)

_CORES: Final = {
    "1,234.5": r"(?:[0-9]{1,3}(?:,[0-9]{3})++|[0-9]{1,2}(?:,[0-9]{2}(?=,))++,[0-9]{3}|[0-9]++)(?:\.[0-9]++)?+"
    r"|(?<![\w.])\.[0-9]++",
    "1.234,5": r"(?:[0-9]{1,3}(?:\.[0-9]{3})++|[0-9]++)(?:,[0-9]++)?+",
    "1 234,5": rf"(?:[0-9]{{1,3}}(?:{SPACE}[0-9]{{3}}(?![0-9]))++|[0-9]++)(?:,[0-9]++)?+",
}
_NUMBERS: Final = {
    name: re.compile(
        rf"(?P<core>{core})(?:[eE](?P<e>[+-]?[0-9]++)|{SPACE}?[×x]{SPACE}?10(?:\^|(?=[-+−]))(?P<ten>[-+−]?[0-9]++))?+"
    )
    for name, core in _CORES.items()
}
_BEFORE: Final = re.compile(
    rf"(?P<sign>[-−+])?(?:(?P<money>{one_of(CURRENCY_SIGNS)}|(?<!\w)[A-Z]{{3}}){SPACE}?)?(?P<inner>[-−+])?\Z"
)
_SIGN_BEFORE: Final = re.compile(r"(?P<sign>[-−+])?(?P<money>(?!))?(?P<inner>(?!))?\Z")
_SCALE: Final = re.compile(
    rf"(?:(?P<glued>{one_of(GLUED_SCALES)})|{SPACE}?(?P<word>{one_of({*SCALES} - {*'kKMbBT'})}))(?!\w)"
)
_OF: Final = re.compile(
    rf"{SPACE}?(?:(?:(?P<percentage>{one_of(PERCENTAGES)})|(?P<time>{one_of(SECONDS)})|(?P<unit>{one_of(UNITS)})"
    rf"|(?P<money>{one_of([*CURRENCY_CODES, *CURRENCY_WORDS])}))(?!\w)|(?P<sign>{one_of(CURRENCY_SIGNS)})(?![0-9]))"
)
_MONTH: Final = rf"(?<!\w)(?i:{one_of(MONTHS)})(?!\w)"
_PART_BEFORE: Final = re.compile(rf"(?:[0-9]{SPACE}?[x×·*÷/^]{SPACE}?|[×÷^]{SPACE}?)$")
_WORD_BEFORE: Final = re.compile(
    rf"(?<!\w)(?P<word>[^\W0-9_]++)(?P<dot>\.?+)(?P<space>{SPACE}?+)(?P<day>[0-9]{{1,2}}(?:st|nd|rd|th)?,?{SPACE})?$"
)
_PART_AFTER: Final = re.compile(
    rf"{SPACE}?[x×·*÷/^]{SPACE}?[0-9]|(?<=[0-9]){SPACE}[0-9]|{SPACE}(?:[AaPp]\.?[Mm]\b|(?:of{SPACE})?{_MONTH}|o['’]clock)"
    rf"|{SPACE}[0-9]++['’′]|{SPACE}?(?:kr|Kč|zł)\b"
)
_DIGIT_BEFORE: Final = re.compile(rf"[0-9]{SPACE}$")
_UPPER_END: Final = re.compile(rf"[-‐‑–—](?:[0-9]|{one_of(CURRENCY_SIGNS)})")
_BETWEEN: Final = re.compile(rf"(?:{SPACE}[-–]{SPACE}|[-‐‑–—]|{SPACE}(?P<word>to|and){SPACE})")
_AND: Final = re.compile(rf"(?:{SPACE}?,{SPACE}?|,?{SPACE}and{SPACE}|{SPACE})")
_TIME_IN_WORDS: Final = re.compile(
    rf"(?<![^\W0-9])(?:years?|months?|weeks?|days?|hours?|minutes?)(?:{SPACE}?,{SPACE}?|{SPACE}and{SPACE}|{SPACE})$"
)
_LEAD: Final = re.compile(rf"\b(?P<word>[Bb]etween|[Ff]rom){SPACE}$")
_MONTH_WORDS: Final = frozenset(word.lower() for word in MONTHS)
_WORDS_OF_NUMBERS: Final = frozenset({*OTHER_MONEY, "No.", "no.", "Nos.", "nos."})
_MONEY_BEFORE: Final = CURRENCY_CODES.union(CURRENCY_SIGNS)
_DASHES: Final = "-‐‑–—"
_ENDS_OF_CELLS: Final = ("", "\t", "\n")
_EXACT: Final = Context(prec=1_000)
_MOST_DIGITS: Final = 300
_MOST_BEFORE: Final = 24
_MOST_OF_SIGNS: Final = 8
_MICROSECONDS: Final = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class _Quantity:
    """One amount as it stands in a text, before ranges and compounds are put together."""

    start: int
    end: int
    plain: Decimal
    scale: int
    kind: str = "number"
    unit: str = ""
    factor: int = 1
    part_before: bool = False
    part_after: bool = False

    @property
    def amount(self) -> Decimal:
        return _EXACT.scaleb(_EXACT.multiply(self.plain, Decimal(self.factor)), self.scale)

    @property
    def is_bare(self) -> bool:
        return self.kind == "number" and not self.unit

    @property
    def is_kept(self) -> bool:
        """Whether its value is the number that is written, with all of its digits."""
        return isinstance(self.value, int) or Decimal(repr(self.value)) == self._exact_value

    @property
    def _exact_value(self) -> Decimal:
        return _EXACT.divide(self.amount, _MICROSECONDS) if self.kind == "duration" else self.amount

    @property
    def value(self) -> int | float:
        amount = self._exact_value
        return int(amount) if amount == amount.to_integral_value(context=_EXACT) else float(amount)


def read_quantities(text: str, conventions: Conventions, whole: str = "") -> Iterator[ReadValue]:
    """Yield every amount of a text in order, of whatever kind.

    Args:
        text: the text.
        conventions: how numbers are written in it.
        whole: the kind that the whole text is declared to be, which settles some signs that have two meanings.
    """
    waiting: list[_Quantity] = []
    for quantity in _amounts(text, conventions, whole):
        if waiting and not _are_near(text, waiting[-1], quantity):
            yield from _joined(text, waiting, whole)
            waiting = []
        waiting.append(quantity)
    yield from _joined(text, waiting, whole)


def _are_near(text: str, one: _Quantity, other: _Quantity) -> bool:
    between = text[one.end : min(other.start, one.end + 8)]
    return _BETWEEN.fullmatch(between) is not None or _AND.fullmatch(between) is not None


def _amounts(text: str, conventions: Conventions, whole: str) -> Iterator[_Quantity]:
    end = 0
    for match in _NUMBERS[conventions.number_format].finditer(text):
        plain = _decimal(match, conventions)
        quantity = None if plain is None or match.start() < end else _with_what_is_before(text, match, plain, whole)
        if quantity is not None and quantity.start >= end and quantity.is_kept:
            end = quantity.end
            yield quantity


def _decimal(match: re.Match[str], conventions: Conventions) -> Decimal | None:
    """Return the number, or None where it is beyond all floats or looks like the number of something."""
    core = match["core"]
    point = "." if conventions.number_format == "1,234.5" else ","
    whole, _, fraction = core.partition(point)
    digits = "".join(sign for sign in whole if sign.isdecimal())
    power = (match["e"] or match["ten"] or "0").replace("−", "-")
    if len(digits) + len(fraction) > _MOST_DIGITS or len(power) > 4 or (len(digits) > 1 and digits[0] == "0"):
        return None
    number = Decimal(f"{digits or 0}.{fraction or 0}e{power}")
    return number if not number or abs(number.adjusted()) <= _MOST_DIGITS else None


def _with_what_is_before(text: str, match: re.Match[str], plain: Decimal, whole: str) -> _Quantity | None:
    left = text[max(0, match.start() - _MOST_BEFORE) : match.start()]
    before = _BEFORE.search(left, max(0, len(left) - _MOST_OF_SIGNS))
    if before is not None and before["money"] and before["money"] not in _MONEY_BEFORE:
        before = _SIGN_BEFORE.search(left, max(0, len(left) - 1))
    if before is None or (before["sign"] and before["inner"]):
        return None
    sign, code = before["sign"] or before["inner"], before["money"] or ""
    if before["inner"] and left.endswith(f"{code}-") and code.isalpha():
        # CVE is a currency, and CVE-2021-44228 the name of something.
        return None
    start, rest, is_dash = match.start() - len(left) + before.start(), left[: before.start()], False
    if before["sign"] and (rest[-1:].isalnum() or rest[-1:] in {"%", ")", *CURRENCY_SIGNS}):
        if before["sign"] != "-":
            return None
        sign, start, is_dash = "", start + 1, True
    elif rest[-1:] in {*_DASHES} - {"-"}:
        is_dash = not (rest[-1] == "—" and not rest[-2:-1].isdigit())
    if not is_dash and not _may_begin(rest, is_digit=before.start() == len(left)):
        return None
    if code in CODES_LIKE_WORDS and not whole:
        return None
    quantity = _Quantity(
        start, match.end(), plain.copy_negate() if sign in {"-", "−"} else plain, 0, part_before=is_dash
    )
    return _with_what_is_after(text, quantity, CURRENCY_SIGNS.get(code, code), whole)


def _may_begin(left: str, *, is_digit: bool) -> bool:
    """Tell whether an amount can begin after this."""
    last, earlier = left[-1:], left[-2:-1]
    if last.isalnum() or (last and last in "_#@\\§№/.'’$€£¥₹+-−"):
        return False
    if last and last in ",:*" and earlier.isdigit():
        return False
    word = _WORD_BEFORE.search(left)
    if word is not None and (word["word"].lower() in _MONTH_WORDS if word["space"] else word["word"] in OTHER_MONEY):
        return False
    if word is not None and not word["day"] and word["word"] + word["dot"] in _WORDS_OF_NUMBERS:
        return False
    near = left[-4:]
    return _PART_BEFORE.search(near) is None and not (is_digit and _DIGIT_BEFORE.search(near))


def _with_what_is_after(text: str, quantity: _Quantity, currency: str, whole: str) -> _Quantity | None:
    """Return the amount with its scale and unit, or None where what follows makes it part of something else."""
    end, scale, is_glued = quantity.end, 0, False
    follows = _SCALE.match(text, end)
    if follows is not None:
        word = follows["glued"] or follows["word"]
        of = _OF.match(text, follows.end())
        if word not in SCALES_OF_MONEY or currency or (of and (of["money"] or of["sign"])):
            end, scale = follows.end(), SCALES[word]
        else:
            # 5m is five million, metres or minutes.
            is_glued = follows["glued"] is not None
    if is_glued and not (whole == "duration" and text[end] == "m"):
        return None
    of = _OF.match(text, end)
    found = replace(quantity, end=end, scale=scale)
    if whole == "duration" and text[end:].strip() == "m":
        found = replace(found, end=len(text), kind="duration", unit="s", factor=MINUTE)
    elif currency:
        again = of and (of["money"] or of["sign"])
        is_same = again is not None and _currency(again) == currency
        found = replace(found, end=of.end() if of and is_same else end, kind="money", unit=currency)
    elif of is not None:
        # The under-21s, and the 90s.
        if of.group() == "s" and not whole and "." not in text[quantity.start : end]:
            return None
        found = _measured(found, of)
    return _closed(text, found)


def _currency(word: str) -> str:
    return CURRENCY_SIGNS.get(word) or CURRENCY_WORDS.get(word, word)


def _measured(quantity: _Quantity, of: re.Match[str]) -> _Quantity:
    end = of.end()
    if of["percentage"]:
        return replace(quantity, end=end, kind="percentage", unit=PERCENTAGES[of["percentage"]])
    if of["time"]:
        return replace(quantity, end=end, kind="duration", unit="s", factor=SECONDS[of["time"]])
    if of["unit"]:
        return replace(quantity, end=end, unit=UNITS[of["unit"]])
    return replace(quantity, end=end, kind="money", unit=_currency(of["money"] or of["sign"]))


def _closed(text: str, found: _Quantity) -> _Quantity | None:
    """Return the amount if it can end where it does; in parentheses and alone in its cell, money is negative."""
    end = found.end
    last, later = text[end : end + 1], text[end + 1 : end + 2]
    if last.isalnum() or (last and last in "_@\\°%‰′″+(#$€£¥₹") or (last == "^" and later != "["):
        return None
    if (last in {".", "'", "’"} and later.isalnum()) or (last in {",", ":"} and later.isdigit()):
        return None
    if last == "/" and not (found.kind == "money" and later.isalpha()):
        return None
    if last == "]" and text[found.start - 1 : found.start] == "[":
        return None
    if last and last in "-‐‑–—":
        is_upper = _UPPER_END.match(text, end) is not None
        if not is_upper and last in "-‐‑":
            return None
        found = replace(found, part_after=is_upper)
    elif _PART_AFTER.match(text, end):
        return None
    before = text[max(0, found.start - 2) : found.start]
    if last == ")" and before[-1:] == "(" and before[:-1] in _ENDS_OF_CELLS and later in _ENDS_OF_CELLS:
        is_loss = found.kind == "money" and found.plain > 0
        return replace(found, start=found.start - 1, end=end + 1, plain=found.plain.copy_negate()) if is_loss else None
    return found


def _joined(text: str, run: list[_Quantity], whole: str) -> Iterator[ReadValue]:
    """Yield the values of amounts that stand next to each other: a range, a compound, or each by itself."""
    place = 0
    while place < len(run):
        one = run[place]
        other = run[place + 1] if place + 1 < len(run) else None
        place += 1
        if other is not None and not one.part_before:
            between = _BETWEEN.fullmatch(text[one.end : other.start])
            found = _range(text, one, other, between, whole) if between else None
            if found is not None:
                yield found
                place += 1
                continue
            if between is not None and one.is_bare and not (other.is_bare and between["word"]):
                # What unit it has is a guess: 5 and 6 %, from 5 to 6 km; 5 - 6 is a score.
                run[place] = replace(other, part_before=other.is_bare)
                continue
            if _is_compound(one, other) and (between is None or between["word"] == "and"):
                rest = _EXACT.divide(one.amount, Decimal(other.factor))
                run[place] = replace(other, start=one.start, plain=_EXACT.add(rest, other.plain))
                continue
            if one.unit and one.kind == "number" and (between is None or one.unit in {"year", "month"}):
                # Six feet and something, years and days: a part of it is another length.
                is_part = other.kind == "duration" or other.unit == "month" or text[one.end : other.start].isspace()
                run[place] = replace(other, part_before=other.part_before or is_part)
                one = replace(one, part_before=is_part)
        is_rest = one.kind == "duration" and _TIME_IN_WORDS.search(text[max(0, one.start - _MOST_BEFORE) : one.start])
        if not (one.part_before or one.part_after or is_rest):
            yield ReadValue(one.kind, one.value, one.start, one.end, one.unit)


def _is_compound(one: _Quantity, other: _Quantity) -> bool:
    """Tell whether two lengths of time make one: 2 h 30 min."""
    return one.kind == other.kind == "duration" and other.factor < one.factor and other.plain > 0 and not other.scale


def _range(text: str, low: _Quantity, high: _Quantity, between: re.Match[str], whole: str) -> ReadValue | None:
    """Return the range that two amounts are the ends of, or None."""
    lead = _LEAD.search(text[max(0, low.start - 9) : low.start])
    word, first = between["word"] or "", lead["word"].lower() if lead else ""
    start = low.start - len(lead.group()) if lead and word == "and" else low.start
    # "From 5 to 6 %" is a change, "1-2-3" is not a range, and "5 and 6" are two numbers.
    if (word == "to" and first == "from") or (word == "and" and first != "between") or high.part_after:
        return None
    if low.is_bare and high.is_bare and not (low.scale or high.scale or word == "and" or whole == "number"):
        # Without a unit it can be a score.
        return None
    if low.is_bare:
        low = replace(low, kind=high.kind, unit=high.unit, factor=high.factor)
    elif high.is_bare and low.kind == "money" and word != "to":
        high = replace(high, kind=low.kind, unit=low.unit)
    if not low.scale and high.scale and low.plain < high.plain:
        low = replace(low, scale=high.scale)
    if (low.kind, low.unit) != (high.kind, high.unit) or low.scale > high.scale or low.amount >= high.amount:
        return None
    return ReadValue(low.kind, low.value, start, high.end, low.unit, high.value)
