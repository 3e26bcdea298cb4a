"""Conditions written in Python over the parameters of a function; parsed here, evaluated only in the clerk.

Refuses, by answering None, a condition that does not parse, that uses a name which nothing binds, or that calls
something whose name a parameter has taken.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from probatum.programs.parsing.expressions import free_names
from probatum.programs.running.binding import argument_places, bound_values
from probatum.programs.running.checks import DirectCall, JudgedCall
from probatum.programs.running.execute import GIVEN, MUTANT_LIMITS, LoadFailure, condition_on, loaded
from probatum.programs.specification import Definitions, Parameter
from probatum.readings.syntax import expression_or_none
from probatum.sandbox import Candidate, Clerk, Program, Raised, Reply, Returned, Sandbox, SourceArgument, answering

RESULT = "result"
AFTER = "__after"
OFFERED_MODULES = frozenset({"collections", "datetime", "itertools", "math", "re", "statistics", "string"})
"""Modules of the standard library that the clerk has for conditions."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition that can be evaluated: what it needs and its text as a ``lambda`` with keyword parameters."""

    text: str
    names: tuple[str, ...]
    """Values that it is given: parameters, ``NAME__after`` and ``result``."""
    functions: tuple[str, ...]

    @property
    def parameters(self) -> frozenset[str]:
        """The parameters whose values before the call it needs."""
        return frozenset(name for name in self.names if name != RESULT and not name.endswith(AFTER))


def predicate_of(
    expression: str, parameters: Iterable[str], functions: Collection[str], definitions: Definitions | None = None
) -> Predicate | None:
    """Return the predicate of an expression, None where it cannot be evaluated; ``definitions`` hide functions."""
    tree = expression_or_none(expression)
    if tree is None:
        return None
    names = frozenset(parameters)
    bindable = names | {name + AFTER for name in names} | {RESULT}
    free = free_names(tree)
    called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    if any(name in bindable and hasattr(builtins, name) for name in called):
        return None
    defined = (free - bindable) & frozenset(definitions.names if definitions is not None else ())
    strangers = free - bindable - frozenset(functions) - OFFERED_MODULES - defined
    if any(not hasattr(builtins, name) for name in strangers) or free & {GIVEN}:
        return None
    taken = tuple(sorted((free & bindable) | {RESULT}))
    condition = f"bool({expression.strip()})"
    if definitions is not None and defined:
        condition = _with_definitions(condition, sorted(defined), definitions.source)
    text = f"lambda *, {', '.join(taken)}: {condition}"
    return Predicate(text, taken, tuple(sorted(free & frozenset(functions) - bindable - defined)))


def _with_definitions(condition: str, names: Sequence[str], source: str) -> str:
    made = f"(lambda code_: [exec({source!r}, code_), *map(code_.get, {list(names)!r})][1:])({{}})"
    return f"(lambda {', '.join(names)}: {condition})(*{made})"


def judged(predicate: Predicate, parameters: Sequence[Parameter], call: DirectCall) -> JudgedCall | None:
    """Return the call held against a predicate, None where the call lacks a value that the predicate needs."""
    values = bound_values(parameters, call)
    if values is None or not predicate.parameters <= values.keys():
        return None
    if any(isinstance(values[name], SourceArgument) for name in predicate.parameters):
        return None
    given = tuple((name, values[name]) for name in sorted(predicate.parameters))
    after: list[tuple[str, int | str]] = []
    places = argument_places(parameters, call)
    for name in predicate.names:
        if name.endswith(AFTER):
            if name.removesuffix(AFTER) not in places:
                return None
            after.append((name, places[name.removesuffix(AFTER)]))
    return JudgedCall(call, predicate.text, given, tuple(after), predicate.functions)


class Predicates:
    """Evaluates predicates, in a clerk and a process of the program that start when they are first needed."""

    def __init__(self, sandbox: Sandbox, program: Program) -> None:
        self._sandbox = sandbox
        self._program = program
        self._open = ExitStack()
        self._clerk: Clerk | None = None
        self._candidate: Candidate | LoadFailure | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def truth(self, predicate: Predicate, values: Mapping[str, object]) -> bool | None:
        """Return whether a predicate holds for values; None where it raises, is lost, or lacks a value."""
        needed = {name: values[name] for name in predicate.names if name in values}
        if len(needed) < len(predicate.names) - (RESULT not in values):
            return None
        needed.setdefault(RESULT, None)
        clerk = self._ready_clerk()
        reply = condition_on(needed, predicate.text, predicate.functions, clerk, self._answer)
        if not isinstance(reply, Returned | Raised):
            self._end()
        return reply.value if isinstance(reply, Returned) and isinstance(reply.value, bool) else None

    def _answer(self, target: str, args: tuple[object, ...], kwargs: dict[str, object]) -> Reply:
        candidate = self._ready_candidate()
        return candidate.reply if isinstance(candidate, LoadFailure) else answering(candidate)(target, args, kwargs)

    def _ready_clerk(self) -> Clerk:
        if self._clerk is None:
            self._clerk = self._open.enter_context(self._sandbox.clerk(MUTANT_LIMITS))
        return self._clerk

    def _ready_candidate(self) -> Candidate | LoadFailure:
        if self._candidate is None:
            self._candidate = self._open.enter_context(loaded(self._sandbox, self._program, MUTANT_LIMITS))
        return self._candidate

    def _end(self) -> None:
        self._clerk = self._candidate = None
        self._open.close()
