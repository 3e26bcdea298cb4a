"""The clauses of controlled English: subjects, what they range over, relative clauses, and what is said of them.

Refuses a second variable in one sentence, and 'a cat' where it could mean one cat or every cat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from probatum.exact.english.atoms import VARIABLE, Alternatives
from probatum.exact.english.phrases import PRONOUN, SELF
from probatum.exact.english.predicates import PredicateGrammar, both
from probatum.exact.english.words import ANYTHING, CLOSED, EVERYTHING, NOTHING, AmbiguousWordError

_RELATIVE: Final = frozenset({"that", "who", "which", "whoever", "whatever"})
_NUMBER_OF: Final = {"it": "s", "he": "s", "she": "s", "they": "p"}


@dataclass(frozen=True, slots=True)
class ClauseSubject:
    """What a clause is about."""

    kind: str
    """'term', 'every', 'no' or 'some'."""
    term: str
    number: str
    """'s' or 'p'."""
    conditions: Alternatives = ((),)


@dataclass(frozen=True, slots=True)
class SentenceClause:
    """Subjects and what is said of each; the predicates are alternatives."""

    subjects: tuple[ClauseSubject, ...]
    predicates: Alternatives


class ClauseGrammar(PredicateGrammar):
    """Reads clauses from tokens."""

    def clauses(self, place: int) -> Iterator[tuple[Alternatives, int]]:
        """Yield the clauses of a condition; the variable can be introduced once, by the first."""
        for sides, op, after in self.listed(
            lambda at: self.one_clause(at, may_open=True), lambda at: self.one_clause(at, may_open=False), place
        ):
            if op == "or":
                yield tuple(each for side in sides for each in side), after
            else:
                yield both(sides), after

    def one_clause(self, place: int, *, may_open: bool) -> Iterator[tuple[Alternatives, int]]:
        """Yield what one clause of a conditional states, the conditions on its subject included."""
        for clause, after in self.clause(place, self.opening_subjects if may_open else self.known_subjects):
            if len(clause.subjects) > 1 and clause.subjects[0].kind != "term":
                continue
            sides: list[Alternatives] = []
            for subject in clause.subjects:
                said = tuple(tuple(atom.bound(subject.term, SELF) for atom in each) for each in clause.predicates)
                sides += [subject.conditions, said]
            yield both(sides), after

    def clause(
        self, place: int, subjects: Callable[[int], Iterator[tuple[ClauseSubject, int]]]
    ) -> Iterator[tuple[SentenceClause, int]]:
        """Yield subjects with their predicates."""
        for found, op, after in self.listed(subjects, subjects, place):
            if len(found) > 1 and (op != "and" or any(each.kind not in {"term", "every"} for each in found)):
                continue
            if len({each.kind for each in found}) > 1 or (len(found) > 1 and PRONOUN in {each.term for each in found}):
                continue
            sizes = {sum(atom.predicate.count(" ") for each in one.conditions for atom in each) for one in found}
            number = "p" if len(found) > 1 else found[0].number
            for predicates, end in self.predicates(after, number):
                if len(found) > 1 and max(sizes) > 2:
                    raise AmbiguousWordError("of several nouns, it is not clear which ones a word is about")
                # 'Anne and Bob scored 10' does not say how much each of them did.
                if len(found) == 1 or not any(atom.object.isdecimal() for each in predicates for atom in each):
                    yield SentenceClause(found, predicates), end

    def subjects(self, place: int) -> Iterator[tuple[ClauseSubject, int]]:
        """Yield the subjects of a sentence that is no conditional."""
        yield from self.known_subjects(place)
        word = self.word(place)
        if word in {"every", "each", "any"}:
            yield from self._described("every", place + 1, "s")
        elif word == "all":
            yield from self._described("every", place + 1, "p")
        elif word == "no":
            yield from self._described("no", place + 1, "s")
            yield from self._described("no", place + 1, "p")
        elif word == "some":
            yield from self._described("some", place + 1, "p")
            yield from self._described("some", place + 1, "s")
        elif self.words(place, 3) == ("at", "least", "one"):
            yield from self._described("some", place + 3, "s")
        elif word in {"a", "an"}:
            yield from self._generic(place)
        elif word in {"whoever", "whatever"}:
            yield from self._related(ClauseSubject("every", VARIABLE, "s"), place)
        elif word in EVERYTHING | (ANYTHING - {"something", "someone", "somebody"}):
            yield from self._related(ClauseSubject("every", VARIABLE, "s"), place + 1)
        elif word in ANYTHING:
            yield from self._related(ClauseSubject("some", VARIABLE, "s"), place + 1)
        elif word in NOTHING:
            yield from self._related(ClauseSubject("no", VARIABLE, "s"), place + 1)
        elif word not in CLOSED:
            yield from self._described("every", place, "p")
        if self.words(place, 2) == ("no", "one"):
            yield from self._related(ClauseSubject("no", VARIABLE, "s"), place + 2)

    def _generic(self, place: int) -> Iterator[tuple[ClauseSubject, int]]:
        """Yield 'a cat' as every cat, before 'is a' alone: elsewhere it can mean one cat."""
        for subject, after in self._described("every", place + 1, "s"):
            if self.word(after) == "is" and self.word(after + 1 + (self.word(after + 1) == "not")) in {"a", "an"}:
                yield subject, after

    def opening_subjects(self, place: int) -> Iterator[tuple[ClauseSubject, int]]:
        """Yield subjects of a condition, which may introduce the variable."""
        yield from self.known_subjects(place)
        if self.word(place) in ANYTHING:
            yield from self._related(ClauseSubject("every", VARIABLE, "s"), place + 1)
        if self.word(place) in {"a", "an", "any"}:
            yield from self._described("every", place + 1, "s")

    def known_subjects(self, place: int) -> Iterator[tuple[ClauseSubject, int]]:
        """Yield names, 'the' things and pronouns."""
        if self.word(place) in _NUMBER_OF:
            yield ClauseSubject("term", PRONOUN, _NUMBER_OF[self.word(place)]), place + 1
        for name, after in self.terms(place):
            yield ClauseSubject("term", name, "s"), after

    def things_there(self, place: int, number: str) -> Iterator[tuple[ClauseSubject, int]]:
        """Yield what follows 'there is' and 'there are'."""
        if self.word(place) in {"a", "an", "some", "no"}:
            yield from self._described("no" if self.word(place) == "no" else "some", place + 1, number)
        elif number == "p":
            yield from self._described("some", place, number)

    def _described(self, kind: str, place: int, number: str) -> Iterator[tuple[ClauseSubject, int]]:
        for atoms, after in self.noun_groups(place, number):
            conditions = tuple(atom.bound(VARIABLE, SELF) for atom in atoms)
            yield from self._related(ClauseSubject(kind, VARIABLE, number, (conditions,)), after)

    def _related(self, subject: ClauseSubject, place: int) -> Iterator[tuple[ClauseSubject, int]]:
        """Yield a subject without and with a relative clause."""
        yield subject, place
        if self.word(place) in _RELATIVE:
            for predicates, after in self.predicates(place + 1, subject.number):
                said = tuple(tuple(atom.bound(VARIABLE, SELF) for atom in each) for each in predicates)
                yield replace(subject, conditions=both([subject.conditions, said])), after
