"""Ruff and mypy as gates: run where they are installed, on a copy of the program, without settings of strangers.

A comment that silences a whole file is not heard; one that silences a line is, and the lines are counted. What mypy
cannot import is no fault of the program. Refuses to blame the program where a tool gives no answer.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.errors import NotAttemptedError, reason_of
from probatum.core.json_text import read_json
from probatum.core.messages import counted, writable
from probatum.core.shape import Shape
from probatum.programs.gates import GateType
from probatum.programs.source import Source
from probatum.sandbox import Program
from probatum.verification.files import GateStepResult, ValidationError
from probatum.workers.code_tools import MOST_ANSWER, NO_ANSWER, found_by, tool_found
from probatum.workers.process import ProcessLimits

MOST_ERRORS: Final = 20
"""Of one step; more are counted."""
_UNNAMED: Final = "artifact"
_LONGEST: Final = 200
# The last declares an encoding: tools get UTF-8.
_OF_THE_FILE: Final = re.compile(r"#\s*(?:ruff|flake8|mypy)\s*:|coding[:=]", re.IGNORECASE)
_OF_A_LINE: Final = re.compile(r"#\s*(?:noqa|type:\s*ignore)", re.IGNORECASE)
Remark = tuple[int, int, str]
"""Line and column, from 1, and what is said."""


@dataclass(frozen=True, slots=True)
class GateTool:
    """A tool of one gate: how it is told to answer, and how its answer is read."""

    name: str
    options: tuple[str, ...]
    remarks: Callable[[str, bytes], Iterator[Remark]]
    limits: ProcessLimits


def _ruff_remarks(_path: str, answer: bytes) -> Iterator[Remark]:
    for each in Shape(read_json(answer, MOST_ANSWER)).items():
        place = each.member("location")
        yield place.whole("row", 1), place.whole("column", 1), _told(each)


def _mypy_remarks(path: str, answer: bytes) -> Iterator[Remark]:
    for line in answer.splitlines():
        each = Shape(read_json(line, MOST_ANSWER))
        if each.text("severity") == "error" and each.text("file") == path:
            yield each.whole("line"), each.whole("column") + 1, _told(each)


def _told(remark: Shape) -> str:
    return writable(f"{remark.text('message')} ({remark.raw_object().get('code')})")[:300]


TOOLS: Final[Mapping[GateType, GateTool]] = {
    GateType.LINT: GateTool(
        "ruff",
        ("check", "--isolated", "--no-cache", "--select=E4,E7,E9,F", "--output-format=json"),
        _ruff_remarks,
        ProcessLimits(seconds=20.0, max_processes=16),
    ),
    GateType.TYPE: GateTool(
        "mypy",
        (
            *("--config-file=", "--no-incremental", "--cache-dir=/dev/null", "--no-error-summary", "--output=json"),
            *("--show-column-numbers", "--follow-imports=silent", "--ignore-missing-imports"),
            *("--explicit-package-bases", "--namespace-packages"),
        ),
        _mypy_remarks,
        ProcessLimits(seconds=120.0, memory_bytes=4 << 30, max_processes=16),
    ),
}


def step_of_tool(gate: GateType, source: Source, shown: str) -> GateStepResult:
    """Return what the tool of a gate says; ``shown`` is what the file is called.

    Raises NotAttemptedError where the tool gives no answer.
    """
    tool = TOOLS[gate]
    command = tool_found(tool.name)
    if command is None:
        return GateStepResult(gate.value, None, f"{tool.name} is not installed")
    text, silenced = heard(source.text)
    path, files = laid_out(source.program, text)
    try:
        found = sorted(found_by([*command, *tool.options, path], files, tool.limits, partial(tool.remarks, path)))
    except NO_ANSWER as error:
        sentence = f"{tool.name} gave no answer: {reason_of(error)[:200]}."
        raise NotAttemptedError("gate.tool_failed", sentence) from error
    errors = tuple(ValidationError(gate.value, told, shown, line, column) for line, column, told in found[:MOST_ERRORS])
    aside = f"; comments silence {counted(silenced, 'line')}" if silenced else ""
    said = f"{tool.name}: {counted(len(found), 'error')}" if found else f"{tool.name} finds nothing"
    return GateStepResult(gate.value, Outcome.REFUTED if found else Outcome.TESTED, said + aside, errors)


def heard(text: str) -> tuple[str, int]:
    """Return a source without comments that silence tools for all of it, and how many lines others silence."""
    lines = io.StringIO(text).readlines()
    silenced: set[int] = set()
    # What Python cannot take apart is left to the tools.
    for token in _comments(text):
        (row, start), (_, end) = token.start, token.end
        line, says_line = lines[row - 1], _OF_A_LINE.search(token.string)
        # Alone on its line, the second kind is of the file too.
        if _OF_THE_FILE.search(token.string) or (says_line and not line[:start].strip()):
            lines[row - 1] = line[:start] + "#" * (end - start) + line[end:]
        elif says_line:
            silenced.add(row)
    return "".join(lines), len(silenced)


def _comments(text: str) -> Sequence[tokenize.TokenInfo]:
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return [each for each in tokens if each.type == tokenize.COMMENT]
    except (tokenize.TokenError, SyntaxError):
        return ()


def laid_out(program: Program, text: str) -> tuple[str, Mapping[str, bytes]]:
    """Return where a program lies among the modules that it may import, and all of them, by path."""
    # A file that is called as a module of Python would hide it from the tool.
    is_usable = _is_path(program.key) and program.key.split(".")[0] not in sys.stdlib_module_names
    own = _path_of(program.key if is_usable else _UNNAMED)
    files = {_path_of(name): content for name, content in program.siblings if _is_path(name)}
    return own, {**files, own: text.encode("utf-8", "surrogatepass")}


def _is_path(name: str) -> bool:
    return len(name) <= _LONGEST and all(part.isidentifier() for part in name.split("."))


def _path_of(name: str) -> str:
    return name.replace(".", "/") + ".py"
