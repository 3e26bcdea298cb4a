"""What names tell: undefined and unused ones, hidden built-ins, calls that Python has deprecated or removed."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Final

from probatum.exact.code.tables import words
from probatum.judge.quality.deprecated import DEPRECATED, DEPRECATED_METHODS
from probatum.judge.quality.module import CodeModule, at, bound_names, dotted, imports_of, parameters_of
from probatum.judge.quality.scoring import QualityHit

_KNOWN: Final = frozenset(dir(builtins)) | words(
    "__file__ __path__ __class__ __module__ __qualname__ __builtins__ __annotations__ WindowsError reveal_type"
)
_MODULES: Final = sys.stdlib_module_names | frozenset({"np", "pd", "plt"})
_HIDDEN: Final = words("list dict set str tuple int float bool sum max min len range open print sorted map")
_DYNAMIC: Final = words("globals locals vars exec eval")
_WORD: Final = re.compile(r"[^\W\d]\w*")


def name_hits(module: CodeModule, also_bound: frozenset[str]) -> Iterator[QualityHit]:
    """Yield what names give; ``also_bound`` are names that other parts of the output bind."""
    loaded = Counter(each.id for each in module.nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))
    yield from _undefined(module, also_bound, loaded)
    yield from _unused_imports(module, loaded)
    yield from _deprecated(module)
    for function in module.functions:
        own = module.own[function]
        names = [each for each in own if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        bound = {each.arg: at("shadowed_builtin", each, name=each.arg) for each in parameters_of(function)}
        for each in names:
            bound.setdefault(each.id, at("shadowed_builtin", each, name=each.id))
        yield from (hit for name, hit in bound.items() if name in _HIDDEN)
        used = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
        shared = {name for each in own if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names}
        for name in {each.id: each for each in reversed(names)}.values():
            is_plain = isinstance(module.parent[name], ast.Assign)
            if is_plain and not (name.id in used | shared or used & _DYNAMIC or name.id.startswith("_")):
                yield at("unused_variable", name, name=name.id)


def _undefined(module: CodeModule, also_bound: frozenset[str], loaded: Counter[str]) -> Iterator[QualityHit]:
    nodes = module.nodes
    is_open = any(isinstance(each, ast.ImportFrom) and each.names[0].name == "*" for each in nodes)
    if is_open or _DYNAMIC & set(loaded) or "NameError" in loaded:
        return
    known = {*bound_names(module), *_KNOWN, *also_bound}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in known:
            is_module = node.id in _MODULES and isinstance(module.parent[node], ast.Attribute)
            if is_module or not module.is_excerpt:
                known.add(node.id)
                yield at("undefined_name", node, name=node.id)


def _unused_imports(module: CodeModule, loaded: Counter[str]) -> Iterator[QualityHit]:
    if not module.functions and not any(
        isinstance(each, ast.ClassDef | ast.Expr | ast.Assign) for each in module.tree.body
    ):
        return
    if module.is_excerpt or any(isinstance(each, ast.Name) and each.id == "__all__" for each in module.nodes):
        return
    texts = (each.value for each in module.nodes if isinstance(each, ast.Constant) and isinstance(each.value, str))
    words = {word for text in texts if len(text) < 200 for word in _WORD.findall(text)}
    for node in module.nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom) or getattr(node, "module", "") == "__future__":
            continue
        if any(isinstance(each, ast.Try) for each in module.ancestors(node)):
            continue
        for (name, _), alias in zip(imports_of(node), node.names, strict=True):
            if name not in loaded and name not in words and name not in ("*", "_") and alias.asname != alias.name:
                yield at("unused_import", node, name=name)


def _deprecated(module: CodeModule) -> Iterator[QualityHit]:
    defined = {each.name for each in module.functions}
    for node in module.nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or "", *(f"{node.module}.{each.name}" for each in node.names)]
        elif isinstance(node, ast.Attribute) and not isinstance(module.parent.get(node), ast.Attribute):
            spelled = module.named(node)
            names = [spelled] if dotted(node).partition(".")[0] in module.imported else []
            if (
                node.attr in DEPRECATED_METHODS
                and node.attr not in defined
                and isinstance(module.parent.get(node), ast.Call)
            ):
                names.append(f"*.{node.attr}")
        for name in names:
            if (told := DEPRECATED.get(name) or DEPRECATED_METHODS.get(name.removeprefix("*."))) is not None:
                if any(isinstance(each, ast.Try) for each in module.ancestors(node)):
                    continue
                yield at("deprecated", node, name=name.removeprefix("*."), what=told[0], instead=told[1])
                break
