"""probatum decides whether something that an AI produced may be acted on, and leaves a proof.

The one public door: its names load what they need when they are first used. Refuses every other name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from probatum.app.service import verify_program
    from probatum.core.decision import DiagnosticStatus
    from probatum.core.diagnostics import AdvisoryCheck, DiagnosticResult, compute_proof_ref

__all__ = [
    "AdvisoryCheck",
    "DiagnosticResult",
    "DiagnosticStatus",
    "__version__",
    "compute_proof_ref",
    "verify_program",
]

__version__ = "0.1.0"

_HOME_OF = {
    "AdvisoryCheck": "probatum.core.diagnostics",
    "DiagnosticResult": "probatum.core.diagnostics",
    "DiagnosticStatus": "probatum.core.decision",
    "compute_proof_ref": "probatum.core.diagnostics",
    "verify_program": "probatum.app.service",
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
