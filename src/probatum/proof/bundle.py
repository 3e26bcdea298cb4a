"""A bundle: one file with a verdict and all that is needed to check it, for somebody who trusts nobody.

It holds the verdict, the artifact that it rests on, every part of it and the subject; and where they exist, signed
statements with the public keys that verify them, and the proof that a ledger has the verdict (``ledger``). It is
canonical JSON: no byte of it can be changed without a numbered step failing. A bundle cannot say which keys are to be
trusted; whoever checks it names them.

Refuses: anything but the canonical form, contents that nothing refers to or that are missing, more than 128 MiB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.canonical import canonical_bytes, parse_canonical
from probatum.core.decision import DiagnosticStatus
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError
from probatum.core.frozen import FrozenDict
from probatum.core.ports import Store
from probatum.core.shape import Shape, ShapeError, shown
from probatum.proof.artifact import Artifact, parse_artifact
from probatum.proof.base64_text import decoded, encoded
from probatum.proof.envelope import Envelope
from probatum.proof.inclusion import Inclusion
from probatum.proof.keys import PublicKey
from probatum.proof.store_errors import fetched_if_kept, fetched_sound, require_reference
from probatum.proof.store_wrappers import ReadOnlyStore
from probatum.proof.stores import MemoryStore

FORMAT: Final = "probatum/bundle/v1"
MAX_BUNDLE_BYTES: Final = 128 * 1024 * 1024
_KEYS: Final = ("attestations", "contents", "format", "keys", "verdict")
_LEDGER: Final = "ledger"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A parsed bundle; nothing in it is checked beyond its form."""

    verdict: DiagnosticResult
    contents: Mapping[str, bytes]
    """By the digest that is claimed for them."""
    attestations: tuple[Envelope, ...] = ()
    keys: tuple[PublicKey, ...] = ()
    """Those that verify the attestations: to be found, not to be trusted."""
    inclusion: Inclusion | None = None
    """That a ledger has the verdict."""

    @property
    def store(self) -> Store:
        """The contents as a store that can only be read."""
        return ReadOnlyStore(MemoryStore(self.contents, "in the bundle"), "in the bundle")


def verdict_of(artifact: Artifact, reference: str) -> DiagnosticResult:
    """Return the verdict that an artifact gives.

    Raises ValueError where the artifact's decision is not VERIFIED, so that there is no such verdict.
    """
    status = DiagnosticStatus(str(artifact.decision["status"]))
    fields = artifact.decision["developer_fields"]
    assert isinstance(fields, FrozenDict)
    return DiagnosticResult(status, str(artifact.decision["agent_message"]), fields, reference)


def bundle_of(
    reference: str,
    store: Store,
    attestations: Sequence[Envelope] = (),
    keys: Sequence[PublicKey] = (),
    inclusion: Inclusion | None = None,
) -> bytes:
    """Return the bundle of a stored proof as the bytes of its file.

    Raises IntegrityError where the store has no such proof, or not all of it, or what it has was altered.
    """
    artifact = parse_artifact(fetched_sound(store, reference))
    wanted = [reference, *artifact.parts]
    if fetched_if_kept(store, artifact.subject_digest) is not None:
        wanted.append(artifact.subject_digest)
    contents = {digest: fetched_sound(store, digest) for digest in wanted}
    document: dict[str, object] = {
        "format": FORMAT,
        "verdict": verdict_of(artifact, reference).to_dict(),
        "contents": {digest: encoded(content) for digest, content in contents.items()},
        "attestations": [envelope.to_dict() for envelope in attestations],
        "keys": [key.pem for key in keys],
    }
    if inclusion is not None:
        document[_LEDGER] = inclusion.to_json()
    content = canonical_bytes(document)
    _require_size(len(content))
    return content


def parse_bundle(content: bytes) -> Bundle:
    """Read a bundle from the bytes of its file.

    Raises IntegrityError where they are not the canonical form of a version 1 bundle; the message names the place.
    """
    _require_size(len(content))
    try:
        document = parse_canonical(content)
    except ValueError as error:
        raise IntegrityError("bundle.not_canonical", f"The bundle is not canonical JSON: {error}.") from error
    try:
        return _bundle_of(Shape(document).exactly(*_KEYS, may=(_LEDGER,)))
    except ShapeError as error:
        sentence = f"The bundle is not of version 1: {error}."
        raise IntegrityError("bundle.malformed", sentence) from error


def _bundle_of(top: Shape) -> Bundle:
    if top.text("format") != FORMAT:
        top.refuse(f"expected {FORMAT!r}, got {shown(top.text('format'))}", "format")
    contents = top.member("contents")
    keys = [_key(text) for text in top.items("keys")]
    attestations = [Envelope.from_dict(entry) for entry in top.raw_list("attestations")]
    if len(set(keys)) < len(keys) or len(set(attestations)) < len(attestations):
        top.refuse("a key or an attestation is there twice")
    return Bundle(
        top.through(DiagnosticResult.from_dict, "verdict"),
        {require_reference(digest): contents.through(decoded, digest) for digest in contents.raw_object()},
        tuple(attestations),
        tuple(keys),
        top.through(Inclusion.from_json, _LEDGER) if _LEDGER in top.raw_object() else None,
    )


def is_bundle(content: bytes) -> bool:
    """True where the bytes look like a bundle, sound or not: so that a damaged one is judged as what it was."""
    return content[:1] == b"{" and b'"format":"probatum/bundle/' in content


def require_whole(bundle: Bundle) -> Artifact:
    """Return the artifact of a bundle whose contents are exactly what its verdict rests on.

    Raises IntegrityError where a content has another digest, is missing, or is referred to by nothing; or the verdict
    is not the one that the artifact gives.
    """
    for digest, content in bundle.contents.items():
        if digest_of(content) != digest:
            raise IntegrityError("bundle.altered", f"The content named {digest} is {digest_of(content)}.")
    reference = bundle.verdict.proof_ref
    if reference is None or reference not in bundle.contents:
        raise IntegrityError("bundle.incomplete", "The bundle lacks the proof that its verdict refers to.")
    artifact = parse_artifact(bundle.contents[reference])
    needed = {reference, *artifact.parts}
    if missing := needed - set(bundle.contents):
        raise IntegrityError("bundle.incomplete", f"The bundle lacks {min(missing)}.")
    if surplus := set(bundle.contents) - needed - {artifact.subject_digest}:
        raise IntegrityError("bundle.surplus", f"Nothing refers to {min(surplus)}.")
    return artifact


def _key(text: Shape) -> PublicKey:
    key = PublicKey.from_pem(text.text().encode())
    if key.pem != text.value:
        text.refuse("expected PEM text in its one spelling")
    return key


def _require_size(size: int) -> None:
    if size > MAX_BUNDLE_BYTES:
        raise IntegrityError("bundle.too_large", f"The bundle has {size} bytes; {MAX_BUNDLE_BYTES} are allowed.")
