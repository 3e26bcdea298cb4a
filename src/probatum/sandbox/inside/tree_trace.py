"""Which lines of some files run: while tests are collected, and in each test.

Runs inside the sandbox, standard library only. From Python 3.12 on the interpreter's own monitoring tells it, and all
other code runs at full speed after its first line; before, frames of other files are passed over.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection
from types import CodeType, FrameType
from typing import Any, Self

_TOOL = 4


class Lines:
    """Notes the lines of files, by absolute path, that run between two questions; counts them over all."""

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = frozenset(paths)
        self._seen: set[tuple[str, int]] = set()
        self._most: int | None = None
        self._at_most: Callable[[], None] | None = None
        self.count = 0

    def __enter__(self) -> Self:
        if not self._paths:
            return self
        monitoring: Any = getattr(sys, "monitoring", None)
        if monitoring is None:
            threading.settrace(self._entered)
            sys.settrace(self._entered)
        else:
            monitoring.use_tool_id(_TOOL, "probatum")
            monitoring.register_callback(_TOOL, monitoring.events.LINE, self._ran)
            monitoring.set_events(_TOOL, monitoring.events.LINE)
        return self

    def __exit__(self, *_error: object) -> None:
        monitoring: Any = getattr(sys, "monitoring", None)
        if not self._paths:
            return
        if monitoring is None:
            sys.settrace(None)
            threading.settrace(None)
        else:
            monitoring.set_events(_TOOL, 0)
            monitoring.free_tool_id(_TOOL)

    def bound(self, most: int, then: Callable[[], None]) -> None:
        """Call ``then`` once more than ``most`` further lines have run."""
        self._most, self._at_most = self.count + most, then

    def take(self) -> dict[str, list[int]]:
        """Return the lines since the last question, by path."""
        seen, self._seen = self._seen, set()
        found: dict[str, list[int]] = {}
        for path, line in sorted(seen):
            found.setdefault(path, []).append(line)
        return found

    def _note(self, path: str, line: int) -> None:
        self._seen.add((path, line))
        self.count += 1
        if self._most is not None and self._at_most is not None and self.count > self._most:
            self._at_most()

    def _ran(self, code: CodeType, line: int) -> object:
        if code.co_filename not in self._paths:
            return sys.monitoring.DISABLE  # type: ignore[attr-defined,unused-ignore]  # only called from 3.12 on
        self._note(code.co_filename, line)
        return None

    def _entered(self, frame: FrameType, event: str, _given: object) -> Any:
        if frame.f_code.co_filename not in self._paths:
            return None
        if event == "line":
            self._note(frame.f_code.co_filename, frame.f_lineno)
        return self._entered
