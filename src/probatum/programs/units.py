"""What of a file is judged: its public functions and its public classes, each as one unit.

A class is judged with the examples of its methods. Private names that ``__all__`` does not name, and classes without
code of their own, are judged only through what uses them. Public callables that no definition makes are named. A
contract is plain text or Python that declares the function; it outweighs a docstring.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace

from probatum.programs.examples.clauses import BUILTIN_NAMES, with_further_examples
from probatum.programs.examples.contract_code import DECLARED, completed, definitions_of, lacking
from probatum.programs.examples.mined_tests import mined_examples
from probatum.programs.extract import extract_contract, extract_module, find_function
from probatum.programs.parsing.expressions import free_names
from probatum.programs.parsing.literals import executed_by
from probatum.programs.parsing.surface import uses_own
from probatum.programs.requirements.restrictions import Restrictions, restricted
from probatum.programs.source import UNPARSABLE, expression_of, module_or_none, normal
from probatum.programs.specification import (
    NOTHING_SHOWN,
    Example,
    FunctionSpec,
    ModuleSpec,
    Statement,
    Unread,
    Unreadable,
)
from probatum.programs.statements.cutting import numbered

CONTRACT = "contract"


def units_of(
    module: ModuleSpec, name: str | None, contract: str | None, tests: bytes | None = None, module_name: str = ""
) -> tuple[FunctionSpec, ...]:
    """Return what is to be judged, in order of definition.

    A contract counts for every unit whose name it mentions, or for the only one. Plain pairs of given tests count as
    examples. Raises `UsageError` where the file does not define ``name``.
    """
    units = [_unit(find_function(module, name), module)] if name is not None else _public(module)
    units = _each_its_own(units, module)
    if contract is not None:
        units = [
            _with_contract(unit, contract, module.defined) if len(units) == 1 or unit.qualname in contract else unit
            for unit in units
        ]
        units = _each_its_own(units, module)
    units = [_about_the_program(unit, module) for unit in units]
    if name is None and units:
        units[0] = replace(units[0], unreadable=(*units[0].unreadable, *_not_judged(module)))
    if tests is not None:
        units = [with_further_examples(unit, mined_examples(tests, unit, module_name), ()) for unit in units]
    return tuple(units)


def _is_public(name: str, module: ModuleSpec) -> bool:
    return not name.startswith("_") or name in module.exported


def _not_judged(module: ModuleSpec) -> Iterator[Unreadable]:
    judged = {spec.qualname for spec in module.functions}
    return (row for row in module.made if row.text not in judged and _is_public(row.text, module))


def _about_the_program(unit: FunctionSpec, module: ModuleSpec) -> FunctionSpec:
    """Set the examples aside that use nothing of the program: whatever they give says nothing about it."""
    strangers = {id(each) for each in unit.examples if each.notation != DECLARED and not _uses(each, module)}
    if not strangers:
        return unit
    # One that shows nothing claims nothing.
    aside = [each for each in unit.examples if id(each) in strangers and each.notation != NOTHING_SHOWN]
    reason = "it uses nothing that the program defines"
    rows = (Unreadable(each.text, reason, each.span, each.source, Unread.NOT_ITS_OWN) for each in aside)
    kept = tuple(each for each in unit.examples if id(each) not in strangers)
    return replace(unit, examples=kept, unreadable=(*unit.unreadable, *rows))


def _uses(example: Example, module: ModuleSpec) -> bool:
    texts = (*example.setup, example.expression)
    return uses_own((module_or_none(executed_by(text) or text) for text in texts), module.own)


def _each_its_own(units: list[FunctionSpec], module: ModuleSpec) -> list[FunctionSpec]:
    """Give every example that is about another judged function alone to that one: nobody else is to blame for it."""
    judged = {spec.qualname for spec in _public(module) if spec.kind == "function"}
    owned = [(_sole_owner(each, judged), unit, each) for unit in units for each in unit.examples]
    strayed = [(owner, each) for owner, unit, each in owned if unit.kind == "function" and owner != unit.qualname]
    gone = {id(each) for owner, each in strayed if owner}
    return [
        with_further_examples(
            replace(unit, examples=tuple(each for each in unit.examples if id(each) not in gone)),
            [each for owner, each in strayed if owner == unit.qualname],
            (),
        )
        for unit in units
    ]


def _sole_owner(example: Example, judged: AbstractSet[str]) -> str:
    tree = None if example.setup else expression_of(example.expression)
    used = free_names(tree) - BUILTIN_NAMES if tree is not None else frozenset()
    return next(iter(used)) if len(used) == 1 and used <= judged else ""


def _with_contract(unit: FunctionSpec, contract: str, defined: tuple[str, ...]) -> FunctionSpec:
    declared = declared_in(contract, unit.qualname)
    if declared is None:
        both = extract_contract(contract, unit, defined)
    else:
        stub = find_function(declared, unit.qualname)
        promised = tuple(replace(e, id=f"c{n}", source=CONTRACT) for n, e in enumerate(stub.examples, 1))
        unread = tuple(replace(row, source=CONTRACT) for row in stub.unreadable)
        unit = restricted(unit, _promised(stub, unit))
        both = replace(
            unit,
            examples=(*unit.examples, *promised),
            unreadable=(*unit.unreadable, *unread),
            statements=numbered((*unit.statements, *(replace(e, source=CONTRACT) for e in stub.statements))),
            further="\n".join((unit.further, stub.document, stub.further)),
        )
        both = _with_definitions(both, contract, stub, declared, defined)
    return _contract_first(both)


def _with_definitions(
    unit: FunctionSpec, contract: str, stub: FunctionSpec, declared: ModuleSpec, defined: tuple[str, ...]
) -> FunctionSpec:
    definitions = definitions_of(contract, unit.qualname)
    missing = lacking(stub, declared, definitions, defined) if definitions is not None else None
    if missing is not None:
        own = replace(missing, id=f"c{len(stub.examples) + 1}", source=CONTRACT)
        unit = replace(unit, examples=(*unit.examples, own))
    return replace(unit, definitions=definitions)


def _promised(stub: FunctionSpec, unit: FunctionSpec) -> Restrictions:
    # A promise about parameters that the program does not have cannot be evaluated.
    if not {each.name for each in stub.parameters} <= {each.name for each in unit.parameters}:
        return Restrictions()
    return Restrictions(
        tuple(replace(each, source=CONTRACT) for each in stub.preconditions),
        tuple(replace(each, source=CONTRACT) for each in stub.properties),
        tuple(replace(each, source=CONTRACT) for each in stub.raises),
    )


def declared_in(contract: str, qualname: str) -> ModuleSpec | None:
    """Return what a contract in Python declares, where that is a definition of this name; None for any other text."""
    # The body may still be to be written, so the text is completed first.
    for text in completed(contract):
        try:
            module = extract_module(text)
        except UNPARSABLE:
            continue
        return module if any(spec.qualname == qualname for spec in module.functions) else None
    return None


def _contract_first(unit: FunctionSpec) -> FunctionSpec:
    promised = {normal(e.expression): e for e in unit.examples if e.source == CONTRACT and not e.setup}
    examples: list[Example] = []
    doubtful: list[Unreadable] = []
    for example in unit.examples:
        rival = None if example.source == CONTRACT or example.setup else promised.get(normal(example.expression))
        if rival is None:
            examples.append(example)
        elif rival.expectation != example.expectation:
            reason = "contradicts the contract"
            doubtful.append(Unreadable(example.text, reason, example.span, example.source, Unread.CONTRADICTED))
    return replace(unit, examples=tuple(examples), unreadable=(*unit.unreadable, *doubtful))


def _public(module: ModuleSpec) -> list[FunctionSpec]:
    units = []
    for spec in module.functions:
        if "." in spec.qualname or not _is_public(spec.qualname, module):
            continue
        unit = _unit(spec, module)
        if spec.kind != "class" or unit.examples or (_methods(spec, module) and not spec.only_declares):
            units.append(unit)
    return units


def _methods(spec: FunctionSpec, module: ModuleSpec) -> list[FunctionSpec]:
    return [other for other in module.functions if other.qualname.startswith(spec.qualname + ".")]


def _unit(spec: FunctionSpec, module: ModuleSpec) -> FunctionSpec:
    if spec.kind != "class":
        return spec
    examples: list[Example] = list(spec.examples)
    unreadable: list[Unreadable] = list(spec.unreadable)
    statements: list[Statement] = list(spec.statements)
    for method in _methods(spec, module):
        part = method.qualname.removeprefix(spec.qualname + ".")
        examples += [replace(example, id=f"{part}.{example.id}") for example in method.examples]
        unreadable += method.unreadable
        if not part.startswith("_") or part.endswith("__"):
            statements += [replace(each, id=f"{part}.{each.id}", owner=part) for each in method.statements]
    return replace(spec, examples=tuple(examples), unreadable=tuple(unreadable), statements=tuple(statements))
