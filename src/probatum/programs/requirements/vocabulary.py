"""The words in which documents speak of values, and the condition that each stands for.

Tables only: adjectives, bounds, orders, classes of characters, nouns. Refuses nothing; the readers walk over them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from probatum.programs.reading.scanning import word_set

__all__ = [
    "ADJECTIVES",
    "ARRANGED",
    "BOUNDS",
    "CASED",
    "CLASSES",
    "COLLECTION_NOUNS",
    "COLLECTIVE",
    "ELEMENT_NOUNS",
    "ELEMENT_TEXTS",
    "MADE_OF",
    "NUMERIC",
    "OPEN_TAIL",
    "ORDERS",
    "PLAIN",
    "SCALAR_NOUNS",
    "SIGNS",
    "SIZES",
    "TEXT_NOUNS",
    "UNITS",
    "Predicate",
    "Read",
    "ascending",
    "compared",
    "descending",
    "distinct",
    "each_of",
    "one",
    "only_of",
    "sized",
    "strictly_ascending",
]

Predicate = Callable[[str], str]
"""From the Python expression of a subject to a condition over it."""


@dataclass(frozen=True, slots=True)
class Read:
    """Conditions that hold together, and the place after the words that say so."""

    conditions: tuple[Predicate, ...]
    end: int

    def of(self, subject: str) -> str:
        """Return the condition on a subject."""
        parts = [each(subject) for each in self.conditions]
        return parts[0] if len(parts) == 1 else " and ".join(_grouped(part) for part in parts)


def _grouped(condition: str) -> str:
    return f"({condition})" if " or " in condition or " if " in condition else condition


def compared(sign: str, amount: str) -> Predicate:
    """Return the comparison of a subject with an amount."""
    return lambda subject: f"{subject} {sign} {amount}"


def sized(sign: str, amount: str) -> Predicate:
    """Return the comparison of a subject's length with an amount."""
    return lambda subject: f"len({subject}) {sign} {amount}"


def each_of(condition: Predicate) -> Predicate:
    """Return the condition that every element meets another."""
    return lambda subject: f"all({condition('each_')} for each_ in {subject})"


def only_of(characters: str) -> Predicate:
    """Return the condition that a text is made of these characters."""
    return lambda subject: f"all(each_ in {characters!r} for each_ in {subject})"


_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
SIGNS: dict[str, str] = {
    "positive": ">",
    "non-negative": ">=",
    "nonnegative": ">=",
    "negative": "<",
    "non-positive": "<=",
    "nonpositive": "<=",
    "non-zero": "!=",
    "nonzero": "!=",
}
"""Adjectives that compare a number with zero."""
NUMERIC: dict[str, Predicate] = {
    **{word: compared(sign, "0") for word, sign in SIGNS.items()},
    "even": lambda subject: f"{subject} % 2 == 0",
    "odd": lambda subject: f"{subject} % 2 == 1",
}
SIZES: dict[str, Predicate] = {
    "empty": sized("==", "0"),
    "non-empty": sized(">", "0"),
    "nonempty": sized(">", "0"),
}


def ascending(subject: str) -> str:
    """Return the condition that a collection is sorted."""
    return f"list({subject}) == sorted({subject})"


def descending(subject: str) -> str:
    """Return the condition that a collection is sorted backwards."""
    return f"list({subject}) == sorted({subject}, reverse=True)"


def strictly_ascending(subject: str) -> str:
    """Return the condition that a collection is sorted without repetition."""
    return f"list({subject}) == sorted(set({subject}))"


def distinct(subject: str) -> str:
    """Return the condition that no element repeats."""
    return f"len({subject}) == len(set({subject}))"


