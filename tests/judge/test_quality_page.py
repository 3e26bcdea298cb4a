"""The reference of quality shows every rule and weight as the data has them.

Run as a module it writes both tables of the page again: python -m tests.judge.test_quality_page
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from probatum.judge.quality.rules import MOST_POINTS, RULES

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "judge-quality.md"
_TABLE = re.compile(r"(<!-- begins -->\n)(.*?)(<!-- ends -->)", re.DOTALL)


def weights_table() -> str:
    """Return the table of factors."""
    rows = (f"| {factor.value} | {points} |" for factor, points in MOST_POINTS.items())
    return "\n".join(["| factor | weight |", "|---|---|", *rows]) + "\n"


def rules_table() -> str:
    """Return the table of rules, by factor."""
    head = ["| rule | factor | type | severity | points | counts | message |", "|---|---|---|---|---|---|---|"]
    return "\n".join([*head, *_rows()]) + "\n"


def _rows() -> Iterator[str]:
    for rule in sorted(RULES.values(), key=lambda each: list(MOST_POINTS).index(each.factor)):
        cells = (f"`{rule.name}`", rule.factor.value, f"`{rule.type.value}`", rule.severity.value, str(rule.points))
        counts = "in full" if rule.is_whole else "per 100 lines"
        message = re.sub(r"\{(\w+)\}", r"*\1*", rule.message).replace("|", "\\|")
        yield f"| {' | '.join(cells)} | {counts} | {message} |"


def test_the_page_shows_the_data() -> None:
    page = PAGE.read_text(encoding="utf-8")
    shown = [table for _, table, _ in _TABLE.findall(page)]
    assert shown == [weights_table(), rules_table()], "python -m tests.judge.test_quality_page writes it"


if __name__ == "__main__":
    tables = iter([weights_table(), rules_table()])
    written = _TABLE.sub(lambda match: f"{match[1]}{next(tables)}{match[3]}", PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(written, encoding="utf-8")
