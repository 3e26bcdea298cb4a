"""Evidence into a checkable reasoning trace: what a bundle establishes, and whether it agrees.

The names of the requirement document; `VerificationResult` is its name for `AuditVerification`.
"""

from probatum.audit.auditor import AgentContext, AuditorAgent
from probatum.audit.canonical import dumps_canonical, from_hex, hash_canonical, to_hex
from probatum.audit.claims import Claim, ClaimSet
from probatum.audit.commitments import Commitment
from probatum.audit.contradictions import ContradictionChecker
from probatum.audit.errors import (
    CanonicalizationException,
    CournotError,
    CournotException,
    SchemaValidationException,
    TracePolicyException,
)
from probatum.audit.extraction import ClaimExtractor
from probatum.audit.predicates import PredicateError, parse_predicate
from probatum.audit.reasoning import (
    AuditVerification,
    ChallengeRef,
    CheckResult,
    ReasoningStep,
    ReasoningTrace,
    TracePolicy,
)
from probatum.audit.sanity import LogicSanityChecker
from probatum.audit.schemas import (
    DataRequirement,
    DisputePolicy,
    EvidenceBundle,
    EvidenceItem,
    MarketSpec,
    PredictionSemantics,
    PromptSpec,
    Provenance,
    ResolutionRule,
    ResolutionRules,
    ResolutionWindow,
    SelectionPolicy,
    SourcePolicy,
    SourceTarget,
)
from probatum.audit.tracepolicy import TracePolicyVerifier

VerificationResult = AuditVerification

__all__ = [
    "AgentContext",
    "AuditVerification",
    "AuditorAgent",
    "CanonicalizationException",
    "ChallengeRef",
    "CheckResult",
    "Claim",
    "ClaimExtractor",
    "ClaimSet",
    "Commitment",
    "ContradictionChecker",
    "CournotError",
    "CournotException",
    "DataRequirement",
    "DisputePolicy",
    "EvidenceBundle",
    "EvidenceItem",
    "LogicSanityChecker",
    "MarketSpec",
    "PredicateError",
    "PredictionSemantics",
    "PromptSpec",
    "Provenance",
    "ReasoningStep",
    "ReasoningTrace",
    "ResolutionRule",
    "ResolutionRules",
    "ResolutionWindow",
    "SchemaValidationException",
    "SelectionPolicy",
    "SourcePolicy",
    "SourceTarget",
    "TracePolicy",
    "TracePolicyException",
    "TracePolicyVerifier",
    "VerificationResult",
    "dumps_canonical",
    "from_hex",
    "hash_canonical",
    "parse_predicate",
    "to_hex",
]
