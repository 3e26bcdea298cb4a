"""What a program missed while it was imported, and whether a function reaches that: else it excuses nothing.

``try: import fast`` in another corner of a file says nothing of a function that never comes near. What was missed is
looked for in the statements of the program and of the modules beside it; from there it spreads to all that these
statements give a value, add to, or decide about. Refuses to say that nothing is reached where what was missed is not
found there, or where names may be bound without being named.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from probatum.core.errors import BudgetError, UsageError
from probatum.programs.faults.unplanted import unplanted_places
from probatum.programs.parsing.imported_names import imported_names
from probatum.programs.running.execute import Benches, LoadFailure, loaded
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec, ModuleSpec
from probatum.readings.values import ReadingRecord
from probatum.sandbox import OPTIONAL, Returned

_MOST = 12
"""More notes than this are not told."""
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_UNNAMED = frozenset({"globals", "vars", "locals", "eval", "exec", "getattr", "__import__", "__dict__", "modules"})
"""What may lead to names that are not written out."""
_ALL = "*"
_WORD = re.compile(r"\w+")
_Name = tuple[str, str]
"""The key of a module, empty for the program itself, and a name in it."""


def missed_at_import(source: Source, benches: Benches) -> tuple[str, ...]:
    """Return notes of what the sandbox did not have for a program while it was imported."""
    with loaded(benches.first, source.program) as candidate:
        reply = None if isinstance(candidate, LoadFailure) else candidate.loaded
    return reply.denied if isinstance(reply, Returned) else ()


def unless_reached(source: Source, names: Iterable[str], notes: Sequence[str]) -> Source:
    """Return the program as one whose notes count for nothing, unless one of these names reaches what they are about.

    ``names`` are those of definitions that are to run.
    """
    if not notes or len(notes) >= _MOST or _is_reached(source, names, frozenset(notes)):
        return source
    return replace(source, program=replace(source.program, is_forgiven=True))


def _is_reached(source: Source, names: Iterable[str], notes: frozenset[str]) -> bool:
    # Deferred: what follows code into other modules is large, and few programs miss anything.
    from probatum.programs.faults.siblings import hidden_in_siblings, sibling_source, with_siblings

    others = {key: sibling_source(source, key) for key, _ in source.program.siblings}
    modules = [_ReadModule(key, each, source) for key, each in (("", source), *others.items()) if each is not None]
    if len(modules) <= len(others):
        return True
    tainted = _Tainted(modules, notes)
    if tainted.found != notes:
        return True
    by_key = {each.key: each for each in modules}
    try:
        for name in dict.fromkeys(names):
            if unplanted_places(source.tree, name) or hidden_in_siblings(source, name):
                return True
            for key, _, ground, used in with_siblings(source, name):
                lines = {at for each in ground.plots for at in range(each.target.first_line, each.target.last_line + 1)}
                if (key and not used) or tainted.meets(by_key[key], lines):
                    return True
    except (BudgetError, UsageError, KeyError):
        return True
    return False


class _ReadModule:
    """The statements of one module, and what names in it mean."""

    def __init__(self, key: str, own: Source, program: Source) -> None:
        from probatum.programs.faults.siblings import keys_of

        self.key, self.tree = key, own.tree
        self._keys = {**keys_of(program), program.program.module_name: ""}
        self._modules, self._members, self._starred = imported_names(own)

    def named_in(self, node: ast.AST) -> Iterator[_Name]:
        """Yield what a piece of code names, here and in other modules of the program."""
        for each in ast.walk(node):
            if getattr(each, "id", getattr(each, "attr", "")) in _UNNAMED:
                yield from ((key, _ALL) for key in self._keys.values())
            if isinstance(each, ast.Name) and not hasattr(builtins, each.id):
                yield self.key, each.id
                yield from ((self._keys[star], _ALL) for star in self._starred if star in self._keys)
            elif (
                isinstance(each, ast.Attribute) and (found := self._modules.get(ast.unparse(each.value))) in self._keys
            ):
                yield self._keys[found or ""], each.attr
            elif isinstance(each, ast.ImportFrom):
                bound = (self._members.get(alias.asname or alias.name, ("", "")) for alias in each.names)
                yield from ((self._keys[module], name) for module, name in bound if module in self._keys)

    def notes_of(self, node: ast.AST) -> Iterator[str]:
        """Yield the notes that a piece of code could have given rise to, by what it imports and by its texts."""
        for each in ast.walk(node):
            texts: list[str] = []
            if isinstance(each, ast.Import):
                texts = [alias.name for alias in each.names]
            elif isinstance(each, ast.ImportFrom):
                texts = [self._modules.get(alias.asname or alias.name, alias.name) for alias in each.names]
            elif isinstance(each, ast.Constant) and isinstance(each.value, str):
                texts = [each.value]
                yield f"{OPTIONAL['path']} {each.value!a}"
            if "MemoryError" in (*texts, getattr(each, "id", "")):
                yield OPTIONAL["mention"]
            for text in texts:
                parts = text.split(".")
                yield from (f"{OPTIONAL['module']} {'.'.join(parts[:end])!a}" for end in range(1, len(parts) + 1))


class _Tainted:
    """All that what was missed may have made another one."""

    def __init__(self, modules: Sequence[_ReadModule], notes: frozenset[str]) -> None:
        self.found: frozenset[str] = frozenset()
        self._names: set[_Name] = set()
        self._statements: list[tuple[str, ast.stmt]] = []
        # What a function puts somewhere is put there, or not, by whoever calls it.
        self._changes: dict[_Name, set[_Name]] = defaultdict(set)
        users: dict[_Name, list[tuple[_ReadModule, ast.stmt]]] = defaultdict(list)
        waiting: list[tuple[_ReadModule, ast.stmt]] = []
        for module in modules:
            for node in (each for each in ast.walk(module.tree) if isinstance(each, _DEFINES)):
                self._changes[module.key, node.name] |= {(module.key, name) for name in _changed_in(node)}
            for statement in module.tree.body:
                self.found |= (told := notes & set(module.notes_of(statement)))
                waiting += [(module, statement)] if told else []
                for name in {each for node in _run_at_import(statement) for each in module.named_in(node)}:
                    users[name].append((module, statement))
        seen: set[ast.stmt] = set()
        while waiting:
            module, statement = waiting.pop()
            if statement not in seen:
                seen.add(statement)
                self._statements.append((module.key, statement))
                for name in self._made_by(module, statement):
                    self._names.add(name)
                    waiting += [*users.pop(name, ()), *users.pop((name[0], _ALL), ())]

    def meets(self, module: _ReadModule, lines: set[int]) -> bool:
        """Tell whether code at these lines is among it, or names any of it."""
        own = [each for key, each in self._statements if key == module.key]
        if any(lines & set(range(each.lineno, (each.end_lineno or each.lineno) + 1)) for each in own):
            return True
        nodes = (node for node in ast.walk(module.tree) if getattr(node, "lineno", 0) in lines)
        named = {e for node in nodes if isinstance(node, ast.Name | ast.Attribute) for e in module.named_in(node)}
        keys = {key for key, _ in self._names}
        return bool(named & self._names) or any(name == _ALL and key in keys for key, name in named)

    def _made_by(self, module: _ReadModule, statement: ast.stmt) -> Iterator[_Name]:
        for each in _outer_nodes(statement):
            if isinstance(each, _DEFINES):
                yield module.key, each.name
            elif isinstance(each, ast.Import | ast.ImportFrom):
                yield from ((module.key, alias.asname or alias.name.partition(".")[0]) for alias in each.names)
        if isinstance(statement, _DEFINES):
            return
        is_plain = isinstance(statement, ast.Assign | ast.AnnAssign)
        given = (n for n in ast.walk(statement) if isinstance(n, ast.Name) and not hasattr(builtins, n.id))
        yield from ((module.key, each.id) for each in given if not is_plain or isinstance(each.ctx, ast.Store))
        for name in set(module.named_in(statement)):
            yield from self._changes.get(name, ())


def _run_at_import(statement: ast.stmt) -> list[ast.AST]:
    """Return what of a statement runs when its module is imported."""
    if isinstance(statement, ast.ClassDef):
        heads = [*statement.decorator_list, *statement.bases, *statement.keywords]
        return [*heads, *(part for each in statement.body for part in _run_at_import(each))]
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        given = statement.args
        return [*statement.decorator_list, *given.defaults, *(each for each in given.kw_defaults if each is not None)]
    return [statement]


def _changed_in(node: ast.AST) -> Iterator[str]:
    """Yield the names of what a definition binds for its module, or may change where it is."""
    outer = [part for each in ast.iter_child_nodes(node) for part in _outer_nodes(each)]
    shared = {name for each in outer if isinstance(each, ast.Global) for name in each.names}
    changed = set(shared)
    for each in outer:
        if isinstance(each, _DEFINES):
            changed.update(_changed_in(each))
        elif isinstance(each, ast.Subscript | ast.Attribute):
            inner: ast.expr = each
            while isinstance(inner, ast.Subscript | ast.Attribute):
                inner = inner.value
            changed.update([inner.id] if isinstance(inner, ast.Name) else [])
    local = {each.arg for each in outer if isinstance(each, ast.arg)}
    local |= {each.id for each in outer if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    yield from changed if isinstance(node, ast.ClassDef) else changed - (local - shared)


def _outer_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a piece of code with its parts, of definitions themselves alone."""
    yield node
    if not isinstance(node, _DEFINES):
        for each in ast.iter_child_nodes(node):
            yield from _outer_nodes(each)


def named_by(
    unit: FunctionSpec, module: ModuleSpec, readings: Iterable[ReadingRecord], tests: bytes | None
) -> list[str]:
    """Return the definitions of a file that the checks of a function may run: itself, and what their texts name."""
    texts = [text for each in unit.examples for text in (*each.setup, each.expression)]
    texts += [each.clause for record in readings for each in record.readings]
    texts.append((tests or b"").decode("utf-8", "replace"))
    words = {word for text in texts for word in _WORD.findall(text)}
    own = (each.qualname for each in module.functions if "." not in each.qualname and each.qualname in words)
    return [unit.qualname, *own]
