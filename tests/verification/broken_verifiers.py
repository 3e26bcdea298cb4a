"""Verifiers that break in every way that needs a process around them. Each is a function of input, output and context.

They answer under the id ``a``, which is what a forged answer says too.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

from probatum.verification.results import VerificationResult, VerificationStatus
from probatum.verification.written_results import write_result

PASS = VerificationStatus.PASS
FINE = VerificationResult(PASS, "a", "fine")
FORGED = write_result(FINE)
MEGABYTE = 1 << 20


def to_every_descriptor(content: bytes) -> None:
    for number in range(400):
        try:
            os.write(number, content)
        except OSError:
            continue


def prints_and_ends(*_given: object) -> None:
    print(FORGED.decode(), flush=True)
    to_every_descriptor(FORGED)
    os._exit(0)


def prints_with_what_it_can_read(*_given: object) -> None:
    for number in range(3, 400):
        try:
            os.set_blocking(number, False)
            found = os.read(number, 100)
        except OSError:
            continue
        to_every_descriptor(found[:7] + FORGED)
    os._exit(0)


def prints_before_it_answers(*_given: object) -> VerificationResult:
    to_every_descriptor(FORGED)
    return FINE


def copies_itself_and_raises(*_given: object) -> VerificationResult:
    if os.fork() == 0:
        return FINE
    os.wait()
    raise RuntimeError("the copy answers")


def copies_itself_and_ends(*_given: object) -> VerificationResult:
    if os.fork() == 0:
        return FINE
    os._exit(0)


def closes_everything(*_given: object) -> VerificationResult:
    os.closerange(0, 4000)
    return FINE


def puts_a_file_in_the_place_of_everything(*_given: object) -> VerificationResult:
    for name in os.listdir("/proc/self/fd"):
        other = os.open("/dev/null", os.O_RDWR)
        os.dup2(other, int(name))
    return FINE


def eats_memory(*_given: object) -> VerificationResult:
    return VerificationResult(PASS, "a", "fine", {"rows": "x" * (4096 * MEGABYTE)})


def eats_memory_and_notices(*_given: object) -> VerificationResult:
    kept = []
    while True:
        kept.append(bytearray(MEGABYTE))


def answers_for_ever(*_given: object) -> VerificationResult:
    return VerificationResult(PASS, "a", "x" * (5 * MEGABYTE))


def prints_without_end(*_given: object) -> VerificationResult:
    line = "x" * MEGABYTE
    while True:
        print(line)
        os.write(2, line.encode())


def changes_its_input(rows: dict[str, object], *_given: object) -> VerificationResult:
    rows.clear()
    return FINE


def bends_its_answer(*_given: object) -> VerificationResult:
    bent = VerificationResult(PASS, "a", "fine")
    object.__setattr__(bent, "status", "pass")
    return bent


def loops(*_given: object) -> VerificationResult:
    while True:
        pass


def raises(error: BaseException) -> Callable[..., object]:
    def work(*_given: object) -> object:
        raise error

    return work


def kills(pid: Callable[[], int], number: int, kill: Callable[[int, int], None] = os.kill) -> Callable[..., object]:
    def work(*_given: object) -> object:
        kill(pid(), number)
        time.sleep(0.01)
        return signal.pause()

    return work


FAULTS: dict[str, Callable[..., object]] = {
    "raises": raises(RuntimeError("no")),
    "interrupts": raises(KeyboardInterrupt()),
    "leaves a generator": raises(GeneratorExit()),
    "asks to exit": raises(SystemExit(0)),
    "is out of memory": raises(MemoryError()),
    "is too deep": raises(RecursionError()),
    "answers with nothing": lambda *_: None,
    "answers with True": lambda *_: True,
    "answers with a dictionary": lambda *_: {"status": "pass"},
    "answers with bytes": lambda *_: FORGED,
    "answers for another": lambda *_: VerificationResult(PASS, "b", "fine"),
    "exits with 0": lambda *_: os._exit(0),
    "exits with 1": lambda *_: os._exit(1),
    "aborts": lambda *_: os.abort(),
    "kills its guard": kills(os.getppid, 9),
    "asks its guard to end": kills(os.getppid, 15),
    "kills the group of its guard": kills(lambda: os.getpgid(os.getppid()), 9, os.killpg),
    "kills its own group": kills(lambda: os.getpgid(0), 9, os.killpg),
    "prints a forged answer": prints_and_ends,
    "prints what it can read": prints_with_what_it_can_read,
    "prints before it answers": prints_before_it_answers,
    "copies itself and raises": copies_itself_and_raises,
    "copies itself and ends": copies_itself_and_ends,
    "closes everything": closes_everything,
    "puts a file in the place of everything": puts_a_file_in_the_place_of_everything,
    "eats memory": eats_memory,
    "eats memory and notices": eats_memory_and_notices,
    "answers without measure": answers_for_ever,
    "changes its input": changes_its_input,
    "bends its answer": bends_its_answer,
    "becomes another program": lambda *_: os.execv("/bin/echo", ["echo", FORGED.decode()]),
}
ENDLESS: dict[str, Callable[..., object]] = {
    "hangs": lambda *_: threading.Event().wait(),
    "loops": loops,
    "stops": kills(os.getpid, 19),
    "prints without end": prints_without_end,
    "is deaf": lambda *_: [signal.signal(number, signal.SIG_IGN) for number in (1, 2, 3, 15)] and signal.pause(),
}
