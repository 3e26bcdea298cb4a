"""Contracts in docstrings after PEP 316: ``pre:``, ``post:`` and ``inv:`` with Python conditions.

``__return__`` is the result, ``__old__.x`` a value before the call. A block is the rest of the line of its heading and
the lines indented more deeply below; a ``#`` begins a comment. Conditions in words are left to other readers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from probatum.programs.parsing.documents import Document
from probatum.programs.parsing.section_parts import TextLine, TextRange, lines_of, trimmed
from probatum.programs.requirements.code_conditions import PRE, CodeClause, CodeFacts, names_after, renamed_condition
from probatum.programs.specification import Parameter
from probatum.readings.syntax import expression_or_none

_HEADING = re.compile(r"(?P<kind>pre|post|inv)(?:\[(?P<changed>[\w, ]{0,200})\])?[ \t]*:(?=\s|$)")
INVARIANT = "inv"


def written_conditions(document: Document, parameters: Iterable[Parameter], facts: CodeFacts) -> Iterator[CodeClause]:
    """Yield the conditions of a document in order; those of an invariant with their text as it stands."""
    text = document.text
    annotations = {each.name: each.annotation or "" for each in parameters}
    lines = lines_of(text)
    for index, line in enumerate(lines):
        heading = _HEADING.match(text, line.begin, line.end)
        if heading is None:
            continue
        changed = heading.group("changed")
        for part in _block(text, lines, index, heading.end()):
            expression = _read(part.of(text), heading.group("kind"), changed, annotations, facts)
            if expression is not None:
                yield CodeClause(heading.group("kind"), part.begin, part.end, expression, "pep316")


def _block(text: str, lines: list[TextLine], at: int, inline: int) -> Iterator[TextRange]:
    head = lines[at]
    if text[inline : head.end].strip():
        yield _uncommented(text, inline, head.end)
    for index in range(at + 1, len(lines)):
        line = lines[index]
        if line.is_blank or line.indent <= head.indent:
            return
        if text[line.begin] != "#":
            yield _uncommented(text, line.begin, line.end)


def _uncommented(text: str, begin: int, end: int) -> TextRange:
    comment = text.find("  #", begin, end)
    return trimmed(text, begin, comment if comment > begin else end)


def _read(written: str, kind: str, changed: str | None, annotations: dict[str, str], facts: CodeFacts) -> str | None:
    node = expression_or_none(written)
    if node is None or isinstance(node, ast.Name | ast.Constant | ast.Tuple):
        return None
    if kind == INVARIANT:
        return written
    if kind == PRE:
        return renamed_condition(node, {name: name for name in annotations}, facts)
    after = names_after(annotations)
    if changed is not None:
        listed = {name.strip() for name in changed.split(",")}
        after = {name: value if name in listed else name for name, value in after.items()}
    old: dict[str, ast.expr] = {name: ast.Name(name, ast.Load()) for name in annotations}
    return renamed_condition(node, {**after, "__return__": "result"}, facts, old)
