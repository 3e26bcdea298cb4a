"""Looking at proofs: what a reference stands for, and whether it holds when checked again.

Refuses to soften a re-check: one step that does not hold, or was not reached, and the proof does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError
from probatum.core.frozen import thaw
from probatum.core.ports import Rechecker, Store
from probatum.core.sheet import Entry, Mark, Section
from probatum.proof.artifact import Artifact, parse_artifact
from probatum.proof.group_store import GroupStore
from probatum.proof.recheck import recheck
from probatum.proof.schema import artifact_schema
from probatum.proof.steps import Step, StepReport
from probatum.proof.stores import open_store


@dataclass(frozen=True, slots=True)
class ShownProof:
    """What one proof says, for people and as the document itself."""

    reference: str
    claim: str
    sections: tuple[Section, ...]
    document: dict[str, object]


@dataclass(frozen=True, slots=True)
class CheckedProof:
    """What checking a proof again found, step by step."""

    reference: str
    holds: bool
    sentence: str
    steps: Section
    document: dict[str, object]


def open_store_at(path: Path) -> Store:
    """Return the store of proofs at a path; nothing is created before something is kept.

    Raises:
        UsageError: the path cannot be a store.
    """
    return open_store(path)


def grouped_store_at(path: Path) -> GroupStore:
    """Return the store of proofs at a path, which keeps what it is given in groups; raises as `open_store_at` does."""
    return GroupStore(open_store_at(path))


def readable_store_at(path: Path) -> Store:
    """Return the store of proofs at a path for reading alone: nothing is created or changed.

    Raises:
        UsageError: the path cannot be a store.
    """
    return open_store(path, read_only=True)


def proof_schema() -> str:
    """Return the JSON Schema of what a proof reference stands for, as text."""
    return artifact_schema()


def show_proof(reference: str, store: Store) -> ShownProof:
    """Return what the proof behind a reference says; nothing is checked beyond its digest and its format.

    Raises:
        IntegrityError: it is not a reference, the store has no such proof, or what it has is not one.
    """
    content = store.fetch(reference)
    artifact = parse_artifact(content)
    document = thaw(artifact.document)
    assert isinstance(document, dict)
    if digest_of(content) != reference:
        sentence = f"The bytes kept under {reference} have another digest."
        raise IntegrityError("proof.altered", sentence, f"See which step fails: probatum proof recheck {reference}")
    return ShownProof(reference, artifact.claim, tuple(_sections(artifact, document)), document)


def recheck_proof(
    reference: str, store: Store, recheckers: Mapping[str, Rechecker], *, replay: bool = False
) -> CheckedProof:
    """Check a proof again in numbered steps; with ``replay`` also run its recorded inputs again."""
    return checked_proof(reference, recheck(reference, store, recheckers, replay=replay))


def checked_proof(reference: str, report: StepReport) -> CheckedProof:
    """Return what a check in numbered steps found, for people and as a document."""
    entries = tuple(_step_entry(step) for step in report.steps)
    steps = [
        {"number": step.number, "title": step.title, "holds": step.holds, "detail": step.detail}
        for step in report.steps
    ]
    document: dict[str, object] = {"proof_ref": reference, "holds": report.holds, "steps": steps}
    return CheckedProof(reference, report.holds, _sentence(report), Section("Steps", entries), document)


def _step_entry(step: Step) -> Entry:
    text = f"{step.number:>2}. {step.title}"
    if step.holds is None:
        return Entry(Mark.NOTE, f"{text} (not reached)")
    mark = Mark.HOLDS if step.holds else Mark.FAILS
    return Entry(mark, text, detail=(f"    {step.detail}",) if step.detail else ())


def _sentence(report: StepReport) -> str:
    failure = report.failure
    if report.holds:
        return f"All {len(report.steps)} steps hold."
    if failure is None:
        return "No step was reached; nothing is established."
    return f"Step {failure.number} does not hold: {failure.title}."


def _sections(artifact: Artifact, document: Mapping[str, object]) -> Iterator[Section]:
    subject, contract, policy = (_entries_of(document[name]) for name in ("subject", "contract", "policy"))
    decision = _entries_of(document["decision"])
    yield Section(
        "Decision",
        (
            Entry(Mark.NOTE, f"{decision['status']}, {decision['outcome']} ({decision['constraint_id']})"),
            Entry(Mark.NOTE, str(decision["agent_message"])),
        ),
    )
    yield Section(
        "About",
        (
            Entry(Mark.NOTE, f"subject   {subject['name']}  {subject['media_type']}", detail=(str(subject["digest"]),)),
            Entry(Mark.NOTE, f"contract  {contract['kind']}", detail=(str(contract["digest"]),)),
            Entry(Mark.NOTE, f"policy    {policy['id']}", detail=(str(policy["digest"]),)),
        ),
    )
    assumptions = document["assumptions"]
    if isinstance(assumptions, list) and assumptions:
        yield Section("Assumed", tuple(Entry(Mark.NOTE, str(text)) for text in assumptions))
    verifiers = tuple(Entry(Mark.NOTE, f"{verifier.id} {verifier.version}") for verifier in artifact.verifiers)
    yield Section("Verifiers", verifiers)


def _entries_of(value: object) -> Mapping[str, object]:
    assert isinstance(value, dict)
    return value
