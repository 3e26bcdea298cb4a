"""What of a file is judged: its public functions and its public classes, each as one unit.

A class is judged with the examples of its methods. Private names are judged where a public name leads to them; other
private ones only through what uses them. The words of documented classes without code are settled with the first other
unit, unless a reading speaks of their objects. A public name that no definition makes is listed as not judged; where
something documents it, it is a unit of its own that can be refuted and never VERIFIED. A contract is plain text or
Python that declares the function; it outweighs a docstring.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache

from probatum.core.errors import UsageError, nearest
from probatum.programs.examples.clauses import BUILTIN_NAMES, repeated, with_further_examples
from probatum.programs.examples.contract_code import DECLARED, completed, definitions_of, lacking
from probatum.programs.examples.mined_tests import mined_examples
from probatum.programs.extract import extract_contract, extract_module
from probatum.programs.parsing.expressions import free_names, names_in
from probatum.programs.parsing.literals import executed_by
from probatum.programs.parsing.surface import uses_own
from probatum.programs.requirements.restrictions import Restrictions, restricted
from probatum.programs.source import UNPARSABLE, expression_of, module_or_none, normal
from probatum.programs.specification import (
    NOTHING_SHOWN,
    Example,
    FunctionSpec,
    ModuleSpec,
    Parameter,
    Statement,
    StatementKind,
    Unread,
    Unreadable,
    is_public_part,
)
from probatum.programs.statements.consumed import contains, with_consumed
from probatum.programs.statements.cutting import numbered

CONTRACT = "contract"


def find_function(module: ModuleSpec, qualname: str) -> FunctionSpec:
    """Return the function, method or class that a name means; raises `UsageError` when there is none."""
    meant = module.meant_by(qualname)
    for function in (*module.functions, *(each.spec for each in module.bound)):
        if function.qualname == meant:
            return function
    names = [function.qualname for function in module.functions]
    hint = nearest(qualname, names) or (f"The file defines {', '.join(names[:8])}." if names else "It defines nothing.")
    raise UsageError("program.no_such_name", f"The file does not define {qualname!r}.", hint)


def units_of(
    module: ModuleSpec, name: str | None, contract: str | None, tests: bytes | None = None, module_name: str = ""
) -> tuple[FunctionSpec, ...]:
    """Return what is to be judged, in order of definition.

    A contract counts for every unit whose name it mentions, or for the only one. Plain pairs of given tests count as
    examples. Raises `UsageError` where the file does not define ``name``.
    """
    units = [_unit(find_function(module, name), module)] if name is not None else _public(module)
    units = _by_one_name(_each_its_own(units, module), module)
    if contract is not None:
        units = [
            _with_contract(unit, contract, module.defined) if len(units) == 1 or unit.qualname in contract else unit
            for unit in units
        ]
        units = _each_its_own(units, module)
    units = [_about_the_program(unit, module) for unit in units]
    units = _with_module_examples(units, module, only_about=name is not None)
    if name is None:
        units += _documented_names(units, module)
        units = _with_declared(units)
        rows = _listed({unit.qualname for unit in units}, module)
        units[:1] = [replace(unit, unreadable=(*unit.unreadable, *rows)) for unit in units[:1]]
    if tests is not None:
        units = [with_further_examples(unit, mined_examples(tests, unit, module_name), ()) for unit in units]
    return tuple(with_consumed(unit, _parameters(unit, module)) for unit in units)


def _parameters(unit: FunctionSpec, module: ModuleSpec) -> Mapping[str, Sequence[Parameter]]:
    """Return what callers pass to a function, or to a class and its methods, by the name of the method."""
    members = _methods(unit, module) if unit.kind == "class" else ()
    return {"": unit.parameters} | {
        each.qualname.removeprefix(f"{unit.qualname}."): each.parameters[each.kind != "staticmethod" :]
        for each in members
    }


def readable_units(module: ModuleSpec, name: str | None, contract: str | None = None) -> tuple[FunctionSpec, ...]:
    """Return everything that readings may be about: the units, and the classes without code beside them."""
    units = units_of(module, name, contract)
    return (*units, *(each for unit in units for each in unit.declared))


def beyond_definitions(module: ModuleSpec) -> list[str]:
    """Return what of a file is judged with all of it alone: public names without a definition, module examples."""
    names = [each.name for each in module.bound if each.is_ours and not each.leads_to]
    names += [each.qualname for each in module.functions if each.kind == "class" and module.is_public(each.qualname)]
    defined = {each.qualname for each in module.functions}
    others = any(not _names_of(each) & defined for each in module.examples)
    return [*names, *(["the examples of its module docstring"] if others else [])]


def _by_one_name(units: list[FunctionSpec], module: ModuleSpec) -> list[FunctionSpec]:
    """Write calls by another name of a judged definition as calls by its own name: they are the same object."""
    names = {each.name: each.leads_to for each in module.bound if each.leads_to and "." not in each.leads_to}
    return [replace(unit, examples=tuple(_by_own_names(each, names) for each in unit.examples)) for unit in units]


def _by_own_names(example: Example, names: Mapping[str, str]) -> Example:
    tree = expression_of(example.expression)
    meant = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in names] if tree else []
    # A session may bind the name itself.
    if tree is None or not meant or example.setup or not {each.id for each in meant} <= free_names(tree):
        return example
    for node in meant:
        node.id = names[node.id]
    return replace(example, expression=ast.unparse(tree))


def _documented_names(units: Sequence[FunctionSpec], module: ModuleSpec) -> list[FunctionSpec]:
    """Return the public names that no definition makes and that something documents, by itself or in an example."""
    shown = [each for unit in units for each in unit.examples]
    used = frozenset[str]().union(*(_names_of(each) for each in (*shown, *module.examples)))
    return [
        each.spec
        for each in module.bound
        if each.is_ours and not each.leads_to and not each.may_be_data
        if each.spec.examples or each.spec.statements or each.name in used
    ]


def _names_of(example: Example) -> frozenset[str]:
    return frozenset[str]().union(*map(_names_in_step, (*example.setup, example.expression)))


# Every example of a session has all steps before it.
@lru_cache(maxsize=4096)
def _names_in_step(text: str) -> frozenset[str]:
    step = module_or_none(executed_by(text) or text)
    return frozenset() if step is None else frozenset(names_in(step))


def _with_module_examples(units: list[FunctionSpec], module: ModuleSpec, *, only_about: bool) -> list[FunctionSpec]:
    """Give each example of the module's own text that no unit has to the one that it is about, else to the first.

    ``only_about`` leaves out those that use no unit.
    """
    taken = {(each.span, each.source) for unit in units for each in unit.examples}
    taken |= {(each.span, each.source) for unit in units for each in unit.unreadable}
    taken |= {(each.span, each.source) for bound in module.bound for each in bound.spec.examples if bound.is_ours}
    units, judged = list(units), {unit.qualname for unit in units}
    private = (each for spec in module.functions for each in spec.examples if _names_of(each) & judged)
    for example in (*module.examples, *private) if units else ():
        if (example.span, example.source) in taken:
            continue
        used = _names_of(example) & judged
        index = next((index for index, unit in enumerate(units) if unit.qualname in used), -1 if only_about else 0)
        if index >= 0:
            units[index] = with_further_examples(units[index], [example], ())
    return units


def _listed(judged: AbstractSet[str], module: ModuleSpec) -> Iterator[Unreadable]:
    for each in module.bound:
        spec = each.spec
        if each.name not in judged and not each.leads_to and not each.may_be_data:
            yield Unreadable(each.name, spec.not_judged, spec.span, "code", Unread.NOT_ITS_OWN)


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
    names = {unit.qualname for unit in units}
    moved = [each for owner, each in strayed if owner in names]
    return [
        with_further_examples(
            replace(
                unit,
                examples=tuple(each for each in unit.examples if id(each) not in gone),
                statements=tuple(each for each in unit.statements if not _is_text_of(each, unit, moved)),
            ),
            [each for owner, each in strayed if owner == unit.qualname],
            (),
        )
        for unit in units
    ]


def _is_text_of(statement: Statement, unit: FunctionSpec, moved: Sequence[Example]) -> bool:
    """Tell whether a statement is an example that another function is checked by."""
    own = (each for each in moved if each.source == statement.source and each in unit.examples)
    return statement.kind is StatementKind.EXAMPLE and any(contains(each.span, statement.span) for each in own)


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
        promised = tuple(
            replace(e, id=f"c{n}", source=CONTRACT, places=tuple((CONTRACT, span) for _, span in e.places))
            for n, e in enumerate(stub.examples, 1)
        )
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
    again: list[tuple[str, Example]] = []
    for example in unit.examples:
        rival = None if example.source == CONTRACT or example.setup else promised.get(normal(example.expression))
        if rival is None:
            examples.append(example)
        elif rival.expectation != example.expectation:
            reason = "contradicts the contract"
            doubtful.append(Unreadable(example.text, reason, example.span, example.source, Unread.CONTRADICTED))
        else:
            again.append((rival.id, example))
    return replace(unit, examples=repeated(examples, again), unreadable=(*unit.unreadable, *doubtful))


def _public(module: ModuleSpec) -> list[FunctionSpec]:
    units = []
    for spec in module.functions:
        if "." in spec.qualname or not module.is_public(spec.qualname):
            continue
        unit = _unit(spec, module)
        if spec.kind != "class" or unit.examples or unit.statements or not unit.only_declares:
            units.append(unit)
    return units


def _with_declared(units: list[FunctionSpec]) -> list[FunctionSpec]:
    """Give the documented classes without code to the first other unit: no check can be about them alone."""
    declared = [each for each in units if each.kind == "class" and each.only_declares and not each.examples]
    judged = [each for each in units if each not in declared]
    return [replace(judged[0], declared=tuple(declared)), *judged[1:]] if judged else declared


def with_read_classes(units: Sequence[FunctionSpec], read: AbstractSet[str]) -> tuple[FunctionSpec, ...]:
    """Make units of those classes without code of whose objects a reading speaks: checks can be about them alone."""
    apart = [each for unit in units for each in unit.declared if each.qualname in read]
    kept = (replace(unit, declared=tuple(each for each in unit.declared if each not in apart)) for unit in units)
    return (*kept, *apart)


def _methods(spec: FunctionSpec, module: ModuleSpec) -> list[FunctionSpec]:
    return [other for other in module.functions if other.qualname.startswith(spec.qualname + ".")]


def _unit(spec: FunctionSpec, module: ModuleSpec) -> FunctionSpec:
    if spec.kind != "class":
        return spec
    examples: list[Example] = list(spec.examples)
    unreadable: list[Unreadable] = list(spec.unreadable)
    statements: list[Statement] = list(spec.statements)
    methods = _methods(spec, module)
    for method in methods:
        part = method.qualname.removeprefix(spec.qualname + ".")
        examples += [replace(example, id=f"{part}.{example.id}") for example in method.examples]
        unreadable += method.unreadable
        if is_public_part(part):
            statements += [replace(each, id=f"{part}.{each.id}", owner=part) for each in method.statements]
    return replace(
        spec,
        examples=tuple(examples),
        unreadable=tuple(unreadable),
        statements=tuple(statements),
        only_declares=spec.only_declares or not methods,
    )
