"""The system calls that a sandboxed process may make, as a seccomp filter built here and sent as bytes.

An allow-list: what is not named is refused with EPERM, also what a newer kernel brings. A foreign architecture, or the
32-bit numbers on x86-64, ends the process. No filter is built for a machine whose numbers are unknown. Nothing here
allows a process, a signal to another process, a network socket, a change of owner, memory without an address-space
account, or another program. Threads, and a change of mode or times, are for a tier in which they can do no harm.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from probatum.core.errors import NotAttemptedError

# Name, number on x86-64, number on aarch64 (which never had the older calls).
_CALLS = """
read 0 63 | write 1 64 | readv 19 65 | writev 20 66 | pread64 17 67 | pwrite64 18 68 | close 3 57
close_range 436 436 | lseek 8 62 | fstat 5 80 | newfstatat 262 79 | statx 332 291 | openat 257 56
getdents64 217 61 | getcwd 79 17 | readlinkat 267 78 | faccessat 269 48 | faccessat2 439 439
mmap 9 222 | munmap 11 215 | mprotect 10 226 | mremap 25 216 | madvise 28 233 | brk 12 214
msync 26 227 | mincore 27 232 | futex 202 98 | rt_sigaction 13 134 | rt_sigprocmask 14 135
rt_sigreturn 15 139 | rt_sigpending 127 136 | rt_sigsuspend 130 133 | rt_sigtimedwait 128 137
sigaltstack 131 132 | getpid 39 172 | gettid 186 178 | getppid 110 173 | getuid 102 174
geteuid 107 175 | getgid 104 176 | getegid 108 177 | getgroups 115 158 | getresuid 118 148
getresgid 120 150 | getpgid 121 155 | getsid 124 156 | getrandom 318 278 | clock_gettime 228 113
clock_getres 229 114 | clock_nanosleep 230 115 | nanosleep 35 101 | gettimeofday 96 169
sched_yield 24 124 | sched_getaffinity 204 123 | ppoll 271 73 | pselect6 270 72 | epoll_create1 291 20
epoll_ctl 233 21 | epoll_pwait 281 22 | eventfd2 290 19 | pipe2 293 59 | dup 32 23 | dup3 292 24
flock 73 32 | umask 95 166 | uname 63 160 | sysinfo 99 179 | getrusage 98 165 | times 100 153
set_robust_list 273 99 | get_robust_list 274 100 | rseq 334 293 | set_tid_address 218 96 | exit 60 93
exit_group 231 94 | restart_syscall 219 128 | getcpu 309 168 | membarrier 324 283 | ftruncate 77 46
truncate 76 45 | fsync 74 82 | fdatasync 75 83 | fallocate 285 47 | fadvise64 221 223 | mkdirat 258 34
unlinkat 263 35 | renameat 264 38 | renameat2 316 276 | chdir 80 49 | fchdir 81 50 | setitimer 38 103
getitimer 36 102 | timerfd_create 283 85 | recvfrom 45 207 | shutdown 48 210 | getsockname 51 204
getpeername 52 205 | getsockopt 55 209 | sendfile 40 71 | copy_file_range 326 285 | capget 125 90
statfs 137 43 | fstatfs 138 44 | stat 4 - | lstat 6 - | open 2 - | readlink 89 - | access 21 -
time 201 - | poll 7 - | select 23 - | epoll_wait 232 - | pipe 22 - | dup2 33 - | getpgrp 111 -
arch_prctl 158 - | mkdir 83 - | rmdir 84 - | unlink 87 - | rename 82 - | alarm 37 - | pause 34 -
getrlimit 97 -
"""

# Modes, times and symbolic links of files: where all that is not the job's own is mounted to be read.
_OF_OWN_FILES = "chmod 90 - | fchmod 91 52 | fchmodat 268 53 | utimensat 280 88 | futimesat 261 - | symlinkat 266 36"
_OF_OWN_FILES += " | symlink 88 - | utime 132 - | utimes 235 -"

# The flags with which the two common C libraries start a thread; a process has others.
_THREAD_FLAGS = (0x3D0F00, 0x7D0F00)
# Duplicating, flags, locks, pipe size. Not F_SETOWN or F_SETSIG: those send signals to other processes.
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
# Is it a terminal, its size, bytes waiting, non-blocking, close-on-exec.
_IOCTL_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# Setting and reading the name of a thread.
_PRCTL_OPTIONS = (15, 16)

_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_LOAD, _EQUAL, _AT_LEAST, _MORE_THAN, _RETURN = 0x20, 0x15, 0x35, 0x25, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_X32_BIT = 0x40000000


# What reaches into the kernel, other processes, or out of namespaces; a suite of tests may do everything else.
_OF_NO_SUITE = """
mount 165 40 | umount2 166 39 | pivot_root 155 41 | chroot 161 51 | unshare 272 97 | setns 308 268 | bpf 321 280
ptrace 101 117 | process_vm_readv 310 270 | process_vm_writev 311 271 | kcmp 312 272 | keyctl 250 219
add_key 248 217 | request_key 249 218 | perf_event_open 298 241 | userfaultfd 323 282 | io_uring_setup 425 425
io_uring_enter 426 426 | io_uring_register 427 427 | kexec_load 246 104 | kexec_file_load 320 294
init_module 175 105 | finit_module 313 273 | delete_module 176 106 | reboot 169 142 | swapon 167 224
swapoff 168 225 | acct 163 89 | quotactl 179 60 | settimeofday 164 170 | clock_settime 227 112 | adjtimex 159 171
clock_adjtime 305 266 | name_to_handle_at 303 264 | open_by_handle_at 304 265 | open_tree 428 428
move_mount 429 429 | fsopen 430 430 | fsconfig 431 431 | fsmount 432 432 | fspick 433 433 | pidfd_getfd 438 438
mount_setattr 442 442 | syslog 103 116 | sethostname 170 161 | setdomainname 171 162 | iopl 172 - | ioperm 173 -
modify_ldt 154 - | vhangup 153 58
"""
_CLONE3 = 435
_NEW_NAMESPACES = 0x7E020080
_ANY_BIT = 0x45


@dataclass(frozen=True, slots=True)
class _Machine:
    audit: int
    plain: tuple[int, ...]
    of_own_files: tuple[int, ...]
    of_no_suite: tuple[int, ...]
    clone: int
    fcntl: int
    ioctl: int
    prctl: int
    prlimit64: int
    socketpair: int
    sendto: int


# clone3 openat2 epoll_pwait2 futex_waitv and later: callers fall back when told that the kernel has none.
_NEWER = (435, 437, 441, 449, 451, 452, 453, 454, 455, 456)


def _numbers(column: int, calls: str = _CALLS) -> tuple[int, ...]:
    cells = (entry.split()[column] for entry in calls.replace("\n", "|").split("|") if entry.strip())
    return tuple(int(cell) for cell in cells if cell != "-")


_MACHINES = {
    "x86_64": _Machine(
        0xC000003E, _numbers(1), _numbers(1, _OF_OWN_FILES), _numbers(1, _OF_NO_SUITE), 56, 72, 16, 157, 302, 53, 44
    ),
    "aarch64": _Machine(
        0xC00000B7, _numbers(2), _numbers(2, _OF_OWN_FILES), _numbers(2, _OF_NO_SUITE), 220, 25, 29, 167, 261, 199, 206
    ),
}

Instruction = tuple[int, int, int, int]


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return the unbroken runs of numbers: the kernel tries a new filter on every call there is, so length costs."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _argument_in(index: int, values: tuple[int, ...]) -> list[Instruction]:
    """Allow when the lower half of an argument is one of ``values``: the kernel reads these as 32-bit numbers."""
    body: list[Instruction] = [(_LOAD, 0, 0, _FIRST_ARGUMENT + 8 * index)]
    for value in values:
        body += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW)]
    return [*body, (_RETURN, 0, 0, _ERRNO | _EPERM)]


def _without_address() -> list[Instruction]:
    """Allow sendto only towards the peer of a connected pair, never with an address of its own."""
    # A filter reads 32 bits at a time; both halves of the address must be 0.
    offset = _FIRST_ARGUMENT + 8 * 4
    refuse: Instruction = (_RETURN, 0, 0, _ERRNO | _EPERM)
    return [
        (_LOAD, 0, 0, offset), (_EQUAL, 1, 0, 0), refuse,
        (_LOAD, 0, 0, offset + 4), (_EQUAL, 1, 0, 0), refuse,
        (_RETURN, 0, 0, _ALLOW),
    ]  # fmt: skip


def _of_this_machine(machine: _Machine) -> Iterator[Instruction]:
    # The architecture first: the same numbers mean other calls elsewhere.
    yield (_LOAD, 0, 0, _ARCHITECTURE)
    yield (_EQUAL, 1, 0, machine.audit)
    yield (_RETURN, 0, 0, _KILL)
    yield (_LOAD, 0, 0, _NUMBER)
    yield (_AT_LEAST, 0, 1, _X32_BIT)
    yield (_RETURN, 0, 0, _KILL)


def _suite_instructions(machine: _Machine) -> Iterator[Instruction]:
    yield from _of_this_machine(machine)
    for first, last in _runs(machine.of_no_suite):
        yield from ((_AT_LEAST, 0, 2, first), (_MORE_THAN, 1, 0, last), (_RETURN, 0, 0, _ERRNO | _EPERM))
    # Its flags lie in memory; callers fall back to the call whose flags can be seen.
    yield from ((_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ERRNO | _ENOSYS))
    yield (_EQUAL, 0, 3, machine.clone)
    yield (_LOAD, 0, 0, _FIRST_ARGUMENT)
    yield (_ANY_BIT, 0, 1, _NEW_NAMESPACES)
    yield (_RETURN, 0, 0, _ERRNO | _EPERM)
    yield (_RETURN, 0, 0, _ALLOW)


def _instructions(machine: _Machine, namespaces: bool) -> Iterator[Instruction]:
    yield from _of_this_machine(machine)
    for first, last in _runs(machine.plain + (machine.of_own_files if namespaces else ())):
        yield from ((_AT_LEAST, 0, 2, first), (_MORE_THAN, 1, 0, last), (_RETURN, 0, 0, _ALLOW))
    rules = {number: [(_RETURN, 0, 0, _ERRNO | _ENOSYS)] for number in _NEWER}
    if namespaces:
        rules[machine.clone] = _argument_in(0, _THREAD_FLAGS)
    rules[machine.fcntl] = _argument_in(1, _FCNTL_COMMANDS)
    rules[machine.ioctl] = _argument_in(1, _IOCTL_REQUESTS)
    rules[machine.prctl] = _argument_in(0, _PRCTL_OPTIONS)
    # Limits of this very process, and pairs of sockets within it.
    rules[machine.prlimit64] = _argument_in(0, (0,))
    rules[machine.socketpair] = _argument_in(0, (1,))
    rules[machine.sendto] = _without_address()
    for number, rule in rules.items():
        yield (_EQUAL, 0, len(rule), number)
        yield from rule
    yield (_RETURN, 0, 0, _ERRNO | _EPERM)


def _known(architecture: str) -> _Machine:
    machine = _MACHINES.get(architecture)
    if machine is None:
        known = " and ".join(sorted(_MACHINES))
        raise NotAttemptedError(
            "sandbox.unavailable",
            f"The system calls of {architecture} are not known here, so they cannot be limited.",
            f"Use a machine of {known}.",
        )
    return machine


def _packed(instructions: Iterable[Instruction]) -> bytes:
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)


def suite_filter(architecture: str) -> bytes:
    """Return the filter for a suite of tests within namespaces of its own: a deny-list, as ``struct sock_filter[]``.

    Tests start programs, open ports and make files of every kind; what they must not do is reach the kernel's
    administration, other processes' memory or new namespaces. Raises NotAttemptedError for an unknown machine.
    """
    return _packed(_suite_instructions(_known(architecture)))


def seccomp_filter(architecture: str, *, namespaces: bool) -> bytes:
    """Return the filter as the bytes of ``struct sock_filter[]``; raises NotAttemptedError for an unknown machine.

    ``namespaces`` allows what only that tier should: threads, which it can count, and modes and times of files, since
    it shows none of the user's but to be read.
    """
    return _packed(_instructions(_known(architecture), namespaces))
