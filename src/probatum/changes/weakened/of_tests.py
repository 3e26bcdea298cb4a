"""Finds what a change weakens in the Python code of tests, by comparing the test modules of two trees by syntax.

A test that is moved, renamed, reformatted, made stricter or split up is no weakening. Nothing is imported or run, so
what a helper of the project asserts is followed only where the helper itself stands in a test module. What the runs of
the tests tell is not told again: that a test is deselected, switched off by its name, or has no cases.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from posixpath import basename

from probatum.changes.classes_of_files import FileRole, role_of
from probatum.changes.syntax.node_syntax import last_name
from probatum.changes.weakened.bodies import Body, read_body, read_statements
from probatum.changes.weakened.checks import Check
from probatum.changes.weakened.code import Module, Routine, key, read_module, targets_of
from probatum.changes.weakened.kinds import Weakening, short
from probatum.changes.weakened.pairs import Loosening, compare_bodies, told_of_new

# Names that leave files out of the collection, or load plugins.
_READ_BY_PYTEST = ("collect_ignore", "collect_ignore_glob", "pytest_plugins")
Place = tuple[str, str]


class _Side:
    """The changed test modules of one tree, with the bodies of their functions by path and name."""

    def __init__(self) -> None:
        self.modules: dict[str, Module] = {}
        self.units: dict[Place, Routine] = {}
        self.bodies: dict[Place, Body] = {}

    def add(self, path: str, module: Module | None) -> None:
        if module is not None:
            self.modules[path] = module
            for name, unit in module.units.items():
                self.units[path, name] = unit
                self.bodies[path, name] = read_body(unit, module)

    def counted(self) -> Iterator[Check]:
        """Yield the assertions that are reached in tests, and in what is named anywhere in its module."""
        for (path, name), body in self.bodies.items():
            unit = self.units[path, name]
            if unit.is_test or unit.node.name in self.modules[path].used:
                yield from (each for each in body.checks if not any(guard.always for guard in each.guards))


def weakened_tests(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Iterator[Weakening]:
    """Yield what is weaker in the test modules of the second tree, in no particular order."""
    before, after = _Side(), _Side()
    for path in sorted(base.keys() | head.keys()):
        if not is_test_code(path) or base.get(path) == head.get(path):
            continue
        new = read_module(head.get(path))
        # A file that cannot be read is told of, and no test of it is gone.
        if path not in head or new is not None:
            before.add(path, read_module(base.get(path)))
            after.add(path, new)
    yield from _compare_sides(before, after)
    for path, module in after.modules.items():
        yield from _compare_module(path, before.modules.get(path), module)
        yield from _beside(path, before, after)


def is_test_code(path: str) -> bool:
    """Return whether the file is Python code of tests or of what they rest on."""
    is_named = role_of(path) in {FileRole.TEST, FileRole.SUPPORT} or basename(path) == "test.py"
    return path.endswith(".py") and is_named


def _compare_sides(before: _Side, after: _Side) -> Iterator[Weakening]:
    balance = Counter(check.deep for check in after.counted())
    balance.subtract(check.deep for body in before.bodies.values() for check in body.checks)
    arrived = {deep for deep, count in balance.items() if count >= 0}
    pairs = _pair(before, after)
    for place, unit in before.units.items():
        checks = before.bodies[place].checks
        if place in pairs:
            yield from _compare_units(before, after, place, pairs[place], arrived)
        elif unit.is_test and not (checks and all(check.deep in arrived for check in checks)):
            sentence = f"{short(unit.node.name)} is gone"
            yield Weakening("test_removed", place[0], unit.node.lineno, sentence, "::".join(place), True)
    asked = {argument.arg for old, new in pairs.items() for argument in after.units[new].node.args.args}
    used = set(pairs.values())
    for place, unit in after.units.items():
        body, is_asked = after.bodies[place], basename(place[0]) == "conftest.py" or unit.node.name in asked
        if place in used or not (unit.is_test or is_asked or place[0] in before.modules):
            continue
        yield from _placed(told_of_new(body, unit.is_test), place, unit.is_test)
        for name, line in body.mocks.items() if is_asked and not unit.is_test else ():
            yield Weakening("mocked", place[0], line, f"{short(name)} is replaced by a stand-in now")
        if unit.is_test and not body.acts:
            text = "the new test does nothing that could fail"
            yield Weakening("cannot_fail", place[0], unit.node.lineno, text, "::".join(place))


def _placed(told: Iterator[Loosening], place: Place, is_test: bool) -> Iterator[Weakening]:
    for each in told:
        test = "::".join(place) if is_test else ""
        yield Weakening(each.kind, place[0], each.line, each.sentence, test, each.is_gone)


def _pair(before: _Side, after: _Side) -> dict[Place, Place]:
    """Return which function became which: the same place, the only one of the name, or one that says half the same."""
    pairs = {place: place for place in before.units if place in after.units}
    by_name, by_saying = defaultdict[str, list[Place]](list), defaultdict[str, list[Place]](list)
    for place in sorted(after.units.keys() - pairs.keys()):
        by_name[after.units[place].node.name].append(place)
        for each in _sayings(after.bodies[place]):
            by_saying[each].append(place)
    used = set[Place]()
    for is_by_name in (True, False):
        for place, unit in before.units.items():
            sayings = _sayings(before.bodies[place])
            shared = Counter(other for each in sayings for other in by_saying[each][:50] if other not in used)
            likely = by_name[unit.node.name] if len(by_name[unit.node.name]) == 1 else []
            if not is_by_name:
                # In another file it has to say all of it.
                least = {each: len(sayings) if each[0] != place[0] else len(sayings) / 2 for each in shared}
                likely = [each for each, count in shared.items() if count >= least[each]]
            likely = [each for each in likely if each not in used]
            if place not in pairs and likely:
                pairs[place] = min(
                    likely, key=lambda each: (not after.units[each].is_test, each[0] != place[0], -shared[each], each)
                )
                used.add(pairs[place])
    return pairs


def _sayings(body: Body) -> set[str]:
    return {check.raw for check in body.checks} or {body.identity}


def _compare_units(before: _Side, after: _Side, old: Place, new: Place, arrived: set[str]) -> Iterator[Weakening]:
    unit, other = before.units[old], after.units[new]
    hidden = role_of(old[0]) is FileRole.TEST and role_of(new[0]) is not FileRole.TEST
    if unit.is_test and (not other.is_test or hidden):
        text = f"{short(old[1])} is no longer collected; it is {short('::'.join(new))} now"
        yield Weakening("test_removed", new[0], other.node.lineno, text, "::".join(old))
    for told in compare_bodies(before.bodies[old], after.bodies[new], arrived):
        yield from _placed(iter([told]), old if told.is_gone else new, unit.is_test)


def _compare_module(path: str, old: Module | None, new: Module) -> Iterator[Weakening]:
    """Tell marks of classes and of the module, and what it does at import."""
    is_conftest = basename(path) == "conftest.py"
    was = read_statements(old.statements, [], old) if old else Body()
    now = read_statements(new.statements, [], new)
    yield from _placed(
        compare_bodies(was, now, ()) if old or is_conftest else told_of_new(now, True), (path, ""), False
    )
    for name, node in new.classes.items():
        earlier = old.classes.get(name) if old else None
        then = _marks(earlier, old) if earlier and old else Body()
        told = compare_bodies(then, _marks(node, new), ()) if earlier else told_of_new(_marks(node, new), True)
        yield from _placed(told, (path, name), True)
    for name in sorted(old.imports & new.defined.keys() - old.defined.keys()) if old else ():
        text = f"{short(name)} was imported and is defined in the test file now"
        yield Weakening("mocked", path, new.defined[name], text)
    known = {key(each, {}) for each in old.statements} if old else set()
    for each in new.statements:
        names = {last_name(target) if isinstance(target, ast.Name) else "" for target in targets_of(each)}
        says = isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        runs = is_conftest and not says and not isinstance(each, ast.Pass) and ("" in names or not names)
        if key(each, {}) not in known and (runs or not names.isdisjoint(_READ_BY_PYTEST)):
            yield Weakening(
                "fixture", path, each.lineno, f"{short(ast.unparse(each))} is new, and pytest runs or reads it"
            )


def _marks(node: ast.ClassDef, module: Module) -> Body:
    marks = [each for each in node.body if isinstance(each, ast.Assign) and last_name(each.targets[0]) == "pytestmark"]
    is_test = node.name.startswith("Test") or bool(node.bases)
    return read_statements([*marks], node.decorator_list if is_test else [], module)


def _beside(path: str, before: _Side, after: _Side) -> Iterator[Weakening]:
    """Tell hooks that are new or changed, fixtures and helpers that are changed, and new fixtures of every test."""
    for name, unit in after.modules[path].units.items():
        old, plain = before.bodies.get((path, name)), unit.node.name
        if old is not None and old.identity == after.bodies[path, name].identity:
            continue
        is_hook = plain.startswith("pytest_") or plain == "load_tests"
        autouse = path in before.modules and "autouse=True" in "".join(map(ast.unparse, unit.node.decorator_list))
        is_helper_changed = old is not None and not unit.is_test
        if (is_hook and "::" not in name) or (unit.is_fixture and (autouse or old is not None)) or is_helper_changed:
            word, what = "changed" if old else "new", "fixture" if unit.is_fixture else "hook" if is_hook else "helper"
            yield Weakening("fixture", path, unit.node.lineno, f"the {what} {short(plain)} is {word}")
