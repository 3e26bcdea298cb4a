"""What a weakened check is, and which kinds there are.

A weakening is a question to the reviewer, never a verdict: an honest change may need one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WEAKENINGS: Final = {
    "assertion_changed": "An assertion was replaced by one that accepts other results, or is about something else.",
    "assertion_removed": "An assertion is gone.",
    "cannot_fail": "An assertion or a test cannot fail, or is not always reached.",
    "cases_changed": "A test runs on fewer or other cases than before.",
    "ci": "Continuous integration runs fewer checks, or goes on when one fails.",
    "fixture": "What pytest runs beside the tests is new or changed: a hook, a fixture, code of a conftest.",
    "import_path": "A file is new or changed that can stand in for what tests or tools import, or is compiled.",
    "mocked": "A test replaces something by a stand-in that it did not replace before.",
    "settings": "pytest, coverage, a linter or a type checker is configured to do less, or to overlook more.",
    "silenced": "A comment silences a tool at one more place.",
    "skipped": "A test is skipped, expected to fail, or wrapped by a decorator of the project.",
    "snapshot": "Recorded results that tests compare with have changed.",
    "test_removed": "A test is gone, or is no longer collected.",
    "unreadable": "A file that could be read before is no longer valid Python.",
}


@dataclass(frozen=True, slots=True)
class Weakening:
    """One check that the change weakens: where, and in one sentence what a reviewer should look at.

    ``line`` counts from 1 in the head file, or in the base file if ``is_gone``. ``test`` is the id as pytest has it,
    without parameters; empty where the weakening is about a file or a setting. ``kind`` is a key of ``WEAKENINGS``.
    """

    kind: str
    path: str
    line: int
    sentence: str
    test: str = ""
    is_gone: bool = False


def differing(now: str, was: str) -> str:
    """Return that one text replaces the other, each cut so that the place where they differ is seen."""
    texts = [" ".join(each.split()) for each in (now, was)]
    same = next((place for place, pair in enumerate(zip(*texts, strict=False)) if pair[0] != pair[1]), 0)
    start = same - 20 if same > 60 else 0
    return " replaces ".join(short(("…" if start else "") + each[start:]) for each in texts)


def short(text: str, most: int = 80) -> str:
    """Return the text on one line in backquotes, cut if long."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= most else line[: most - 1] + '…'}`"
