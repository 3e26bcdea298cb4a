"""Runs one labelled set through the pool that also answers batches, and measures what comes back.

The product gets a number, the program and the name of the function. Refuses to hand it anything else: a task's name or
label in a request would be a hint.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing

from probatum.app.bench_port import BenchReport, BenchRequest
from probatum.app.pool import PoolOptions, answer_lines
from probatum.bench.measure import Measured, measured, report
from probatum.bench.sets import Labelled, read_set, set_named
from probatum.core.events import Event, Listener
from probatum.core.frozen import frozen_dict


def run_bench(request: BenchRequest, listener: Listener) -> BenchReport:
    """Measure one labelled set.

    Raises:
        UsageError: the set is unknown or its data cannot be used.
        NotAttemptedError: no worker can start.
    """
    chosen = set_named(request.name)
    programs = read_set(chosen, request.data, without_examples=request.without_examples, limit=request.limit)
    options = PoolOptions(request.store, request.workers, request.level)
    rows: dict[int, Measured] = {}
    with closing(answer_lines(_requests(programs), options)) as answers:
        for line in answers:
            answer = json.loads(line)
            number = int(answer["id"])
            rows[number] = measured(programs[number], answer)
            data = frozen_dict({"done": len(rows), "total": len(programs)})
            listener(Event("measured", f"{len(rows)} of {len(programs)} programs", data))
    examples = ", without examples" if request.without_examples else ""
    title = f"{chosen.name}, {len(programs)} programs, level {request.level.value}{examples}"
    return report(chosen, [rows[number] for number in sorted(rows)], title)


def _requests(programs: Sequence[Labelled]) -> Iterator[bytes]:
    for number, program in enumerate(programs):
        fields = {"id": str(number), "kind": "program", "source": program.source, "function": program.function}
        if program.contract is not None:
            fields["contract"] = program.contract
        yield json.dumps(fields).encode("ascii")
