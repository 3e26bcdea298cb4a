"""Verdicts for one process of pytest: its items and the fixture ``probatum`` share one service and one warm sandbox.

`opened` is the one place where the service and its options are made. Refuses what stands in no file: a function that
was made while a test runs is not what the file says.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from probatum.app.answers import Answer
from probatum.app.asking import Asked
from probatum.app.checking import Checking, How, RunReport
from probatum.app.configuration import configured
from probatum.app.kinds import AnyKind, kind_named
from probatum.app.proofs import user_store
from probatum.app.service import Service
from probatum.app.settings import read_settings
from probatum.app.sources import NO_SOURCES
from probatum.core.command import Given
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.events import ignore
from probatum.pytest_plugin.choices import LEVELS, setting


class LeftOutError(UsageError):
    """The author of a function asks to leave it out."""


class SessionVerdicts:
    """What the fixture ``probatum`` gives: verdicts about functions, files and outputs."""

    def __init__(self, service: Service, asked: Asked) -> None:
        """Ask this service, which keeps and records verdicts where ``asked`` says; its options count for programs."""
        self._service = service
        self._options = asked.given.options
        self._store = asked.store
        self._ledger = asked.ledger

    def verify(
        self,
        subject: Callable[..., object] | str | os.PathLike[str],
        *,
        level: str | None = None,
        contract: str | None = None,
    ) -> DiagnosticResult:
        """Verify a function or class, a Python file, or one name in it, and return the verdict.

        What stands in its file now is judged, in a sandbox, and not the object of this process.

        Args:
            subject: a function or class that a file defines, the path of a file, or ``"path::name"``.
            level: ``quick``, ``standard`` or ``thorough``; None for that of this run.
            contract: examples and conditions beside the documentation, as text.

        Raises UsageError for a subject that stands in no file, a missing file or name, and an unknown level.
        """
        named = {"level": level, "contract": contract}
        options = {**self._options, **{name: value for name, value in named.items() if value is not None}}
        text = os.fspath(subject) if isinstance(subject, str | os.PathLike) else _place_of(subject)
        return self.answer(text, options).verdict

    def check(self, output: object, contract: str) -> DiagnosticResult:
        """Check an output against a contract and return the verdict.

        Args:
            output: JSON as text or bytes; any other value is written as JSON first.
            contract: its id, ``id:version``, or the path of a file.

        Raises UsageError for an unknown contract, TypeError for what cannot be written as JSON.
        """
        text = output if isinstance(output, str | bytes) else json.dumps(output)
        kind = _kind("output")
        make = kind.template(Given(options={"contract": contract}), NO_SOURCES)
        found = make(text.encode() if isinstance(text, str) else text, "output")
        return self._service.answer(kind, found).verdict

    def answer(self, subject: str, options: Mapping[str, object] | None = None) -> Answer:
        """Return the answer about a file, or ``path::name``; raises as `verify` does."""
        if os.path.isdir(subject):
            raise UsageError("path.folder", f"{subject!r} is a folder.", "Name a file, or a name in it: FILE::NAME.")
        kind = _kind("program")
        given = Given(subject, self._options if options is None else options)
        asked = Asked(kind, configured(given, kind.command.options)[0], self._store, self._ledger)
        # What did not change since an earlier run is not verified again.
        report = RunReport()
        checking = Checking(asked, NO_SOURCES, How(cache=read_settings().cache_path(), proves=False), report)
        for answer in checking.answers(ignore, self._service):
            if isinstance(answer, Answer):
                return answer
        reason = next((each.reason for _, each in report.ignored), "nothing of it is judged")
        raise LeftOutError("ignore.left_out", f"{subject!r} is left out: {reason}.")

    def close(self) -> None:
        """End the sandbox."""
        self._service.close()


_OPENED = pytest.StashKey[SessionVerdicts]()


def verdicts_of(config: pytest.Config) -> SessionVerdicts:
    """Return what answers in this process, opened with the first question and closed with the run."""
    found = config.stash.get(_OPENED, None)
    if found is None:
        found = config.stash[_OPENED] = opened(config)
        config.add_cleanup(found.close)
    return found


def opened(config: pytest.Config) -> SessionVerdicts:
    """Make the service of a run and the options of its programs, as `probatum verify` has them by default.

    Raises UsageError where the settings name no store.
    """
    level = setting(config, "level", ("", *LEVELS))
    # Without one, the configuration of the repository counts.
    options = {"level": level} if level else {}
    asked = Asked(_kind("program"), Given(options=options), user_store(None), read_settings().recording_path(None))
    return SessionVerdicts(Service(asked.store, recorder=asked.recorder(), given=asked.given), asked)


def _kind(name: str) -> AnyKind:
    kind = kind_named(name)
    if kind is None:
        sentence = f"This installation of probatum lacks the kind {name!r}."
        raise NotAttemptedError("plugin.missing", sentence, "Install it again.")
    return kind


def _place_of(subject: Callable[..., object]) -> str:
    """Return ``path::name`` of a function or class; raises UsageError where its module does not have it by that name.

    A wrapper that only bears the name of another function would get the verdict about that one.
    """
    module = sys.modules.get(getattr(subject, "__module__", None) or "")
    name = getattr(subject, "__qualname__", "")
    found: object = module
    for part in name.split("."):
        found = getattr(found, part, None)
    path = getattr(module, "__file__", None) or ""
    if found is not subject or not path.endswith(".py"):
        sentence = f"{name or repr(subject)} is not a function or class that a Python file defines under this name."
        raise UsageError("path.no_source", sentence, "Name the file: FILE::NAME.")
    return f"{shortest(Path(path))}::{name}"


def shortest(path: Path) -> str:
    """Return the path from here for a file below this folder, else the whole path: commands to repeat show it."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
