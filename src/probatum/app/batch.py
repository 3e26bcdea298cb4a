"""A batch: every request of a file is answered exactly once, however often the run is interrupted.

 1. All requests are looked at before any work: a malformed line or an id that comes twice ends the batch.
 2. The answers that an earlier run left are read; a last line that was cut off is taken away.
 3. Requests without an answer are handed to workers; each answer is appended and made durable before it counts.

Only this process writes the answers, and only one batch at a time writes to one file. Refuses to append to a file
that holds anything but answers to these requests. Memory holds one short digest for each id, nothing else.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from probatum.app.pool import PoolOptions, answer_lines, for_all, require_usable
from probatum.app.request_lines import identify
from probatum.app.sources import Sources
from probatum.core.command import STANDARD_INPUT
from probatum.core.errors import NotAttemptedError, UsageError, reason_of
from probatum.core.events import Event, Listener
from probatum.core.frozen import frozen_dict
from probatum.workers.watchdog import progress

_KEY_BYTES = 16
# How every answer begins, and so what is left of one that was cut off.
_BEGINS = b'{"id": '


@dataclass(frozen=True, slots=True)
class BatchReport:
    """How a batch ended."""

    total: int
    # Requests that an earlier run had answered.
    kept: int
    # How often each status was answered by this run.
    outcomes: tuple[tuple[str, int], ...]
    # Lines that ask nothing.
    blank: int = 0

    @property
    def answered(self) -> int:
        """Requests that have an answer now."""
        return self.kept + sum(count for _, count in self.outcomes)

    def to_dict(self) -> dict[str, object]:
        """Return the report as JSON."""
        counts = {"total": self.total, "answered": self.answered, "kept": self.kept, "blank_lines": self.blank}
        return {**counts, "statuses": dict(self.outcomes)}


def run_batch(
    requests: str, answers_file: str, options: PoolOptions, standard_input: BinaryIO, listener: Listener
) -> BatchReport:
    """Answer every request of a file, or of standard input, that has no answer yet; append the answers to a file.

    Raises UsageError where requests or answers cannot be used, NotAttemptedError where no worker can start or no
    answer be written.
    """
    options = replace(options, given=for_all(options.given))
    require_usable(options)
    counts: Counter[str] = Counter()
    with _seekable(requests, standard_input) as lines:
        asked, blank = _ids(lines, "standard input" if requests == STANDARD_INPUT else requests)
        with _locked(answers_file) as answers:
            if os.path.samestat(os.fstat(lines.fileno()), os.fstat(answers.fileno())):
                sentence = f"{answers_file!r} holds the requests, which answers must not change."
                raise UsageError("batch.same_file", sentence, "Name another file for the answers.")
            done = _answered(answers, Path(answers_file), asked)
            with closing(answer_lines(_missing(lines, done), options)) as results:
                for line in results:
                    _append(answers, line, answers_file)
                    status = str(json.loads(line)["verdict"]["status"])
                    counts[status] += 1
                    number = len(done) + counts.total()
                    data = frozen_dict({"done": number, "total": len(asked), "status": status})
                    listener(Event("answered", f"{number} of {len(asked)} answered", data))
    return BatchReport(len(asked), len(done), tuple(sorted(counts.items())), blank)


@contextmanager
def _seekable(requests: str, standard_input: BinaryIO) -> Iterator[BinaryIO]:
    """Open the requests; what cannot be read twice is copied to a file first."""
    with Sources(standard_input).stream(requests, "file of requests") as file:
        if requests != STANDARD_INPUT and file.seekable():
            yield file
            return
        with tempfile.TemporaryFile() as copy:
            shutil.copyfileobj(file, copy)
            yield copy


def _without_waiting(path: str, flags: int) -> int:
    """Open a regular file; a pipe is refused at once, also where nobody is at its other end."""
    descriptor = os.open(path, flags | os.O_NONBLOCK, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("it is not a regular file")
    return descriptor


def _appended(path: str) -> BinaryIO:
    if path in {"", STANDARD_INPUT}:
        # What was answered is read again before the next answer is written.
        raise UsageError("batch.not_writable", f"Answers go to a file, got {path!r}.", "Name the file of the answers.")
    try:
        return open(path, "a+b", opener=_without_waiting)
    except (OSError, ValueError) as error:
        raise UsageError("batch.not_writable", f"{path!r} cannot be written: {reason_of(error)}.") from error


@contextmanager
def _locked(path: str) -> Iterator[BinaryIO]:
    with _appended(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError("batch.busy", f"Another batch is writing {path!r}.", "Wait for it to end.") from None
        yield file


def _ids(lines: BinaryIO, name: str) -> tuple[dict[bytes, int], int]:
    """Return the key of every id with its line number, and how many lines are blank."""
    found: dict[bytes, int] = {}
    for number, line in _numbered(lines):
        request_id = identify(line, number, name).id
        first = found.setdefault(_key(request_id), number)
        if first != number:
            sentence = f"{name}, line {number}: the id {request_id!r} was already used in line {first}."
            raise UsageError("batch.duplicate_id", sentence, "Give every request its own id.")
    if not found:
        raise UsageError("batch.empty", f"There is no request in {name}.")
    lines.seek(0)
    return found, sum(not line.strip() for line in lines)


def _numbered(lines: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers, from the start."""
    lines.seek(0)
    for number, line in enumerate(lines, start=1):
        progress()
        if line.strip():
            yield number, line


