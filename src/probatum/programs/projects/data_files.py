"""Data files of a program's packages: those that its text speaks of, within a budget.

A package may read files that lie inside its folders. They are given to it, and bound in the proof, where a text in its
modules has the name of the file, of a folder around it, or of its ending. Refuses hidden files, links, compiled files,
what lies outside of the folders of imported packages, and more than a run may have; what that leaves out is named.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from probatum.core.limits import MEBIBYTE
from probatum.programs.source import module_or_none

MAX_FILES = 100
MAX_BYTES = MEBIBYTE
_NOT_DATA = frozenset({".py", ".pyc", ".pyi", ".so", ".pyd"})
_PART = re.compile(r"[^/\\\s]+")
_NAME = re.compile(r"[^/\x00-\x1f]+")


@dataclass(frozen=True, slots=True)
class DataFiles:
    """What is given, by path from the project's root, and what is not for its size."""

    files: tuple[tuple[str, bytes], ...] = ()
    left_out: tuple[str, ...] = ()
    read_from: tuple[tuple[str, str], ...] = ()


def data_files(packages: Mapping[str, Path], sources: Sequence[bytes]) -> DataFiles:
    """Return the data files of packages, whose folders are given by dotted name, that these sources speak of."""
    if not packages:
        return DataFiles()
    words = set[str]().union(*map(_words_in, sources))
    found: dict[str, Path] = {}
    for dotted, folder in sorted(packages.items()):
        root = dotted.replace(".", "/")
        found |= {f"{root}/{inner}": folder / inner for inner in _inside(folder) if _is_named(inner, words)}
    given: list[tuple[str, bytes]] = []
    left_out, size = [], 0
    for path, place in sorted(found.items()):
        content = begin_of(place, MAX_BYTES + 1)
        if content is None:
            continue
        size += len(content)
        if size > MAX_BYTES or len(given) == MAX_FILES:
            left_out.append(path)
            size -= len(content)
        else:
            given.append((path, content))
    read_from = ((str(found[path]), hashlib.sha256(content).hexdigest()) for path, content in given)
    return DataFiles(tuple(given), tuple(left_out), tuple(read_from))


@lru_cache(maxsize=4096)
def _words_in(source: bytes) -> frozenset[str]:
    """Return the words of the texts in a module; the files of one project import each other's modules again."""
    tree = module_or_none(source)
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)) if tree is not None else ()
    return frozenset(word for each in constants if isinstance(each, str) for word in _PART.findall(each))


def _inside(folder: Path) -> Iterator[str]:
    """Yield the path of every file in the folder of a package, but for those of packages below it."""
    for place, folders, files in os.walk(folder):
        inner = [each for each in folders if not each.startswith((".", "__")) and _NAME.fullmatch(each)]
        folders[:] = sorted(each for each in inner if not os.path.exists(os.path.join(place, each, "__init__.py")))
        for name in files:
            is_data = not name.startswith(".") and Path(name).suffix not in _NOT_DATA and _NAME.fullmatch(name)
            if is_data and not os.path.islink(os.path.join(place, name)):
                yield Path(place, name).relative_to(folder).as_posix()


def _is_named(path: str, words: set[str]) -> bool:
    *folders, name = path.split("/")
    ending = Path(name).suffix
    # A pattern, or what follows a computed part.
    endings = (word.removesuffix(ending) for word in words if ending and word.endswith(ending))
    return not words.isdisjoint({*folders, name}) or any(not each[-1:].isalnum() for each in endings)


def begin_of(path: Path, most: int) -> bytes | None:
    """Return what a file begins with, None where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError:
        return None
