"""Audits bundles, one after the other. Opens nothing and runs nothing but the auditor."""

from __future__ import annotations

from collections.abc import Mapping

from probatum.audit.auditor import concluded
from probatum.audit.conclusion import AuditRecord
from probatum.core.command import Given
from probatum.core.events import Event, Listener
from probatum.core.ports import Rechecker, SourceReader
from probatum.core.shape import Shape
from probatum.kinds.audit.observed import ObservedEvidence
from probatum.kinds.audit.proof import audit_rechecker, question_of
from probatum.kinds.audit.request import MAX_PROMPT_BYTES, AuditRequest
from probatum.kinds.audit.wire import bundle_of, prompt_of
from probatum.proof.account import Document
from probatum.verification.observed import Observed


class AuditWorkbench:
    """Audits evidence against questions."""

    def observe(self, request: AuditRequest, listener: Listener) -> Observed:
        """Read the evidence and weigh it; raises as `Workbench.observe` does."""
        spec, bundle = prompt_of(request.prompt), bundle_of(request.content)
        listener(Event("start", f"Reading {len(bundle.items):,} items of evidence"))
        record = AuditRecord.of(spec, bundle)
        listener(Event("weigh", f"Weighing {len(record.claims):,} claims"))
        return ObservedEvidence(request, concluded(spec, record))

    def rechecker(self, demands: Given, sources: SourceReader) -> Rechecker:
        """Return what re-checks proofs of audits; for a gate, with the question that it demands."""
        named = demands.text("prompt")
        if named is None:
            return audit_rechecker()
        return audit_rechecker(prompt_of(sources.read_whole(named, MAX_PROMPT_BYTES, "prompt")))

    def observed_again(self, artifact: Document, parts: Mapping[str, bytes]) -> Observed:
        """Read the evidence and weigh it again, for the question that is recorded."""
        named, spec = Shape(artifact).member("subject"), question_of(artifact)
        content = parts[named.text("digest")]
        conclusion = concluded(spec, AuditRecord.of(spec, bundle_of(content)))
        return ObservedEvidence(AuditRequest(content, named.text("name"), b""), conclusion)

    def close(self) -> None:
        """Nothing is open."""