def _answered(answers: BinaryIO, path: Path, asked: dict[bytes, int]) -> set[bytes]:
    """Return the keys of the ids that have an answer, after taking away a last line that was cut off."""
    done: set[bytes] = set()
    answers.seek(0)
    end = 0
    for number, line in enumerate(answers, start=1):
        if not line.endswith(b"\n"):
            if line[: len(_BEGINS)] != _BEGINS[: len(line)] or _is_whole(line):
                raise _other_answers(path, number, "no answer of a batch")
            break
        end += len(line)
        key = _key(_answer_id(line, number, path))
        if key in done:
            raise _other_answers(path, number, "an id that was answered before")
        if key not in asked:
            raise _other_answers(path, number, "an id that none of these requests has")
        done.add(key)
    answers.truncate(end)
    answers.seek(0, os.SEEK_END)
    return done


def _is_whole(line: bytes) -> bool:
    """Return whether a last line without its end is something whole of others: only what was cut off is taken away."""
    try:
        return "verdict" not in json.loads(line)
    except (ValueError, RecursionError):
        return False


def _answer_id(line: bytes, number: int, path: Path) -> str:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise _other_answers(path, number, "no JSON") from None
    request_id = answer.get("id") if isinstance(answer, dict) else None
    if not isinstance(request_id, str) or "verdict" not in answer:
        raise _other_answers(path, number, "no answer of a batch")
    return request_id


def _other_answers(path: Path, number: int, what: str) -> UsageError:
    sentence = f"{str(path)!r}, line {number} holds {what}; it is left as it is."
    return UsageError("batch.other_answers", sentence, "Name another file for the answers.")


def _missing(lines: BinaryIO, done: set[bytes]) -> Iterator[bytes]:
    for number, line in _numbered(lines):
        if _key(identify(line, number, "the requests").id) not in done:
            yield line


def _append(answers: BinaryIO, line: bytes, name: str) -> None:
    rest = line
    try:
        # Past the buffer: closing would write again what a full disk refused, and that error would hide this one.
        while rest:
            rest = rest[os.write(answers.fileno(), rest) :]
        os.fsync(answers.fileno())
    except OSError as error:
        sentence = f"The answers {name!r} cannot be written: {reason_of(error)}."
        raise NotAttemptedError("batch.not_written", sentence, "Mend that, then run the same command again.") from error


def _key(request_id: str) -> bytes:
    return hashlib.blake2b(request_id.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()
