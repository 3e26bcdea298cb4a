"""Decides what follows from facts and rules in plain, controlled English: proved, refuted, or open.

Nothing is assumed to be false because it is not stated, unless the world is declared to be closed. A proof is a
derivation of numbered steps, each an instance of what one sentence says. Refuses a context with a sentence that the
grammar does not read, or with a contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted, undecided, unreadable
from probatum.exact.english.atoms import VARIABLE, Atom, Rule, SentenceReading
from probatum.exact.english.closed_world import check_world, closed_world, true_atoms
from probatum.exact.english.saturation import Saturation, Theory, check_steps
from probatum.exact.english.sealing import sealed, unsealed
from probatum.exact.english.sentences import ReadingError, read_sentence
from probatum.exact.english.stated import one_sentence, sentences_within
from probatum.exact.english.words import Lexicon, Sentence

HOLDS: Final = "rules.follows"
_ANYONE: Final = "(anything)"
_DENIED: Final = re.compile(r"It is (?:not the case|false|not true) that (?=\S)|Not (?=(?:all|every) )", re.IGNORECASE)
_AFFIRMED: Final = re.compile(r"It is (?:true|the case) that (?=\S)", re.IGNORECASE)
_UNREAD: Final = {"unread": "rules.unread", "pronoun": "rules.pronoun", "ambiguous": "rules.ambiguous"}


@dataclass(frozen=True, slots=True)
class _Question:
    """A claim that has been read."""

    theory: Theory
    reading: SentenceReading
    is_denied: bool
    is_closed: bool

    @property
    def rules(self) -> list[Rule]:
        """Return the rules that the claim states, in a fixed order."""
        return sorted(self.reading.rules, key=lambda rule: [atom.text for atom in rule.atoms])


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a sentence follows from a context; raises as `EngineModule.decide`."""
    question = _read(claim)
    if question.is_closed:
        facts = _facts(question)
        world = closed_world(question.theory, facts)
        return _ruling(question, world, is_true=_holds_in(true_atoms(world), facts))
    base = Saturation(question.theory)
    if base.clash is not None:
        told = {"steps": base.steps(base.clash, base.clash.denied), "atom": base.clash.text}
        return undecided("rules.contradiction", "The sentences contradict each other.", told)
    shown = _shown(question, base)
    if shown is not None:
        return _ruling(question, shown, is_true=shown["shows"] == "true")
    detail = "Neither the claim nor its opposite is reached by the rules."
    return undecided("rules.unknown", detail, {"answer": "unknown", "derived": len(base)})


