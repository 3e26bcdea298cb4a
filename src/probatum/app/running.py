"""The jobs of a run over files, and what does them one after the other; `pooled` does several at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from probatum.app.answers import Answer
from probatum.app.kinds import AnyKind
from probatum.app.service import Service
from probatum.core.events import Listener
from probatum.verification.kind import Request


@dataclass(frozen=True, slots=True)
class Task:
    """One request, and about how many parts it has: so much longer it may take."""

    request: Request
    parts: int = 1
    # What its events are told to be about; empty where that is clear.
    subject: str = ""

    def listener(self, listener: Listener) -> Listener:
        """Return what hears of its events, with what they are about."""
        if not self.subject:
            return listener
        return lambda event: listener(replace(event, data={**event.data, "subject": self.subject}))


class Planned(Protocol):
    """What is left to do of one file."""

    @property
    def tasks(self) -> Sequence[Task]:
        """The jobs; none where everything is known."""


PlannedT = TypeVar("PlannedT", bound=Planned)


class Runner(Protocol):
    """Does jobs."""

    def run(self, plans: Iterable[PlannedT], listener: Listener) -> Iterator[tuple[PlannedT, Sequence[Answer]]]:
        """Yield what was planned with the answers to its jobs, in order; raises UsageError as `Service.verify`."""


@dataclass(frozen=True, slots=True)
class InProcess:
    """One job after the other."""

    kind: AnyKind
    service: Service

    def run(self, plans: Iterable[PlannedT], listener: Listener) -> Iterator[tuple[PlannedT, Sequence[Answer]]]:
        """Yield what was planned with the answers to its jobs; raises as `Service.verify`."""
        for plan in plans:
            yield plan, [self.service.verify(self.kind, each.request, each.listener(listener)) for each in plan.tasks]
