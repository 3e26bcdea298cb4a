"""What of a file is judged: its public functions and its public classes, each as one unit.

A class is judged as a whole: the examples in its own documentation and in that of its methods. Private names
(a leading underscore), and classes without any code of their own, are judged only through what uses them.
Refuses a name that the file does not define, with the nearest one.
"""

from __future__ import annotations

from dataclasses import replace

from probatum.programs.extract import extract_contract, find_function
from probatum.programs.specification import Example, FunctionSpec, ModuleSpec, Unreadable


def units_of(module: ModuleSpec, name: str | None, contract: str | None) -> tuple[FunctionSpec, ...]:
    """Return what is to be judged, in order of definition.

    A contract is read for every unit whose name it mentions, or for the only unit there is.

    Raises:
        UsageError: the file does not define ``name``.
    """
    units = [_unit(find_function(module, name), module)] if name is not None else _public(module)
    if contract is None:
        return tuple(units)
    return tuple(
        extract_contract(contract, unit) if len(units) == 1 or unit.qualname in contract else unit for unit in units
    )


def _public(module: ModuleSpec) -> list[FunctionSpec]:
    units = []
    for spec in module.functions:
        if spec.qualname.startswith("_") or "." in spec.qualname:
            continue
        unit = _unit(spec, module)
        if spec.kind != "class" or unit.examples or _methods(spec, module):
            units.append(unit)
    return units


def _methods(spec: FunctionSpec, module: ModuleSpec) -> list[FunctionSpec]:
    return [other for other in module.functions if other.qualname.startswith(spec.qualname + ".")]


def _unit(spec: FunctionSpec, module: ModuleSpec) -> FunctionSpec:
    if spec.kind != "class":
        return spec
    examples: list[Example] = list(spec.examples)
    unreadable: list[Unreadable] = list(spec.unreadable)
    for method in _methods(spec, module):
        part = method.qualname.removeprefix(spec.qualname + ".")
        examples += [replace(example, id=f"{part}.{example.id}") for example in method.examples]
        unreadable += method.unreadable
    return replace(spec, examples=tuple(examples), unreadable=tuple(unreadable))
