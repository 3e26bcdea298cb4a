"""What an output is made of: Python code, code of other languages, prose, and data, which has nothing to judge.

Whether a text is Python follows from its parse, and from what it is announced as: a fence, a key of a JSON object, the
language that the context names. Prose that happens to parse, such as one word, is no code.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from probatum.core.limits import ExtentError
from probatum.core.outside import shortened
from probatum.exact.code.tables import words
from probatum.judge.request import ValidationRequest
from probatum.programs.source import parsed
from probatum.readers.json_schema.paths import path_text

MOST_TEXT: Final = 1_000_000
"""Characters of the output that are judged."""
_CODE_KEYS: Final = words("code source source_code program implementation solution tests test script")
_PYTHON: Final = words("python py python3 py3")
_FENCE: Final = re.compile(r"^[ \t>]*+(?P<mark>`{3,}|~{3}(?!~)) *(?P<info>[^\n`]*)$", re.MULTILINE)
_LOOKS_PYTHON: Final = re.compile(
    r"^[ \t]*(?:(?:async )?def \w+ ?\(|class \w+[(:]|from [\w.]+ import |import [\w.]+[ \t]*$|if __name__ ==)",
    re.MULTILINE,
)
_OTHER_LANGUAGE: Final = re.compile(r"[;{}][ \t]*$", re.MULTILINE)
_SESSION: Final = re.compile(r"^[ \t]*(?:>>> |\$ |\.\.\. \S|In \[\d+\]:|[!%]\w)", re.MULTILINE)
_CODE_NODES: Final = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.For, ast.While, ast.If),
    *(ast.With, ast.Try, ast.Assign, ast.AugAssign, ast.Assert, ast.Match),
)
_SENTENCE: Final = re.compile(r"[^\W\d_]{2,}[.!?:;,]?\s+[^\W\d_]{2,}[.!?](?=\s|$)")


class PartKind(StrEnum):
    """What a part of an output is."""

    PYTHON = "python"
    BROKEN_PYTHON = "broken python"
    LARGE_CODE = "code that is too large"
    OTHER_CODE = "other code"
    PROSE = "prose"


@dataclass(frozen=True, slots=True, eq=False)
class OutputPart:
    """One text of the output, ``path`` is where it stands; ``above`` counts the lines of the text that stand before."""

    kind: PartKind
    text: str
    path: str = ""
    above: int = 0
    tree: ast.Module | None = None
    flaw: str = ""
    flaw_line: int = 0
    is_excerpt: bool = False
    """Whether it is shown in a text around it, which may say where its names come from."""
    is_certain: bool = False
    """Whether it is announced as Python, rather than only looking like it."""


def parts_of(request: ValidationRequest) -> tuple[tuple[OutputPart, ...], int]:
    """Return the parts of an output in order, and how many characters are too many to be judged."""
    language = str(request.context.get("language", "")).lower()
    found, room, left_out = list[OutputPart](), MOST_TEXT, 0
    for path, key, text in _texts(request.output):
        taken = text[:room]
        room -= len(taken)
        left_out += len(text) - len(taken)
        is_python = language in _PYTHON and (not path or key in _CODE_KEYS)
        if len(taken) == len(text) or taken:
            found += _parts(taken, path, is_code=key in _CODE_KEYS, is_python=is_python or key in _PYTHON)
    kinds = {each.path for each in found if each.kind is PartKind.PYTHON or each.kind is PartKind.BROKEN_PYTHON}
    if len(kinds) == 1:
        # The one code of an output needs no path: its lines and functions say where.
        found = [replace(each, path="") if each.path in kinds else each for each in found]
    return tuple(found), left_out


def _texts(output: object) -> Iterator[tuple[str, str, str]]:
    """Yield the texts of a JSON value: path, last key, text."""
    pending: list[tuple[tuple[str | int, ...], object]] = [((), output)]
    while pending:
        steps, value = pending.pop()
        if isinstance(value, str):
            key = next((step for step in reversed(steps) if isinstance(step, str)), "")
            yield shortened(path_text(list(steps)).removeprefix("$").removeprefix("."), 200), key.lower(), value
        elif isinstance(value, Mapping):
            pending += [((*steps, str(name)), each) for name, each in reversed(list(value.items()))]
        elif isinstance(value, list | tuple):
            pending += [((*steps, index), each) for index, each in reversed(list(enumerate(value)))]


def _parts(text: str, path: str, *, is_code: bool, is_python: bool) -> Iterator[OutputPart]:
    if not is_code and not is_python and _FENCE.search(text):
        yield from _fenced(text, path)
        return
    is_likely = bool(_LOOKS_PYTHON.search(text))
    if not text.strip() or not (is_code or is_python or is_likely or ("\n" in text and "=" in text)):
        yield OutputPart(PartKind.PROSE, text, path)
        return
    read = python_part(text, path, is_certain=is_python)
    is_shaped = is_likely and not _OTHER_LANGUAGE.search(text) and (is_code or not _SENTENCE.search(text))
    if read.tree is not None:
        is_read = is_likely or is_code or is_python or _is_code(read.tree)
    else:
        is_read = is_python or is_shaped or (read.kind is PartKind.LARGE_CODE and (is_code or is_likely))
    yield read if is_read else OutputPart(PartKind.OTHER_CODE if is_code else PartKind.PROSE, text, path)


def _fenced(text: str, path: str) -> Iterator[OutputPart]:
    """Yield the fenced blocks of Markdown, and all that stands around them as one prose with empty lines for them."""
    prose, place, opened, line = list[str](), 0, None, 0
    for match in [*_FENCE.finditer(text), None]:
        begin, end = (match.start(), match.end()) if match is not None else (len(text), len(text))
        if opened is None:
            prose.append(text[place:begin])
        elif match is None or (match["mark"].startswith(opened["mark"]) and not match["info"].strip()):
            block = text[place + 1 : begin]
            yield from _block(block, opened["info"].strip().lower(), path, line + 1)
            # A fence that is never closed stays in the prose, where a rule finds it.
            prose.append("\n" * (block.count("\n") + 1) if match is not None else opened.group())
        else:
            continue
        line += text.count("\n", place, end)
        opened, place = (match if opened is None else None), end
    if (around := "".join(prose)).strip():
        yield OutputPart(PartKind.PROSE, around, path)


def _block(text: str, info: str, path: str, above: int) -> Iterator[OutputPart]:
    language = (info.split() or [""])[0].strip("{}.")
    is_likely, is_line = bool(_LOOKS_PYTHON.search(text)), "\n" not in text.strip()
    # One line that does not parse may be a command or a value that is only shown.
    if _SESSION.search(text) or (is_line and not is_likely and python_part(text.strip()).tree is None):
        yield OutputPart(PartKind.OTHER_CODE, text, path, above)
    elif language in _PYTHON:
        yield python_part(text, path, above, is_certain=True, is_excerpt=True)
    elif not language and is_likely:
        read = python_part(text, path, above, is_excerpt=True)
        yield read if read.tree is not None else OutputPart(PartKind.OTHER_CODE, text, path, above)
    else:
        yield OutputPart(PartKind.OTHER_CODE, text, path, above)


def python_part(
    text: str, path: str = "", above: int = 0, *, is_certain: bool = False, is_excerpt: bool = False
) -> OutputPart:
    """Return a text as parsed Python, or with the reason why it does not parse; nothing of it is run."""
    source, tree, flaw, line = textwrap.dedent(text) if is_excerpt else text, None, "", 0
    kind = PartKind.BROKEN_PYTHON
    try:
        tree, kind = parsed(source.removeprefix("\ufeff")), PartKind.PYTHON
    except SyntaxError as error:
        flaw, line = str(error.msg), error.lineno or 0
    except ExtentError:
        # What is too large to be parsed may be right.
        kind = PartKind.LARGE_CODE
    except ValueError:
        flaw = "it holds characters that no code holds"
    except (RecursionError, MemoryError):
        flaw = "it is nested too deeply"
    return OutputPart(kind, source, path, above, tree, flaw, line, is_excerpt, is_certain)


def _is_code(tree: ast.Module) -> bool:
    return len(tree.body) > 1 and any(isinstance(each, _CODE_NODES) for each in tree.body)
