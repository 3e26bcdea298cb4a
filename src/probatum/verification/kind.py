"""A kind of subject: everything that the house needs to know of programs, of outputs, or of what a package adds.

Command, batch, gate, ledger, recorder and reports work for every registered kind and know none by name. The data goes
one way through a kind:

    what was asked → request → observe (effects) → observed → decide (pure) → proof → document and sheet

A kind is a light value: what judges is loaded when its workbench is opened. Only the application turns a decision into
a verdict, after it has retained the proof. Refuses to let a kind say VERIFIED of what was not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from probatum.core.command import NOTHING, Command, Given
from probatum.core.decision import Decision
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.endpoint import Endpoint
from probatum.core.errors import UsageError
from probatum.core.events import Listener
from probatum.core.frozen import FrozenDict
from probatum.core.ports import Advisor, Fetched, Rechecker, SourceReader
from probatum.verification.desk import AgentTool, Told, Tool, ToolDesk, rehearsed
from probatum.verification.files import Files
from probatum.verification.observed import Blank, NotJudged, Observed, Refusal
from probatum.verification.verifier import Verifier


class Request(Protocol):
    """One subject with everything that is asked about it; frozen."""

    @property
    def name(self) -> str:
        """What to call it in reports."""

    @property
    def recorded_name(self) -> str:
        """What a ledger calls it."""

    @property
    def content(self) -> bytes:
        """The exact bytes that are judged."""


@dataclass(frozen=True, slots=True)
class RequestLine:
    """One request as JSON, as batches and services receive it."""

    id: str
    fields: Mapping[str, object]
    defaults: Given = NOTHING
    """What the line does not say itself."""
    inexact: str = ""
    """A sentence about a number that no float holds as it is written; empty where there is none."""


RequestT = TypeVar("RequestT", bound=Request)
RequestT_contra = TypeVar("RequestT_contra", bound=Request, contravariant=True)


class Workbench(Protocol[RequestT_contra]):
    """What judges the subjects of one kind; warm from the first to the last, and closed by whoever opened it."""

    def observe(self, request: RequestT_contra, listener: Listener) -> Observed:
        """Observe everything that the policy asks for, within its budgets.

        Raises:
            UsageError: the request names something that the subject does not have.
            BudgetError: the subject is larger than its budget; it stays undecided.
            NotAttemptedError: it could not be attempted; the code is the constraint.
        """

    def rechecker(self, demands: Given, sources: SourceReader) -> Rechecker:
        """Return what re-checks and replays proofs of this kind, and judges whether they meet these demands.

        The subject of the demands is the path of what is about to be acted on, empty for bytes without a place.
        Raises UsageError where a demand makes no sense, or names something that does not exist.
        """

    def observed_again(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> Observed:
        """Return what was observed, from what an artifact records or by looking at its parts again, by digest.

        Its document is compared with one that came with a verdict. The subject is among the parts. Raises ValueError
        for an artifact that no verification wrote, and as `observe`.
        """

    def close(self) -> None:
        """End what runs."""


class Host(Protocol):
    """What a workbench gets from the application."""

    def verifier_ids(self) -> Sequence[str]:
        """Return the ids of verifiers that other kinds offer."""

    def verifier(self, verifier_id: str) -> Verifier:
        """Return the verifier of another kind; raises KeyError where none has this id."""

    def fetched(self, address: str, allowed: Sequence[str]) -> Fetched:
        """Return what stands at an address that begins with something that is allowed.

        Raises UsageError where it is not allowed, NotAttemptedError where it cannot be read.
        """

    def advisor(self, name: str, path: str) -> Advisor:
        """Return the model that is configured under a name for a path; raises UsageError where none can be asked."""

    def kept(self, key: bytes) -> bytes | None:
        """Return what an earlier run of this installation kept under a key; None where nothing is, or may be used."""

    def keep(self, key: bytes, content: bytes) -> None:
        """Keep something for later runs, where that is wanted."""


class Kind(Protocol[RequestT]):
    """One kind of subject."""

    name: str
    """What its proofs and its request lines call it."""
    command: Command
    parts: str
    """What parts with verdicts of their own are called, such as ``functions``; empty where there are none."""
    too_large: str
    """The constraint of a subject beyond its budget."""
    sentences: Mapping[str, str]
    """By constraint: what the agent reads; `core.messages.sentences_of` reads them from a package's file."""
    verifier_id: str
    """The id of the verifier that stands for this kind inside others; empty for none."""
    tools: Sequence[Tool]
    """Its further commands, which give no verdict."""
    agent_tools: Sequence[AgentTool]
    """What agents call beside one tool that judges a request; one of that tool's name takes its place."""
    files: Files[RequestT] | None
    """What it tells of its subjects where they are files that people edit; None where they are not."""
    unbound: Sequence[tuple[str, ...]]
    """Paths in ``result`` of what no proof covers, such as a duration; ``*`` stands for any number."""

    def endpoint(self) -> Endpoint:
        """Return its place in a service."""

    def requests(self, given: Given, sources: SourceReader) -> Iterator[RequestT | Refusal | Blank]:
        """Yield what a command line asks for, in order; raises UsageError where it makes no sense or names nothing."""

    def template(self, given: Given, sources: SourceReader) -> Callable[[bytes, str], RequestT | Refusal]:
        """Return what makes a request of each line of a stream, from its bytes and its name; raises as `requests`."""

    def request(self, line: RequestLine) -> RequestT | Refusal:
        """Return what a line asks for; raises UsageError where it makes no sense, and as `Workbench.observe`."""

    def rehearsed(self, given: Given, desk: ToolDesk) -> Told:
        """Return what a command line with `DRY_RUN` would send to models; raises as `requests`."""

    def not_judged(self, request: RequestT, decision: Decision) -> Observed:
        """Return what there is to say of a request that was not judged."""

    def refused(self, name: str, decision: Decision) -> Observed:
        """Return what there is to say of a line that could not become a request."""

    def patience(self, defaults: Given) -> float:
        """Return after how many seconds one request counts as hung; far beyond every budget within."""

    def open(self, given: Given, host: Host) -> Workbench[RequestT]:
        """Return a workbench; raises UsageError where an option names something that cannot be used."""

    def subject_in(self, folder: str, artifact: Mapping[str, object]) -> bytes | None:
        """Return what a folder holds now of what a proof is about, as its subject; None where it is no folder.

        Raises UsageError where the folder cannot hold it, and as `Workbench.observe`.
        """

    def as_verifier(self, ask: Callable[[RequestT], DiagnosticResult]) -> Verifier:
        """Return the verifier that asks this kind; only called where there is a `verifier_id`."""


