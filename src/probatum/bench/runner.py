"""Runs one labelled set through the pool that also answers batches, and measures what comes back.

The product gets a number, the program and what a user would give along with it. Refuses to hand it anything else: a
task's name or label in a request would be a hint.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from probatum.app.bench_port import BenchReport, BenchRequest
from probatum.app.pool import PoolOptions, answer_lines, require_usable
from probatum.bench.asking import with_asked
from probatum.bench.contract_runs import run_contracts
from probatum.bench.labelled import Labelled
from probatum.bench.measure import Measured, measured, report
from probatum.bench.readers import readers_report
from probatum.bench.sets import CONTRACTS, READERS, LabelledSet, read_set, set_named, with_readings
from probatum.core.command import Given
from probatum.core.errors import UsageError
from probatum.core.events import Event, Listener
from probatum.core.frozen import frozen_dict
from probatum.core.json_text import DEEPEST, read_json
from probatum.core.shape import Shape

_ACCEPTED, _PROPOSED, _NONE = "accepted", "proposed", "none"


def run_bench(request: BenchRequest, listener: Listener) -> BenchReport:
    """Measure one labelled set; raises UsageError where it cannot be used, NotAttemptedError where no worker starts."""
    _require_fitting(request)
    if request.name == CONTRACTS:
        return run_contracts(request, listener)
    if request.name == READERS:
        return _run_readers(request, listener)
    chosen = set_named(request.name)
    programs = _programs_of(chosen, request)
    policy = request.readings_policy or _ACCEPTED
    rows = measured_rows(programs, request, policy, listener)
    read = f", readings {policy}" if request.readings else ""
    result = report(chosen, rows, f"{chosen.name}, {_title(request, len(programs))}{read}{_tolerated(request)}")
    if not request.rows:
        return result
    return replace(result, document={**result.document, "rows": [row.to_json() for row in rows]})


def _run_readers(request: BenchRequest, listener: Listener) -> BenchReport:
    chosen = set_named(request.programs or "")
    programs, asked = _programs_of(chosen, request), None
    if request.reader is not None:
        programs, asked = with_asked(programs, request, request.reader, listener)
    if not any(each.readings for each in programs):
        why = (
            "no id of --readings is that of one"
            if asked is None
            else "; ".join(f"{text.strip()}: {value}" for text, value in asked.rows())
        )
        raise UsageError("bench.no_readings", f"None of the programs has a reading: {why}.")
    policy = request.readings_policy or _PROPOSED
    bare = [replace(each, readings=()) for each in programs]
    without = measured_rows(bare, request, _NONE, listener)
    rows = measured_rows(programs, request, policy, listener)
    title = f"readers on {chosen.name}, {_title(request, len(programs))}, readings {policy}{_tolerated(request)}"
    return readers_report(chosen, without, rows, title, asked)


def measured_rows(
    programs: Sequence[Labelled], request: BenchRequest, policy: str, listener: Listener
) -> list[Measured]:
    """Ask about each program under a policy of readings, and return what came of it in the same order."""
    options = PoolOptions(request.store, request.workers, given=Given(options=_options(request, policy)))
    require_usable(options)
    rows: dict[int, Measured] = {}
    with closing(answer_lines((request_line(*each) for each in enumerate(programs)), options)) as answers:
        for line in answers:
            answer = Shape(read_json(line, depth=DEEPEST)).raw_object()
            number = int(str(answer["id"]))
            rows[number] = measured(programs[number], answer)
            data = frozen_dict({"done": len(rows), "total": len(programs)})
            listener(Event("measured", f"{len(rows)} of {len(programs)} programs", data))
    return [rows[number] for number in sorted(rows)]


def _programs_of(chosen: LabelledSet, request: BenchRequest) -> list[Labelled]:
    programs = read_set(chosen, request.data, without_examples=request.without_examples, limit=request.limit)
    return with_readings(programs, request.readings)


def _title(request: BenchRequest, count: int) -> str:
    examples = ", without examples" if request.without_examples else ""
    return f"{count} programs, level {request.level}{examples}"


def _tolerated(request: BenchRequest) -> str:
    split = ", evidence split" if request.evidence == "split" else ""
    return split + (", unchecked statements tolerated" if request.allow_unchecked else "")


def _options(request: BenchRequest, policy: str) -> dict[str, object]:
    given: dict[str, object] = {"level": request.level, "readings-policy": policy, "evidence": request.evidence}
    if request.allow_unchecked:
        given["allow-unchecked"] = True
    return given if request.python is None else {**given, "python": request.python}


def _require_fitting(request: BenchRequest) -> None:
    """Raise UsageError for an option that is about other sets, or where one is missing."""
    if request.name == READERS and not (request.programs and (request.readings or request.reader)):
        raise UsageError("bench.option", f"{READERS} needs --set, and --readings or --with.")
    given = (
        (request.programs is not None, "--set is about readings", READERS),
        (request.reader is not None, "--with is about readings", READERS),
        (request.contracts is not None, "--contracts is about outputs", CONTRACTS),
        (request.records is not None, "--records is about outputs", CONTRACTS),
        (request.raw_outputs, "--raw-outputs is about outputs", CONTRACTS),
    )
    for is_given, about, name in given:
        if is_given and request.name != name:
            raise UsageError("bench.option", f"{about}; it goes with {name} only.")


def request_line(number: int, program: Labelled) -> bytes:
    """Return the request that asks for this program, known to the product by its number alone."""
    fields: dict[str, object] = {"id": str(number), "kind": "program", "source": program.source}
    given = {key: getattr(program, key) for key in ("function", "contract", "tests", "against", "module")}
    given["refactor"] = None if program.against is None else True
    given["siblings"] = dict(program.siblings) or None
    given["readings"] = [dict(each) for each in program.readings] or None
    fields.update((key, value) for key, value in given.items() if value is not None)
    return json.dumps(fields).encode("ascii")
