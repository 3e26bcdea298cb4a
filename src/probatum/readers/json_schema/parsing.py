"""JSON text to values, strictly by RFC 8259, within budgets: the shared ground of contracts and outputs.

Whole numbers stay exact. A duplicate key is reported with its place; the last one counts. Refuses: NaN, Infinity,
trailing commas, comments, text that is not UTF-8, half a surrogate pair; and, with an error of its own, what is JSON
but beyond the budget.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from json import decoder
from typing import Final, NoReturn, TypeAlias

from probatum.core.canonical import JsonValue
from probatum.core.errors import BudgetError
from probatum.core.json_text import (
    DEEPEST,
    DuplicateKeyError,
    JsonTextError,
    computed_number,
    is_deeper,
    is_text_deeper,
    kept_number,
    refuse_constant,
    require_few_parts,
    strict_decoder,
)
from probatum.core.limits import MAX_DIGITS, ExtentError

BYTE_ORDER_MARK: Final = "\ufeff"
MAX_BYTES: Final = 50 * 1024 * 1024
MAX_DEPTH: Final = 10_000
MAX_CAREFUL: Final = 100_000
"""How many values are read one by one, where the fast reader gave up; it takes about a second."""
MAX_PLACES: Final = 1_000
"""Of so many keys that appear twice the place is reported; the others are counted."""
Steps = tuple[str | int, ...]


class NotJsonError(ValueError):
    """The text is not JSON; says why, and where it is known, the place."""

    def __init__(self, reason: str, position: int | None = 0, steps: Steps = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position
        self.steps = steps


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value, and where an object in it had the same key twice."""

    value: JsonValue
    duplicates: tuple[Steps, ...] = ()
    duplicates_beyond: int = 0
    """How many more keys appear twice than have their place reported."""
    trailing_commas: int = 0
    """How many commas stood behind a last item; only where the reader was asked to allow them."""


def decoded(content: bytes, max_bytes: int = MAX_BYTES) -> str:
    """Return the text of UTF-8 bytes.

    Raises:
        BudgetError: more bytes or values than the budget.
        NotJsonError: not UTF-8.
    """
    if len(content) > max_bytes:
        raise BudgetError("json.too_large", f"The JSON has more than {max_bytes} bytes, which is the budget.")
    try:
        text = content.decode("utf-8")
        require_few_parts(text)
        return text
    except ExtentError as error:
        raise BudgetError("json.too_large", f"The JSON has {error}, which is the budget.") from error
    except UnicodeDecodeError as error:
        raise NotJsonError(f"not UTF-8 at byte {error.start}") from error


def strict_json(content: bytes, max_bytes: int = MAX_BYTES) -> JsonValue:
    """Return the value of bytes that are JSON and nothing else.

    Raises:
        NotJsonError: they are not, or hold an object with the same key twice.
        BudgetError: they are, beyond the budget.
    """
    parsed = parse(decoded(content, max_bytes).removeprefix(BYTE_ORDER_MARK))
    if parsed.duplicates:
        raise NotJsonError(f"the key {parsed.duplicates[0][-1]!r} appears twice in one object", 0, parsed.duplicates[0])
    return parsed.value


def parse(text: str, *, allow_trailing_commas: bool = False) -> Parsed:
    """Return the value of a text that is JSON and nothing else.

    Raises:
        NotJsonError: it is not; says where and why.
        BudgetError: it is, beyond the budget.
    """
    parsed, end = parse_at(text, _space_after(text, 0), allow_trailing_commas=allow_trailing_commas)
    end = _space_after(text, end)
    if end != len(text):
        raise NotJsonError("more text follows the value", end)
    return parsed


def parse_at(text: str, position: int, *, allow_trailing_commas: bool = False) -> tuple[Parsed, int]:
    """Return the value that begins at a position, and where it ends.

    Raises:
        NotJsonError: none begins there.
        BudgetError: one does, beyond the budget.
    """
    twice: _Twice = {}
    try:
        try:
            value, end = _FAST.raw_decode(text, position)
        except DuplicateKeyError:
            value, end = _recording(twice).raw_decode(text, position)
        # How deep the fast reader goes is different in every Python; what is given up for being deep must not be.
        if is_deeper(value, DEEPEST):
            raise RecursionError
    except (ValueError, RecursionError, BudgetError) as error:
        return _Careful(text, allow_trailing_commas, _known_of(error, text, position)).read(position)
    if _is_half(text) and not _is_writable(value):
        return _Careful(text, allow_trailing_commas, NotJsonError(_HALF, None)).read(position)
    if not twice:
        return Parsed(value), end
    duplicates, count = _places(value, twice)
    # What stands in a value that a later one replaced is not found in the whole.
    return Parsed(value, duplicates, sum(len(keys) for _, keys in twice.values()) - count), end


