"""Applies rules over one variable until nothing new follows, and keeps why each atom holds.

Rules are applied forward alone: a condition 'not green' needs the derived atom that something is not green. Refuses
more atoms or more work than the budget allows. `check_steps` searches nothing: it compares each step with its rule.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.shape import Shape
from probatum.exact.english.atoms import VARIABLE, Atom, Rule

MAX_ATOMS: Final = 50_000
MAX_WORK: Final = 1_500_000
"""Conditions that are looked up."""
ASSUMED: Final = -1
"""The source of what a conditional claim supposes."""


@dataclass(frozen=True, slots=True)
class Theory:
    """Rules by the sentence that states them, counted from 1; 0 stands for what names say: that the cat is a cat."""

    sources: tuple[frozenset[Rule], ...]
    names: tuple[str, ...]

    def rules(self) -> Iterator[tuple[int, Rule]]:
        """Yield each rule once, with the first sentence that states it, in a fixed order."""
        seen: set[Rule] = set()
        for source, rules in enumerate(self.sources):
            for rule in sorted(rules - seen, key=_order):
                yield source, rule
            seen |= rules


@dataclass(frozen=True, slots=True)
class _Reason:
    source: int
    name: str
    premises: tuple[Atom, ...]


class Saturation:
    """Everything that follows from a theory and some assumptions, until a contradiction shows."""

    def __init__(self, theory: Theory, assumed: Sequence[Atom] = (), names: Sequence[str] = ()) -> None:
        self._reasons: dict[Atom, _Reason] = {}
        self._names = (*theory.names, *names)
        self._rules = list(theory.rules())
        self._users: dict[tuple[str, bool], list[tuple[int, Atom]]] = defaultdict(list)
        self._agenda: deque[Atom] = deque()
        self._work = 0
        self.clash: Atom | None = None
        """An atom that holds together with its opposite."""
        for number, (_, rule) in enumerate(self._rules):
            for condition in rule.conditions:
                self._users[condition.predicate, condition.is_true].append((number, condition))
        for atom in assumed:
            self._add(atom, _Reason(ASSUMED, "", ()))
        for number, (_, rule) in enumerate(self._rules):
            if not rule.conditions:
                self._fire(number, VARIABLE)
        while self._agenda and self.clash is None:
            self._use(self._agenda.popleft())

    def __contains__(self, atom: Atom) -> bool:
        return atom in self._reasons

    def __len__(self) -> int:
        return len(self._reasons)

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Return what follows, in the order in which it was found."""
        return tuple(self._reasons)

    def _use(self, atom: Atom) -> None:
        for number, condition in self._users[atom.predicate, atom.is_true]:
            name = _match(condition, atom)
            if name is not None:
                self._fire(number, name)

    def _fire(self, number: int, name: str) -> None:
        """Apply a rule for a name, or for every name where none is known yet."""
        source, rule = self._rules[number]
        for each in self._names if name == VARIABLE and rule.has_variable else (name,):
            premises = tuple(condition.bound(each) for condition in rule.conditions)
            self._work += 1 + len(premises)
            if self._work > MAX_WORK:
                raise BudgetError("engine.out_of_budget", "Applying the rules takes more steps than the budget allows.")
            if all(premise in self._reasons for premise in premises):
                self._add(rule.conclusion.bound(each), _Reason(source, each if rule.has_variable else "", premises))

    def _add(self, atom: Atom, reason: _Reason) -> None:
        if atom in self._reasons:
            return
        self._reasons[atom] = reason
        self._agenda.append(atom)
        if len(self._reasons) > MAX_ATOMS:
            raise BudgetError("engine.out_of_budget", f"More than {MAX_ATOMS:,} statements follow from the rules.")
        if atom.denied in self._reasons and self.clash is None:
            self.clash = atom

    def steps(self, *goals: Atom) -> list[object]:
        """Return the numbered steps that derive some atoms, each after what it rests on."""
        places: dict[Atom, int] = {}
        steps: list[object] = []
        stack = [(goal, False) for goal in reversed(goals)]
        while stack:
            atom, is_ready = stack.pop()
            if atom in places:
                continue
            reason = self._reasons[atom]
            if not is_ready:
                stack.append((atom, True))
                stack += [(each, False) for each in reversed(reason.premises)]
                continue
            places[atom] = len(places) + 1
            rests_on = [places[each] for each in reason.premises]
            steps.append({"atom": atom.text, "sentence": reason.source, "for": reason.name, "from": rests_on})
        return steps


def check_steps(theory: Theory, steps: Shape, assumed: Collection[Atom]) -> set[Atom]:
    """Return the atoms that numbered steps derive; raises ValueError for a step that its sentence does not give."""
    first: dict[int, list[Rule]] = defaultdict(list)
    for source, rule in theory.rules():
        first[source].append(rule)
    derived: list[Atom] = []
    seen: set[Atom] = set()
    for step in steps.items(most=MAX_ATOMS):
        step.exactly("atom", "sentence", "for", "from")
        atom, name, source = Atom.from_text(step.text("atom")), step.text("for"), step.whole("sentence", ASSUMED)
        places = [each.whole(None, 1, len(derived)) for each in step.items("from")]
        premises = tuple(derived[place - 1] for place in places)
        if atom in seen:
            step.refuse("an atom is derived once")
        if source == ASSUMED:
            if atom not in assumed or name or premises:
                step.refuse("this is not assumed")
        elif not _is_instance(first.get(source, ()), name, premises, atom):
            step.refuse("the sentence does not give this step")
        derived.append(atom)
        seen.add(atom)
    return seen


def _is_instance(rules: Sequence[Rule], name: str, premises: tuple[Atom, ...], atom: Atom) -> bool:
    for rule in rules:
        if rule.has_variable != bool(name):
            continue
        instance = rule.bound(name) if name else rule
        if instance.conclusion == atom and instance.conditions == premises:
            return True
    return False


def _match(condition: Atom, atom: Atom) -> str | None:
    """Return the name for the variable that makes a condition this atom; the variable itself where it has none."""
    name = VARIABLE
    for wanted, found in ((condition.subject, atom.subject), (condition.object, atom.object)):
        if wanted == VARIABLE:
            if not found or name not in {VARIABLE, found}:
                return None
            name = found
        elif wanted != found:
            return None
    return name


def _order(rule: Rule) -> tuple[tuple[str, ...], str]:
    return tuple(each.text for each in rule.conditions), rule.conclusion.text
