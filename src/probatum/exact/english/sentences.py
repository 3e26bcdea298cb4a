"""Reads one sentence of controlled English into rules over one variable.

The grammar is in docs/reference/claims/rules.md. Every way to read the whole sentence is tried. Refuses a sentence with
no reading or with two that differ, a pronoun that could mean two things, a negation or an 'or' of unclear scope, and
every word of a closed class that the grammar has no place for: modals, hedges, 'most', 'only', 'unless' and the like.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from probatum.exact.english.atoms import VARIABLE, Alternatives, Atom, Conjunction, Rule, SentenceReading
from probatum.exact.english.clauses import ClauseGrammar, SentenceClause
from probatum.exact.english.phrases import PRONOUN, SELF
from probatum.exact.english.predicates import both
from probatum.exact.english.words import PRONOUNS, AmbiguousWordError, Lexicon, tokens_of_sentence

MAX_WORDS: Final = 80
_ANYBODY: Final = frozenset({"someone", "somebody", "anyone", "anybody", "person"})
_IF: Final = frozenset({"if", "whenever"})


class ReadingError(ValueError):
    """A sentence has no single reading; ``kind`` is 'unread', 'ambiguous' or 'pronoun'."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


def read_sentence(text: str, lexicon: Lexicon, *, is_inside: bool = False) -> SentenceReading:
    """Return what a sentence states; raises ReadingError.

    One that stands inside another, as after 'it is false that', is one clause, or one 'if' with one: what is joined to
    it may be joined to the outer one.
    """
    tokens = tokens_of_sentence(text)
    if len(tokens) > MAX_WORDS:
        raise ReadingError("unread", f"a sentence of more than {MAX_WORDS} words is not read")
    try:
        found = set(_Grammar(tokens, lexicon).readings(is_inside=is_inside))
    except AmbiguousWordError as error:
        raise ReadingError("ambiguous", str(error)) from error
    if not found:
        raise ReadingError("unread", "the grammar has no reading for it")
    if len(found) > 1:
        raise ReadingError("ambiguous", "it can be read in more than one way")
    return found.pop()


