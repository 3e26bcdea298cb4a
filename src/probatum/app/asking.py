"""What a command of any kind asks, and the answers: one subject, a folder of them, or each line of a stream.

Lines are judged in groups, so that a thousand proofs cost one write; memory holds one group, whatever the length of
the stream. Every line is a subject, a blank one too: a model that answered nothing answered. Refuses to give an answer
whose proof or ledger entry could not be kept. A stream without a single line is wrong usage: nothing is not success.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from probatum.app.answers import Answer
from probatum.app.documents import answer_document
from probatum.app.service import Service, decision_without
from probatum.app.sources import Sources
from probatum.core.command import NOTHING, STANDARD_INPUT, Given
from probatum.core.disclosure import Layer
from probatum.core.errors import BudgetError, UsageError
from probatum.core.events import Listener
from probatum.core.outside import json_text
from probatum.core.ports import Store
from probatum.core.subject import shown_path
from probatum.proof.group_store import GroupStore
from probatum.verification.kind import AnyKind, Request
from probatum.verification.observed import Blank, Refusal

if TYPE_CHECKING:
    from probatum.app.ledger import LedgerRecorder

GROUP_LINES: Final = 1000
GROUP_BYTES: Final = 32 * 1024 * 1024
# Of a longer line no more is held than to know that.
MAX_LINE: Final = 50 * 1024 * 1024
_CHUNK: Final = 1024 * 1024

# Gives a listener for one subject, by its name.
Listening = Callable[[str], AbstractContextManager[Listener]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one command asks of a kind."""

    kind: AnyKind
    given: Given
    store: Store
    # Where verdicts are recorded; None for nowhere.
    ledger: Path | None = None
    # Where what was observed is kept for later runs; None for nowhere.
    cache: Path | None = None

    @property
    def is_folder(self) -> bool:
        """Whether the subject stands for everything in it."""
        return self.given.subject != STANDARD_INPUT and os.path.isdir(self.given.subject)

    def recorder(self) -> LedgerRecorder | None:
        """Return what writes into the ledger."""
        if self.ledger is None:
            return None
        # Deferred, because most commands record nothing and need none of what a ledger loads.
        from probatum.app.ledger import recorder_at

        return recorder_at(self.ledger)


def answers(asked: Asked, standard_input: BinaryIO, listening: Listening) -> Iterator[Answer | Blank]:
    """Yield an answer for every subject, as it comes, and the files that have nothing to verify.

    Raises UsageError where the question makes no sense, or names something that does not exist.
    """
    sources = Sources(standard_input)
    with Service(asked.store, recorder=asked.recorder(), given=asked.given, cache=asked.cache) as service:
        service.bench(asked.kind)
        for found in asked.kind.requests(asked.given, sources):
            if isinstance(found, Blank):
                yield found
            elif isinstance(found, Refusal):
                yield service.answer_refusal(found, asked.kind)
            else:
                with listening(found.name) as listener:
                    answer = service.verify(asked.kind, found, listener)
                yield answer


