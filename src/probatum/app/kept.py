"""Answers of earlier runs about files: by what a file was read from, and by the slices of its definitions.

An answer is found again only where everything that it depends on is the same, and the proof that it rests on is still
kept. Refuses to keep what may be another answer next time: what could not be attempted, or ended with its budget.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from probatum.app.answers import Answer
from probatum.app.cache import Cache
from probatum.app.remembered import answer_json, answer_of, moved
from probatum.core.canonical import JsonValue
from probatum.core.errors import ProbatumError
from probatum.core.json_text import read_json
from probatum.core.outside import json_text
from probatum.core.ports import Store
from probatum.core.shape import Shape
from probatum.core.subject import shown_path
from probatum.verification.files import FilePath, Files, Slice
from probatum.verification.observed import Blank

_NOT_AN_ANSWER: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What reading back raises of what no answer was written as."""


@dataclass(slots=True)
class KeptAnswers:
    """What is kept of one kind of files, for runs about the same; ``about`` is what all its answers depend on."""

    cache: Cache
    store: Store
    about: bytes
    # None of its requests is looked at.
    files: Files[Any]
    kind: str
    _digests: dict[str, str] = field(default_factory=dict)
    _waiting: dict[bytes, bytes] = field(default_factory=dict)

    def of_file(self, path: FilePath) -> Answer | Blank | None:
        """Return the answer about a file that is as it was, or that it has nothing to judge; None for neither."""
        content = self.cache.find(self._file_key(path))
        if content is None:
            return None
        try:
            told = Shape(read_json(content))
            read_from = told.raw_object("read_from")
            if any(self._digest(name) != due for name, due in read_from.items()):
                return None
            if told.raw("answer") is None:
                return Blank(shown_path(path.path))
            answer = answer_of(told.member("answer"))
        except _NOT_AN_ANSWER:
            return None
        return answer if self._rests_on_proof(answer) else None

    def of_slice(self, wanted: Slice) -> tuple[Answer, ...] | None:
        """Return the answers about the parts of a slice that is as it was, None where there are none."""
        content = self.cache.find(_slice_key(wanted))
        if content is None:
            return None
        try:
            told = Shape(read_json(content))
            then = [(each.whole(0), each.whole(1)) for each in told.items("lines")]
            lines = _MovedLines(then, wanted.lines)
            answers = tuple(
                answer_of(each if lines.stayed else Shape(moved(cast("JsonValue", each.value), lines.now)))
                for each in told.items("answers")
            )
        except _NOT_AN_ANSWER:
            return None
        return answers if all(map(self._rests_on_proof, answers)) else None

    def keep_slice(self, about: Slice, answers: Sequence[Answer]) -> None:
        """Keep the answers about the parts of a slice with the next `flush`."""
        if all(map(self._is_lasting, answers)):
            told = {"lines": [list(each) for each in about.lines], "answers": [answer_json(each) for each in answers]}
            self._waiting[_slice_key(about)] = json_text(told).encode()

    def look_at(self, read_from: Mapping[str, str]) -> dict[str, str]:
        """Return the digests of files, as they were read, and of their folders, as they are now."""
        return {**read_from, **{folder: self._digest(folder) for folder in map(os.path.dirname, read_from)}}

    def keep_file(self, path: FilePath, read_from: Mapping[str, str], answer: Answer | None) -> None:
        """Keep the answer about a whole file with the next `flush`; None for one that has nothing to judge.

        ``read_from`` is what `look_at` returned when the file was read.
        """
        if answer is not None and not all(map(self._is_lasting, answer.parts or (answer,))):
            return
        told = {"read_from": dict(read_from), "answer": None if answer is None else answer_json(answer)}
        self._waiting[self._file_key(path)] = json_text(told).encode()

    def flush(self) -> None:
        """Keep what waits."""
        waiting, self._waiting = self._waiting, {}
        self.cache.keep(waiting)

    def _file_key(self, path: FilePath) -> bytes:
        place = f"{os.path.abspath(path.path)}\n{shown_path(path.path)}\n{path.name}"
        return hashlib.sha256(b"file" + self.about + os.fsencode(place)).digest()

    def _digest(self, name: str) -> str:
        """Return what a file or a folder holds, as it was when this run first looked; empty where there is none."""
        if name not in self._digests:
            self._digests[name] = _content_digest(name)
        return self._digests[name]

    def _is_lasting(self, answer: Answer) -> bool:
        constraint = answer.verdict.constraint_id or ""
        return constraint.startswith(self.kind) and constraint not in self.files.passing

    def _rests_on_proof(self, answer: Answer) -> bool:
        return all(self._has_proof(each) for each in (answer, *answer.parts))

    def _has_proof(self, answer: Answer) -> bool:
        if answer.verdict.proof_ref is None:
            return True
        try:
            return bool(self.store.fetch(answer.verdict.proof_ref))
        except ProbatumError:
            return False


def _slice_key(wanted: Slice) -> bytes:
    return hashlib.sha256(f"slice {wanted.name} {wanted.digest}".encode()).digest()


def _content_digest(name: str) -> str:
    try:
        if os.path.isdir(name):
            # What is new there may be imported, or hide what was imported.
            names = sorted(each for each in os.listdir(name) if not each.startswith((".", "__pycache__")))
            return hashlib.sha256(os.fsencode("\n".join(names))).hexdigest()
        with open(name, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


class _MovedLines:
    """Where the lines of a slice were, and where they are."""

    def __init__(self, then: Sequence[tuple[int, int]], now: Sequence[tuple[int, int]]) -> None:
        if [count for _, count in then] != [count for _, count in now]:
            raise ValueError("a slice with other lines is another slice")
        self.stayed = list(then) == list(now)
        self._moved = [(old, count, new) for (old, count), (new, _) in zip(then, now, strict=True)]

    def now(self, line: int) -> int:
        """Return where a line is; one that is not of the slice stays."""
        return next((new + line - old for old, count, new in self._moved if old <= line < old + count), line)
