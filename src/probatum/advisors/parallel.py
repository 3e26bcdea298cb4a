"""Work that waits for others, done at the same time; Ctrl-C ends the program without waiting for any of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
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


def together(works: Sequence[Callable[[], Made]], most: int) -> list[Made]:
    """Do work, at most so much at the same time, begun in order; return what it gives in order.

    Raises what the first of them raises that is waited for.
    """
    waiting, made = SimpleQueue[int](), dict[int, Made]()
    for number in range(len(works)):
        waiting.put(number)

    def work() -> None:
        while True:
            try:
                number = waiting.get_nowait()
            except Empty:
                return
            made[number] = works[number]()

    for each in [_Outcome(work) for _ in works[:most]]:
        each.wait()
    return [made[number] for number in range(len(works))]
