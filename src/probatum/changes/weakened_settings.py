"""Finds what a change lowers in the settings of pytest, coverage, linters and type checkers.

The settings of a tool are compared as a whole, wherever they are written, so that moving them to another file is no
weakening. Only the files at the root of the repository count, as the tools read them. A file that cannot be read is
taken for one without settings.
"""

from __future__ import annotations

import configparser
import json
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final

from probatum.changes.weakened_kinds import Weakening, is_test_code, short

# File, prefix of the sections, tool. Of several for pytest the first that exists counts alone, as pytest has it.
_SOURCES: Final = (
    ("pytest.toml", "pytest", "pytest"),
    (".pytest.toml", "pytest", "pytest"),
    ("pytest.ini", "pytest", "pytest"),
    (".pytest.ini", "pytest", "pytest"),
    ("pyproject.toml", "tool.pytest.ini_options", "pytest"),
    ("pyproject.toml", "tool.pytest", "pytest"),
    ("tox.ini", "pytest", "pytest"),
    ("setup.cfg", "tool:pytest", "pytest"),
    (".coveragerc", "", "coverage"),
    ("pyproject.toml", "tool.coverage", "coverage"),
    ("setup.cfg", "coverage:", "coverage"),
    ("tox.ini", "coverage:", "coverage"),
    ("mypy.ini", "", "mypy"),
    (".mypy.ini", "", "mypy"),
    ("setup.cfg", "mypy", "mypy"),
    ("tox.ini", "mypy", "mypy"),
    ("pyproject.toml", "tool.mypy", "mypy"),
    ("pyrightconfig.json", "", "pyright"),
    ("pyproject.toml", "tool.pyright", "pyright"),
    ("ruff.toml", "", "ruff"),
    (".ruff.toml", "", "ruff"),
    ("pyproject.toml", "tool.ruff", "ruff"),
    (".flake8", "flake8", "flake8"),
    ("setup.cfg", "flake8", "flake8"),
    ("tox.ini", "flake8", "flake8"),
    (".pylintrc", "", "pylint"),
    ("pylintrc", "", "pylint"),
    ("pyproject.toml", "tool.pylint", "pylint"),
)
# How the last part of a setting's name (with `_` for `-`) says in which direction it gets weaker.
_GROWS: Final = re.compile(
    r"(extend_)?(ignore|exclude)|(extend_)?per_file_ignores(\..*)?|disable|disable_error_code|omit|exclude_lines"
    r"|exclude_also|partial_branches|ignored?_(modules|paths|patterns|classes)|norecursedirs|usefixtures"
)
_SHRINKS: Final = re.compile(
    r"(extend_)?select|enable|enable_error_code|files|packages|plugins|source|source_pkgs|include|strict"
)
_STRICT: Final = re.compile(
    r"strict|strict_\w+|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|xfail_strict|branch|extra_checks"
    r"|report\w+|local_partial_types"
)
_LOOSE: Final = re.compile(r"ignore_(missing_imports|errors)|allow_\w+|implicit_(optional|reexport)|exit_zero")
_LOWERED: Final = re.compile(r"fail_under")
_RAISED: Final = re.compile(r"max_(complexity|branches|statements|returns|args|doc_length|cognitive_complexity)")
_LEVELS: Final = (
    "none",
    "off",
    "false",
    "hint",
    "information",
    "silent",
    "skip",
    "basic",
    "warning",
    "standard",
    "strict",
    "error",
    "true",
    "normal",
)
_LEVELLED: Final = re.compile(r"report\w+|typecheckingmode|follow_imports")
_STRICT_OPTIONS: Final = (
    "--strict",
    "--strict-markers",
    "--strict-config",
    "--doctest-modules",
    "--doctest-glob",
    "-W",
    "--cov-fail-under",
)
_NARROWING: Final = re.compile(
    r"--deselect|--ignore|--ignore-glob|-k|-m|-p|--co|--collect-only|--no-cov|--runxfail|--noconftest|--confcutdir|-c"
    r"|--rootdir|-o|--override-ini|-W|--pythonwarnings|--disable-warnings|--last-failed|--lf|--maxfail|-x|--exitfirst|--pyargs"
)
_DEFAULTS: Final = {
    "python_files": ("test_*.py", "*_test.py"),
    "python_classes": ("Test",),
    "python_functions": ("test",),
}
Value = str | float | bool | tuple[str, ...]
Settings = dict[str, tuple[Value, str]]


