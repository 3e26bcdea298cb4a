"""The one family of errors that probatum raises, each with a code, a sentence and a hint.

The domain raises these; only the outermost layer prints them or turns them into an exit code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from probatum.core.frozen import frozen_dict
from probatum.core.outside import folded, visible_lines, with_short_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Longer names are compared by their beginning: the time that comparing takes grows with the square of the length.
_COMPARED: Final = 80
# So many characters of a sentence are told.
_MOST: Final = 2000


class ProbatumError(Exception):
    """A named failure: what came, what was expected, and which command or change would help.

    ``code`` is stable and machine-readable (``area.what_happened``); ``hint`` may be empty. What a stranger wrote may
    stand in both, so they hold nothing but what is seen, and not without end. ``details`` are for programs: which field
    of a request is meant, for example.
    """

    exit_code = 70

    def __init__(self, code: str, sentence: str, hint: str = "", details: Mapping[str, object] | None = None) -> None:
        # A message that cannot be looked up does not help anybody.
        if not code or not sentence:
            raise ValueError("an error needs a code and a sentence")
        self.code = code
        self.sentence = visible_lines(with_short_words(sentence), _MOST)
        self.hint = visible_lines(hint, _MOST)
        self.details = frozen_dict(details or {})
        super().__init__(self.sentence)

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


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint naming the known word that ``name`` is meant to be, or an empty string."""
    meant = meant_by(name, known)
    return f"Did you mean {meant!r}?" if meant else ""


def meant_by(name: str, known: Iterable[str]) -> str:
    """Return the known word that can be meant: one slip in three letters away, or the only one that begins so."""
    typed = folded(name[:_COMPARED])
    most = min(len(typed) // 3, 3)
    distances = {word: _slips(typed, folded(word[:_COMPARED]), most) for word in known if word != name}
    close = min(distances, key=lambda word: distances[word], default="")
    if close and distances[close] <= most:
        return close
    begun = [word for word in distances if len(typed) > 1 and folded(word).startswith(typed)]
    return begun[0] if len(begun) == 1 else ""


def _slips(typed: str, word: str, most: int) -> int:
    """Return how many letters are missing, too many, wrong or swapped; more than ``most`` as soon as that is known."""
    if abs(len(typed) - len(word)) > most:
        return most + 1
    before, last = list[int](), list(range(len(word) + 1))
    for row, letter in enumerate(typed, start=1):
        line = [row]
        for column, other in enumerate(word, start=1):
            cost = min(last[column] + 1, line[-1] + 1, last[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == word[column - 2] and typed[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        if min(line) > most and min(last) > most:
            return most + 1
        before, last = last, line
    return last[-1]


def reason_of(error: Exception) -> str:
    """Return why something could not be opened, read or written, in the system's words."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
