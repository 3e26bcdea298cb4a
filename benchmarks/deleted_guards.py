"""Deletes documented guards from right programs, and shows what that does to their verdicts.

Usage: python benchmarks/deleted_guards.py FOLDER [--of NAME,NAME] [--show]

FOLDER holds `humanevalfix.jsonl`, `llm-programs-dev.jsonl` and `workcode-dev.jsonl` (any of them; what is absent is
named and left out). A guard is an `if` without an `else` whose whole body is one `raise`, `return` or `continue`; it is
documented where the documentation names the exception or the value. Only guards whose removal changes the behaviour
count: the hidden tests of the data fail without them, or an example does. Hidden tests are asked in a run of their own;
the programs that are compared never see them. A verdict is inverted when the program becomes VERIFIED without its
guard, and kept when it was and stays VERIFIED. Exit code 1 where one is.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_GUARDING = (ast.Raise, ast.Return, ast.Continue)
_ALIKE = {"None": ("none",), "[]": ("empty",), "''": ("empty",)}
"""Other ways to name a value that a guard returns."""


@dataclass(frozen=True, slots=True)
class Right:
    """A right program of a data set, with the hidden test that only tells whether a change is one of behaviour."""

    id: str
    source: str
    function: str | None
    hidden: str


@dataclass(frozen=True, slots=True)
class Deleted:
    """A right program without one documented guard."""

    id: str
    right: Right
    source: str
    guard: str


def humanevalfix(folder: Path) -> Iterator[Right]:
    """Yield the right programs of HumanEvalFix."""
    for row in _rows(folder / "humanevalfix.jsonl"):
        yield Right(row["task_id"], row["prompt"] + row["correct"], row["entry_point"], _whole_check(row))


def llm_programs(folder: Path) -> Iterator[Right]:
    """Yield the programs of language models that are labelled right; HumanEvalFix has their hidden tests."""
    checks = {row["task_id"].rpartition("/")[2]: row for row in _rows(folder / "humanevalfix.jsonl")}
    for number, row in enumerate(_rows(folder / "llm-programs-dev.jsonl")):
        check = checks.get(row["task_id"].rpartition("/")[2])
        if row["label"] == "right" and check is not None:
            yield Right(f"llm-{number}", row["program"], check["entry_point"], _whole_check(check))


def workcode(folder: Path) -> Iterator[Right]:
    """Yield the right twins of ordinary work code."""
    for row in _rows(folder / "workcode-dev.jsonl"):
        names = [each.name for each in ast.parse(row["right"]).body if isinstance(each, ast.FunctionDef | ast.ClassDef)]
        head = f"from artifact import {', '.join(names)}\n\n\ndef test_hidden():\n"
        yield Right(row["id"], row["right"], row["function"], head + textwrap.indent(row["hidden_test"], "    "))


SETS = {"humanevalfix": humanevalfix, "llm-programs": llm_programs, "workcode": workcode}


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _whole_check(row: Mapping[str, str]) -> str:
    name = row["entry_point"]
    return f"from artifact import {name}\n{row['test']}\n\n\ndef test_hidden():\n    check({name})\n"


def without_guards(right: Right) -> Iterator[Deleted]:
    """Yield the program without each of its documented guards."""
    tree = ast.parse(right.source)
    lines = right.source.splitlines(keepends=True)
    documents = "\n".join(_documents(tree))
    for node in ast.walk(tree):
        if not _is_documented_guard(node, documents):
            continue
        assert isinstance(node, ast.If)
        if lines[node.lineno - 1].lstrip().startswith("elif"):
            continue
        indent = " " * node.col_offset
        left = [*lines[: node.lineno - 1], f"{indent}pass\n", *lines[node.end_lineno :]]
        yield Deleted(f"{right.id}@{node.lineno}", right, "".join(left), ast.unparse(node))


def _documents(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            yield ast.get_docstring(node) or ""


def _is_documented_guard(node: ast.AST, documents: str) -> bool:
    if not isinstance(node, ast.If) or node.orelse or len(node.body) != 1:
        return False
    [inner] = node.body
    if not isinstance(inner, _GUARDING):
        return False
    if isinstance(inner, ast.Raise):
        kind = inner.exc.func if isinstance(inner.exc, ast.Call) else inner.exc
        return kind is not None and ast.unparse(kind) in documents
    if isinstance(inner, ast.Return) and inner.value is not None:
        value = ast.unparse(inner.value)
        return any(each in documents for each in (value, *_ALIKE.get(value, ())))
    return False


def asked(requests: Sequence[Mapping[str, object]], folder: Path, name: str, *options: str) -> dict[str, str]:
    """Answer requests by `probatum batch`; the constraint of each verdict by id."""
    given, answers = folder / f"{name}.jsonl", folder / f"{name}-answers.jsonl"
    given.write_text("".join(json.dumps(each) + "\n" for each in requests), encoding="utf-8")
    store = ("--store", str(folder / "store.sqlite"))
    command = [sys.executable, "-m", "probatum", "batch", str(given), str(answers), *store, *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    told = (json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines())
    verdicts = ((each["id"], each["verdict"]) for each in told)
    return {id: f"{given['status']} {given['developer_fields']['constraint_id']}" for id, given in verdicts}


def request(id: str, source: str, right: Right, **more: str) -> dict[str, object]:
    """Return a line for `probatum batch`."""
    named = {"function": right.function} if right.function else {}
    return {"id": id, "kind": "program", "source": source, **named, **more}


def measured(every: Sequence[Deleted], folder: Path) -> list[tuple[Deleted, str, str]]:
    """Return those whose removal changes the behaviour, with the verdicts before and after it."""
    tested = [request(each.id, each.source, each.right, tests=each.right.hidden) for each in every]
    shown = asked(tested, folder, "hidden", "--level", "quick")
    changed = [each for each in every if shown[each.id].split()[1] in _SHOWING]
    rights = {each.right.id: each.right for each in changed}
    before = asked([request(id, each.source, each) for id, each in rights.items()], folder, "before")
    after = asked([request(each.id, each.source, each.right) for each in changed], folder, "after")
    return [(each, before[each.right.id], after[each.id]) for each in changed]


_SHOWING = frozenset({"program.test_failed", "program.counterexample", "program.exception_missing"})


def main(arguments: Sequence[str]) -> int:
    """Print the table; 1 where a verdict is inverted or kept."""
    folder = Path(arguments[0])
    chosen = arguments[arguments.index("--of") + 1].split(",") if "--of" in arguments else list(SETS)
    every = [deleted for name in chosen for right in SETS[name](folder) for deleted in without_guards(right)]
    for path in ("humanevalfix", "llm-programs-dev", "workcode-dev"):
        if not (folder / f"{path}.jsonl").is_file():
            print(f"{path}.jsonl is not in {folder}: left out")
    with tempfile.TemporaryDirectory() as scratch:
        found = measured(every, Path(scratch))
    kinds = Counter((before.split()[0] == "VERIFIED", after.split()[0] == "VERIFIED") for _, before, after in found)
    refuted = sum(after.split()[1] in _SHOWING for _, _, after in found)
    print(f"{len(every)} documented guards deleted, {len(found)} change the behaviour, {refuted} of these are refuted")
    print(f"became VERIFIED: {kinds[False, True]}; was and stays VERIFIED: {kinds[True, True]}")
    print(f"was VERIFIED and is not: {kinds[True, False]}; was not and is not: {kinds[False, False]}")
    for each, before, after in found:
        if "--show" in arguments or after.startswith("VERIFIED"):
            guard = " ".join(each.guard.split())
            print(f"  {each.id}: {before.split()[1]} -> {after.split()[1]}: {guard}")
    return 1 if kinds[False, True] or kinds[True, True] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
