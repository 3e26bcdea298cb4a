"""The linters ruff and bandit as the quality layer for code: ruff where it is installed, or those that are named.

They read the code, in a process of their own with limits, and never run it. Comments and settings that would silence
them are not heard. Refuses a linter that is unknown or not installed, and takes no end without an answer for silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Final

from probatum.core.errors import NotAttemptedError, UsageError, nearest, reason_of
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.judge.quality.layer import LinterRemark
from probatum.workers.code_tools import MOST_ANSWER, NO_ANSWER, beside_us, found_by
from probatum.workers.process import ProcessLimits

_LIMITS: Final = ProcessLimits(seconds=20.0, max_processes=16)
_FILE: Final = "output.py"
_TO_JSON: Final[Mapping[str, tuple[str, ...]]] = {
    "bandit": ("--quiet", "--exit-zero", "--ignore-nosec", "--format=json"),
    "ruff": (
        *("check", "--exit-zero", "--isolated", "--no-cache", "--ignore-noqa"),
        *(
            "--select=B,C90,E4,E7,E9,E501,F,N,PERF,S",
            "--ignore=F821",
            "--output-format=json",
            "--config=lint.mccabe.max-complexity=10",
            "--line-length=88",
        ),
    ),
}
"""How each linter is told to answer in JSON."""


@dataclass(frozen=True, slots=True)
class InstalledLinter:
    """A linter that is installed beside this package."""

    name: str

    def remarks(self, source: str) -> tuple[LinterRemark, ...]:
        """Return what it says of a source, by line; raises NotAttemptedError where it gives no answer."""
        argv = (*beside_us(self.name), *_TO_JSON[self.name], _FILE)
        files = {_FILE: source.encode("utf-8", "surrogatepass")}
        try:
            remarks = found_by(argv, files, _LIMITS, partial(_remarks, self.name))
        except NO_ANSWER as error:
            sentence = f"The linter {self.name} gave no answer: {reason_of(error)[:200]}."
            raise NotAttemptedError("judge.linter_failed", sentence) from error
        return tuple(sorted(remarks, key=lambda each: each.line))


def installed_linters() -> tuple[str, ...]:
    """Return the linter that looks at code where none is named: ruff, whose rules hold those of bandit."""
    return ("ruff",) if find_spec("ruff") else ()


def linters_named(names: Sequence[str]) -> tuple[InstalledLinter, ...]:
    """Return these linters; raises UsageError for one that is unknown or not installed."""
    for name in names:
        if name not in _TO_JSON:
            hint = nearest(name, _TO_JSON) or f"One of {', '.join(_TO_JSON)}."
            raise UsageError("judge.linter", f"There is no linter {name[:40]!r}.", hint)
        if find_spec(name) is None:
            raise UsageError("judge.linter", f"The linter {name} is not installed.", f"Run: pip install {name}")
    return tuple(InstalledLinter(name) for name in dict.fromkeys(names))


def _remarks(name: str, printed: bytes) -> Iterator[LinterRemark]:
    answer = Shape(read_json(printed, MOST_ANSWER))
    if name == "ruff":
        for each in answer.items():
            yield LinterRemark(each.text("code"), each.member("location").whole("row", 1), each.text("message"))
        return
    for each in answer.items("results"):
        yield LinterRemark(each.text("test_id"), each.whole("line_number", 1), each.text("issue_text"))
