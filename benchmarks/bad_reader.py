"""Damages recorded readings, and shows how many get through the trial and what they cost under each policy.

Usage: python benchmarks/bad_reader.py SET DATA READINGS [--second READINGS] [--tasks N] [--workers N]

SET is `workcode` or `humanevalfix`, DATA its rows, READINGS what a reader recorded about them. Three bad readers are
made of that reader: one whose clauses are those of another function with as many parameters, renamed to its own; one
whose every comparison is flipped; one with a number that is off by one in every tenth clause that has a number. All
quote the right words, and none has a reference. Of each, the first N tasks (20 without it) with a damaged clause are
asked without readings, with the reader as recorded, and with the bad one: proposed where only accepted readings count,
proposed where proposals count, and under `consensus:2` beside the readings of `--second`, where they are given. A
damaged clause got through where the trial ran and neither refused it nor found no call for it. One can be right by
chance: nobody sorted these out.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probatum.app.pool import PoolOptions, answer_lines
from probatum.bench.labelled import Labelled
from probatum.bench.measure import measured
from probatum.bench.readers import ReaderRun
from probatum.bench.runner import request_line
from probatum.bench.sets import read_set, set_named, with_readings
from probatum.core.command import Given
from probatum.readings.recorded import record_of

Record = dict[str, Any]
"""One line of recorded readings."""
Damage = Callable[[Sequence[Record]], list[Record]]

FLIPPED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
EVERY = 10
"""One of so many clauses with a number is off by one."""
BAD = "bad reader"
SETTLED = "had settled the matter"
"""Ends the sentence about a reading that passed its trial and was not asked for another reason."""


class _Flip(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        node.ops = [FLIPPED[type(each)]() for each in node.ops]
        return node


class _Rename(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        head, after, rest = node.id.partition("__after")
        node.id = self.names.get(head, head) + after + rest
        return node


def _changed(clause: str, by: ast.NodeTransformer) -> str:
    return ast.unparse(by.visit(ast.parse(clause)))


def _with_clauses(record: Record, clauses: Iterable[str], **further: str) -> Record:
    told = zip(record["statements"], clauses, strict=True)
    return {**record, **further, "statements": [{**each, "clause": clause} for each, clause in told]}


def flipped(records: Sequence[Record]) -> list[Record]:
    """Flip every comparison of every clause."""
    return [
        _with_clauses(record, (_changed(each["clause"], _Flip()) for each in record["statements"]))
        for record in records
    ]


def off_by_one(records: Sequence[Record]) -> list[Record]:
    """Add one to the first number of every tenth clause that has a number."""
    seen = 0

    def moved(clause: str) -> str:
        nonlocal seen
        tree = ast.parse(clause)
        numbers = [each for each in ast.walk(tree) if isinstance(each, ast.Constant) and type(each.value) is int]
        seen += bool(numbers)
        if not numbers or seen % EVERY:
            return clause
        first = min(numbers, key=lambda each: (each.lineno, each.col_offset))
        first.value = int(str(first.value)) + 1
        return ast.unparse(tree)

    return [_with_clauses(record, [moved(each["clause"]) for each in record["statements"]]) for record in records]


def of_another(records: Sequence[Record]) -> list[Record]:
    """Take the clauses of the next function with as many parameters, kind by kind, its parameters renamed."""
    taken = []
    for number, record in enumerate(records):
        mine = _parameters(record)
        round_ = [*records[number + 1 :], *records[:number]]
        other = next((each for each in round_ if mine and len(_parameters(each)) == len(mine)), record)
        names = dict(zip(_parameters(other), mine, strict=True))
        taken.append(_with_clauses(record, _taken(record, other, names), helpers=other["helpers"]))
    return taken


def _taken(record: Record, other: Record, names: Mapping[str, str]) -> Iterator[str]:
    for number, each in enumerate(record["statements"]):
        alike = [its["clause"] for its in other["statements"] if its["kind"] == each["kind"] and its["clause"]]
        yield _changed(alike[number % len(alike)], _Rename(names)) if alike and each["clause"] else ""


def _parameters(record: Record) -> list[str]:
    """Return the parameters of a function as its reference has them, none without one."""
    functions = (each for each in ast.parse(record["reference"]).body if isinstance(each, ast.FunctionDef))
    return next(([arg.arg for arg in each.args.args] for each in functions if each.name == "expected"), [])


DAMAGES: Mapping[str, Damage] = {
    "another function": of_another,
    "flipped comparisons": flipped,
    "off by one in a tenth": off_by_one,
}


@dataclass(frozen=True, slots=True)
class BadRecord:
    """One record of a bad reader, and the ids of its readings that are damaged."""

    record: Record
    damaged: frozenset[str]


def bad_records(records: Sequence[Record], damage: Damage) -> list[BadRecord]:
    """Return the records of one bad reader, in the same order."""
    made = []
    for old, changed in zip(records, damage(records), strict=True):
        bad = {**changed, "reader": BAD, "reference": ""}
        read = record_of(bad)
        pairs = zip(read.readings, old["statements"], strict=True)
        ids = {read.id_of(new) for new, its in pairs if new.clause and not _is_same(new.clause, its["clause"])}
        made.append(BadRecord(bad, frozenset(ids)))
    return made


def _is_same(one: str, other: str) -> bool:
    """Tell whether two clauses differ in nothing but how they are written."""
    return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))


@dataclass(frozen=True, slots=True)
class Passed:
    """What became of damaged readings on some programs."""

    programs: int
    given: int
    refused: Mapping[str, int]
    not_asked: int

    @property
    def through(self) -> int:
        """Those that nothing stopped."""
        return self.given - sum(self.refused.values()) - self.not_asked

    def __str__(self) -> str:
        why = ", ".join(f"{code} {count}" for code, count in sorted(self.refused.items(), key=lambda each: -each[1]))
        stopped = f"refused {sum(self.refused.values())} ({why or '-'}), outside or without a call {self.not_asked}"
        return f"{self.through} of {self.given} get through on {self.programs} programs; {stopped}"


def passed(results: Iterable[tuple[Mapping[str, Any], frozenset[str]]]) -> Passed:
    """Return what became of damaged readings, from the results of programs on which a trial ran."""
    programs, given, not_asked, refused = 0, 0, 0, Counter[str]()
    for result, damaged in results:
        if not (read := result.get("readings")):
            continue
        programs, given = programs + 1, given + len(damaged)
        codes = {each["id"]: each["why"] for each in read["refused"] if each["id"] in damaged}
        refused.update(codes.values())
        left = [each for each in result.get("not_asked", ()) if not each.endswith(SETTLED)]
        not_asked += sum(any(name in each for each in left) for name in damaged - codes.keys())
    return Passed(programs, given, refused, not_asked)


def answers(programs: Sequence[Labelled], policy: str, workers: int, store: Path) -> list[dict[str, Any]]:
    """Return the answer about each program, in the same order."""
    options = PoolOptions(store, workers, given=Given(options={"readings-policy": policy}))
    with closing(answer_lines((request_line(*each) for each in enumerate(programs)), options)) as lines:
        return sorted(map(json.loads, lines), key=lambda each: int(each["id"]))


def main() -> None:
    """Print for each bad reader what gets through, and what it costs under each policy."""
    parser = argparse.ArgumentParser()
    parser.add_argument("set")
    parser.add_argument("data", type=Path)
    parser.add_argument("readings", type=Path)
    parser.add_argument("--second", type=Path)
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    chosen = set_named(asked.set)
    programs = read_set(chosen, asked.data, without_examples=False, limit=None)
    records = [json.loads(line) for line in asked.readings.read_text(encoding="utf-8").splitlines()]
    seconds = (asked.second,) if asked.second else ()
    for name, damage in DAMAGES.items():
        bad = [each for each in bad_records(records, damage) if each.damaged][: asked.tasks]
        damaged = {each.record["id"]: each.damaged for each in bad}
        sample = [each for each in programs if each.task in damaged]
        with tempfile.TemporaryDirectory() as folder:
            file, store = Path(folder, "bad.jsonl"), Path(folder, "store.sqlite")
            file.write_text("".join(json.dumps(each.record) + "\n" for each in bad), encoding="utf-8")
            print(f"{name}: {sum(map(len, damaged.values()))} damaged readings of {len(bad)} tasks", flush=True)
            ways = [("no readings", "none", ()), ("as recorded, proposed", "proposed", (asked.readings,))]
            ways += [("bad, accepted", "accepted", (file,)), ("bad, proposed", "proposed", (file,))]
            ways += [("bad beside the second, consensus:2", "consensus:2", (file, *seconds))] if seconds else []
            for way, policy, files in ways:
                told = answers(with_readings(sample, files), policy, asked.workers, store)
                rows = [measured(*each) for each in zip(sample, told, strict=True)]
                _print(way, ReaderRun(chosen, rows))
                if way == "bad, proposed":
                    _print_trial(chosen.right, sample, told, damaged)


def _print(way: str, run: ReaderRun) -> None:
    shares = ((key, share) for key, _, share in run.shares() if key not in {"open_statements"})
    print(f"  {way}: " + ", ".join(f"{key} {share.count} of {share.of}" for key, share in shares), flush=True)


def _print_trial(
    right: Set[str], sample: Sequence[Labelled], told: Sequence[dict[str, Any]], damaged: Mapping[str, frozenset[str]]
) -> None:
    for word, is_right in (("right", True), ("wrong", False)):
        pairs = zip(sample, told, strict=True)
        of = [(answer["result"], damaged[each.task]) for each, answer in pairs if (each.label in right) is is_right]
        print(f"    trial on {word} programs: {passed(of)}", flush=True)


if __name__ == "__main__":
    main()
