"""Generated inputs: calls that look like the documented ones, found without ever importing the program.

Half of a pool are neighbours of documented calls, half are drawn from shapes (read from examples, annotations and the
constants in the function's text). What is drawn depends on the function's specification, its text and the seed alone.
Refuses a function with a parameter about which neither says anything: it gets no inputs rather than wild guesses.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from keyword import iskeyword

from probatum.programs.inputs.choices import Choices, SeededChoices, one_in, pick
from probatum.programs.inputs.container_shapes import ListShape, MappingShape
from probatum.programs.inputs.fingerprints import fingerprint
from probatum.programs.inputs.habits import Habit, habits_of
from probatum.programs.inputs.hinted_shapes import shape_of_annotation
from probatum.programs.inputs.observed_shapes import shape_of_values
from probatum.programs.inputs.scalar_shapes import ConstantShape, UnionShape, ValueShape
from probatum.programs.inputs.source_literals import Literals, literals_of
from probatum.programs.inputs.source_shapes import SampleShape, settled
from probatum.programs.parsing.annotations import accepts
from probatum.programs.parsing.declared_types import DeclaredTypes, declared_types
from probatum.programs.parsing.literals import read_value
from probatum.programs.specification import FunctionSpec, Parameter
from probatum.readings.syntax import NotReadableError

__all__ = ["Call", "CallSource", "accepts", "argument_strategy", "input_pool"]

Documented = tuple[tuple[object, ...], dict[str, object]]

_ATTEMPTS = 6
_ANY_NAMES = ("a", "b", "name", "value", "key")
_USUAL = 5


@dataclass(frozen=True, slots=True)
class Call:
    """One call: positional and keyword arguments, plain data or `SourceArgument`."""

    args: tuple[object, ...]
    kwargs: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class ArgumentSlot:
    """One parameter that gets generated values."""

    name: str
    kind: str
    shape: ValueShape
    is_required: bool
    default: tuple[object, ...] = ()
    """What it is where a call leaves it out, if that is written as a literal."""


@dataclass(frozen=True, slots=True)
class CallSource:
    """Everything that calls of one function are drawn from."""

    slots: tuple[ArgumentSlot, ...]
    documented: tuple[Mapping[str, object], ...]
    habits: tuple[Habit, ...]
    families: tuple[CallSource, ...] = ()
    """Where nothing documents a call: one source for every combination of types that was found by probing."""
    by_type: bool = False
    """Whether every argument is drawn from its own type alone, none from a part of another one."""

    @property
    def is_probed(self) -> bool:
        """Whether nothing documents the types of its calls: what a program does with them is no fault."""
        return bool(self.families)

    def draw(self, choices: Choices, *, near: bool) -> Call:
        """Return one call: a neighbour of a documented one, or one drawn from the shapes."""
        return self.call(self.arguments(choices, near=near))

    def arguments(self, choices: Choices, *, near: bool) -> Mapping[str, object]:
        """Return the arguments of one call, by parameter."""
        if self.families:
            return pick(choices, self.families).arguments(choices, near=near)
        arguments = self._neighbour(choices) if near and self.documented else self._general(choices)
        if not one_in(choices, 12):
            for habit in self.habits:
                arguments = habit.given_to(arguments)
        return arguments

    def call(self, arguments: Mapping[str, object]) -> Call:
        """Return the call that passes these arguments, by position as far as that goes."""
        args: list[object] = []
        kwargs: list[tuple[str, object]] = []
        by_position = True
        for slot in self.slots:
            if slot.name not in arguments:
                by_position = False
            elif slot.kind == "var_positional":
                args += map(settled, _listed(arguments[slot.name])) if by_position else []
            elif slot.kind == "var_keyword":
                kwargs += self._named(arguments[slot.name])
            elif by_position and slot.kind != "keyword_only":
                args.append(settled(arguments[slot.name]))
            elif slot.kind != "positional_only":
                kwargs.append((slot.name, settled(arguments[slot.name])))
        return Call(tuple(args), tuple(kwargs))

    def _named(self, given: object) -> list[tuple[str, object]]:
        """Return further arguments by name, those left out that no call can pass."""
        own = {slot.name for slot in self.slots}
        entries = given.items() if isinstance(given, dict) else ()
        return [
            (name, settled(value))
            for name, value in entries
            if isinstance(name, str) and name.isidentifier() and not iskeyword(name) and name not in own
        ]

    def documented_calls(self) -> frozenset[str]:
        """Return the fingerprints of the documented calls."""
        return frozenset(map(self.mark, self.documented))

    def mark(self, arguments: Mapping[str, object]) -> str:
        """Return the same text for arguments that are the same, whether a default is passed or left out."""
        defaults = {slot.name: slot.default[0] for slot in self.slots if slot.default}
        return _mark(self.call({**defaults, **arguments}))

    def _general(self, choices: Choices) -> dict[str, object]:
        drawn = {
            slot.name: slot.shape.draw(choices) for slot in self.slots if slot.is_required or choices.below(2) == 0
        }
        share = 4 if self.documented else 2
        may_relate = len(drawn) > 1 and not self.by_type
        return _related(drawn, choices) if may_relate and one_in(choices, share) else drawn

    def _neighbour(self, choices: Choices) -> dict[str, object]:
        arguments = dict(pick(choices, self.documented))
        for _ in range(1 + choices.below(2)):
            present = [slot for slot in self.slots if slot.name in arguments]
            if not present:
                return self._general(choices)
            slot = pick(choices, present)
            arguments[slot.name] = slot.shape.vary(arguments[slot.name], choices)
            if one_in(choices, 6):
                arguments[slot.name] = pick(choices, self.documented).get(slot.name, arguments[slot.name])
        return _related(arguments, choices) if len(arguments) > 1 and one_in(choices, 4) else arguments


def argument_strategy(function: FunctionSpec, examples: Sequence[Documented], tree: ast.Module) -> CallSource | None:
    """Return what to draw calls of ``function`` from, None where nothing tells what an argument looks like.

    ``examples`` are the documented calls with plain arguments. For a method the arguments do not include the object.
    """
    parameters = list(function.taken)
    documented = [bound for args, kwargs in examples if (bound := _bound(parameters, args, kwargs)) is not None]
    if examples and not any(_is_complete(parameters, call) for call in documented):
        # A decorator has changed the signature: only the calls themselves show what it is.
        parameters = _parameters_shown(examples)
        documented = [bound for args, kwargs in examples if (bound := _bound(parameters, args, kwargs)) is not None]
    literals = literals_of(tree, function.qualname)
    declared = _with_itself(declared_types(tree), function)
    seen = {each.name: [call[each.name] for call in documented if each.name in call] for each in parameters}
    shapes = {
        each.name: None
        if _stays_out(each, seen[each.name], documented)
        else _shape_of(each, seen[each.name], literals, declared)
        for each in parameters
    }
    if any(shapes[each.name] is None and not each.may_be_left_out for each in parameters):
        return None
    slots = [
        ArgumentSlot(each.name, each.kind, shape, _is_required(each, seen[each.name], documented), _default_of(each))
        for each in passable(parameters, lambda each: shapes[each.name] is not None)
        if (shape := shapes[each.name]) is not None
    ]
    if not slots:
        return None
    return CallSource(tuple(slots), tuple(documented), habits_of(documented))


def passable(parameters: Iterable[Parameter], is_kept: Callable[[Parameter], bool]) -> Iterator[Parameter]:
    """Yield the parameters that are kept and that calls without the others can pass: behind a gap by name alone."""
    has_gap = False
    for each in parameters:
        keeps = is_kept(each)
        if keeps and not (has_gap and each.kind in {"positional_only", "var_positional"}):
            yield replace(each, kind="keyword_only") if has_gap and each.kind != "var_keyword" else each
        has_gap = has_gap or not keeps


def any_of(families: Sequence[CallSource]) -> CallSource | None:
    """Return a source that draws each call from one of these, None where there are none; all have the same slots."""
    if not families:
        return None
    documented = tuple(call for family in families for call in family.documented)
    return CallSource(families[0].slots, documented, (), tuple(families))


def input_pool(strategy: CallSource, *, count: int, seed: int) -> tuple[Call, ...]:
    """Return up to ``count`` distinct calls, small ones first, the same for the same arguments.

    None of them is a documented call. There are fewer where the shapes do not give so many.
    """
    taken = set(strategy.documented_calls())
    near = _drawn(strategy, count // 2, f"{seed} near", taken, near=True) if strategy.documented else []
    general = _drawn(strategy, count - len(near), f"{seed} general", taken, near=False)
    missing = count - len(near) - len(general)
    more = _drawn(strategy, missing, f"{seed} more", taken, near=True) if strategy.documented and missing else []
    return tuple(sorted([*near, *general, *more], key=_size))


def calls_at_constants(strategy: CallSource, *, count: int, seed: int) -> tuple[Call, ...]:
    """Return up to ``count`` calls that pass the numbers of the function's text and their neighbours, one at a time.

    That is where versions differ that compare with another limit, and other calls meet one limit of many by chance.
    """
    found: dict[str, Call] = {}
    for source in strategy.families or (strategy,):
        usual = source.arguments(SeededChoices(f"{seed} constants"), near=True)
        for slot in source.slots:
            specials = getattr(slot.shape, "specials", ())
            calls = [source.call({**usual, slot.name: special}) for special in specials]
            found |= {_mark(call): call for call in calls}
    return tuple(found.values())[:count]


def near_calls(strategy: CallSource, *, count: int, seed: int) -> tuple[Call, ...]:
    """Return up to ``count`` distinct calls near the documented ones, none of which is documented."""
    taken = set(strategy.documented_calls())
    return tuple(_drawn(strategy, count, f"{seed} near by", taken, near=True)) if strategy.documented else ()


def _drawn(source: CallSource, count: int, seed: str, taken: set[str], *, near: bool) -> list[Call]:
    choices = SeededChoices(seed)
    calls: list[Call] = []
    for _ in range(count * _ATTEMPTS):
        if len(calls) >= count:
            break
        arguments = source.arguments(choices, near=near)
        mark = source.mark(arguments)
        if mark not in taken:
            taken.add(mark)
            calls.append(source.call(arguments))
    return calls


def _mark(call: Call) -> str:
    return fingerprint((call.args, call.kwargs))


def _size(call: Call) -> tuple[int, str]:
    mark = _mark(call)
    return len(mark), mark


def _is_complete(parameters: Sequence[Parameter], call: Mapping[str, object]) -> bool:
    return all(each.name in call or each.may_be_left_out for each in parameters)


def _parameters_shown(examples: Sequence[Documented]) -> list[Parameter]:
    """Return parameters that every documented call fits."""
    fewest, most = min(len(args) for args, _ in examples), max(len(args) for args, _ in examples)
    places = [
        Parameter(f"argument {place}", "positional_only", None, None if place < fewest else "...")
        for place in range(most)
    ]
    names = dict.fromkeys(name for _, kwargs in examples for name in kwargs)
    return [*places, *(Parameter(name, "keyword_only", None, "...") for name in names)]


def _with_itself(declared: DeclaredTypes, function: FunctionSpec) -> DeclaredTypes:
    """Let ``Self`` stand for the class that the function belongs to."""
    owner = function.qualname if function.kind == "class" else function.qualname.rpartition(".")[0]
    if not owner:
        return declared
    return replace(
        declared, aliases={**declared.aliases, "Self": ast.Name(owner, ast.Load())}, names=declared.names | {"Self"}
    )


def _bound(
    parameters: Sequence[Parameter], args: Sequence[object], kwargs: Mapping[str, object]
) -> dict[str, object] | None:
    """Return the documented arguments by parameter, None where they do not fit the signature."""
    arguments: dict[str, object] = {}
    waiting = list(args)
    names = {parameter.name for parameter in parameters if parameter.kind != "positional_only"}
    for parameter in parameters:
        if parameter.kind == "var_positional":
            arguments[parameter.name] = tuple(waiting)
            waiting = []
        elif parameter.kind == "var_keyword":
            arguments[parameter.name] = {name: value for name, value in kwargs.items() if name not in names}
            names |= set(kwargs)
        elif parameter.kind in {"positional_only", "positional_or_keyword"} and waiting:
            arguments[parameter.name] = waiting.pop(0)
        elif parameter.name in kwargs:
            arguments[parameter.name] = kwargs[parameter.name]
    return None if waiting or any(name not in names for name in kwargs) else arguments


def _stays_out(parameter: Parameter, seen: list[object], documented: Sequence[object]) -> bool:
    """An optional parameter that no documented call passes is left alone when nothing describes it."""
    if parameter.kind.startswith("var_"):
        return bool(documented) and not any(seen)
    return parameter.default is not None and bool(documented) and not seen and parameter.annotation is None


def _is_required(parameter: Parameter, seen: list[object], documented: Sequence[object]) -> bool:
    if parameter.kind.startswith("var_") or parameter.default is None:
        return True
    return bool(documented) and len(seen) == len(documented)


def _shape_of(
    parameter: Parameter, seen: list[object], literals: Literals, declared: DeclaredTypes
) -> ValueShape | None:
    hint = parameter.annotation
    hinted = shape_of_annotation(hint, literals, declared) if hint else None
    if parameter.kind == "var_positional":
        hinted = ListShape(hinted, kind=tuple) if hinted is not None else None
    elif parameter.kind == "var_keyword":
        hinted = MappingShape(ConstantShape(_ANY_NAMES), hinted) if hinted is not None else None
    if not seen and hinted is None:
        seen = [value for value in _default_of(parameter) if value is not None]
    observed = shape_of_values(seen, literals, hinted)
    if observed is None or hinted is None:
        return observed or hinted
    return _with_unseen_options(observed, hinted, seen)


def _with_unseen_options(observed: ValueShape, hinted: ValueShape, seen: Iterable[object]) -> ValueShape:
    """Add, rarely drawn, what an annotation allows and no documented call shows: usually None."""
    if isinstance(observed, SampleShape):
        return UnionShape((observed, hinted))
    if not isinstance(hinted, UnionShape):
        return observed
    unseen = tuple(option for option in hinted.options if not any(option.fits(value) for value in seen))
    if not unseen:
        return observed
    return UnionShape((*(observed for _ in range(_USUAL)), *unseen))


def _default_of(parameter: Parameter) -> tuple[object, ...]:
    try:
        return () if parameter.default is None else (read_value(parameter.default),)
    except NotReadableError:
        return ()


def _related(arguments: dict[str, object], choices: Choices) -> dict[str, object]:
    """Let one argument be a part of another, as a prefix or an item usually is: drawn alone they never meet."""
    name = pick(choices, tuple(arguments))
    others = [piece for other, value in arguments.items() if other != name for piece in _pieces(value)]
    fitting = [piece for piece in others if type(piece) is type(arguments[name])]
    return {**arguments, name: pick(choices, fitting)} if fitting else arguments


def _pieces(value: object) -> list[object]:
    if isinstance(value, str):
        return [value, value[:2], value[1:3], value[-2:]]
    if isinstance(value, list | tuple):
        return [piece for item in value for piece in _pieces(item)]
    return [value]


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]
