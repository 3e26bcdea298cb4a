"""probatum decides whether something that an AI produced may be acted on, and leaves a proof.

The one public door: its names load what they need when they are first used. Refuses every other name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from probatum.app.service import verify_program
    from probatum.contracts.loading import load_contract_spec
    from probatum.core.decision import DiagnosticStatus
    from probatum.core.diagnostics import AdvisoryCheck, DiagnosticResult, compute_proof_ref
    from probatum.proof.gate import Gate, release_gate
    from probatum.verification.registry import VerifierRegistry, default_registry
    from probatum.verification.run import verify_task_result

__all__ = [
    "AdvisoryCheck",
    "DiagnosticResult",
    "DiagnosticStatus",
    "Gate",
    "VerifierRegistry",
    "__version__",
    "compute_proof_ref",
    "default_registry",
    "load_contract_spec",
    "release_gate",
    "verify_program",
    "verify_task_result",
]

__version__ = "0.1.0"

_HOME_OF = {
    "AdvisoryCheck": "probatum.core.diagnostics",
    "DiagnosticResult": "probatum.core.diagnostics",
    "DiagnosticStatus": "probatum.core.decision",
    "Gate": "probatum.proof.gate",
    "VerifierRegistry": "probatum.verification.registry",
    "compute_proof_ref": "probatum.core.diagnostics",
    "default_registry": "probatum.verification.registry",
    "load_contract_spec": "probatum.contracts.loading",
    "release_gate": "probatum.proof.gate",
    "verify_program": "probatum.app.service",
    "verify_task_result": "probatum.verification.run",
}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'probatum' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
