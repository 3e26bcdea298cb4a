"""The signs between a call and its value, and the value after them.

``f(2) == 4``, ``-> 4``, ``# => 4``: a `Relation` says where the value begins; `read_expected` reads it and looks at
what follows, because ``1 if n is even`` is not 1. A value whose end is not clear is not read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from probatum.programs.parsing.literals import read_value
from probatum.programs.parsing.scanning import TextScanner, is_word_start
from probatum.programs.requirements.constraints import BUILTIN_EXCEPTIONS, EXCEPTION_ENDINGS
from probatum.programs.specification import Expectation, ValueIs
from probatum.readings.syntax import NotReadableError

_ARROWS = ("===>", "==>", "=>", "--->", "-->", "->", "➞", "→", "⇒", "⟶", "⟹", "➜", "➔", "↦", "~>", "—>", "–>")
_EQUALS = ("===", "==", "=")
_ROUNDED = ("≈", "≃", "~=", "=~")
_NEXT_LINE_SIGNS = (*_ARROWS, "==")


@dataclass(frozen=True, slots=True)
class Relation:
    """What joins a call to its value."""

    notation: str
    """``equals``, ``arrow``, ``comment`` or ``rounded``."""
    value_at: int


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected and where the text of it ends."""

    expectation: Expectation
    end: int


def find_relation(scanner: TextScanner, at: int) -> Relation | None:
    """Return the relation that stands at ``at``, spaces skipped; None when there is none."""
    text = scanner.text
    begin = scanner.skip_spaces(at)
    while begin < len(text) and text[begin] == "`":
        begin += 1
    begin = scanner.skip_spaces(begin)
    if begin >= len(text) or text[begin] == "\n":
        following = scanner.skip_break(begin)
        return _by_sign(scanner, following) if text.startswith(_NEXT_LINE_SIGNS, following) else None
    if text[begin] == "#":
        return _in_comment(scanner, scanner.skip_spaces(begin + 1))
    if begin > at and text[begin] in ",:":
        return None
    return _by_sign(scanner, begin)


def _by_sign(scanner: TextScanner, at: int) -> Relation | None:
    for notation, signs in (("arrow", _ARROWS), ("equals", _EQUALS), ("rounded", _ROUNDED)):
        sign = next((sign for sign in signs if scanner.text.startswith(sign, at)), "")
        if sign and not (sign == "=" and scanner.text.startswith("~", at + 1)):
            return Relation(notation, scanner.skip_break(at + len(sign)))
    return None


def _in_comment(scanner: TextScanner, at: int) -> Relation | None:
    signed = _by_sign(scanner, at)
    if signed is None:
        return None
    return Relation("comment" if signed.notation == "arrow" else signed.notation, signed.value_at)


def exception_name(scanner: TextScanner, at: int, known: frozenset[str]) -> tuple[str, int] | None:
    """Return the name of the exception type at ``at`` and its end; None when no such type is known."""
    text = scanner.text
    end = scanner.dotted_name(at)
    if end < 0:
        return None
    name = text[at:end].rpartition(".")[2]
    is_own = name.endswith(EXCEPTION_ENDINGS) and (name in known or "." in text[at:end])
    return (name, end) if is_own or name in BUILTIN_EXCEPTIONS else None


def read_expected(scanner: TextScanner, relation: Relation) -> Expected | None:
    """Read the value after a relation. None when it is prose; raises `NotReadableError` when it fails to be a value."""
    text = scanner.text
    at = relation.value_at
    ticks = 0
    while text.startswith("`", at):
        ticks, at = ticks + 1, at + 1
    if not scanner.starts_value(at):
        return None
    end = scanner.value_end(at)
    if end < 0:
        raise NotReadableError("the value's quotes or brackets do not close")
    written = text[at:end]
    value = read_value(written, scanner.shadowed)
    # In backticks the value ends where they do, so no chain is followed.
    if not ticks:
        written, value, end = _last_of_chain(scanner, written, value, end)
    elif not text.startswith("`" * ticks, end):
        raise NotReadableError("the value's quotes or brackets do not close")
    end += ticks
    if not follows_cleanly(scanner, end):
        rest = text[end : min(scanner.line_end(end), end + 40)].strip()
        raise NotReadableError(f"it is not clear whether {rest!r} belongs to the value")
    return Expected(ValueIs(value, written), end)


def _last_of_chain(scanner: TextScanner, written: str, value: object, end: int) -> tuple[str, object, int]:
    """Follow ``1 + 9 = 10``: the last value counts when the arithmetic before it gives the same."""
    text = scanner.text
    while True:
        sign = scanner.skip_spaces(end)
        if not text.startswith("=", sign) or text.startswith("=>", sign):
            return written, value, end
        at = scanner.skip_spaces(sign + (2 if text.startswith("==", sign) else 1))
        if not scanner.starts_value(at):
            return written, value, end
        following = scanner.value_end(at)
        if following < 0:
            raise NotReadableError("the value's quotes or brackets do not close")
        next_value = read_value(text[at:following], scanner.shadowed)
        if not _same_number(value, next_value):
            raise NotReadableError(f"{written.strip()} is not {text[at:following].strip()}")
        written, value, end = text[at:following], next_value, following


def _same_number(first: object, second: object) -> bool:
    if isinstance(first, int | float) and isinstance(second, int | float):
        try:
            return math.isclose(first, second, rel_tol=1e-9)
        except OverflowError:
            return first == second
    return bool(first == second)


def follows_cleanly(scanner: TextScanner, end: int) -> bool:
    """True when the text after a value cannot be a part of it: punctuation or a comment."""
    text = scanner.text
    at = scanner.skip_spaces(end)
    if at >= len(text) or text[at] in "\n#;!|":
        return True
    character = text[at]
    if character == ".":
        return not text.startswith("..", at) and (at + 1 >= len(text) or text[at + 1] in " \t\n)'\"`")
    if character == ",":
        return _comma_ends(scanner, at + 1)
    if character in ")`":
        return at == end
    if text.startswith(("//", "--", "—", "–"), at):
        return True
    if character in "-:" and at + 1 < len(text) and (at > end or character == ":"):
        return text[at + 1] in " \t" and is_word_start(text[scanner.skip_spaces(at + 1) : at + 9].strip()[:1] or " ")
    return False


def _comma_ends(scanner: TextScanner, at: int) -> bool:
    """After a comma: another value would make a tuple, and words could be a condition; a call is the next example."""
    text = scanner.text
    at = scanner.skip_spaces(at)
    if at >= len(text) or text[at] == "\n":
        return True
    if scanner.starts_value(at) or text.startswith("...", at):
        return False
    name_end = scanner.dotted_name(at)
    return text.startswith("(", name_end) if name_end >= 0 else not text[at].isalnum()