def _ruling(question: _Question, shown: dict[str, object], *, is_true: bool) -> Ruling:
    if is_true != question.is_denied:
        return proved(HOLDS, sealed(shown))
    return refuted("rules.contradicted", "The opposite follows from the sentences.", sealed(shown))


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing."""
    try:
        question = _read(claim)
        shape = unsealed(certificate)
        if question.is_closed:
            facts = _facts(question)
            is_true = _holds_in(check_world(question.theory, facts, shape), facts)
        else:
            if Saturation(question.theory).clash is not None:
                raise ValueError("the sentences contradict each other")
            is_true = _check_shown(question, shape)
    except (NotAttemptedError, BudgetError, CannotDecideError) as error:
        raise ValueError(str(error)) from error
    if is_true == question.is_denied:
        raise ValueError("the steps show the opposite")
    return HOLDS


# Reading


def _read(claim: ExactClaim) -> _Question:
    world = claim.inputs.text("world") if claim.inputs.has("world") else "open"
    if world not in {"open", "closed"}:
        raise NotAttemptedError("engine.invalid", f"A world is 'open' or 'closed', got {world[:60]!r}.")
    sentences = sentences_within(claim.inputs.text("context"), "rules")
    statement, is_denied = _unwrapped(one_sentence(claim.statement, "rules"))
    lexicon = Lexicon.of([*(each.text for each in sentences), statement])
    said: list[frozenset[Rule]] = []
    for number, sentence in enumerate(sentences, start=1):
        reading = _read_context(sentence, number, lexicon)
        said.append(reading.rules | {Rule((), atom.bound(f"(one of {number})")) for atom in reading.some})
    try:
        asked = read_sentence(statement, lexicon, is_inside=is_denied)
    except ReadingError as error:
        raise unreadable("rules.statement", statement, 0, f"The claim could not be read: {error}") from error
    return _Question(_theory(said, asked), asked, is_denied, world == "closed")


def _unwrapped(statement: str) -> tuple[str, bool]:
    """Return the sentence inside, and whether it is denied."""
    for pattern in (_DENIED, _AFFIRMED):
        inside = pattern.match(statement)
        if inside is not None:
            rest = statement[inside.end() :]
            return f"{rest[0].upper()}{rest[1:]}", pattern is _DENIED
    return statement, False


def _read_context(sentence: Sentence, number: int, lexicon: Lexicon) -> SentenceReading:
    told = {"sentence": number, "position": sentence.start, "text": sentence.text[:200]}
    if sentence.end_sign not in {"", "."}:
        raise CannotDecideError("rules.unread", f"Sentence {number} is not a plain statement.", told)
    try:
        return read_sentence(sentence.text, lexicon)
    except ReadingError as error:
        raise CannotDecideError(_UNREAD[error.kind], f"Sentence {number} could not be read: {error}.", told) from error


def _theory(said: Iterable[frozenset[Rule]], asked: SentenceReading) -> Theory:
    sources = tuple(said)
    stated = {rule for rules in sources for rule in rules}
    atoms = {atom for rule in stated | asked.rules for atom in rule.atoms} | asked.some
    names = {name for atom in atoms for name in (atom.subject, atom.object)} - {"", VARIABLE}
    nouns = {atom.predicate for atom in atoms}
    kinds = ((name, f"is a {name.removeprefix('the ')}") for name in names if name.startswith("the "))
    by_name = frozenset(Rule((), Atom(name, kind)) for name, kind in kinds if kind in nouns)
    return Theory((by_name, *sources), tuple(sorted(names)))


# Deciding


def _shown(question: _Question, base: Saturation) -> dict[str, object] | None:
    """Return how the claim follows, or its opposite; None where neither does."""
    theory = question.theory
    if question.reading.some:
        return _shown_some(question, base)
    for part, rule in enumerate(question.rules, start=1):
        for name in theory.names if rule.has_variable else ("",):
            goals = [*(each.bound(name) for each in rule.conditions), rule.conclusion.bound(name).denied]
            if all(goal in base for goal in goals):
                return {"shows": "false", "part": part, "name": name, "steps": base.steps(*goals)}
    parts: list[object] = []
    for rule in question.rules:
        saturated, goal = _supposing(theory, rule.conditions), rule.conclusion.bound(_ANYONE)
        if goal not in saturated:
            return None
        parts.append(saturated.steps(goal))
    return {"shows": "true", "parts": parts}


def _shown_some(question: _Question, base: Saturation) -> dict[str, object] | None:
    atoms = sorted(question.reading.some)
    for name in question.theory.names:
        if all(atom.bound(name) in base for atom in atoms):
            return {"shows": "true", "name": name, "steps": base.steps(*(atom.bound(name) for atom in atoms))}
    for part, atom in enumerate(atoms, start=1):
        others = tuple(each for each in atoms if each != atom)
        saturated, goal = _supposing(question.theory, others), atom.denied.bound(_ANYONE)
        if goal in saturated:
            return {"shows": "false", "part": part, "steps": saturated.steps(goal)}
    return None


def _supposing(theory: Theory, conditions: tuple[Atom, ...]) -> Saturation:
    """Return what follows where something new meets conditions."""
    saturated = Saturation(theory, [each.bound(_ANYONE) for each in conditions], (_ANYONE,))
    if saturated.clash is not None:
        raise CannotDecideError("rules.vacuous", "What the claim supposes contradicts the sentences.")
    return saturated


def _facts(question: _Question) -> frozenset[Atom]:
    """Return the facts that a claim states of a closed world; raises CannotDecideError for a claim of another form."""
    if question.reading.facts is None:
        raise CannotDecideError("rules.closed", "In a closed world, a claim states facts about things with a name.")
    return question.reading.facts


def _holds_in(true: set[Atom], facts: frozenset[Atom]) -> bool:
    return all((Atom(each.subject, each.predicate, each.object) in true) == each.is_true for each in facts)


# Checking


def _check_shown(question: _Question, shape: Shape) -> bool:
    """Return whether the steps show the claim to be true, or false; raises ValueError where they show neither."""
    is_true = {"true": True, "false": False}.get(shape.member().text("shows"))
    some = sorted(question.reading.some)
    if is_true is None:
        shape.refuse("expected true or false", "shows")
    if some and is_true:
        shape.exactly("shows", "name", "steps")
        name = shape.text("name", 1)
        _check_goals(question.theory, shape, "steps", (), [atom.bound(name) for atom in some])
    elif some:
        shape.exactly("shows", "part", "steps")
        denied = some[shape.whole("part", 1, len(some)) - 1]
        assumed = [each.bound(_ANYONE) for each in some if each != denied]
        _supposing(question.theory, tuple(each for each in some if each != denied))
        _check_goals(question.theory, shape, "steps", assumed, [denied.denied.bound(_ANYONE)])
    elif is_true:
        parts = list(shape.exactly("shows", "parts").items("parts", len(question.rules), len(question.rules)))
        for rule, part in zip(question.rules, parts, strict=True):
            assumed = [each.bound(_ANYONE) for each in rule.conditions]
            _supposing(question.theory, rule.conditions)
            _check_goals(question.theory, part, None, assumed, [rule.conclusion.bound(_ANYONE)])
    else:
        shape.exactly("shows", "part", "name", "steps")
        rule, name = question.rules[shape.whole("part", 1, len(question.rules)) - 1], shape.text("name")
        if bool(name) != rule.has_variable:
            shape.refuse("a name stands for the variable", "name")
        goals = [*(each.bound(name) for each in rule.conditions), rule.conclusion.bound(name).denied]
        _check_goals(question.theory, shape, "steps", (), goals)
    return bool(is_true)


def _check_goals(theory: Theory, shape: Shape, key: str | None, assumed: Iterable[Atom], goals: list[Atom]) -> None:
    steps = Shape(shape.raw_list(key), shape.place_of(key))
    if not check_steps(theory, steps, set(assumed)).issuperset(goals):
        steps.refuse("the steps do not reach what is claimed")
