"""What a kind tells in its proofs, written once for building a proof, for re-checking it and for replaying it.

A kind restores from a recorded artifact what it would write today about the same observations. Where the artifact says
anything else, the re-check fails, so that nothing in it is believed because it is written there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Decision, DiagnosticStatus
from probatum.core.errors import ProbatumError
from probatum.core.shape import Shape
from probatum.core.subject import Subject
from probatum.proof.artifact import Account, build_artifact
from probatum.proof.steps import differences

__all__ = ["Account", "AccountRechecker", "Document", "proof_of"]
SHOWN: Final = 300
Document = Mapping[str, object]
"""An artifact, as JSON."""


def proof_of(kind: str, account: Account, subject: Subject) -> bytes:
    """Return the canonical bytes of the artifact of this kind about a subject.

    Raises ValueError where the decision is not VERIFIED, or a part has no canonical form.
    """
    if account.decision.status is not DiagnosticStatus.VERIFIED:
        raise ValueError("only a VERIFIED decision rests on a proof artifact")
    return canonical_bytes(build_artifact(kind, account, subject))


@dataclass(frozen=True, slots=True)
class AccountRechecker:
    """The `Rechecker` of a kind that can restore its accounts."""

    restore: Callable[[Document], Account]
    """Gives the account that recorded contract and observations lead to; raises ValueError where they lead to none."""
    unmet: Callable[[Document, bytes], tuple[str, ...]]
    """Gives one sentence for each way in which the proof is about less, or about something else, than is required; the
    bytes are those of the subject at hand."""
    again: Callable[[Document, bytes, Mapping[str, bytes]], Account]
    """Gives today's account of the recorded subject: does all that a first verification does, with the parts beside
    it by digest, and reads no observation of the artifact. Raises ProbatumError where it is not judged today."""
    taking_part: Callable[[], Mapping[str, str]]
    """Gives the versions, by id, of the verifiers of today."""

    def decision_of(self, artifact: Document, _parts: Mapping[str, bytes]) -> Decision:
        """Derive the decision; raises ValueError where the artifact says anything that its observations do not give."""
        account, told = self.restore(artifact), Shape(artifact)
        contract, policy = told.member("contract"), told.member("policy")
        said: dict[str, tuple[object, object]] = {
            "media type": (told.member("subject").text("media_type"), account.media_type),
            "assumptions": (list(told.texts("assumptions")), list(account.assumptions)),
            "seed": (told.whole("seed"), account.seed),
            "verifiers": ([each.text("id") for each in told.items("verifiers")], [v.id for v in account.verifiers]),
            "kind of contract": (contract.text("kind"), account.contract.label),
            "id of the policy": (policy.text("id"), account.policy.label),
            "contract": (contract.text("digest"), account.contract.digest),
            "policy": (policy.text("digest"), account.policy.digest),
            "observations": (told.raw_list("observations"), [dict(each) for each in account.observations]),
        }
        for what, (recorded, due) in said.items():
            if canonical_bytes(recorded) != canonical_bytes(due):
                raise ValueError(
                    f"the {what} of the artifact: recorded {str(recorded)[:SHOWN]}, due {str(due)[:SHOWN]}"
                )
        return account.decision

    def claim_of(self, artifact: Document, _decision: Decision) -> str:
        """Return the claim that the observations establish."""
        return self.restore(artifact).claim

    def shortfalls(self, artifact: Document, subject: bytes) -> tuple[str, ...]:
        """Return in which ways the proof is about less, or about something else, than is required."""
        return self.unmet(artifact, subject)

    def versions(self) -> Mapping[str, str]:
        """Return the versions that would take part today."""
        return self.taking_part()

    def replay(self, artifact: Document, parts: Mapping[str, bytes]) -> tuple[str, ...]:
        """Judge the recorded subject again, and compare; raises ValueError where it is kept no longer."""
        told = Shape(artifact)
        named = told.member("subject")
        content = parts.get(named.text("digest"))
        if content is None:
            raise ValueError("the store does not keep the subject itself, so it cannot be judged again")
        try:
            account = self.again(artifact, content, parts)
        except ProbatumError as error:
            return (f"today the subject is not judged at all: {error.sentence}",)
        subject = Subject(content, account.media_type, named.text("name"))
        today = build_artifact(told.text("kind"), account, subject)
        found = differences("", _comparable(told.raw_object()), _comparable(today))
        sentences = tuple(f"{place}: recorded {old}, now {new}" for place, old, new in found)
        decision = account.decision
        if decision.status is DiagnosticStatus.VERIFIED:
            return sentences
        observed = (each for each in sentences if each.startswith("observations"))
        return (f"today the verdict is {decision.outcome.value}: {decision.agent_message}", *observed)


def _comparable(artifact: Mapping[str, JsonValue]) -> JsonValue:
    # The replay lists which version took part; another version does not make another verdict.
    return {**artifact, "verifiers": [each.text("id") for each in Shape(artifact).items("verifiers")]}
