"""Hand-written scanners over documentation text: brackets, strings, words, values, what follows a value.

Each runs in time linear in the text: a failed search for a closing bracket is paid from a budget that the whole
text shares. Refuses to look past a blank line for a closing bracket, because an example does not contain one.
"""

from __future__ import annotations

import re

OPENING = "([{"


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text, as a set to look words up in."""
    return frozenset(text.split())


_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MAX_NESTING = 100
_INTERESTING = re.compile(r"[()\[\]{}\"'#\n]")
_STRING_STOPS = {"'": re.compile(r"['\\\n]"), '"': re.compile(r"[\"\\\n]")}
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(
    r"0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+"
    r"|(?:[0-9][0-9_]*(?:\.[0-9][0-9_]*|\.(?=[jJeE]))?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?[jJ]?",
    re.ASCII,
)
_STRING_PREFIX = re.compile(r"[rRbBuU]{1,2}(?=[\"'])")
_VALUE_WORDS = word_set("True False None true false null none nil TRUE FALSE NULL NONE undefined inf nan Infinity NaN")
_CONSTRUCTOR_WORDS = word_set(
    "set frozenset float complex Decimal Fraction date datetime time timedelta decimal fractions dict list tuple "
    "bytes bytearray"
)
_OPERATORS = ("**", "//", "<<", "+", "-", "*", "/", "%")
_MAX_TERMS = 500


def is_word_start(character: str) -> bool:
    """True for a character that can begin an identifier."""
    return character == "_" or character.isalpha()


class TextScanner:
    """One text and the budget for failed searches in it. Offsets in, offsets out; -1 means "not found"."""

    __slots__ = ("_budget", "_carried", "_line", "shadowed", "text")

    def __init__(self, text: str, shadowed: frozenset[str] = frozenset()) -> None:
        self.text = text
        self.shadowed = shadowed
        """Names of constructors that mean something else in this text."""
        self._budget = 4 * len(text) + 100_000
        # For lines that are carried on: many examples may stand in one, and each asks where it ends.
        self._carried = 16 * len(text) + 100_000
        self._line = (0, -1)

    def line_end(self, at: int) -> int:
        """Return the offset of the end of the line that holds ``at``."""
        if not self._line[0] <= at <= self._line[1]:
            end = self.text.find("\n", at)
            self._line = (at, len(self.text) if end < 0 else end)
        return self._line[1]

    def skip_spaces(self, at: int) -> int:
        """Return the offset of the next character that is not a space, on the same line."""
        text = self.text
        while at < len(text) and text[at] in " \t\f\v\r\u00a0":
            at += 1
        return at

    def skip_break(self, at: int) -> int:
        """Skip spaces and at most one line end; a blank line is never crossed."""
        at = self.skip_spaces(at)
        if at < len(self.text) and self.text[at] == "\n":
            after = self.skip_spaces(at + 1)
            if after < len(self.text) and self.text[after] != "\n":
                return after
        return at

    def identifier(self, at: int) -> int:
        """Return the end of the identifier that begins at ``at``, or -1."""
        match = _IDENTIFIER.match(self.text, at)
        return match.end() if match else -1

    def dotted_name(self, at: int) -> int:
        """Return the end of ``name`` or ``name.name`` that begins at ``at``, or -1."""
        end = self.identifier(at)
        while 0 <= end < len(self.text) and self.text[end] == ".":
            following = self.identifier(end + 1)
            if following < 0:
                break
            end = following
        return end

    def string_end(self, at: int) -> int:
        """Return the end of the string literal whose quote is at ``at``; it must close on its line, or be triple."""
        text = self.text
        quote = text[at]
        if text.startswith(quote * 3, at):
            return self._triple_end(at + 3, quote * 3)
        stops = _STRING_STOPS[quote]
        at += 1
        while stop := stops.search(text, at):
            if stop.group() == quote:
                return stop.end()
            if stop.group() == "\n":
                return -1
            at = stop.end() + 1
        return -1

    def _triple_end(self, at: int, quote: str) -> int:
        limit = min(len(self.text), at + max(0, self._budget))
        close = -1
        while True:
            close = self.text.find(quote, at, limit) if close < at else close
            if close < 0:
                self._budget -= limit - at
                return -1
            backslash = self.text.find("\\", at, close)
            if backslash < 0:
                return close + 3
            at = backslash + 2

    def bracket_end(self, at: int) -> int:
        """Return the offset after the bracket that closes the one at ``at``, strings and comments skipped, or -1."""
        text = self.text
        limit = len(text) if self._budget > 0 else self.line_end(at)
        stack: list[str] = []
        reached = at
        while match := _INTERESTING.search(text, reached, limit):
            reached = match.end()
            character = match.group()
            if character in _CLOSING:
                stack.append(_CLOSING[character])
                if len(stack) > _MAX_NESTING:
                    break
            elif character in "\"'":
                end = self.string_end(match.start())
                if end < 0:
                    break
                reached = end
            elif character == "#":
                reached = self.line_end(reached)
            elif character == "\n":
                if self._blank_line(reached):
                    break
            elif character != stack.pop():
                break
            elif not stack:
                return reached
        self._budget -= reached - at
        return -1

    def _blank_line(self, at: int) -> bool:
        at = self.skip_spaces(at)
        return at >= len(self.text) or self.text[at] == "\n"

    def logical_line_end(self, at: int) -> int:
        """Return the end of the line, carried on over open brackets; the plain end when they do not close."""
        text = self.text
        plain = self.line_end(at)
        while self._carried > 0 and (match := _INTERESTING.search(text, at)):
            self._carried -= match.end() - at
            at = match.end()
            character = match.group()
            if character == "\n":
                return match.start()
            if character == "#":
                return self.line_end(at)
            after = self._past(match)
            if after < 0:
                return plain
            self._carried -= after - at
            at = after
        return len(text) if self._carried > 0 else plain

    def _past(self, mark: re.Match[str]) -> int:
        """Return the offset after what a bracket or quote opens, or after any other mark; -1 where nothing closes."""
        if mark.group() in _CLOSING:
            return self.bracket_end(mark.start())
        return self.string_end(mark.start()) if mark.group() in "\"'" else mark.end()

    def brackets_close(self) -> bool:
        """True when every bracket of the whole text is closed."""
        at = 0
        while match := _INTERESTING.search(self.text, at):
            at = self.line_end(match.end()) if match.group() == "#" else self._past(match)
            if at < 0:
                return False
        return True

    def comment_at(self, at: int) -> int:
        """Return the offset of the ``#`` that begins a comment at or after ``at``, strings left out, or -1."""
        while match := _INTERESTING.search(self.text, at):
            if match.group() == "#":
                return match.start()
            at = self.string_end(match.start()) if match.group() in "\"'" else match.end()
            if at < 0:
                return -1
        return -1

    def postfix_end(self, at: int) -> int:
        """Return the end of the calls, subscripts and attributes that stand directly at ``at``."""
        text = self.text
        while at < len(text):
            if text[at] in "([":
                end = self.bracket_end(at)
            elif text[at] == ".":
                end = self.identifier(at + 1)
            else:
                return at
            if end < 0:
                return at
            at = end
        return at

    def starts_value(self, at: int) -> bool:
        """True when what stands at ``at`` looks like the beginning of a value: quote, bracket, number or value word."""
        text = self.text
        while at < len(text) and text[at] in "+-":
            at += 1
        if at >= len(text):
            return False
        character = text[at]
        if character in OPENING or character in "\"'" or character.isdigit():
            return True
        if character == "." and text[at + 1 : at + 2].isdigit():
            return True
        if not is_word_start(character):
            return False
        if _STRING_PREFIX.match(text, at):
            return True
        end = self.identifier(at)
        word = text[at:end]
        return word in _VALUE_WORDS or (word in _CONSTRUCTOR_WORDS and self.constructor_end(at) >= 0)

    def constructor_end(self, at: int) -> int:
        """Return the end of ``name(…)`` for the constructors that values may use, or -1."""
        end = self.dotted_name(at)
        name = self.text[at:end].partition(".")[0] if end >= 0 else ""
        if name not in _CONSTRUCTOR_WORDS or name in self.shadowed:
            return -1
        return self.bracket_end(end) if end < len(self.text) and self.text[end] == "(" else -1

    def value_end(self, at: int) -> int:
        """Return the end of a value at ``at``: one term or several joined by arithmetic, or -1."""
        end = self._term_end(at)
        for _ in range(_MAX_TERMS):
            if end < 0:
                return -1
            sign = self.skip_spaces(end)
            symbol = next((mark for mark in _OPERATORS if self.text.startswith(mark, sign)), "")
            if not symbol or self.text.startswith(("->", "-->", "--"), sign):
                return end
            operand = self.skip_spaces(sign + len(symbol))
            if operand >= len(self.text) or not self.starts_value(operand):
                return end
            end = self._term_end(operand)
        return -1

    def _term_end(self, at: int) -> int:
        text = self.text
        while at < len(text) and text[at] in "+-":
            at = self.skip_spaces(at + 1)
        if at >= len(text):
            return -1
        if text[at] in OPENING:
            return self.bracket_end(at)
        if prefix := _STRING_PREFIX.match(text, at):
            return self.string_end(prefix.end())
        if text[at] in "\"'":
            return self.string_end(at)
        if number := _NUMBER.match(text, at):
            end = number.end()
            return -1 if end < len(text) and is_word_start(text[end]) else end
        end = self.identifier(at)
        if end >= 0 and text[at:end] in _VALUE_WORDS:
            return end
        return self.constructor_end(at)
