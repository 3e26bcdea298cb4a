"""What audits offer in Python beside `AuditorAgent`: one call from a question and its evidence to a verdict.

Refuses to make a verdict itself: whoever gives this its service retains the proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from probatum.audit.canonical import content_bytes
from probatum.core.arguments import TEXT, bytes_of, require_name, require_types
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.ports import Store
from probatum.kinds.audit.request import AuditRequest


@dataclass(frozen=True, slots=True)
class AuditEvidence:
    """`probatum.audit_evidence`: audits evidence against a question."""

    # What answers a request of a kind, with the store where its proof is kept.
    ask: Callable[[str, AuditRequest, Store | None], DiagnosticResult]

    def __call__(
        self, prompt_spec: object, evidence: object, *, name: str = "evidence", store: Store | None = None
    ) -> DiagnosticResult:
        """Audit evidence and return the verdict.

        Args:
            prompt_spec: a `probatum.audit.PromptSpec`, or its JSON as a mapping, text or bytes.
            evidence: a `probatum.audit.EvidenceBundle`, or its JSON likewise.
            name: what to call the evidence in reports.
            store: where the proof of a VERIFIED verdict is kept; None means the default store of this user.

        Raises:
            UsageError: something given has another type, or has no JSON form.
        """
        require_types({"name": name}, {"name": TEXT})
        require_name(name)
        return self.ask("audit", AuditRequest(_bytes(evidence), name, _bytes(prompt_spec)), store)


def _bytes(value: object) -> bytes:
    if isinstance(value, str | bytes | bytearray | memoryview):
        return bytes_of(value)
    return content_bytes(value)
