"""What answers the calls that kinds offer in Python: a service of its own for each."""

from __future__ import annotations

from probatum.app.kinds import built_in_kinds
from probatum.app.service import Service
from probatum.app.settings import read_settings
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.ports import Store
from probatum.proof.stores import open_store
from probatum.verification.kind import Request


def ask(kind: str, request: Request, store: Store | None = None) -> DiagnosticResult:
    """Return the verdict about one request; its proof is kept in the default store of this user without another.

    Raises:
        UsageError: the request names something that the subject does not have.
    """
    with Service(store or open_store(read_settings().store_path())) as service:
        return service.verify(built_in_kinds()[kind], request).verdict
