"""How often `--against` finds what tells a buggy version from its right twin, and with how small an input.

Usage: python benchmarks/version_differences.py humanevalfix.jsonl [--bare] [--names]

Takes the right version for the earlier one. With `--bare`, annotations and examples are removed from both, so that
inputs come from probing alone. Prints how many differences are found, the size of the smallest inputs, and the time
that one comparison takes; with `--names`, also which are missed.
"""

from __future__ import annotations

import ast
import json
import re
import statistics
import sys
import time
from pathlib import Path

from probatum.programs.decide import ProgramPolicy
from probatum.programs.judging.differences import compare_with_earlier
from probatum.programs.observing import AskedProgram, earlier_version
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.units import find_function
from probatum.sandbox import Opening, Program, own_environment

LONGEST = 100
_EXAMPLE = re.compile(r">>>|[Ee]xample|==|=>|->|➞|[Ff]or .*(?:should|returns?)|[Ii]nput|\[\]")


class _Bare(ast.NodeTransformer):
    """Removes annotations, and documentation from the first line on that may belong to an example."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns = None
        document = ast.get_docstring(node, clean=False)
        if document is not None:
            lines = document.splitlines()
            first = next((place for place, line in enumerate(lines) if _is_example(line, node.name)), len(lines))
            node.body[0] = ast.Expr(ast.Constant("\n".join(lines[:first]) or "It is documented."))
        return node


def _is_example(line: str, name: str) -> bool:
    return f"{name}(" in line or bool(_EXAMPLE.search(line))


def bare(source: str) -> str:
    """Return a program without annotations and examples."""
    return ast.unparse(ast.fix_missing_locations(_Bare().visit(ast.parse(source))))


def main(words: list[str]) -> None:
    """Compare every pair of a file and print the table."""
    [path] = [word for word in words if not word.startswith("--")]
    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    change = bare if "--bare" in words else str
    sizes, seconds, missed = [], [], []
    opening = Opening((0, 1), own_environment())
    try:
        benches = Benches(*opening.sandboxes())
        for row in rows:
            before, now = (change(row["prompt"] + row[key]).encode() for key in ("correct", "buggy"))
            asked = AskedProgram(Program(now), ProgramPolicy(), row["entry_point"], against=before)
            current, earlier = (
                FunctionQuestion(each, find_function(each.module, row["entry_point"]), ProgramPolicy())
                for each in (earlier_version(asked, source) for source in (now, before))
            )
            started = time.perf_counter()
            found = compare_with_earlier(current, earlier, benches)
            seconds.append(time.perf_counter() - started)
            if found.questions:
                sizes.append(len(found.questions[0].call) - len(row["entry_point"]) - 2)
            else:
                missed.append(f"{row['task_id']} {row['entry_point']} ({found.inputs} inputs)")
    finally:
        opening.close()
    small = sum(size <= LONGEST for size in sizes)
    print(f"{len(sizes)} of {len(rows)} differences found, {small} with an input of at most {LONGEST} characters")
    print(f"characters of the smallest input: median {statistics.median(sizes):g}, largest {max(sizes)}")
    print(f"seconds for one comparison: median {statistics.median(seconds):.2f}, largest {max(seconds):.2f}")
    if "--names" in words:
        print(*missed, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
