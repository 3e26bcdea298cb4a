"""The filter of system calls, tried instruction by instruction on every number that a call can have."""

from __future__ import annotations

import struct

import pytest

from probatum.core.errors import NotAttemptedError
from probatum.sandbox.syscalls import seccomp_filter

ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
FORBIDDEN = {
    "x86_64": {
        "fork": 57, "vfork": 58, "execve": 59, "kill": 62, "tgkill": 234, "ptrace": 101, "socket": 41, "connect": 42,
        "bind": 49, "sendmsg": 46, "chmod": 90, "fchmodat": 268, "chown": 92, "utimensat": 280, "setxattr": 188,
        "link": 86, "symlink": 88, "mknod": 133, "mount": 165, "unshare": 272, "setns": 308, "setuid": 105,
        "memfd_create": 319, "shmget": 29, "io_uring_setup": 425, "bpf": 321, "execveat": 322, "keyctl": 250,
        "process_vm_readv": 310, "open_by_handle_at": 304, "perf_event_open": 298, "userfaultfd": 323, "setsid": 112,
        "timer_create": 222, "pidfd_send_signal": 424, "rt_sigqueueinfo": 129, "setpriority": 141, "chroot": 161,
    },
    "aarch64": {
        "execve": 221, "kill": 129, "tgkill": 131, "ptrace": 117, "socket": 198, "connect": 203, "bind": 200,
        "sendmsg": 211, "fchmodat": 53, "utimensat": 88, "setxattr": 5, "mount": 40, "unshare": 97, "setns": 268,
        "setuid": 146, "memfd_create": 279, "shmget": 194, "io_uring_setup": 425, "bpf": 280, "execveat": 281,
        "process_vm_readv": 270, "open_by_handle_at": 265, "setsid": 157, "pidfd_send_signal": 424, "linkat": 37,
        "symlinkat": 36, "mknodat": 33, "fchownat": 54, "timer_create": 107, "setpriority": 140, "chroot": 51,
    },
}  # fmt: skip
# Harmless where nothing of the user can be written; the attacks of that name are tried in each tier.
OF_OWN_FILES = {"chmod", "fchmodat", "utimensat", "symlink", "symlinkat"}
CLONE = {"x86_64": 56, "aarch64": 220}
READ = {"x86_64": 0, "aarch64": 63}


def run(code: bytes, number: int, arguments: tuple[int, ...] = (), audit: int = AUDIT["x86_64"]) -> int:
    """Run a filter as the kernel would and return its answer."""
    padded = (*arguments, *([0] * (6 - len(arguments))))
    data = struct.pack("<IIQ6Q", number, audit, 0, *padded)
    steps = list(struct.iter_unpack("=HBBI", code))
    position, accumulator = 0, 0
    while True:
        operation, yes, no, value = steps[position]
        position += 1
        if operation == 0x06:
            return int(value)
        if operation == 0x20:
            accumulator = struct.unpack_from("<I", data, value)[0]
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x25: accumulator > value}[operation]
            position += yes if holds else no


@pytest.mark.parametrize("machine", AUDIT)
@pytest.mark.parametrize("namespaces", [True, False])
def test_only_what_is_named_is_allowed(machine: str, namespaces: bool) -> None:
    code = seccomp_filter(machine, namespaces=namespaces)
    answers = {number: run(code, number, (), AUDIT[machine]) for number in range(600)}
    assert answers[READ[machine]] == ALLOW
    for name, number in FORBIDDEN[machine].items():
        if not (namespaces and name in OF_OWN_FILES):
            assert answers[number] in (EPERM, ENOSYS), name
    assert set(answers.values()) == {ALLOW, EPERM, ENOSYS}
    assert all(run(code, number, (), AUDIT[machine]) == EPERM for number in (600, 4096, 0x3FFFFFFF))


@pytest.mark.parametrize("machine", AUDIT)
def test_a_foreign_architecture_and_the_other_numbers_end_the_process(machine: str) -> None:
    code = seccomp_filter(machine, namespaces=True)
    other = next(audit for name, audit in AUDIT.items() if name != machine)
    for audit in (0x40000003, 0, other):
        assert run(code, READ[machine], (), audit) == KILL
    assert run(code, 0x40000000 + READ[machine], (), AUDIT[machine]) == KILL
    assert run(code, 0xFFFFFFFF, (), AUDIT[machine]) == KILL


ARGUMENTS = {
    "a thread": (56, (0x3D0F00,), ALLOW),
    "a process": (56, (17,), EPERM),
    "a thread in a new namespace": (56, (0x3D0F00 | 0x10000000,), EPERM),
    "clone3": (435, (), ENOSYS),
    "reading flags": (72, (3, 3), ALLOW),
    "giving a descriptor an owner": (72, (3, 8), EPERM),
    "giving it a signal": (72, (3, 10), EPERM),
    "non-blocking": (16, (3, 0x5421), ALLOW),
    "pushing characters into a terminal": (16, (0, 0x5412), EPERM),
    "owning by ioctl": (16, (3, 0x8901), EPERM),
    "own limits": (302, (0, 1), ALLOW),
    "limits of another": (302, (17, 1), EPERM),
    "a local pair": (53, (1, 1), ALLOW),
    "a pair of another family": (53, (2, 1), EPERM),
    "to the peer": (44, (3, 0, 0, 0, 0), ALLOW),
    "to an address": (44, (3, 0, 0, 0, 0x7F00), EPERM),
    "to an address with an empty lower half": (44, (3, 0, 0, 0, 0x7F00_0000_0000), EPERM),
    "naming a thread": (157, (15,), ALLOW),
    "giving up the death signal": (157, (1,), EPERM),
    "becoming dumpable": (157, (4,), EPERM),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_decide_where_they_matter(name: str) -> None:
    number, arguments, expected = ARGUMENTS[name]
    assert run(seccomp_filter("x86_64", namespaces=True), number, arguments) == expected


def test_without_threads_no_clone_at_all() -> None:
    assert run(seccomp_filter("x86_64", namespaces=False), 56, (0x3D0F00,)) == EPERM


def test_an_unknown_machine_is_refused() -> None:
    with pytest.raises(NotAttemptedError, match="riscv64"):
        seccomp_filter("riscv64", namespaces=True)
