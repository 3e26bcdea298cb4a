"""What a weakened check is, and which kinds there are.

A weakening is a question to the reviewer, never a verdict: an honest change may need one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from posixpath import basename, splitext
from typing import Final

WEAKENINGS: Final = {
    "assertion_changed": "An assertion was replaced by one about something else.",
    "assertion_loosened": "An assertion accepts results now that it refused before.",
    "assertion_removed": "An assertion is gone.",
    "cannot_fail": "An assertion or a test cannot fail, whatever the program does.",
    "cases_removed": "A test runs on fewer cases than before.",
    "ci": "Continuous integration runs fewer checks, or goes on when one fails.",
    "compiled": "A compiled file is new or changed; what it does cannot be read.",
    "conftest": "Code that pytest runs beside every test is new or changed.",
    "coverage": "Coverage is measured less strictly.",
    "early_return": "A test returns before its assertions.",
    "expected_value": "A test expects another result than before.",
    "fixture": "A fixture of tests that existed before has changed.",
    "import_path": "A file can stand in for a module that the tests or the tools import.",
    "lint": "A rule of a linter or a type checker was lowered.",
    "mocked": "A test replaces something by a stand-in that it did not replace before.",
    "not_collected": "A test exists, but is no longer collected.",
    "pytest_settings": "pytest is configured to run less, or to overlook more.",
    "raises_widened": "A test accepts more exceptions than before.",
    "silenced": "A comment silences a tool at one more place.",
    "skipped": "A test is skipped or expected to fail.",
    "snapshot": "Recorded results that tests compare with have changed.",
    "test_removed": "A test is gone.",
    "tolerance_widened": "A comparison of numbers tolerates a larger difference.",
    "wrapped": "A decorator of the project was put on a test; it can keep the test from failing.",
    "unreadable": "A file that could be read before is no longer valid Python.",
}

_TEST_NAMES: Final = ("test_*.py", "*_test.py", "tests.py", "test.py", "conftest.py")
_TEST_FOLDERS: Final = frozenset({"test", "tests", "testing"})


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


def in_test_folder(path: str) -> bool:
    """Return whether a directory of the path is named as test directories are."""
    return not _TEST_FOLDERS.isdisjoint(path.split("/")[:-1])


def is_named_as_test(path: str) -> bool:
    """Return whether pytest or unittest would take the file for tests (or a conftest) by its name alone."""
    return any(fnmatchcase(basename(path), pattern) for pattern in _TEST_NAMES)


def is_test_code(path: str) -> bool:
    """Return whether the file is Python code of tests: by its name, or by its directory."""
    return splitext(path)[1] == ".py" and (is_named_as_test(path) or in_test_folder(path))


def differing(sentence: str, now: str, was: str) -> str:
    """Return the sentence with both texts in it, each cut so that the place where they differ is seen."""
    texts = [" ".join(each.split()) for each in (now, was)]
    same = next((place for place, pair in enumerate(zip(*texts, strict=False)) if pair[0] != pair[1]), 0)
    start = same - 20 if same > 60 else 0
    return sentence.format(*(short(("…" if start else "") + each[start:]) for each in texts))


def short(text: str, most: int = 80) -> str:
    """Return the text on one line in backquotes, cut if long."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= most else line[: most - 1] + '…'}`"
