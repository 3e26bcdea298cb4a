"""How any verification runs, knowing no verifier: results, registry, policy, plan, run, decision.

The public names of the verification registry. Refuses to count what did not run: an unknown verifier, an exception, a
time-out and nonsense are failures of their slot, never a silent pass.
"""

from __future__ import annotations

from probatum.verification.registry import VerifierRegistry, default_registry
from probatum.verification.results import (
    Fault,
    VerificationResult,
    VerificationStatus,
    verification_result_to_dict,
    verification_results_to_jsonable,
)
from probatum.verification.run import verify_task_result
from probatum.verification.verifier import Verifier, VerifierDescription

__all__ = [
    "Fault",
    "VerificationResult",
    "VerificationStatus",
    "Verifier",
    "VerifierDescription",
    "VerifierRegistry",
    "default_registry",
    "verification_result_to_dict",
    "verification_results_to_jsonable",
    "verify_task_result",
]
