"""Listing proofs, and erasing them and what was judged: what goes, and what must stay because other proofs need it.

A plan is made first, so that a person can see it. Refuses to take away what another proof refers to, unless it was
asked for by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import Enum
from fnmatch import fnmatchcase
from typing import Final

from probatum.core.digest import is_digest
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.messages import listed
from probatum.core.ports import Store
from probatum.core.shape import Shape
from probatum.core.sheet import Entry, Mark, Section
from probatum.proof.artifact import Artifact, parse_artifact
from probatum.proof.store_errors import NOT_FOUND, is_known, not_found

# What every proof holds, of this version or a later one.
_MARK: Final = b'"format":"probatum/proof-artifact/'
_DIGEST: Final = re.compile(rb'"(sha256:[0-9a-f]{64})"')
_SHOWN: Final = 5
# So many contents are named to a person one by one.
_MOST_TOLD: Final = 10


class Extent(Enum):
    """How much an erasure takes away."""

    # This content, and all that it refers to and no other proof does.
    PROOF = "proof"
    # Only what was judged.
    SUBJECT = "subject"
    # What was judged, and every proof about it.
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Erased:
    """One content that goes, and what it is: proof, subject, part, or content that no proof at hand refers to."""

    digest: str
    what: str


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """What one erasure takes away, in this order, and what it leaves."""

    reference: str
    erased: tuple[Erased, ...]
    # What would go as well, if these other proofs did not refer to it.
    kept: Mapping[str, tuple[str, ...]]
    # Other proofs that refer to what goes: they can no longer be checked.
    broken: tuple[str, ...]

    @property
    def sections(self) -> tuple[Section, ...]:
        """The plan for people."""
        kept = [Entry(Mark.NOTE, digest, detail=(listed(owners, _SHOWN),)) for digest, owners in self.kept.items()]
        told = {
            "Contents": [Entry(Mark.NOTE, f"{piece.what:<7} {piece.digest}") for piece in self.erased],
            "Kept, because other proofs refer to it": kept,
            "Proofs that can no longer be checked": [Entry(Mark.NOTE, each) for each in self.broken],
        }
        return tuple(Section(title, _few(entries)) for title, entries in told.items() if entries)

    @property
    def document(self) -> dict[str, object]:
        """The plan for programs."""
        return asdict(self)


def _few(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    if len(entries) <= _MOST_TOLD:
        return tuple(entries)
    return (Entry(Mark.NOTE, f"{len(entries):,}; --json names each of them"),)


def extent_of(*, subject: bool, everything: bool) -> Extent:
    """Return the extent that these flags ask for; raises UsageError for both of them."""
    if subject and everything:
        raise UsageError("erase.extent", "--subject and --all exclude each other.")
    if everything:
        return Extent.ALL
    return Extent.SUBJECT if subject else Extent.PROOF


def plan_erasure(reference: str, store: Store, extent: Extent) -> ErasurePlan:
    """Return what erasing would take away; nothing is erased yet.

    Raises IntegrityError for content the store never had, UsageError for the subject of what is not a proof.
    """
    artifact = _artifact_at(reference, store)
    if extent is Extent.SUBJECT and artifact is None:
        sentence = f"{reference} is not a proof that can be read, so it has no subject."
        raise UsageError("erase.no_proof", sentence, "Give the reference of a proof, or leave out --subject.")
    proofs = _mentioned_by_proofs(store)
    if extent is Extent.PROOF:
        asked = [reference]
    else:
        subject = reference if artifact is None else artifact.subject_digest
        about = [proof for proof in proofs if _is_about(proof, subject, store)] if extent is Extent.ALL else []
        asked = [digest for digest in (subject, *about) if is_known(store, digest)]
        if not asked:
            raise not_found(subject, "at hand")
    referred = {} if extent is Extent.SUBJECT else _referred_to(asked, store)
    return _plan(reference, asked, referred, proofs, "content" if extent is Extent.PROOF else "subject")


@dataclass(frozen=True, slots=True)
class ListedProof:
    """One proof of a store, in a few words."""

    proof_ref: str
    kind: str
    subject: str
    bytes: int


def listed_proofs(store: Store, about: str | None = None) -> list[ListedProof]:
    """Return every sound proof, or those about subjects of this name, in order of reference.

    Where no subject has exactly this name, it is a pattern as shells know it.
    """
    found = list(_sound_proofs(store))
    if about is None:
        return found
    named = [proof for proof in found if proof.subject == about]
    return named or [proof for proof in found if fnmatchcase(proof.subject, about)]


def _sound_proofs(store: Store) -> Iterator[ListedProof]:
    for digest in store.digests():
        try:
            content = store.fetch(digest)
            artifact = parse_artifact(content) if _MARK in content else None
        except IntegrityError:
            continue
        if artifact is not None:
            name = Shape(artifact.document).member("subject").text("name")
            yield ListedProof(digest, artifact.kind, name, len(content))


def plan_pruning(about: str, store: Store) -> ErasurePlan:
    """Return what erasing every proof about these subjects takes away; raises UsageError where there is none."""
    asked = [proof.proof_ref for proof in listed_proofs(store, about)]
    if not asked:
        hint = "See what there is: probatum proof list"
        raise UsageError("prune.nothing", f"No proof is about a subject called {about!r}.", hint)
    return _plan(about, asked, _referred_to(asked, store), _mentioned_by_proofs(store), "content")


def _plan(
    reference: str,
    asked: Sequence[str],
    referred: Mapping[str, str],
    proofs: Mapping[str, frozenset[str]],
    asked_for: str,
) -> ErasurePlan:
    chosen = frozenset(asked)
    followers = [digest for digest in referred if digest not in chosen]
    owners: dict[str, list[str]] = {digest: [] for digest in (*asked, *followers)}
    for proof, mentioned in proofs.items():
        for digest in () if proof in chosen else mentioned & owners.keys():
            owners[digest].append(proof)
    kept = {digest: tuple(owners[digest]) for digest in followers if owners[digest]}
    # What was judged goes first and proofs last: an erasure that was interrupted can be asked for again.
    gone = sorted([*(each for each in followers if each not in kept), *asked], key=lambda digest: digest in proofs)
    erased = [Erased(digest, "proof" if digest in proofs else referred.get(digest, asked_for)) for digest in gone]
    broken = tuple(dict.fromkeys(proof for digest in asked for proof in owners[digest]))
    return ErasurePlan(reference, tuple(erased), kept, broken)


def size_of(plan: ErasurePlan, store: Store) -> int:
    """Return how many bytes go, without those that are damaged or gone already."""
    size = 0
    for piece in plan.erased:
        with suppress(IntegrityError):
            size += len(store.fetch(piece.digest))
    return size


def erase(plan: ErasurePlan, store: Store) -> None:
    """Take away what the plan names; raises as `Store.erase` does."""
    store.erase(*(piece.digest for piece in plan.erased))


def _artifact_at(reference: str, store: Store) -> Artifact | None:
    """Return the proof under a reference, None for anything else that is or was there."""
    try:
        return parse_artifact(store.fetch(reference))
    except IntegrityError as error:
        if error.code == NOT_FOUND or not is_digest(reference):
            raise
        return None


def _mentioned_by_proofs(store: Store) -> dict[str, frozenset[str]]:
    """Return, for each proof of a store, the digests in it: also of damaged ones and of versions that are not known."""
    found: dict[str, frozenset[str]] = {}
    for digest in store.digests():
        try:
            content = store.fetch(digest)
        except IntegrityError:
            continue
        if _MARK in content:
            found[digest] = frozenset(match.decode() for match in _DIGEST.findall(content))
    return found


def _is_about(proof: str, subject: str, store: Store) -> bool:
    artifact = _artifact_at(proof, store)
    return artifact is not None and artifact.subject_digest == subject


def _referred_to(asked: list[str], store: Store) -> dict[str, str]:
    """Return what the proofs among these refer to, and as what, where the store has it."""
    found: dict[str, str] = {}
    for reference in asked:
        artifact = _artifact_at(reference, store)
        if artifact is not None:
            found[artifact.subject_digest] = "subject"
            found |= {digest: "part" for digest in artifact.parts if digest not in found}
    return {digest: what for digest, what in found.items() if is_known(store, digest)}
