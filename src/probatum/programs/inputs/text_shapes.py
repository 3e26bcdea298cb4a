"""Shapes of texts: alphabets, words, and texts with a structure of their own such as dates or expressions.

Where documented texts have a structure, generated ones keep it: words are exchanged for other known words, digits for
digits, and what stands between them stays. Heuristics, like all shapes: a text may look legal and not be it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from probatum.programs.inputs.choices import Choices, between, one_in, pick

_TOKEN = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TextShape:
    """Texts over an alphabet of at least one character.

    ``templates`` are documented texts with a structure, ``words`` are known words and other pieces to put together.
    """

    alphabet: str
    shortest: int = 0
    longest: int = 8
    words: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()

    def draw(self, choices: Choices) -> object:
        """Return a text: from a template, of words, or of characters with many repetitions."""
        kind = choices.below(16)
        if kind == 15:
            return pick(choices, ("", *self.alphabet[:4]))
        if self.templates and kind < (10 if " " in self.alphabet else 14):
            return "".join(self._token_like(token, choices) for token in _TOKEN.findall(pick(choices, self.templates)))
        if self.words and kind >= 12 - 2 * bool(self.templates):
            glue = " " if " " in self.alphabet else ""
            return glue.join(pick(choices, self.words) for _ in range(between(choices, 1, 4)))
        few = [pick(choices, self.alphabet) for _ in range(3)] if kind % 2 else list(self.alphabet)
        half = "".join(pick(choices, few) for _ in range(between(choices, self.shortest, self.longest)))
        if kind in {3, 4}:
            return (half[: (len(half) + 1) // 2] + half[: len(half) // 2][::-1])[: self.longest]
        return half

    def vary(self, value: object, choices: Choices) -> object:
        """Return the text with one character, or one word, changed."""
        if not isinstance(value, str) or not value:
            return pick(choices, self.alphabet)
        if self.templates and not one_in(choices, 4):
            return self._vary_tokens(_TOKEN.findall(value), choices)
        at = choices.below(len(value))
        after = value[at + 1 :]
        changes: tuple[Callable[[], str], ...] = (
            lambda: value[:at] + self._like(value[at], choices) + after,
            lambda: value[:at] + after,
            lambda: value[:at] + value[at] * 2 + after,
            lambda: value[:at] + after[:1] + value[at] + after[1:],
            lambda: value[:at] + pick(choices, self.alphabet) + value[at:],
            lambda: value[:at] + pick(choices, self.alphabet) + after,
            lambda: value[::-1],
            lambda: value[: at + 1],
            lambda: value + pick(choices, self.words or (value,)),
            lambda: value[:at] + self._other_case(value[at]) + after,
        )
        return pick(choices, changes)()

    def fits(self, value: object) -> bool:
        return type(value) is str

    def _vary_tokens(self, tokens: list[str], choices: Choices) -> str:
        at, other = choices.below(len(tokens)), choices.below(len(tokens))
        spaces = [place for place, token in enumerate(tokens) if token.isspace()]
        kind = choices.below(4)
        if kind == 3 and spaces:
            cut = pick(choices, spaces)
            return "".join(tokens[:cut] if choices.below(2) else tokens[cut + 1 :])
        if kind == 2 and tokens[at].isalnum() and tokens[other].isalnum():
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            changing = [place for place, token in enumerate(tokens) if token.isalnum()] or [at]
            place = pick(choices, changing)
            tokens[place] = self._token_like(tokens[place], choices)
        return "".join(tokens)

    def _token_like(self, token: str, choices: Choices) -> str:
        """Return a token of the same sort: mostly a known word for a word, digits for digits."""
        if token.isalpha() and choices.below(4):
            return pick(choices, [token, *(word for word in self.words if word.isalpha())])
        return "".join(self._like(character, choices) for character in token)

    def _like(self, character: str, choices: Choices) -> str:
        """Return a character of the same class: digit for digit, small letter for small letter."""
        for is_class in (str.isdigit, str.islower, str.isupper):
            if is_class(character):
                same = [each for each in self.alphabet if is_class(each)] or [character]
                return pick(choices, same)
        return character

    def _other_case(self, character: str) -> str:
        other = character.swapcase()
        return other if other in self.alphabet else character


@dataclass(frozen=True, slots=True)
class BytesShape:
    """Bytes, drawn like a text of the same characters."""

    text: TextShape

    def draw(self, choices: Choices) -> object:
        """Return bytes."""
        return str(self.text.draw(choices)).encode("latin-1", "replace")

    def vary(self, value: object, choices: Choices) -> object:
        """Return the bytes with one of them changed."""
        if not isinstance(value, bytes):
            return self.draw(choices)
        return str(self.text.vary(value.decode("latin-1"), choices)).encode("latin-1", "replace")

    def fits(self, value: object) -> bool:
        return type(value) is bytes
