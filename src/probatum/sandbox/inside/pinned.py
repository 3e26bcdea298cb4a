"""A world with known clock, randomness and surroundings, for finding out what a program's results depend on.

Runs inside the sandbox, standard library only, before the program does. Every reading of a clock gives the next moment
of a made-up time, sleeping only moves that time on, and every source of randomness is one seeded generator. Two runs
in the same world agree unless the program depends on something else. Nothing is decided here: the judge compares the
answers given in different worlds; the answer from one of them says nothing by itself.
"""

from __future__ import annotations

import builtins
import contextlib
import datetime
import importlib
import os
import random
import sys
import threading
import time
import types
from typing import Any, cast

from .databases import pin_databases
from .denials import MET
from .elsewhere import surround

_UTC = datetime.timezone.utc  # noqa: UP017  the program's Python may be older
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=_UTC)
# Up to this size Python keeps blocks of one size in rows; taking places in each row moves what comes after.
_LARGEST = 480
_KEPT: list[bytes] = []
# Where the addresses that a program is told begin, and how far apart they are from process to process: one place for
# every small divisor, as 27720 has all up to 12, and another value of every larger bit.
_FIRST = 1 << 47
_APART = 1 + 27720 * 149_711
_WITH_MOMENT = ("gmtime", "localtime", "ctime")
# How long ago, in nanoseconds, a file may have been made that a run of a program made itself.
_LONGEST_RUN = 60 * 10**9
time_ns = time.time_ns
_ELAPSED = ("monotonic", "perf_counter", "process_time", "thread_time")


class PinnedClock:
    """A made-up time in nanoseconds that moves on by a fixed step with every reading."""

    def __init__(self, moment: int, step: int) -> None:
        self._moment = moment
        self._step = step

    def nanoseconds(self) -> int:
        """Return the next moment."""
        self._moment += self._step
        return self._moment

    def seconds(self) -> float:
        """Return the moment in seconds."""
        return self.nanoseconds() / 1e9

    def sleep(self, seconds: float, /) -> None:
        """Move the time on without waiting; raises what the real one raises."""
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self._moment += int(seconds * 1e9)


def pin(
    moment: int | None,
    step: int,
    seed: int,
    *,
    elapsed: bool = True,
    databases: bool = False,
    around: dict[str, Any] | None = None,
    loaded: tuple[str, ...] = (),
) -> None:
    """Put a clock that starts at ``moment`` (nanoseconds since 1970, None for now) and seeded randomness in place.

    ``elapsed`` False leaves alone the clocks without a date: waiting for another thread needs them to go on.
    ``databases`` has the SQL of SQLite ask them too. ``around`` are the arguments of `surround`; None leaves the
    surroundings alone. ``loaded`` are installed packages to load before: some cannot be loaded beside pinned dates.
    """
    for name in loaded:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    if around is not None:
        surround(**around)
    clock = PinnedClock(time_ns() if moment is None else moment, step)
    _pin_time(clock, ("time", *_ELAPSED) if elapsed else ("time",))
    if moment is not None:
        _pin_file_times(moment - time_ns())
    source = random.Random(seed)  # noqa: S311  it stands in for chance, it keeps no secret
    if databases:
        pin_databases(clock.nanoseconds, source.randbytes)
    _pin_dates(clock)  # After what needs the real ones.
    _pin_randomness(source)


def shift(places: int) -> None:
    """Make everything from now on lie at other addresses; identities and hashes by address differ accordingly.

    Identities are counted from a place of this process, which is another in each: so whoever divides one by a small
    number sees every remainder in as many processes whose places follow each other.
    """
    _KEPT.extend(bytes(size) for size in range(0, _LARGEST, 8) for _ in range(places + size % 7))
    identity, hashed = id, hash
    by_address = object.__hash__
    from_here = _FIRST + 16 * places * _APART - identity(object())

    def hash_elsewhere(value: object, /) -> int:
        return hashed(value) + places if type(value).__hash__ is by_address else hashed(value)

    module: Any = builtins
    module.id = lambda value, /: identity(value) + from_here
    module.hash = hash_elsewhere


def watch_memory() -> None:
    """Note every error for want of memory from now on, also one that the program catches."""

    def watching(frame: types.FrameType, event: str, told: Any) -> Any:
        frame.f_trace_lines = False
        if event == "exception" and issubclass(told[0], MemoryError):
            MET.met("memory")
        return watching

    threading.settrace(watching)
    sys.settrace(watching)


