"""The proof of a judgement: what it holds, and how a re-check restores that from the recorded checks.

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
from probatum.judge.judging import decide_checks
from probatum.judge.layers import Basis, CheckOutcome, LayerCheck, LayerReport
from probatum.judge.request import ValidationType
from probatum.proof.account import Account, Document
from probatum.proof.artifact import PART, Described, VerifierVersion, part

CONTRACT_KIND: Final = "validation"
POLICY_ID: Final = "judge/v1"
REQUEST: Final = "request"
_LAYERS: Final = "layers"
_LINTERS: Final = "linters"
_READINGS: Final = "readings_policy"
_ASSUMPTIONS: Final = ("the trusted sources and the context say the truth",)


def judge_account(
    reports: Sequence[LayerReport],
    decision: Decision,
    asked_digest: str,
    media_type: str,
    linters: Sequence[str],
    readings_policy: str,
) -> Account:
    """Return what the proof of a judgement holds; ``asked_digest`` is that of what was asked."""
    layers = [each.layer.value for each in reports]
    return Account(
        decision=decision,
        claim=f"The output passes every check of {', '.join(layers)} that it was to be accepted by ({asked_digest}).",
        contract=Described(CONTRACT_KIND, {REQUEST: part(asked_digest)}),
        policy=Described(
            POLICY_ID,
            {_LAYERS: list[JsonValue](layers), _LINTERS: list[JsonValue](linters), _READINGS: readings_policy},
        ),
        observations=[_observation(each) for each in reports],
        verifiers=tuple(VerifierVersion(f"validation.{layer}", __version__) for layer in layers),
        media_type=media_type,
        assumptions=_ASSUMPTIONS if ValidationType.FACTS in layers or ValidationType.HALLUCINATION in layers else (),
    )


def restored(artifact: Document) -> Account:
    """Return the account that recorded checks lead to; raises ValueError where they are not checks."""
    shape = Shape(artifact)
    reports = [_report(each) for each in shape.items("observations")]
    media_type = shape.member("subject").text("media_type")
    policy = shape.member("policy").member("content").text(_READINGS)
    decision, linters = decide_checks(reports), linters_in(artifact)
    return judge_account(reports, decision, asked_digest(artifact), media_type, linters, policy)


def linters_in(artifact: Document) -> tuple[str, ...]:
    """Return the linters that looked at the code; raises ValueError where the artifact does not say."""
    return Shape(artifact).member("policy").member("content").texts(_LINTERS)


def asked_digest(artifact: Document) -> str:
    """Return the digest of what was asked; raises ValueError where the artifact names none."""
    content = Shape(artifact).member("contract").member("content").exactly(REQUEST)
    return content.member(REQUEST).exactly(PART).text(PART)


def _observation(report: LayerReport) -> Mapping[str, JsonValue]:
    checks: list[JsonValue] = [
        {
            "id": each.id,
            "about": each.about,
            "state": each.state.value,
            "basis": each.basis.value,
            "evidence": thaw(each.evidence),  # type: ignore[dict-item]  # canonical JSON
        }
        for each in report.checks
    ]
    return {"layer": report.layer.value, "checks": checks}


def _report(shape: Shape) -> LayerReport:
    given = shape.exactly("layer", "checks")
    return LayerReport(given.choice(ValidationType, "layer"), tuple(map(_check, given.items("checks"))))


def _check(shape: Shape) -> LayerCheck:
    given = shape.exactly("id", "about", "state", "basis", "evidence")
    state, basis = given.choice(CheckOutcome, "state"), given.choice(Basis, "basis")
    return LayerCheck(given.text("id"), given.text("about"), state, basis, frozen_dict(given.raw_object("evidence")))
