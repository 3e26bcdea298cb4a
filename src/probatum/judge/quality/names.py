"""What names tell: undefined and unused ones, hidden built-ins, calls that Python has deprecated or removed."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.code.names import Names, imported
from probatum.exact.code.tables import words
from probatum.judge.quality.deprecated import DEPRECATED
from probatum.judge.quality.module import CodeModule, FunctionNode, at, dotted, parameters_of
from probatum.judge.quality.scoring import QualityHit

_KNOWN: Final = frozenset(dir(builtins)) | words(
    "__file__ __path__ __class__ __module__ __qualname__ __builtins__ __annotations__ WindowsError reveal_type"
)
_MODULES: Final = sys.stdlib_module_names | frozenset({"np", "pd", "plt"})
_HIDDEN: Final = words("list dict set str tuple int float bool sum max min len range open print sorted map")
_DYNAMIC: Final = words("globals locals vars exec eval NameError")
_WORD: Final = re.compile(r"[^\W\d]\w*")


def name_hits(module: CodeModule, also_bound: frozenset[str]) -> Iterator[QualityHit]:
    """Yield what names give; ``also_bound`` are names that other parts of the output bind."""
    loaded = _loaded(module.nodes)
    if not loaded & _DYNAMIC:
        yield from _undefined(module, also_bound)
    if not module.is_excerpt:
        yield from _unused_imports(module, loaded)
    yield from _deprecated(module)
    for function in module.functions:
        yield from _variables(module, function)


def _loaded(nodes: Iterable[ast.AST]) -> set[str]:
    return {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _undefined(module: CodeModule, also_bound: frozenset[str]) -> Iterator[QualityHit]:
    try:
        known = Names(module.tree).bound | _KNOWN | also_bound
    except NotAttemptedError:
        # What seems to be another language has other names.
        return
    for node in module.nodes:
        if "*" not in known and isinstance(node, ast.Name) and node.id not in known:
            is_module = node.id in _MODULES and isinstance(module.parent[node], ast.Attribute)
            if is_module or not module.is_excerpt:
                known.add(node.id)
                yield at("undefined_name", node, name=node.id)


def _unused_imports(module: CodeModule, loaded: set[str]) -> Iterator[QualityHit]:
    names = {each.id for each in module.nodes if isinstance(each, ast.Name)}
    # What imports alone imports it for others.
    imports = (ast.Import, ast.ImportFrom, ast.If, ast.Try)
    if all(isinstance(each, imports) for each in module.tree.body) or "__all__" in names:
        return
    texts = (each.value for each in module.nodes if isinstance(each, ast.Constant) and isinstance(each.value, str))
    used = loaded | {word for text in texts if len(text) < 200 for word in _WORD.findall(text)} | {"*", "_"}
    for node in module.nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom) or module.is_tried(node):
            continue
        for alias, name, full in imported(node):
            if name not in used and alias.asname != alias.name and not full.startswith("__future__."):
                yield at("unused_import", node, name=name)


def _variables(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    own = module.own[function]
    stored = [each for each in own if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    bound = {each.id: each for each in reversed(stored)} | {each.arg: each for each in parameters_of(function)}
    shared = {name for each in own if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names}
    used = _loaded(ast.walk(function)) | shared
    for name, node in bound.items():
        if name in _HIDDEN:
            yield at("shadowed_builtin", node, name=name)
        is_plain = isinstance(module.parent[node], ast.Assign) and not name.startswith("_")
        if is_plain and name not in used and not used & _DYNAMIC:
            yield at("unused_variable", node, name=name)


def _deprecated(module: CodeModule) -> Iterator[QualityHit]:
    for node in module.nodes:
        names: list[str] = []
        match node:
            case ast.Import():
                names = [each.name for each in node.names]
            case ast.ImportFrom(level=0, module=str(top)):
                names = [top, *(f"{top}.{each.name}" for each in node.names)]
            case ast.Attribute() if not isinstance(module.parent[node], ast.Attribute):
                is_known = dotted(node).partition(".")[0] in module.imported
                names = [module.named(node)] if is_known else []
                if isinstance(module.parent[node], ast.Call) and node.attr not in module.by_name:
                    names.append(f"*.{node.attr}")
        known = next((name for name in names if name in DEPRECATED), "")
        if known and not module.is_tried(node):
            what, instead = DEPRECATED[known]
            yield at("deprecated", node, name=known.removeprefix("*."), what=what, instead=instead)
