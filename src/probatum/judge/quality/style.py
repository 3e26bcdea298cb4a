"""How code is written: names, lines, whitespace, imports. A line that is marked ``noqa`` is left alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from probatum.judge.quality.module import FUNCTIONS, CodeModule, at, of_function
from probatum.judge.quality.scoring import QualityHit

LONGEST_LINE: Final = 88
_CAMEL: Final = re.compile(r"_{0,2}[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NAMED_ELSEWHERE: Final = ("visit_", "do_", "test", "setUp", "tearDown", "assert", "runTest", "addCleanup")


def style_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what is written in an unusual way."""
    for node in module.nodes:
        if isinstance(node, FUNCTIONS):
            yield from _function_name(module, node)
        elif isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            yield at("wildcard_import", node, name=f"{'.' * node.level}{node.module or ''}")
    yield from _lines(module)


def _function_name(module: CodeModule, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[QualityHit]:
    above = module.parent[node]
    # A method of a subclass may be named by its base.
    is_own = not (isinstance(above, ast.ClassDef) and above.bases) and not node.decorator_list
    if is_own and _CAMEL.fullmatch(node.name) and not node.name.startswith(_NAMED_ELSEWHERE):
        yield of_function("camel_case", node, what=_HUMP.sub("_", node.name).lower())


def _lines(module: CodeModule) -> Iterator[QualityHit]:
    texts = [
        node for node in module.nodes
        if isinstance(node, ast.Constant | ast.JoinedStr) and (node.end_lineno or 0) > node.lineno
    ]  # fmt: skip
    inside = {line for node in texts for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    marks = set[str]()
    for number, line in enumerate(module.source.split("\n"), 1):
        row = line.removesuffix("\r")
        if len(row) > LONGEST_LINE and "://" not in row and number not in inside:
            yield QualityHit("line_length", number, slots={"what": len(row)})
        if number in inside:
            continue
        if row != row.rstrip(" \t"):
            yield QualityHit("trailing_space", number)
        if row[:1] in (" ", "\t") and row.strip():
            marks.add(row[0])
            if marks == {" ", "\t"}:
                yield QualityHit("mixed_indent", number)
                marks.add("told")
