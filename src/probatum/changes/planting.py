"""Faults on the changed lines of a file: what the tests should notice.

Lines that nothing depends on are left out: logging, messages of exceptions and warnings, what is printed. Refuses to
take a file that cannot be planted in for one whose faults are noticed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from probatum.changes.syntax.file_syntax import FileText
from probatum.core.errors import ProbatumError
from probatum.programs.faults.mutants import plan_mutants_at
from probatum.programs.faults.planting import Mutant
from probatum.programs.parsing.expressions import called_name
from probatum.programs.source import UNPARSABLE, Source, decoded, parsed
from probatum.programs.specification import ModuleSpec
from probatum.sandbox.jobs import Program

MOST_EACH_LINE: Final = 2
MOST_FAULTS: Final = 60
_LOGS: Final = frozenset({"critical", "debug", "error", "exception", "info", "log", "warn", "warning", "print"})
_ACTS: Final = (ast.Call, ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)
_LOGGERS: Final = frozenset({"log", "logger", "logging", "_log", "_logger", "LOG", "LOGGER", "warnings"})


def faults_on(content: bytes, lines: Sequence[int], limit: int) -> tuple[Mutant, ...]:
    """Return faults on these lines of a file, at most two on each and ``limit`` in all, the same for the same file.

    Raises ValueError where the file cannot be read, or has syntax in which no faults are planted.
    """
    try:
        encoding, text = decoded(content)
        tree = parsed(content)
        source = Source(Program(content), encoding, text, tree, ModuleSpec(()))
        dull, messages = _dull(tree)
        wanted = frozenset(lines) - dull
        planned = plan_mutants_at(source, wanted, each_line=MOST_EACH_LINE, limit=limit, seed=0) if wanted else ()
    except (*UNPARSABLE, LookupError) as error:
        raise ValueError(f"it cannot be read: {type(error).__name__}") from error
    except ProbatumError as error:
        raise ValueError(error.sentence) from error
    found = tuple(each for each in planned if (each.line, each.column) not in messages)
    bare = wanted - {each.line for each in found}
    return (*found, *_given_nothing(content, tree, bare))[:limit]


def _given_nothing(content: bytes, tree: ast.Module, lines: frozenset[int]) -> Iterator[Mutant]:
    """Yield the first assignments on lines that have no other fault, with nothing in place of the value."""
    text = FileText(content)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.lineno in lines and node.value is not None:
            value = node.value
            start, end = (
                text.offset(line, column)
                for line, column in (
                    (value.lineno, value.col_offset),
                    (value.end_lineno or value.lineno, value.end_col_offset or 0),
                )
            )
            nothing = "..." if text.text[start:end].strip() == "None" else "None"
            source = (text.text[:start] + nothing + text.text[end:]).encode(text.encoding)
            sentence = f"line {node.lineno} assigns {nothing}"
            yield Mutant(f"n{node.lineno}", "nothing", node.lineno, value.col_offset, sentence, source)


def _dull(tree: ast.Module) -> tuple[frozenset[int], frozenset[tuple[int, int]]]:
    """Return the lines of statements that log or warn, and the places of texts that only people read."""
    lines: set[int] = set()
    messages: set[tuple[int, int]] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Call() as call) if _logs(call):
                lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            case ast.Raise(exc=ast.Call() as call):
                messages.update(_texts(call))
            case _:
                pass
    return frozenset(lines), frozenset(messages)


def dull_lines(tree: ast.Module) -> frozenset[int]:
    """Return the lines of statements that log, warn or print."""
    return _dull(tree)[0]


def _logs(call: ast.Call) -> bool:
    given = (*call.args, *(each.value for each in call.keywords))
    if any(isinstance(inner, _ACTS) for each in given for inner in ast.walk(each)):
        # What it is given may do something itself.
        return False
    if not isinstance(call.func, ast.Attribute):
        return called_name(call) == "print"
    owner = call.func.value
    name = owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
    return call.func.attr in _LOGS and name in _LOGGERS


def _texts(call: ast.Call) -> Iterator[tuple[int, int]]:
    for each in ast.walk(call):
        if isinstance(each, ast.JoinedStr) or (isinstance(each, ast.Constant) and isinstance(each.value, str)):
            yield each.lineno, each.col_offset