class _Grammar(ClauseGrammar):
    """Sentences of clauses."""

    def readings(self, *, is_inside: bool) -> Iterator[SentenceReading]:
        if self.word(0) in _IF:
            yield from self._conditionals(is_inside=is_inside)
            return
        if not is_inside:
            yield from self._clause_with_condition()
        yield from self._coordinated_sentence(is_inside=is_inside)
        yield from self._existentials()

    def _conditionals(self, *, is_inside: bool) -> Iterator[SentenceReading]:
        """'If A then B', 'If A, B'."""
        for given, place in self.clauses(1):
            comma = self.word(place) == ","
            then = self.word(place + comma) == "then"
            for concluded, joint, end in self._conclusions(place + comma + then) if comma or then else ():
                if end == self.end and not (joint and is_inside) and (rules := self._rules(given, concluded)):
                    yield SentenceReading(rules)

    def _conclusions(self, place: int) -> Iterator[tuple[Alternatives, str, int]]:
        """Yield clauses joined by 'and', without a comma: what follows it need not depend on the condition."""

        def clause(at: int) -> Iterator[tuple[Alternatives, int]]:
            return self.one_clause(at, may_open=False)

        def later(at: int) -> Iterator[tuple[Alternatives, int]]:
            return iter(()) if self.word(at - 2) == "," else clause(at)

        for sides, joint, end in self.listed(clause, later, place):
            if joint != "or":
                yield both(sides), joint, end

    def _clause_with_condition(self) -> Iterator[SentenceReading]:
        """'B if A', 'B if and only if A'."""
        for first, place in self.one_clause(0, may_open=True):
            is_both = self.words(place, 4) == ("if", "and", "only", "if")
            if is_both or self.word(place) in _IF:
                for given, _, end in self._conclusions(place + (4 if is_both else 1)):
                    there, back = self._rules(given, first), self._rules(first, given) if is_both else frozenset()
                    if end == self.end and there and (back or not is_both):
                        yield SentenceReading(there | back)

    def _rules(self, given: Alternatives, concluded: Alternatives) -> frozenset[Rule]:
        """Return the rules of a conditional; none where the conclusion leaves a choice or an open variable."""
        if len(concluded) != 1:
            return frozenset()
        name = _antecedent(given, concluded)
        self._require_clear_pronouns(name, [atom for each in (*given, *concluded) for atom in each])
        conditions = [_distinct(atom.bound(name, PRONOUN) for atom in each) for each in given]
        conclusions = [atom.bound(name, PRONOUN) for atom in concluded[0]]
        return frozenset(Rule(each, atom) for each in conditions for atom in conclusions if atom not in each)

    def _require_clear_pronouns(self, name: str, atoms: list[Atom]) -> None:
        """Raise ReadingError where a pronoun fits something else in the sentence as well as what it is taken for."""
        pronouns = PRONOUNS & {*self._lower}
        others = {term for atom in atoms for term in (atom.subject, atom.object)} - {"", VARIABLE, PRONOUN}
        is_named = any(term[0].isupper() for term in others) or not _ANYBODY.isdisjoint(self._lower)
        said = [atom.predicate.removeprefix("did ").split() for atom in atoms if not atom.object]
        objects = {"a" in words for words in said if len(words) > 1 and words[0] not in {"is", "was"}}
        is_one, is_them = bool(pronouns - {"they", "them"}), bool(pronouns & {"they", "them"})
        fits_a_name = name == VARIABLE and others and (is_one and (is_named or "it" not in pronouns))
        if fits_a_name or (is_one and True in objects) or (is_them and False in objects):
            raise ReadingError("pronoun", "a pronoun could mean more than one thing")

    def _coordinated_sentence(self, *, is_inside: bool) -> Iterator[SentenceReading]:
        """Whole sentences joined by 'and', each with its own subject."""
        for clauses, op, end in self.listed(self._simple, self._simple, 0):
            if end == self.end and op in ({""} if is_inside else {"", "and"}):
                for rules in product(*(self._meanings(each) for each in clauses)):
                    yield SentenceReading(frozenset().union(*rules))

    def _simple(self, place: int) -> Iterator[tuple[SentenceClause, int]]:
        return self.clause(place, self.subjects)

    def _meanings(self, clause: SentenceClause) -> Iterator[frozenset[Rule]]:
        atoms = [atom for each in clause.predicates for atom in each]
        if any(PRONOUN in (atom.subject, atom.object) for atom in atoms) or clause.subjects[0].term == PRONOUN:
            raise ReadingError("pronoun", "a pronoun that no subject before it in the sentence settles")
        found: set[Rule] = set()
        for subject in clause.subjects:
            if subject.kind == "some":
                return
            if subject.kind == "every" and subject.conditions == ((),) and any(not atom.is_true for atom in atoms):
                raise ReadingError("ambiguous", "'everyone is not' can mean that not everyone is")
            for conditions in subject.conditions:
                rules = _denied(clause.predicates) if subject.kind == "no" else _affirmed(clause.predicates)
                if not rules:
                    return
                for rule in rules:
                    body = _distinct((*conditions, *(atom.bound(subject.term, SELF) for atom in rule.conditions)))
                    found.add(Rule(body, rule.conclusion.bound(subject.term, SELF)))
        yield frozenset(found)

    def _existentials(self) -> Iterator[SentenceReading]:
        """'Some cats are red', 'Someone likes Bob', 'There is a red cat'."""
        for clause, end in self.clause(0, self.subjects):
            subject = clause.subjects[0]
            if end == self.end and subject.kind == "some" and len(clause.predicates) == 1:
                held = (atom.bound(VARIABLE, SELF) for atom in clause.predicates[0])
                atoms = frozenset((*subject.conditions[0], *held))
                if all(PRONOUN not in (atom.subject, atom.object) for atom in atoms):
                    yield SentenceReading(some=atoms)
        if self.word(0) == "there" and self.word(1) in {"is", "are"}:
            for subject, end in self.things_there(2, "s" if self.word(1) == "is" else "p"):
                if end == self.end and len(subject.conditions) == 1 and subject.conditions[0]:
                    if subject.kind == "no":
                        yield SentenceReading(frozenset(_denied(subject.conditions)))
                    else:
                        yield SentenceReading(some=frozenset(subject.conditions[0]))


def _affirmed(predicates: Alternatives) -> list[Rule]:
    return [Rule((), atom) for atom in predicates[0]] if len(predicates) == 1 else []


def _denied(predicates: Alternatives) -> list[Rule]:
    """Return the rules that deny each alternative: of a conjunction, all but one atom deny the last."""
    rules = []
    for each in predicates:
        for atom in each:
            rules.append(Rule(tuple(other for other in each if other != atom), atom.denied))
    return rules


def _antecedent(given: Alternatives, concluded: Alternatives) -> str:
    """Return what a pronoun of a conditional stands for: its variable, else the one thing that is named before it."""
    atoms = [atom for each in (*given, *concluded) for atom in each]
    if any(atom.has_variable for atom in atoms):
        return VARIABLE
    meant: set[str] = set()
    before: set[str] = set()
    for atom in atoms:
        terms = {atom.subject, atom.object} - {""}
        if PRONOUN in terms:
            meant |= before or {PRONOUN}
        before |= terms - {PRONOUN}
    if len(meant) > 1 or PRONOUN in meant:
        raise ReadingError("pronoun", "a pronoun could mean more than one thing")
    return meant.pop() if meant else VARIABLE


def _distinct(atoms: Iterable[Atom]) -> Conjunction:
    return tuple(dict.fromkeys(atoms))
