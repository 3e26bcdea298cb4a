"""The words and signs between a call and its value, and the value after them.

``f(2) == 4``, ``-> 4``, ``should return 4``, ``# => 4``: a `Relation` says where the value begins; `read_expected`
reads it and looks at what follows, because ``1 if n is even`` is not 1. A value whose end is not clear is not read.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from probatum.programs.parsing.literals import read_value
from probatum.programs.parsing.scanning import TextScanner, is_word_start, word_set
from probatum.programs.requirements.constraints import BUILTIN_EXCEPTIONS, EXCEPTION_ENDINGS
from probatum.programs.specification import Expectation, ValueIs
from probatum.readings.syntax import NotReadableError

_ARROWS = ("===>", "==>", "=>", "--->", "-->", "->", "➞", "→", "⇒", "⟶", "⟹", "➜", "➔", "↦", "~>", "—>", "–>")
_EQUALS = ("===", "==", "=")
_ROUNDED = ("≈", "≃", "~=", "=~")
_NEXT_LINE_SIGNS = (*_ARROWS, "==")
_MODALS = ("should", "must", "will", "would", "shall")
_VERBS = ("return", "give", "yield", "produce", "output", "equal", "be", "evaluate to", "result in")
_PHRASES = (
    frozenset(f"{modal} {verb}" for modal in _MODALS for verb in _VERBS)
    | word_set("return returns returned give gives yields produces outputs equals is")
    | {"gives back", "equal to", "is equal to", "should be equal to", "evaluates to", "results in"}
)
_LONGEST_PHRASE = 4
_FILLERS = word_set("the a an list tuple string value integer number set dict dictionary array boolean result output")
_EXPLAINING = word_set(
    "because since as where and while but i.e e.g with note explanation due otherwise else whereas so thus hence for"
)
_WORD = re.compile(r"[A-Za-z]+(?:\.[a-z])?")


@dataclass(frozen=True, slots=True)
class Relation:
    """What joins a call to its value."""

    notation: str
    """``equals``, ``arrow``, ``returns``, ``comment`` or ``rounded``."""
    value_at: int
    by_sign: bool
    """True for signs: the document then surely means an example; words may be prose."""


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
        if text.startswith(_NEXT_LINE_SIGNS, following):
            return _by_sign(scanner, following)
        if following > begin and text[following].islower():
            return _by_words(scanner, following)
        return None
    if text[begin] == "#":
        return _in_comment(scanner, scanner.skip_spaces(begin + 1))
    if begin > at and text[begin] in ",:":
        return None
    return _by_sign(scanner, begin) or _by_words(scanner, begin)


def _by_sign(scanner: TextScanner, at: int) -> Relation | None:
    for notation, signs in (("arrow", _ARROWS), ("equals", _EQUALS), ("rounded", _ROUNDED)):
        sign = next((sign for sign in signs if scanner.text.startswith(sign, at)), "")
        if sign and not (sign == "=" and scanner.text.startswith("~", at + 1)):
            value_at = scanner.skip_break(at + len(sign))
            phrase = _by_words(scanner, value_at)
            return Relation(notation, phrase.value_at if phrase is not None else value_at, by_sign=True)
    return None


def _in_comment(scanner: TextScanner, at: int) -> Relation | None:
    signed = _by_sign(scanner, at)
    if signed is not None:
        return Relation("comment" if signed.notation == "arrow" else signed.notation, signed.value_at, by_sign=True)
    return _by_words(scanner, at)


def _by_words(scanner: TextScanner, at: int) -> Relation | None:
    """Read the longest known phrase at ``at``; its words may stand on two lines."""
    text = scanner.text
    words: list[str] = []
    best: int | None = None
    while len(words) < _LONGEST_PHRASE:
        match = _WORD.match(text, at)
        if match is None:
            break
        words.append(match.group().lower())
        phrase = " ".join(words)
        if phrase in _PHRASES:
            best = match.end()
        at = scanner.skip_break(match.end())
    if best is None:
        return None
    after = scanner.skip_spaces(best)
    if text.startswith(":", after):
        after += 1
    return Relation("returns", scanner.skip_break(after), by_sign=False)


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
    if not relation.by_sign:
        at = _skip_fillers(scanner, at)
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


def _skip_fillers(scanner: TextScanner, at: int) -> int:
    """Skip words like "the list" between a phrase and its value."""
    begin = at
    for _ in range(4):
        match = _WORD.match(scanner.text, at)
        if match is None or match.group().lower() not in _FILLERS:
            break
        at = scanner.skip_break(match.end())
    return at if scanner.starts_value(at) else begin


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
    """True when the text after a value cannot be a part of it: punctuation, a comment or an explanation."""
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
    if character in "([":
        return at > end and _explanation_in_brackets(scanner, at)
    if text.startswith(("//", "--", "—", "–"), at):
        return True
    if character in "-:" and at + 1 < len(text) and (at > end or character == ":"):
        return text[at + 1] in " \t" and is_word_start(text[scanner.skip_spaces(at + 1) : at + 9].strip()[:1] or " ")
    match = _WORD.match(text, at)
    if match is None or at == end:
        return False
    if match.group().lower() == "and":
        return not scanner.starts_value(scanner.skip_break(match.end()))
    return match.group().lower() in _EXPLAINING


def _comma_ends(scanner: TextScanner, at: int) -> bool:
    """After a comma: another value would make a tuple, "if" a condition; other words begin a new clause."""
    text = scanner.text
    at = scanner.skip_spaces(at)
    if at >= len(text) or text[at] == "\n":
        return True
    if scanner.starts_value(at) or text.startswith("...", at):
        return False
    match = _WORD.match(text, at)
    return match is None or match.group().lower() not in {"if", "when", "or", "unless"}


def _explanation_in_brackets(scanner: TextScanner, at: int) -> bool:
    """True for ``(the sum of …)``: words in parentheses after a space."""
    following = scanner.skip_spaces(at + 1)
    text = scanner.text
    if text[at] != "(" or following >= len(text):
        return False
    return is_word_start(text[following]) or text[following].isdigit()
