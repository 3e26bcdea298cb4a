"""The proof artifact, version 1: the document that a VERIFIED decision rests on, as canonical JSON.

It holds what a stranger needs to derive the decision again. Times, hosts and advice have no place in it, so the same
run gives the same bytes. An object ``{"$part": DIGEST}`` in the observations or in the contract's content stands for
bytes that are kept beside the artifact; what a program under test returned cannot imitate it, because tagged values
have every leading ``$`` of a key doubled.

Refuses: anything but the canonical form of such a document, an empty list of verifiers or observations, more than
16 MiB. A document of a later version gets an error of its own: it may be sound, and needs a newer probatum.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from probatum.core.canonical import MAX_SAFE_INTEGER, JsonValue, canonical_bytes, parse_canonical, require_json
from probatum.core.command import KIND
from probatum.core.decision import STATUS_OF, Decision, Outcome
from probatum.core.digest import digest_of, is_digest
from probatum.core.errors import IntegrityError
from probatum.core.frozen import FrozenDict, freeze, frozen_dict, frozen_in_place, thaw
from probatum.core.shape import Shape, ShapeError, shown
from probatum.core.subject import Subject

FORMAT: Final = "probatum/proof-artifact/v1"
"""Of what was judged: the name of a registered kind."""
MAX_ARTIFACT_BYTES: Final = 16 * 1024 * 1024
PART: Final = "$part"
_LATER: Final = re.compile(r"probatum/proof-artifact/v([2-9]|[1-9][0-9]{1,5})", re.ASCII)

_KEYS: Final = (
    *("format", "kind", "claim", "subject", "contract", "assumptions"),
    *("policy", "verifiers", "seed", "decision", "observations"),
)


@dataclass(frozen=True, slots=True)
class Described:
    """A contract or a policy: what it is called, and its content. Its digest follows from the content."""

    label: str
    content: JsonValue

    @property
    def digest(self) -> str:
        """The digest of the content's canonical form; raises ValueError where it has none."""
        return digest_of(canonical_bytes(self.content))


@dataclass(frozen=True, slots=True)
class VerifierVersion:
    """One verifier that took part."""

    id: str
    version: str


@dataclass(frozen=True, slots=True)
class Artifact:
    """A parsed artifact. ``document`` is the whole of it; the other fields are the parts that a re-check asks for."""

    kind: str
    claim: str
    subject_digest: str
    verifiers: tuple[VerifierVersion, ...]
    decision: FrozenDict
    parts: tuple[str, ...]
    """Digests of what contract and observations refer to, each once, in order of appearance."""
    document: FrozenDict = field(repr=False)


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
    """Of its subject."""
    assumptions: tuple[str, ...] = ()
    seed: int = 0


def build_artifact(kind: str, account: Account, subject: Subject) -> dict[str, JsonValue]:
    """Return the artifact of one decision as JSON; its `canonical_bytes` are what a store keeps.

    The contract's label becomes its kind, the policy's label its id. Advice is left out.

    Raises:
        ValueError: a part has no canonical form.
        IntegrityError: the document would not be a valid artifact; the message names the place.
    """
    contract, policy = account.contract, account.policy
    document: dict[str, JsonValue] = {
        "format": FORMAT,
        "kind": kind,
        "claim": account.claim,
        "subject": {"digest": subject.digest, "media_type": subject.media_type, "name": subject.name},
        "contract": {"digest": contract.digest, "kind": contract.label, "content": contract.content},
        "assumptions": list(account.assumptions),
        "policy": {"id": policy.label, "digest": policy.digest, "content": policy.content},
        "verifiers": [{"id": verifier.id, "version": verifier.version} for verifier in account.verifiers],
        "seed": account.seed,
        "decision": decision_entry(account.decision),
        "observations": [dict(observation) for observation in account.observations],
    }
    _require_size(len(canonical_bytes(document)))
    # The parser's own check keeps the two directions in step: what can be built can be parsed.
    _read(document)
    return document


def decision_entry(decision: Decision) -> dict[str, JsonValue]:
    """Return a decision as an artifact records it: without advice.

    Raises ValueError where a field has no canonical form.
    """
    fields = {key: thaw(item) for key, item in decision.developer_fields().items() if key != "advisory_checks"}
    require_json(fields, path="developer_fields")
    return {
        "status": decision.status.value,
        "outcome": decision.outcome.value,
        "constraint_id": decision.constraint_id,
        "agent_message": decision.agent_message,
        "developer_fields": fields,  # type: ignore[dict-item]  # require_json has established the type
    }


def part(digest: str) -> dict[str, JsonValue]:
    """Return the reference, for an observation, to bytes that are kept beside the artifact."""
    return {PART: digest}


