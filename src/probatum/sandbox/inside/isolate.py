"""What a freshly started job does to itself before it sees a byte of the program: it gives everything up.

Runs inside the sandbox, standard library only. Every step checks its result and raises OSError when it failed;
the caller ends the process then, so that a job that is half isolated never serves a request.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
from collections.abc import Iterable

_LIBC = ctypes.PyDLL(None, use_errno=True)
_CLONE = {"x86_64": 56, "aarch64": 220}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446

NEW_MOUNT, NEW_USER, NEW_PID = 0x00020000, 0x10000000, 0x20000000
_SIGCHLD, _SIGKILL = 17, 9
_SET_DEATH_SIGNAL, _SET_DUMPABLE, _SET_SECCOMP, _SET_NO_NEW_PRIVILEGES = 1, 4, 22, 38
_SECCOMP_FILTER = 2
_CAPABILITY_VERSION = 0x20080522
_NO_SETUID_NO_DEVICES = 2 | 4

_READ = 4 | 8
# Write and truncate files, make and remove files, folders and symbolic links, move; no devices, sockets or pipes.
_WRITE = 2 | 16 | 32 | 128 | 256 | 4096 | 8192 | 16384
_HANDLED = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF}
_NETWORK_SINCE, _SCOPES_SINCE = 4, 6

MEBIBYTE = 1024 * 1024


def checked(result: int, what: str) -> int:
    """Return ``result``, or raise OSError naming ``what`` was attempted."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def new_process(flags: int) -> int:
    """Fork, with new namespaces where ``flags`` ask for them. Returns 0 in the child, as fork does.

    The interpreter's own fork hooks run, so that locks, threads and ``random`` are as after ``os.fork``.
    """
    if not flags:
        return os.fork()
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = int(_LIBC.syscall(_CLONE[platform.machine()], flags | _SIGCHLD, 0, 0, 0, 0))
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        number = ctypes.get_errno()
        ctypes.pythonapi.PyOS_AfterFork_Parent()
        ctypes.set_errno(number)
    return checked(pid, "a new process in its own namespaces")


def landlock_version() -> int:
    """Return the version of Landlock that the kernel offers, 0 for none."""
    return max(0, int(_LIBC.syscall(_LANDLOCK_CREATE, None, 0, 1)))


def landlock_rules(version: int, readable: Iterable[str], writable: Iterable[str]) -> int:
    """Return a descriptor of rules: read these paths, write those, and nothing else at all."""
    handled = _HANDLED[min(version, 5)]
    network = 3 if version >= _NETWORK_SINCE else 0
    scopes = 3 if version >= _SCOPES_SINCE else 0
    attributes = struct.pack("=QQQ", handled, network, scopes)
    # An older kernel refuses fields that it does not know.
    size = 24 if version >= _SCOPES_SINCE else 16 if version >= _NETWORK_SINCE else 8
    rules = checked(_LIBC.syscall(_LANDLOCK_CREATE, attributes, size, 0), "a set of Landlock rules")
    for paths, rights in ((readable, _READ), (writable, _READ | _WRITE)):
        for path in paths:
            _allow(rules, path, rights & handled)
    return rules


def _allow(rules: int, path: str, rights: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            # The kernel refuses rights that only folders have.
            rights &= 2 | 4 | 16384
        rule = struct.pack("=Qi", rights, place)
        checked(_LIBC.syscall(_LANDLOCK_ADD, rules, 1, rule, 0), f"a Landlock rule for {path}")
    finally:
        os.close(place)


def restrict_files(rules: int) -> None:
    """Put this process under the Landlock rules, for good."""
    checked(_LIBC.syscall(_LANDLOCK_RESTRICT, rules, 0), "putting the Landlock rules in force")


def drop_user(user: int) -> None:
    """Become an ordinary user without groups and without privileges, for good."""
    # The user last: afterwards the others may no longer be changed.
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def forbid_new_privileges() -> None:
    """Make sure that no later program can gain privileges; a seccomp filter needs it."""
    checked(_LIBC.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "giving up new privileges")


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent is gone."""
    checked(_LIBC.prctl(_SET_DEATH_SIGNAL, _SIGKILL, 0, 0, 0), "a death signal")


def set_dumpable(dumpable: bool) -> None:
    """Let, or no longer let, this process's own files in /proc belong to its user."""
    checked(_LIBC.prctl(_SET_DUMPABLE, int(dumpable), 0, 0, 0), "the dumpable flag")


def keep_identity(user: int, group: int) -> None:
    """Map this user and group to themselves in a new user namespace; without that, no file can be made."""
    set_dumpable(True)  # Files in /proc of a process that is not dumpable belong to root.
    for path, text in (
        ("/proc/self/uid_map", f"{user} {user} 1"),
        ("/proc/self/setgroups", "deny"),  # Without this the kernel refuses the map of groups.
        ("/proc/self/gid_map", f"{group} {group} 1"),
    ):
        descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)


def mount_scratch(path: str, size_bytes: int) -> None:
    """Put a file system in memory around the empty folder ``path``, seen by this job only and gone with it."""
    options = f"size={size_bytes},nr_inodes=4096,mode=700".encode()
    around = os.path.dirname(path)
    arguments = (b"tmpfs", around.encode(), b"tmpfs", _NO_SETUID_NO_DEVICES, options)
    checked(_LIBC.mount(*arguments), "a scratch file system")
    os.mkdir(path)
    os.chdir(path)


def drop_capabilities() -> None:
    """Give up every capability. Nothing gives one back: no program can be started, no namespace made."""
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    number = _CAPSET[platform.machine()]
    checked(_LIBC.syscall(number, header, bytes(24)), "dropping all capabilities")


def set_limits(threads: int, cpu_seconds: int, memory_bytes: int) -> None:
    """Set the resource limits, soft and hard alike. Memory is address space: what a process maps, it has used."""
    for kind, value in (
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_FSIZE, 64 * MEBIBYTE),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_NPROC, threads),
        *((kind, 0) for kind in (resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_MSGQUEUE)),
    ):
        resource.setrlimit(kind, (value, value))


def filter_system_calls(instructions: bytes) -> None:
    """Put the seccomp filter that the judge built in force, for good."""
    buffer = ctypes.create_string_buffer(instructions, len(instructions))
    program = struct.pack("=H6xQ", len(instructions) // 8, ctypes.addressof(buffer))
    checked(_LIBC.prctl(_SET_SECCOMP, _SECCOMP_FILTER, program, 0, 0), "a seccomp filter")
