"""What a kind tells in its proofs, written once for building a proof, for re-checking it and for replaying it.

A kind restores from a recorded artifact what it would write today about the same observations. Whatever the artifact
says otherwise fails the re-check, so that nothing in it is believed because it stands there. Refuses an account
without a verifier or an observation: nothing is not success.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Decision, DiagnosticStatus
from probatum.core.frozen import thaw
from probatum.core.subject import Subject
from probatum.proof.artifact import Described, VerifierVersion, build_artifact

Document = Mapping[str, object]
"""An artifact, as JSON."""


@dataclass(frozen=True, slots=True)
class Account:
    """What a proof tells, but for its subject."""

    decision: Decision
    claim: str
    """The one sentence that the decision establishes."""
    contract: Described
    policy: Described
    observations: Sequence[Mapping[str, JsonValue]]
    verifiers: tuple[VerifierVersion, ...]
    media_type: str
    assumptions: tuple[str, ...] = ()
    seed: int = 0


def proof_of(kind: str, account: Account, content: bytes, name: str) -> bytes:
    """Return the canonical bytes of the artifact about a subject.

    Args:
        kind: the kind of artifact.
        account: what it tells.
        content: the subject's bytes.
        name: what the subject is called.

    Raises:
        ValueError: the decision is not VERIFIED, or a part has no canonical form.
    """
    if account.decision.status is not DiagnosticStatus.VERIFIED:
        raise ValueError("only a VERIFIED decision rests on a proof artifact")
    document = build_artifact(
        kind=kind,
        claim=account.claim,
        subject=Subject(content, account.media_type, name),
        contract=account.contract,
        policy=account.policy,
        verifiers=account.verifiers,
        seed=account.seed,
        decision=account.decision,
        observations=account.observations,
        assumptions=account.assumptions,
    )
    return canonical_bytes(document)


@dataclass(frozen=True, slots=True)
class AccountRechecker:
    """The `Rechecker` of a kind that can restore its accounts."""

    restore: Callable[[Document], Account]
    """Gives the account that recorded contract and observations lead to; raises ValueError where they lead to none."""
    unmet: Callable[[Document], tuple[str, ...]]
    """Gives one sentence for each way in which less was demanded than is required."""
    observe: Callable[[Document, bytes], Sequence[Mapping[str, JsonValue]]]
    """Gives the observations of the recorded subject as they are made today."""
    taking_part: tuple[VerifierVersion, ...]
    """The verifiers of today."""

    def decision_of(self, artifact: Document, _parts: Mapping[str, bytes]) -> Decision:
        """Derive the decision; raises ValueError where the artifact says anything that its observations do not give."""
        account = self.restore(artifact)
        verifiers = artifact["verifiers"]
        assert isinstance(verifiers, list)
        said = {
            "media type": (_member(artifact, "subject")["media_type"], account.media_type),
            "assumptions": (artifact["assumptions"], list(account.assumptions)),
            "seed": (artifact["seed"], account.seed),
            "verifiers": ([each["id"] for each in verifiers], [each.id for each in account.verifiers]),
            "kind of contract": (_member(artifact, "contract")["kind"], account.contract.label),
            "id of the policy": (_member(artifact, "policy")["id"], account.policy.label),
            "contract": (_member(artifact, "contract")["digest"], account.contract.digest),
            "policy": (_member(artifact, "policy")["digest"], account.policy.digest),
            "observations": (thaw(artifact["observations"]), [dict(each) for each in account.observations]),
        }
        for what, (recorded, due) in said.items():
            if recorded != due:
                raise ValueError(f"the {what} of the artifact: recorded {str(recorded)[:80]}, due {str(due)[:80]}")
        return account.decision

    def claim_of(self, artifact: Document, _decision: Decision) -> str:
        """Return the claim that the observations establish."""
        return self.restore(artifact).claim

    def shortfalls(self, artifact: Document) -> tuple[str, ...]:
        """Return in which ways less was demanded than is required."""
        return self.unmet(artifact)

    def versions(self) -> Mapping[str, str]:
        """Return the versions that would take part today."""
        return {each.id: each.version for each in self.taking_part}

    def replay(self, artifact: Document, parts: Mapping[str, bytes]) -> tuple[str, ...]:
        """Observe the recorded subject again; raises ValueError where it is kept no longer."""
        subject = parts.get(str(_member(artifact, "subject")["digest"]))
        if subject is None:
            raise ValueError("the store does not keep the subject itself, so it cannot be observed again")
        recorded, now = thaw(artifact["observations"]), self.observe(artifact, subject)
        assert isinstance(recorded, list)
        if len(recorded) != len(now):
            return (f"{len(recorded)} observations were recorded, now there are {len(now)}",)
        pairs = enumerate(zip(recorded, now, strict=True))
        return tuple(
            f"observation {number}: recorded {str(then)[:80]}, now {str(today)[:80]}"
            for number, (then, today) in pairs
            if then != dict(today)
        )


def _member(artifact: Document, key: str) -> Document:
    member = artifact[key]
    if not isinstance(member, dict):
        raise ValueError(f"{key!r} of the artifact must be an object")
    return member
