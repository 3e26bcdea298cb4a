"""The one world of a closed theory: what the rules give, with everything else false, 'not' being absence.

Predicates are put on levels, so that whatever a rule asks to be absent is settled on a lower level. The world is
checked by its steps, by the levels and by every instance of every rule. Refuses a theory without such levels, one that
speaks of something without a name, and one where a compound or an adverbial may hide what seems to be absent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError
from probatum.exact.english.atoms import Atom, Rule
from probatum.exact.english.saturation import ASSUMED, Saturation, Theory, check_steps
from probatum.exact.english.words import LOOKS

MAX_INSTANCES: Final = 400_000
MAX_LEVEL: Final = 50


def closed_world(theory: Theory, asked: Collection[Atom]) -> dict[str, object]:
    """Return the steps that give the true atoms of a closed world, and the levels of its predicates."""
    _require_names(theory, asked)
    levels, positive = _levels(theory), _affirming(theory)
    asked_absent = {each for _, rule in positive.rules() for each in rule.conditions if not each.is_true}
    absent: list[Atom] = []
    world = Saturation(positive)
    for level in range(max(levels.values(), default=0)):
        for condition in sorted(each for each in asked_absent if levels[each.predicate] == level):
            for name in theory.names if condition.has_variable else ("",):
                atom = condition.bound(name)
                if atom.denied not in world:
                    absent.append(atom)
        world = Saturation(positive, absent)
    _require_closed(theory, {atom for atom in world.atoms if atom.is_true})
    return {
        "levels": [[predicate, level] for predicate, level in sorted(levels.items()) if level],
        "steps": world.steps(*world.atoms),
    }


def true_atoms(world: Mapping[str, object]) -> set[Atom]:
    """Return the true atoms of what `closed_world` returned."""
    atoms = (Atom.from_text(each.text("atom")) for each in Shape(world).items("steps"))
    return {atom for atom in atoms if atom.is_true}


def check_world(theory: Theory, asked: Collection[Atom], shape: Shape) -> set[Atom]:
    """Return the true atoms of a closed world; raises ValueError where steps and levels do not settle it."""
    shape.exactly("levels", "steps")
    _require_names(theory, asked)
    levels = defaultdict(int, {pair.text(0): pair.whole(1, 1) for pair in shape.items("levels")})
    positive = _affirming(theory)
    for _, rule in positive.rules():
        if _least_level(rule, levels) > levels[rule.conclusion.predicate]:
            raise ValueError("a rule asks for absence on too high a level")
    steps = Shape(shape.raw_list("steps"), shape.place_of("steps"))
    absent = {Atom.from_text(each.text("atom")) for each in steps.items() if each.whole("sentence") == ASSUMED}
    true = {atom for atom in check_steps(positive, steps, absent) if atom.is_true}
    if any(atom.is_true or atom.denied in true for atom in absent):
        raise ValueError("something that is true is taken to be absent")
    _require_closed(theory, true)
    return true


def _affirming(theory: Theory) -> Theory:
    """Return the rules with an affirmed conclusion; the others only have to hold."""
    kept = (frozenset(rule for rule in rules if rule.conclusion.is_true) for rules in theory.sources)
    return Theory(tuple(kept), theory.names)


def _least_level(rule: Rule, levels: Mapping[str, int]) -> int:
    return max((levels[each.predicate] + (not each.is_true) for each in rule.conditions), default=0)


def _levels(theory: Theory) -> dict[str, int]:
    levels: dict[str, int] = defaultdict(int)
    is_raised = True
    while is_raised:
        is_raised = False
        for _, rule in _affirming(theory).rules():
            least = _least_level(rule, levels)
            if levels[rule.conclusion.predicate] < least:
                levels[rule.conclusion.predicate], is_raised = least, True
            if least > MAX_LEVEL:
                raise CannotDecideError("rules.closed", "What the rules ask to be absent depends on itself.")
    return levels


def _require_names(theory: Theory, asked: Collection[Atom]) -> None:
    atoms = {*(atom for _, rule in theory.rules() for atom in rule.atoms), *asked}
    relations = {f"{atom.predicate} " for atom in atoms if atom.object}
    said = {atom.predicate for atom in atoms if not atom.object}
    if any(map(_may_hide, said)) or any(each.endswith(" by ") or "…" in each for each in relations):
        raise CannotDecideError("rules.closed", "A compound, an adverbial or an object without a name may hide facts.")
    # Who is afraid of Rex is afraid.
    if any(" ".join(each.split()[:count]) in said for each in relations for count in range(1, each.count(" ") + 1)):
        raise CannotDecideError("rules.closed", "A verb or an adjective stands with and without an object.")
    words = {word for atom in atoms for text in (atom.subject, atom.predicate, atom.object) for word in text.split()}
    kinds = {each.removeprefix("is ").removeprefix("a ") for each in said if each.startswith("is ")}
    if len(kinds) < sum(each.startswith("is ") for each in said):
        raise CannotDecideError("rules.closed", "A word stands as an adjective and as a noun: who is human is a human.")
    if len({word.translate(LOOKS) for word in words}) < len(words):
        raise CannotDecideError("rules.closed", "Two words look alike: one has letters of another script.")
    if any(name.startswith("(one of") for name in theory.names):
        raise CannotDecideError("rules.closed", "A sentence speaks of something without a name.")


def _may_hide(predicate: str) -> bool:
    """Return whether a predicate without object is more than 'is kind', 'is a cat' or 'sings': 'owns a dog'."""
    words = predicate.removeprefix("did ").split()
    if words[0] not in {"is", "was"}:
        return len(words) > 1
    return len(words) > 2 + (words[1] == "a")


def _require_closed(theory: Theory, true: Collection[Atom]) -> None:
    """Raise CannotDecideError unless every instance of every rule holds where exactly these atoms are true."""

    def holds(atom: Atom) -> bool:
        return (Atom(atom.subject, atom.predicate, atom.object) in true) == atom.is_true

    count = 0
    for _, rule in theory.rules():
        for name in theory.names if rule.has_variable else ("",):
            count += len(rule.atoms)
            if count > MAX_INSTANCES:
                raise BudgetError("engine.out_of_budget", "The rules have more instances than the budget allows.")
            if all(holds(each.bound(name)) for each in rule.conditions) and not holds(rule.conclusion.bound(name)):
                raise CannotDecideError("rules.contradiction", "The sentences contradict each other.")
