"""The one entry through which every interface asks for a verdict."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from probatum.app.answers import ProgramAnswer, ProgramRequest
from probatum.core.events import Listener, ignore
from probatum.core.ports import Store


class Service:
    """Holds the warm sandboxes and the store; use it as a context manager."""

    def __init__(self, store: Store | None = None, *, unsafe_no_isolation: bool = False) -> None:
        self._store = store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def verify_program(self, request: ProgramRequest, listener: Listener = ignore) -> ProgramAnswer:
        """Verify one program and retain the proof of a VERIFIED verdict."""
        raise NotImplementedError

    def close(self) -> None:
        """End the sandboxes; nothing is left running."""
