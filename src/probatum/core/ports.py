"""What a lower package needs from elsewhere: small protocols, wired by `probatum.app`.

An implementation that fails raises; it never answers with an empty success.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.events import Event
from probatum.core.messages import counted


@runtime_checkable
class Store(Protocol):
    """Keeps bytes under their digest."""

    def retain(self, content: bytes) -> str:
        """Keep these bytes durably and return their digest; erased content is kept again."""
        return self.retain_all([content])[0]

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        """Keep all of these durably, in one commit if the store has commits, and return their digests in order."""

    def fetch(self, digest: str) -> bytes:
        """Return the bytes kept under this digest; raises IntegrityError, with its own code where they were erased."""

    def erase(self, *digests: str) -> None:
        """Delete these contents for good and keep their digests; what is erased already may be erased again.

        Raises IntegrityError, and erases nothing, where the store never had one of them.
        """

    def digests(self) -> Iterator[str]:
        """Yield the digest of every content that is kept, in order, without those of erased ones."""

    def close(self) -> None:
        """Release what is open; the next use opens it again."""


class Recorder(Protocol):
    """Writes down every verdict before it is given."""

    def record(self, name: str, subject: bytes, verdict: DiagnosticResult) -> None:
        """Record the verdict about these bytes, durably; raises NotAttemptedError where it cannot."""


class Signing(Protocol):
    """A private key, of which only what it signs and what it is leave it."""

    @property
    def id(self) -> str:
        """The id of its public half."""

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message."""


class SourceReader(Protocol):
    """Reads what a person points at."""

    def read(self, path: str, most: int, what: str = "") -> bytes:
        """Return the bytes of a file or pipe, or of standard input for ``-``; of more than ``most``, one byte too many.

        Raises UsageError where there is nothing to read, NotAttemptedError where the system does not give it; ``what``
        names the file's role in its sentence.
        """

    def read_whole(self, path: str, most: int, what: str) -> bytes:
        """Return the same of a file that must not be larger: raises BudgetError where it is."""

    def claim(self, path: Path) -> None:
        """Raise UsageError if no file could be saved at this place; asked before any work."""

    def key(self, name: str) -> Signing:
        """Return the user's key of this name; raises UsageError where there is none that can be used."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What stands at an address."""

    content: bytes
    media_type: str
    """As whoever gave it says, without parameters; empty where nobody says so."""


class Rechecker(Protocol):
    """Derives a decision again from the observations that an artifact of one kind records.

    ``artifact`` is the whole document as JSON. ``parts`` holds the bytes that it refers to, by digest, each of them
    compared with its digest before; the subject is among them where the store keeps it.
    """

    def decision_of(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> Decision:
        """Return the decision that these observations and this policy give; raises ValueError where they give none."""

    def claim_of(self, artifact: Mapping[str, object], decision: Decision) -> str:
        """Return the one sentence that this decision establishes about this subject."""

    def shortfalls(self, artifact: Mapping[str, object], subject: bytes) -> tuple[str, ...]:
        """Return one sentence for each way in which this artifact is about something else, or less, than is required.

        What the product demands by default is required, unless the implementation was made for something else.
        ``subject`` is what is about to be acted on; its digest is that of the artifact's subject.
        Raises ValueError for a policy that cannot be judged.
        """

    def versions(self) -> Mapping[str, str]:
        """Return the version, by id, of every verifier that would run here today."""

    def replay(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> tuple[str, ...]:
        """Judge the recorded subject again, from nothing but subject, contract and policy; compare the artifacts.

        Returns one sentence for each place in which the artifact of today is another, versions of verifiers aside.
        """


class Executor(Protocol):
    """Evaluates one kind of question in a place that can be ended, within limits of time and memory."""

    def evaluate(self, question: bytes) -> bytes:
        """Return the answer.

        Raises BudgetError where it used up its time or memory, NotAttemptedError where nothing could evaluate it.
        """

    def close(self) -> None:
        """End what runs; the next question starts it again."""


class Advisor(Protocol):
    """A model that reads and advises; what it says is never evidence."""

    @property
    def name(self) -> str:
        """Which model answers, as records tell it."""

    def advise(self, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> str:
        """Return a reply as JSON text that was asked to fit this JSON Schema; raises ProbatumError where there is none.

        Whoever asks checks the reply: it may be anything.
        """


@dataclass(frozen=True, slots=True)
class Spent:
    """What asking a model used; the cost is None where its prices are unknown."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    cost: float | None = None

    def plus(self, other: Spent) -> Spent:
        """Return what both used, without the cost."""
        requests, seconds = self.requests + other.requests, self.seconds + other.seconds
        return Spent(requests, self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, seconds)

    def __str__(self) -> str:
        cost = "" if self.cost is None else f", cost {self.cost:.4g}"
        tokens = f"{self.tokens_in:,} tokens in, {self.tokens_out:,} out"
        return f"{counted(self.requests, 'request')}, {tokens}, {self.seconds:.1f} s{cost}"

    def to_json(self) -> dict[str, JsonValue]:
        """Return it as JSON, without a cost that is unknown."""
        return {key: value for key, value in asdict(self).items() if value is not None}


class MeteredAdvisor(Advisor, Protocol):
    """An advisor that keeps account."""

    @property
    def spent(self) -> Spent:
        """What it used so far."""

    @property
    def at_once(self) -> int:
        """How many questions it may be asked at the same time."""


class Rehearsal(Advisor, Protocol):
    """A model that is not asked: it gives no reply, and notes what would be sent."""

    @property
    def noted(self) -> Sequence[Mapping[str, object]]:
        """The address and the body of the request for each question, without the key."""


class VerdictStream(Protocol):
    """One verification: awaited it gives its verdict, iterated its events as they happen.

    It begins when it is first awaited or iterated, in a process of its own, and belongs to the event loop that runs
    then. Cancelling a task that waits for it ends it, for other tasks too; nothing of it is running when the task ends.
    It ends too, a moment later, when nobody holds it any more or its event loop is closed.
    """

    def __await__(self) -> Generator[Any, None, DiagnosticResult]:
        """Wait for the verdict; it is the same each time, also after the end. Raises UsageError as the call does."""

    def __aiter__(self) -> Self:
        """Return the stream itself: loops over it share its events, and each event goes to one of them."""

    async def __anext__(self) -> Event:
        """Return the next event, also after the end; then iterating ends, or raises what waiting would raise.

        The newest 1,000 events wait to be read. What came before them is gone: an event ``missed`` counts it.
        """

    async def aclose(self) -> None:
        """End the verification unless it has ended, and return when nothing of it is running."""
