"""Plants faults in the code that tests of a tree run, each in a process of its own, and tells whether a test notices.

Runs inside the sandbox, standard library only. Tests are collected once; for each fault this process is copied, the
fault is written into the file and into the functions that were made from it, and the tests that run its line follow
until one fails. A fault that cannot be put into what is imported already (a constant, a class body, a decorator), and
one in code that importing runs and that no test noticed, is tried in a process that imports everything anew.

Before the first and after the last the same tests run without a fault: where they do not pass, nothing is told.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from .tree_exchange import exchange
from .tree_plugin import end_of
from .tree_trace import Turns

Tell = Callable[..., None]
Fault = dict[str, Any]
_SHOWN = 600
_LEEWAY = 20_000
_TIMES = 10
_BOUND = "bound"
_MARK_BYTES = 16
# Before the first fault and after the last.
_ENDS = 2
# As they were before any test: tests replace them for a while.
_DUMPS, _WRITE, _NUMBER = json.dumps, os.write, os.getpid


def run(order: dict[str, Any], tell: Tell) -> int:
    """Try every fault of the order; returns 0."""
    work = _Work(order)
    faults: list[Fault] = order["faults"]
    told = copied(lambda say: _collected(work, faults, say), order["seconds_in_all"])
    known: dict[str, dict[str, Any]] = {record["id"]: record for record in told if "id" in record}
    ends = [record for record in told if "sound" in record]
    is_sound = len(ends) == _ENDS and all(record["sound"] for record in ends)
    if not is_sound:
        # Such as tests that find what others left in a file: each fault gets a start of its own.
        known.clear()
        ends = [work.anew(_without_fault(faults))]
        is_sound = ends[0]["end"] == "survived"
    work.most = _TIMES * max((record.get("turns", 0) for record in ends), default=0) + _LEEWAY
    tell(kind="sound", is_sound=is_sound)
    for fault in faults if is_sound else ():
        record = known.get(fault["id"], {"end": "anew"})
        # What ran while the tests were collected may have left a result behind.
        if record["end"] == "anew" or (record["end"] == "survived" and fault["at_import"]):
            record = work.anew(fault)
        told_of = {key: record.get(key, "") for key in ("end", "by", "said")}
        tell(kind="fault", id=fault["id"], **told_of)
    return 0


def _without_fault(faults: list[Fault]) -> Fault:
    every = list(dict.fromkeys(name for fault in faults for name in fault["tests"]))
    return {"id": "", "path": "", "tests": every, "source": "", "counted": sorted({each["path"] for each in faults})}


class _Work:
    """What all copies need to know."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.root: str = order["root"]
        self.options: list[str] = order["options"]
        self.seconds: float = order["seconds_each"]
        # After how many turns of loops the tests are taken to run without an end; None until it is known.
        self.most: int | None = None

    def anew(self, fault: Fault) -> dict[str, Any]:
        """Return how the tests end where everything is imported with the fault in it."""
        with written(self.root, fault):
            told = copied(lambda say: self._whole(fault, say), self.seconds)
        return told[-1] if told else {"end": "lost"}

    def _whole(self, fault: Fault, say: Tell) -> None:
        plugin = _Until(fault["tests"], say)
        files = list(dict.fromkeys(name.partition("::")[0] for name in fault["tests"]))
        with self.counted(fault, say) as turns:
            code = pytest.main([*self.options, "-x", *files], plugins=[plugin])
        if not plugin.has_told:
            say(end="survived" if code == 0 else "lost", turns=turns.count)

    def counted(self, fault: Fault, say: Tell) -> Turns:
        """Return what counts the turns in the file of a fault, and ends this process at the bound."""

        def end() -> None:
            say(end=_BOUND)
            os._exit(0)

        paths = [fault["path"]] if fault["path"] else fault["counted"]
        return Turns([str(Path(self.root, path)) for path in paths], self.most, end)


@contextmanager
def written(root: str, fault: Fault) -> Iterator[bytes]:
    """Write the file with the fault, for as long as it is needed; yields what stood there."""
    if not fault["path"]:
        yield b""
        return
    place = Path(root, fault["path"])
    before = place.read_bytes()
    place.write_bytes(fault["source"].encode("latin-1"))
    try:
        yield before
    finally:
        place.write_bytes(before)


