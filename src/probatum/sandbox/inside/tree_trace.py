"""Which lines of some files run, and how many turns their loops take: while tests are collected, and in each test.

Runs inside the sandbox, standard library only. From Python 3.12 on the interpreter's own monitoring tells it: only code
of these files is watched, and of a line only the first time in each test. Before, every frame of another file is passed
over once. Turns are counted, so that a loop without an end is ended after so many of them on every machine.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection
from types import CodeType, FrameType
from typing import Any, Self

MONITORING: Any = getattr(sys, "monitoring", None)


class FileWatch:
    """Watches the code of files, by absolute path."""

    _event = ""
    _tool = 4

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = frozenset(paths)
        # What is called for every frame before Python 3.12.
        self.outermost: Callable[..., Any] = self.entered
        self._codes: dict[CodeType, None] = {}

    def __enter__(self) -> Self:
        if not self._paths:
            return self
        if MONITORING is None:
            threading.settrace(self.outermost)
            sys.settrace(self.outermost)
            return self
        events = MONITORING.events
        MONITORING.use_tool_id(self._tool, "probatum")
        MONITORING.register_callback(self._tool, events.PY_START, self._started)
        MONITORING.register_callback(self._tool, getattr(events, self._event), self._ran)
        MONITORING.set_events(self._tool, events.PY_START)
        return self

    def __exit__(self, *_error: object) -> None:
        if not self._paths:
            return
        if MONITORING is None:
            sys.settrace(None)
            threading.settrace(None)
            return
        MONITORING.set_events(self._tool, 0)
        self._set(0)
        MONITORING.free_tool_id(self._tool)

    def _started(self, code: CodeType, _offset: int) -> object:
        if code.co_filename in self._paths and code not in self._codes:
            self._codes[code] = None
            MONITORING.set_local_events(self._tool, code, getattr(MONITORING.events, self._event))
        return MONITORING.DISABLE

    def _set(self, events: int) -> None:
        for code in self._codes:
            MONITORING.set_local_events(self._tool, code, events)

    def _ran(self, code: CodeType, place: int, *further: int) -> object:
        raise NotImplementedError

    def entered(self, frame: FrameType, event: str, _given: object) -> Any:
        if frame.f_code.co_filename not in self._paths:
            return None
        if event == "line":
            self._ran(frame.f_code, frame.f_lineno)
        return self.entered

    def again(self) -> None:
        """Watch again where a test took over the one place for watchers there is before Python 3.12."""
        if self._paths and MONITORING is None and sys.gettrace() != self.outermost:
            sys.settrace(self.outermost)


class Lines(FileWatch):
    """Notes the lines that run between two questions."""

    _event = "LINE"

    def __init__(self, paths: Collection[str]) -> None:
        super().__init__(paths)
        self._seen: set[tuple[str, int]] = set()

    def take(self) -> dict[str, list[int]]:
        """Return the lines since the last question, by path."""
        seen, self._seen = self._seen, set()
        if seen and MONITORING is not None:
            # Off and on again: lines that were told once are told once more.
            self._set(0)
            self._set(MONITORING.events.LINE)
        found: dict[str, list[int]] = {}
        for path, line in sorted(seen):
            found.setdefault(path, []).append(line)
        return found

    def _ran(self, code: CodeType, place: int, *_further: int) -> object:
        self._seen.add((code.co_filename, place))
        return None if MONITORING is None else MONITORING.DISABLE


class Turns(FileWatch):
    """Counts the turns of loops, or lines before Python 3.12, and calls something at the first beyond a bound."""

    _event = "JUMP"

    def __init__(self, paths: Collection[str], most: int | None, then: Callable[[], None]) -> None:
        super().__init__(paths)
        self.count = 0
        self._most = most
        self._then = then

    def _ran(self, _code: CodeType, _place: int, *_further: int) -> None:
        self.count += 1
        if self._most is not None and self.count > self._most:
            self._then()
