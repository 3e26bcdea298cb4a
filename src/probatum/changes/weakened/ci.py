"""Finds what a change takes out of continuous integration, or lets fail there without notice.

Workflows are read by lines, as data: no YAML is interpreted. Told is only what a line alone says: a command that runs
checks, a job, a hook or an entry of the matrix that is nowhere any more, and marks that make a failure count for
nothing. A command that moved to another of these files is no weakening.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final

from probatum.changes.weakened.kinds import Weakening, short

_HOOKS: Final = ".pre-commit-config.yaml"
_FILES: Final = (
    ".github/workflows/*.yml .github/workflows/*.yaml .gitlab-ci.yml .circleci/config.yml azure-pipelines*.yml"
    f" .travis.yml appveyor.yml tox.ini noxfile.py Makefile justfile pyproject.toml {_HOOKS}"
).split()
_CHECKS: Final = re.compile(
    r"(?<![\w.-])(pytest|py\.test|tox|nox|mypy|pyright|ruff|flake8|pylint|unittest|coverage|pre-commit|bandit"
    r"|make (?:test|check|lint)\w*|black --check|isort --check\S*|nosetests|doctest|hatch (?:test|run))(?![\w.-]*/|\w)"
)
_COMMAND: Final = re.compile(r"^(?:-\s+)?(?:(?:run|script|command|commands|bash)\s*[:=]\s*)?[|>]?-?\s*(.*)$")
_INSTALLS: Final = re.compile(
    r"\b(pip3?|pipx|conda|apt-get|uv pip|brew|pip-compile)\b.*\b(install|sync|add)\b"
    r"|^(name|uses|key|path|with|image|deps|rev|repo)\s*[:=]"
)
_OVERLOOKS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:-\s+)?(?:continue-on-error|allow_failures?|ignore_outcome|ignore_errors|continueonerror)\s*[:=]\s*(?!false\b)",
        r"\|\|\s*(?:true|:|exit 0|echo)(?:\b|\s|$)|;\s*(?:true|exit 0)\s*$",
        r"^(?:-\s+)?if:\s*['\"]?(?:\$\{\{\s*)?(?:false|'false')",
        r"\bset \+e\b",
        r"^(?:-\s+)?when:\s*(?:manual|never)\b",
        r"^paths-ignore:",
        r"--exit-zero\b|--suppress-no-test-exit-code",
        r"^(?:commands\s*=\s*)?-\s*(?:pytest|mypy|ruff|flake8|pylint|coverage (?:run|report))\b",
    )
)
_LESSENS: Final = re.compile(
    r"(?:^|\s)(--deselect|--ignore\S*|-k|-m|--co|--collect-only|--no-cov|--maxfail\S*|--exit-zero|--extend-ignore\S*"
    r"|--disable\S*)(?![\w-])"
)
_STRICT: Final = ("--strict", "--cov-fail-under", "-W error", "--check", "--doctest-modules", "--fail-under")
_ENTRY: Final = re.compile(r"^(?:-\s+)?['\"]?([\w.-]+)['\"]?\s*:\s*(.*)$")
# Entries of an outline that are told where they are gone: what is said of them, and whether as many are renamed ones.
_TOLD: Final = (
    (re.compile(r"jobs/()([^/]+)/"), "the job {} is gone", True),
    (re.compile(r"repos/(?:.*/)?id/()([^/]+)/"), "the hook {} is gone", False),
    (re.compile(r".*matrix/(?!include|exclude)([^/]+)/([^/]+)/"), "{} is gone from the matrix", True),
    (re.compile(r"on/()(push|pull_request)/"), "it no longer runs on {}", False),
)
_TASKS: Final = re.compile(r"\[\[?(tool\.(?:tox|nox|hatch|poe|pdm\.scripts|taskipy))?[\w.\"'-]*\]\]?$")
_QUOTES: Final = " '\""
_Line = tuple[str, int, str]


def weakened_ci(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Iterator[Weakening]:
    """Yield what continuous integration checks less in the second tree."""
    paths = [path for path in sorted(base.keys() | head.keys()) if any(fnmatchcase(path, each) for each in _FILES)]
    if all(base.get(path) == head.get(path) for path in paths):
        return
    before = [each for path in paths for each in _lines(path, base.get(path, b""))]
    after = [each for path in paths for each in _lines(path, head.get(path, b""))]
    for path in paths:
        if path in head and base.get(path) != head[path]:
            yield from _overlooked(path, before, after)
            yield from _entries(path, base.get(path, b""), head[path], after)
    yield from _commands(before, after)


def _lines(path: str, content: bytes) -> list[_Line]:
    """Return the lines that say something: path, number, text without comment.

    Of a Makefile these are its recipes, of tox.ini its commands, of pyproject.toml the tables of task runners.
    """
    found, is_task = list[_Line](), path != "pyproject.toml"
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        text = re.sub(r"(^|\s)#.*$", "", line).strip()
        if path == "pyproject.toml" and (header := _TASKS.match(text)):
            is_task = bool(header[1])
        is_setting = path == "tox.ini" and "=" in text and "command" not in text.split("=", maxsplit=1)[0]
        is_target = path in ("Makefile", "justfile") and not line.startswith(("\t", " "))
        says = bool(text) and not text.startswith("[t") and path != _HOOKS
        if says and is_task and not is_setting and not is_target:
            found.append((path, number, text))
    return found


def _overlooked(path: str, before: list[_Line], after: list[_Line]) -> Iterator[Weakening]:
    """Tell marks that let a failure pass, where a file has more of a sort than before."""
    # A command behind a hyphen is one whose failure is passed over in one format, and an item of a list in the others.
    patterns = _OVERLOOKS if path == "tox.ini" else _OVERLOOKS[:-1]
    for pattern in patterns if path != "noxfile.py" else ():
        had = Counter(text for place, _, text in before if place == path and pattern.search(text))
        have = [(number, text) for place, number, text in after if place == path and pattern.search(text)]
        fresh = [(number, text) for number, text in have if text not in had] or have[had.total() :]
        for number, text in fresh[: max(0, len(have) - had.total())]:
            yield Weakening("ci", path, number, f"a failure no longer counts: {short(text)} is new")


def _commands(before: list[_Line], after: list[_Line]) -> Iterator[Weakening]:
    """Tell commands that run checks and are in none of the files any more."""
    had, have = (
        {_words(text): (path, number, text) for path, number, text in reversed(side)} for side in (before, after)
    )
    fresh = [each for words, each in have.items() if words not in had and _tools(each[2])]
    for words in sorted(had.keys() - have.keys(), key=lambda each: had[each][:2]):
        path, number, text = had[words]
        same = next((each for each in fresh if _tools(each[2]) & _tools(text)), None)
        if same is not None:
            fresh.remove(same)
            if _is_narrowed(words, _words(same[2])):
                yield Weakening("ci", *same[:2], f"{short(same[2])} stands for {short(text)}")
        elif _tools(text) and not any(_tools(text) <= _tools(other) for _, _, other in after):
            yield Weakening("ci", path, number, f"{short(words)} is run no more", "", True)


def _tools(text: str) -> frozenset[str]:
    """Return the tools that a line runs as checks."""
    return frozenset(_CHECKS.findall(text)) if not _INSTALLS.search(text) else frozenset()


def _words(text: str) -> str:
    found = _COMMAND.match(text)
    return " ".join((found[1] if found else text).split()).strip("'\"")


def _is_narrowed(was: str, now: str) -> bool:
    """Return whether the second command selects less, or is less strict."""
    was, now = (re.sub(r"python\S*\s+-m\s+\S+", "python", each) for each in (was, now))
    return bool({*_LESSENS.findall(now)} - {*_LESSENS.findall(was)}) or any(
        each in was and each not in now for each in _STRICT
    )


def _entries(path: str, base: bytes, head: bytes, after: list[_Line]) -> Iterator[Weakening]:
    """Tell jobs, hooks, entries of a matrix and triggers that are gone from a file."""
    old, new = _outline(base), _outline(head)
    for pattern, sentence, is_counted in _TOLD if path.endswith((".yml", ".yaml")) else ():
        had, have = ([each for entry in side if (each := pattern.fullmatch(entry))] for side in (old, new))
        for entry in had:
            count, left = (sum(each[1] == entry[1] for each in side) for side in (had, have))
            is_renamed = is_counted and (left >= count or (bool(entry[1]) and not left))
            is_elsewhere = path == _HOOKS and any(entry[2] in text for _, _, text in after)
            if entry[0] not in new and not is_renamed and not is_elsewhere:
                what = short(f"{entry[1]} {entry[2]}")
                yield Weakening("ci", path, old[entry[0]], sentence.format(what), "", True)


def _outline(content: bytes) -> dict[str, int]:
    """Return each entry below its headers, as ``jobs/test/strategy/matrix/python/3.11/``, with its line."""
    found = dict[str, int]()
    above = list[tuple[int, str]]()
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        text = re.sub(r"(^|\s)#.*$", "", line).rstrip()
        depth = len(text) - len(text.lstrip(" "))
        while text and above and above[-1][0] >= depth + text.lstrip().startswith("- "):
            above.pop()
        entry = _ENTRY.match(text.strip())
        place = "".join(f"{name}/" for _, name in above) + (f"{entry[1]}/" if entry else "")
        found.setdefault(place, number)
        value = (entry[2] if entry else text.strip().removeprefix("- ")).strip("|>-& ")
        if entry and not value:
            above.append((depth, entry[1]))
        for each in value.strip("[]").split(",") if value.startswith("[") else [value]:
            found.setdefault(f"{place}{each.strip(_QUOTES)}/", number)
    return found
