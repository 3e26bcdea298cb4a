"""What a change does that nothing here tries: files that run and are not judged, data, links, examples, imports.

Each is a question of its own, since a regression could hide there. Documentation is none, unless the program reads it.
"""

from __future__ import annotations

import ast
import doctest
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from probatum.changes.classes_of_files import FileRole, in_test_folder, is_documentation, role_of
from probatum.changes.lost_names import is_there, lost_names
from probatum.changes.suite import RunOfTests
from probatum.changes.syntax.definitions import Differences
from probatum.changes.syntax.file_syntax import FileSyntax, file_syntax
from probatum.changes.syntax.node_syntax import Definition, imported_names, tree_of
from probatum.changes.versions.trees import ChangeTrees
from probatum.programs.faults.claiming_equal import DECIDE_EQUALITY

NOT_JUDGED: Final = "change.not_judged"
EXPECTATION: Final = "change.expectation_changed"
_IMPORTED: Final = ("*.zip", "*.whl", "*.egg", "*.pyz", "*.so", "*.pyd", "*.pth", "*.pyx", "*.pxd")
_OF_TESTS: Final = frozenset({FileRole.TEST, FileRole.SUPPORT})
_JUDGED: Final = frozenset({FileRole.SOURCE, FileRole.SUPPORT})


@dataclass(frozen=True, slots=True)
class Unjudged:
    """One such thing."""

    constraint: str
    path: str
    line: int
    sentence: str


def watched_paths(trees: ChangeTrees) -> frozenset[str]:
    """Return the changed Python files that are not judged as sources, so that a run tells whether they run."""
    return frozenset(
        path
        for path in changed_paths(trees)
        if path.endswith(".py") and role_of(path) not in _JUDGED and not in_test_folder(path)
    )


def changed_paths(trees: ChangeTrees) -> frozenset[str]:
    """Return the path of every file that differs."""
    base, head = trees.base.files, trees.head.files
    return frozenset(path for path in base.keys() | head.keys() if base.get(path) != head.get(path))


def unjudged(trees: ChangeTrees, differences: Differences, base: RunOfTests, head: RunOfTests) -> tuple[Unjudged, ...]:
    """Return what a change does that nothing tries."""
    found = [*_running(trees, base, head), *_data(trees, {*base.files, *head.files}), *_links(trees)]
    found += [*_examples(trees, base), *_order(trees), *_equality(differences), *_bindings(trees), *_docstrings(trees)]
    found += _lost(trees)
    found += [
        Unjudged(NOT_JUDGED, each.path, 0, f"it cannot be read as Python: {each.reason}")
        for each in differences.unreadable
        if each.in_head
    ]
    found += [Unjudged(NOT_JUDGED, "", 0, each) for each in differences.api if each.endswith("is removed")]
    return tuple(sorted(found, key=lambda each: (each.path, each.line, each.sentence)))


def _running(trees: ChangeTrees, base: RunOfTests, head: RunOfTests) -> Iterator[Unjudged]:
    for path in sorted(watched_paths(trees)):
        is_test = any(path in run.files for run in (base, head))
        if not is_test and any(path in run.ran for run in (base, head)):
            yield Unjudged(NOT_JUDGED, path, 0, "it runs in the tests, and is judged neither as a source nor as a test")


def _data(trees: ChangeTrees, tested: Collection[str]) -> Iterator[Unjudged]:
    for path in sorted(changed_paths(trees)):
        if path.endswith(".py") or path in tested:
            continue
        name = path.rpartition("/")[2].lower()
        if any(fnmatchcase(name, each) for each in _IMPORTED):
            yield Unjudged(NOT_JUDGED, path, 0, "Python can import it, and it is not judged")
        elif role_of(path) is FileRole.OTHER and not is_documentation(path):
            yield Unjudged(NOT_JUDGED, path, 0, "it is data that sources or tests may read, and is not judged")


def _links(trees: ChangeTrees) -> Iterator[Unjudged]:
    for path in sorted(changed_paths(trees)):
        if any((tree.files[path].link if path in tree.files else "") for tree in (trees.base, trees.head)):
            yield Unjudged(NOT_JUDGED, path, 0, "it is or was a link to another file")


