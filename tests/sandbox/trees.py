"""Trees of files whose tests are run in the sandbox, and what an ordinary run of pytest says of them outside."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest

from probatum.changes.project import ProjectSetup
from probatum.changes.suite import Suite
from probatum.changes.versions.trees import TreeFile
from probatum.core.errors import NotAttemptedError
from probatum.sandbox.environment import Environment, environment_named, own_environment
from probatum.sandbox.suites import PlantedFault, SuiteOrder, run_suite
from tests.sandbox.worlds import SECRET

_OF_PYTEST = ("_pytest", "pytest", "pluggy", "iniconfig", "packaging", "pygments", "py")
PATIENCE = 240.0
"""Seconds after which a run on a very busy machine is given up."""


def suite_of(
    root: Path, files: Mapping[str, str], python: Environment | None = None, patience: float = PATIENCE
) -> Suite:
    """Return the tests of a tree that lies nowhere: its folder is there, its files are in memory alone."""
    root.mkdir(parents=True, exist_ok=True)
    made = {path: TreeFile(dedent(text).encode()) for path, text in files.items()}
    return Suite(ProjectSetup(str(root), python or own_environment(), patience=patience), made)


def order_of(suite: Suite, **changes: object) -> SuiteOrder:
    """Return the order to run them, with a backstop for each fault as for the whole."""
    return replace(suite.order(), patience_each=PATIENCE, **changes)  # type: ignore[arg-type]  # fields of the order


def need_namespaces(root: Path) -> None:
    """Skip where this machine has no namespaces: reported as not run, never as passed."""
    try:
        run_suite(suite_of(root, {}).order())
    except NotAttemptedError as error:
        pytest.skip(f"not run on this machine: {error}")


@contextmanager
def secret_outside() -> Iterator[None]:
    """Have a secret in the environment of this process meanwhile."""
    os.environ["CANARY"] = SECRET
    try:
        yield
    finally:
        del os.environ["CANARY"]


def small_environment(folder: Path, interpreter: str = sys.executable) -> Environment:
    """Return a new environment with pytest alone in it: it starts in a fraction of the time of our own."""
    asked = [interpreter, "-c", "import os, sys; print(os.path.realpath(sys.executable)); print(*sys.version_info[:2])"]
    real, numbers = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
    place = folder / "lib" / "python{}.{}".format(*numbers.split()) / "site-packages"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(real)
    (folder / "pyvenv.cfg").write_text(f"home = {Path(real).parent}\ninclude-system-site-packages = false\n")
    for name in _OF_PYTEST:
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        if spec.submodule_search_locations:
            shutil.copytree(Path(spec.origin).parent, place / name)
        else:
            shutil.copy(spec.origin, place)
    return environment_named(str(folder))


def newer_interpreter() -> str:
    """Return a newer Python than our own; skips where none is installed."""
    major, minor = sys.version_info[:2]
    for number in range(minor + 1, minor + 6):
        found = shutil.which(f"python{major}.{number}")
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            return found
    pytest.skip(f"not run: there is no Python later than {major}.{minor} on PATH")


def fault(name: str, path: str, before: str, old: str, new: str, *tests: str, at_import: bool = False) -> PlantedFault:
    """Return a file with a piece of it replaced, and the tests that could notice."""
    text = dedent(before)
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
    return PlantedFault(name, path, text.replace(old, new).encode(), tests, at_import)


def is_noticed_outside(python: Environment, folder: Path, files: Mapping[str, str], planted: PlantedFault) -> bool:
    """Tell whether an ordinary run of pytest on the mutated file fails."""
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(dedent(text))
    (folder / planted.path).write_bytes(planted.source)
    command = [str(Path(python.packages[0]).parents[2] / "bin" / "python"), "-B", "-m", "pytest", "-q", "-x"]
    command += ["-p", "no:cacheprovider", "--rootdir", str(folder), *planted.tests]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1, 2, 4}, done.stdout + done.stderr
    return done.returncode != 0