def parse_artifact(content: bytes) -> Artifact:
    """Read an artifact from its exact bytes.

    Raises IntegrityError where they are not the canonical form of a version 1 artifact; the code
    ``artifact.newer_version`` tells one of a later version from anything else.
    """
    _require_size(len(content))
    try:
        document = parse_canonical(content)
    except ValueError as error:
        raise IntegrityError("artifact.not_canonical", f"The artifact is not canonical JSON: {error}.") from error
    return _read(document, frozen_in_place)


def _require_size(size: int) -> None:
    if size > MAX_ARTIFACT_BYTES:
        raise IntegrityError("artifact.too_large", f"The artifact has {size} bytes; {MAX_ARTIFACT_BYTES} are allowed.")


def _read(document: JsonValue, frozen: Callable[[object], object] = freeze) -> Artifact:
    named = document.get("format") if isinstance(document, dict) else None
    # A later version comes first, because its other keys are not for this reader to judge.
    if isinstance(named, str) and (match := _LATER.fullmatch(named)):
        sentence = f"The artifact is of version {match[1]}; this probatum reads version 1."
        raise IntegrityError("artifact.newer_version", sentence, "Install a newer probatum to check it.")
    try:
        return _artifact_of(Shape(document).exactly(*_KEYS), frozen)
    except ShapeError as error:
        sentence = f"The artifact is not of version 1: {error}."
        raise IntegrityError("artifact.malformed", sentence) from error


def _artifact_of(top: Shape, frozen: Callable[[object], object]) -> Artifact:
    if top.text("format") != FORMAT:
        top.refuse(f"expected {FORMAT!r}, got {shown(top.text('format'))}", "format")
    if not KIND.fullmatch(top.text("kind")):
        top.refuse(f"expected the name of a kind, got {shown(top.text('kind'))}", "kind")
    for key in ("verifiers", "observations"):
        if not top.raw_list(key):
            top.refuse("the list is empty: nothing is not success", key)
    subject = top.member("subject").exactly("digest", "media_type", "name")
    subject.words("media_type")
    subject.words("name")
    contract = top.member("contract").exactly("digest", "kind", "content")
    _digest(contract, "digest")
    contract.words("kind")
    policy = top.member("policy").exactly("id", "digest", "content")
    _digest(policy, "digest")
    policy.words("id")
    for assumption in top.items("assumptions"):
        assumption.words()
    top.whole("seed", -MAX_SAFE_INTEGER, MAX_SAFE_INTEGER)
    observations = top.raw_list("observations")
    for index, observation in enumerate(observations):
        # Not as a shape each: an artifact may have a hundred thousand of them.
        if not isinstance(observation, dict):
            top.refuse(f"expected an object, got {shown(observation)}", f"observations[{index}]")
    return Artifact(
        kind=top.text("kind"),
        claim=top.words("claim"),
        subject_digest=_digest(subject, "digest"),
        verifiers=_verifiers(top),
        decision=frozen_dict(_decision(top.member("decision"))),
        parts=tuple(dict.fromkeys(_part_digests([contract.raw("content"), observations]))),
        document=frozen(top.raw_object()),  # type: ignore[arg-type]  # of a dictionary
    )


def _verifiers(top: Shape) -> tuple[VerifierVersion, ...]:
    found: dict[str, str] = {}
    for row in top.items("verifiers"):
        name, version = row.exactly("id", "version").words("id"), row.words("version")
        if name in found:
            row.refuse(f"the id {shown(name)} is taken twice")
        found[name] = version
    return tuple(VerifierVersion(*each) for each in found.items())


def _decision(entry: Shape) -> dict[str, JsonValue]:
    entry.exactly("status", "outcome", "constraint_id", "agent_message", "developer_fields")
    outcome = entry.choice(Outcome, "outcome")
    if entry.text("status") != STATUS_OF[outcome].value:
        entry.refuse(f"the outcome {outcome.value!r} does not have this status", "status")
    entry.words("agent_message")
    fields = entry.raw_object("developer_fields")
    if "advisory_checks" in fields:
        entry.refuse("advice has no place in an artifact", "developer_fields")
    if fields.get("outcome") != outcome.value or fields.get("constraint_id") != entry.words("constraint_id"):
        entry.refuse("outcome and constraint_id must be those of the decision", "developer_fields")
    return entry.raw_object()


def _part_digests(value: JsonValue) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _part_digests(item)
    elif isinstance(value, dict):
        if PART in value:
            yield _digest(Shape(value, "a reference to a part").exactly(PART), PART)
        else:
            for item in value.values():
                yield from _part_digests(item)


def _digest(shape: Shape, step: str) -> str:
    text = shape.text(step)
    if not is_digest(text):
        shape.refuse("expected 'sha256:' and 64 lower-case hexadecimal digits", step)
    return text