def _pin_time(clock: PinnedClock, names: tuple[str, ...]) -> None:
    module: Any = time
    for name in names:
        setattr(module, name, clock.seconds)
        setattr(module, f"{name}_ns", clock.nanoseconds)
    gettime = time.clock_gettime_ns
    module.clock_gettime_ns = lambda which: clock.nanoseconds() if which == time.CLOCK_REALTIME else gettime(which)
    module.clock_gettime = lambda which: module.clock_gettime_ns(which) / 1e9
    for name in _WITH_MOMENT:
        setattr(module, name, _at_moment(getattr(time, name), clock))
    strftime, asctime, localtime = time.strftime, time.asctime, module.localtime
    module.strftime = lambda text, *given: strftime(text, *(given or (localtime(),)))
    module.asctime = lambda *given: asctime(*(given or (localtime(),)))
    module.sleep = clock.sleep


def _pin_file_times(shift: int) -> None:
    """Let files that were made just now, and no others, have been made in the made-up time."""
    module: Any = os
    began = time_ns() - _LONGEST_RUN

    def shifted(real: Any) -> Any:
        def with_times(*given: Any, **named: Any) -> os.stat_result:
            found = real(*given, **named)
            if found.st_mtime_ns < began:
                return cast("os.stat_result", found)
            times = {name: getattr(found, f"st_{name}time_ns") + shift for name in "amc"}
            whole = tuple(found)[:7] + tuple(moment // 10**9 for moment in times.values())
            exact: dict[str, Any] = {f"st_{name}time_ns": moment for name, moment in times.items()}
            exact |= {f"st_{name}time": moment / 1e9 for name, moment in times.items()}
            return os.stat_result(whole, exact)

        return with_times

    for name in ("stat", "lstat", "fstat"):
        setattr(module, name, shifted(getattr(os, name)))


def _at_moment(real: Any, clock: PinnedClock) -> Any:
    def with_moment(seconds: float | None = None, /) -> Any:
        return real(clock.seconds() if seconds is None else seconds)

    return with_moment


def _pin_dates(clock: PinnedClock) -> None:
    """Put classes in place that know the made-up time and otherwise make and recognise the real ones."""
    # Nobody can set an attribute of the real classes, which are written in C.
    module: Any = datetime
    real_date, real_datetime = datetime.date, datetime.datetime

    def now(zone: datetime.tzinfo | None = None) -> datetime.datetime:
        moment = _EPOCH + datetime.timedelta(microseconds=clock.nanoseconds() // 1000)
        return moment.astimezone(zone) if zone is not None else moment.astimezone().replace(tzinfo=None)

    def standing_in(real: Any, **told: Any) -> Any:
        def recognises(_cls: Any, value: object) -> bool:
            return isinstance(value, real) if _cls is stand_in else type.__instancecheck__(_cls, value)

        def contains(_cls: Any, other: Any) -> bool:
            return issubclass(other, real) if _cls is stand_in else type.__subclasscheck__(_cls, other)

        def made(cls: Any, *args: Any, **kwargs: Any) -> Any:
            return real(*args, **kwargs) if cls is stand_in else real.__new__(cls, *args, **kwargs)

        kind = type("type", (type,), {"__instancecheck__": recognises, "__subclasscheck__": contains})
        body = {"__new__": made, "__slots__": (), "__module__": "datetime", **told}
        stand_in: Any = kind(real.__name__, (real,), body)
        return stand_in

    module.date = standing_in(real_date, today=classmethod(lambda cls: _as(cls, now().date())))
    module.datetime = standing_in(
        real_datetime,
        now=classmethod(lambda cls, tz=None: _as(cls, now(tz))),
        today=classmethod(lambda cls: _as(cls, now())),
        utcnow=classmethod(lambda cls: _as(cls, now(_UTC).replace(tzinfo=None))),
    )


def _as(kind: Any, moment: Any) -> Any:
    """Return the moment as an object of this class."""
    day = (moment.year, moment.month, moment.day)
    if not isinstance(moment, datetime.datetime):
        return kind(*day)
    return kind(*day, moment.hour, moment.minute, moment.second, moment.microsecond, tzinfo=moment.tzinfo)


def _pin_randomness(source: random.Random) -> None:
    random_module: Any = random
    os_module: Any = os
    seed = random.Random.seed

    def seeded(self: random.Random, a: Any = None, version: int = 2) -> None:
        seed(self, source.getrandbits(256) if a is None else a, version)

    # Both names: `random` has bound its own when it was imported.
    os_module.urandom = os_module.getrandom = source.randbytes
    random_module._urandom = source.randbytes
    random_module.Random.seed = seeded
    random.seed()
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        with contextlib.suppress(AttributeError):
            numpy.random.seed(source.getrandbits(32))
