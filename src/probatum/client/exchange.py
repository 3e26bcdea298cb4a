"""What is asked of the service and what it answers, as values; nothing here connects, waits or reads a clock.

What a service says is a statement of that service: a stranger checks the proof. Refuses, as `ServiceError`, an answer
that is not what was asked for: nothing is filled in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from probatum.core.decision import DiagnosticStatus
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import require_digest
from probatum.core.errors import ProbatumError, UsageError
from probatum.core.events import Event
from probatum.core.frozen import FrozenDict, frozen_dict
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.core.validation import ValidationResult

MOST_BYTES: Final = 64 * 1024 * 1024
"""The largest answer that is read."""
AGAIN: Final = frozenset({429, 503})
"""With these the service says that it began nothing, and when to come again."""
_KIND: Final = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_REFERENCE: Final = re.compile(r"[A-Za-z0-9:._-]{1,200}")
_MOST_SECONDS: Final = 86400.0
Made = TypeVar("Made")


class ServiceError(ProbatumError):
    """The service did not give what was asked for; ``status`` is 0 where it did not answer."""

    exit_code = 4

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: Mapping[str, object] | None = None,
        *,
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(code or "service.error", message or f"The service answered {status}.", details=details)
        self.status = status
        self.message = self.sentence
        self.request_id = request_id
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class SeenVerdict:
    """A verdict as far as the caller's token shows it: an agent no fields, and only an auditor the proof."""

    status: DiagnosticStatus
    agent_message: str
    developer_fields: FrozenDict = field(default_factory=FrozenDict)
    proof_ref: str = ""

    @classmethod
    def from_dict(cls, shape: Shape) -> SeenVerdict:
        """Return the verdict of a JSON form; raises ValueError where it is none."""
        status, fields = shape.choice(DiagnosticStatus, "status"), FrozenDict()
        if shape.has("developer_fields"):
            fields = frozen_dict(shape.raw_object("developer_fields"))
        reference = shape.optional(Shape.text, "proof_ref") or ""
        if reference:
            require_digest(reference, "proof_ref")
            if status is not DiagnosticStatus.VERIFIED:
                shape.refuse(f"{status.value} carries no proof", "proof_ref")
        return cls(status, shape.words("agent_message"), fields, reference)

    def whole(self) -> DiagnosticResult:
        """Return the verdict with all of its layers; raises ValueError where this caller does not see them."""
        return DiagnosticResult(self.status, self.agent_message, self.developer_fields, self.proof_ref or None)


@dataclass(frozen=True, slots=True)
class KindAnswer:
    """What the service answers about one subject of a kind; ``result`` is empty where it could not be judged."""

    id: str
    verdict: SeenVerdict
    result: FrozenDict

    @classmethod
    def from_dict(cls, told: Shape) -> KindAnswer:
        """Return the answer of a JSON form; raises ValueError where it is none."""
        result = frozen_dict(told.raw_object("result")) if told.has("result") else FrozenDict()
        return cls(told.text("id"), SeenVerdict.from_dict(told.member("verdict")), result)


@dataclass(frozen=True, slots=True)
class Inquiry(Generic[Made]):
    """One question to the service, and how its answer is read."""

    method: str
    path: str
    read: Callable[[Shape], Made]
    body: bytes | None = None
    # The statuses of an answer to it; every other one is an error.
    answered: frozenset[int] = frozenset({200})


def validation(fields: Mapping[str, object]) -> Inquiry[ValidationResult]:
    """Return the question whether an output may be accepted; raises UsageError for what is not JSON."""
    return Inquiry("POST", "/validate", _validation_result, _json(fields))


def verification(kind: str, fields: Mapping[str, object]) -> Inquiry[KindAnswer]:
    """Return the question of a kind; raises UsageError for what is not JSON, or not the name of a kind."""
    if not _KIND.fullmatch(kind):
        raise UsageError("kind.unknown", f"A kind is a word such as 'program', got {kind[:64]!r}.")
    return Inquiry("POST", f"/v1/{kind}", KindAnswer.from_dict, _json(fields))


def kept_verdict(reference: str) -> Inquiry[SeenVerdict]:
    """Return the question for a verdict that was given before; raises UsageError for no reference."""
    if not _REFERENCE.fullmatch(reference) or set(reference) == {"."}:
        raise UsageError("verdict.reference", f"A verdict has a reference, got {reference[:64]!r}.")
    return Inquiry("GET", f"/v1/verdicts/{reference}", lambda told: SeenVerdict.from_dict(told.member("verdict")))


