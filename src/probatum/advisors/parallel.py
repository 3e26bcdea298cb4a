"""Work that waits for others, done at the same time; Ctrl-C ends the program without waiting for any of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Made = TypeVar("Made")


class _Outcome(Generic[Made]):
    """What one piece of work gave, or raised."""

    def __init__(self, work: Callable[[], Made]) -> None:
        self._work = work
        self._made: list[Made] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._made.append(self._work())
        except BaseException as error:  # noqa: BLE001  # raised again by whoever waits
            self._error = error

    def wait(self, seconds: float | None = None) -> Made:
        self._thread.join(seconds)
        if self._thread.is_alive():
            raise TimeoutError
        if self._error is not None:
            raise self._error
        return self._made[0]


def apart(work: Callable[[], Made], seconds: float) -> Made:
    """Do work in a thread that has no event loop, and return what it gives; raises what it raises, or TimeoutError."""
    return _Outcome(work).wait(seconds)


def together(works: Sequence[Callable[[], Made]]) -> list[Made]:
    """Do all work at the same time, and return what it gives in order; raises what the first of them raises."""
    started = [_Outcome(each) for each in works]
    return [each.wait() for each in started]
