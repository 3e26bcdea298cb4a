"""Calls at the border of documented conditions: the program is asked on both sides of each, and exactly there.

Each differs in one argument from a call that is known to give a result, so that nothing else can be the reason for an
exception. Refuses arguments that cannot be passed by position or name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from probatum.programs.inputs.borders import border_values
from probatum.programs.judging.claims import StatedClauses
from probatum.programs.running.checks import DirectCall, pasteable
from probatum.programs.specification import Parameter

MOST_BASES = 4
MOST_FOR_A_CONDITION = 40
MOST_ALLOWED = 20
"""How many calls on the side of a condition where nothing is raised join the generated ones."""


def border_calls(stated: StatedClauses, bases: Sequence[DirectCall]) -> tuple[DirectCall, ...]:
    """Return calls around the borders of every documented exception's condition, each different from every base."""
    found: dict[str, DirectCall] = {}
    for each in stated.raises:
        if each.applies is not None and each.clause.condition is not None:
            drawn = _around(stated, each.clause.condition, bases)
            found.update((pasteable(call), call) for call in islice(drawn, MOST_FOR_A_CONDITION))
    known = {pasteable(base) for base in bases}
    return tuple(call for text, call in found.items() if text not in known)


def allowed_border_calls(stated: StatedClauses, bases: Sequence[DirectCall]) -> tuple[DirectCall, ...]:
    """Return those at which no documented exception is due and every requirement is met."""
    return tuple(islice((call for call in border_calls(stated, bases) if _is_allowed(stated, call)), MOST_ALLOWED))


def _is_allowed(stated: StatedClauses, call: DirectCall) -> bool:
    values = stated.values(call)
    conditions = [each.applies for each in stated.raises if each.applies is not None]
    return (
        values is not None
        and stated.meets(call)
        and all(stated.predicates.truth(each, values) is False for each in conditions)
    )


def _around(stated: StatedClauses, condition: str, bases: Sequence[DirectCall]) -> Iterator[DirectCall]:
    for base in [each for each in bases if each.is_plain][:MOST_BASES]:
        values = stated.values(base)
        for name, value in border_values(condition, values) if values is not None else ():
            call = _with(stated.parameters, base, name, value)
            if call is not None:
                yield call


def _with(parameters: Sequence[Parameter], call: DirectCall, name: str, value: object) -> DirectCall | None:
    """Return the call with another value for one parameter, passed as it was or by name."""
    for place, parameter in enumerate(parameters):
        if parameter.kind.startswith("var_"):
            return None
        if parameter.name == name:
            if place < len(call.args):
                args = (*call.args[:place], value, *call.args[place + 1 :])
                return DirectCall(call.target, args, call.kwargs)
            named = {**dict(call.kwargs), name: value}
            return (
                None if parameter.kind == "positional_only" else DirectCall(call.target, call.args, (*named.items(),))
            )
    return None
