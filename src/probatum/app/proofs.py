"""Looking at proofs: what a reference stands for, and whether it holds when checked again.

Refuses to soften a re-check: one step that does not hold, or was not reached, and the proof does not hold.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

from probatum.app.settings import read_settings
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.frozen import thaw
from probatum.core.outside import clipped
from probatum.core.ports import Rechecker, Store
from probatum.core.shape import Shape
from probatum.core.sheet import Entry, Mark, Section
from probatum.proof.artifact import Artifact, parse_artifact
from probatum.proof.recheck import recheck
from probatum.proof.steps import Step, StepReport
from probatum.proof.stores import open_store


@dataclass(frozen=True, slots=True)
class ShownProof:
    """What one proof says, for people and as the document itself."""

    claim: str
    sections: tuple[Section, ...]
    document: dict[str, object]


@dataclass(frozen=True, slots=True)
class CheckedProof:
    """What checking a proof again found, step by step."""

    holds: bool
    sentence: str
    steps: Section
    document: dict[str, object]


def artifact_schema() -> str:
    """Return the JSON Schema (2020-12) of proofs, for readers that are not probatum; the parser is stricter."""
    return files("probatum.proof").joinpath("proof-artifact-v1.schema.json").read_text(encoding="utf-8")


def user_store(asked: Path | None, *, read_only: bool = False) -> Store:
    """Return the store that was asked for, else the environment's; raises UsageError where its path cannot be one."""
    return open_store(read_settings().store_path(asked), read_only=read_only)


def existing_store(asked: Path | None, *, read_only: bool = True) -> Store:
    """Return the store that a question is about; raises UsageError where it was asked for and nothing is there."""
    store = user_store(asked, read_only=read_only)
    if asked is not None and not os.path.lexists(asked):
        raise UsageError("store.missing", f"There is no store {asked}.", "Check what --store names.")
    return store


def show_proof(reference: str, store: Store) -> ShownProof:
    """Return what a proof says; nothing but its digest and format is checked, and IntegrityError raised for another."""
    content = store.fetch(reference)
    artifact = parse_artifact(content)
    document = thaw(artifact.document)
    assert isinstance(document, dict)
    if digest_of(content) != reference:
        sentence = f"The bytes kept under {reference} have another digest."
        raise IntegrityError("proof.altered", sentence, f"See which step fails: probatum proof recheck {reference}")
    return ShownProof(artifact.claim, tuple(_sections(artifact, document)), document)


def recheck_proof(
    reference: str, store: Store, recheckers: Mapping[str, Rechecker], *, replay: bool = False
) -> CheckedProof:
    """Check a proof again in numbered steps; with ``replay`` also judge its subject again."""
    return checked_proof(reference, recheck(reference, store, recheckers, replay=replay))


def checked_proof(reference: str, report: StepReport) -> CheckedProof:
    """Return what a check in numbered steps found, for people and as a document."""
    entries = tuple(_step_entry(step) for step in report.steps)
    steps = [asdict(step) for step in report.steps]
    document: dict[str, object] = {"proof_ref": reference, "holds": report.holds, "steps": steps}
    return CheckedProof(report.holds, _sentence(report), Section("Steps", entries), document)


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
    told = Shape(document)
    subject, contract, policy, decision = map(told.raw_object, ("subject", "contract", "policy", "decision"))
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
            Entry(
                Mark.NOTE,
                f"subject   {clipped(str(subject['name']))}  {subject['media_type']}",
                detail=(str(subject["digest"]),),
            ),
            Entry(Mark.NOTE, f"contract  {contract['kind']}", detail=(str(contract["digest"]),)),
            Entry(Mark.NOTE, f"policy    {policy['id']}", detail=(str(policy["digest"]),)),
        ),
    )
    if assumptions := told.texts("assumptions"):
        yield Section("Assumed", tuple(Entry(Mark.NOTE, text) for text in assumptions))
    verifiers = tuple(Entry(Mark.NOTE, f"{verifier.id} {verifier.version}") for verifier in artifact.verifiers)
    yield Section("Verifiers", verifiers)
