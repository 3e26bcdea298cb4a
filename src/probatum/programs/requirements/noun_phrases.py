"""Values as noun phrases: "a positive integer", "a non-empty list of distinct integers", "a list of two items".

Returns the conditions that a phrase states and where it ends. Refuses adjectives that do not fit their noun.
"""

from __future__ import annotations

from probatum.programs.reading.scanning import word_set
from probatum.programs.requirements.adjectives import bound, class_of, length, predicate
from probatum.programs.requirements.phrases import Tokens
from probatum.programs.requirements.vocabulary import (
    ADJECTIVES,
    ARRANGED,
    CASED,
    CLASSES,
    COLLECTION_NOUNS,
    ELEMENT_NOUNS,
    ELEMENT_TEXTS,
    MADE_OF,
    NUMERIC,
    OPEN_TAIL,
    PLAIN,
    SCALAR_NOUNS,
    SIZES,
    TEXT_NOUNS,
    UNITS,
    Predicate,
    Read,
    distinct,
    each_of,
    one,
    sized,
)

__all__ = [
    "contents",
    "elements_at",
    "noun_phrase",
    "qualified",
]

_AFTER_PREPOSITION = word_set("ascending descending increasing decreasing non-decreasing length the at exactly")


def contents(tokens: Tokens, at: int) -> Read | None:
    """Read what stands after "contains": "only positive integers", "at least 2 elements", "duplicates"."""
    free = tokens.after(at, "no duplicates", "no duplicate elements", "no duplicate values", "only unique elements",
                        "only distinct elements", "unique elements", "distinct elements")  # fmt: skip
    if free > 0:
        return one(distinct, free)
    doubled = tokens.after(at, "duplicates", "duplicate elements", "duplicate values", "any duplicates")
    if doubled > 0:
        return one(lambda subject: f"len({subject}) != len(set({subject}))", doubled)
    classed = class_of(tokens, at - 1) if tokens.low(at - 1) in MADE_OF else class_of(tokens, at)
    if classed is not None:
        return classed
    if tokens.low(at) == "only":
        return elements_at(tokens, at + 1)
    counted = length(tokens, at) or bound(tokens, at)
    if counted is None and tokens.low(at + 1) in UNITS:
        amount, end = tokens.amount(at)
        return one(sized("==", amount), end + 1) if amount and end == at + 1 else None
    if counted is not None and tokens.low(counted.end - 1) not in UNITS and tokens.low(at) not in {"a", "length"}:
        return None
    return counted


def noun_phrase(tokens: Tokens, at: int) -> Read | None:
    """Read "a positive integer", "a non-empty list of distinct integers", "a string of digits", "an int > 0".

    None when it states nothing but a kind of value.
    """
    conditions: list[Predicate] = []
    many: list[Predicate] = []
    at = tokens.skip(at, PLAIN)
    while True:
        word = tokens.low(at)
        if word not in ADJECTIVES and word not in CASED:
            break
        (many if word in ARRANGED else conditions).append({**ADJECTIVES, **CASED}[word])
        at = tokens.skip(at + 1, word_set("and , strictly"))
    at = tokens.skip(at, PLAIN | word_set("numeric binary integer") if tokens.low(at + 1) in _NOUNS else PLAIN)
    noun = tokens.low(at)
    if noun not in _NOUNS or (tokens.name(at) is not None and tokens.comparison(at + 1)):
        return None
    if noun in SCALAR_NOUNS and (many or any(each in SIZES.values() for each in conditions)):
        return None
    if noun not in SCALAR_NOUNS and any(each in NUMERIC.values() for each in conditions):
        return None
    end = tokens.skip(at + 1, SCALAR_NOUNS) if noun in SCALAR_NOUNS else at + 1
    further = qualified(tokens, end, is_scalar=noun in SCALAR_NOUNS)
    return Read((*conditions, *many, *further.conditions), further.end)


def qualified(tokens: Tokens, at: int, *, is_scalar: bool) -> Read:
    """Read what follows a noun or a name: "of positive integers", "greater than 0", "(of at least two elements)"."""
    conditions: tuple[Predicate, ...] = ()
    elements = None if is_scalar else _elements(tokens, at)
    if elements is not None:
        conditions, at = elements.conditions, elements.end
    further = _postmodifier(tokens, at) or _bracketed(tokens, at)
    if further is not None:
        conditions, at = (*conditions, *further.conditions), further.end
    return Read(conditions, at)


def _bracketed(tokens: Tokens, at: int) -> Read | None:
    if tokens.low(at) != "(":
        return None
    inner = _postmodifier(tokens, at + 1)
    return Read(inner.conditions, inner.end + 1) if inner is not None and tokens.low(inner.end) == ")" else None


_NOUNS = SCALAR_NOUNS | TEXT_NOUNS | COLLECTION_NOUNS


def _elements(tokens: Tokens, at: int) -> Read | None:
    """Read "of positive integers", "of digits", "of unique elements" after the noun of a collection."""
    start = tokens.after(at, "of")
    if start < 0:
        return None
    classed = class_of(tokens, start - 1) if tokens.low(start) in {"only", "digits", "letters"} else None
    for phrase, condition in CLASSES:
        if (end := tokens.after(start, phrase)) > 0 and tokens.low(end) not in OPEN_TAIL:
            classed = one(condition, end)
    return classed if classed is not None else elements_at(tokens, start)


def elements_at(tokens: Tokens, start: int) -> Read | None:
    """Read "positive integers", "unique elements": what each element is, or all together."""
    of_each: list[Predicate] = []
    of_all: list[Predicate] = []
    start = tokens.skip(start, PLAIN)
    while tokens.low(start) in ADJECTIVES:
        word = tokens.low(start)
        (of_all if word in ARRANGED else of_each).append(ADJECTIVES[word])
        start = tokens.skip(start + 1, word_set("and , strictly"))
    start = tokens.skip(
        start, PLAIN | word_set("integer numeric float") if tokens.low(start + 1) in ELEMENT_NOUNS else PLAIN
    )
    noun = tokens.low(start)
    if noun not in ELEMENT_NOUNS:
        return None
    if any(each in NUMERIC.values() for each in of_each) and noun in ELEMENT_TEXTS | {"characters", "letters"}:
        return None
    return Read((*(each_of(each) for each in of_each), *of_all), start + 1)


def _postmodifier(tokens: Tokens, at: int) -> Read | None:
    """Read "greater than 0", "with at least two elements", "sorted in ascending order" after a noun."""
    if tokens.name(at) is not None and not tokens.comparison(at + 1):
        at += 1
    conditions: list[Predicate] = []
    for _ in range(4):
        start = tokens.skip(at, word_set(", which is that with has have having and"))
        if tokens.low(start) in {"in", "of"} and tokens.low(start + 1) not in {
            "ascending",
            "descending",
            "length",
            "the",
        }:
            break
        found = predicate(tokens, start)
        if found is None or (start == at and tokens.low(start) in NUMERIC | SIZES):
            break
        conditions += found.conditions
        at = found.end
    return Read(tuple(conditions), at) if conditions else None
