"""Runs a Python program under a seccomp filter, as a container engine would put it there.

Usage: denied.py namespaces|namespaces,landlock PROGRAM ARGUMENTS... The first word says what the kernel shall refuse.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys

_NAMESPACES = {"x86_64": (272, 308, 165), "aarch64": (97, 268, 40)}
"""unshare, setns, mount"""
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3, _LANDLOCK = 435, (444, 445, 446)
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _EPERM, _ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
_NEW_NAMESPACES = 0x7E020080


def instructions(words: list[str]) -> bytes:
    machine = platform.machine()
    made = [(_LOAD, 0, 0, 0)]
    for number in (*_NAMESPACES[machine], *(_LANDLOCK if "landlock" in words else ())):
        made += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _EPERM)]
    made += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ENOSYS)]
    made += [
        (_EQUAL, 0, 3, _CLONE[machine]),
        (_LOAD, 0, 0, 16),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _EPERM),
    ]
    made.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *one) for one in made)


def main() -> None:
    words, program = sys.argv[1].split(","), sys.argv[2:]
    code = instructions(words)
    buffer = ctypes.create_string_buffer(code, len(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(
        22, 2, struct.pack("=H6xQ", len(code) // 8, ctypes.addressof(buffer)), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the filter cannot be installed")
    os.execv(sys.executable, [sys.executable, *program])


if __name__ == "__main__":
    main()
