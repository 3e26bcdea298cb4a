"""The one family of errors that probatum raises, each with a code, a sentence and a hint.

The domain raises these; only the outermost layer prints them or turns them into an exit code.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class ProbatumError(Exception):
    """A named failure: what came, what was expected, and which command or change would help.

    ``code`` is stable and machine-readable (``area.what_happened``); ``hint`` may be empty.
    """

    exit_code = 70

    def __init__(self, code: str, sentence: str, hint: str = "") -> None:
        # A message that cannot be looked up does not help anybody.
        if not code or not sentence:
            raise ValueError("an error needs a code and a sentence")
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.hint = hint

    def __str__(self) -> str:
        return f"[{self.code}] {self.sentence}" + (f" {self.hint}" if self.hint else "")


class UsageError(ProbatumError):
    """The caller asked for something that does not exist or makes no sense; exit code 2."""

    exit_code = 2


class NotAttemptedError(ProbatumError):
    """Verification could not be attempted: the verdict is BLOCKED, never a statement about the subject."""

    exit_code = 4


class BudgetError(ProbatumError):
    """An input or a run is larger than its budget allows: the verdict is undecided."""

    exit_code = 3


class IntegrityError(ProbatumError):
    """Stored or received material is not what its digest or its format says."""

    exit_code = 1


_COMPARED = 60


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint naming the known word closest to ``name``, or an empty string."""
    # Cut first: finding the nearest name of a very long one takes quadratic time.
    matches = get_close_matches(name[:_COMPARED], list(known), n=1, cutoff=0.5)
    return f"Did you mean {matches[0]!r}?" if matches else ""


def reason_of(error: Exception) -> str:
    """Return why something could not be opened, read or written, in the system's words."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
