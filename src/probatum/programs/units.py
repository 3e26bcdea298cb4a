"""What of a file is judged: its public functions and its public classes, each as one unit.

A class is judged as a whole: the examples in its own documentation and in that of its methods. Private names
(a leading underscore), and classes without any code of their own, are judged only through what uses them.

A contract is plain text, or Python that declares the function with its documentation (a stub, or the prompt that a
program was written for). It is the stronger source: what a docstring says against it is doubtful and not executed.
Refuses a name that the file does not define, with the nearest one.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from probatum.programs.extract import extract_contract, extract_module, find_function
from probatum.programs.specification import Example, FunctionSpec, ModuleSpec, Unreadable

CONTRACT = "contract"


def units_of(module: ModuleSpec, name: str | None, contract: str | None) -> tuple[FunctionSpec, ...]:
    """Return what is to be judged, in order of definition.

    A contract is read for every unit whose name it mentions, or for the only unit there is.

    Raises:
        UsageError: the file does not define ``name``.
    """
    units = [_unit(find_function(module, name), module)] if name is not None else _public(module)
    if contract is None:
        return tuple(units)
    concerned = [len(units) == 1 or unit.qualname in contract for unit in units]
    return tuple(
        _with_contract(unit, contract, module.defined) if is_concerned else unit
        for unit, is_concerned in zip(units, concerned, strict=True)
    )


def _with_contract(unit: FunctionSpec, contract: str, defined: tuple[str, ...]) -> FunctionSpec:
    stub = _declared_in(contract, unit.qualname)
    if stub is None:
        both = extract_contract(contract, unit, defined)
    else:
        promised = tuple(replace(e, id=f"c{n}", source=CONTRACT) for n, e in enumerate(stub.examples, 1))
        unread = tuple(replace(row, source=CONTRACT) for row in stub.unreadable)
        both = replace(
            unit,
            examples=(*unit.examples, *promised),
            unreadable=(*unit.unreadable, *unread),
            unchanged=unit.unchanged or stub.unchanged,
        )
    return _contract_first(both)


def _declared_in(contract: str, qualname: str) -> FunctionSpec | None:
    """Return the function as a contract in Python declares it, also where its body is still to be written."""
    for text in (contract, contract.rstrip() + "\n    pass\n"):
        try:
            module = extract_module(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return next((spec for spec in module.functions if spec.qualname == qualname), None)
    return None


def _contract_first(unit: FunctionSpec) -> FunctionSpec:
    promised = {_normal(e.expression): e for e in unit.examples if e.source == CONTRACT and not e.setup}
    examples: list[Example] = []
    doubtful: list[Unreadable] = []
    for example in unit.examples:
        rival = None if example.source == CONTRACT or example.setup else promised.get(_normal(example.expression))
        if rival is None:
            examples.append(example)
        elif rival.expectation != example.expectation:
            doubtful.append(Unreadable(example.text, "contradicts the contract", example.span, example.source))
    return replace(unit, examples=tuple(examples), unreadable=(*unit.unreadable, *doubtful))


def _normal(expression: str) -> str:
    try:
        return ast.unparse(ast.parse(expression.strip(), mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return expression


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
