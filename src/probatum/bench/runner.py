"""Runs one labelled set through the pool that also answers batches, and measures what comes back.

The product gets a number, the program and what a user would give along with it. Refuses to hand it anything else: a
task's name or label in a request would be a hint.
"""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace

from probatum.app.bench_port import BenchReport, BenchRequest
from probatum.app.pool import PoolOptions, answer_lines, require_usable
from probatum.bench.contract_runs import run_contracts
from probatum.bench.labelled import Labelled
from probatum.bench.measure import Measured, measured, report
from probatum.bench.sets import CONTRACTS, read_set, set_named, with_readings
from probatum.core.command import Given
from probatum.core.errors import UsageError
from probatum.core.events import Event, Listener
from probatum.core.frozen import frozen_dict
from probatum.core.json_text import read_json
from probatum.core.shape import Shape


def run_bench(request: BenchRequest, listener: Listener) -> BenchReport:
    """Measure one labelled set; raises UsageError where it cannot be used, NotAttemptedError where no worker starts."""
    if request.name == CONTRACTS:
        return run_contracts(request, listener)
    _require_programs(request)
    chosen = set_named(request.name)
    programs = read_set(chosen, request.data, without_examples=request.without_examples, limit=request.limit)
    programs = with_readings(programs, request.readings)
    options = PoolOptions(request.store, request.workers, given=Given(options=_options(request)))
    require_usable(options)
    rows: dict[int, Measured] = {}
    with closing(answer_lines((request_line(*each) for each in enumerate(programs)), options)) as answers:
        for line in answers:
            answer = Shape(read_json(line, depth=None)).raw_object()
            number = int(str(answer["id"]))
            rows[number] = measured(programs[number], answer)
            data = frozen_dict({"done": len(rows), "total": len(programs)})
            listener(Event("measured", f"{len(rows)} of {len(programs)} programs", data))
    examples = ", without examples" if request.without_examples else ""
    read = f", readings {request.readings_policy}" if request.readings else ""
    read += ", evidence split" if request.evidence == "split" else ""
    unchecked = ", unchecked statements tolerated" if request.allow_unchecked else ""
    title = f"{chosen.name}, {len(programs)} programs, level {request.level}{examples}{read}{unchecked}"
    in_order = [rows[number] for number in sorted(rows)]
    result = report(chosen, in_order, title)
    if not request.rows:
        return result
    return replace(result, document={**result.document, "rows": [row.to_json() for row in in_order]})


def _options(request: BenchRequest) -> dict[str, object]:
    given: dict[str, object] = {"level": request.level, "readings-policy": request.readings_policy}
    given["evidence"] = request.evidence
    if request.allow_unchecked:
        given["allow-unchecked"] = True
    return given if request.python is None else {**given, "python": request.python}


def _require_programs(request: BenchRequest) -> None:
    given = ((request.contracts, "--contracts"), (request.records, "--records"), (request.raw_outputs, "--raw-outputs"))
    for value, option in given:
        if value:
            raise UsageError("bench.option", f"{option} is about outputs; only the set {CONTRACTS} holds them.")


def request_line(number: int, program: Labelled) -> bytes:
    """Return the request that asks for this program, known to the product by its number alone."""
    fields: dict[str, object] = {"id": str(number), "kind": "program", "source": program.source}
    given = {key: getattr(program, key) for key in ("function", "contract", "tests", "against", "module")}
    given["refactor"] = None if program.against is None else True
    given["siblings"] = dict(program.siblings) or None
    given["readings"] = [dict(each) for each in program.readings] or None
    fields.update((key, value) for key, value in given.items() if value is not None)
    return json.dumps(fields).encode("ascii")