def _examples(trees: ChangeTrees, base: RunOfTests) -> Iterator[Unjudged]:
    """Yield files whose examples were run as tests and say something else now."""
    for path in sorted({test.partition("::")[0] for test in base.examples} & changed_paths(trees)):
        then, now = (_shown(tree.contents.get(path, b""), path) for tree in (trees.base, trees.head))
        if gone := list((then - now).elements()):
            source, _ = gone[0]
            yield Unjudged(EXPECTATION, path, 0, f"the example {source.strip()!r} is gone, or expects something else")


def _shown(content: bytes, path: str) -> Counter[tuple[str, str]]:
    texts = [content.decode("utf-8", "replace")]
    if path.endswith(".py"):
        nodes = ast.walk(tree_of(content) or ast.Module([], []))
        texts = [each.value for each in nodes if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    found: Counter[tuple[str, str]] = Counter()
    for each in texts:
        with suppress(ValueError):
            found.update((example.source, example.want) for example in doctest.DocTestParser().get_examples(each))
    return found


def _order(trees: ChangeTrees) -> Iterator[Unjudged]:
    """Yield names of sources that come from another place now, and those defined several times, in another order."""
    base, head = trees.base.contents, trees.head.contents
    for path in sorted(changed_paths(trees)):
        if role_of(path) is not FileRole.SOURCE or path not in base or path not in head:
            continue
        old, new = (tree_of(each[path]) or ast.Module([], []) for each in (base, head))
        then, now = _origins(old), _origins(new)
        for name in sorted(then.keys() & now.keys()):
            if then[name][0].isdisjoint(now[name][0]):
                was, comes = (" or ".join(sorted(each[0])) for each in (then[name], now[name]))
                yield Unjudged(NOT_JUDGED, path, now[name][1], f"`{name}` is {comes} now, and was {was}")
        earlier, later = _repeated(old.body), _repeated(new.body)
        for name in sorted(earlier.keys() & later.keys()):
            if earlier[name] != later[name] and sorted(earlier[name]) == sorted(later[name]):
                yield Unjudged(NOT_JUDGED, path, 0, f"the definitions of `{name}` stand in another order")


def _origins(tree: ast.Module) -> dict[str, tuple[frozenset[str], int]]:
    """Return for each imported name where it comes from, and in which line that is first said."""
    found: dict[str, tuple[frozenset[str], int]] = {}
    for node in ast.walk(tree):
        for each in imported_names(node):
            name, _, origin = each.partition(" = ")
            known, line = found.get(name, (frozenset[str](), getattr(node, "lineno", 0)))
            found[name] = (known | {origin.replace(":", ".")}, line)
    return found


def _repeated(body: list[ast.stmt], prefix: str = "") -> dict[str, list[str]]:
    """Return the definitions of each name that has several: the last one counts."""
    found: dict[str, list[str]] = {}
    for each in body:
        if isinstance(each, Definition):
            found.setdefault(prefix + each.name, []).append(ast.dump(each))
    found = {name: dumps for name, dumps in found.items() if len(dumps) > 1}
    for each in body:
        found |= _repeated(each.body, f"{prefix}{each.name}.") if isinstance(each, ast.ClassDef) else {}
    return found


def _bindings(trees: ChangeTrees) -> Iterator[Unjudged]:
    """Yield names that tests use and that stand for something else now: a reference that is the function under test.

    Tables of cases are compared case by case; an import that follows a module which is gone is none of it.
    """
    base, head = trees.base.contents, trees.head.contents
    for path in sorted(changed_paths(trees)):
        if role_of(path) not in _OF_TESTS or path not in base or path not in head:
            continue
        old, new = (tree_of(each[path]) or ast.Module([], []) for each in (base, head))
        then, now = _stand_for(old), _stand_for(new)
        for name in sorted(then.keys() & now.keys()):
            was, (comes, line) = then[name][0], now[name]
            if was != comes and not (was.startswith("from ") and not is_there(was.removeprefix("from "), head)):
                yield Unjudged(NOT_JUDGED, path, line, f"`{name}`, which tests use, is `{comes}` now, and was `{was}`")


def _stand_for(tree: ast.Module) -> dict[str, tuple[str, int]]:
    """Return what a name at the top of a file of tests, or of a class there, stands for.

    That is an import, or a plain value that is no table.
    """
    found: dict[str, tuple[str, int]] = {}
    inner = [(f"{each.name}.", node) for each in tree.body if isinstance(each, ast.ClassDef) for node in each.body]
    for prefix, node in (*(("", each) for each in tree.body), *inner):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, ast.Name | ast.Attribute | ast.Constant | ast.Call):
                found[prefix + node.targets[0].id] = (ast.unparse(node.value), node.lineno)
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                origin = "." * node.level + (node.module or "")
                found[prefix + (each.asname or each.name)] = (f"from {origin}.{each.name}", node.lineno)
    return found


