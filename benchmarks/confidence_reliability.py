"""Prints how often VERIFIED programs are right, by the confidence that their verdicts state.

Usage: python benchmarks/confidence_reliability.py NAME=RUN.json...

Each RUN is what `probatum bench … --json --rows` printed, NAME what the table calls it. Two tables: by band of
confidence over all runs; and by run, with what all other runs would have predicted for its programs, band by band (each
run is held out once). The Brier score is the mean square of the difference between a prediction and what was right: the
smaller, the better. Refuses runs without rows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean

from probatum.bench.sets import set_named
from probatum.core.shape import Shape

BANDS = (0.85, 0.9, 0.95, 1.0)
"""Upper ends of the bands of confidence."""
_VERIFIED = frozenset({"tested", "proved"})


@dataclass(frozen=True, slots=True)
class Verified:
    """One VERIFIED program."""

    confidence: float
    is_right: bool

    @property
    def band(self) -> float:
        """The upper end of its band."""
        return next(end for end in BANDS if self.confidence <= end)


def verified_of(run: Path) -> list[Verified]:
    """Read a run; raises ValueError where it has no rows."""
    document = json.loads(run.read_text(encoding="utf-8"))
    right = set_named(document["set"]).right
    return [
        Verified(_confidence(row.whole("noticed"), row.whole("planted")), row.text("label") in right)
        for row in Shape(document).items("rows", least=1)
        if row.text("outcome") in _VERIFIED
    ]


def _confidence(noticed: int, planted: int) -> float:
    return float(Fraction(1, 2) + Fraction(noticed + 1, planted + 2) / 2)


def _share(rows: Sequence[Verified]) -> float:
    # By the rule of succession, so that a band with few programs promises nothing.
    return (sum(row.is_right for row in rows) + 1) / (len(rows) + 2)


def _brier(pairs: Iterable[tuple[float, bool]]) -> float:
    return fmean((predicted - is_right) ** 2 for predicted, is_right in pairs)


def by_band(runs: Mapping[str, Sequence[Verified]]) -> Iterable[Sequence[str]]:
    """Yield one row for each band."""
    begin = 0.5
    for end in BANDS:
        rows = [row for run in runs.values() for row in run if row.band == end]
        right = sum(row.is_right for row in rows)
        stated = f"{fmean(row.confidence for row in rows):.1%}" if rows else "-"
        yield f"over {begin:g} to {end:g}", str(len(rows)), stated, f"{right / len(rows):.1%}" if rows else "-"
        begin = end


def by_run(runs: Mapping[str, Sequence[Verified]]) -> Iterable[Sequence[str]]:
    """Yield one row for each run, held out from what predicts it."""
    for name, rows in runs.items():
        others = [row for other, run in runs.items() if other != name for row in run]
        predicted = [_share([each for each in others if each.band == row.band]) for row in rows]
        right = [row.is_right for row in rows]
        stated = [row.confidence for row in rows]
        yield (
            name,
            str(len(rows)),
            *(f"{fmean(values):.1%}" for values in (stated, predicted, right)),
            *(f"{_brier(zip(values, right, strict=True)):.3f}" for values in (stated, predicted)),
        )


def main(arguments: Sequence[str]) -> None:
    """Print both tables."""
    runs = {name: verified_of(Path(file)) for name, _, file in (each.partition("=") for each in arguments)}
    runs = {name: rows for name, rows in runs.items() if rows}
    heads = (
        ("confidence", "VERIFIED", "stated", "right"),
        ("held out", "VERIFIED", "stated", "predicted by the others", "right", "Brier, stated", "Brier, predicted"),
    )
    for head, rows in zip(heads, (by_band(runs), by_run(runs)), strict=True):
        for row in (head, ["---"] * len(head), *rows):
            print(f"| {' | '.join(row)} |")
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