@dataclass(slots=True)
class LinesReport:
    """How a stream was answered; complete when the stream has ended."""

    outcomes: Counter[str] = field(default_factory=Counter)
    weakest: Answer | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of the weakest outcome."""
        assert self.weakest is not None, "a stream without subjects is refused"
        return self.weakest.exit_code

    def add(self, answer: Answer) -> None:
        """Count one answer."""
        self.outcomes[str(answer.verdict.outcome)] += 1
        if self.weakest is None or answer.rank < self.weakest.rank:
            self.weakest = answer


class GroupJudge:
    """Judges many subjects of one kind and keeps their proofs in groups.

    `flush` keeps the last ones; nothing that was judged counts before it.
    """

    def __init__(self, kind: AnyKind, store: Store, given: Given = NOTHING) -> None:
        self._store = GroupStore(store)
        self._service = Service(self._store, given=given)
        self._kind = kind
        self._held = 0
        # An option that makes no sense is reported before anything is judged.
        self._service.bench(kind)

    def answer(self, found: Request | Refusal) -> Answer:
        """Return the answer about one subject; its proof is kept with the next `flush`."""
        self._held += 1
        if not isinstance(found, Refusal) and len(found.content) > MAX_LINE:
            # Of such a line no more was read than to know that.
            error = BudgetError(self._kind.too_large, f"The line has more than {MAX_LINE:,} bytes.")
            found = Refusal(self._kind.not_judged(found, decision_without(error, self._kind)))
        return self._service.answer(self._kind, found)

    @property
    def is_full(self) -> bool:
        """Whether so much is held that it should be kept now."""
        return self._held >= GROUP_LINES or self._store.size >= GROUP_BYTES

    def close(self) -> None:
        """End what runs; what was not flushed is not kept."""
        self._service.close()

    def flush(self) -> None:
        """Keep the proofs of everything that was answered; raises NotAttemptedError where that fails."""
        self._store.flush()
        self._held = 0


def answer_lines(
    asked: Asked, standard_input: BinaryIO, layer: Layer, report: LinesReport, *, each_recorded: bool = False
) -> Iterator[str]:
    """Yield the answers of one group of lines after the other, as JSON lines; complete ``report`` with the last.

    The subject of what is asked is the stream. ``layer`` is what the answers may tell; ``each_recorded`` asks for a
    ledger entry for every line, instead of one for the file.

    Raises UsageError as `answers`, and where there is no line; NotAttemptedError where something could not be kept.
    """
    from probatum.proof.ledger_entry import BatchFacts

    recorder = asked.recorder()
    name = shown_path(asked.given.subject)
    subject, told_digest = hashlib.sha256(), hashlib.sha256()
    sources = Sources(standard_input)
    make = asked.kind.template(asked.given, sources)
    with (
        sources.stream(asked.given.subject) as stream,
        closing(GroupJudge(asked.kind, asked.store, asked.given)) as judge,
    ):
        for group in _groups(_lines(stream, subject), judge, lambda content, number: make(content, f"{name}:{number}")):
            judge.flush()
            if recorder is not None and each_recorded:
                whole = [each for each in group if len(each.content) <= MAX_LINE]
                recorder.record_all([(each.answer.name, each.content, each.answer.verdict) for each in whole])
            told = "".join(_told(each, layer, report) for each in group)
            told_digest.update(told.encode())
            yield told
    if report.weakest is None:
        raise UsageError("lines.none", f"{name!r} has no line to judge.", "Write one subject on each line.")
    if recorder is not None and not each_recorded:
        facts = BatchFacts(f"sha256:{subject.hexdigest()}", f"sha256:{told_digest.hexdigest()}", report.outcomes)
        recorder.record_batch(name, facts, report.weakest.verdict)


@dataclass(frozen=True, slots=True)
class _Line:
    """One line that was judged."""

    number: int
    content: bytes
    answer: Answer


def _groups(
    lines: Iterator[tuple[int, bytes]], judge: GroupJudge, make: Callable[[bytes, int], Request | Refusal]
) -> Iterator[list[_Line]]:
    group: list[_Line] = []
    size = 0
    for number, content in lines:
        group.append(_Line(number, content, judge.answer(make(content, number))))
        size += len(content)
        if judge.is_full or size >= GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _lines(stream: BinaryIO, digest: hashlib._Hash) -> Iterator[tuple[int, bytes]]:
    """Yield every line with its number, also one that says nothing; of one beyond the budget, one byte too many."""
    number = 0
    while line := stream.readline(MAX_LINE + 2):
        number += 1
        digest.update(line)
        content = line.removesuffix(b"\n").removesuffix(b"\r")
        rest = line
        while len(content) > MAX_LINE and not rest.endswith(b"\n") and (rest := stream.readline(_CHUNK)):
            digest.update(rest)
        yield number, content


def _told(line: _Line, layer: Layer, report: LinesReport) -> str:
    report.add(line.answer)
    return json_text(answer_document(line.answer, layer, line=line.number)) + "\n"
