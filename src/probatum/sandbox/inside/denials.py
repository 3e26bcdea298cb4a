"""Notes of what the program asked for and did not find here as it would elsewhere.

Runs inside the sandbox, standard library only. A program may cope with a missing file, module, user or thread, and so
give another result than at home. Each such event is noted, also one that the program catches, and the notes travel with
the answer. They are not a boundary: who fakes one takes away a refutation or a pass, and who evades all can hide
that it was denied something.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import importlib.abc
import os
import posix
import sys
import types
from collections.abc import Sequence
from typing import Any

from .bending import Bending

# Where the files of the program seem to be, and what a document writes; the folder exists where there is a scratch.
PLACE, DOCUMENTATION = "/program/", "<documentation>"
MOST = 12
_LONGEST = 120
# What says that something is missing, not that the program uses it in a wrong way.
_NAMES = """
EPERM ENOENT ESRCH ENXIO EACCES ENODEV ENOTTY EROFS ENOSYS ENOMEM EMFILE ENFILE ENOSPC EFBIG EDQUOT ENOTSUP EAGAIN
EAFNOSUPPORT EPROTONOSUPPORT ENETUNREACH EHOSTUNREACH ECONNREFUSED EXDEV
"""
_MISSING = frozenset(getattr(errno, name) for name in _NAMES.split())
_LISTING = frozenset({"listdir", "scandir"})
# Functions whose failure nothing announces: what kind of thing is missing where they fail, their module, their names.
_WATCHED = """
path os access chdir chmod chown lchown link listdir listxattr getxattr lstat mkdir mkfifo mknod readlink remove
path os removexattr rename replace rmdir scandir setxattr stat statvfs symlink truncate unlink utime
call os execv execve fork forkpty posix_spawn posix_spawnp kill killpg memfd_create nice
call os openpty pidfd_open sched_setaffinity sched_setscheduler setpriority setsid setpgid setuid setgid system
call os getpriority sched_getparam sched_getscheduler sched_rr_get_interval setgroups setns unshare wait waitid waitpid
call _posixshmem shm_open shm_unlink
call fcntl fcntl flock lockf
call signal raise_signal pthread_kill
terminal os getlogin get_terminal_size ttyname
terminal fcntl ioctl
terminal termios tcgetattr
call _posixsubprocess fork_exec
call _multiprocessing SemLock
memory mmap mmap
limits resource setrlimit prlimit
user pwd getpwnam getpwuid
user grp getgrnam getgrgid
thread _thread start_new_thread
thread threading _start_new_thread
"""
_NETWORK = frozenset({"socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname"})
# What every system has, besides everything in /proc.
_COMMON = """
/ /boot /dev /etc /home /mnt /opt /proc /root /run /sbin /srv /sys /var
/dev/full /dev/fd /dev/ptmx /dev/pts /dev/random /dev/shm /dev/stderr /dev/stdin /dev/stdout /dev/tty
/etc/environment /etc/fstab /etc/group /etc/hostname /etc/hosts /etc/init.d /etc/issue /etc/localtime /etc/machine-id
/etc/nsswitch.conf /etc/os-release /etc/passwd /etc/profile /etc/protocols /etc/resolv.conf /etc/services /etc/shadow
/etc/shells /etc/ssl /sys/block /sys/class /sys/devices /sys/fs /sys/kernel /sys/module
/var/cache /var/lib /var/lock /var/log /var/mail /var/run /var/spool /var/tmp
"""
_ON_EVERY_SYSTEM = frozenset(_COMMON.split())
_HAS_FILES = ("/etc/", "/proc/", "/dev/")
_OPENING = (
    "builtins.open io.open io.open_code io.FileIO _io.open_code _io.FileIO os.open posix.open tokenize._builtin_open"
)
# They look for files of their own, wherever these may be, and do without: so does whatever is being imported.
_QUIET = frozenset({"argparse", "gettext", "importlib._bootstrap", "importlib._bootstrap_external", "linecache"})
# From Python 3.14 every new event loop asks how it could watch children; it says nothing of whether there will be any.
_ASKS_ONLY = ("asyncio.unix_events", "can_use_pidfd")
_open, _close, _stat = posix.open, posix.close, posix.stat


class Denials:
    """The notes of one process: those met since the last answer, and those that stay because loading met them."""

    def __init__(self) -> None:
        self._met: dict[tuple[str, str], None] = {}
        self._lasting: dict[tuple[str, str], None] = {}
        self.scratch = ""
        # Texts of the program by place, until somebody looks there.
        self.files: dict[str, bytes] = {}
        self._is_asking = False
        self._installed: tuple[str, ...] = ()
        # A folder that stands for those of every system; empty where they are simply not here.
        self._common = ""
        # Where the program's own files seem to be.
        self.place = PLACE
        # Whether what runs the tests of the program shares this process: what that asks for tells nothing.
        self.beside_tests = False

    def begin(self, scratch: str) -> None:
        """Forget everything; ``scratch`` is the folder where the program may write, empty where there is none."""
        self._met, self._lasting, self.scratch = {}, {}, scratch
        self._installed = tuple(filter(None, sys.path))

    def keep(self) -> None:
        """Have what was met so far count for every later answer."""
        self._lasting |= self._met

    def take(self) -> list[list[str]]:
        """Return what counts for this answer, as kinds with what was asked for; the next one begins without."""
        if not self._met and not self._lasting:
            return []
        told = list({**self._lasting, **self._met})
        self._met = {}
        # One of each kind first: what else was met must not crowd it out.
        firsts = dict(reversed(told))
        return [list(each) for each in dict.fromkeys([*firsts.items(), *told])][:MOST]

    def note(self, kind: str, what: object = "") -> None:
        """Note that something of this kind is missing."""
        if _is_asked_by_the_program():
            self.met(kind, what)

    def met(self, kind: str, what: object = "") -> None:
        """Note it, whoever asked."""
        text = os.fsdecode(what) if isinstance(what, str | bytes | os.PathLike) else ""
        self._met[kind, text[:_LONGEST]] = None

    def path(self, path: Any, *, may_be_made: bool = False) -> None:
        """Note that a path is not here, unless it lies in a folder that the program has made itself.

        ``may_be_made`` says that the scratch itself will do as well.
        """
        if self._is_asking or not isinstance(path, str | bytes | os.PathLike):
            return
        self._is_asking = True
        try:
            above = os.path.realpath(os.path.dirname(os.fsdecode(path)) or ".")
        except (OSError, ValueError):
            above = ""
        finally:
            self._is_asking = False
        is_inside = bool(self.scratch) and f"{above}/".startswith(f"{self.scratch}/")
        is_own = is_inside and (above != self.scratch or may_be_made)
        # What is installed is here as it is elsewhere.
        if not is_own and not os.fsdecode(path).startswith(self._installed):
            self.note("path", path)

    def pretend(self) -> None:
        """From now on, have something else stand for the files and folders of every system that are not here."""
        if self.scratch:
            around = os.path.dirname(self.scratch)
            self._common, self.place = f"{around}/common", f"{around}/there/"
            os.symlink(PLACE, self.place.rstrip("/"))
            for name in _OPENING.split():
                module_name, _, opens = name.rpartition(".")
                module = importlib.import_module(module_name)
                setattr(module, opens, Watched(getattr(module, opens), "path"))

    def stand_in(self, path: object, *, lists: bool = False) -> str:
        """Return what stands for this path, empty where nothing does."""
        if not self._common or not isinstance(path, str | bytes | os.PathLike):
            return ""
        place = os.path.abspath(os.fsdecode(path))
        if place not in _ON_EVERY_SYSTEM and not place.startswith("/proc/"):
            return ""
        if not _exists(self._common):
            os.mkdir(self._common)
            for name in map(os.path.basename, _ON_EVERY_SYSTEM - {"/"}):
                with open(f"{self._common}/{name}", "w", encoding="ascii") as file:
                    file.write("root:x:0:0:root:/root:/bin/sh\n")
        return f"{self._common}/passwd" if place.startswith(_HAS_FILES) and not lists else self._common

    def failed(self, error: BaseException, kind: str = "call", what: object = "") -> None:
        """Note what an exception says about the world, or one that it came from."""
        cause: BaseException | None = error
        for _ in range(MOST):
            if isinstance(cause, MemoryError):
                self.note("memory")
            elif isinstance(cause, ModuleNotFoundError) and cause.name:
                self.note("module", cause.name)
            elif isinstance(cause, OSError) and cause.errno in _MISSING:
                if isinstance(cause.filename, str | bytes) and cause.errno == errno.ENOENT:
                    self.path(cause.filename)
                elif isinstance(cause.filename, str | bytes):
                    self.note("path", cause.filename)
                else:
                    self.note(kind, what or cause.strerror)
            cause = None if cause is None else cause.__cause__ or cause.__context__

    def lay_out(self, path: Any) -> None:
        """Put the program's own files where they seem to be, for whoever looks there: few programs do."""
        is_path = isinstance(path, str | os.PathLike)
        if not self.files or not is_path or not f"{os.fspath(path)}/".startswith((PLACE, self.place)):
            return
        files, self.files = self.files, {}
        was_asking, self._is_asking = self._is_asking, True
        with contextlib.suppress(OSError):
            for place, text in files.items():
                os.makedirs(os.path.dirname(os.path.realpath(place)), exist_ok=True)
                with open(place, "wb") as file:
                    file.write(text)
        self._is_asking = was_asking

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take one event that Python announces."""
        if self.beside_tests:
            BENT.hear(event, arguments)
        if event == "open":
            self._opening(arguments[0], arguments[2])
        elif event in _NETWORK:
            self.note("network")
        elif event == "socket.__new__":
            # A pair of connected sockets needs no network: it makes objects of descriptors that are there.
            frame = sys._getframe(1)
            is_wrapped = frame.f_globals.get("__name__") == "socket" and frame.f_locals.get("fileno") is not None
            if not is_wrapped:
                self.note("network")
        elif event == "sqlite3.connect":
            if arguments[0] not in ("", ":memory:") and not _exists(arguments[0]):
                self.path(arguments[0], may_be_made=True)
        elif event == "builtins.input":
            self.note("input")
        elif event == "os.system":
            self.note("call", "system")

    def _opening(self, path: Any, flags: int) -> None:
        if self._is_asking or not isinstance(path, str | bytes):
            return
        self.lay_out(path)
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            self.path(os.path.join(os.fsdecode(path), "file"), may_be_made=True)
            return
        if flags & os.O_CREAT:
            if path != os.devnull:
                self.path(path, may_be_made=True)
            return
        # Nobody says how it ends, and whoever opens may catch the error: so it is tried here.
        self._is_asking = True
        opened = -1
        try:
            opened = _open(path, flags & os.O_ACCMODE | os.O_NONBLOCK | os.O_CLOEXEC)
            _close(opened)
        except (OSError, ValueError):
            pass
        finally:
            self._is_asking = False
        if opened < 0:
            self.path(path)


MET = Denials()
BENT = Bending(PLACE)


# What each of them stands for, out of reach of whoever has one; none of them ever ends.
# They are known by the real addresses: a program may be shown others.
_identity = id
_REAL: dict[int, Any] = {}


class Watched:
    """A function or class of Python's own, with a note where it fails for want of something."""

    def __init__(self, real: Any, kind: str) -> None:
        _REAL[_identity(self)], self._kind = real, kind
        self.__name__, self.__doc__, self.__module__ = real.__name__, real.__doc__, real.__module__

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if MET.files and arguments:
            MET.lay_out(arguments[0])
        path = arguments[0] if arguments else keywords.get("path", keywords.get("file", "."))
        lists = self.__name__ in _LISTING
        stand_in = MET.stand_in(path, lists=lists) if self._kind == "path" else ""
        try:
            result = _REAL[_identity(self)](*((stand_in,) if lists and stand_in else arguments), **keywords)
        except OSError as error:
            MET.failed(error, self._kind, self.__name__)
            if not stand_in:
                raise
            return _REAL[_identity(self)](stand_in, *arguments[1:], **keywords)
        except (KeyError, RuntimeError, ValueError, MemoryError):
            if self._kind not in ("path", "call", "terminal"):
                MET.note(self._kind, str(arguments[0]) if self._kind == "user" else "")
            raise
        if self.__name__ == "access" and not result:
            MET.path(path)
            return bool(stand_in)
        if lists and isinstance(path, str | bytes | os.PathLike):
            MET.path(os.path.join(os.fsdecode(path), ""))
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(_REAL[_identity(self)], name)

    @property  # type: ignore[misc]  # It says that it is what it stands for.
    def __class__(self) -> type:
        return type(_REAL[_identity(self)])

    def __instancecheck__(self, value: object) -> bool:
        return isinstance(value, _REAL[_identity(self)])

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        return (_REAL[_identity(self)],)

    def __repr__(self) -> str:
        return repr(_REAL[_identity(self)])


