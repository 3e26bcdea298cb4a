"""A scratch clone of a repository: versions laid out in it, their tests run plainly by pytest, commits made of them.

The clone that is measured is only read. Refuses nothing of a project: what does not end in its time, or cannot be
collected, is an end like any other.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PATIENCE = 120.0
_IDENTITY = {"GIT_AUTHOR_NAME": "bench", "GIT_AUTHOR_EMAIL": "b@example.org"}
_IDENTITY |= {"GIT_COMMITTER_NAME": "bench", "GIT_COMMITTER_EMAIL": "b@example.org"}
_DATES = {"GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z"}

Files = Mapping[str, bytes | None]
"""Content by path, laid over a version; None where there is no such file."""

_CALLING = """
import ast, importlib, itertools, json, sys
asked = json.load(sys.stdin)
function = getattr(importlib.import_module(asked["module"]), asked["name"])
told = []
for args in asked["calls"]:
    try:
        values, named = list(map(ast.literal_eval, args)), asked["keywords"]
        first = len(values) - len(named)
        value = function(*values[:first], **dict(zip(named, values[first:])))
        value = list(itertools.islice(value, 50)) if hasattr(value, "__next__") else value
        told.append(f"{type(value).__name__} {value!r}")
    except Exception as error:
        told.append(f"raises {type(error).__name__}")
sys.stdout.write("\\n" + json.dumps(told))
"""


@dataclass(frozen=True, slots=True)
class EndOfTest:
    """How one test ended; where it failed by frames in files of tests, and what its assertion computed."""

    outcome: str
    is_assertion: bool = False
    frames: tuple[tuple[str, int], ...] = ()
    computed: str = ""
    side: str = ""
    called: tuple[str, list[str], dict[str, str], str] | None = None
    params: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of tests: empty where it did not end."""

    tests: Mapping[str, EndOfTest]
    uncollected: tuple[str, ...]
    calls: Mapping[str, list[list[str]]]
    seconds: float
    """Of a processor, so that a busy machine decides nothing."""

    def passing(self) -> frozenset[str]:
        """Return the tests that passed."""
        return frozenset(name for name, end in self.tests.items() if end.outcome == "passed")

    def failing(self) -> dict[str, EndOfTest]:
        """Return the tests that failed."""
        return {name: end for name, end in self.tests.items() if end.outcome == "failed"}


