"""What it costs to count the work of faulty copies: each read as a whole, against only what differs in it.

Prints the processor time of both ways for every planted fault and branch probe of one function, and their ratio. Run
it with the interpreter that has probatum installed: ``python benchmarks/counted_copies.py [FILE::NAME ...]``; without
arguments it takes functions of probatum itself.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from probatum.programs.faults.branch_probes import branch_probes
from probatum.programs.faults.counted_copies import copy_with_work_limit
from probatum.programs.faults.mutants import plan_mutants
from probatum.programs.faults.work_limit import with_work_limit
from probatum.programs.loading import read_source
from probatum.programs.source import Source
from probatum.sandbox import Program

HOUSE = Path(__file__).resolve().parent.parent / "src" / "probatum"
OWN = (
    "core/canonical.py::canonical_bytes",
    "core/diagnostics.py::DiagnosticResult",
    "programs/running/checks.py::plan_checks",
)
LIMIT = 5_000


def seconds(count: Callable[[bytes], bytes], copies: list[bytes]) -> float:
    """Return the processor time that counting all copies takes."""
    started = time.process_time()
    for copy in copies:
        count(copy)
    return time.process_time() - started


def main(targets: list[str]) -> None:
    """Print the table."""
    print(f"{'what':<48}{'lines':>7}{'copies':>8}{'whole, ms':>11}{'parts, ms':>11}{'ratio':>7}")
    for target in targets:
        path, _, name = target.partition("::")
        program = Path(path).read_bytes()
        source = read_source(Program(program))
        assert isinstance(source, Source)
        planted = [*plan_mutants(source, name, limit=60, seed=0), *branch_probes(source, name)]
        copies = [each.source for each in planted]
        whole = seconds(partial(with_work_limit, limit=LIMIT, fresh_for=name), copies)
        parts = seconds(partial(copy_with_work_limit, program=program, limit=LIMIT, fresh_for=name), copies)
        lines = source.text.count("\n")
        shown = target.removeprefix(f"{HOUSE}/")
        each = 1000 / max(1, len(copies))
        print(f"{shown:<48}{lines:>7}{len(copies):>8}{whole * each:>11.2f}{parts * each:>11.2f}{whole / parts:>7.1f}")


if __name__ == "__main__":
    main(sys.argv[1:] or [f"{HOUSE / path}" for path in OWN])
