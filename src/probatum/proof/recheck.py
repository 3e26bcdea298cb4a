"""Re-check: what a stranger does with a proof reference, offline, in numbered steps.

 1. The reference is a digest.
 2. The store has bytes under it.
 3. The SHA-256 of these bytes is the reference.
 4. The bytes are the canonical form of a proof artifact of a known version.
 5. The digests of policy and contract are those of their contents.
 6. The parts that contract and observations refer to are in the store and have their digests; so has the subject,
    where the store keeps it. One that was erased fails.
 7. There is a re-checker for this kind of artifact.
 8. The decision derived again from the observations is the recorded one, field for field.
 9. The decision is VERIFIED, and the claim is the sentence that this decision establishes.
10. Only with ``replay``: the recorded subject, judged again from contract, policy and seed alone, gives this artifact,
    byte for byte. Versions of verifiers may differ, and are listed where they do: that alone is not a failure.

The first step that fails ends the re-check; the later ones are reported as not reached. Nothing but the bytes is
trusted: neither the store, nor the artifact's own words, nor the re-checker, whose every failure counts against the
proof. A re-check does not say who made the proof. Without ``replay`` it does not see what was invented or left out in a
way that the decision follows from: checks, inputs, counts and planted faults that no verification gave.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Decision, DiagnosticStatus
from probatum.core.digest import digest_of, is_digest
from probatum.core.frozen import thaw
from probatum.core.messages import counted
from probatum.core.ports import Rechecker, Store
from probatum.core.shape import Shape
from probatum.proof.artifact import Artifact, decision_entry, parse_artifact
from probatum.proof.steps import SHOWN, StepFailed, StepReport, asked, differences, run_steps
from probatum.proof.store_errors import fetched_if_kept

TITLES: Final = (
    "the reference is a digest",
    "the store has bytes under it",
    "their SHA-256 is the reference",
    "they are a proof artifact in canonical form",
    "policy and contract match their digests",
    "the parts match their digests",
    "there is a re-checker for this kind",
    "the decision follows from the observations",
    "the decision is VERIFIED and establishes the claim",
    "verified again from the seed, the subject gives the same artifact",
)
_LISTED: Final = 10


def recheck(ref: str, store: Store, recheckers: Mapping[str, Rechecker], *, replay: bool = False) -> StepReport:
    """Re-check the proof behind a reference; the numbered steps are at the head of this module.

    Never raises for a proof that does not hold: the report names the step.
    """
    titles = TITLES if replay else TITLES[:-1]
    return run_steps(str(ref), titles, established(ref, store, recheckers, replay=replay))


def established(ref: str, store: Store, recheckers: Mapping[str, Rechecker], *, replay: bool) -> Iterator[str]:
    """Yield a detail for each step that holds, in order; raise at the first that does not."""
    # 1. The reference is a digest.
    if not is_digest(ref):
        raise StepFailed(f"{str(ref)[:SHOWN]!r} is not 'sha256:' and 64 lower-case hexadecimal digits")
    yield ""

    # 2. The store has bytes under it.
    content = _fetched(store, ref)
    yield f"{len(content)} bytes"

    # 3. The SHA-256 of these bytes is the reference.
    _require_same_digest(content, ref)
    yield ""

    # 4. The bytes are the canonical form of a proof artifact of a known version.
    artifact = asked("the parser", lambda: parse_artifact(content))
    document = artifact.document
    yield f"kind {artifact.kind}: {artifact.claim[:SHOWN]}"

    # 5. The digests of policy and contract are those of their contents.
    yield _matching_contents(artifact)

    # 6. Parts are in the store and have their digests; so has the subject, where the store keeps it.
    parts = checked_parts(artifact, store)
    kept = "kept" if artifact.subject_digest in parts else "not kept here"
    yield f"{counted(len(artifact.parts), 'part')}; the subject is {kept}"

    # 7. There is a re-checker for this kind of artifact.
    rechecker = asked("the kind", lambda: recheckers.get(artifact.kind))
    if rechecker is None:
        raise StepFailed(f"no re-checker for {artifact.kind!r}; there are: {', '.join(sorted(recheckers)) or 'none'}")
    yield ""

    # 8. The decision derived again from the observations is the recorded one, field for field.
    decision = asked("the re-checker", lambda: rechecker.decision_of(document, parts))
    _require_recorded(decision, artifact)
    yield f"{decision.outcome.value}: {decision.constraint_id}"

    # 9. The decision is VERIFIED, and the claim is the sentence that it establishes.
    if decision.status is not DiagnosticStatus.VERIFIED:
        raise StepFailed(f"the decision is {decision.status.value}: it proves nothing")
    claim = asked("the re-checker", lambda: rechecker.claim_of(document, decision))
    if claim != artifact.claim:
        raise StepFailed(f"the claim is {artifact.claim[:SHOWN]!r}, but {str(claim)[:SHOWN]!r} was established")
    yield ""

    # 10. The recorded subject, judged again from contract, policy and seed alone, gives this artifact.
    if replay:
        yield _replayed(artifact, parts, rechecker)


def _fetched(store: Store, digest: str) -> bytes:
    content = asked("the store", lambda: store.fetch(digest))
    if type(content) is not bytes:
        raise StepFailed(f"the store gave a {type(content).__name__} instead of bytes")
    return content


def _require_same_digest(content: bytes, digest: str) -> None:
    found = digest_of(content)
    if found != digest:
        raise StepFailed(f"these bytes are {found}, not {digest}")


def _matching_contents(artifact: Artifact) -> str:
    for name in ("policy", "contract"):
        entry = Shape(artifact.document).member(name)
        found = digest_of(canonical_bytes(entry.raw("content")))
        if found != entry.text("digest"):
            raise StepFailed(f"the content of the {name} is {found}, not {entry.text('digest')}")
    return ""


def checked_parts(artifact: Artifact, store: Store) -> dict[str, bytes]:
    """Return the parts, and the subject where it is kept, by digest; raises StepFailed where one is not as it was."""
    parts: dict[str, bytes] = {}
    for number, digest in enumerate(artifact.parts, start=1):
        try:
            parts[digest] = _fetched(store, digest)
            _require_same_digest(parts[digest], digest)
        except StepFailed as error:
            raise StepFailed(f"part {number} of {len(artifact.parts)}: {error}") from error
    try:
        subject = asked("the store", lambda: fetched_if_kept(store, artifact.subject_digest))
    except StepFailed as error:
        raise StepFailed(f"the subject: {error}") from error
    if subject is None:
        return parts
    if type(subject) is not bytes or digest_of(subject) != artifact.subject_digest:
        raise StepFailed(f"the subject that the store keeps is not {artifact.subject_digest}")
    parts[artifact.subject_digest] = subject
    return parts


def _require_recorded(decision: Decision, artifact: Artifact) -> None:
    if type(decision) is not Decision:
        raise StepFailed(f"the re-checker gave a {type(decision).__name__} instead of a decision")
    derived = asked("the re-checker", lambda: decision_entry(decision))
    differing = [
        f"{place}: recorded {old}, derived {new}"
        for place, old, new in differences("decision", thaw(artifact.decision), derived)
    ]
    if differing:
        raise StepFailed(_listing(differing))


def _replayed(artifact: Artifact, parts: Mapping[str, bytes], rechecker: Rechecker) -> str:
    if artifact.subject_digest not in parts:
        raise StepFailed(f"the subject {artifact.subject_digest} is not in the store")
    versions = asked("the re-checker", lambda: dict(rechecker.versions()))
    changed = [
        f"{verifier.id} {verifier.version} then, {versions.get(verifier.id, 'missing')} now"
        for verifier in artifact.verifiers
        if versions.get(verifier.id) != verifier.version
    ]
    known = f"versions that differ: {_listing(changed)}" if changed else "the same versions"
    differing = asked("the re-checker", lambda: rechecker.replay(artifact.document, parts))
    if type(differing) is not tuple:
        raise StepFailed(f"the re-checker gave a {type(differing).__name__} instead of differences")
    if differing:
        raise StepFailed(f"{_listing(differing)} ({known})")
    return known


def _listing(sentences: list[str] | tuple[str, ...]) -> str:
    more = f"; and {len(sentences) - _LISTED} more" if len(sentences) > _LISTED else ""
    return "; ".join(sentences[:_LISTED]) + more
