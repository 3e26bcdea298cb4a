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

from probatum.changes.weakened_kinds import Weakening, short

_FILES: Final = (
    ".github/workflows/*.yml", ".github/workflows/*.yaml", ".gitlab-ci.yml", ".circleci/config.yml",
    "azure-pipelines*.yml", ".travis.yml", "appveyor.yml", "tox.ini", "noxfile.py", "Makefile", "justfile",
    ".pre-commit-config.yaml", "pyproject.toml",
)  # fmt: skip
_YAML: Final = (".yml", ".yaml")
_CHECKS: Final = re.compile(
    r"(?<![\w.-])(pytest|py\.test|tox|nox|mypy|pyright|ruff|flake8|pylint|unittest|coverage|pre-commit|bandit"
    r"|make (?:test|check|lint)\w*|black --check|isort --check\S*|nosetests|doctest|hatch (?:test|run))(?![\w.-]*/|\w)"
)
_COMMAND: Final = re.compile(r"^(?:-\s+)?(?:(?:run|script|command|commands|bash)\s*[:=]\s*)?[|>]?-?\s*(.*)$")
_INSTALLS: Final = re.compile(
    r"\b(pip3?|pipx|conda|apt-get|uv pip|brew|pip-compile)\b.*\b(install|sync|add)\b"
    r"|^(name|uses|key|path|with|image|deps|rev|repo)\s*[:=]"
)
_OVERLOOKS: Final = {
    "continue-on-error": re.compile(r"^(?:-\s+)?continue-on-error:\s*(?!false\b)\S"),
    "allow_failure": re.compile(
        r"^(?:-\s+)?(?:allow_failures?|ignore_outcome|ignore_errors|ContinueOnError)\s*[:=]\s*(?!false\b)",
        re.IGNORECASE,
    ),
    "|| true": re.compile(r"\|\|\s*(?:true|:|exit 0|echo)(?:\b|\s|$)|;\s*(?:true|exit 0)\s*$"),
    "if: false": re.compile(r"^(?:-\s+)?if:\s*['\"]?(?:\$\{\{\s*)?(?:false|'false')"),
    "set +e": re.compile(r"\bset \+e\b"),
    "when: manual": re.compile(r"^(?:-\s+)?when:\s*(?:manual|never)\b"),
    "paths-ignore": re.compile(r"^paths-ignore:"),
    "--exit-zero": re.compile(r"--exit-zero\b|--suppress-no-test-exit-code"),
    "-": re.compile(r"^(?:commands\s*=\s*)?-\s*(?:pytest|mypy|ruff|flake8|pylint|coverage (?:run|report))\b"),
}
_ENTRY: Final = re.compile(r"^(?:-\s+)?([\w.-]+)\s*:\s*(.*)$")
_TASKS: Final = re.compile(r"\[\[?(tool\.(?:tox|nox|hatch|poe|pdm\.scripts|taskipy))?[\w.\"'-]*\]\]?$")
_Line = tuple[str, int, str]


