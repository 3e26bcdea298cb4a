"""What the names of a program mean that its import statements bind, wherever they stand.

The program is read, never run. Refuses nothing: a name that is bound twice means what is bound last.
"""

from __future__ import annotations

import ast

from probatum.programs.source import Source


def imported_names(source: Source) -> tuple[dict[str, str], dict[str, tuple[str, str]], list[str]]:
    """Return modules by what they are called here, what is imported from modules, likewise, and those with a star."""
    modules: dict[str, str] = {}
    starred: list[str] = []
    members: dict[str, tuple[str, str]] = {}
    package = source.program.module_name.split(".")[: None if source.program.is_package else -1]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            starred += [module for alias in node.names if alias.name == "*"]
            for alias in node.names:
                members[alias.asname or alias.name] = (module, alias.name)
                modules[alias.asname or alias.name] = f"{module}.{alias.name}" if module else alias.name
    return modules, members, starred