COLLECTIVE = frozenset({ascending, descending, strictly_ascending, distinct})
"""Conditions on a collection as a whole, also where a sentence speaks of its elements."""
ARRANGED: dict[str, Predicate] = {
    "sorted": ascending,
    "distinct": distinct,
    "unique": distinct,
}
CASED: dict[str, Predicate] = {
    "lower-case": lambda subject: f"{subject} == {subject}.lower()",
    "lowercase": lambda subject: f"{subject} == {subject}.lower()",
    "upper-case": lambda subject: f"{subject} == {subject}.upper()",
    "uppercase": lambda subject: f"{subject} == {subject}.upper()",
}
ADJECTIVES: dict[str, Predicate] = {**NUMERIC, **SIZES, **ARRANGED}
SCALAR_NOUNS = word_set("integer int number float value count real decimal integers numbers floats")
TEXT_NOUNS = word_set("string str text word sentence phrase substring")
COLLECTION_NOUNS = word_set(
    "list array sequence tuple iterable collection vector dict dictionary set mapping lists arrays strings sequences"
)
ELEMENT_NOUNS = word_set(
    "integers ints numbers floats values elements items strings words characters chars digits letters integer "
    "number value element item string word character char digit letter entries entry"
)
ELEMENT_TEXTS = word_set("strings words string word")
PLAIN = word_set(
    "a an the two three both only exactly strictly single given valid non-null whole natural real input ascii english"
)
UNITS = word_set("elements items characters chars entries letters numbers values digits long element item character")
ORDERS: tuple[tuple[str, Predicate], ...] = (
    ("in strictly ascending order", strictly_ascending),
    ("in strictly increasing order", strictly_ascending),
    ("in ascending order", ascending),
    ("in increasing order", ascending),
    ("in non-decreasing order", ascending),
    ("in non-descending order", ascending),
    ("in descending order", descending),
    ("in decreasing order", descending),
    ("in non-increasing order", descending),
    ("( ascending )", ascending),
    ("( descending )", descending),
    ("ascending", ascending),
    ("descending", descending),
)
BOUNDS: tuple[tuple[str, str], ...] = (
    ("greater than or equal to", ">="),
    ("greater or equal to", ">="),
    ("greater than", ">"),
    ("greater then", ">"),
    ("larger than or equal to", ">="),
    ("larger than", ">"),
    ("bigger than", ">"),
    ("higher than or equal to", ">="),
    ("higher than", ">"),
    ("more than", ">"),
    ("above", ">"),
    ("less than or equal to", "<="),
    ("less or equal to", "<="),
    ("less than", "<"),
    ("less then", "<"),
    ("smaller than or equal to", "<="),
    ("smaller than", "<"),
    ("lower than or equal to", "<="),
    ("lower than", "<"),
    ("fewer than", "<"),
    ("below", "<"),
    ("at least", ">="),
    ("no less than", ">="),
    ("not less than", ">="),
    ("no fewer than", ">="),
    ("no smaller than", ">="),
    ("at most", "<="),
    ("no more than", "<="),
    ("no greater than", "<="),
    ("no larger than", "<="),
    ("not more than", "<="),
    ("not greater than", "<="),
    ("equal to", "=="),
    ("exactly", "=="),
)
"""Words of comparison, for arguments and results alike; a longer wording stands before one that it begins with."""
CLASSES: tuple[tuple[str, Predicate], ...] = (
    ("digits", only_of(_DIGITS)),
    ("decimal digits", only_of(_DIGITS)),
    ("numeric digits", only_of(_DIGITS)),
    ("lower-case letters", only_of(_LOWER)),
    ("lowercase letters", only_of(_LOWER)),
    ("lowercase english letters", only_of(_LOWER)),
    ("lower-case english letters", only_of(_LOWER)),
    ("lowercase characters", only_of(_LOWER)),
    ("upper-case letters", only_of(_LOWER.upper())),
    ("uppercase letters", only_of(_LOWER.upper())),
    ("uppercase english letters", only_of(_LOWER.upper())),
    ("letters and digits", lambda subject: f"all(each_.isalnum() for each_ in {subject})"),
    ("alphanumeric characters", lambda subject: f"all(each_.isalnum() for each_ in {subject})"),
    ("letters and spaces", lambda subject: f"all(each_.isalpha() or each_ == ' ' for each_ in {subject})"),
    ("letters", lambda subject: f"all(each_.isalpha() for each_ in {subject})"),
    ("alphabetic characters", lambda subject: f"all(each_.isalpha() for each_ in {subject})"),
    ("zeros and ones", only_of("01")),
    ("zeroes and ones", only_of("01")),
    ("0s and 1s", only_of("01")),
    ("0 and 1", only_of("01")),
    ("0's and 1's", only_of("01")),
    ("1s and 0s", only_of("01")),
    ("1's and 0's", only_of("01")),
    ("1 and 0", only_of("01")),
    ("parentheses", only_of("()")),
    ("square brackets", only_of("[]")),
    ("brackets", only_of("()[]{}")),
)
MADE_OF = word_set("composed consisting made comprised containing consist contain contains consists")
OPEN_TAIL = word_set("or and")


def one(condition: Predicate, end: int) -> Read:
    """Return a single condition that was read."""
    return Read((condition,), end)