AnyKind: TypeAlias = Kind[Any]
"""A kind whose request form only it knows; the language has no type for that."""


class PlainKind(Generic[RequestT]):
    """What most kinds have in common: one verdict for each subject, and no verifier that stands for them."""

    parts = ""
    verifier_id = ""
    tools: Sequence[Tool] = ()
    agent_tools: Sequence[AgentTool] = ()
    files: Files[RequestT] | None = None
    unbound: Sequence[tuple[str, ...]] = ()
    sentences: Mapping[str, str] = FrozenDict()  # type: ignore[assignment]  # holds texts, none so far

    def endpoint(self) -> Endpoint:
        """Return a place without schemas and metrics."""
        return Endpoint()

    def template(self, _given: Given, _sources: SourceReader) -> Callable[[bytes, str], RequestT | Refusal]:
        """Raise: a line of a stream is not a subject."""
        raise UsageError("format.lines", "This command does not judge lines.")

    def rehearsed(self, _given: Given, _desk: ToolDesk) -> Told:
        """Return nothing: it asks no model."""
        return rehearsed(())

    def not_judged(self, request: RequestT, decision: Decision) -> Observed:
        """Return the reason alone."""
        return NotJudged(request.name, decision)

    def refused(self, name: str, decision: Decision) -> Observed:
        """Return the reason alone."""
        return NotJudged(name, decision)

    def patience(self, _defaults: Given) -> float:
        """Return two minutes."""
        return 120.0

    def subject_in(self, _folder: str, _artifact: Mapping[str, object]) -> bytes | None:
        """Return None: a subject is a file."""
        return None

    def as_verifier(self, _ask: Callable[[RequestT], DiagnosticResult]) -> Verifier:
        """Raise: nothing stands for it."""
        raise NotImplementedError
