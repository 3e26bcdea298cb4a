"""Cuts an expression into tokens, each with its place: numbers as they are written, names, signs.

Refuses, with the position, what could be read in two ways: digits of other scripts, ``5!=120``, ``1,00``, a number that
runs into a name. A comma groups digits only outside of brackets; inside it separates.
"""

from __future__ import annotations

import re
from enum import Enum
from fractions import Fraction
from typing import Final, NamedTuple

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.claim import unreadable
from probatum.readers.vocabulary import CURRENCY_CODES, CURRENCY_SIGNS

MAX_TOKENS: Final = 20_000
MAX_NUMBER: Final = 2_000
"""Characters of one number."""
MAX_EXPONENT: Final = 5_000
_SPACE: Final = re.compile(r"[ \t\r\n\u00a0\u2009\u202f]+")
_NUMBER: Final = re.compile(
    r"(?P<whole>[1-9][0-9]{0,2}(?:,[0-9]{3})++(?![0-9])|[0-9]++)?(?P<fraction>\.[0-9]*+)?(?P<power>[eE][+-]?[0-9]++)?"
)
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SUPERSCRIPT: Final = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SIGNS: Final = {
    **{sign: sign for sign in ("<->", "->", "**", "<=", ">=", "!=", "==", *"+-*/^()[]{},;:=<>!%|")},
    **{"**": "^", "==": "=", "<=>": "<->", "=>": "->", "⇔": "<->", "↔": "<->", "⇒": "->", "→": "->"},
    **{"−": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "≠": "!=", "≤": "<=", "≥": ">=", "≈": "~=", "~=": "~="},
    **{"∧": "and", "∨": "or", "¬": "not", "&&": "and", "||": "or"},
}
"""What is written to what it means."""
_LONGEST: Final = max(map(len, _SIGNS))
_NAMED: Final = {"π": "pi", "∞": "oo", "√": "sqrt"}
_OPENING: Final = "([{"
_CLOSING: Final = ")]}"
_NUMERIC: Final = frozenset("0123456789.")


class Sort(Enum):
    """What a token is."""

    NUMBER = "number"
    NAME = "name"
    SIGN = "sign"
    END = "end"


class Token(NamedTuple):
    """One token: its meaning as text, and where it stands."""

    sort: Sort
    text: str
    start: int
    end: int
    value: Fraction = Fraction(0)
    currency: str = ""
    places: int = 0
    """Of a number: how many places its last digit stands behind the point, less its exponent."""


def tokens_of(text: str, code: str) -> tuple[Token, ...]:
    """Return the tokens of a text and one for its end.

    Raises NotAttemptedError with ``code`` and the position where it cannot be read, BudgetError for too many.
    """
    found: list[Token] = []
    place, depth = 0, 0
    while place < len(text):
        space = _SPACE.match(text, place)
        if space is not None:
            place = space.end()
            continue
        token = _token(text, place, code, in_brackets=depth > 0)
        _require_apart(text, found, token, code)
        depth += (token.text in _OPENING) - (token.text in _CLOSING) if token.sort is Sort.SIGN else 0
        found.append(token)
        place = token.end
        if len(found) > MAX_TOKENS:
            raise BudgetError("engine.too_large", f"An expression has at most {MAX_TOKENS:,} numbers, names and signs.")
    found.append(Token(Sort.END, "", len(text), len(text)))
    return tuple(found)


def _token(text: str, place: int, code: str, *, in_brackets: bool) -> Token:
    sign = text[place]
    if CURRENCY_SIGNS.get(sign):
        number = _number(text, place + 1, code, in_brackets=in_brackets)
        if number is None:
            raise unreadable(code, text, place, "A number follows a currency sign at once")
        return Token(Sort.NUMBER, number.text, place, number.end, number.value, CURRENCY_SIGNS[sign], number.places)
    number = _number(text, place, code, in_brackets=in_brackets) if sign in _NUMERIC else None
    if number is not None:
        return number
    if sign in _NAMED:
        return Token(Sort.NAME, _NAMED[sign], place, place + 1)
    name = _NAME.match(text, place)
    if name is not None:
        return Token(Sort.NAME, name.group(), place, name.end())
    raised = _SUPERSCRIPT.match(text, place)
    if raised is not None:
        power = raised.group().translate(_SUPERSCRIPTS)
        return Token(Sort.SIGN, f"^{power}", place, raised.end(), Fraction(int(power[:9])))
    for length in range(_LONGEST, 0, -1):
        written = text[place : place + length]
        if len(written) == length and written in _SIGNS:
            return Token(Sort.SIGN, _SIGNS[written], place, place + length)
    raise _stranger(text, place, code)


def _stranger(text: str, place: int, code: str) -> NotAttemptedError:
    sign = text[place]
    if sign.isdecimal() or sign.isnumeric():
        return unreadable(code, text, place, "A digit of another script is not read as a number")
    if sign.isalpha():
        return unreadable(code, text, place, "A letter beyond A to Z can look like another one, so it is not read")
    return unreadable(code, text, place, "This sign has no meaning in an expression")


def _number(text: str, place: int, code: str, *, in_brackets: bool) -> Token | None:
    match = _NUMBER.match(text, place)
    if match is None or not match.group() or match.group() == "." or match.group()[0] in "eE":
        return None
    whole, fraction, power = match["whole"] or "", match["fraction"] or "", match["power"] or ""
    if in_brackets and "," in whole:
        if re.search(",0", whole):
            raise unreadable(code, text, place, "A comma between brackets separates, so '1,000' could be one or two")
        whole, fraction, power = whole.partition(",")[0], "", ""
    end = place + len(whole) + len(fraction) + len(power)
    if len(whole) + len(fraction) > MAX_NUMBER or len(power) > 6 or abs(int(power[1:] or 0)) > MAX_EXPONENT:
        raise BudgetError("engine.out_of_budget", f"The number at position {place} is too long to compute with.")
    if not whole and fraction == ".":
        return None
    digits, decimals = whole.replace(",", ""), fraction[1:]
    value, places = Fraction(int(f"{digits}{decimals}" or 0)), len(decimals) - int(power[1:] or 0)
    if places:
        value *= Fraction(10) ** -places
    return Token(Sort.NUMBER, text[place:end], place, end, value, places=places)


def _require_apart(text: str, found: list[Token], token: Token, code: str) -> None:
    """Raise where two tokens that touch could be read as one, or in another way."""
    last = found[-1] if found else None
    if last is None or last.end != token.start:
        return
    if last.sort is Sort.NUMBER and token.sort is Sort.NAME and token.text not in CURRENCY_CODES:
        raise unreadable(code, text, last.start, "A number runs into a name; write a product with '*'")
    if last.sort is Sort.NUMBER and token.sort is Sort.NUMBER:
        raise unreadable(code, text, last.start, "Two numbers touch, so it is not clear what is one number")
    after_operand = last.sort is Sort.NUMBER or last.text in _CLOSING
    if after_operand and text[token.start : token.end] == "!=":
        raise unreadable(code, text, token.start, "'!=' can be a factorial and '=', or 'is not'; write a space")
