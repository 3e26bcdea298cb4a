"""What the judge decides about claims without a reader, and what its warnings are worth: on public sets.

Usage: python benchmarks/judge_reliability.py FOLDER

FOLDER holds ``fever-symmetric-dev.jsonl``, ``fool-me-twice-dev.jsonl``, ``bump-task1.jsonl`` and
``tabfact-val-1500.jsonl``. Every claim is prose, so that none may be VERIFIED or REFUTED; a warning is right where the
claim is false.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from probatum.core.finding import Severity
from probatum.core.validation import ValidationResult
from probatum.judge import Judge

_LAYERS: Final = ("facts",)
_ACCEPTED: Final = 0.6
"""The confidence from which the document's rule accepts a valid output unseen."""


@dataclass(frozen=True, slots=True)
class Row:
    """One judged text: its set, whether it is true, and what the judge says."""

    name: str
    is_true: bool
    result: ValidationResult

    @property
    def outcome(self) -> str:
        """The outcome of the verdict."""
        fields = self.result.verdict["developer_fields"]
        return str(fields["outcome"]) if isinstance(fields, dict) else ""

    @property
    def has_error(self) -> bool:
        """Whether an issue is an error."""
        return not self.result.valid

    @property
    def has_warning(self) -> bool:
        """Whether an issue is a warning."""
        return any(each.severity is Severity.WARNING for each in self.result.issues)

    @property
    def is_accepted(self) -> bool:
        """Whether the document's rule accepts it unseen."""
        return self.result.valid and self.result.confidence >= _ACCEPTED


def rows(folder: Path) -> Iterator[Row]:
    """Yield every row of the sets, judged."""
    for name in ("fever-symmetric-dev", "fool-me-twice-dev"):
        for each in _lines(folder / f"{name}.jsonl"):
            evidence = each["evidence"]
            text = evidence if isinstance(evidence, str) else " ".join(evidence)
            yield _judged(name, each["label"] == "SUPPORTS", each["claim"], text)
    for each in _lines(folder / "bump-task1.jsonl"):
        for key in ("reference_summary", "edited_summary"):
            yield _judged("bump-task1", key == "reference_summary", each[key], each["article"])
    for each in _lines(folder / "tabfact-val-1500.jsonl"):
        table = io.StringIO()
        csv.writer(table).writerows(each["table"])
        yield _judged("tabfact-val-1500", each["label"] == 1, each["claim"], table.getvalue())


def _judged(name: str, is_true: bool, claim: str, source: str) -> Row:
    return Row(name, is_true, Judge().validate(claim, _LAYERS, trusted_sources=[source]))


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def figures(found: list[Row]) -> str:
    """Return the figures of one set as a row of a table."""
    counted = {outcome: sum(each.outcome == outcome for each in found) for outcome in ("proved", "tested", "refuted")}
    errors, accepted = sum(each.has_error for each in found), sum(each.is_accepted for each in found)
    warned = [each for each in found if each.has_warning]
    false = sum(not each.is_true for each in found)
    right = sum(not each.is_true for each in warned)
    return (
        f"| {found[0].name} | {len(found)} | {counted['proved'] + counted['tested']} | {counted['refuted']} | {errors} "
        f"| {accepted} | {len(warned)} | {right / max(1, len(warned)):.2f} | {right / max(1, false):.2f} |"
    )


def main(folder: str) -> None:
    """Print the figures of all sets."""
    found = list(rows(Path(folder)))
    print("| set | rows | VERIFIED | REFUTED | errors | accepted unseen | warned | warned and false | of the false |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in dict.fromkeys(each.name for each in found):
        print(figures([each for each in found if each.name == name]))


if __name__ == "__main__":
    main(*sys.argv[1:])
