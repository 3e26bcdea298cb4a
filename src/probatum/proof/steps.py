"""Numbered steps of a check: each holds, fails, or was not reached; the first failure ends it.

A report has every title, and holds only where every step was reached and holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final, TypeVar

from probatum.core.canonical import canonical_bytes
from probatum.core.errors import ProbatumError

SHOWN: Final = 120
Answer = TypeVar("Answer")


class StepFailed(Exception):
    """A step does not hold; the text says why."""


@dataclass(frozen=True, slots=True)
class Step:
    """One numbered step: True where it holds, False where it fails, None where it was not reached."""

    number: int
    title: str
    holds: bool | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StepReport:
    """Every step of one check, in order."""

    reference: str
    steps: tuple[Step, ...]

    @property
    def holds(self) -> bool:
        """True when every step was reached and holds."""
        return bool(self.steps) and all(step.holds is True for step in self.steps)

    @property
    def failure(self) -> Step | None:
        """The step that failed; None where none did."""
        return next((step for step in self.steps if step.holds is False), None)


def run_steps(reference: str, titles: Sequence[str], established: Iterator[str]) -> StepReport:
    """Return the report of a check that yields a detail for each step that holds and raises `StepFailed` else."""
    told: list[tuple[bool | None, str]] = []
    problem = "the check ended early"
    try:
        for detail in established:
            told.append((True, detail))
    except StepFailed as error:
        problem = str(error)
    # A check that ends without a word is not a success: the step after its last one fails.
    told += [(False, problem), *((None, "not reached") for _ in titles)]
    named = enumerate(zip(titles, told, strict=False), start=1)
    return StepReport(reference, tuple(Step(number, title, *each) for number, (title, each) in named))


def joined(first: StepReport, second: StepReport) -> StepReport:
    """Return two checks as one: the second one's steps are counted on, under its reference."""
    later = (replace(step, number=step.number + len(first.steps)) for step in second.steps)
    return StepReport(second.reference, (*first.steps, *later))


def followed_by(failed: StepReport, titles: Sequence[str]) -> StepReport:
    """Return a check that failed with the further steps that it kept from being reached."""
    missed = (Step(number, title, None, "not reached") for number, title in enumerate(titles, len(failed.steps) + 1))
    return StepReport(failed.reference, (*failed.steps, *missed))


def differences(place: str, recorded: object, due: object) -> Iterator[tuple[str, str, str]]:
    """Yield each place in which two JSON values differ, with what was recorded there and what is due, both shortened.

    Values are compared by their canonical bytes; ``place`` is that of the whole.
    """
    if isinstance(recorded, dict) and isinstance(due, dict):
        for key in sorted(recorded.keys() | due.keys()):
            inner = f"{place}.{key}" if place else str(key)
            yield from differences(inner, recorded.get(key, _ABSENT), due.get(key, _ABSENT))
    elif isinstance(recorded, list) and isinstance(due, list):
        for number, pair in enumerate(zip_longest(recorded, due, fillvalue=_ABSENT), start=1):
            yield from differences(f"{place}[{number}]", *pair)
    elif recorded is _ABSENT or due is _ABSENT or canonical_bytes(recorded) != canonical_bytes(due):
        yield place, _shown(recorded), _shown(due)


_SHOWN_OF_VALUE: Final = 300
_ABSENT: Final = object()
"""Not null, which JSON has."""


def _shown(value: object) -> str:
    text = "nothing" if value is _ABSENT else repr(value)
    return text if len(text) <= _SHOWN_OF_VALUE else text[: _SHOWN_OF_VALUE - 1] + "…"


def asked(whom: str, question: Callable[[], Answer]) -> Answer:
    """Return the answer; raises StepFailed for whatever breaks on the way: it counts against what is checked."""
    try:
        return question()
    except ProbatumError as error:
        raise StepFailed(f"{error.sentence} {error.hint}".strip()) from error
    except ValueError as error:
        # A check of ours that does not hold says so in a sentence of its own.
        raise StepFailed(str(error)[:SHOWN] or f"{whom} failed") from error
    except Exception as error:
        raise StepFailed(f"{whom} failed: {type(error).__name__}: {str(error)[:SHOWN]}") from error