_Twice: TypeAlias = "dict[int, tuple[dict[str, JsonValue], list[str]]]"
"""Objects with the keys that each has twice, by identity; holding an object keeps its identity its own."""


def _known_of(error: Exception, text: str, position: int) -> Exception:
    """Return what is known without the careful reader, for a text that is too long for it."""
    # Which of two flaws the fast reader meets first depends on how deep it goes.
    if len(text) > MAX_CAREFUL and is_text_deeper(text[position : getattr(error, "pos", None)], DEEPEST):
        error = RecursionError()
    if isinstance(error, BudgetError):
        return error
    if isinstance(error, JsonTextError):
        return NotJsonError(str(error), None)
    if isinstance(error, json.JSONDecodeError):
        return NotJsonError(_SAID.get(error.msg.split(" starting")[0], error.msg.lower()), error.pos)
    return BudgetError("json.too_deep", f"The JSON is nested deep and has more than {MAX_CAREFUL} values.")


def _recording(twice: _Twice) -> json.JSONDecoder:
    """Return a reader that writes down which object has which keys twice."""

    def recorded(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        entries = dict(pairs)
        if len(entries) != len(pairs):
            seen: set[str] = set()
            keys = [key for key, _ in pairs if key in seen or seen.add(key)]  # type: ignore[func-returns-value]  # on purpose
            twice[id(entries)] = entries, keys
        return entries

    return json.JSONDecoder(object_pairs_hook=recorded, parse_constant=refuse_constant, parse_float=kept_number)


_Link: TypeAlias = "tuple[_Link | None, str | int]"
"""A step, behind the one before it."""


def _places(value: JsonValue, twice: _Twice) -> tuple[tuple[Steps, ...], int]:
    """Return where the first keys are that appear twice, and how many these are."""
    found: list[Steps] = []
    pending: list[tuple[JsonValue, _Link | None]] = [(value, None)]
    while pending and len(found) < MAX_PLACES:
        item, link = pending.pop()
        if isinstance(item, dict):
            _, keys = twice.get(id(item), (item, []))
            found += [_steps_to((link, key)) for key in keys[: MAX_PLACES - len(found)]]
            pending.extend((each, (link, key)) for key, each in item.items() if isinstance(each, (dict, list)))
        elif isinstance(item, list):
            pending.extend((each, (link, n)) for n, each in enumerate(item) if isinstance(each, (dict, list)))
    return tuple(found), len(found)


def _steps_to(link: _Link | None) -> Steps:
    steps: list[str | int] = []
    while link is not None:
        link, step = link
        steps.append(step)
    return tuple(reversed(steps))


def _is_half(text: str) -> bool:
    """True where an escape may be half a surrogate pair."""
    return "\\ud" in text or "\\uD" in text


def _is_writable(value: JsonValue) -> bool:
    try:
        json.dumps(value, ensure_ascii=False, check_circular=False).encode("utf-8")
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


_FAST: Final = strict_decoder(fraction=kept_number)
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORDS: Final[dict[str, JsonValue]] = {"true": True, "false": False, "null": None}
_TEXT: Final[Callable[[str, int, bool], tuple[str, int]]] = decoder.scanstring  # type: ignore[attr-defined]  # it is there
_CLOSING: Final = {list: "]", dict: "}"}


def _space_after(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    assert found is not None
    return found.end()


class _Careful:
    """Reads one value with a stack of its own, so that no nesting is too deep, and knows the place of everything."""

    def __init__(self, text: str, allows_trailing_commas: bool, known: Exception) -> None:
        """Keep the text, and what is to be raised where it has too many values."""
        self.text = text
        self.known = known
        self.values = 0
        self.allows_trailing_commas = allows_trailing_commas
        self.trailing_commas = 0
        self.stack: list[list[JsonValue] | dict[str, JsonValue]] = []
        self.keys: list[str | None] = []
        """For each container of the stack: the key whose value is being read; None for a list, and before the first."""
        self.duplicates: list[Steps] = []
        self.duplicates_beyond = 0

    def read(self, position: int) -> tuple[Parsed, int]:
        value, position, is_open = self._value(position)
        while True:
            if is_open:
                assert isinstance(value, (list, dict))
                self._enter(value)
            elif self.stack:
                self._put(value)
            else:
                told = Parsed(value, tuple(self.duplicates), self.duplicates_beyond, self.trailing_commas)
                return told, position
            position = _space_after(self.text, position)
            closing = _CLOSING[type(self.stack[-1])]
            ends = self.text.startswith(closing, position)
            if not ends and not is_open:
                if not self.text.startswith(",", position):
                    self._refuse(f"expected ',' or '{closing}'", position)
                position = _space_after(self.text, position + 1)
                ends = self.allows_trailing_commas and self.text.startswith(closing, position)
                self.trailing_commas += ends
            value, position, is_open = self._leave(position) if ends else self._item(position)

    def _enter(self, value: list[JsonValue] | dict[str, JsonValue]) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise BudgetError("json.too_deep", f"The JSON is nested deeper than {MAX_DEPTH} levels.")
        self.stack.append(value)
        self.keys.append(None)

    def _leave(self, position: int) -> tuple[JsonValue, int, bool]:
        self.keys.pop()
        return self.stack.pop(), position + 1, False

    def _put(self, value: JsonValue) -> None:
        container = self.stack[-1]
        if isinstance(container, list):
            container.append(value)
            return
        key = self.keys[-1]
        assert key is not None
        if key in container:
            if len(self.duplicates) < MAX_PLACES:
                self.duplicates.append(self._steps())
            else:
                self.duplicates_beyond += 1
        container[key] = value

    def _item(self, position: int) -> tuple[JsonValue, int, bool]:
        """Read what stands in a list or an object: in an object the key first."""
        if isinstance(self.stack[-1], list):
            return self._value(position)
        if not self.text.startswith('"', position):
            self._refuse("expected a key in double quotes", position)
        key, position = self._text(position)
        self.keys[-1] = key
        position = _space_after(self.text, position)
        if not self.text.startswith(":", position):
            self._refuse("expected ':' after the key", position)
        return self._value(_space_after(self.text, position + 1))

    def _value(self, position: int) -> tuple[JsonValue, int, bool]:
        """Return a value, where it ends, and whether it is a list or an object that only begins."""
        self.values += 1
        if self.values > MAX_CAREFUL:
            raise self.known
        sign = self.text[position : position + 1]
        if sign == "[":
            return [], position + 1, True
        if sign == "{":
            return {}, position + 1, True
        if sign == '"':
            text, end = self._text(position)
            return text, end, False
        for word, value in _WORDS.items():
            if self.text.startswith(word, position):
                return value, position + len(word), False
        return *self._number(position), False

    def _number(self, position: int) -> tuple[JsonValue, int]:
        found = _NUMBER.match(self.text, position)
        if found is None:
            self._refuse(
                "expected a value" if position < len(self.text) else "the text ends before it is whole", position
            )
        digits = found.group()
        if found.group(1) is None and found.group(2) is None:
            if len(digits) > MAX_DIGITS:
                raise BudgetError("json.number_too_long", f"A number at {position} has {len(digits)} digits.")
            return int(digits), found.end()
        return computed_number(digits), found.end()

    def _text(self, position: int) -> tuple[str, int]:
        try:
            text, end = _TEXT(self.text, position + 1, True)
        except json.JSONDecodeError as error:
            self._refuse(_SAID.get(error.msg.split(" starting")[0], error.msg.lower()), error.pos)
        if not text.isascii():
            try:
                text.encode("utf-8")
            except UnicodeEncodeError:
                self._refuse(_HALF, position)
        return text, end

    def _steps(self) -> Steps:
        places = zip(self.stack, self.keys, strict=True)
        steps = [len(container) if isinstance(container, list) else key for container, key in places]
        return tuple(step for step in steps if step is not None)

    def _refuse(self, reason: str, position: int) -> NoReturn:
        if position >= len(self.text):
            reason = "the text ends before it is whole"
        raise NotJsonError(reason, position, self._steps())


_HALF: Final = "half a surrogate pair, which no text has"
_SAID: Final = {
    "Unterminated string": "a text that does not end",
    "Invalid control character at": "a control character inside a text",
    "Invalid \\escape": "an escape that JSON does not have",
    "Invalid \\uXXXX escape": "an escape that JSON does not have",
}
