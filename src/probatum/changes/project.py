"""How the tests of a project are run: with which Python, which options of pytest, and what is imported first.

Tests run as the project runs them, but for what measures, repeats or spreads them: coverage, reports and worker
processes are left out of the options, since the judge measures and repeats by itself.
"""

from __future__ import annotations

import configparser
import shlex
import tomllib
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from probatum.sandbox.environment import Environment, environment_named, own_environment

_VIRTUAL: Final = (".venv", "venv")
_LEFT_OUT: Final = (
    *("--cov", "--no-cov", "--junit", "--html", "--self-contained-html", "--durations", "--numprocesses", "--dist"),
    *("--maxprocesses", "--tx", "--reruns", "--benchmark", "--report-log", "--json-report", "--color", "--profile"),
    *("--random-order", "--randomly", "--timeout", "--forked", "--pdb", "--exitfirst", "--maxfail", "--lf", "--ff"),
    *("--stepwise", "--sw", "--cache", "--last-failed", "--failed-first", "--instafail", "--picked", "--testmon"),
)
_LEFT_OUT_WITH_VALUE: Final = ("-n", "--numprocesses", "--dist", "--durations", "--maxfail", "--reruns", "--timeout")
_LETTERS: Final = frozenset({"-x", "-s", "-v", "-vv", "-vvv", "-q", "-qq", "-l"})
_ALWAYS: Final = (
    *("-o", "cache_dir=/tmp/pytest_cache", "-p", "no:randomly", "-p", "no:random_order", "-p", "no:probatum"),
    *("-q", "--color=no", "--tb=short", "--continue-on-collection-errors"),
)
_INI: Final = (("pytest.ini", "pytest"), (".pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest"))


@dataclass(frozen=True, slots=True)
class ProjectSetup:
    """How one project's tests are run."""

    root: str
    python: Environment
    has_network: bool = False
    # Whether all tests are run in each way, not only those that run something changed.
    takes_all_tests: bool = False
    # Seconds on the clock that one run may take: a backstop.
    patience: float = 600.0


def python_of(root: Path, named: str | None, tracked: Collection[str]) -> Environment:
    """Return the Python that runs the tests of a project: the one that is named, its virtual environment, or our own.

    An environment that is part of a version, by the paths of its files, is not believed: asking it what it is would
    run what the change brings. Raises UsageError as `environment_named` does.
    """
    if named is not None:
        return environment_named(named)
    for name in _VIRTUAL:
        if any(path == name or path.startswith(f"{name}/") for path in tracked):
            continue
        if (root / name / "bin" / "python").exists():
            return environment_named(str(root / name))
    return own_environment()


def options_of(root: str, contents: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the options that pytest gets for a tree; the configuration in the tree says the rest."""
    kept = " ".join(map(shlex.quote, _kept(_added(contents))))
    return (*_ALWAYS, "--rootdir", root, "-o", f"addopts={kept}")


def first_of(contents: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the folders of a tree that are imported from first: as ``python -m pytest`` does, and ``src``."""
    has_sources = any(path.startswith("src/") and path.endswith(".py") for path in contents)
    return ("src", "") if has_sources and "src/__init__.py" not in contents else ("",)


def _added(contents: Mapping[str, bytes]) -> list[str]:
    """Return the options that the configuration of pytest adds; the first file that configures pytest counts."""
    for name, section in _INI[:2]:
        if name in contents:
            return _split(_of_ini(contents[name], section) or "")
    found = _of_toml(contents.get("pyproject.toml", b""))
    for name, section in _INI[2:]:
        found = _of_ini(contents.get(name, b""), section) if found is None else found
    return found if isinstance(found, list) else _split(found or "")


def _of_ini(content: bytes, section: str) -> str | None:
    parser = configparser.RawConfigParser(strict=False)
    with suppress(configparser.Error):
        parser.read_string(content.decode("utf-8", "replace"))
        return parser.get(section, "addopts", fallback="") if parser.has_section(section) else None
    return None


def _of_toml(content: bytes) -> str | list[str] | None:
    try:
        told: object = tomllib.loads(content.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    for key in ("tool", "pytest"):
        told = told.get(key) if isinstance(told, dict) else None
    if not isinstance(told, dict):
        return None
    options = told.get("ini_options", told)
    added = options.get("addopts", "") if isinstance(options, dict) else ""
    return [str(each) for each in added] if isinstance(added, list) else str(added)


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _kept(words: list[str]) -> Iterator[str]:
    is_value = False
    for index, word in enumerate(words):
        name = word.partition("=")[0]
        if is_value:
            is_value = False
        elif name in _LEFT_OUT_WITH_VALUE or name.startswith(_LEFT_OUT):
            following = words[index + 1 : index + 2]
            takes = name in (*_LEFT_OUT_WITH_VALUE, "--cov", "--cov-report", "--cov-config", "--junitxml", "--html")
            is_value = takes and "=" not in word and bool(following) and not following[0].startswith("-")
        elif word not in _LETTERS and not (word.startswith("-n") and word[2:].isalnum()):
            yield word
