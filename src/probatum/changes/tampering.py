"""Means, in what a change adds, by which code could reach whoever runs and reports its tests.

Tests and sources run in one process with the plugin that reports them. So what they say counts only as far as nothing
new in their text leads to it: frames, all objects, modules by computed names, descriptors, the runner's own modules.
What was there before the change is not looked at again: it is what the change is compared with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.changes.classes_of_files import FileRole, role_of
from probatum.programs.running.forging import PATCHES, means_of_forging
from probatum.sandbox.jobs import Program

_PLACE: Final = re.compile(r"line (\d+) of \S+ (.*)", re.DOTALL)
_ORDINARY_IN_TESTS: Final = (
    *("imports pytest", "imports unittest", "imports doctest", "imports mock", "reaches into what a test reads"),
    *("names assert_", "names call_args", "names mock_calls", PATCHES),
)
_PLACES: Final = re.compile(rb"\bsys\.path\b|\b__path__\b|\b(?:path_hooks|meta_path|addsitedir|zipimport)\b")
_IN_TESTS: Final = frozenset({FileRole.TEST, FileRole.SUPPORT})


@dataclass(frozen=True, slots=True)
class Means:
    """One place that could reach the runner."""

    path: str
    line: int
    what: str


def means_added(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> tuple[Means, ...]:
    """Return what the Python files of the head hold of such means, and the base does not hold in the same file."""
    found: list[Means] = []
    for path, content in sorted(head.items()):
        before = base.get(path, b"")
        if not path.endswith(".py") or before == content:
            continue
        known = [what for _, what in _means(before)]
        for line, what in _means(content):
            if what in known:
                known.remove(what)
            elif role_of(path) not in _IN_TESTS or not what.startswith(_ORDINARY_IN_TESTS):
                found.append(Means(path, line, what))
        if role_of(path) not in _IN_TESTS:
            found += _import_places(path, before, content)
    return tuple(found)


def _import_places(path: str, before: bytes, content: bytes) -> Iterator[Means]:
    known = len(_PLACES.findall(before))
    for match in list(_PLACES.finditer(content))[known:]:
        line = content.count(b"\n", 0, match.start()) + 1
        yield Means(path, line, f"reaches where modules are imported from through {match[0].decode()}")


def _means(content: bytes) -> Iterable[tuple[int, str]]:
    for sentence in means_of_forging(Program(content)) if content.strip() else ():
        match = _PLACE.fullmatch(sentence)
        yield (int(match[1]), match[2]) if match else (1, sentence)
