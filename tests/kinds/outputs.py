"""Contracts and outputs that several tests judge."""

from __future__ import annotations

import json
from collections.abc import Mapping

from probatum.contracts import ContractSpec, load_contract_spec
from probatum.core.decision import Outcome
from probatum.proof.stores import MemoryStore
from probatum.verification.registry import VerifierRegistry, default_registry
from probatum.verification.results import VerificationResult, VerificationStatus
from probatum.verification.verifier import VerifierDescription
from tests.services import Answer, OutputRequest, Service

GATE = load_contract_spec("llm_boolean_gate", "v1")
GOOD = b'{"yes": true, "confidence": 0.9, "reason": "ok"}'
BAD = b'{"yes": "true", "confidence": 9, "reason": "ok"}'
GOOD_INPUT = b'{"facts": "It rains.", "question": "Is it dry?"}'
BAD_INPUT = b'{"facts": "It rains."}'


def contract(output_schema: object, **more: object) -> ContractSpec:
    return ContractSpec("task", "v1", output_schema=output_schema, **more)


def judged(
    content: bytes,
    spec: ContractSpec = GATE,
    given: bytes | None = None,
    *,
    service: Service | None = None,
    registry: VerifierRegistry | None = None,
) -> Answer:
    service = service or Service(MemoryStore(), registry=registry)
    return service.verify_output(OutputRequest(content, "out.json", spec, given))


class Says:
    """A verifier that answers what it was made with."""

    def __init__(self, answer: VerificationResult | BaseException | object, best: Outcome = Outcome.TESTED) -> None:
        self.answer = answer
        self.description = VerifierDescription("says", "1", best)

    def verify(
        self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer  # type: ignore[return-value]  # nonsense is what some tests want


def passing(status: VerificationStatus = VerificationStatus.PASS) -> VerificationResult:
    return VerificationResult(status, "says", "")


def registry_with(answer: object, best: Outcome = Outcome.TESTED) -> VerifierRegistry:
    registry = default_registry()
    registry.register("says", Says(answer, best))
    return registry


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()
