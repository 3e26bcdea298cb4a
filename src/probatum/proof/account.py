"""What a kind tells in its proofs, written once for building a proof, for re-checking it and for replaying it.

A kind restores from a recorded artifact what it would write today about the same observations. Where the artifact says
anything else, the re-check fails, so that nothing in it is believed because it is written there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Decision, DiagnosticStatus
from probatum.core.errors import ProbatumError
from probatum.core.shape import Shape
from probatum.core.subject import Subject
from probatum.proof.artifact import Account, build_artifact

__all__ = ["Account", "AccountRechecker", "Document", "differences", "proof_of"]
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
    unmet: Callable[[Document], tuple[str, ...]]
    """Gives one sentence for each way in which less was demanded than is required."""
    again: Callable[[Document, bytes, Mapping[str, bytes]], tuple[str, ...]]
    """Observes the recorded subject again, with the parts beside it by digest; gives a sentence for each difference."""
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

    def shortfalls(self, artifact: Document) -> tuple[str, ...]:
        """Return in which ways less was demanded than is required."""
        return self.unmet(artifact)

    def versions(self) -> Mapping[str, str]:
        """Return the versions that would take part today."""
        return self.taking_part()

    def replay(self, artifact: Document, parts: Mapping[str, bytes]) -> tuple[str, ...]:
        """Observe the recorded subject again; raises ValueError where it is kept no longer."""
        subject = parts.get(Shape(artifact).member("subject").text("digest"))
        if subject is None:
            raise ValueError("the store does not keep the subject itself, so it cannot be observed again")
        try:
            return self.again(artifact, subject, parts)
        except ProbatumError as error:
            return (f"today the subject is not judged at all: {error.sentence}",)


def differences(artifact: Document, now: Sequence[Mapping[str, JsonValue]]) -> tuple[str, ...]:
    """Return one sentence for each member in which the recorded observations are not those of today."""
    recorded = list(Shape(artifact).items("observations"))
    if len(recorded) != len(now):
        return (f"{len(recorded)} observations were recorded, now there are {len(now)}",)
    return tuple(
        f"observation {number}, {key}: recorded {str(then.get(key))[:SHOWN]}, now {str(today.get(key))[:SHOWN]}"
        for number, (then, today) in enumerate(zip((row.raw_object() for row in recorded), now, strict=True), start=1)
        for key in sorted(then.keys() | today.keys())
        if key not in then or key not in today or canonical_bytes(then[key]) != canonical_bytes(today[key])
    )
