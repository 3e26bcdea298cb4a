"""Reads labelled sets of programs: what the product may see of each program, and apart from it the label.

A set is a file with one JSON object a line, or a folder of cases. Refuses a row without the fields of its set, by line
number. The label, a hidden test and the other version of a pair never become part of the program.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from probatum.bench.corpus import RIGHT, WRONG, read_corpus
from probatum.bench.files import require_data_file
from probatum.bench.labelled import Labelled
from probatum.core.errors import UsageError, nearest, reason_of
from probatum.core.json_text import read_json
from probatum.core.shape import Shape

# Gives the programs of one row, without their examples where that is asked.
ReadRow = Callable[[Shape, bool], Iterator[Labelled]]
# The set that holds recorded outputs instead of programs.
CONTRACTS = "contracts"
# Measures readings of the programs of a set, not the programs.
READERS = "readers"
_DEFINITION = re.compile(r"^(?:async )?def (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """How the rows of one set become programs."""

    name: str
    # Labels of programs that are right; every other label means wrong.
    right: frozenset[str]
    labels: tuple[str, ...]
    # True where each row is one right and one wrong version of the same program.
    is_paired: bool
    # Reads one row; None where the set is a folder of cases.
    programs_of: ReadRow | None


def set_named(name: str) -> LabelledSet:
    """Return the set of this name; raises UsageError for an unknown one."""
    if name not in SETS:
        known = (*SETS, CONTRACTS, READERS)
        sentence = f"Unknown labelled set {name!r}; expected one of {', '.join(known)}."
        raise UsageError("bench.unknown_set", sentence, nearest(name, known))
    return SETS[name]


def read_set(chosen: LabelledSet, path: Path, *, without_examples: bool, limit: int | None) -> list[Labelled]:
    """Return the programs of the first ``limit`` rows.

    Raises UsageError where the file cannot be read, a row lacks a field of the set, or no program is left.
    """
    if chosen.programs_of is None:
        if without_examples:
            raise UsageError("bench.examples", f"The set {chosen.name} has no programs without examples.")
        programs = read_corpus(path, limit=limit)
    else:
        programs = list(_programs_of_lines(chosen, chosen.programs_of, path, without_examples, limit))
    if not programs:
        raise UsageError("bench.empty", f"There is no program to measure in {str(path)!r}.")
    return programs


def with_readings(programs: Sequence[Labelled], paths: Sequence[Path]) -> list[Labelled]:
    """Return the programs with what readers recorded about their tasks too: those of the same number or name.

    Raises UsageError where a file cannot be read, or holds no records with an ``id``.
    """
    told: dict[str, list[Mapping[str, object]]] = {}
    for reader, path in enumerate(paths, 1):
        for number, line in enumerate(_lines_of(path), 1):
            try:
                row = Shape(read_json(line))
                task = row.text("id")
            except ValueError as error:
                sentence = f"{str(path)!r}, line {number} is not a record of readings: {error}."
                raise UsageError("bench.malformed", sentence) from error
            told.setdefault(_number_of(task), []).append({"reader": f"reader {reader}", **row.raw_object()})
    return [replace(each, readings=(*each.readings, *told.get(_number_of(each.task), ()))) for each in programs]


def _number_of(task: str) -> str:
    # The same tasks are called otherwise in other sets: HumanEval/3, HumanEvalFix/3, and by whom.
    return task.partition(" by ")[0].rpartition("/")[2]


def _programs_of_lines(
    chosen: LabelledSet, read: ReadRow, path: Path, without_examples: bool, limit: int | None
) -> Iterator[Labelled]:
    for number, line in enumerate(_lines_of(path), start=1):
        if limit is not None and number > limit:
            break
        try:
            yield from read(Shape(read_json(line)), without_examples)
        except ValueError as error:
            sentence = f"{str(path)!r}, line {number} is not a row of {chosen.name}: {error}."
            raise UsageError("bench.malformed", sentence) from error


def _lines_of(path: Path) -> Iterator[str]:
    require_data_file(path)
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from file
    except OSError as error:
        raise UsageError("bench.unreadable", f"The data {str(path)!r} cannot be read: {reason_of(error)}.") from error
    except UnicodeDecodeError as error:
        raise UsageError("bench.not_text", f"The data {str(path)!r} is not UTF-8 text.") from error


def _pair(row: Shape, without_examples: bool) -> Iterator[Labelled]:
    key = "prompt_without_examples" if without_examples else "prompt"
    if without_examples and row.raw(key) is None:
        return
    for label in ("correct", "buggy"):
        source = row.text(key) + row.text(label)
        yield Labelled(row.text("task_id"), label, source, row.text("entry_point"))


def _single(row: Shape, without_examples: bool) -> Iterator[Labelled]:
    if without_examples:
        raise ValueError("this set has no prompts without examples")
    task = f"{row.text('task_id')} by {row.text('author')}"
    label = row.text("label")
    if label not in SETS["llm-programs"].labels:
        raise ValueError(f"unknown label {label!r}")
    prompt = row.text("prompt")
    yield Labelled(task, label, row.text("program"), last_definition(prompt), prompt)


def _modules(row: Shape, without_examples: bool) -> Iterator[Labelled]:
    if without_examples:
        raise ValueError("this set has no programs without examples")
    for label in ("right", "wrong"):
        yield Labelled(row.text("id"), label, row.text(label), row.text("function"))


def last_definition(prompt: str) -> str:
    """Return the last function that a prompt defines at top level; raises ValueError where it defines none."""
    try:
        names = [n.name for n in ast.parse(prompt).body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    except SyntaxError:
        names = _DEFINITION.findall(prompt)
    if not names:
        raise ValueError("the prompt defines no function")
    return names[-1]


SETS: dict[str, LabelledSet] = {
    "humanevalfix": LabelledSet("humanevalfix", frozenset({"correct"}), ("correct", "buggy"), True, _pair),
    "llm-programs": LabelledSet("llm-programs", frozenset({"right"}), ("right", "wrong", "hard_wrong"), False, _single),
    "workcode": LabelledSet("workcode", frozenset({"right"}), ("right", "wrong"), True, _modules),
    "corpus": LabelledSet("corpus", frozenset({RIGHT}), (RIGHT, WRONG), True, None),
}
