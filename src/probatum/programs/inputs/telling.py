"""Calls that are made to break what a specification states, instead of being drawn at random.

Each is a documented or drawn call with one argument replaced: by a value that is telling for what the stated clauses
are about, by a neighbour of a constant that a clause compares it with, or by what another argument suggests. Fixed by
the specification and the seed. Refuses to judge whether a call is legal: whoever runs it holds it against the
requirements.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice

from probatum.programs.inputs.choices import SeededChoices
from probatum.programs.inputs.container_shapes import ListShape
from probatum.programs.inputs.fingerprints import fingerprint
from probatum.programs.inputs.generate import Call, CallSource, Slot
from probatum.programs.inputs.scalar_shapes import FloatShape, IntShape, Shape, UnionShape
from probatum.programs.inputs.telling_values import About, Telling, letters_of, telling_values
from probatum.programs.specification import Origin, Precondition, Property

__all__ = ["telling_calls"]

_BASES = 6
_FEWEST_BASES = 3
_CALLED: Mapping[str, About] = {
    "len": "size", "sorted": "order", "set": "repeated", "frozenset": "repeated", "repr": "repeated",
    "count": "repeated", "min": "bound", "max": "bound", "round": "bound", "sum": "bound",
}  # fmt: skip
_LARGEST = 10**6


def telling_calls(
    source: CallSource, clauses: Sequence[Precondition | Property], *, count: int, seed: int
) -> tuple[Call, ...]:
    """Return up to ``count`` distinct calls, none of them documented; first those that the properties are about."""
    wanted = {about for clause in clauses if isinstance(clause, Property) for about in _about(clause)}
    constants = _constants(clauses)
    letters = letters_of([slot.shape for slot in source.slots])
    found: list[tuple[tuple[bool, int, int], Call]] = []
    for number, base in enumerate(_bases(source, seed)):
        for slot in source.slots:
            if slot.name not in base:
                continue
            values = [
                *_compared(slot, base, constants),
                *telling_values(slot.shape, base[slot.name], letters),
                *_suggested(slot, base),
            ]
            step = {True: 0, False: 0}
            for each in values:
                is_wanted = each.about in wanted
                rank = (not is_wanted, step[is_wanted], number)
                step[is_wanted] += 1
                found.append((rank, _call(source, {**base, slot.name: each.value})))
    taken = set(source.documented_calls())
    calls: list[Call] = []
    for _, call in sorted(found, key=lambda each: each[0]):
        mark = fingerprint((call.args, call.kwargs))
        if mark not in taken and len(calls) < count:
            taken.add(mark)
            calls.append(call)
    return tuple(calls)


def _bases(source: CallSource, seed: int) -> list[Mapping[str, object]]:
    """Return the documented calls, from all over them, and drawn ones where there are few."""
    stride = max(1, len(source.documented) // _BASES)
    bases = list(source.documented[::stride][:_BASES])
    choices = SeededChoices(f"{seed} telling")
    while len(bases) < _FEWEST_BASES:
        bases.append({slot.name: slot.shape.draw(choices) for slot in source.slots})
    return bases


def _call(source: CallSource, arguments: Mapping[str, object]) -> Call:
    given = dict(arguments)
    for habit in source.habits:
        given = habit.given_to(given)
    return source.call(given)


def _parsed(clause: Precondition | Property) -> Iterator[ast.expr]:
    texts = (clause.expression, clause.condition) if isinstance(clause, Property) else (clause.expression,)
    for text in texts:
        try:
            yield ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue


def _about(clause: Property) -> Iterator[About]:
    """Yield what a property is about: lengths, repetitions, membership, order, bounds."""
    for tree in _parsed(clause):
        for node in ast.walk(tree):
            if isinstance(node, ast.SetComp):
                yield "repeated"
            elif isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in _CALLED:
                    yield _CALLED[name]
            elif isinstance(node, ast.Compare) and not _is_of_type(node):
                if isinstance(node.ops[0], ast.In | ast.NotIn):
                    yield "member"
                elif isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                    yield "bound"


def _is_of_type(node: ast.Compare) -> bool:
    """True for ``type(xs) is list``: a guard, which says nothing of values."""
    return isinstance(node.left, ast.Call) and isinstance(node.left.func, ast.Name) and node.left.func.id == "type"


def _constants(clauses: Sequence[Precondition | Property]) -> dict[str, list[object]]:
    """Return the constants that parameters are compared with; their lengths as ``len NAME``, items as ``each NAME``.

    Of a property in words only what the words name: what else its condition has was put there to be careful.
    """
    found: dict[str, list[object]] = {}
    for clause in clauses:
        is_careful = isinstance(clause, Property) and clause.origin is not Origin.GROUND_TRUTH
        for tree in _parsed(clause):
            for name, values in _comparisons(tree):
                named = [each for each in values if not is_careful or str(each) in clause.text]
                found.setdefault(name, []).extend(named)
    return found


def _comparisons(tree: ast.expr) -> Iterator[tuple[str, list[object]]]:
    items = {
        part.target.id: f"each {part.iter.id}"
        for part in ast.walk(tree)
        if isinstance(part, ast.comprehension)
        if isinstance(part.target, ast.Name) and isinstance(part.iter, ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare) or _is_of_type(node):
            continue
        sides = [node.left, *node.comparators]
        values = [value for side in sides for value in _written(side)]
        yield from ((items.get(name, name), values) for side in sides if (name := _measured(side)))


def _measured(side: ast.expr) -> str:
    match side:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            return f"len {name}"
        case _:
            return ""


def _written(side: ast.expr) -> list[object]:
    try:
        value = ast.literal_eval(side)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return []
    return list(value) if isinstance(value, tuple | list) else [value]


def _compared(slot: Slot, base: Mapping[str, object], constants: Mapping[str, Sequence[object]]) -> Iterator[Telling]:
    """Yield the neighbours of the constants that a clause compares the argument, its items or its length with."""
    value = base[slot.name]
    for constant in constants.get(slot.name, ()):
        yield from (Telling("bound", each) for each in _near(constant, value))
    if not isinstance(slot.shape, ListShape) or not isinstance(value, list | tuple) or not value:
        return
    for constant in constants.get(f"each {slot.name}", ()):
        yield from (Telling("bound", slot.shape.made([each])) for each in _near(constant, value[0]))
    for constant in constants.get(f"len {slot.name}", ()):
        for size in _near(constant, len(value)):
            if isinstance(size, int) and 0 <= size <= 2 * slot.shape.longest:
                yield Telling("size", slot.shape.made(list(islice(cycle(value), size))))


def _near(constant: object, like: object) -> Iterator[object]:
    """Yield a constant and its neighbours as values of the type of ``like``; nothing where they are of another."""
    if isinstance(constant, int) and type(like) in {int, float} and abs(constant) <= _LARGEST:
        yield from (float(each) if isinstance(like, float) else each for each in (constant, constant + 1, constant - 1))
    elif type(constant) is type(like):
        yield constant


def _suggested(slot: Slot, base: Mapping[str, object]) -> Iterator[Telling]:
    """Yield what other arguments suggest, within the range of this one: an equal number, the last index, an item."""
    value = base[slot.name]
    for name, other in base.items():
        if name == slot.name:
            continue
        found: list[Telling] = []
        if type(value) is int and isinstance(other, list | tuple | str | dict):
            found += [Telling("bound", len(other) - 1), Telling("bound", len(other))]
        if isinstance(other, int | float | str):
            found.append(Telling("bound", other))
        if isinstance(other, list | tuple):
            found += [Telling("member", item) for item in (*other[:1], *other[-1:])]
        yield from (each for each in found if type(each.value) is type(value) and _is_in_range(slot.shape, each.value))


def _is_in_range(shape: Shape, value: object) -> bool:
    if isinstance(shape, UnionShape):
        return any(_is_in_range(option, value) for option in shape.options if option.fits(value))
    if isinstance(shape, IntShape | FloatShape) and isinstance(value, int | float):
        return shape.low <= value <= shape.high
    return True
