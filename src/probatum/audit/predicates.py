"""Event predicates: the small typed language in which a market says what has to have happened, read from text.

`parse_predicate` reads ``price(BTC_USD) > threshold and status in ('Final', 'Official')``, ``not cancelled``,
``at_least(2, price > $100k)`` or ``closed between 2026-01-01 and 2026-01-31``. Every character counts: prose, unknown
units, chained comparisons and whatever else only looks like a predicate is refused with its place and, where that is
plain, with what was meant. A comma between digits groups thousands, as in ``100,000``; in a list, where it could be a
separator, it is refused. Nothing is evaluated, and the work grows with the length of the text.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NoReturn

from probatum.audit.event_terms import (
    FALSE,
    PLAIN_ENTITY,
    SPEC_NAMES,
    TRUE,
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
from probatum.audit.three_valued import SECONDS, moment_of, moment_text
from probatum.audit.vacuity import is_vacuous
from probatum.core.outside import clipped, visible

MAX_CHARACTERS: Final = 4_000
MAX_NESTING: Final = 50
MAX_ATOMS: Final = 200
_MOST_DIGITS: Final = 100

_OPERATORS: Final = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==", "=": "==", "!=": "!="}
_ALL_OPERATORS: Final = "< <= > >= == != in, not in, between"
_NEAR_MISSES: Final = (
    """=> >= =< <= <> != === == !== != =! != ≥ >= ≤ <= ≠ != ! not & and && and | or || or “ " ” " ‘ ' ’ '"""
)
_MEANT: Final = dict(zip(_NEAR_MISSES.split()[::2], _NEAR_MISSES.split()[1::2], strict=True))
_KEYWORDS: Final = {"and", "or", "not", "in", "between", "true", "false", "null", "none", "at_least"}
_SPACE: Final = re.compile(r"\s*")
_SIGNS: Final = re.compile(r"[<>=!&|≥≤≠]+|[“”‘’]")
_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*|\[(?:0|[1-9][0-9]{0,5})\])*")
_ENTITY: Final = re.compile(rf"\(\s*(?:({PLAIN_ENTITY.pattern})|'([^']+)'|\"([^\"]+)\")\s*\)")
_QUOTED: Final = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_DATED: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[\w:.+-]*")
_VERSION_LIKE: Final = re.compile(r"(?:v[0-9]+\.[0-9]|[0-9]+\.[0-9]+\.)[\w.+-]*")
_VERSION: Final = re.compile(r"v?[0-9]{1,18}(?:\.[0-9]{1,18})+(?:-[0-9A-Za-z.-]+)?")
_NUMBER: Final = re.compile(
    r"(-?)([$€£]?)((?:[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?)"
)
_COUNT: Final = re.compile(r"[1-9][0-9]{0,2}(?![0-9])")
_SUFFIX: Final = re.compile(r"%|°?[^\W\d_]+(?:\^[23])?(?:/[^\W\d_]+(?:\^[23])?)*")
_ENDING: Final = re.compile(r"\Z|\)|(?:and|or)\b", re.IGNORECASE)
_QUOTE: Final = re.compile("['\"]")
_POWER: Final = re.compile(r"(?:\^[23]|[²³])\Z")
_SHOWN_WORD: Final = re.compile(r"\w+|\S|\Z")

_SCALES: Final = {"k": 3, "K": 3, "M": 6, "bn": 9}
"""Written without a space behind the number: ``100k``."""
_SCALE_WORDS: Final = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SIGNS_OF_MONEY: Final = {"$": "USD", "€": "EUR", "£": "GBP"}
_MONEY: Final = (
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP "
    "CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF "
    "IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD "
    "MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB "
    "RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD "
    "UYU UZS VES VND VUV WST XAF XAG XAU XCD XOF XPF YER ZAR ZMW ZWG ADA BNB BTC DOGE ETH LTC SOL USDC USDT XRP"
)
_MEASURES: Final = (
    "% percent bp bps point points month months year years m metre metres meter meters mile miles yard yards foot "
    "feet ft inch inches g gram grams t tonne tonnes ton tons ounce ounces oz lb lbs pound pounds l L litre litres "
    "liter liters gallon gallons barrel barrels bbl acre acres ha °C °F K C F knot knots kn mph kph bar psi Pa hPa N "
    "J cal kcal W Wh V A Hz Ω ohm ohms eV mol B bit bits byte bytes KiB MiB GiB TiB kbps Mbps Gbps dB cd rad deg"
)
_PREFIXED: Final = ("m", "g", "t", "l", "L", "W", "Wh", "V", "A", "Hz", "Pa", "J", "N", "eV", "B", "s", "bit")
_UNITS: Final = frozenset(
    (*SECONDS, *_MONEY.split(), *_MEASURES.split(), *(prefix + unit for unit in _PREFIXED for prefix in "nµμmcdkMGTP"))
)
"""The units that may follow a number; of any other word it is not plain that it is one."""


class PredicateError(ValueError):
    """A text that is no predicate: one sentence, and the 0-based character offset that it is about."""

    def __init__(self, sentence: str, offset: int) -> None:
        super().__init__(f"{sentence} (at character {offset})")
        self.sentence = sentence
        self.offset = offset


def parse_predicate(text: str) -> EventPredicate:
    """Return the predicate that a text says.

    Raises:
        PredicateError: the text says none, or is longer, deeper or has more comparisons than a predicate may have.
    """
    if len(text) > MAX_CHARACTERS:
        raise PredicateError(f"a predicate has at most {MAX_CHARACTERS:,} characters", MAX_CHARACTERS)
    condition = _Reading(text).whole()
    normalised = condition_text(condition)
    if len(normalised) > MAX_CHARACTERS:
        raise PredicateError(f"written out, the predicate has more than {MAX_CHARACTERS:,} characters", len(text))
    return EventPredicate(normalised, condition, is_vacuous(condition))


class _Reading:
    """One text while it is read, from the left to the right."""

    __slots__ = ("_atoms", "_depth", "_position", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._depth = 0
        self._atoms = 0

    def whole(self) -> Condition:
        """Return the condition that the whole text says."""
        try:
            self._text.encode()
        except UnicodeEncodeError as error:
            raise PredicateError("a predicate is text that has a UTF-8 form", error.start) from None
        condition = self._junction("or")
        self._skip()
        if self._position < len(self._text):
            self._refuse("the end, 'and' or 'or'")
        return condition

    def _junction(self, word: str) -> Condition:
        parts: list[Condition] = []
        while True:
            part = self._junction("and") if word == "or" else self._negation()
            # What is joined by the same word says the same with and without parentheses.
            parts += part.conditions if isinstance(part, Junction) and part.word == word else (part,)
            if not self._keyword(word):
                return parts[0] if len(parts) == 1 else Junction(word, tuple(parts))

    def _negation(self) -> Condition:
        start = self._depth
        while self._keyword("not"):
            self._deeper()
        count = self._depth - start
        condition: Condition
        if self._sign("("):
            self._deeper()
            condition = self._junction("or")
            self._expect(")")
        elif self._keyword("at_least"):
            condition = self._quorum()
        else:
            condition = self._comparing()
        self._depth = start
        for _ in range(count):
            condition = Negation(condition)
        return condition

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise PredicateError(f"a predicate is nested at most {MAX_NESTING} deep", self._position)

    def _quorum(self) -> SourceQuorum:
        self._expect("(")
        count = self._take(_COUNT)
        if count is None:
            self._refuse("how many sources, from 1 to 999,")
        self._expect(",")
        self._skip()
        start = self._position
        condition = self._comparing()
        if not any(isinstance(each, FieldRef) for each in operands_of(condition)):
            raise PredicateError("at_least counts sources, so its comparison needs a field", start)
        self._expect(")")
        return SourceQuorum(int(count[0]), condition)

    def _comparing(self) -> Compared | OneOf | Within | Negation:
        left = self._operand()
        operator = self._take(_SIGNS)
        if operator is not None:
            return self._compared(left, operator)
        if self._keyword("between"):
            self._count(2)
            low = self._operand()
            if not self._keyword("and"):
                self._refuse("the 'and' of 'between'")
            return Within(left, low, self._operand())
        if self._keyword("in"):
            return OneOf(left, self._choices())
        if self._keyword("not"):
            if not self._keyword("in"):
                self._refuse("the 'in' of 'not in'")
            return Negation(OneOf(left, self._choices()))
        self._count(1)
        # Whether this is a field alone or the beginning of prose shows in what follows.
        if not (isinstance(left, FieldRef) or left in {TRUE, FALSE}) or not self._peek(_ENDING):
            self._refuse(f"one of {_ALL_OPERATORS}")
        return Compared(left, "==", TRUE)

    def _compared(self, left: Operand, sign: re.Match[str]) -> Compared:
        if sign[0] not in _OPERATORS:
            self._position = sign.start()
            self._refuse(f"one of {_ALL_OPERATORS}")
        self._count(1)
        right = self._operand()
        following = self._peek(_SIGNS)
        if following is not None and following[0] in _OPERATORS:
            first, middle = (clipped(visible(operand_text(each))) for each in (left, right))
            meant = f"{first} {sign[0]} {middle} and {middle} {following[0]} …"
            raise PredicateError(f"comparisons are not chained: write '{meant}'", self._position)
        return Compared(left, _OPERATORS[sign[0]], right)

    def _choices(self) -> tuple[Operand, ...]:
        self._expect("(")
        choices: list[Operand] = []
        while not choices or self._sign(","):
            self._count(1)
            choices.append(self._operand(in_list=True))
        self._expect(")", "',' or ')'")
        return tuple(choices)

    def _count(self, atoms: int) -> None:
        self._atoms += atoms
        if self._atoms > MAX_ATOMS:
            raise PredicateError(f"a predicate has at most {MAX_ATOMS} comparisons", self._position)

    def _operand(self, *, in_list: bool = False) -> Operand:
        if found := self._take(_DATED):
            return _moment(found)
        if found := self._take(_VERSION_LIKE):
            if not _VERSION.fullmatch(found[0]):
                raise PredicateError(
                    f"'{_shown(found)}' is neither a number nor a version such as 2.10.1", found.start()
                )
            return Value("version", found[0])
        if found := self._take(_NUMBER):
            if in_list and "," in found[0]:
                meant = found[0].replace(",", ""), found[0].replace(",", ", ")
                raise PredicateError(f"in a list, write either {meant[0]} or {meant[1]}", found.start())
            return self._number(found)
        if found := self._take(_QUOTED):
            return Value("text_assertion", found[1] if found[2] is None else found[2])
        if self._peek(_QUOTE):
            raise PredicateError("this quotation mark has no second one", self._position)
        found = self._peek(_NAME)
        word = found[0].lower() if found else ""
        if found is None or word in _KEYWORDS - {"true", "false"}:
            self._refuse("a field, a name of the specification or a value")
        self._position = found.end()
        if word in {"true", "false"}:
            return TRUE if word == "true" else FALSE
        if found[0] in SPEC_NAMES:
            return SpecName(found[0])
        if not self._text.startswith("(", self._position):
            return FieldRef(found[0])
        entity = self._take(_ENTITY)
        if entity is None:
            raise PredicateError("an entity is written price(BTC_USD) or price('New York')", self._position)
        return FieldRef(found[0], next(each for each in entity.groups() if each))

    def _number(self, found: re.Match[str]) -> Value:
        sign, money, digits = found.groups()
        suffix = _SUFFIX.match(self._text, self._position)
        power = _SCALES.get(suffix[0]) if suffix else None
        if power is None and (suffix := self._peek(_SUFFIX)):
            power = _SCALE_WORDS.get(suffix[0].lower())
        if suffix and power:
            self._position = suffix.end()
            suffix = self._peek(_SUFFIX)
        unit = _SIGNS_OF_MONEY.get(money, "")
        if suffix and suffix[0].lower() not in _KEYWORDS:
            if money or not all(_POWER.sub("", each) in _UNITS for each in suffix[0].split("/")):
                raise PredicateError(f"'{_shown(suffix)}' is no unit that may stand here", suffix.start())
            self._position = suffix.end()
            unit = "%" if suffix[0] == "percent" else suffix[0]
        return Value("numeric", _exact(f"{sign}{digits}".replace(",", ""), power or 0, found.start()), unit=unit)

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._position)
        self._position = found.end() if found else self._position

    def _peek(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._skip()
        return pattern.match(self._text, self._position)

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = self._peek(pattern)
        if found:
            self._position = found.end()
        return found

    def _keyword(self, word: str) -> bool:
        found = self._peek(_NAME)
        if found is None or found[0].lower() != word:
            return False
        self._position = found.end()
        return True

    def _sign(self, sign: str) -> bool:
        self._skip()
        if not self._text.startswith(sign, self._position):
            return False
        self._position += len(sign)
        return True

    def _expect(self, sign: str, expected: str = "") -> None:
        if not self._sign(sign):
            self._refuse(expected or f"'{sign}'")

    def _refuse(self, expected: str) -> NoReturn:
        sign, found = self._peek(_SIGNS), self._peek(_SHOWN_WORD)
        if sign and sign[0] in _MEANT:
            raise PredicateError(f"'{sign[0]}' is not known: did you mean {_MEANT[sign[0]]}?", self._position)
        shown = f"'{_shown(found)}'" if found and found[0] else "the end of the text"
        raise PredicateError(f"{expected} is expected where {shown} stands", self._position)


def _shown(found: re.Match[str]) -> str:
    return clipped(visible(found[0]))


def _moment(found: re.Match[str]) -> Value:
    moment = moment_of(found[0])
    text = None if moment is None else found[0] if moment[1] else moment_text(moment[0])
    if text is None:
        sentence = f"'{_shown(found)}' is no date or time such as 2026-01-31 or 2026-01-31T12:00:00Z"
        raise PredicateError(sentence, found.start())
    return Value("timestamp", text)


def _exact(text: str, power: int, offset: int) -> int | float:
    number = Fraction(text) * 10**power if len(text) <= _MOST_DIGITS else None
    if number is None or abs(number) >= 10**_MOST_DIGITS:
        raise PredicateError(f"a number has at most {_MOST_DIGITS} digits", offset)
    if number.denominator == 1:
        return int(number)
    # What a float does not name exactly by its shortest text would be compared as another number.
    if Fraction(repr(float(number))) != number:
        raise PredicateError("a decimal number has at most 15 digits that count", offset)
    return float(number)
