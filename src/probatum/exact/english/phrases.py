"""The phrases of controlled English: lists, names, 'the' things and noun groups.

Each method yields every reading from a place on, with the place after it. '@' stands for the subject of a predicate
until it is known, '^' for a pronoun. Refuses what mixes 'and' with 'or', and a noun group of a capital inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from probatum.exact.english.atoms import Atom
from probatum.exact.english.words import ANYTHING, CLOSED, COLOURED, COLOURS, PEOPLE, PRONOUNS, Lexicon, is_content

SELF: Final = "@"
PRONOUN: Final = "^"
_LONGEST_GROUP: Final = 5
_LONGEST_NAME: Final = 5
_PLURAL_PEOPLE: Final = frozenset({"people", "things", "individuals", "entities"})
Item = TypeVar("Item")


class PhraseGrammar:
    """Reads phrases from tokens."""

    def __init__(self, tokens: tuple[str, ...], lexicon: Lexicon) -> None:
        self.tokens = tokens
        self.end = len(tokens)
        self.lexicon = lexicon
        self._lower = tuple(token.lower() for token in tokens)

    def word(self, place: int) -> str:
        """Return a word in lower case; empty beyond the end."""
        return self._lower[place] if 0 <= place < self.end else ""

    def words(self, place: int, count: int) -> tuple[str, ...]:
        """Return some words in lower case."""
        return self._lower[place : place + count]

    def listed(
        self,
        first: Callable[[int], Iterator[tuple[Item, int]]],
        later: Callable[[int], Iterator[tuple[Item, int]]],
        place: int,
    ) -> Iterator[tuple[tuple[Item, ...], str, int]]:
        """Yield lists 'A', 'A and B', 'A, B and C', 'A or B'; never 'and' together with 'or', or commas alone."""
        for item, after in first(place):
            yield from self._longer((item,), "", after, later)

    def _longer(
        self, items: tuple[Item, ...], op: str, place: int, later: Callable[[int], Iterator[tuple[Item, int]]]
    ) -> Iterator[tuple[tuple[Item, ...], str, int]]:
        if op != ",":
            yield items, op, place
        comma = self.word(place) == ","
        joint = {"and": "and", "but": "and", "or": "or"}.get(self.word(place + comma), "")
        following = joint or ("," if comma else "")
        if not following or (op in {"and", "or"} and following != op):
            return
        for item, after in later(place + comma + bool(joint)):
            yield from self._longer((*items, item), following, after, later)

    def terms(self, place: int) -> Iterator[tuple[str, int]]:
        """Yield names and 'the' with some words; a pronoun for 'the cat' after 'a cat'."""
        is_met, is_topic = self._repeats(place) if self.word(place) in {"the", "that"} else (False, False)
        if is_met:
            yield from [(PRONOUN, place + 2)] if is_topic else ()
            return
        if self.word(place) == "the":
            for after in range(place + 2, min(place + 1 + _LONGEST_NAME, self.end + 1)):
                last = self.tokens[after - 1]
                if not (is_content(self.word(after - 1)) or (last[0].isupper() and last.isalpha())):
                    return
                yield " ".join(("the", *self.tokens[place + 1 : after])), after
            return
        if self.word(place)[:1].isdecimal() and self.word(place).isdecimal():
            yield self.word(place), place + 1
        after = place
        while after < self.end and (self._is_name(after) or (after > place and self.word(after).isdecimal())):
            after += 1
        if after > place:
            yield " ".join(self.tokens[place:after]), after

    def _repeats(self, place: int) -> tuple[bool, bool]:
        """Return whether the noun after a place was introduced before it, and whether as what the sentence is about."""
        noun, start = self.word(place + 1), int(self.word(0) in {"if", "whenever"})
        alike = PEOPLE | ANYTHING if noun in PEOPLE else {noun}
        articles = {"a", "an", "any"}
        met = [
            at
            for at in range(place)
            if self.word(at) in alike and (self.word(at) in ANYTHING or self.word(at - 1) in articles)
        ]
        return bool(met), met in ([start + (self.word(start) in articles)],)

    def things(self, place: int) -> Iterator[tuple[str, int]]:
        """Yield terms and pronouns."""
        if self.word(place) in PRONOUNS:
            yield PRONOUN, place + 1
        yield from self.terms(place)

    def _is_name(self, place: int) -> bool:
        token = self.tokens[place]
        is_word = token.replace("-", "").replace("'", "").replace("’", "").isalpha() and not token.endswith(
            ("'s", "’s")
        )
        return is_word and token[0].isupper() and token.lower() not in CLOSED

    def noun_groups(self, place: int, number: str) -> Iterator[tuple[tuple[Atom, ...], int]]:
        """Yield adjectives with their noun, as atoms about the subject."""
        adjectives: list[str] = []
        has_joint = False
        for at in range(place, min(place + 2 * _LONGEST_GROUP, self.end)):
            word = self.word(at)
            if word == "," and adjectives:
                has_joint = True
                continue
            if not is_content(word) or (self.tokens[at][0].isupper() and at > 0) or len(adjectives) == _LONGEST_GROUP:
                return
            head = self.head(word, number)
            if number == "s" and adjectives and self.lexicon.singular(word) not in {"", word}:
                head = ""  # 'Every company pays taxes' is not about company pays.
            if head and (at == place or self.word(at - 1) != ","):
                yield from self._group(adjectives, head, has_joint, at + 1)
            adjectives.append(word)

    def head(self, word: str, number: str) -> str:
        if word in PEOPLE:
            return word if (word in _PLURAL_PEOPLE) == (number == "p") else ""
        return self.lexicon.singular(word) if number == "p" else word

    def _group(
        self, adjectives: list[str], head: str, has_joint: bool, after: int
    ) -> Iterator[tuple[tuple[Atom, ...], int]]:
        qualities = tuple(Atom(SELF, f"is {word}") for word in adjectives)
        if head in PEOPLE and not self.lexicon.counts_people:
            yield qualities, after
            return
        head = self.lexicon.singular(head) if head in _PLURAL_PEOPLE else head
        if not adjectives or (head in COLOURED and COLOURS.issuperset(adjectives)):
            yield (*qualities, Atom(SELF, f"is a {head}")), after
        elif not has_joint:
            yield (Atom(SELF, " ".join(("is a", *adjectives, head))),), after
