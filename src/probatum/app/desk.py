"""The desk at which tools of kinds work: this machine's files, one service, and the folders that are lent.

Refuses a path outside of the lent folders, also one that leaves them through a link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probatum.app.answers import Answer
from probatum.app.kinds import AnyKind
from probatum.app.service import Service
from probatum.app.sources import require_lent, save
from probatum.core.command import Given
from probatum.core.errors import UsageError
from probatum.core.events import Listener, ignore
from probatum.core.ports import MeteredAdvisor, Rehearsal, SourceReader
from probatum.verification.desk import SavedFile
from probatum.verification.observed import Refusal


@dataclass(frozen=True, slots=True)
class ServiceDesk:
    """A desk whose verdicts come from a service."""

    service: Service
    kind: AnyKind | None
    """None for what belongs to no kind, and judges nothing."""
    sources: SourceReader
    lent: Sequence[Path] | None = None
    """The folders that may be read and written; None for all."""
    listener: Listener = ignore

    @property
    def given(self) -> Given:
        """The options of the service."""
        return self.service.given

    def bench(self) -> Any:
        """Return the workbench of the kind."""
        assert self.kind is not None
        return self.service.bench(self.kind)

    def judge(self, request: Any) -> Answer:
        """Return the verdict about a request, or about what could not become one; its proof is kept."""
        assert self.kind is not None
        if isinstance(request, Refusal):
            return self.service.answer_refusal(request, self.kind)
        return self.service.verify(self.kind, request, self.listener)

    def advisor(self, name: str, path: str) -> MeteredAdvisor:
        """Return the model of a name; raises UsageError for tools that agents call, which ask no model."""
        self._require_asked_for()
        return self.service.advisor(name, path)

    def rehearsal(self, name: str, path: str) -> Rehearsal:
        """Return what would be sent to the model of a name; raises as `advisor`, but needs no key."""
        from probatum.advisors.openai_api import UnsentModel

        self._require_asked_for()
        return UnsentModel(self.service.model(name, path))

    def _require_asked_for(self) -> None:
        if self.lent is not None:
            raise UsageError("models.not_here", "Only a command line asks models.", "probatum read FILE --with MODEL")

    def place(self, path: str) -> str:
        """Return a path as it is opened; raises UsageError for one outside of the folders that are lent."""
        require_lent(path, self.lent)
        return path

    def save(self, file: SavedFile) -> None:
        """Write a file; raises as `sources.save`."""
        self.place(str(file.path.parent))
        save(file)
