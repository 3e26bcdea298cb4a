"""What follows from a ruling, and what a proof of it tells.

A ruling says what an engine established; the decision names it in the words of the catalogue. Refuses to tell a proof
whose certificate was not checked: every account of a proved claim is made of a certificate that holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from probatum import __version__
from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Decision, Outcome, decide
from probatum.core.digest import digest_of
from probatum.core.frozen import frozen_dict, thaw
from probatum.core.shape import Shape
from probatum.exact.claim import ExactClaim, Ruling
from probatum.exact.engines import STATEMENT, engine_named
from probatum.kinds.claim.request import media_type
from probatum.proof.artifact import Account, Described, VerifierVersion

POLICY_ID: Final = "claim/v1"
CONTRACT_KIND: Final = "claim"
_POLICY: Final[dict[str, JsonValue]] = {"certificate": "checked by other means than it was found"}
_MAX_TOLD: Final = 4_000
"""Bytes of one entry of the evidence that stands in a verdict; a proof holds all of it."""
_SHOWN: Final = 200


def decide_claim(claim: ExactClaim, ruling: Ruling) -> Decision:
    """Return the decision that a ruling comes to."""
    evidence = {key: value for key, value in ruling.evidence.items() if len(canonical_bytes(value)) <= _MAX_TOLD}
    fields: dict[str, object] = {**evidence, "engine": claim.engine}
    if ruling.stated:
        fields["stated"] = ruling.stated[:_MAX_TOLD]
    if ruling.detail:
        fields["detail"] = ruling.detail
    if ruling.outcome is Outcome.PROVED:
        fields["certificate"] = ruling.certificate_digest
    return decide(ruling.outcome, ruling.constraint, fields=fields)


def claim_account(claim: ExactClaim, ruling: Ruling) -> Account:
    """Return what the proof of a claim tells; raises ValueError where the ruling is no proof."""
    if ruling.outcome is not Outcome.PROVED:
        raise ValueError("only a proved claim has a proof")
    content = claim.to_json()
    given = digest_of(canonical_bytes(content["given"]))
    said = ruling.stated or claim.statement
    about = said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"
    subject = engine_named(claim.engine).subject
    of = "" if subject == STATEMENT else f" of the {subject}"
    return Account(
        decision=decide_claim(claim, ruling),
        claim=f"The engine {claim.engine} proves{of}, with what is given ({given}): {about!r}.",
        contract=Described(CONTRACT_KIND, content),
        policy=Described(POLICY_ID, _POLICY),
        observations=[
            {"constraint": ruling.constraint, "stated": ruling.stated, "certificate": thaw(ruling.evidence)}  # type: ignore[dict-item]  # JSON
        ],
        verifiers=(VerifierVersion(f"exact.{claim.engine}", __version__),),
        media_type=media_type(claim),
    )


def ruling_in(observation: Mapping[str, object]) -> Ruling:
    """Return the proof that an observation records, not yet checked; raises ValueError for anything else."""
    shape = Shape(observation, "observation").exactly("constraint", "stated", "certificate")
    certificate = frozen_dict(shape.raw_object("certificate"))
    return Ruling(Outcome.PROVED, shape.text("constraint"), "", certificate, shape.text("stated"))
