"""Functions of the user's other modules that the function under test uses: where they are, and the modules as programs.

No faults are planted there, since other documentation speaks of them; their branches and tables are probed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from probatum.programs.faults.planting import Ground
from probatum.programs.faults.targets import definitions_of
from probatum.programs.source import UNPARSABLE, Source, decoded, parsed

_PACKAGE = ".__init__"


def used_of_siblings(ground: Ground) -> Iterator[tuple[str, str]]:
    """Yield the key of a module and the name of its function for each one that the targets use by name."""
    source = ground.source
    keys = {key.removesuffix(_PACKAGE): key for key, _ in source.program.siblings}
    modules, members = _imports(source)
    lines = [range(plot.target.first_line, plot.target.last_line + 1) for plot in ground.plots]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name):
            found = members.get(node.id, ("", ""))
        elif isinstance(node, ast.Attribute):
            found = (modules.get(ast.unparse(node.value), ""), node.attr)
        else:
            continue
        if found[0] in keys and any(node.lineno in each for each in lines):
            yield keys[found[0]], found[1]


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


def defines(source: Source, name: str) -> bool:
    """Tell whether a module defines a function or a class of this name."""
    return name in definitions_of(source.tree)


def _imports(source: Source) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """Return the modules by what they are called here, and what is imported from modules, likewise."""
    modules: dict[str, str] = {}
    members: dict[str, tuple[str, str]] = {}
    package = source.program.module_name.split(".")[: None if source.program.is_package else -1]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                members[alias.asname or alias.name] = (module, alias.name)
                modules[alias.asname or alias.name] = f"{module}.{alias.name}" if module else alias.name
    return modules, members
