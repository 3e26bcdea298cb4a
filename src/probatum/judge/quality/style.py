"""What the lines of code show: their length and end, notes of work that is left, and lines that repeat others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from probatum.judge.quality.module import CodeModule
from probatum.judge.quality.scoring import QualityHit

LONGEST_LINE: Final = 88
_REPEATED_LINES: Final = 8
_LEFT: Final = re.compile(r"#[^#\n]*?\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")


def style_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what the lines give that hold no text of several lines."""
    texts = [node for node in module.nodes if isinstance(node, ast.Constant | ast.JoinedStr)]
    texts = [node for node in texts if isinstance(node, ast.JoinedStr) or isinstance(node.value, str)]
    lines_of = {node: range(node.lineno, (node.end_lineno or node.lineno) + 1) for node in texts}
    in_text = {line for lines in lines_of.values() for line in lines}
    inside = {line for lines in lines_of.values() if len(lines) > 1 for line in lines}
    for number, row in enumerate(module.lines, 1):
        if number in inside:
            continue
        if len(row) > LONGEST_LINE and "://" not in row:
            yield QualityHit("line_length", number, slots={"what": len(row)})
        if row != row.rstrip(" \t"):
            yield QualityHit("trailing_space", number)
        if number not in in_text and (match := _LEFT.search(row)) is not None:
            yield QualityHit("code_todo", number, slots={"what": row[match.start() :].strip()})
    yield from _duplicated(module)


def _duplicated(module: CodeModule) -> Iterator[QualityHit]:
    """Yield where lines of functions repeat earlier ones; each line counts once."""
    ranges = (range(each.body[0].lineno, (each.end_lineno or 0) + 1) for each in module.functions)
    within = {line for lines in ranges for line in lines}
    numbered = ((number, line.strip()) for number, line in enumerate(module.lines, 1) if number in within)
    rows = [(number, line) for number, line in numbered if len(line) > 4 and not line.startswith(("#", '"', "'"))]
    seen: dict[tuple[str, ...], int] = {}
    index = 0
    while index + _REPEATED_LINES <= len(rows):
        window = tuple(line for _, line in rows[index : index + _REPEATED_LINES])
        first, length = seen.setdefault(window, index), 0
        if first + _REPEATED_LINES <= index and len(set(window)) > _REPEATED_LINES // 2:
            most = min(index - first, len(rows) - index)
            while length < most and rows[first + length][1] == rows[index + length][1]:
                length += 1
            yield QualityHit("duplicated", rows[index][0], slots={"what": length, "name": rows[first][0]})
        index += max(length, 1)
