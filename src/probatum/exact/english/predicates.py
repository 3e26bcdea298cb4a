"""The predicates of controlled English: verbs with objects, 'is' with adjectives, nouns and places, and their lists.

Refuses 'is not red and cold', where the reach of 'not' is unclear, and a denied list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Final

from probatum.exact.english.atoms import Alternatives, Atom
from probatum.exact.english.phrases import PRONOUN, SELF, PhraseGrammar
from probatum.exact.english.words import NO_AGENTS, OF_SEVERAL, PREPOSITIONS, PRONOUNS, is_content

MAX_ALTERNATIVES: Final = 64
_YEAR: Final = re.compile("in [0-9]+")
_BE: Final = {"is": ("s", ""), "are": ("p", ""), "was": ("s", "did "), "were": ("p", "did ")}
_DO: Final = {"does": ("s", ""), "do": ("p", ""), "did": ("", "did ")}


@dataclass(frozen=True, slots=True)
class _VerbPhrase:
    """One member of a list of predicates."""

    atoms: Alternatives
    is_copula: bool = False
    is_bare: bool = False
    """Whether it goes on with the verb of the member before it."""
    is_denied: bool = False
    reaches_on: bool = False
    """Whether its negation may be meant to go on: 'never sings and dances', 'do not sing and dance'."""


class PredicateGrammar(PhraseGrammar):
    """Reads predicates from tokens."""

    def predicates(self, place: int, number: str) -> Iterator[tuple[Alternatives, int]]:
        """Yield verb phrases joined by 'and' or 'or', as alternatives about the subject."""

        def later(at: int) -> Iterator[tuple[_VerbPhrase, int]]:
            yield from self._part(at, number)
            yield from ((replace(part, is_bare=True), end) for part, end in self._complement(at, number, ""))

        for parts, op, after in self.listed(lambda at: self._part(at, number), later, place):
            if not _are_clear(parts):
                continue
            sides = [part.atoms for part in parts]
            if op == "or":
                yield tuple(each for side in sides for each in side), after
            else:
                yield both(sides), after

    def _part(self, place: int, number: str) -> Iterator[tuple[_VerbPhrase, int]]:
        word = self.word(place)
        if word in _BE and _BE[word][0] == number:
            yield from self._complement(place + 1, number, _BE[word][1])
        elif word in _DO and _DO[word][0] in {number, ""}:
            if self.word(place + 1) == "not" and self._is_verb(place + 2):
                for atoms, after in self._objects(_DO[word][1], self.word(place + 2), place + 3):
                    for denied in _denials(atoms):
                        yield _VerbPhrase(denied, reaches_on=number == "p"), after
        else:
            never = word == "never"
            for tense, verb in self._finite(place + never, number):
                for atoms, after in self._objects(tense, verb, place + never + 1):
                    for said in _denials(atoms) if never else [(atoms,)]:
                        yield _VerbPhrase(said, reaches_on=never), after

    def _is_verb(self, place: int) -> bool:
        return self.word(place) == "have" or (is_content(self.word(place)) and self.tokens[place].islower())

    def _finite(self, place: int, number: str) -> Iterator[tuple[str, str]]:
        """Yield tense and base of a verb."""
        word = self.word(place)
        if not (is_content(word) and self.tokens[place].islower()) and word != "have":
            return
        past = self.lexicon.past_base(word)
        if past:
            found = "did ", past
        elif number == "p":
            found = "", word if word.endswith("ss") or not word.endswith("s") else ""
        else:
            found = "", self.lexicon.base(word)
        if found[1] and not (number == "p" and found[1] in OF_SEVERAL):
            yield found

    def _objects(self, tense: str, verb: str, place: int) -> Iterator[tuple[tuple[Atom, ...], int]]:
        """Yield what a verb says of the subject, with each object that can follow it."""
        said = f"{tense}{verb}"
        yield (Atom(SELF, said),), place
        if self.word(place) in PRONOUNS:
            yield (Atom(SELF, said, PRONOUN),), place + 1
        for names, op, after in self.listed(self.terms, self.terms, place):
            if op in {"", "and"}:
                yield tuple(Atom(SELF, said, name) for name in names), after
            if len(names) == 1:
                for tail, end in self._tails(after):
                    yield (Atom(SELF, f"{said} … {tail}", names[0]),), end
        if self.word(place) in PREPOSITIONS:
            preposition = self.word(place)
            for name, after in self.things(place + 1):
                yield (Atom(SELF, f"{said} {preposition}", name),), after
                for tail, end in self._tails(after):
                    yield (Atom(SELF, f"{said} {preposition} … {tail}", name),), end

        def indefinite(at: int) -> Iterator[tuple[Atom, int]]:
            return self._indefinite(said, at)

        for found, op, after in self.listed(indefinite, indefinite, place):
            # In 'red apples and pears' all may be red.
            sizes = {len(atom.predicate.removeprefix(said).replace(" a ", " ").split()) for atom in found}
            if op in {"", "and"} and (op == "" or max(sizes) == 1):
                yield found, after

    def _indefinite(self, said: str, place: int) -> Iterator[tuple[Atom, int]]:
        """Yield a verb with 'a dog' or 'dogs', which is one predicate: nothing is known of that dog."""
        has_article = self.word(place) in {"a", "an"}
        for after in range(place + 1 + has_article, min(place + 3 + has_article, self.end) + 1):
            words = self.words(place + has_article, after - place - has_article)
            if not all(map(is_content, words)) or not all(map(str.islower, self.tokens[place:after])):
                return
            yield Atom(SELF, " ".join((said, *(["a"] if has_article else []), *words))), after

    def _tails(self, place: int) -> Iterator[tuple[str, int]]:
        """Yield adverbials such as 'in 2010 on the island': they belong to what is said."""
        if self.word(place) not in PREPOSITIONS:
            return
        for name, after in self.terms(place + 1):
            tail = f"{self.word(place)} {name}"
            yield tail, after
            yield from ((f"{tail} {more}", end) for more, end in self._tails(after))

    def _complement(self, place: int, number: str, tense: str) -> Iterator[tuple[_VerbPhrase, int]]:
        """Yield what follows 'is': 'not', then an adjective, a noun, or a place."""
        denied = self.word(place) in {"not", "never"}
        for atoms, after in self._qualities(place + denied, number):
            told = tuple(replace(atom, predicate=_in_tense(atom.predicate, tense)) for atom in atoms)
            if not denied:
                yield _VerbPhrase((told,), is_copula=True), after
            elif len(told) == 1:
                yield _VerbPhrase(((told[0].denied,),), is_copula=True, is_denied=True), after

    def _qualities(self, place: int, number: str) -> Iterator[tuple[tuple[Atom, ...], int]]:
        word = self.word(place)
        if word in {"a", "an"} and (number == "s" or "they" in self.words(max(0, place - 3), 3)):
            yield from self._nouns(place + 1, "s")
        elif word == "the" and number == "s":
            for (atom, *_), after in self._nouns(place + 1, "s"):
                if atom.object:
                    yield (replace(atom, predicate=atom.predicate.replace("is a", "is the", 1)),), after
        elif number == "p":
            yield from self._nouns(place, "p")
        if word in PREPOSITIONS:
            for name, after in self.things(place + 1):
                yield (Atom(SELF, f"is {word}", name),), after
        is_plural_noun = number == "p" and self.head(word, "p")
        is_of_several = number == "p" and word in OF_SEVERAL
        if not is_content(word) or is_plural_noun or is_of_several or not self.tokens[place].islower():
            return
        preposition = self.word(place + 1)
        yield (Atom(SELF, f"is {word}"),), place + 1
        if preposition not in PREPOSITIONS:
            return
        active = self.lexicon.past_base(word) if preposition == "by" else ""
        for name, after in self.things(place + 2):
            is_agent = active and name[0].isupper() and NO_AGENTS.isdisjoint(name.lower().split())
            said = active if is_agent else f"is {word} {preposition}"
            # Another adverbial may belong to an agent's name, as in 'by Alice of York'; a year does not.
            tails = (each for each in self._tails(after) if not is_agent or _YEAR.fullmatch(each[0]))
            for verb, end in [(said, after), *((f"{said} … {tail}", end) for tail, end in tails)]:
                yield (Atom(name, verb, SELF) if is_agent else Atom(SELF, verb, name),), end

    def _nouns(self, place: int, number: str) -> Iterator[tuple[tuple[Atom, ...], int]]:
        """Yield 'cat' and 'member of Acme'."""
        for atoms, after in self.noun_groups(place, number):
            if atoms:
                yield atoms, after
            if len(atoms) == 1 and self.word(after) == "of":
                for name, end in self.terms(after + 1):
                    yield (Atom(SELF, f"{atoms[0].predicate} of", name),), end


def both(sides: Sequence[Alternatives]) -> Alternatives:
    """Return the alternatives of several conditions that hold together; none where they are too many."""
    count = 1
    for each in sides:
        count *= len(each)
    if count > MAX_ALTERNATIVES:
        return ()
    return tuple(tuple(atom for part in parts for atom in part) for parts in product(*sides))


def _denials(atoms: tuple[Atom, ...]) -> Iterator[Alternatives]:
    """Yield the ways to deny what is said of objects: each of it; of several, also all of it together."""
    yield (tuple(atom.denied for atom in atoms),)
    if len(atoms) > 1:
        yield ((Atom(SELF, " and ".join(f"{atom.predicate} {atom.object}" for atom in atoms), is_true=False),),)


def _are_clear(parts: tuple[_VerbPhrase, ...]) -> bool:
    """False for 'is not red and cold', where the reach of 'not' is unclear, and a bare member after another verb."""
    denied = False
    for before, part in pairwise(parts):
        if before.reaches_on and not part.is_copula:
            return False
        denied = (denied or before.is_denied) and before.is_copula
        if part.is_bare and (not before.is_copula or (denied and not part.is_denied)):
            return False
    return True


def _in_tense(predicate: str, tense: str) -> str:
    is_copula = predicate.startswith("is ")
    return f"was {predicate[3:]}" if tense and is_copula else f"{tense}{predicate}"
