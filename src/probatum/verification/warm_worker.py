"""A process that answers questions on standard input, one at a time, until it ends: the far side of `WarmExecutor`.

What it evaluates with is loaded once. It has a budget for each question and dies with its parent, even one that was
killed. Whatever an evaluation prints goes to standard error: standard output carries answers alone. Refuses to be
interrupted from the keyboard, which is the parent's to handle.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from importlib import import_module
from struct import Struct
from typing import BinaryIO, Final

from probatum.verification.watchdog import progress, watch

HEADER: Final = Struct(">cQ")
"""Before each question and answer: what it is, and how many bytes follow."""
ANSWER: Final = b"a"
FAULT: Final = b"f"
_SIGNAL_WHEN_PARENT_DIES: Final = 1
_SHOWN: Final = 300


def main(arguments: list[str]) -> int:
    """Answer until standard input ends.

    Arguments: what evaluates as ``module:function``, seconds of processor time, seconds of grace, the parent's id.
    """
    target, seconds, grace, parent = arguments
    answers = own_standard_output()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(int(parent))
    module, _, name = target.partition(":")
    evaluate = getattr(import_module(module), name)
    watch(float(seconds), float(grace))
    questions = sys.stdin.buffer
    while header := questions.read(HEADER.size):
        progress()
        question = questions.read(HEADER.unpack(header)[1])
        try:
            mark, answer = ANSWER, evaluate(question)
        except Exception as error:  # noqa: BLE001  a fault of one evaluation is told, and the next question is answered
            mark, answer = FAULT, f"{type(error).__name__}: {error}"[:_SHOWN].encode("utf-8", "backslashreplace")
        answers.write(HEADER.pack(mark, len(answer)) + answer)
        answers.flush()
    return 0


def own_standard_output() -> BinaryIO:
    """Keep the pipe to the parent for answers; everything else that is printed goes to standard error."""
    own = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(own, "wb")


def die_with(parent: int) -> None:
    """Ask the kernel to kill this process when its parent ends, however it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SIGNAL_WHEN_PARENT_DIES, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