def weakened_ci(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Iterator[Weakening]:
    """Yield what continuous integration checks less in the second tree."""
    paths = [path for path in sorted(base.keys() | head.keys()) if any(fnmatchcase(path, each) for each in _FILES)]
    if all(base.get(path) == head.get(path) for path in paths):
        return
    before = [each for path in paths if path in base for each in _lines(path, base[path])]
    after = [each for path in paths if path in head for each in _lines(path, head[path])]
    for path in paths:
        if base.get(path) != head.get(path):
            yield from _overlooked(path, before, after)
        if base.get(path) != head.get(path, base.get(path)):
            yield from _jobs(path, base.get(path, b""), head[path], after)
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
        says = bool(text) and not text.startswith("[t") and path != ".pre-commit-config.yaml"
        if says and is_task and not is_setting and not is_target:
            found.append((path, number, text))
    return found


def _overlooked(path: str, before: list[_Line], after: list[_Line]) -> Iterator[Weakening]:
    """Tell marks that let a failure pass, where a file has more of a sort than before."""
    for name, pattern in _OVERLOOKS.items():
        if (name == "-" and path != "tox.ini") or path == "noxfile.py":
            continue
        had = Counter(text for place, _, text in before if place == path and pattern.search(text))
        have = [(number, text) for place, number, text in after if place == path and pattern.search(text)]
        growth = len(have) - had.total()
        for number, text in have:
            had[text] -= 1
            if had[text] < 0 and growth > 0:
                growth -= 1
                yield Weakening("ci", path, number, f"a failure no longer counts: {short(text)} is new")


def _commands(before: list[_Line], after: list[_Line]) -> Iterator[Weakening]:
    """Tell commands that run checks and are in none of the files any more."""
    have = {_words(text) for _, _, text in after}
    had = {_words(text) for _, _, text in before}
    fresh = [(number, text) for _, number, text in after if _words(text) not in had and _is_check(text)]
    told = set[str]()
    for path, number, text in before:
        words = _words(text)
        if not _is_check(text) or words in have or words in told:
            continue
        told.add(words)
        same = next((each for each in fresh if _tools(each[1]) & _tools(text)), None)
        if same is not None:
            fresh.remove(same)
            lost = _narrowed(words, _words(same[1]))
            if lost:
                place = next(each for each in after if each[1:] == same)
                yield Weakening("ci", place[0], place[1], f"{short(same[1])} stands for {short(text)}")
        elif not any(_tools(text) <= _tools(other) for _, _, other in after):
            yield Weakening("ci", path, number, f"{short(words)} is run no more", "", True)


def _is_check(text: str) -> bool:
    return bool(_CHECKS.search(text)) and not _INSTALLS.search(text)


def _tools(text: str) -> frozenset[str]:
    return frozenset(_CHECKS.findall(text)) if not _INSTALLS.search(text) else frozenset()


def _words(text: str) -> str:
    found = _COMMAND.match(text)
    return " ".join((found[1] if found else text).split()).strip("'\"")


def _narrowed(was: str, now: str) -> bool:
    """Return whether the second command selects less, or is less strict."""
    lessens = re.compile(
        r"(?:^|\s)(--deselect|--ignore\S*|-k|-m|--co|--collect-only|--no-cov|--maxfail\S*|--exit-zero|--extend-ignore\S*|--disable\S*)(?![\w-])"
    )
    module = re.compile(r"python\S*\s+-m\s+\S+")
    was, now = module.sub("python", was), module.sub("python", now)
    strict = ("--strict", "--cov-fail-under", "-W error", "--check", "--doctest-modules", "--fail-under")
    return bool(set(lessens.findall(now)) - set(lessens.findall(was))) or any(
        each in was and each not in now for each in strict
    )


def _jobs(path: str, base: bytes, head: bytes, after: list[_Line]) -> Iterator[Weakening]:
    """Tell jobs, hooks and matrix entries that are gone from a file."""
    if not path.endswith(_YAML):
        return
    old, new = _outline(base), _outline(head)
    everywhere = {text for _, _, text in after}
    for name, number in old["jobs"].items():
        if name not in new["jobs"] and len(new["jobs"]) < len(old["jobs"]):
            yield Weakening("ci", path, number, f"the job {short(name)} is gone", "", True)
    if path == ".pre-commit-config.yaml":
        for name, number in old["id"].items():
            if name not in new["id"] and not any(name in text for text in everywhere):
                yield Weakening("ci", path, number, f"the hook {short(name)} is gone", "", True)
    for name, number in old["matrix"].items():
        same = [sum(each.split(" ")[0] == name.split(" ")[0] for each in side["matrix"]) for side in (old, new)]
        if name not in new["matrix"] and 0 < same[1] < same[0]:
            yield Weakening("ci", path, number, f"{short(name)} is gone from the matrix", "", True)
    for name, number in old["on"].items():
        if name not in new["on"] and name in ("push", "pull_request"):
            yield Weakening("ci", path, number, f"it no longer runs on {short(name)}", "", True)


def _outline(content: bytes) -> dict[str, dict[str, int]]:
    """Return jobs, hooks, matrix entries and triggers with their lines, found by indentation."""
    found = dict[str, dict[str, int]]({"jobs": {}, "id": {}, "matrix": {}, "on": {}})
    above = list[tuple[int, str]]()
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        text = re.sub(r"(^|\s)#.*$", "", line).rstrip()
        if not text.strip():
            continue
        depth = len(text) - len(text.lstrip(" "))
        while above and above[-1][0] >= depth and not (text.lstrip().startswith("- ") and above[-1][0] == depth):
            above.pop()
        names = [name for _, name in above]
        entry = _ENTRY.match(text.strip())
        parts = entry[2].strip("[]").split(",") if entry and entry[2].startswith("[") else []
        listed = [each.strip(" '\"") for each in parts]
        if not entry and text.strip().startswith("- "):
            listed = [text.strip()[2:].strip("'\" ")]
            entry_name = names[-1] if names else ""
        else:
            entry_name = entry[1] if entry else ""
        if entry and not text.strip().startswith("- ") and names == ["jobs"]:
            found["jobs"][entry_name] = number
        if entry and entry_name == "id" and names[-2:-1] != ["matrix"]:
            found["id"][entry[2].strip("'\"")] = number
        if "matrix" in names[-2:] and entry_name not in ("include", "exclude"):
            found["matrix"] |= {f"{entry_name} {each}": number for each in listed}
        if entry_name in ("on", "'on'") and not names:
            found["on"] |= dict.fromkeys(listed or [entry[2].strip()] if entry else [], number)
        if entry and names in (["on"], ['"on"']):
            found["on"][entry_name] = number
        if entry and not entry[2].strip("|>-& "):
            above.append((depth, entry_name))
    return found
