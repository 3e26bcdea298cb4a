"""The proof of a judgement: what it tells, and how a re-check restores that from the recorded checks.

What was asked stands beside the proof, under its digest, so that an easier request is another contract. Refuses checks
that do not decide as recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision
from probatum.core.frozen import frozen_dict, thaw
from probatum.core.shape import Shape
from probatum.core.version import __version__
from probatum.judge.judging import LayerRecord, decide_checks
from probatum.judge.layers import Basis, CheckOutcome, LayerCheck
from probatum.judge.request import ValidationType
from probatum.proof.account import Account, Document
from probatum.proof.artifact import PART, Described, VerifierVersion, part

CONTRACT_KIND: Final = "validation"
POLICY_ID: Final = "judge/v1"
REQUEST: Final = "request"
_LAYERS: Final = "layers"
_ASSUMPTIONS: Final = ("the trusted sources and the context say the truth",)


def judge_account(records: Sequence[LayerRecord], decision: Decision, asked_digest: str, media_type: str) -> Account:
    """Return what the proof of a judgement tells; ``asked_digest`` is that of what was asked."""
    layers = [each.layer.value for each in records]
    return Account(
        decision=decision,
        claim=f"The output passes every check of {', '.join(layers)} that it was to be accepted by ({asked_digest}).",
        contract=Described(CONTRACT_KIND, {REQUEST: part(asked_digest)}),
        policy=Described(POLICY_ID, {_LAYERS: list[JsonValue](layers)}),
        observations=[_observation(each) for each in records],
        verifiers=tuple(VerifierVersion(f"validation.{layer}", __version__) for layer in layers),
        media_type=media_type,
        assumptions=_ASSUMPTIONS if ValidationType.FACTS in layers or ValidationType.HALLUCINATION in layers else (),
    )


def restored(artifact: Document) -> Account:
    """Return the account that recorded checks lead to; raises ValueError where they are not checks."""
    told = Shape(artifact)
    records = [_record(each) for each in told.items("observations")]
    media_type = told.member("subject").text("media_type")
    return judge_account(records, decide_checks(records), asked_digest(artifact), media_type)


def asked_digest(artifact: Document) -> str:
    """Return the digest of what was asked; raises ValueError where the artifact names none."""
    content = Shape(artifact).member("contract").member("content").exactly(REQUEST)
    return content.member(REQUEST).exactly(PART).text(PART)


def _observation(record: LayerRecord) -> Mapping[str, JsonValue]:
    checks: list[JsonValue] = [
        {
            "id": each.id,
            "about": each.about,
            "state": each.state.value,
            "basis": each.basis.value,
            "evidence": thaw(each.evidence),  # type: ignore[dict-item]  # canonical JSON
        }
        for each in record.checks
    ]
    return {"layer": record.layer.value, "has_error": record.has_error, "checks": checks}


def _record(shape: Shape) -> LayerRecord:
    told = shape.exactly("layer", "has_error", "checks")
    checks = tuple(map(_check, told.items("checks")))
    return LayerRecord(told.choice(ValidationType, "layer"), checks, told.flag("has_error"))


def _check(shape: Shape) -> LayerCheck:
    told = shape.exactly("id", "about", "state", "basis", "evidence")
    state, basis = told.choice(CheckOutcome, "state"), told.choice(Basis, "basis")
    return LayerCheck(told.text("id"), told.text("about"), state, basis, frozen_dict(told.raw_object("evidence")))
