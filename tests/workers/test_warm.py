"""The warm process: one whole answer for each question, an end for each that does not end, and nothing left behind."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from probatum.core.errors import BudgetError
from probatum.workers.warm import WarmExecutor, WarmLimits
from tests.workers.outside import own_children, own_descriptors

HERE = "tests.workers.test_warm:"


def answering(question: bytes) -> bytes:
    """What the far side evaluates with: each question is the name of what to do."""
    match question:
        case b"print":
            print("something else")
        case b"write":
            os.write(1, b"a" + bytes(8))
        case b"raise":
            raise ValueError("no such question")
        case b"exit":
            os._exit(3)
        case b"leave":
            sys.exit(0)
        case b"kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case b"forever":
            while True:
                # What the budget raises is caught here, again and again.
                with suppress(Exception):
                    spin()
        case b"sleep":
            time.sleep(600)
        case b"memory":
            return bytes(1 << 40)
        case b"large":
            return bytes(1 << 22)
    return b"%d %b" % (os.getpid(), question)


def spin() -> None:
    while True:
        pass


@pytest.fixture(autouse=True)
def _the_process_finds_this_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))


@pytest.fixture
def executor() -> Iterator[WarmExecutor]:
    children, descriptors = own_children(), own_descriptors()
    made = WarmExecutor(f"{HERE}answering", WarmLimits(processor=1, grace=1, wall=5))
    yield made
    made.close()
    assert own_children() <= children
    assert own_descriptors() <= descriptors


def process_of(executor: WarmExecutor, question: bytes = b"x") -> bytes:
    number, _, asked = executor.evaluate(question).partition(b" ")
    assert asked == question
    return number


def test_one_process_answers_every_question(executor: WarmExecutor) -> None:
    first = process_of(executor)
    assert first != str(os.getpid()).encode()
    assert {process_of(executor, question) for question in (b"", b"print", b"write", b"y" * (1 << 21))} == {first}
    assert len(executor.evaluate(b"large")) == 1 << 22


def test_a_fault_is_told_and_the_process_stays(executor: WarmExecutor) -> None:
    first = process_of(executor)
    with pytest.raises(RuntimeError, match="ValueError: no such question"):
        executor.evaluate(b"raise")
    with pytest.raises((RuntimeError, BudgetError)):
        executor.evaluate(b"memory")
    assert process_of(executor) == first


@pytest.mark.parametrize("question", [b"exit", b"leave"])
def test_a_process_that_ends_is_a_fault_and_another_one_answers(executor: WarmExecutor, question: bytes) -> None:
    first = process_of(executor)
    with pytest.raises(RuntimeError, match="without an answer"):
        executor.evaluate(question)
    assert process_of(executor) != first


@pytest.mark.parametrize("question", [b"forever", b"sleep", b"kill"])
def test_what_does_not_end_is_out_of_budget_and_another_one_answers(executor: WarmExecutor, question: bytes) -> None:
    first = process_of(executor)
    with pytest.raises(BudgetError) as caught:
        executor.evaluate(question)
    assert caught.value.code == "engine.out_of_budget"
    assert process_of(executor) != first


def test_nothing_starts_before_the_first_question_and_closing_twice_is_fine() -> None:
    children = own_children()
    executor = WarmExecutor(f"{HERE}answering")
    assert own_children() == children
    executor.close()
    executor.close()
    assert process_of(executor)
    executor.close()
    assert own_children() == children
