"""From a decision to a verdict: VERIFIED only on a proof that was retained, everything else without one.

Refuses to give VERIFIED where the store keeps the proof under another digest than its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from probatum.core.decision import Decision, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError
from probatum.core.frozen import FrozenDict
from probatum.core.ports import Store


def verdict_without_proof(decision: Decision) -> DiagnosticResult:
    """Return the verdict of a decision that is not VERIFIED."""
    build = DiagnosticResult.blocked if decision.outcome is Outcome.NOT_ATTEMPTED else DiagnosticResult.unverifiable
    return build(decision.agent_message, decision.developer_fields())


def proved_verdict(
    decision: Decision,
    artifact: bytes,
    store: Store,
    beside: Mapping[str, bytes],
    alike: DiagnosticResult | None = None,
) -> DiagnosticResult:
    """Retain the canonical bytes of an artifact and return the verdict that rests on them.

    ``beside`` is what belongs beside the artifact, by digest; it is retained before it. ``alike`` is an earlier verdict
    of the same decision.

    Raises:
        IntegrityError: the store kept something under another digest.
        ProbatumError: the store cannot keep them.
    """
    reference = digest_of(artifact)
    if alike is None:
        fields = FrozenDict(decision.developer_fields())
        verdict = DiagnosticResult(decision.status, decision.agent_message, fields, reference)
    else:
        verdict = alike.resting_on(reference)
    if store.retain_all([*beside.values(), artifact]) != [*beside, verdict.proof_ref]:
        raise IntegrityError("store.wrong_digest", "The store kept the proof under another digest than its own.")
    return verdict
