"""The functions of a program as what readings quote: statements, documentation and signatures as a caller sees them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace

from probatum.core.digest import digest_of
from probatum.programs.source import expression_of
from probatum.programs.specification import FunctionSpec, ModuleSpec, Parameter
from probatum.readings.documented import Documentation, Documents

_STARS = {"var_positional": "*", "var_keyword": "**"}


def of_function(name: str, functions: Iterable[FunctionSpec]) -> tuple[FunctionSpec, ...]:
    """Return a function, and after a class its methods; nothing where it is not defined."""
    return tuple(each for each in functions if each.qualname == name or each.qualname.startswith(f"{name}."))


def documents_of(module: ModuleSpec, units: Sequence[FunctionSpec] = ()) -> Documents:
    """Return what a file documents; of ``units`` all that they are judged by, words of a contract included."""
    declared = (each for unit in units for each in unit.declared)
    whole = (*module.functions, *(each.spec for each in module.bound), *units, *declared)
    found = {each.qualname: each for each in whole}
    usable = frozenset({*module.defined, *module.own})
    types = frozenset(each.qualname for each in module.functions if each.kind == "class")
    # The name of the file and of other modules of its project is among `own`, and bound by an import alone.
    bound = usable.intersection(module.defined) & module.own

    def about(name: str) -> Documentation | None:
        told = documented(of_function(name, found.values()))
        return told and replace(told, usable=usable, bound=bound, types=types, packages=module.packages)

    return Documents(tuple(found), about)


def documented(whole: Sequence[FunctionSpec]) -> Documentation | None:
    """Return what can be quoted of a function, or of a class and its methods; None for nothing.

    The statements of a class hold those of its methods.
    """
    if not whole:
        return None
    signatures = [signature_of(each) for each in whole]
    texts = (text for each, signature in zip(whole, signatures, strict=True) for text in _texts(each, signature))
    return Documentation(
        whole[0].qualname,
        whole[0].statements,
        "\n".join(texts),
        "; ".join(signatures),
        digest_of("\n".join(sorted(signatures)).encode("utf-8", "surrogatepass")),
        tuple(each.name for each in whole[0].parameters),
    )


def signature_of(function: FunctionSpec) -> str:
    """Return the signature as a caller sees it; a default or an annotation that names something private is ``...``."""
    parts, kinds = [], [each.kind for each in function.parameters]
    for index, parameter in enumerate(function.parameters):
        if parameter.kind == "keyword_only" and not {"var_positional", "keyword_only"} & set(kinds[:index]):
            parts.append("*")
        parts.append(_said(parameter))
        if parameter.kind == "positional_only" and kinds[index + 1 : index + 2] != ["positional_only"]:
            parts.append("/")
    taken = f"({', '.join(parts)})"
    if function.kind == "class":
        return f"class {function.qualname}{taken}"
    result = f" -> {_public(function.returns.annotation)}" if function.returns else ""
    return f"{'async ' if function.is_async else ''}def {function.qualname}{taken}{result}"


def _texts(function: FunctionSpec, signature: str) -> tuple[str, ...]:
    return (function.document, function.further, signature)


def _said(parameter: Parameter) -> str:
    name = f"{_STARS.get(parameter.kind, '')}{parameter.name}"
    if parameter.annotation is not None:
        name = f"{name}: {_public(parameter.annotation)}"
    if parameter.default is None:
        return name
    return f"{name}{' = ' if parameter.annotation is not None else '='}{_public(parameter.default)}"


def _public(source: str) -> str:
    tree = expression_of(source)
    names = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} if tree is not None else set()
    return "..." if any(name.startswith("_") for name in names) else " ".join(source.split())
