"""Which tests a change adds, removes, edits or moves, by syntax, and where it changes what tests share.

Tests are found by the names that pytest collects by default. Refuses to follow who uses a helper: where one changes,
every test of its file counts as edited.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from probatum.changes.syntax.compared_syntax import FilePair, moved_units, unmatched_items
from probatum.changes.syntax.file_syntax import Bearing, FileSyntax, SyntaxItem, UnitKind, UnitSyntax

# What pytest and unittest call by name, and names of a module that pytest reads.
_CALLED_BY_NAME: Final = ("setup", "teardown", "setUp", "tearDown", "asyncSetUp", "asyncTearDown", "pytest_", "__")
_READ_BY_PYTEST: Final = frozenset({"pytestmark", "pytest_plugins", "__test__", "collect_ignore"})


@dataclass(frozen=True, slots=True)
class DifferencesOfTests:
    """Test functions by their ids without parameters, ``path::Class::name``.

    A test is edited where its own syntax differs. Every test of a ``shared`` file counts as edited too, because
    something else in it changed that its tests may use; what only new tests can use is no such thing.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]
    shared: tuple[str, ...]


def differences_of_tests(files: Iterable[FilePair]) -> DifferencesOfTests:
    """Return what differs in the test files of two versions, given those that changed."""
    gone, new = dict[str, UnitSyntax](), dict[str, UnitSyntax]()
    edited, moved, shared = set[str](), dict[str, str](), set[str]()
    for file in files:
        units = [unit for each in (file.base, file.head) if each for unit in each.units]
        classes = {unit.qualname: unit for unit in units if unit.kind is UnitKind.CLASS}
        for base, head in file.units:
            before = _test_id(file.base, base, classes) if base else ""
            after = _test_id(file.head, head, classes) if head else ""
            if base and head and before and after:
                if base.shape != head.shape or base.imports != head.imports:
                    edited.add(after)
                if before != after:
                    moved[before] = after
            elif base and before:
                gone[before] = base
            elif head and after:
                new[after] = head
            elif file.base and file.head and _is_shared(base, head, file, classes):
                shared.add(file.path)
    pairs = moved_units(list(gone.values()), list(new.values()))
    moved.update({list(gone)[before]: list(new)[after] for before, after in pairs.items()})
    # The later definition of a name is the one that runs, so a name that is in both versions is edited.
    again = gone.keys() & new.keys()
    added, removed = new.keys() - again - set(moved.values()), gone.keys() - again - moved.keys()
    ids = [tuple(sorted(each)) for each in (added, removed, edited | again, shared)]
    return DifferencesOfTests(ids[0], ids[1], ids[2], tuple(sorted(moved.items())), ids[3])


def _is_test_class(unit: UnitSyntax | None) -> bool:
    if unit is None or unit.kind is not UnitKind.CLASS:
        return False
    return unit.qualname.rpartition(".")[2].startswith("Test") or any("Test" in base for base in unit.bases)


def _test_id(file: FileSyntax | None, unit: UnitSyntax, classes: dict[str, UnitSyntax]) -> str:
    """Return the id of a test function, empty for anything else."""
    *scopes, own = unit.qualname.split(".")
    # A fixture may be called as tests are.
    if file is None or unit.kind is not UnitKind.FUNCTION or not own.startswith("test") or "fixture" in unit.decorators:
        return ""
    enclosing = [".".join(scopes[: length + 1]) for length in range(len(scopes))]
    if not all(_is_test_class(classes.get(each)) for each in enclosing):
        return ""
    return "::".join((file.path, *scopes, own))


def _is_shared(
    base: UnitSyntax | None, head: UnitSyntax | None, file: FilePair, classes: dict[str, UnitSyntax]
) -> bool:
    """Return whether what differs in a unit that is no test may matter to tests that were there before."""
    loaded = file.base.loaded if file.base else frozenset[str]()
    if base and head:
        before, after = unmatched_items(base, head)
        return bool(before) or _other_imports(base, head) or any(_may_matter(item, loaded) for item in after)
    unit = head or base
    assert unit is not None
    if _is_test_class(unit):
        return False
    *scopes, own = unit.qualname.split(".")
    if base or unit.decorators or own.startswith(_CALLED_BY_NAME) or own in loaded:
        return True
    known = {each.qualname for each in file.base.units} if file.base else set[str]()
    return bool(scopes) and ".".join(scopes) in known and _is_test_class(classes.get(".".join(scopes)))


def _other_imports(base: UnitSyntax, head: UnitSyntax) -> bool:
    """Return whether a name is imported from elsewhere than before, or names that nobody can know."""
    if set(base.imports) == set(head.imports):
        return False
    before, after = ({each.split(" = ")[0]: each for each in unit.imports} for unit in (base, head))
    return (
        any(before[name] != after[name] for name in before.keys() & after.keys()) or "*" in before.keys() ^ after.keys()
    )


def _may_matter(item: SyntaxItem, loaded: frozenset[str]) -> bool:
    harmless = item.depth == 1 and item.names and not item.calls and item.bearing is Bearing.BEHAVIOUR
    return not harmless or not loaded.union(_READ_BY_PYTEST).isdisjoint(item.names)
