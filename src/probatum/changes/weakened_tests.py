"""Finds what a change weakens in the Python code of tests, by comparing the test modules of two trees by syntax.

A test that is moved, renamed, reformatted, made stricter or split up is no weakening. Nothing is imported or run, so
what a helper of the project asserts is followed only where the helper itself stands in a test module.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from posixpath import basename, dirname

from probatum.changes.weakened_bodies import Body, read_body, read_class, read_statements
from probatum.changes.weakened_checks import Check
from probatum.changes.weakened_code import Module, Routine, key, last_name, read_module
from probatum.changes.weakened_kinds import Weakening, is_named_as_test, is_test_code, short
from probatum.changes.weakened_pairs import Loosening, compare_bodies, told_of_new

_COLLECTING = ("collect_ignore", "collect_ignore_glob")
_SETTINGS = ("pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg")
Place = tuple[str, str]


class _Side:
    """The changed test modules of one tree, with the bodies of their functions by path and name."""

    def __init__(self) -> None:
        self.modules: dict[str, Module] = {}
        self.units: dict[Place, Routine] = {}
        self.bodies: dict[Place, Body] = {}

    def add(self, module: Module) -> None:
        self.modules[module.path] = module
        for name, unit in module.units.items():
            self.units[module.path, name] = unit
            self.bodies[module.path, name] = read_body(unit, module)

    def counted(self) -> Iterator[Body]:
        """Yield the bodies of tests, and of what is named anywhere in its module."""
        for path, module in self.modules.items():
            named = {last_name(node) for node in ast.walk(module.tree) if isinstance(node, ast.Name | ast.Attribute)}
            for name, unit in module.units.items():
                if unit.is_test or unit.node.name in named:
                    yield self.bodies[path, name]


def weakened_tests(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Iterator[Weakening]:
    """Yield what is weaker in the test modules of the second tree, in no particular order."""
    before, after = _Side(), _Side()
    for path in sorted(base.keys() | head.keys()):
        if not is_test_code(path) or base.get(path) == head.get(path):
            continue
        old = read_module(path, base[path]) if path in base else None
        new = read_module(path, head[path]) if path in head else None
        if path in head and new is None:
            if old is not None:
                yield Weakening("unreadable", path, 1, "is no Python that can be read")
            continue
        for module, side in ((old, before), (new, after)):
            if module is not None:
                side.add(module)
    yield from _compare_sides(before, after)
    words = _selecting(head)
    for place in before.units.keys() & after.units.keys():
        yield from _deselected(before.bodies[place], after.bodies[place], after.units[place], place, words)
    for path, module in after.modules.items():
        old = before.modules.get(path)
        yield from _compare_module(path, old, module)
        yield from _fixtures(before, after, path, base, head)


def _compare_sides(before: _Side, after: _Side) -> Iterator[Weakening]:
    balance = Counter(check.deep for body in after.counted() for check in body.checks if not _is_idle(check))
    balance.subtract(check.deep for body in before.bodies.values() for check in body.checks)
    new_checks = {deep for deep, count in balance.items() if count >= 0}
    pairs = _pair(before, after)
    lost = defaultdict[str, list[Place]](list)
    for place in before.units:
        if place in pairs:
            yield from _compare_units(before, after, place, pairs[place], new_checks)
        elif before.units[place].is_test and not _went_elsewhere(before.bodies[place], new_checks):
            lost[place[0]].append(place)
    for path, places in lost.items():
        if path not in after.modules and len(places) > 1 and len(places) == len(_tests_of(before.modules[path])):
            yield Weakening("test_removed", path, 1, f"the file is gone, with {len(places)} tests", "", True)
            continue
        for place in places:
            name = place[1].rpartition("::")[2]
            line = before.units[place].node.lineno
            yield Weakening("test_removed", path, line, f"{short(name)} is gone", "::".join(place), True)
    used = set(pairs.values())
    asked = {
        name for old, new in pairs.items() for name in _arguments(after.units[new]) - _arguments(before.units[old])
    }
    for place, unit in after.units.items():
        is_shared = basename(place[0]) == "conftest.py" or unit.node.name in asked
        if place not in used and (unit.is_test or is_shared or before.modules.get(place[0])):
            body = after.bodies[place]
            for told in told_of_new(body, unit.is_test):
                yield _placed(told, place, unit.is_test)
            for name, line in body.mocks.items() if is_shared and not unit.is_test else ():
                yield Weakening("mocked", place[0], line, f"{short(name)} is replaced by a stand-in now")
            if unit.is_test and not body.checks and not body.acts:
                text = "the new test does nothing that could fail"
                yield Weakening("cannot_fail", place[0], unit.node.lineno, text, "::".join(place))


def _arguments(unit: Routine) -> set[str]:
    return {each.arg for each in unit.node.args.args}


def _selecting(head: Mapping[str, bytes]) -> set[str]:
    """Return the words by which the settings of pytest select marks."""
    written = b"\n".join(head.get(name, b"") for name in _SETTINGS)
    found = re.findall(r"-m[ =]*['\"\\]*([\w ()]+)", written.decode("utf-8", "replace"))
    return {word for each in found for word in re.findall(r"\w+", each)} - {"not", "and", "or"}


def _deselected(old: Body, new: Body, unit: Routine, place: Place, words: set[str]) -> Iterator[Weakening]:
    for mark in sorted((new.marks - old.marks) & words) if unit.is_test else ():
        text = f"the mark {short(mark)} is new, and pytest is told to select by it"
        yield Weakening("skipped", place[0], unit.node.lineno, text, "::".join(place))


def _tests_of(module: Module) -> list[Routine]:
    return [each for each in module.units.values() if each.is_test]


def _is_idle(check: Check) -> bool:
    return any(guard.kind in ("cannot_fail", "early_return") for guard in check.guards)


def _went_elsewhere(body: Body, new_checks: set[str]) -> bool:
    """Return whether all that a test asserted is asserted somewhere else now."""
    return bool(body.checks) and all(check.deep in new_checks for check in body.checks)


def _placed(told: Loosening, place: Place, is_test: bool) -> Weakening:
    return Weakening(told.kind, place[0], told.line, told.sentence, "::".join(place) if is_test else "", told.is_gone)


def _pair(before: _Side, after: _Side) -> dict[Place, Place]:
    """Return which function became which: the same place, the same body, the same name, or most of its assertions."""
    pairs = {place: place for place in before.units if place in after.units}
    fresh = {place: unit for place, unit in after.units.items() if place not in before.units}
    by_body, by_name = defaultdict[str, list[Place]](list), defaultdict[str, list[Place]](list)
    by_check = defaultdict[tuple[str, str], list[Place]](list)
    for place, unit in fresh.items():
        by_body[after.bodies[place].identity].append(place)
        by_name[unit.node.name].append(place)
        for raw in {check.raw for check in after.bodies[place].checks}:
            by_check[place[0], raw].append(place)
    used = set[Place]()
    for way in range(3):
        for place, unit in before.units.items():
            if place in pairs:
                continue
            body = before.bodies[place]
            if way == 0:
                found = by_body[body.identity]
            elif way == 1:
                found = by_name[unit.node.name] if len(by_name[unit.node.name]) == 1 else []
            else:
                raws = {check.raw for check in body.checks}
                shared = Counter(each for raw in raws for each in by_check.get((place[0], raw), ())[:50])
                found = [each for each, count in shared.most_common() if 2 * count >= len(raws)]
            free = [each for each in found if each not in used]
            if free:
                pairs[place] = (
                    min(free, key=lambda each: (not after.units[each].is_test, each[0] != place[0]))
                    if way < 2
                    else free[0]
                )
                used.add(pairs[place])
    return pairs


def _compare_units(before: _Side, after: _Side, old: Place, new: Place, arrived: set[str]) -> Iterator[Weakening]:
    unit, other = before.units[old], after.units[new]
    hidden = is_named_as_test(old[0]) and not is_named_as_test(new[0])
    if unit.is_test and (not other.is_test or hidden):
        text = f"{short(old[1])} is no longer collected" + (
            f": it is {short(other.node.name)} now" if old != new else ""
        )
        yield Weakening("not_collected", new[0], other.node.lineno, text, "::".join(old))
    if (
        unit.is_test
        and isinstance(other.node, ast.AsyncFunctionDef)
        and not isinstance(unit.node, ast.AsyncFunctionDef)
    ):
        text = f"{short(new[1])} is a coroutine now, which pytest does not run by itself"
        yield Weakening("skipped", new[0], other.node.lineno, text, "::".join(new))
    for told in compare_bodies(before.bodies[old], after.bodies[new], arrived):
        yield _placed(told, new if not told.is_gone else old, unit.is_test)


def _compare_module(path: str, old: Module | None, new: Module) -> Iterator[Weakening]:
    """Tell marks of classes and of the module, and what a conftest does at import."""
    was, now = read_statements(old) if old else Body(), read_statements(new)
    for told in compare_bodies(was, now, ()) if old or basename(path) == "conftest.py" else told_of_new(now, True):
        yield _placed(told, (path, ""), False)
    for name, node in new.classes.items():
        earlier = old.classes.get(name) if old else None
        bodies = read_class(earlier, old) if earlier and old else Body(), read_class(node, new)
        for told in compare_bodies(*bodies, ()) if earlier else told_of_new(bodies[1], True):
            yield _placed(told, (path, name), True)
    yield from _conftest(path, old, new)


def _conftest(path: str, old: Module | None, new: Module) -> Iterator[Weakening]:
    """Tell what a conftest (or a module that leaves others out of the collection) does at import."""
    for name in sorted(old.imports if old else ()):
        own = new.units.get(name) or new.classes.get(name) or new.values.get(name)
        if own is not None and old and not (name in old.units or name in old.classes or name in old.values):
            line = own.node.lineno if isinstance(own, Routine) else own.lineno
            yield Weakening("mocked", path, line, f"{short(name)} was imported and is defined in the test file now")
    for name in (*_COLLECTING, "pytest_plugins"):
        earlier, value = old.values.get(name) if old else None, new.values.get(name)
        if value is not None and key(value, {}) != key(earlier, {}):
            kind = "conftest" if name == "pytest_plugins" else "not_collected"
            yield Weakening(kind, path, value.lineno, f"`{name}` is {short(ast.unparse(value))} now")
    known = {key(each, {}) for each in old.statements} if old else set()
    for node in new.statements if basename(path) == "conftest.py" else ():
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        defines = all(isinstance(each, ast.Name) for each in targets)
        says = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (defines or says or isinstance(node, ast.Pass)) and key(node, {}) not in known:
            yield Weakening("conftest", path, node.lineno, f"{short(ast.unparse(node))} runs before all tests now")


def _fixtures(
    before: _Side, after: _Side, path: str, base: Mapping[str, bytes], head: Mapping[str, bytes]
) -> Iterator[Weakening]:
    """Tell hooks and fixtures that are new or changed, if tests that existed before are run with them."""
    for name, unit in after.modules[path].units.items():
        old = before.bodies.get((path, name))
        if old is not None and old.identity == after.bodies[path, name].identity:
            continue
        line, word, plain = unit.node.lineno, "changed" if old else "new", unit.node.name
        autouse = any("autouse=True" in ast.unparse(each) for each in unit.node.decorator_list)
        if (plain.startswith("pytest_") or plain == "load_tests") and "::" not in name:
            yield Weakening("conftest", path, line, f"the hook `{plain}` is {word}")
        elif unit.is_fixture and autouse and path in before.modules:
            kind = "conftest" if basename(path) == "conftest.py" else "fixture"
            yield Weakening(kind, path, line, f"the fixture `{plain}`, which every test gets, is {word}")
        elif unit.is_fixture and old is not None and _is_used(plain, path, base, head):
            yield Weakening("fixture", path, line, f"the fixture `{plain}` is changed")


def _is_used(name: str, path: str, base: Mapping[str, bytes], head: Mapping[str, bytes]) -> bool:
    """Return whether test files that exist in both trees, at or below the fixture's place, name it."""
    word = re.compile(rb"\b%s\b" % re.escape(name).encode())
    folder = dirname(path) + "/" if dirname(path) else ""
    users = [path] if basename(path) != "conftest.py" else [each for each in head if each.startswith(folder)]
    return any(
        word.search(head[each]) and len(word.findall(head[each])) > (each == path)
        for each in users
        if each in base and is_test_code(each)
    )