class _Until:
    """Runs some tests until one fails, and tells how that ended."""

    def __init__(self, wanted: list[str], say: Tell) -> None:
        self._wanted = frozenset(wanted)
        self._say = say
        self.has_told = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> Any:
        told = yield
        items[:] = [item for item in items if item.nodeid in self._wanted]
        return told

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._noticed(report.nodeid, str(report.longreprtext))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        phase = yield
        end = end_of(phase, None if call.excinfo is None else call.excinfo.value)
        if end is not None and end[0] in {"failed", "error"}:
            self._noticed(item.nodeid, end[1])
        return phase

    def _noticed(self, by: str, said: str) -> None:
        if not self.has_told:
            self.has_told = True
            self._say(end="noticed", by=by, said=said[-_SHOWN:])


def _collected(work: _Work, faults: list[Fault], say: Tell) -> None:
    """Collect the tests of all faults, then copy this process for each fault."""
    files = list(dict.fromkeys(name.partition("::")[0] for fault in faults for name in fault["tests"]))
    pytest.main([*work.options, *files], plugins=[_Copying(work, faults, say)])


class _Copying:
    """Takes the place of pytest's loop over the tests."""

    def __init__(self, work: _Work, faults: list[Fault], say: Tell) -> None:
        self._work = work
        self._faults = faults
        self._say = say

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        items = {item.nodeid: item for item in session.items}
        whole = _without_fault(self._faults)
        before = self._in_copy(items, whole)
        if not self._told_sound(before):
            return True
        self._work.most = _TIMES * before["turns"] + _LEEWAY if before else None
        for fault in self._faults:
            with written(self._work.root, fault) as text:
                told = self._in_copy(items, fault, text)
            self._say(**(told or {"end": "lost"}), id=fault["id"])
        self._told_sound(self._in_copy(items, whole))
        return True

    def _told_sound(self, told: dict[str, Any] | None) -> bool:
        is_sound = told is not None and told["end"] == "survived"
        self._say(sound=is_sound, turns=told["turns"] if told is not None and is_sound else 0)
        return is_sound

    def _in_copy(self, items: dict[str, Any], fault: Fault, before: bytes = b"") -> dict[str, Any] | None:
        told = copied(lambda say: self._tried(items, fault, before, say), self._work.seconds)
        return told[-1] if told else None

    def _tried(self, items: dict[str, Any], fault: Fault, before: bytes, say: Tell) -> None:
        place = str(Path(self._work.root, fault["path"]))
        if fault["path"] and not exchange(place, before, fault["source"].encode("latin-1")):
            say(end="anew")
            return
        chosen = [items[name] for name in fault["tests"] if name in items]
        until = _Until([], say)
        chosen[0].config.pluginmanager.register(until, "probatum-until")
        with self._work.counted(fault, say) as turns:
            for item, following in zip(chosen, [*chosen[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if until.has_told:
                    return
        say(end="survived", turns=turns.count)


def copied(work: Callable[[Tell], None], seconds: float) -> list[dict[str, Any]]:
    """Return what a copy of this process says, until it ends or its time is over; then all of its family is ended."""
    others = _processes()
    # What tests write into every descriptor there is, nobody said.
    mark = os.urandom(_MARK_BYTES).hex().encode()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            os.close(reading)
            os.setpgid(0, 0)
            own = os.getpid()

            def say(**record: object) -> None:
                if _NUMBER() == own:
                    _WRITE(writing, mark + _DUMPS(record).encode() + b"\n")

            work(say)
        os._exit(0)
    os.close(writing)
    said, is_late = _heard(reading, child, seconds)
    os.close(reading)
    with suppress(OSError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    for number in _processes() - others:
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
    lines = said.split(b"\n")[:-1]
    records = [json.loads(line.removeprefix(mark)) for line in lines if line.startswith(mark)]
    return records if records or not is_late else [{"end": "late"}]


def _heard(reading: int, child: int, seconds: float) -> tuple[bytes, bool]:
    """Return what is written until a process ends, closes its end or is late, and whether it is late.

    What it left running may hold the other end open for ever.
    """
    ended = os.pidfd_open(child)
    said = b""
    until = time.monotonic() + seconds
    try:
        while (left := until - time.monotonic()) > 0:
            ready = select.select([reading, ended], [], [], left)[0]
            if reading in ready:
                chunk = os.read(reading, 1 << 16)
                if not chunk:
                    return said, False
                said += chunk
            elif ready:
                return said, False
        return said, True
    finally:
        os.close(ended)


def _processes() -> set[int]:
    return {int(name) for name in os.listdir("/proc") if name.isdecimal()}
