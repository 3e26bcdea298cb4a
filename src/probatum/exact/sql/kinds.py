"""Tells which kinds of values may be put together: number, text, date, bool or '' for unknown.

A strict dialect refuses values of unlike kinds; the others convert them, each in its own way. Refuses what a dialect is
known to refuse, and what is not known to mean the same everywhere.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.functions import words
from probatum.exact.sql.reading import RefutedError
from probatum.exact.sql.scopes import Bound

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

_INEXACT: Final = ("sqrt", "exp", "ln", "log", "pow", "random", "rand", "datepart", "cast", "trycast")
_TAKES: Final = {
    "text": words("""
    upper lower length trim initcap reverse strposition substring replace left right splitpart groupconcat md5 pad
    repeat ascii unicode
"""),
    "number": words("sum avg abs round ceil floor sqrt sign ln log pow exp mod trunc chr"),
    "date": words("extract timestamptrunc datetrunc timetostr tochar lastday datepart"),
    "bool": ("logicaland", "logicalor"),
}
"""What the first value of a function has to be in a strict dialect; only of sums is it asked elsewhere too."""


class Kinds:
    """What one query may put together."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.is_strict = dialect == "postgres"
        """Whether values of unlike kinds are refused, and not converted."""
        self.bound: dict[int, Bound] = {}
        """What each column of the text means, by node."""
        self.converted: list[str] = []
        """The texts that are compared with dates, and '' for every other conversion of values."""

    def require_alike(self, left: str, right: str, *nodes: Expr) -> None:
        """Refuse values of kinds that cannot be compared, or that are compared in unlike ways by databases."""
        kinds = {left, right}
        if left == right or "" in kinds:
            return
        texts = [each.name for each in nodes if each.key == "literal" and each.is_string]
        if kinds & {"text", "date"}:
            self.converted += texts if kinds == {"text", "date"} and texts else [""]
        reads = {"number": _reads_as_number, "date": _reads_as_date}.get(next(iter(kinds - {"text"})))
        if "text" in kinds and reads is not None and texts and all(map(reads, texts)):
            return
        is_date = kinds == {"text", "date"} and not (texts and self.dialect == "mysql")
        if not self.is_strict and (is_date or "text" not in kinds):
            return
        told = f"Values of the kinds {left} and {right} are put together."
        is_bool_text = kinds == {"text", "bool"} and texts
        if (
            self.is_strict
            and nodes
            and not is_bool_text
            and ("text" in kinds or kinds == {"number", "bool"})
            and "date" not in kinds
        ):
            raise RefutedError("sql.type_mismatch", told, kinds=[left, right])
        raise CannotDecideError("sql.type_mismatch", told, {"kinds": [left, right]})

    def require_truth(self, kind: str, node: Expr) -> None:
        """Refuse a condition that is neither true nor false, in a dialect where it has to be."""
        if self.is_strict and kind not in ("", "bool"):
            told = f"A condition is of the kind {kind}."
            if kind in ("number", "date"):
                raise RefutedError("sql.type_mismatch", told, kinds=[kind])
            raise CannotDecideError("sql.type_mismatch", told, {"kinds": [kind]})

    def united(self, kinds: list[tuple[str, Expr]]) -> str:
        """Return the kind of what is one of several values."""
        known = {kind for kind, _ in kinds if kind}
        self.converted += [""] if len(known) > 1 else []
        if len(known) > 1 and self.is_strict:
            (first, node), *others = [item for item in kinds if item[0]]
            for kind, other in others:
                self.require_alike(first, kind, node, other)
        return known.pop() if len(known) == 1 else ""

    def require_exact(self, node: Expr) -> None:
        """Refuse what a strict dialect has for exact numbers alone."""
        if self.is_strict and any(each.key in _INEXACT or self._may_be_float(each) for each in node.walk()):
            raise CannotDecideError("sql.type_mismatch", "It is not told whether a number is exact, as it has to be.")

    def _may_be_float(self, node: Expr) -> bool:
        bound = self.bound.get(id(node))
        if bound is None:
            return False
        table = bound.scope.sources[bound.source].table
        return table is None or table.special.get(bound.column.name) == "float"

    def require_kinds(self, name: str, kinds: list[str], node: Expr) -> None:
        """Refuse values of a kind that a function does not take."""
        wanted = next((kind for kind, names in _TAKES.items() if name in names), "")
        if not self.is_strict:
            wanted = wanted if name in ("sum", "avg") else ""
        if wanted and kinds and kinds[0] not in ("", wanted):
            raise CannotDecideError("sql.type_mismatch", f"{name.upper()[:30]} is given the kind {kinds[0]}.")
        if self.is_strict and name in ("mod", "round", "trunc") and (name == "mod" or len(kinds) > 1):
            self.require_exact(node)
        if name in ("nullif", "greatest", "least", "lag", "lead", "max", "min"):
            for kind in kinds[1:] if name not in ("lag", "lead") else kinds[2:]:
                self.require_alike(kinds[0], kind)


def _reads_as_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and not any(each in text.lower() for each in ("n", "_", " "))


def _reads_as_date(text: str) -> bool:
    return date_of(text) is not None or text.lower() in ("now", "today", "yesterday", "tomorrow")


def date_of(text: str) -> datetime | None:
    """Return the time that a text such as '2024-01-31' or '2024-01-31 08:30' says; None for another text."""
    try:
        return datetime.fromisoformat(text) if text.isascii() else None
    except ValueError:
        return None
