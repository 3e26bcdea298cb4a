"""What a file specifies once it is known what its loaded module shows, see `running.shown_names`.

Names that only running shows are added, expressions that turn out to be data are left out, and what code at import adds
to ``__doc__`` counts as documentation, with a source of its own since no place in the file holds it. Refuses to take
anything away from a definition.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from probatum.programs.extract import extract_text, module_of
from probatum.programs.parsing.surface import explained_names, imports_all
from probatum.programs.running.shown_names import ShownName
from probatum.programs.source import Source, module_or_none
from probatum.programs.specification import RUN_TIME, BoundName, FunctionSpec, ModuleSpec

_FACTORY = "<factory>"


def as_shown(source: Source, shown: Mapping[str, ShownName]) -> Source:
    """Return a program with what its loaded module shows; the same object where that adds nothing."""
    module = source.module
    if made := tuple(_made(source, shown)):
        program = source.program
        module = module_of(
            source.text,
            source.tree,
            program.module_name,
            program.importable,
            siblings=program.siblings,
            is_package=program.is_package,
            made=made,
        )
    functions = tuple(_documented(each, shown, module) for each in module.functions)
    bound = tuple(_bound(module, shown))
    whole = replace(module, functions=functions, bound=bound)
    return source if whole == source.module else replace(source, module=whole)


def _made(source: Source, shown: Mapping[str, ShownName]) -> Iterator[str]:
    module, tree = source.module, source.tree
    known = {each.qualname for each in module.functions} | {each.name for each in module.bound} | explained_names(tree)
    takes_all, told = imports_all(tree), "\n".join(_texts(tree))
    for name, each in shown.items():
        is_public = "." not in name and (not name.startswith("_") or name in module.exported)
        if not is_public or name in known or not each.is_callable:
            continue
        # A star import may take in hundreds of names; those of the project count that the file's texts call.
        if not takes_all or each.is_own or (each.module in source.program.importable and f"{name}(" in told):
            yield name


def _texts(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text


def _bound(module: ModuleSpec, shown: Mapping[str, ShownName]) -> Iterator[BoundName]:
    defined = {each.qualname for each in module.functions}
    for each in module.bound:
        now = shown.get(each.name)
        if now is None or (each.may_be_data and not now.is_callable):
            continue
        leads_to = now.same_as if now.same_as in defined else ""
        spec = each.spec
        if each.leads_to and not leads_to:
            spec = replace(spec, not_judged=f"{each.name} is not judged: at run time it is not {each.leads_to}")
        if now.is_own and not leads_to:
            spec = _documented(spec, shown, module)
        yield replace(each, spec=spec, leads_to=leads_to, may_be_data=False)


def _documented(spec: FunctionSpec, shown: Mapping[str, ShownName], module: ModuleSpec) -> FunctionSpec:
    now = shown.get(spec.qualname)
    if now is None or not now.document or _is_signature(spec.qualname, now.document):
        return spec
    rest = _without(now.document, (spec.document, *spec.texts))
    return extract_text(rest, spec, module.defined, RUN_TIME) if rest else spec


def _is_signature(qualname: str, text: str) -> bool:
    """Whether a text is what dataclasses and named tuples document themselves with, ``Point(x: int, y: int)``."""
    name = qualname.rpartition(".")[2]
    tree = module_or_none(f"def {text.strip().replace(_FACTORY, '...')}: ...") if text.startswith(f"{name}(") else None
    return tree is not None and len(tree.body) == 1 and isinstance(tree.body[0], ast.FunctionDef)


def _without(text: str, known: Iterable[str]) -> str:
    """Return a text without those that are known, each once, whatever the white space; empty where nothing is left."""
    for each in sorted(known, key=len, reverse=True):
        if words := each.split():
            text = re.sub(r"\s+".join(map(re.escape, words)), "\n\n", text, count=1)
    return text if text.strip() else ""
