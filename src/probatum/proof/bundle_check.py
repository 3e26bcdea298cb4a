"""Checking a bundle, offline, with nothing but its bytes: steps of its own, then those of the re-check.

First `TITLES`, then `LEDGER_TITLES` where the bundle carries an entry of a ledger, then the steps of the re-check. The
last step of the first two is taken only where trusted keys are named: a key of the bundle is never taken for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from probatum.core.canonical import canonical_bytes
from probatum.core.messages import counted
from probatum.core.ports import Rechecker
from probatum.proof import recheck
from probatum.proof.artifact import Artifact
from probatum.proof.bundle import Bundle, parse_bundle, require_whole, verdict_of
from probatum.proof.checkpoint import wholly_signed_checkpoint
from probatum.proof.envelope import Envelope
from probatum.proof.inclusion import IS_INCLUDED, IS_RECORDED, IS_TRUSTED_HEAD, Inclusion, carried_steps
from probatum.proof.keys import PublicKey
from probatum.proof.signing import Signed, checked_signature
from probatum.proof.statement import VERDICT
from probatum.proof.steps import StepFailed, StepReport, asked, followed_by, joined, run_steps

TITLES: Final = (
    "the file is a bundle in canonical form",
    "its contents have their digests and nothing is missing",
    "the verdict is the one that the artifact gives",
    "every signed statement states this verdict",
    "a trusted key signed it",
)
LEDGER_TITLES: Final = (
    IS_RECORDED,
    IS_INCLUDED,
    "the signatures under the head verify",
    IS_TRUSTED_HEAD,
)


def check_bundle(
    content: bytes, recheckers: Mapping[str, Rechecker], *, trusted: Sequence[PublicKey] = (), replay: bool = False
) -> StepReport:
    """Check a bundle in numbered steps; never raises for one that does not hold."""
    form = check_form(content, trusted)
    if not form.holds:
        return followed_by(form, recheck.TITLES if replay else recheck.TITLES[:-1])
    bundle = parse_bundle(content)
    checked = recheck.recheck(str(bundle.verdict.proof_ref), bundle.store, recheckers, replay=replay)
    return joined(form, checked)


def check_form(content: bytes, trusted: Sequence[PublicKey] = ()) -> StepReport:
    """Check the steps that are a bundle's own: form, contents, verdict, signatures, and what a ledger says of it."""
    try:
        bundle = asked("the parser", lambda: parse_bundle(content))
    except StepFailed as error:
        return run_steps("bundle", _titles(trusted, has_entry=False), _refused(error))
    titles = _titles(trusted, has_entry=bundle.inclusion is not None)
    return run_steps("bundle", titles, _established(bundle, len(content), trusted))


def _titles(trusted: Sequence[PublicKey], *, has_entry: bool) -> tuple[str, ...]:
    own, recorded = (TITLES, LEDGER_TITLES) if trusted else (TITLES[:-1], LEDGER_TITLES[:-1])
    return (*own, *recorded) if has_entry else own


def _refused(error: StepFailed) -> Iterator[str]:
    yield from ()
    raise error


def _established(bundle: Bundle, size: int, trusted: Sequence[PublicKey]) -> Iterator[str]:
    yield f"{size} bytes"

    artifact = asked("the parser", lambda: require_whole(bundle))
    yield counted(len(bundle.contents), "content")

    reference = str(bundle.verdict.proof_ref)
    derived = asked("the verdict", lambda: verdict_of(artifact, reference))
    if canonical_bytes(derived.to_dict()) != canonical_bytes(bundle.verdict.to_dict()):
        raise StepFailed("the verdict says something else than the artifact that it refers to")
    yield f"{bundle.verdict.status.value}, {reference}"

    # A statement or a key that nothing rests on could be changed without a step failing.
    signed = [_signed(bundle, artifact, envelope) for envelope in bundle.attestations]
    if surplus := {key.id for key in bundle.keys} - {each.key.id for each in signed if each.kind == VERDICT}:
        raise StepFailed(f"the key {min(surplus)[:16]} signed no verdict")
    signers = dict.fromkeys(each.key for each in signed)
    yield counted(len(signed), "statement") + "".join(f", by the key {key.id[:16]}" for key in signers)

    if trusted:
        yield _trusted_among((each.key for each in signed if each.kind == VERDICT), trusted, "it")
    if bundle.inclusion is not None:
        yield from carried_steps(bundle.inclusion, bundle.verdict, artifact.subject_digest)
        yield from _signed_head(bundle.inclusion, bundle.keys, trusted)


def _signed_head(inclusion: Inclusion, keys: Sequence[PublicKey], trusted: Sequence[PublicKey]) -> Iterator[str]:
    head, signers = asked("the signature", lambda: wholly_signed_checkpoint(inclusion.checkpoint, keys))
    yield head.origin + "".join(f", by the key {key.id[:16]}" for key in signers)
    if trusted:
        yield _trusted_among(signers, trusted, "the head")


def _trusted_among(signers: Iterable[PublicKey], trusted: Sequence[PublicKey], what: str) -> str:
    if not (found := set(trusted) & set(signers)):
        raise StepFailed(f"no key that you trust signed {what}")
    return ", ".join(sorted(f"{key.id[:16]}" for key in found))


def _signed(bundle: Bundle, artifact: Artifact, envelope: Envelope) -> Signed:
    evidence = bundle.contents[str(bundle.verdict.proof_ref)]
    if len(envelope.signatures) != 1:
        raise StepFailed("a statement of a bundle has exactly one signature")
    keys, verdict = bundle.keys, bundle.verdict
    return asked("the signature", lambda: checked_signature(envelope, keys, verdict, artifact, evidence))
