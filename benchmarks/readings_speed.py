"""Prints what readings cost: one batch without them, with accepted and with proposed ones, and the ratios.

Usage: python benchmarks/readings_speed.py PROGRAMS READINGS [COUNT]

PROGRAMS is `humanevalfix.jsonl`, READINGS the recorded readings of its prompts. The right programs of the first COUNT
rows, 60 without it, are asked in all ways by turns, each three times, by one warm worker per processor. All batches
tolerate unchecked statements, so that all do all their work. What is only proposed is tried each time, and costs more.
Asserts nothing: durations are for people.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

ROUNDS = 3


def requests(programs: Path, readings: Path, count: int) -> list[dict[str, object]]:
    """Return batch requests about the right programs, each with what a reader wrote about its prompt."""
    recorded = {row["id"]: row for row in map(json.loads, readings.read_text(encoding="utf-8").splitlines())}
    rows = [json.loads(line) for line in programs.read_text(encoding="utf-8").splitlines()[:count]]
    return [
        {
            "id": row["task_id"],
            "kind": "program",
            "source": row["prompt"] + row["correct"],
            "function": row["entry_point"],
            "readings": recorded[row["task_id"]],
        }
        for row in rows
    ]


def accepted(record: object) -> object:
    """Return a record with all of its readings accepted."""
    assert isinstance(record, dict)
    by = {"by": "a reader of the benchmark", "on": "2026-01-31"}
    return {**record, "statements": [{**each, "accepted": by} for each in record["statements"]]}


def seconds(asked: Sequence[dict[str, object]], folder: Path, name: str) -> float:
    """Return how long a batch takes."""
    lines, answers = folder / f"{name}.jsonl", folder / f"{name}-answers.jsonl"
    lines.write_text("".join(json.dumps(each) + "\n" for each in asked), encoding="utf-8")
    options = ("--readings-policy", "proposed", "--allow-unchecked")
    store = ("--store", str(folder / f"{name}.sqlite"))
    started = perf_counter()
    command = [sys.executable, "-m", "probatum", "batch", str(lines), str(answers), *options, *store]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return perf_counter() - started


def main() -> None:
    """Print the medians and their ratios."""
    asked = requests(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 60)
    ways = {
        "without": [{key: value for key, value in each.items() if key != "readings"} for each in asked],
        "accepted": [{**each, "readings": accepted(each["readings"])} for each in asked],
        "proposed": asked,
    }
    took: dict[str, list[float]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as folder:
        for round_ in range(ROUNDS):
            for name, rows in ways.items():
                took[name].append(seconds(rows, Path(folder), f"{name}-{round_}"))
    without = statistics.median(took["without"])
    for name, each in took.items():
        median = statistics.median(each)
        print(f"{len(asked)} programs, readings {name:9} {median:8.2f} s {median / without:6.2f}")


if __name__ == "__main__":
    main()
