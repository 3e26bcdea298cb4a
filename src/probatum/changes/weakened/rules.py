"""Finds every check that a change weakens, by syntax: the tests, and the rules around them.

``weakened_checks`` compares two whole trees; only files that differ are read. It runs nothing, and says nothing about
whether a weakening is justified: that is for the runs of the tests, and for the reviewer.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from posixpath import basename, dirname
from typing import Final

from probatum.changes.classes_of_files import in_test_folder
from probatum.changes.syntax.node_syntax import tree_of
from probatum.changes.weakened.ci import weakened_ci
from probatum.changes.weakened.kinds import Weakening, short
from probatum.changes.weakened.of_tests import weakened_tests
from probatum.changes.weakened.settings import weakened_settings

_COMPILED: Final = (".pyc", ".pyo", ".so", ".pyd", ".dll", ".dylib")
_RECORDED: Final = re.compile(
    r"(.*/)?(__snapshots__|snapshots|goldens?|expected|cassettes|baseline|__file_snapshots__)/.*(?<!\.py)"
    r"|.*\.(ambr|snap|golden)"
)
# Files in test directories that are no recorded results.
_NO_DATA: Final = re.compile(
    r"(?i)(readme|license|changelog|requirements|dockerfile|makefile|\.git|\.coverage|py\.typed).*|.*\.(py|pyi|pyx|c|h|ini|cfg|toml|md|rst|sh|in|lock)"
)
# Modules that tests and tools import, beside those of the standard library; a folder called `test` is usual.
_TOOLS: Final = frozenset({"pytest", "_pytest", "pluggy", "coverage", "hypothesis", "mock", "nose", "tox"})
_SHADOWED: Final = (sys.stdlib_module_names | _TOOLS) - {"test", "this", "antigravity", "__main__"}
_AT_START: Final = frozenset({"sitecustomize.py", "usercustomize.py"})
# Comments that silence a tool, and what tells that they name what they silence.
_COMMENT: Final = re.compile(
    r"#\s*(?:flake8[:=]\s*|ruff\s*:\s*)?(noqa|type:\s*ignore|mypy:\s*(?:ignore|disable|allow)|pragma:\s*no\s?(?:cover|branch)"
    r"|pyright:\s*(?:ignore|basic|report\w+\s*=\s*false)|pylint:\s*(?:disable|skip-file)|nosec)\b(\s*[:=\[-])?",
    re.IGNORECASE,
)


def weakened_checks(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> tuple[Weakening, ...]:
    """Return what the second tree checks less strictly than the first, sorted by place.

    Both mappings hold all files of a tree, by their path with ``/``.
    """
    found = [
        *weakened_tests(base, head),
        *weakened_settings(base, head),
        *weakened_ci(base, head),
        *_recorded(base, head),
        *_silenced(base, head),
    ]
    for path in head:
        if head[path] != base.get(path):
            word = "changed" if path in base else "new"
            found += [Weakening(kind, path, 1, f"{why}; it is {word}") for kind, why in _loaded(path, head)]
            if path.endswith(".py") and path in base and not tree_of(head[path]) and tree_of(base[path]):
                found.append(Weakening("unreadable", path, 1, "is no Python that can be read"))
    return tuple(sorted(set(found), key=lambda each: (each.path, each.line, each.kind, each.sentence, each.test)))


def _recorded(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Iterator[Weakening]:
    """Tell snapshots and data of tests that existed and differ, those of one directory in one sentence."""
    paths = [path for path in sorted(base) if base[path] != head.get(path) and _is_recorded(path)]
    kept = set(head.values()) if paths else set[bytes]()
    folders = defaultdict[tuple[str, bool], list[str]](list)
    for path in paths:
        if path in head or base[path] not in kept:
            folders[dirname(path), path not in head].append(path)
    for (folder, is_gone), files in folders.items():
        more = f", with {len(files) - 1} more in {short(folder)}" if len(files) > 1 else ""
        text = "recorded results are gone" if is_gone else "recorded results have changed"
        yield Weakening("snapshot", files[0], 1, text + more, "", is_gone)


def _is_recorded(path: str) -> bool:
    is_data = in_test_folder(path) and not _NO_DATA.fullmatch(basename(path))
    return not path.endswith(_COMPILED) and (is_data or bool(_RECORDED.fullmatch(path)))


def _loaded(path: str, head: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Tell a file that Python loads by itself or in place of a module that tests import, and a compiled one."""
    folder, name = dirname(path), basename(path)
    if name.endswith(_COMPILED):
        yield "import_path", "what a compiled file does cannot be read"
    elif name in _AT_START or name.endswith(".pth"):
        yield "import_path", f"Python runs {short(name)} at its start"
    elif name in ("pytest.ini", ".pytest.ini", "pytest.toml") and folder:
        yield "settings", f"it holds settings for tests run from {short(folder)}"
    elif name == "entry_points.txt" and folder.endswith((".dist-info", ".egg-info")):
        yield "import_path", f"{short(path)} can load a pytest plugin"
    if name == "__init__.py":
        folder, name = dirname(folder), basename(folder) + ".py"
    module = name.removesuffix(".py").split(".")[0]
    imported = folder in ("", "src") or (in_test_folder(f"{folder}/") and f"{folder}/__init__.py" not in head)
    if name.endswith(".py") and module in _SHADOWED and imported:
        yield "import_path", f"it is imported in place of the module {short(module)}"


def _silenced(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Iterator[Weakening]:
    """Tell comments that silence a tool: more of a sort in a file than before, and not moved from another file."""
    paths = [path for path in sorted(base.keys() | head.keys()) if path.endswith((".py", ".pyi"))]
    paths = [path for path in paths if base.get(path) != head.get(path)]
    old, new = ({path: _comments(side.get(path, b"")) for path in paths} for side in (base, head))
    texts = [[Counter(text for _, text, _ in side[path]) for path in paths] for side in (old, new)]
    moved = {text for were, are in zip(*texts, strict=True) for text in were - are}
    for path in paths:
        growth = Counter(sort for sort, _, _ in new[path]) - Counter(sort for sort, _, _ in old[path])
        known, told = Counter(text for _, text, _ in old[path]), set[int]()
        for sort, text, number in new[path]:
            known[text] -= 1
            if known[text] < 0 and growth[sort] > 0 and text not in moved:
                growth[sort] -= 1
                if number not in told:
                    yield Weakening("silenced", path, number, f"{short(text)} is new")
                told.add(number)


def _comments(content: bytes) -> list[tuple[str, str, int]]:
    """Return sort, text of the line and number of each comment; one without codes is a sort of its own."""
    found = list[tuple[str, str, int]]()
    lines = content.decode("utf-8", "replace").splitlines() if b"#" in content else []
    for number, line in enumerate(lines, 1):
        for match in _COMMENT.finditer(line) if "#" in line else ():
            sort = match[1].partition(":")[0].lower()
            found += [
                (each, line.strip(), number) for each in ([sort] if match[2] else [sort, f"{sort} without codes"])
            ]
    return found
