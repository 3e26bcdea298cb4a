"""Tells whether values of unlike kinds are compared: numbers, texts, dates and truths, typed by sqlglot's optimizer.

A strict dialect refuses such comparisons, the others convert values, each in its own way. Refuses, as undecided, a
comparison that is not known to mean the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.binding import BoundQuery, types_of
from probatum.exact.sql.schema import kind_of_type

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

MISMATCH: Final = "sql.type_mismatch"
_COMPARISONS: Final = ("eq", "neq", "lt", "lte", "gt", "gte", "nullsafeeq", "nullsafeneq")


def require_alike(binding: BoundQuery) -> None:
    """Raise CannotDecideError where values of unlike kinds are compared, or a strict dialect is given no truth."""
    from sqlglot.optimizer.annotate_types import annotate_types

    tree = annotate_types(binding.tree, schema=types_of(binding.tables), dialect=binding.dialect)
    for left, right in _compared(tree):
        kinds = {kind_of_type(left.type), kind_of_type(right.type)}
        if len(kinds - {""}) == 2 and not _is_converted(kinds, (left, right), binding.dialect):
            told = sorted(kinds)
            raise CannotDecideError(
                MISMATCH, f"Values of the kinds {' and '.join(told)} are compared.", {"kinds": told}
            )
    for node, _ in binding.conditions() if binding.dialect == "postgres" else ():
        kind = kind_of_type(node.type)
        if kind not in ("", "bool"):
            raise CannotDecideError(MISMATCH, f"A condition is of the kind {kind}.", {"kinds": [kind]})


def _compared(tree: Expr) -> Iterator[tuple[Expr, Expr]]:
    for node in tree.walk():
        if node.key in _COMPARISONS:
            yield node.this, node.args["expression"]
        elif node.key == "between":
            yield from ((node.this, node.args[bound]) for bound in ("low", "high"))
        elif node.key == "in":
            yield from ((node.this, each) for each in node.expressions)


def _is_converted(kinds: set[str], sides: tuple[Expr, Expr], dialect: str) -> bool:
    """Return whether a text that is written out reads as what it is compared with, or the dialect lets kinds mix."""
    texts = [each.name for each in sides if each.key == "literal" and each.is_string]
    if kinds == {"text", "date"}:
        return dialect == "sqlite" or all(date_of(each) is not None for each in texts)
    if kinds == {"text", "number"}:
        return bool(texts) and all(map(_reads_as_number, texts))
    return "text" not in kinds and dialect != "postgres"


def _reads_as_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and not any(each in text.lower() for each in ("n", "_", " "))


def date_of(text: str) -> datetime | None:
    """Return the time that a text such as '2024-01-31' or '2024-01-31 08:30' says; None for another text."""
    try:
        return datetime.fromisoformat(text) if text.isascii() else None
    except ValueError:
        return None
