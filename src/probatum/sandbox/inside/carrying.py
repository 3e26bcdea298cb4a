"""Notes what a test relies on that does not reach a program in a process of its own.

Runs inside the sandbox, standard library only, in the clerk. A test that fails here and passes beside the program was
either bent there, or could not be carried: it patches, captures, writes files, holds objects of the program. What is
noted never makes a test pass. It only tells the judge which of the two to suspect.
"""

from __future__ import annotations

import _locale
import contextvars
import decimal
import os
import random
import sys
from collections.abc import Collection
from contextlib import suppress
from typing import Any

# Fixtures and marks of pytest by which a test changes or observes its own process.
_OF_THE_PROCESS = frozenset(
    {"monkeypatch", "caplog", "recwarn", "filterwarnings", "tmp_path", "tmp_path_factory", "tmpdir", "tmpdir_factory"}
    | {"capsys", "capsysbinary", "capfd", "capfdbinary", "capteesys"}
)
# What pytest itself changes between two tests, so that only what changes during one of them tells anything.
_OF_ONE_TEST = ("sys.", "threading.", "warnings.", "logging.")
_LOOKS_A_TEST = 30


class Watch:
    """What the test that is under way has met so far."""

    def __init__(self) -> None:
        # How often something that the program computed has come back.
        self.answers = 0
        # The fixtures that serve several tests with what the program computed; the empty name serves all.
        self._kept: set[str] = set()
        self._met = ""
        self._raised: list[BaseException] = []
        self._changed = ""
        self._looks = 0
        self._before = _state()

    def begin(self) -> None:
        """Begin with another test."""
        self.answers, self._met, self._changed, self._looks = 0, "", "", _LOOKS_A_TEST
        self._raised.clear()
        fresh = _state(_OF_ONE_TEST)
        self._before.update(fresh)

    def loaded(self) -> None:
        """Note that the file is loaded, with modules of its own, and begin with its first test."""
        self.keep()
        self._before = _state() | self._before
        self.begin()

    def keep(self, fixture: str = "") -> None:
        """Note that what has come back since the begin serves every test that uses a fixture, or all without a name."""
        if self.answers:
            self._kept.add(fixture)

    def is_idle(self, used: Collection[str] = ()) -> bool:
        """Return whether nothing of the program took part in this test, which uses these fixtures."""
        return not (self.answers or self._kept.intersection(("", *used)))

    def look(self) -> None:
        """Compare the state of this process with what it was: a question to the program is about to leave."""
        if self._looks and not self._changed:
            self._looks -= 1
            now, before = _state(), self._before
            changed = (name for name, value in now.items() if not _same(value, before.get(name, _unless_mocked(value))))
            self._changed = next(changed, "")

    def answered(self, error: BaseException | None = None) -> None:
        """Note that the program answered, with the exception that it raised if that was its answer."""
        self.answers += 1
        if error is not None:
            self._raised.append(error)

    def meet(self, what: str) -> None:
        """Note what took part that is another thing here than there; only the first is reported."""
        self._met = self._met or what

    def doubt(self, error: BaseException, used: Collection[str]) -> str:
        """Return what the failing test relies on that could not be carried; empty where that is nothing."""
        if named := _OF_THE_PROCESS.intersection(used):
            return f"the use of {min(named, key=len)}"
        if self._changed:
            return f"a change of {self._changed}"
        if self._met:
            return self._met
        honest = isinstance(error, AssertionError) or type(error).__name__ == "Failed"
        ended = f"what ended in {type(error).__name__}: {error}"[:200]
        if not self.answers:
            return "what it asks about" if honest else ended
        if any(error is raised for raised in self._raised):
            return ""
        if self._raised:
            return "what an exception of the program holds"
        return "" if honest else ended


def _same(left: Any, right: Any) -> bool:
    # Only what `_state` itself has made can be compared safely.
    return left is right or (type(left) is tuple and type(right) is tuple and left[0] is right[0] and left == right)


def _unless_mocked(value: object) -> object:
    # Of a module that the test itself has loaded nothing is known from before.
    return None if type(value).__module__ == "unittest.mock" else value


_MADE = object()


def _state(of: tuple[str, ...] = ("",)) -> dict[str, object]:
    """Return what this process shares among all that runs in it, by name: public names of modules, the environment."""
    found: dict[str, object] = {}
    for module_name, module in list(sys.modules.items()):
        if f"{module_name}.".startswith(of) and not module_name.startswith(("_", "pdb", "given_tests", "unittest")):
            names = getattr(module, "__dict__", {})
            found |= {f"{module_name}.{name}": value for name, value in list(names.items()) if name[:1] != "_"}
    logging = sys.modules.get("logging")
    if logging is not None:
        loggers = [logging.root, *logging.Logger.manager.loggerDict.values()]
        levels = tuple(
            (id(each), each.level, tuple(map(id, each.handlers))) for each in loggers if hasattr(each, "level")
        )
        found["logging.handlers"] = (_MADE, *levels)
    if of == ("",):
        environment = sorted(pair for pair in os.environ.items() if not pair[0].startswith("PYTEST_"))
        found["os.environ"] = (_MADE, *environment)
        found["random"] = (_MADE, *random.getstate())
        found["the locale"] = (_MADE, _locale.setlocale(_locale.LC_ALL))
        # Its flags are left out: every inexact result sets one.
        now = decimal.getcontext()
        limits = (now.prec, now.rounding, now.Emin, now.Emax, now.capitals, now.clamp)
        found["the decimal context"] = (_MADE, *limits, *now.traps.items())
        kept = ((id(name), id(value)) for name, value in contextvars.copy_context().items())
        found["a context variable"] = (_MADE, *kept)
        with suppress(OSError):
            found["the working directory"] = (_MADE, os.getcwd())
            found["the files"] = (_MADE, *sorted(os.listdir(os.environ.get("TMPDIR", "/nonexistent"))))
    return found
