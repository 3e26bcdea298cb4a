"""Functions of the user's other modules that the function under test uses: where they are, and the modules as programs.

No faults are planted there, since other documentation speaks of them; their branches and tables are probed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from probatum.programs.faults.planting import Ground, grounds_of
from probatum.programs.faults.targets import gives
from probatum.programs.faults.unplanted import unplanted_routes
from probatum.programs.parsing.imported_names import imported_names
from probatum.programs.source import UNPARSABLE, Source, decoded, parsed

_PACKAGE = ".__init__"
_DYNAMIC = "__getattr__"


def used_of_siblings(ground: Ground) -> Iterator[tuple[str, str]]:
    """Yield the key of a module and the name that it gives a value for each one that the targets use by name."""
    source = ground.source
    keys = keys_of(source)
    modules, members, starred = imported_names(source)
    lines = [range(plot.target.first_line, plot.target.last_line + 1) for plot in ground.plots]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name):
            found = [members[node.id]] if node.id in members else [(module, node.id) for module in starred]
        elif isinstance(node, ast.Attribute):
            found = [(modules.get(ast.unparse(node.value), ""), node.attr)]
        else:
            continue
        if any(node.lineno in each for each in lines):
            yield from ((keys[module], name) for module, name in found if module in keys)


def with_siblings(source: Source, qualname: str) -> Iterator[tuple[str, Source, Ground, str]]:
    """Yield the function itself, with an empty key, and then what it uses of each sibling module, as code to probe.

    The name is empty, and the ground the function's own, where nothing that can be read gives the name a value.
    """
    ground = grounds_of(source, qualname)
    yield "", source, ground, qualname
    waiting = dict.fromkeys(used_of_siblings(ground))
    done: set[tuple[str, str]] = set()
    while waiting:
        used = waiting.popitem()[0]
        for key, name in _origins_of(source, *used):
            other = sibling_source(source, key)
            if other is None or (key, name) in done:
                continue
            done.add((key, name))
            there = grounds_of(other, name) if name else ground
            yield key, other, there, name
            if name:
                waiting |= dict.fromkeys(used_of_siblings(there))


def hidden_in_siblings(source: Source, qualname: str) -> tuple[str, ...]:
    """Return a sentence for each place of a sibling module that may bind names without naming them."""
    return tuple(
        f"{place} in {key}"
        for key, other, _, name in with_siblings(source, qualname)
        if key
        for place in unplanted_routes(other.tree, name)
    )


def _origins_of(source: Source, key: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield where a name of a module gets its value, followed through what modules import from each other."""
    waiting = [(key, name)]
    for module, wanted in waiting:
        other = sibling_source(source, module)
        if other is None:
            continue
        if gives(other.tree, wanted):
            yield module, wanted
            continue
        keys = keys_of(source)
        _, members, starred = imported_names(other)
        further = [members[wanted]] if wanted in members else [(each, wanted) for each in starred]
        found = [(keys[each], each_name) for each, each_name in further if each in keys]
        waiting += [each for each in found if each not in waiting]
        if not found:
            yield module, _DYNAMIC if gives(other.tree, _DYNAMIC) else ""


@lru_cache(maxsize=64)
def sibling_source(source: Source, key: str) -> Source | None:
    """Return another module of the program as one to probe, None where it cannot be read."""
    siblings = dict(source.program.siblings)
    try:
        encoding, text = decoded(siblings[key])
        tree = parsed(text)
    except (*UNPARSABLE, LookupError):
        return None
    program = replace(
        source.program, source=siblings[key], module_name=key.removesuffix(_PACKAGE), is_package=key.endswith(_PACKAGE)
    )
    return Source(program, encoding, text, tree, source.module)


def keys_of(source: Source) -> dict[str, str]:
    """Return the keys of the modules beside a program by their dotted names."""
    return {key.removesuffix(_PACKAGE): key for key, _ in source.program.siblings}
