"""Many outputs from one stream, one a line: each is judged, and its answer is given when its proof is kept.

Lines are judged in groups, so that a thousand proofs cost one write; memory holds one group, whatever the length of
the stream. Refuses to give an answer whose proof or ledger entry could not be kept: the command ends there. A stream
without a single output is wrong usage: nothing is not success.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import BinaryIO, Final

from probatum.app.checking import CheckRequest, usable_contract
from probatum.app.named_verifiers import named_verifiers
from probatum.app.output_answers import OutputAnswer, OutputRequest
from probatum.app.output_documents import output_document
from probatum.app.output_service import OutputService, not_judged_by_contract
from probatum.app.output_sources import STANDARD_INPUT, opened, read_bounded, shown_path
from probatum.contracts.parsing import MAX_BYTES
from probatum.contracts.specification import ContractSpec
from probatum.core.decision import EXIT_CODE, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.proof.group_store import GroupStore
from probatum.proof.ledger_entry import BatchFacts

GROUP_LINES: Final = 1000
GROUP_BYTES: Final = 32 * 1024 * 1024
_CHUNK: Final = 1024 * 1024


class LinesReport:
    """How a stream of outputs was answered; complete when the stream has ended."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.weakest: DiagnosticResult | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of the weakest outcome."""
        assert self.weakest is not None, "a stream without outputs is refused"
        return EXIT_CODE[Outcome(str(self.weakest.outcome))]

    def add(self, verdict: DiagnosticResult) -> None:
        """Count one verdict."""
        outcome = str(verdict.outcome)
        self.outcomes[outcome] += 1
        if self.weakest is None or Outcome(outcome).rank < Outcome(str(self.weakest.outcome)).rank:
            self.weakest = verdict


@dataclass(frozen=True, slots=True)
class _Line:
    """One line that was judged."""

    content: bytes
    answer: OutputAnswer


def answer_output_lines(
    request: CheckRequest, standard_input: BinaryIO, layer: Layer, report: LinesReport
) -> Iterator[str]:
    """Yield the answers of one group of lines after the other, as JSON lines; fill the report.

    Raises:
        UsageError: a file is missing or none, nobody knows the contract or a verifier, or there is no output.
        NotAttemptedError: a proof or an entry could not be kept, or a verifier does not load.
    """
    # Deferred, because most streams are not recorded and need none of what a ledger loads.
    from probatum.app.ledger import recorder_at

    recorder = None if request.ledger is None else recorder_at(request.ledger)
    spec = usable_contract(request.contract)
    given = None if request.input is None else read_bounded(request.input, standard_input)
    name = shown_path(request.output)
    subject, answers = hashlib.sha256(), hashlib.sha256()
    store = GroupStore(request.store)
    with ExitStack() as stack:
        named = stack.enter_context(named_verifiers(request.verifiers, request.store))
        service = OutputService(store, registry=named.registry, executor=named.executor)
        judge = _Judge(service, request.contract, spec, given)
        stream = standard_input
        if request.output != STANDARD_INPUT:
            stream = stack.enter_context(opened(request.output))
        for group in _groups(_lines(stream, subject), judge, name, store):
            store.flush()
            if recorder is not None and request.ledger_each:
                recorder.record_all([(each.answer.name, each.content, each.answer.verdict) for each in group])
            told = "".join(_told(each.answer, layer, report) for each in group)
            answers.update(told.encode("ascii"))
            yield told
    if report.weakest is None:
        raise UsageError("output.none", f"There is no output in {name!r}.", "Write one output on each line.")
    if recorder is not None and not request.ledger_each:
        facts = BatchFacts(f"sha256:{subject.hexdigest()}", f"sha256:{answers.hexdigest()}", report.outcomes)
        recorder.record_batch(name, facts, report.weakest)


@dataclass(frozen=True, slots=True)
class _Judge:
    """Judges one line after the other by the same contract and input."""

    service: OutputService
    named: str
    spec: ContractSpec | NotAttemptedError
    given: bytes | None

    def answer(self, content: bytes, name: str) -> OutputAnswer:
        if isinstance(self.spec, NotAttemptedError):
            return not_judged_by_contract(name, self.named, self.spec)
        return self.service.verify_output(OutputRequest(content, name, self.spec, self.given))


def _groups(lines: Iterator[tuple[int, bytes]], judge: _Judge, name: str, store: GroupStore) -> Iterator[list[_Line]]:
    group: list[_Line] = []
    size = 0
    for number, content in lines:
        group.append(_Line(content, judge.answer(content, f"{name}:{number}")))
        size += len(content)
        if len(group) >= GROUP_LINES or size >= GROUP_BYTES or store.size >= GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _lines(stream: BinaryIO, digest: hashlib._Hash) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers; of one beyond the budget, one byte too many."""
    number = 0
    while line := stream.readline(MAX_BYTES + 2):
        number += 1
        digest.update(line)
        content = line.rstrip(b"\r\n")
        rest = line
        while len(content) > MAX_BYTES and not rest.endswith(b"\n") and (rest := stream.readline(_CHUNK)):
            digest.update(rest)
        if content.strip():
            yield number, content


def _told(answer: OutputAnswer, layer: Layer, report: LinesReport) -> str:
    report.add(answer.verdict)
    number = int(answer.name.rpartition(":")[2])
    return json.dumps({"line": number, **output_document(answer, layer)}, ensure_ascii=True) + "\n"
