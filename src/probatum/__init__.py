"""probatum decides whether something that an AI produced may be acted on, and leaves a proof.

The one public door: its names load what they need when they are first used. Refuses every other name.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from probatum.audit.auditor import AuditorAgent
    from probatum.contracts.loading import load_contract_spec
    from probatum.core.decision import DiagnosticStatus
    from probatum.core.diagnostics import AdvisoryCheck, DiagnosticResult, compute_proof_ref
    from probatum.core.version import __version__
    from probatum.judge.judge import Judge
    from probatum.kinds.audit.facade import AuditEvidence
    from probatum.kinds.claim.facade import CheckClaim
    from probatum.kinds.judge.facade import JudgeOutput
    from probatum.kinds.output.facade import CheckOutput
    from probatum.kinds.program.facade import VerifyProgram
    from probatum.programs.deep.types import DeepVerificationConfig
    from probatum.programs.deep.verifier import DeepVerifier
    from probatum.proof.gate import Gate, release_gate
    from probatum.verification.registry import VerifierRegistry, default_registry
    from probatum.verification.run import verify_task_result

    audit_evidence: AuditEvidence
    check_claim: CheckClaim
    check_output: CheckOutput
    judge_output: JudgeOutput
    verify_program: VerifyProgram

__all__ = [
    "AdvisoryCheck",
    "AuditorAgent",
    "DeepVerificationConfig",
    "DeepVerifier",
    "DiagnosticResult",
    "DiagnosticStatus",
    "Gate",
    "Judge",
    "VerifierRegistry",
    "__version__",
    "audit_evidence",
    "check_claim",
    "check_output",
    "compute_proof_ref",
    "default_registry",
    "judge_output",
    "load_contract_spec",
    "release_gate",
    "verify_program",
    "verify_task_result",
]

_HOME_OF = {
    "AdvisoryCheck": "probatum.core.diagnostics",
    "AuditorAgent": "probatum.audit.auditor",
    "DeepVerificationConfig": "probatum.programs.deep.types",
    "DeepVerifier": "probatum.programs.deep.verifier",
    "DiagnosticResult": "probatum.core.diagnostics",
    "DiagnosticStatus": "probatum.core.decision",
    "Gate": "probatum.proof.gate",
    "Judge": "probatum.judge.judge",
    "VerifierRegistry": "probatum.verification.registry",
    "__version__": "probatum.core.version",
    "compute_proof_ref": "probatum.core.diagnostics",
    "default_registry": "probatum.verification.registry",
    "load_contract_spec": "probatum.contracts.loading",
    "release_gate": "probatum.proof.gate",
    "verify_task_result": "probatum.verification.run",
}
_FACADE_OF = {
    "audit_evidence": ("probatum.kinds.audit.facade", "AuditEvidence", "service.ask"),
    "check_claim": ("probatum.kinds.claim.facade", "CheckClaim", "service.ask"),
    "check_output": ("probatum.kinds.output.facade", "CheckOutput", "service.ask"),
    "judge_output": ("probatum.kinds.judge.facade", "JudgeOutput", "service.ask"),
    "verify_program": ("probatum.kinds.program.facade", "VerifyProgram", "service.ask", "stream.begin"),
}
"""What kinds offer in Python, and what of `probatum.app` answers for them: a kind makes no verdicts itself."""


def __getattr__(name: str) -> object:
    if name in _FACADE_OF:
        home, facade, *answering = _FACADE_OF[name]
        value = getattr(import_module(home), facade)(*(partial(_answer, each) for each in answering))
    elif name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    else:
        raise AttributeError(f"module 'probatum' has no attribute {name!r}")
    globals()[name] = value
    return value


def _answer(where: str, *asked: object) -> object:
    """Ask what answers; it is loaded with the first question."""
    module, _, name = where.partition(".")
    return getattr(import_module(f"probatum.app.{module}"), name)(*asked)


def __dir__() -> list[str]:
    return sorted(__all__)
