"""Mutants: which wrong programs a set of checks should be able to tell from the one under test.

`plan_mutants` chooses a fixed number of simple faults, spread evenly over lines and kinds, the same for the same text
and seed. A mutation that changes nothing is left out; one that does not compile is an error, since it would be missing.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache

from probatum.core.errors import NotAttemptedError
from probatum.programs.faults.call_faults import CALL_RULES
from probatum.programs.faults.expression_faults import EXPRESSION_RULES
from probatum.programs.faults.field_faults import field_faults
from probatum.programs.faults.omissions import OMISSION_RULES, WHOLE
from probatum.programs.faults.part_faults import PART_RULES
from probatum.programs.faults.planting import Ground, Mutant, Mutation, grounds_at, grounds_of
from probatum.programs.faults.sites import sites_of
from probatum.programs.faults.statement_faults import STATEMENT_RULES
from probatum.programs.source import Source, encoded

_TABLES = (EXPRESSION_RULES, STATEMENT_RULES, OMISSION_RULES, CALL_RULES, PART_RULES)


def plan_mutants(source: Source, qualname: str, *, limit: int, seed: int) -> tuple[Mutant, ...]:
    """Return at most ``limit`` mutants of ``qualname`` and of what it calls in the same file, in order of position.

    Of a class without code, or with hardly any, they are also copies that lack one of its fields.

    Raises `UsageError` for an unknown name, `NotAttemptedError` for unsupported syntax, `BudgetError` for too much.
    """
    ground = grounds_of(source, qualname)
    choices = random.Random(seed)  # noqa: S311 - a choice, not a secret
    chosen = _spread(ground, _faults_of(source, qualname), limit, choices)
    planned = tuple(_mutant(ground, number, fault) for number, fault in enumerate(sorted(chosen, key=_position), 1))
    # One killed mutant could be luck.
    return planned if len(planned) > 1 else (*planned, *field_faults(source, qualname))[:limit]


def plan_mutants_at(
    source: Source, lines: frozenset[int], *, each_line: int, limit: int, seed: int
) -> tuple[Mutant, ...]:
    """Return at most ``limit`` mutants on these lines, at most ``each_line`` on one, in order of position.

    Raises `NotAttemptedError` for unsupported syntax.
    """
    ground = grounds_at(source, lines)
    faults = [fault for fault in sorted(_proposals(ground), key=_position) if fault.line in lines]
    choices = random.Random(seed)  # noqa: S311 - a choice, not a secret
    by_line: dict[int, list[Mutation]] = defaultdict(list)
    for fault in faults:
        by_line[fault.line].append(fault)
    for waiting in by_line.values():
        choices.shuffle(waiting)
    turns = [line for _ in range(each_line) for line in choices.sample(sorted(by_line), len(by_line))]
    texts, used, taken = {source.text}, Counter[str](), list[Mutation]()
    for line in turns:
        if len(taken) < limit and (chosen := _take(ground, by_line[line], used, texts)) is not None:
            used[chosen.operator] += 1
            taken.append(chosen)
    return tuple(_mutant(ground, number, fault) for number, fault in enumerate(sorted(taken, key=_position), 1))


@lru_cache(maxsize=4)
def _faults_of(source: Source, qualname: str) -> tuple[Mutation, ...]:
    return tuple(sorted(_proposals(grounds_of(source, qualname)), key=_position))


def _proposals(ground: Ground) -> Iterator[Mutation]:
    for site in sites_of(ground):
        if not site.ancestors:
            continue
        for table in _TABLES:
            for rule in table.get(type(site.node), ()):
                yield from rule(site, site.node)


def _position(fault: Mutation) -> tuple[int, int, str, str]:
    return fault.line, fault.column, fault.operator, fault.sentence


def _spread(ground: Ground, faults: tuple[Mutation, ...], limit: int, choices: random.Random) -> list[Mutation]:
    # What is left out as a whole comes first; then each statement in turn gives the kind that was taken least so far.
    by_place: dict[int, list[Mutation]] = defaultdict(list)
    for fault in faults:
        by_place[fault.place].append(fault)
    places = sorted(by_place)
    choices.shuffle(places)
    for place in places:
        choices.shuffle(by_place[place])
    texts = {ground.source.text}
    taken = _omitted(ground, faults, limit // 2, texts, choices)
    used = Counter(fault.operator for fault in taken)
    while places and len(taken) < limit:
        for place in places[: limit - len(taken)]:
            if (next_one := _take(ground, by_place[place], used, texts)) is None:
                places.remove(place)
            else:
                used[next_one.operator] += 1
                taken.append(next_one)
    return taken


def _omitted(
    ground: Ground, faults: tuple[Mutation, ...], limit: int, texts: set[str], choices: random.Random
) -> list[Mutation]:
    """Take guards, branches and early returns, each place once before any is taken twice."""
    whole = [fault for fault in faults if fault.operator in WHOLE]
    choices.shuffle(whole)
    met: Counter[int] = Counter()
    turns: list[tuple[int, Mutation]] = []
    for fault in whole:
        turns.append((met[fault.place], fault))
        met[fault.place] += 1
    ordered = [fault for _, fault in sorted(turns, key=lambda each: each[0])]
    taken: list[Mutation] = []
    while ordered and len(taken) < limit:
        if (fault := ordered.pop(0)) and _is_new(ground, fault, texts):
            taken.append(fault)
    return taken


def _take(ground: Ground, waiting: list[Mutation], used: Counter[str], texts: set[str]) -> Mutation | None:
    waiting.sort(key=lambda fault: -used[fault.operator])
    while waiting:
        fault = waiting.pop()
        if _is_new(ground, fault, texts):
            return fault
    return None


def _is_new(ground: Ground, fault: Mutation, texts: set[str]) -> bool:
    text = ground.apply(fault.edits)
    if text in texts:
        return False
    if not ground.compiles(fault):
        raise NotAttemptedError("program.unsupported_syntax", f"A mutant does not compile: {fault.sentence}.")
    texts.add(text)
    return True


def _mutant(ground: Ground, number: int, fault: Mutation) -> Mutant:
    return Mutant(
        id=f"m{number}",
        operator=fault.operator,
        line=fault.line,
        column=fault.column,
        sentence=fault.sentence,
        source=encoded(ground.source, ground.apply(fault.edits)),
        serves_boundary=fault.serves_boundary,
    )
