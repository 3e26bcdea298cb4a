"""Event predicates: the small typed language in which a market says what has to have happened, read from text.

`parse_predicate` reads ``price(BTC_USD) > threshold and status in ('Final', 'Official')``, ``not cancelled``,
``at_least(2, price > $100k)`` or ``closed between 2026-01-01 and 2026-01-31``. Every character counts: prose, unknown
units, chained comparisons and whatever else only looks like a predicate is refused with its place and, where that is
plain, with what was meant. A comma between digits groups thousands, as in ``100,000``; in a list, where it could be a
separator, it is refused. Nothing is evaluated, and the work grows with the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NoReturn

from probatum.audit.claims import BOOLEAN, DURATION, NUMERIC, TEXT, TIMESTAMP, VERSION
from probatum.audit.event_terms import (
    PLAIN_ENTITY,
    SPEC_NAMES,
    TRUE,
    Compared,
    Condition,
    EventPredicate,
    FieldRef,
    Junction,
    Operand,
    SourceQuorum,
    SpecName,
    Value,
    operand_text,
    operands_of,
)
from probatum.audit.three_valued import is_vacuous
from probatum.core.outside import SHOWN, visible
from probatum.readers.values import whole_value

MAX_CHARACTERS: Final = 4_000
MAX_NESTING: Final = 50
MAX_ATOMS: Final = 200

_OPERATORS: Final = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==", "=": "==", "!=": "!="}
_NEAR_MISSES: Final = (
    """=> >= =< <= <> != === == !== != =! != ≥ >= ≤ <= ≠ != ! not & and && and | or || or “ " ” " ‘ ' ’ '"""
)
_MEANT: Final = dict(zip(_NEAR_MISSES.split()[::2], _NEAR_MISSES.split()[1::2], strict=True))
"""By sign that is none of the language: the one that it was meant for."""
_KEYWORDS: Final = "and|or|not|in|between|true|false|null|none|at_least"
_UNIT: Final = rf"(?:%|(?!(?:{_KEYWORDS})\b)°?[^\W\d_][\w/]*)"
_TOKEN: Final = re.compile(
    rf"""\s*(?P<token>
    (?P<dated>[0-9]{{4}}-[0-9]{{2}}(?![\w-])|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[\w:.+-]*)
    |(?P<version>(?:v[0-9]+\.[0-9]|[0-9]+\.[0-9]+\.)[\w.+-]*)
    |(?P<number>-?[$€£¥₹]?(?:[1-9][0-9]{{0,2}}(?:,[0-9]{{3}})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?(?:e[+-]?[0-9]{{1,3}})?)
        (?:\s*(?P<unit>{_UNIT}(?:\s*{_UNIT})*))?
    |(?P<text>'[^']*'|"[^"]*")
    |(?P<truth>(?:true|false)(?![\w.\[]))
    |at_least\s*\(\s*(?P<count>[1-9][0-9]{{0,2}})\s*,
    |(?P<field>(?!(?:{_KEYWORDS})(?![\w.\[]))[^\W\d]\w*(?:\.[^\W\d]\w*|\[(?:0|[1-9][0-9]{{0,5}})\])*)
        (?:\(\s*(?P<entity>{PLAIN_ENTITY.pattern}|'[^']+'|"[^"]+")\s*\))?
    |\w+|[<>=!&|≥≤≠]+|\S|\Z)""",
    re.VERBOSE | re.IGNORECASE,
)
_UNREADABLE: Final = {
    "dated": "not a date, month or time such as 2026-01-31, 2026-01 or 2026-01-31T12:00:00Z",
    "version": "neither a number nor a version such as 2.10.1",
    "unit": "not a unit that fits here",
    "number": "not a number, or one with too many digits",
}
"""By part of a literal: what it is said to be where the literal cannot be read."""
_AMOUNTS: Final = dict.fromkeys(("money", "percentage", "number"), NUMERIC)
_KINDS: Final = {**_AMOUNTS, "timestamp": TIMESTAMP, "duration": DURATION}


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
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise PredicateError("a predicate is text that has a UTF-8 form", error.start) from None
    reading = _Reading(text)
    condition = reading.whole()
    if len([*operands_of(condition)]) > 2 * MAX_ATOMS:
        raise PredicateError(f"a predicate has at most {MAX_ATOMS} comparisons", len(text))
    return EventPredicate("".join(reading.written), condition, is_vacuous(condition))


def value_in(text: str, kinds: Mapping[str, str] = _KINDS) -> Value | None:
    """Return the value of one of these kinds that a text is, as claims have it; None where it is none."""
    for kind, claimed in kinds.items():
        read = whole_value(text, kind)
        # As a length of time, 5m would be minutes: it may as well be metres or millions.
        if read is not None and not (kind == "duration" and re.fullmatch(r"[\d.,-]*m", text)):
            return Value(claimed, read.value, read.high, read.unit)
    return None


class _Reading:
    """One text while it is read, from the left to the right; it is written down again in one form."""

    def __init__(self, text: str) -> None:
        self._tokens = [*_TOKEN.finditer(text)]
        self._place = 0
        self._depth = 0
        self.written: list[str] = []

    def whole(self) -> Condition:
        """Return the condition that the whole text says."""
        condition = self._junction("or")
        if self._token["token"]:
            self._refuse("the end, 'and' or 'or'")
        return condition

    def _junction(self, word: str) -> Condition:
        parts: list[Condition] = []
        while not parts or self._takes(word):
            parts.append(self._junction("and") if word == "or" else self._negation())
        return parts[0] if len(parts) == 1 else Junction(word, tuple(parts))

    def _negation(self) -> Condition:
        if self._token["count"]:
            return self._quorum(self._token["count"])
        opened = self._takes("not", "(")
        if not opened:
            return self._comparing()
        self._depth += 1
        if self._depth > MAX_NESTING:
            self._fail(f"a predicate is nested at most {MAX_NESTING} deep")
        if opened == "not":
            condition: Condition = Junction("not", (self._negation(),))
        else:
            condition = self._junction("or")
            self._expect(")")
        self._depth -= 1
        return condition

    def _quorum(self, count: str) -> SourceQuorum:
        begin = len(self.written)
        self._write(f"at_least({count},")
        condition = self._comparing()
        self._expect(")")
        return SourceQuorum(int(count), condition, "".join(self.written[begin:]).strip())

    def _comparing(self) -> Compared | Junction:
        if self._token["token"].lower() == "at_least":
            self._fail("at_least is written at_least(2, price > 100), with a number of sources from 1 to 999")
        left = self._operand()
        word = self._takes(*_OPERATORS, "between", "in", "not")
        if word in _OPERATORS:
            right = self._operand()
            if self._token["token"] in _OPERATORS:
                self._fail("comparisons are not chained: write 1 < x and x < 5")
            return Compared(left, _OPERATORS[word], right)
        if word == "between":
            low = self._operand()
            self._expect("and", "the 'and' of 'between'")
            return Junction("and", (Compared(left, ">=", low), Compared(left, "<=", self._operand())))
        if word:
            if word == "not":
                self._expect("in", "the 'in' of 'not in'")
            is_one = Junction("or", tuple(Compared(left, "==", each) for each in self._choices()))
            return is_one if word == "in" else Junction("not", (is_one,))
        # Whether this is a field alone or the beginning of prose shows in what follows.
        is_alone = self._token["token"].lower() in {"", ")", "and", "or"}
        if not is_alone or not (isinstance(left, FieldRef) or left in {TRUE, Value(BOOLEAN, False)}):
            self._refuse("one of < <= > >= == != in, not in, between")
        return Compared(left, "==", TRUE)

    def _choices(self) -> tuple[Operand, ...]:
        self._expect("(")
        choices: list[Operand] = []
        while not choices or self._takes(","):
            digits = visible(self._token["number"] or "", SHOWN)
            if "," in digits:
                self._fail(f"in a list, write either {digits.replace(',', '')} or {digits.replace(',', ', ')}")
            choices.append(self._operand())
        self._expect(")", "',' or ')'")
        return tuple(choices)

    def _operand(self) -> Operand:
        token = self._token
        if token["token"] in {"'", '"'}:
            self._fail("this quotation mark has no second one")
        if not any(token[part] for part in (*_UNREADABLE, "text", "truth", "field")):
            self._refuse("a field, a name of the specification or a value")
        operand = _operand_of(token)
        self._write(operand_text(operand))
        if isinstance(operand, FieldRef) and token.string.startswith("(", token.end()):
            self._fail("an entity is written price(BTC_USD) or price('New York')")
        return operand

    @property
    def _token(self) -> re.Match[str]:
        return self._tokens[self._place]

    def _write(self, piece: str) -> None:
        """Write down the next token, and go on behind it."""
        is_close = piece in {")", ","} or not self.written or self.written[-1].strip() == "("
        self.written.append(piece if is_close else f" {piece}")
        self._place += 1

    def _takes(self, *words: str) -> str:
        """Return the word that comes next if it is one of these, and go on; else nothing."""
        word = self._token["token"].lower()
        if word not in words:
            return ""
        self._write(_OPERATORS.get(word, word))
        return word

    def _expect(self, word: str, expected: str = "") -> None:
        if not self._takes(word):
            self._refuse(expected or f"'{word}'")

    def _refuse(self, expected: str) -> NoReturn:
        found = self._token["token"]
        if found in _MEANT:
            self._fail(f"'{found}' is not known: did you mean {_MEANT[found]}?")
        self._fail(f"expected {expected}, got {_quoted(found) if found else 'the end of the text'}")

    def _fail(self, sentence: str) -> NoReturn:
        raise PredicateError(sentence, self._token.start("token"))


def _operand_of(token: re.Match[str]) -> Operand:
    text = token["token"]
    if token["truth"]:
        return Value(BOOLEAN, text.lower() == "true")
    if token["text"]:
        return Value(TEXT, _unquoted(text))
    if token["field"]:
        return SpecName(text) if text in SPEC_NAMES else FieldRef(token["field"], _unquoted(token["entity"] or ""))
    value = value_in(" ".join(text.split()), {"version": VERSION} if token["version"] else _KINDS)
    if value is None:
        part = next(each for each in _UNREADABLE if token[each])
        raise PredicateError(f"{_quoted(token[part])} is {_UNREADABLE[part]}", token.start(part))
    return value


def _unquoted(text: str) -> str:
    return text[1:-1] if text[:1] in {"'", '"'} else text


def _quoted(text: str) -> str:
    return f"'{visible(text, SHOWN)}'"