def weakened_settings(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Iterator[Weakening]:
    """Yield which settings of the tools are lower in the second tree."""
    if all(base.get(name) == head.get(name) for name, _, _ in _SOURCES):
        return
    before, after = _all_settings(base), _all_settings(head)
    yield from _pytest(before.pop("pytest", {}), after.pop("pytest", {}), base, head)
    for tool in sorted(before):
        old, new = before[tool], after.get(tool, {})
        kind = "coverage" if tool == "coverage" else "lint"
        if not new:
            path = next(iter(old.values()))[1]
            yield Weakening(kind, path, 1, f"the settings of {tool} are gone", "", True)
            continue
        for name in sorted(old.keys() | new.keys()):
            was, now = old.get(name, (None, ""))[0], new.get(name, (None, ""))[0]
            reason = _weaker(
                name.rpartition(".")[2] if "per_file" not in name else name[name.index("per_file") :], was, now
            )
            if reason and was != now:
                yield _told(kind, name, f"{tool}: `{name}` {reason}", old, new, head)
    for name, (value, path) in sorted(after.get("coverage", {}).items()):
        if "coverage" not in before and _GROWS.fullmatch(name.rpartition(".")[2]):
            text = f"coverage: `{name}` leaves out {short(_said(value))}"
            yield Weakening("coverage", path, _line(head[path], name), text)


def _told(kind: str, name: str, text: str, old: Settings, new: Settings, head: Mapping[str, bytes]) -> Weakening:
    path = new[name][1] if name in new else old[name][1]
    content = head.get(path)
    return Weakening(kind, path, _line(content, name), text, "", content is None)


def _weaker(name: str, was: Value | None, now: Value | None) -> str:
    """Return how a setting is lower than before, or an empty string."""
    if was == now:
        return ""
    if _LEVELLED.fullmatch(name) and not isinstance(was, tuple) and not isinstance(now, tuple):
        ranks = [_LEVELS.index(text) if (text := str(each).lower()) in _LEVELS else None for each in (was, now)]
        if ranks[1] is not None and (ranks[0] is None or ranks[1] < ranks[0]) and ranks[1] < _LEVELS.index("error"):
            return f"is {short(_said(now))}" + (f" where it was {short(_said(was))}" if was is not None else " now")
        return ""
    if _GROWS.fullmatch(name):
        grown = [each for each in _words(now) if each not in _words(was) and each != "pragma: no cover"]
        return f"has {short(' '.join(grown))} added" if grown else ""
    if _STRICT.fullmatch(name) and not isinstance(was, tuple):
        return "is off now" if was in (True, "true", "True", "yes", "1", "on") and not _is_on(now) else _off(was, now)
    if _LOOSE.fullmatch(name):
        return "is on now" if _is_on(now) else ""
    if _LOWERED.fullmatch(name) or _RAISED.fullmatch(name):
        old, new = _number(was), _number(now)
        if _RAISED.fullmatch(name):
            old, new = -(old if old is not None else 10**9), -(new if new is not None else 10**9)
            return f"is {_said(now)} where it was {_said(was)}" if new < old and was is not None else ""
        return f"is {_said(now)} where it was {_said(was)}" if (new or 0) < (old or 0) else ""
    if _SHRINKS.fullmatch(name) and (now is not None or name != "files"):
        kept = _words(now)
        gone = [each for each in _words(was) if not any(each == one or each.startswith(f"{one}/") for one in kept)]
        gone = [] if "ALL" in kept else gone
        narrowed = name in ("files", "packages", "source", "source_pkgs", "include")
        if narrowed and was is None:
            return f"limits it to {short(_said(now))}"
        return f"has {short(' '.join(gone))} no more" if gone and (now is not None or not narrowed) else ""
    return ""


def _off(was: Value | None, now: Value | None) -> str:
    return "is off now" if was is None and now in (False, "false", "False", "no", "0", "off") else ""


def _is_on(value: Value | None) -> bool:
    return value in (True, "true", "True", "yes", "1", "on")


def _number(value: Value | None) -> float | None:
    try:
        return float(value) if isinstance(value, str | int | float) else None
    except ValueError:
        return None


def _words(value: Value | None) -> list[str]:
    if isinstance(value, tuple):
        return list(value)
    return [each for each in re.split(r"[,\s]+", str(value)) if each] if isinstance(value, str) else []


def _said(value: Value | None) -> str:
    return "not set" if value is None else " ".join(value) if isinstance(value, tuple) else str(value)


def _pytest(old: Settings, new: Settings, base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Iterator[Weakening]:
    for name in sorted(old.keys() | new.keys()):
        was, now = old.get(name, (None, ""))[0], new.get(name, (None, ""))[0]
        text = "" if was == now else _pytest_weaker(name, was, now, head)
        if text:
            yield _told("pytest_settings", name, text, old, new, head)


def _pytest_weaker(name: str, was: Value | None, now: Value | None, head: Mapping[str, bytes]) -> str:
    """Return how a setting of pytest lets it run less or overlook more, or an empty string."""
    if name == "testpaths":
        lost = [path for path in head if is_test_code(path) and not _below(path, now) and _below(path, was)]
        return f"`testpaths` leaves out {short(min(lost))}" if lost and now is not None else ""
    if name in _DEFAULTS:
        gone = set(_words(was) or _DEFAULTS[name]) - set(_words(now) or _DEFAULTS[name])
        return f"`{name}` has {short(' '.join(sorted(gone)))} no more" if gone else ""
    if name == "addopts":
        return _options(_shell(was), _shell(now))
    if name == "filterwarnings":
        earlier, later = _lines(was), _lines(now)
        grown = [each for each in later if each not in earlier and not each.startswith(("error", "once", "always"))]
        lifted = [each for each in earlier if each not in later and each.startswith("error")]
        if grown or lifted:
            return f"`filterwarnings` has {short((grown or lifted)[0])} " + ("added" if grown else "no more")
        return ""
    if name == "pythonpath":
        return f"`pythonpath` is {short(_said(now))} now" if was is not None and now is not None else ""
    reason = _weaker(name, was, now)
    return f"`{name}` {reason}" if reason else ""


def _below(path: str, folders: Value | None) -> bool:
    names = [each.removeprefix("./").rstrip("/") for each in _words(folders)]
    return not names or any(
        name in ("", ".") or path == name or path.startswith(name + "/") or fnmatchcase(path, name + "/*")
        for name in names
    )


def _lines(value: Value | None) -> list[str]:
    lines = value if isinstance(value, tuple) else str(value or "").splitlines()
    return [each.strip() for each in lines if each.strip() and not each.strip().startswith("#")]


def _shell(value: Value | None) -> list[str]:
    if isinstance(value, tuple):
        return list(value)
    try:
        return shlex.split(str(value or ""), comments=True)
    except ValueError:
        return str(value or "").split()


def _options(was: list[str], now: list[str]) -> str:
    """Return which option makes pytest run less, or an empty string. Options and their values are read as pairs."""
    before, after = _pairs(was), _pairs(now)
    for option, value in after:
        if (option, value) not in before and _NARROWING.fullmatch(option):
            harmless = (option == "-p" and value == "no:cacheprovider") or (
                option == "-W" and value.startswith("error")
            )
            if not harmless:
                return f"`addopts` has {short(f'{option} {value}'.strip())} now"
    for option, value in before:
        if option in _STRICT_OPTIONS and (option, value) not in after:
            other = next((text for name, text in after if name == option), None)
            number, given = _number(other), _number(value)
            if number is None or given is None or number < given:
                return f"`addopts` has {short(f'{option} {value}'.strip())} no more"
    return ""


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    found = list[tuple[str, str]]()
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) and not words[place + 1].startswith("-") else ""
        if word.startswith("--"):
            option, equals, value = word.partition("=")
            found.append((option, value if equals else following))
        elif word.startswith("-"):
            takes = word[:2] in ("-k", "-m", "-p", "-W", "-o", "-c")
            found.append((word[:2], (word[2:] or following) if takes else "") if takes else (word, ""))
    return found


def _all_settings(files: Mapping[str, bytes]) -> dict[str, Settings]:
    found = dict[str, Settings]()
    tables = dict[str, dict[str, Value]]()
    for path, prefix, tool in _SOURCES:
        if path not in files or (tool == "pytest" and "pytest" in found):
            continue
        if path not in tables:
            tables[path] = _read(path, files[path])
        own = {
            name: (value, path) for full, value in tables[path].items() if (name := _within(full, prefix)) is not None
        }
        if own or path in ("pytest.ini", ".pytest.ini"):
            found.setdefault(tool, {}).update(own)
    return found


def _within(full: str, prefix: str) -> str | None:
    """Return a setting's name below the prefix, with ruff's old and new sections taken for one."""
    if not full.startswith(prefix):
        return None
    name = full[len(prefix) :].lstrip(".:-").replace("-", "_").lower()
    return re.sub(r"^(lint|mypy|pylint)\.|^(pytest|flake8)\.", "", name) or None


def _read(path: str, content: bytes) -> dict[str, Value]:
    """Return the settings of a file by their full names; nothing if it cannot be read."""
    text = content.decode("utf-8", "replace").removeprefix("\ufeff")
    found = dict[str, Value]()
    try:
        if path.endswith(".toml"):
            _flatten(tomllib.loads(text), "", found)
        elif path.endswith(".json"):
            _flatten(json.loads(text), "", found)
        else:
            parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
            parser.read_string(text)
            for section in parser.sections():
                found |= {f"{section}.{name}": value or "" for name, value in parser.items(section)}
    except (ValueError, configparser.Error, RecursionError):
        return {}
    return found


def _flatten(value: object, name: str, found: dict[str, Value]) -> None:
    if isinstance(value, dict):
        for each, inner in value.items():
            _flatten(inner, f"{name}.{each}" if name else str(each), found)
    elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
        for place, each in enumerate(value):
            label = each.get("module", place) if isinstance(each, dict) else place
            _flatten(each, f"{name}.{'+'.join(label) if isinstance(label, list) else label}", found)
    elif isinstance(value, list):
        found[name] = tuple(map(str, value))
    else:
        found[name] = value if isinstance(value, bool | int | float | str) else str(value)


def _line(content: bytes | None, name: str) -> int:
    """Return the first line of the file that begins with the last part of the setting's name; 1 if there is none."""
    last = name.rpartition(".")[2].replace("_", "[-_]")
    pattern = re.compile(rf'^\s*"?({last})\b', re.IGNORECASE) if last.replace("[-_]", "").isalnum() else None
    lines = (content or b"").decode("utf-8", "replace").splitlines() if pattern else []
    return next((number for number, line in enumerate(lines, 1) if pattern and pattern.match(line)), 1)
