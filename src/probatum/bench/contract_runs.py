"""Judges recorded runs of tasks by their contracts, through the same service as `probatum check`, and writes records.

Cases are read, judged and written one after the other; memory does not grow with their text. Refuses a contract that
nobody knows: a bench that leaves cases out measures something else.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from probatum.app.answers import Answer
from probatum.app.asking import GroupJudge
from probatum.app.bench_port import BenchReport, BenchRequest
from probatum.app.kinds import AnyKind, built_in_kinds
from probatum.app.proofs import user_store
from probatum.app.request_lines import RequestLine
from probatum.bench.contract_cases import ContractCase, read_contract_cases
from probatum.bench.contract_records import BenchmarkRecord, verification_status
from probatum.bench.contract_summary import ContractSummary
from probatum.bench.files import records_place
from probatum.bench.sets import CONTRACTS
from probatum.core.command import Given
from probatum.core.decision import Outcome
from probatum.core.errors import UsageError, reason_of
from probatum.core.events import Event, Listener
from probatum.core.frozen import frozen_dict

_TOLD_EVERY: Final = 100

Write = Callable[[BenchmarkRecord], None]


def run_contracts(request: BenchRequest, listener: Listener) -> BenchReport:
    """Judge every recorded run and summarise what came out.

    Raises UsageError where data, records or a contract cannot be used, NotAttemptedError where a proof is not kept.
    """
    _require_fitting(request)
    summary = ContractSummary(keep_records=request.rows, raw_outputs=request.raw_outputs)
    records = None if request.records is None else records_place(request.records, request.data)
    kind = built_in_kinds()["output"]
    judge = GroupJudge(kind, user_store(request.store))
    defaults = Given(options={} if request.contracts is None else {"contracts": str(request.contracts)})
    with _writer(records, raw_output=request.raw_outputs) as write:
        for number, case in enumerate(read_contract_cases(request.data, request.limit), start=1):
            begin = time.perf_counter()
            record = _record(case, judge, kind, defaults)
            summary.add(record, time.perf_counter() - begin)
            write(record)
            if number % _TOLD_EVERY == 0:
                listener(Event("measured", f"{number:,} outputs", frozen_dict({"done": number})))
        judge.flush()
        if not summary.cases:
            raise UsageError("bench.empty", f"There is no output to measure in {str(request.data)!r}.")
    return summary.report(CONTRACTS)


def _require_fitting(request: BenchRequest) -> None:
    for given, option in ((request.without_examples, "--without-examples"), (request.python, "--python")):
        if given:
            raise UsageError("bench.option", f"{option} is about programs; the set {CONTRACTS} holds outputs.")


def _record(case: ContractCase, judge: GroupJudge, kind: AnyKind, defaults: Given) -> BenchmarkRecord:
    if case.output is None:
        return BenchmarkRecord(case, None, verification_status(None, ()), "")
    answer = judge.answer(kind.request(RequestLine(case.case_id, case.request, defaults)))
    if judge.is_full:
        judge.flush()
    outcome = Outcome(str(answer.verdict.outcome))
    return BenchmarkRecord(case, outcome, verification_status(outcome, _statuses(answer)), answer.observed.summary())


def _statuses(answer: Answer) -> list[str]:
    result = answer.details["result"]
    rows = result["verification_results"] if isinstance(result, dict) else ()
    return [str(row["status"]) for row in rows]


@contextmanager
def _writer(path: Path | None, *, raw_output: bool) -> Iterator[Write]:
    """Give what writes records; the file appears when all of them are written, or not at all."""
    if path is None:
        yield lambda _record: None
        return
    try:
        # Outputs may hold what only their owner may read; records without them are as readable as any new file.
        mode = 0o600 if raw_output else 0o666
        made = path.parent / f".{path.name}.{secrets.token_hex(8)}"
        descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    except OSError as error:
        raise UsageError("bench.records", f"{str(path)!r} cannot be written: {reason_of(error)}.") from error
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            yield lambda record: print(json.dumps(record.to_json(raw_output=raw_output)), file=file)
        os.replace(made, path)
    except OSError as error:
        raise UsageError("bench.records", f"{str(path)!r} cannot be written: {reason_of(error)}.") from error
    finally:
        made.unlink(missing_ok=True)
