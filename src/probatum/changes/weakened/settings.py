"""Finds what a change lowers in the settings of pytest, coverage, linters and type checkers.

The settings of a tool are compared as a whole, wherever they are written, so that moving them to another file is no
weakening. Only the files at the root of the repository count, as the tools read them. A file that cannot be read is
taken for one without settings. Whether more or less of a setting is weaker is told by its name, in two tables.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final

from probatum.changes.weakened.kinds import Weakening, short
from probatum.changes.weakened.of_tests import is_test_code
from probatum.programs.parsing.scanning import word_set

# Tool, then its files with the prefix of their sections. Of several for pytest the first that exists counts alone.
_SOURCES: Final = {
    "pytest": "pytest.toml=pytest .pytest.toml=pytest pytest.ini=pytest .pytest.ini=pytest"
    " pyproject.toml=tool.pytest.ini_options pyproject.toml=tool.pytest tox.ini=pytest setup.cfg=tool:pytest",
    "coverage": ".coveragerc= pyproject.toml=tool.coverage setup.cfg=coverage: tox.ini=coverage:",
    "mypy": "mypy.ini= .mypy.ini= setup.cfg=mypy tox.ini=mypy pyproject.toml=tool.mypy",
    "pyright": "pyrightconfig.json= pyproject.toml=tool.pyright",
    "ruff": "ruff.toml= .ruff.toml= pyproject.toml=tool.ruff",
    "flake8": ".flake8=flake8 setup.cfg=flake8 tox.ini=flake8",
    "pylint": ".pylintrc= pylintrc= pyproject.toml=tool.pylint",
}
# Settings (with `_` for `-`) that are weaker with more in them, or on, or with a larger number; and with less or off.
_MORE: Final = re.compile(
    r"(extend_)?(ignore|exclude)|(extend_)?per_file_ignores(\..*)?|disable|disable_error_code|omit|exclude_lines"
    r"|exclude_also|partial_branches|ignored?_(modules|paths|patterns|classes)|norecursedirs|usefixtures"
    r"|ignore_(missing_imports|errors)|allow_\w+|implicit_(optional|reexport)|exit_zero"
    r"|max_(complexity|branches|statements|returns|args|doc_length|cognitive_complexity)"
)
_LIMITS: Final = frozenset({"files", "packages", "source", "source_pkgs", "include"})
_LESS: Final = re.compile(
    r"(extend_)?select|enable|enable_error_code|files|packages|plugins|source|source_pkgs|include|fail_under|branch"
    r"|strict|strict_\w+|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|xfail_strict|extra_checks"
    r"|local_partial_types|report\w+|typecheckingmode|follow_imports|python_(files|classes|functions)"
)
_LEVELS: Final = "hint information silent skip basic warning standard"
_FULL: Final = 99.0
_RANKS: Final = {
    **dict.fromkeys(word_set("false off no none 0"), 0.0),
    **{level: float(rank) for rank, level in enumerate(_LEVELS.split(), 1)},
    **dict.fromkeys(word_set("true yes on normal strict error 1"), _FULL),
}
_DEFAULTS: Final = {"python_files": "test_*.py *_test.py", "python_classes": "Test", "python_functions": "test"}
_STRICT_OPTIONS: Final = re.compile(r"--strict\S*|--doctest-.+|-W ?error.*|--cov-fail-under.*")
_NARROWING: Final = re.compile(
    r"(--deselect|--ignore|--ignore-glob|-k|-m|-p(?! ?no:cacheprovider)|--co|--collect-only|--no-cov|--runxfail|-c|-o"
    r"|--noconftest|--confcutdir|--rootdir|--override-ini|-W(?! ?error)|--pythonwarnings|--disable-warnings"
    r"|--last-failed|--lf|--maxfail|-x|--exitfirst|--pyargs)([ =].*|(?<=^-\w).+)?"
)
Value = str | float | bool | tuple[str, ...] | None
Settings = dict[str, tuple[Value, str]]


def weakened_settings(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Iterator[Weakening]:
    """Yield which settings of the tools are lower in the second tree."""
    for tool, sources in _SOURCES.items():
        places = [each.split("=") for each in sources.split()]
        if all(base.get(path) == head.get(path) for path, _ in places):
            continue
        old, new = _settings(base, places, tool == "pytest"), _settings(head, places, tool == "pytest")
        if old and not new and tool != "pytest":
            path = next(iter(old.values()))[1]
            yield Weakening("settings", path, 1, f"the settings of {tool} are gone", "", True)
            continue
        # A tool that is new is no weakening, but for what coverage leaves out.
        names = old.keys() | new.keys() if old or tool == "pytest" else ()
        if tool == "coverage" and not old:
            names = {name for name in new if _MORE.fullmatch(name.rpartition(".")[2])}
        for name in sorted(names):
            was, now = old.get(name, (None, ""))[0], new.get(name, (None, ""))[0]
            if reason := _lowered(tool, name, was, now, head):
                path = (new.get(name) or old[name])[1]
                line = _line(head.get(path, b""), name)
                yield Weakening("settings", path, line, f"{tool}: `{name}` {reason}", "", path not in head)


def _lowered(tool: str, name: str, was: Value, now: Value, head: Mapping[str, bytes]) -> str:
    """Return how a setting lets a tool do less or overlook more, or an empty string."""
    changed = f"is {short(_said(now))}" + (f" where it was {short(_said(was))}" if was is not None else " now")
    if was == now:
        return ""
    if tool != "pytest" or name not in ("testpaths", "addopts", "filterwarnings", "pythonpath"):
        return changed if _is_weaker(name, was, now) else ""
    if name == "testpaths":
        lost = [path for path in head if is_test_code(path) and not _below(path, now) and _below(path, was)]
        return f"leaves out {short(min(lost))}" if lost and now is not None else ""
    if name == "pythonpath":
        return changed if was is not None and now is not None else ""
    split = _options if name == "addopts" else _lines
    fresh = [each for each in split(now) if each not in split(was)]
    lost = [each for each in split(was) if each not in split(now)]
    if name == "filterwarnings":
        fresh = [each for each in fresh if not each.startswith(("error", "once", "always"))]
        lost = [each for each in lost if each.startswith("error")]
    else:
        lost = [each for each in lost if _is_lost(each, fresh)]
        fresh = [each for each in fresh if _NARROWING.fullmatch(each)]
    return f"has {short((fresh or lost)[0])} {'now' if fresh else 'no more'}" if fresh or lost else ""


def _is_weaker(name: str, was: Value, now: Value) -> bool:
    last = "per_file_ignores" if "per_file_ignores" in name else name.rpartition(".")[2]
    is_more, is_number = bool(_MORE.fullmatch(last)), last.startswith(("max_", "fail_under"))
    if not is_more and not _LESS.fullmatch(last):
        return False
    before, after = (_number(each) if is_number else _RANKS.get(str(each).lower()) for each in (was, now))
    if (was is None or before is not None) and (now is None or after is not None):
        if before is None or after is None:
            # Nothing said is no limit, off, or as strict as the tool is by itself.
            is_gone = before is not None and (is_number or not is_more) and bool(before or is_more)
            return is_gone or (after is not None and not is_number and (after > 0 if is_more else after < _FULL))
        return after > before if is_more else after < before
    had, have = (_words(_DEFAULTS.get(name) if each is None else each) for each in (was, now))
    if is_more:
        return bool({*have} - {*had} - {"pragma: no cover"})
    if last in _LIMITS and (was is None or now is None):
        return was is None
    kept = tuple(f"{each}/" for each in have)
    return "ALL" not in have and any(each not in have and not each.startswith(kept) for each in had)


def _number(value: Value) -> float | None:
    try:
        return float(value) if isinstance(value, str | int | float) else None
    except ValueError:
        return None


def _words(value: Value) -> list[str]:
    return list(value) if isinstance(value, tuple) else [each for each in re.split(r"[,\s]+", str(value or "")) if each]


def _said(value: Value) -> str:
    return "not set" if value is None else " ".join(value) if isinstance(value, tuple) else str(value)


def _below(path: str, folders: Value) -> bool:
    names = [each.removeprefix("./").rstrip("/") for each in _words(folders)]
    return not names or any(
        name in ("", ".", path) or path.startswith(f"{name}/") or fnmatchcase(path, f"{name}/*") for name in names
    )


def _lines(value: Value) -> list[str]:
    lines = value if isinstance(value, tuple) else str(value or "").splitlines()
    return [each.strip() for each in lines if each.strip() and not each.strip().startswith("#")]


def _options(value: Value) -> list[str]:
    """Return the options, each with what stands behind it."""
    text = " ".join(value) if isinstance(value, tuple) else re.sub(r"(^|\s)#.*", "", str(value or ""))
    return [" ".join(each.split()) for each in re.split(r"\s+(?=-)", f" {text}") if each.strip()]


def _is_lost(option: str, fresh: list[str]) -> bool:
    """Return whether a strict option is gone, and not there with a number at least as large."""
    name, _, value = option.replace("=", " ").partition(" ")
    others = [each.replace("=", " ").partition(" ") for each in fresh]
    numbers = [_number(each[2]) for each in others if each[0] == name]
    least = _number(value)
    is_there = least is not None and any(each is not None and each >= least for each in numbers)
    return bool(_STRICT_OPTIONS.fullmatch(option)) and not is_there


def _settings(files: Mapping[str, bytes], places: list[list[str]], is_first_alone: bool) -> Settings:
    found: Settings = {}
    for path, prefix in places:
        if path not in files or (found and is_first_alone):
            continue
        table = _read(path, files[path])
        own = {name: (value, path) for full, value in table.items() if (name := _within(full, prefix))}
        found |= own
        if is_first_alone and path in ("pytest.ini", ".pytest.ini"):
            break
    return found


def _within(full: str, prefix: str) -> str:
    """Return a setting's name below the prefix, with ruff's old and new sections taken for one."""
    name = full[len(prefix) :].lstrip(".:-").replace("-", "_").lower() if full.startswith(prefix) else ""
    return re.sub(r"^(lint|mypy|pylint|pytest|flake8)\.", "", name)


def _read(path: str, content: bytes) -> dict[str, Value]:
    """Return the settings of a file by their full names; nothing if it cannot be read."""
    text = content.decode("utf-8", "replace").removeprefix("\ufeff")
    found = dict[str, Value]()
    try:
        if path.endswith((".toml", ".json")):
            _flatten(tomllib.loads(text) if path.endswith(".toml") else json.loads(text), "", found)
        else:
            parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
            parser.read_string(text)
            for section in parser.sections():
                found |= {f"{section}.{name}": value or "" for name, value in parser.items(section)}
    except (ValueError, configparser.Error, RecursionError):
        return {}
    return found


def _flatten(value: object, name: str, found: dict[str, Value]) -> None:
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        labels = [each.get("module", place) if isinstance(each, dict) else place for place, each in enumerate(value)]
        value = {
            "+".join(map(str, label)) if isinstance(label, list) else label: each
            for label, each in zip(labels, value, strict=True)
        }
    if isinstance(value, dict):
        for each, inner in value.items():
            _flatten(inner, f"{name}.{each}".lstrip("."), found)
    elif isinstance(value, list):
        found[name] = tuple(map(str, value))
    else:
        found[name] = value if isinstance(value, bool | int | float | str) else str(value)


def _line(content: bytes, name: str) -> int:
    """Return the first line of the file that begins with the last part of the setting's name; 1 if there is none."""
    last = re.escape(name.rpartition(".")[2]).replace("_", "[-_]")
    found = re.search(rf'^[ \t]*"?{last}\b', content.decode("utf-8", "replace"), re.IGNORECASE | re.MULTILINE)
    return found.string.count("\n", 0, found.start()) + 1 if found else 1