class Scratch:
    """A clone of its own that shares the objects of another one."""

    def __init__(self, clone: Path, folder: Path, python: Path) -> None:
        self.root = (folder / clone.name).resolve()
        self._python, self._reporter = python, folder / "plugin"
        self._laid: set[str] = set()
        self._reporter.mkdir(exist_ok=True)
        source = Path(__file__).with_name("reporter.py").read_text(encoding="utf-8")
        (self._reporter / "trial_reporter.py").write_text(source, encoding="utf-8")
        whole = ["git", "clone", "--shared", "--no-checkout", "--quiet", str(clone.resolve()), str(self.root)]
        subprocess.run(whole, check=True, capture_output=True)

    def git(self, *words: str) -> bytes:
        """Return what git says; raises CalledProcessError where it fails."""
        command = ["git", "-C", str(self.root), "-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false", *words]
        environment = {**os.environ, **_IDENTITY, **_DATES}
        return subprocess.run(command, check=True, capture_output=True, env=environment).stdout

    def at(self, commit: str) -> None:
        """Lay out a commit."""
        self.git("checkout", "--quiet", "--force", "--detach", commit)
        self.git("clean", "-ffdxq")
        self._laid = set()

    def read(self, commit: str, path: str) -> bytes | None:
        """Return a file of a commit, None where it is not there."""
        try:
            return self.git("cat-file", "blob", f"{commit}:{path}")
        except subprocess.CalledProcessError:
            return None

    def lay(self, files: Files) -> None:
        """Lay these files over the commit that is laid out, in place of those that were laid before."""
        for path in self._laid - files.keys():
            self._write(path, self.read("HEAD", path))
        for path, content in files.items():
            self._write(path, content)
        self._laid = set(files)

    def _write(self, path: str, content: bytes | None) -> None:
        place = self.root / path
        if content is None:
            place.unlink(missing_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)

    def environment(self) -> dict[str, str]:
        """Return the surroundings of a run: sources first, nothing written beside them."""
        first = (self.root / "src", self.root, self._reporter)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
        return {**kept, "PYTHONPATH": ":".join(map(str, first)), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}

    def trial(self, files: Files, tests: Sequence[str], watched: str = "") -> Trial:
        """Run files of tests with these files laid over; ``watched`` names one whose calls are written down."""
        self.lay(files)
        report = self._reporter / "report.json"
        report.unlink(missing_ok=True)
        present = [path for path in tests if (self.root / path).exists()]
        words = [str(self._python), "-m", "pytest", "-q", "-p", "trial_reporter", "-p", "no:cacheprovider"]
        words += ["-p", "no:randomly", "-p", "no:xdist", "-o", "addopts=", "--tb=no", "--rootdir", str(self.root)]
        words += ["--continue-on-collection-errors", *present]
        asked = {"TRIAL_REPORT": str(report), "TRIAL_CALLS": str(self.root / watched) if watched else ""}
        begin = _processor_seconds()
        try:
            environment = {**self.environment(), **asked}
            subprocess.run(words, cwd=self.root, env=environment, capture_output=True, timeout=_PATIENCE, check=False)
            told = json.loads(report.read_text(encoding="utf-8"))
        except (subprocess.TimeoutExpired, OSError, ValueError):
            return Trial({}, tuple(present), {}, _processor_seconds() - begin)
        seconds = _processor_seconds() - begin
        ends = {name: _end_of(end) for name, end in told["tests"].items()}
        return Trial(ends, tuple(told["uncollected"]), told["calls"], seconds)

    def plain_seconds(self, tests: Sequence[str]) -> float:
        """Return how long pytest takes for these files as they are laid out, with nothing of ours."""
        present = [path for path in tests if (self.root / path).exists()]
        words = [str(self._python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", *present]
        begin = time.perf_counter()
        try:
            subprocess.run(
                words, cwd=self.root, env=self.environment(), capture_output=True, timeout=_PATIENCE, check=False
            )
        except subprocess.TimeoutExpired:
            return _PATIENCE
        return time.perf_counter() - begin

    def answers(
        self, files: Files, path: str, name: str, calls: Sequence[Sequence[str]], keywords: Sequence[str]
    ) -> list[str]:
        """Return what a function of a file gives for calls, as texts; nothing where it cannot be imported.

        The last arguments of each call are given by these keywords.
        """
        self.lay(files)
        module = path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        asked = json.dumps({"module": module, "name": name, "calls": calls, "keywords": keywords}).encode()
        words = [str(self._python), "-c", _CALLING]
        try:
            ended = subprocess.run(
                words, cwd=self.root, env=self.environment(), input=asked, capture_output=True, timeout=20, check=True
            )
            told: list[str] = json.loads(ended.stdout.splitlines()[-1])
        except (subprocess.SubprocessError, ValueError, IndexError):
            return []
        return told

    def commit(self, parent: str, files: Files, message: str) -> str:
        """Return a new commit on ``parent`` of what is laid out with these files over it."""
        here = self.git("rev-parse", "HEAD").decode().strip()
        self.lay(files)
        self.git("reset", "--soft", parent)
        self.git("add", "--force", "--all", "--", *(path for path in files if self._is_known(here, path)))
        self.git("commit", "--quiet", "--allow-empty", "--allow-empty-message", "--no-verify", "--message", message)
        made = self.git("rev-parse", "HEAD").decode().strip()
        self.at(here)
        return made

    def _is_known(self, commit: str, path: str) -> bool:
        return (self.root / path).exists() or self.read(commit, path) is not None


def _processor_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _end_of(told: Mapping[str, object]) -> EndOfTest:
    frames, called, params = told.get("frames", []), told.get("called"), told.get("params")
    assert isinstance(frames, list)
    return EndOfTest(
        str(told["outcome"]),
        bool(told.get("is_assertion")),
        tuple((str(path), int(line)) for path, line in frames),
        str(told.get("computed", "")),
        str(told.get("side", "")),
        (str(called[0]), called[1], called[2], str(called[3])) if isinstance(called, list) else None,
        params if isinstance(params, dict) else None,
    )
