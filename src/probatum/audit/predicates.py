"""Event predicates: a small typed language read without evaluating anything. Stub."""

from __future__ import annotations

from probatum.audit.event_terms import EventPredicate


class PredicateError(ValueError):
    """A text that is no predicate: one sentence, and the 0-based character offset that it is about."""

    def __init__(self, sentence: str, offset: int) -> None:
        super().__init__(f"{sentence} (at character {offset})")
        self.sentence = sentence
        self.offset = offset


def parse_predicate(text: str) -> EventPredicate:
    """Return the predicate that a text says; raises PredicateError for every other text."""
    raise NotImplementedError
