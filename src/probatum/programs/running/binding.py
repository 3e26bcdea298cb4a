"""Which argument of a call stands for which parameter of the function, and whether it is of the declared type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from probatum.programs.parsing.annotations import accepts
from probatum.programs.parsing.literals import read_value
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.running.checks import DirectCall
from probatum.programs.specification import Parameter
from probatum.readings.syntax import NotReadableError


def bound_values(parameters: Sequence[Parameter], call: DirectCall) -> Mapping[str, object] | None:
    """Return the value of every parameter in a call, readable defaults included; None where it does not fit."""
    values: dict[str, object] = {}
    waiting = list(call.args)
    named = dict(call.kwargs)
    for parameter in parameters:
        if parameter.kind == "var_positional":
            values[parameter.name], waiting = tuple(waiting), []
        elif parameter.kind == "var_keyword":
            values[parameter.name], named = named, {}
        elif waiting and parameter.kind != "keyword_only":
            values[parameter.name] = waiting.pop(0)
        elif parameter.name in named:
            values[parameter.name] = named.pop(parameter.name)
        elif parameter.default is None:
            return None
        else:
            try:
                values[parameter.name] = read_value(parameter.default)
            except NotReadableError:
                continue
    return None if waiting or named else values


def argument_places(parameters: Sequence[Parameter], call: DirectCall) -> dict[str, int | str]:
    """Return where each parameter that a call passes by itself stands in it: by position, or by keyword."""
    places: dict[str, int | str] = {name: name for name, _ in call.kwargs}
    positional = [each.name for each in parameters if each.kind in {"positional_only", "positional_or_keyword"}]
    return places | {name: index for index, name in enumerate(positional[: len(call.args)])}


def declared_arguments(parameters: Sequence[Parameter], call: DirectCall) -> Iterator[tuple[Parameter, object]]:
    """Yield the parameters that declare a type, each with what a call passes; None may stand for a default."""
    declared = {e.name: e for e in parameters if e.annotation and not e.kind.startswith("var_")}
    named = dict(call.kwargs)
    for name, place in argument_places(parameters, call).items():
        value = named[name] if isinstance(place, str) else call.args[place]
        if name in declared and not (value is None and declared[name].default == "None"):
            yield declared[name], value


def misfit(parameters: Sequence[Parameter], call: DirectCall) -> str:
    """Return how a call contradicts the declared type of a parameter, empty where it does not as far as can be told."""
    for parameter, value in declared_arguments(parameters, call):
        if accepts(parameter.annotation or "", value) is False:
            return f"{parameter.name} is declared as {parameter.annotation}, not {value_text(value)}"
    return ""