def _lost(trees: ChangeTrees) -> Iterator[Unjudged]:
    """Yield names that sources had."""
    base, head = trees.base.contents, trees.head.contents
    for path in changed_paths(trees) & head.keys():
        if path.endswith(".py") and role_of(path) is FileRole.SOURCE:
            for line, sentence in lost_names(path, base.get(path, b""), head[path], base):
                yield Unjudged(NOT_JUDGED, path, line, sentence)


def _docstrings(trees: ChangeTrees) -> Iterator[Unjudged]:
    """Yield docstrings that differ where a source of the head reads some."""
    base, head = trees.base.contents, trees.head.contents
    sources = [path for path in head if path.endswith(".py") and role_of(path) is FileRole.SOURCE]
    differing: list[tuple[str, str, int]] = []
    for path in sorted(changed_paths(trees).intersection(sources) & base.keys()):
        then, now = (_docstrings_in(path, each[path]) for each in (base, head))
        differing += [(path, name, now[name][1]) for name in then.keys() & now.keys() if then[name][0] != now[name][0]]
    reading = {path: _reading_docstrings(head[path]) for path in sources} if differing else {}
    of_all = next(((path, line) for path, (_, line) in sorted(reading.items()) if line), None)
    for path, name, line in sorted(differing):
        read = (path, reading[path][0][name]) if name in reading[path][0] else of_all
        if read:
            what = f"the docstring of {f'`{name}`' if name else 'the module'} differs"
            yield Unjudged(NOT_JUDGED, path, line, f"{what}, and line {read[1]} of {read[0]} reads docstrings")


def _docstrings_in(path: str, content: bytes) -> dict[str, tuple[tuple[str, ...], int]]:
    """Return the docstrings of a file with their lines, by qualified name; that of the module has none."""
    file = file_syntax(path, content)
    units = file.units if isinstance(file, FileSyntax) else ()
    return {each.qualname: (each.documentation, each.first_line) for each in units}


def _reading_docstrings(content: bytes) -> tuple[dict[str, int], int]:
    """Return in which line a file reads the docstring of which of its definitions, and a line that reads any; or 0.

    The module itself has no name. What only gives one object the docstring of another does not read it.
    """
    tree = tree_of(content) if b"__doc__" in content or b"getdoc" in content else None
    copied: set[ast.AST] = set()
    own, others = dict[str, int](), 0
    names_here = {each.name for each in tree.body if isinstance(each, Definition)} if tree else set[str]()
    for node in ast.walk(tree or ast.Module([], [])):
        names = isinstance(node, ast.keyword) and node.arg in {"doc", "__doc__"}
        if isinstance(node, ast.Assign):
            names = any(map(_names_docstring, node.targets))
        if names and isinstance(node, ast.keyword | ast.Assign):
            copied.update((*ast.walk(node.value), *(node.targets if isinstance(node, ast.Assign) else ())))
        elif isinstance(node, ast.expr) and _names_docstring(node) and node not in copied:
            of = node.value if isinstance(node, ast.Attribute) else None
            if isinstance(node, ast.Name) and node.id == "__doc__":
                own[""] = node.lineno
            elif isinstance(of, ast.Name) and of.id in names_here:
                own[of.id] = node.lineno
            else:
                others = node.lineno
    return own, others


def _names_docstring(node: ast.expr) -> bool:
    names = {"__doc__", "getdoc"}
    return (isinstance(node, ast.Name) and node.id in names) or (isinstance(node, ast.Attribute) and node.attr in names)


def _equality(differences: Differences) -> Iterator[Unjudged]:
    """Yield what decides whether objects are equal, where it differs: every test that compares relies on it."""
    for unit in differences.units:
        if unit.head is not None and unit.base is not None:
            name = unit.head.qualname.rpartition(".")[2]
            if name in DECIDE_EQUALITY:
                yield Unjudged(
                    NOT_JUDGED, unit.head.path, unit.head.first_line, f"tests compare by `{name}`, which differs"
                )
