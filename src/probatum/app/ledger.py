"""The ledger behind the commands: recording, heads and proofs as documents, exports for auditors.

Refuses to give a verdict that could not be recorded where recording was asked for.
"""

from __future__ import annotations

import base64
import csv
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from probatum.app.received import read_bytes, read_public_keys
from probatum.app.settings import read_settings
from probatum.app.sources import opened
from probatum.core.canonical import parse_canonical
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import UsageError
from probatum.core.outside import json_text, visible
from probatum.core.ports import SourceReader
from probatum.proof.checkpoint import (
    MAX_CHECKPOINT,
    Checkpoint,
    read_checkpoint,
    signed_checkpoint,
    verified_checkpoint,
)
from probatum.proof.keys import KeyFolder
from probatum.proof.ledger import AuditReport, Ledger
from probatum.proof.ledger_entry import BATCH_FORMAT, FORMAT, BatchFacts, batch_entry_of, entry_of, tag_of
from probatum.workers.watchdog import progress

# Of the judge's budget.
_AUDIT: Final = 100
COLUMNS: Final = ("position", "at", "name", "subject", "status", "outcome", "constraint_id", "proof_ref")
_STARTS_A_FORMULA: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")


@dataclass(frozen=True, slots=True)
class LedgerRecorder:
    """Writes verdicts into one ledger."""

    ledger: Ledger

    def record(self, name: str, subject: bytes, verdict: DiagnosticResult) -> None:
        """Append one verdict, durably; raises as `Ledger.append` does."""
        self.record_all([(name, subject, verdict)])

    def record_all(self, verdicts: Sequence[tuple[str, bytes, DiagnosticResult]]) -> None:
        """Append an entry for each of these verdicts, all of them durably or none; raises as `Ledger.append` does."""
        moment = datetime.now(UTC)
        entries = [entry_of(name, subject, verdict, moment) for name, subject, verdict in verdicts]
        self.ledger.append(entries, [tag_of(verdict) for _, _, verdict in verdicts])

    def record_batch(self, name: str, batch: BatchFacts, weakest: DiagnosticResult) -> None:
        """Append one entry about many verdicts, of which this one counts; raises as `Ledger.append` does."""
        self.ledger.append([batch_entry_of(name, batch, weakest, datetime.now(UTC))])


def recorder_at(path: Path) -> LedgerRecorder:
    """Return what writes into the ledger of this file, which is made with the first entry."""
    return LedgerRecorder(ledger_at(path))


def ledger_at(path: Path) -> Ledger:
    """Return the ledger of this file, made with its first entry; raises UsageError where the path is a folder."""
    if os.path.isdir(path):
        raise UsageError("ledger.folder", f"{path} is a folder; a ledger is one file.", f"Give {path}/ledger.sqlite.")
    return Ledger(path)


def existing_ledger(asked: Path | None) -> Ledger:
    """Return the ledger asked for, else the environment's.

    Raises UsageError where there is none, and as `opened` does where its file cannot be read.
    """
    path = read_settings().ledger_path(asked)
    ledger = ledger_at(path)
    if not os.path.exists(path):
        hint = "Record verdicts in it with: probatum verify PATH --ledger FILE"
        raise UsageError("ledger.missing", f"There is no ledger {path}.", hint)
    with opened(str(path), "ledger") as file:
        file.read(1)
    return ledger


def head_of(ledger: Ledger, origin: str, keys: KeyFolder, sign: str | None) -> tuple[Checkpoint, str]:
    """Return the head of a ledger and its text: a signed note with a key, else the three lines alone."""
    head = ledger.head(origin)
    return head, head.text if sign is None else signed_checkpoint(head, keys.load(sign))


def inclusion_document(
    ledger: Ledger, position: int, origin: str, keys: KeyFolder, sign: str | None
) -> dict[str, object]:
    """Return the proof that an entry is in the ledger, with all that is needed to check it elsewhere."""
    head, text = head_of(ledger, origin, keys, sign)
    entry = ledger.entry(position)
    path = ledger.inclusion(position, head.size)
    return {
        "entry": base64.b64encode(entry).decode(),
        "position": position,
        "size": head.size,
        "root": base64.b64encode(head.root).decode(),
        "path": [base64.b64encode(step).decode() for step in path],
        "checkpoint": text,
    }


def audit(ledger: Ledger, checkpoints: Sequence[Path], trust: Sequence[Path], sources: SourceReader) -> AuditReport:
    """Read the whole ledger again and compare it with heads that were kept elsewhere.

    Raises UsageError where a file cannot be read or holds no key, IntegrityError for a head no trusted key signed.
    """
    if trust and not checkpoints:
        raise UsageError("trust.checkpoint", "--trust needs --checkpoint: the entries themselves are not signed.")
    keys = read_public_keys(trust, sources)
    notes = [read_bytes(path, MAX_CHECKPOINT, "checkpoint", sources) for path in checkpoints]
    heads = [verified_checkpoint(note, keys)[0] if keys else read_checkpoint(note) for note in notes]
    # It is as long as its owner let it grow.
    progress(_AUDIT)
    return ledger.audit(heads)


class ExportFormat(StrEnum):
    """How the entries are written for auditors."""

    NDJSON = "ndjson"
    CSV = "csv"


def exported(ledger: Ledger, form: ExportFormat) -> Iterator[str]:
    """Yield the lines of a ledger for auditors."""
    rows = _rows(ledger.entries())
    if form is ExportFormat.CSV:
        return _csv_lines(rows)
    return (json_text(row) + "\n" for row in rows)


def _rows(entries: Iterable[tuple[int, bytes]]) -> Iterator[dict[str, object]]:
    for position, content in entries:
        try:
            told = parse_canonical(content)
        except ValueError:
            told = None
        if isinstance(told, dict) and told.get("format") in {FORMAT, BATCH_FORMAT}:
            yield {**told, "position": position}
        else:
            yield {"position": position, "content": base64.b64encode(content).decode()}


def _csv_lines(rows: Iterator[dict[str, object]]) -> Iterator[str]:
    yield _csv_line(COLUMNS)
    for row in rows:
        yield _csv_line([_cell(row.get(column)) for column in COLUMNS])


def _cell(value: object) -> object:
    """Keep a spreadsheet from running what a file was called."""
    if not isinstance(value, str):
        return value
    shown = visible(value)
    return f"'{shown}" if value.lstrip().startswith(_STARTS_A_FORMULA) else shown


def _csv_line(cells: Sequence[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