def _whole(told: Shape) -> FrozenDict:
    return frozen_dict(told.raw_object())


HEALTH: Final = Inquiry("GET", "/health", _whole)
READY: Final = Inquiry("GET", "/ready", _whole, answered=frozenset({200, 503}))
CAPABILITIES: Final = Inquiry("GET", "/capabilities", lambda told: told.texts("capabilities"))


def answer_of(inquiry: Inquiry[Made], status: int, headers: Mapping[str, str], content: bytes) -> Made:
    """Return what an answer says; raises ServiceError for an error, and for what does not answer the question."""
    if status not in inquiry.answered:
        raise failure_of(status, headers, content)
    try:
        return inquiry.read(Shape(read_json(content, MOST_BYTES)))
    except ValueError as error:
        raise ServiceError(status, "service.unreadable", f"The answer of the service is not one: {error}.") from error


def failure_of(status: int, headers: Mapping[str, str], content: bytes) -> ServiceError:
    """Return what an answer with this status says of its reason."""
    try:
        told = read_json(content, MOST_BYTES)
    except ValueError:
        told = None
    # Something in between may have answered, in a form of its own.
    known = told if isinstance(told, dict) else {}
    texts = [known.get(name) for name in ("error", "message", "request_id")]
    code, message, request_id = (each if isinstance(each, str) else "" for each in texts)
    details = known.get("details") if isinstance(known.get("details"), dict) else {}
    request_id, wait = request_id or headers.get("x-request-id", ""), _seconds(headers.get("retry-after", ""))
    return ServiceError(status, code, message, details, request_id=request_id, retry_after=wait)


def wait_before_next(error: ServiceError, attempt: int) -> float | None:
    """Return how long to wait until the question may be asked again, None where that would be of no use."""
    if error.status not in AGAIN:
        return None
    return error.retry_after if error.retry_after is not None else 0.5 * 2.0**attempt


class ServerEvents:
    """Cuts a stream of server-sent events: what it is fed may end anywhere."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._name = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[tuple[str, str]]:
        """Yield the name and the data of every event that is whole; raises ServiceError for one that is too large."""
        self._rest += chunk
        # Not splitlines, for which more signs end a line than for this format.
        lines = bytes(self._rest).split(b"\n") if b"\n" in chunk else []
        if lines:
            self._rest = bytearray(lines.pop())
        self._size += len(chunk)
        for line in lines:
            mark, _, value = line.removesuffix(b"\r").decode("utf-8", "replace").partition(":")
            if mark == "event":
                self._name = value.removeprefix(" ")
            elif mark == "data":
                self._data.append(value.removeprefix(" "))
            elif not mark and not value and self._data:
                yield self._name, "\n".join(self._data)
                self._name, self._data, self._size = "", [], len(self._rest)
        if self._size > MOST_BYTES:
            raise ServiceError(200, "service.unreadable", "An event of the service is too large.")


def event_of(name: str, data: str) -> Event | KindAnswer:
    """Return what a server-sent event says; raises ServiceError for an error, and for what is not an event."""
    if name == "error":
        raise failure_of(200, {}, data.encode())
    inquiry: Inquiry[Event | KindAnswer] = Inquiry("", "", KindAnswer.from_dict if name == "answer" else _event)
    return answer_of(inquiry, 200, {}, data.encode())


def _event(told: Shape) -> Event:
    data = told.raw_object("data") if told.has("data") else {}
    return Event(told.text("stage"), told.optional(Shape.text, "message") or "", data)


def _validation_result(told: Shape) -> ValidationResult:
    document = told.raw_object()
    if "valid" not in document and told.has("verdict"):
        verdict = SeenVerdict.from_dict(told.member("verdict"))
        raise ServiceError(200, "service.not_judged", verdict.agent_message, {"verdict": document["verdict"]})
    return ValidationResult.from_dict(document)


def _seconds(text: str) -> float | None:
    return min(float(text), _MOST_SECONDS) if text.isascii() and text.isdecimal() else None


def _json(value: object) -> bytes:
    try:
        return json.dumps(value, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError("request.not_json", f"The request is not JSON: {error}.", "Give JSON values alone.") from error
