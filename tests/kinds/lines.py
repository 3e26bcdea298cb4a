"""What a request line becomes: the request that is verified, or the answer that refuses it."""

from __future__ import annotations

from probatum.app.answers import Answer
from probatum.app.request_lines import Identified, answer_to
from probatum.app.service import Service
from probatum.core.command import NOTHING, Given
from probatum.core.events import Listener, ignore
from probatum.proof.stores import MemoryStore
from probatum.verification.kind import AnyKind, Request


class _AskedError(BaseException):
    def __init__(self, request: Request) -> None:
        super().__init__(request.name)
        self.request = request


class _Asked(Service):
    """Tells what it was asked to verify, and verifies nothing."""

    def verify(self, _kind: AnyKind, request: Request, _listener: Listener = ignore) -> Answer:
        raise _AskedError(request)


def request_of(line: Identified, defaults: Given = NOTHING) -> Request | Answer:
    """Return what a batch would verify for a line, or its answer where that is refused."""
    try:
        return answer_to(_Asked(MemoryStore()), line, defaults)
    except _AskedError as asked:
        return asked.request