class NobodyFinds(importlib.abc.MetaPathFinder):
    """Comes last of all that find modules, finds none, and notes what the program looked for."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> None:
        """Find nothing."""
        self._missed(fullname)

    def find_distributions(self, context: Any) -> tuple[()]:
        """Find no installed package either."""
        if context.name:
            self._missed(context.name)
        return ()

    @staticmethod
    def _missed(name: str) -> None:
        frame: types.FrameType | None = sys._getframe(2)
        while frame is not None and str(frame.f_globals.get("__name__")).startswith("importlib"):
            frame = frame.f_back
        # Others than the program try modules of other systems, and do without.
        if frame is not None and _is_of_the_program(frame):
            MET.met("module", name)


def watch() -> None:
    """Begin to take notes, for this process and all that are forked from it."""
    for row in _WATCHED.strip().splitlines():
        kind, module_name, *names = row.split()
        module = importlib.import_module(module_name)
        for name in names:
            real = getattr(module, name, None)
            if real is not None:
                watched = Watched(real, kind)
                for holder in (module, posix) if module is os else (module,):
                    if getattr(holder, name, None) is real:
                        setattr(holder, name, watched)
                for supporting in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
                    if real in supporting:
                        supporting.add(watched)
    sys.meta_path.append(NobodyFinds())
    sys.addaudithook(MET.hear)


def _exists(path: Any) -> bool:
    try:
        _stat(path)
    except (OSError, ValueError, TypeError):
        return False
    return True


def _is_asked_by_the_program() -> bool:
    """True unless something between the program and this place looks for files of its own."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not _is_of_the_program(frame):
        name = frame.f_globals.get("__name__")
        if name in _QUIET or (name, frame.f_code.co_name) == _ASKS_ONLY:
            return False
        frame = frame.f_back
    return frame is not None or not MET.beside_tests


def _is_of_the_program(frame: types.FrameType) -> bool:
    return frame.f_code.co_filename.startswith((PLACE, DOCUMENTATION))
