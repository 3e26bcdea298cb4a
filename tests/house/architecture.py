"""The table of packages in ARCHITECTURE.md: what each may import is written from the data that the tests hold it to.

``python -m tests.house.architecture`` writes that column again; what a package holds is written by hand.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.test_import_table import MAY_IMPORT, THIRD_PARTY

PAGE = Path(__file__).parents[2] / "ARCHITECTURE.md"
_ROW = re.compile(r"^\| `(?P<part>\w+)` \| (?P<holds>[^|\n]+) \| [^|\n]+ \|$", re.MULTILINE)


def rows(page: str) -> list[str]:
    """Return the packages that the page has a row for, in order."""
    return [row["part"] for row in _ROW.finditer(page)]


def written_again(page: str) -> str:
    """Return the page with the column of imports as the data say."""
    order = rows(page)
    return _ROW.sub(lambda row: f"| `{row['part']}` | {row['holds']} | {_allowed(row['part'], order)} |", page)


def _allowed(part: str, order: list[str]) -> str:
    ours = [f"`{each}`" for each in order if each in MAY_IMPORT[part]]
    others = sorted(name for name, parts in THIRD_PARTY.items() if part in parts)
    return "; ".join(", ".join(each) for each in (ours, others) if each) or "nothing"


if __name__ == "__main__":
    PAGE.write_text(written_again(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
