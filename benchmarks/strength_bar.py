"""Draws what another bar on strength would have meant, from runs of `probatum bench … --json --rows`.

Usage: python benchmarks/strength_bar.py OUT.svg RUN.json

Writes the drawing and prints the table that goes with it. Refuses runs without rows.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from probatum.bench.curve import drawn, line_of, rows_of, table_of
from probatum.bench.sets import set_named
from probatum.kinds.program.request import DEFAULT_MIN_STRENGTH


def main(out: str, run: str) -> None:
    """Draw one run."""
    document = json.loads(Path(run).read_text(encoding="utf-8"))
    rows = rows_of(document, set_named(document["set"]).right)
    lines = [
        line_of("the rule in use", rows),
        line_of("without asking that half of the faults count", rows, half=False),
        line_of("the bar alone", rows, half=False, idle=False),
    ]
    title = f"{document['set']}: what the bar does to {len(rows)} programs"
    Path(out).write_text(drawn(title, lines, bar_in_use=DEFAULT_MIN_STRENGTH), encoding="utf-8")
    print(table_of(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
