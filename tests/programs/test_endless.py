"""Loops that are proved to repeat themselves for ever, and loops about which nothing may be concluded."""

from __future__ import annotations

import textwrap

import pytest

from probatum.core.decision import Outcome
from probatum.programs.running.checks import DirectCall
from probatum.programs.running.endless import find_repetition
from probatum.programs.running.execute import Benches
from tests.programs.parsing import source_of
from tests.services import ProgramRequest, Service

ENDLESS = {
    "a condition that nothing in the loop changes": """
        def f(text):
            cut = 0
            while text != text[::-1]:
                cut += 1
            return text + text[:cut][::-1]
        """,
    "a binary search that does not move": """
        def f(text):
            low, high = 0, len(text)
            while low < high:
                middle = (low + high) // 2
                if text[middle] < "z":
                    low = middle
                else:
                    high = middle
            return low
        """,
    "a cycle of several turns": """
        def f(text):
            number = 1
            while number != 10:
                number = (number * 3) % 7
            return number
        """,
    "a helper of the file that is pure": """
        LIMIT = 3

        def step(number):
            return number if number > LIMIT else number + 1

        def f(text):
            number = 0
            while number < 10:
                number = step(number)
            return number
        """,
    "a list that only rotates": """
        def f(text):
            letters = list(text)
            while letters[0] != "!":
                letters.append(letters.pop(0))
            return letters
        """,
    "inside a method of a class": """
        class Counter:
            def count(self, text):
                left = len(text)
                found = []
                while left > 0:
                    found.append(text)
                return found

        def f(text):
            return Counter().count(text)
        """,
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS.keys())
def test_a_state_that_comes_back_is_found(benches: Benches, source: str) -> None:
    assert _repetition(benches, source) is not None


OPEN = {
    "a loop that ends": """
        def f(text):
            number = 5
            while number:
                number -= 1
            return number
        """,
    "an index that runs out": """
        def f(text):
            place, found = 0, []
            while True:
                found.append(text[place])
                place += 1
        """,
    "a counter in a collecting position that steers after all": """
        def f(text):
            turns = 0
            while text:
                turns += 1
                if turns == 50:
                    break
            return turns
        """,
    "an object with a state of its own": """
        def f(text):
            letters = iter(text)
            found = ""
            while found != "c":
                found = next(letters)
            return found
        """,
    "a default that remembers": """
        def step(number, seen=[]):
            seen.append(number)
            return number if len(seen) < 50 else 10

        def f(text):
            number = 1
            while number < 10:
                number = step(number)
            return number
        """,
    "a global that changes behind the loop's back": """
        turns = 0

        def step(number):
            global turns
            turns += 1
            return number if turns < 50 else 10

        def f(text):
            number = 1
            while number < 10:
                number = step(number)
            return number
        """,
    "a list of the module that a helper fills": """
        SEEN = []

        def step(number):
            SEEN.append(number)
            return number if len(SEEN) < 50 else 10

        def f(text):
            number = 1
            while number < 10:
                number = step(number)
            return number
        """,
    "attributes": """
        class Box:
            left = 50

        def f(text):
            box = Box()
            while box.left:
                box.left -= 1
            return box.left
        """,
    "the clock": """
        import time

        def f(text):
            begin = time.monotonic()
            while time.monotonic() < begin + 0.01:
                pass
            return text
        """,
    "an exception that ends it": """
        def f(text):
            turns = []
            try:
                while True:
                    turns.append(1)
                    [0] * (50 - len(turns)) [0]
            except TypeError:
                return turns
        """,
    "a generator, whose consumer may stop": """
        def endless():
            while True:
                yield 1

        def f(text):
            return next(endless())
        """,
    "two names for one list": """
        def f(text):
            letters = list(text)
            same = letters
            while len(letters) < 50:
                same.append("x")
            return letters
        """,
    "a function that was bound again": """
        def step(number):
            return number

        step = (lambda turns: lambda number: turns.append(1) or (10 if len(turns) > 50 else number))([])

        def f(text):
            number = 1
            while number < 10:
                number = step(number)
            return number
        """,
    "a built-in function that was bound again": """
        def len(values, turns=[]):
            turns.append(1)
            return turns.__len__() // 50

        def f(text):
            while not len(text):
                pass
            return text
        """,
    "closures": """
        def f(text):
            left = 50

            def step():
                nonlocal left
                left -= 1
                return left

            while step():
                pass
            return left
        """,
}


@pytest.mark.parametrize("source", OPEN.values(), ids=OPEN.keys())
def test_nothing_is_concluded_about_a_loop_that_may_end(benches: Benches, source: str) -> None:
    assert _repetition(benches, source) is None


def _repetition(benches: Benches, source: str) -> object:
    return find_repetition(source_of(textwrap.dedent(source)), DirectCall("f", ("abc",)), benches)


def test_a_proved_repetition_refutes_and_names_the_loop(service: Service) -> None:
    documented = (
        'def f(text):\n    """\n    >>> f("abc")\n    0\n    """\n    while text:\n        pass\n    return 0\n'
    )
    answer = service.verify_program(ProgramRequest(documented.encode(), "artifact.py"))
    fields = answer.verdict.developer_fields
    assert (fields["outcome"], fields["constraint_id"]) == (Outcome.REFUTED.value, "program.never_ends")
    assert fields["counterexample"] == "f('abc')"
    assert answer.exit_code == 1


@pytest.mark.long
def test_growth_without_repetition_stays_undecided(service: Service) -> None:
    growing = (
        'def f(n):\n    """\n    >>> f(5)\n    1\n    """\n    while n > 1:\n        n = n * 2 + 1\n    return n\n'
    )
    answer = service.verify_program(ProgramRequest(growing.encode(), "artifact.py"))
    assert answer.verdict.developer_fields["constraint_id"] == "program.out_of_budget"
