"""The proof artifact of a program: how a decision becomes one, and how one is decided and run again.

Refuses to build an artifact for anything but a decision that would be VERIFIED: nothing else is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.metadata import version as distribution_version

from probatum import __version__
from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision, DiagnosticStatus
from probatum.core.subject import Subject
from probatum.programs.decide import ProgramPolicy
from probatum.programs.execute import Benches
from probatum.programs.rechecker import decide_again, records_of, replay_records
from probatum.programs.record import FunctionRecord
from probatum.proof.artifact import PART, Described, VerifierVersion, build_artifact, part
from probatum.sandbox import Program

VERIFIER_ID = "program.documented"
MODULE = "module "
"""How the name of a further input begins that is a module next to the program."""
TESTS = "tests"
EARLIER = "earlier version"
ASSUMPTIONS = (
    "the sandboxed interpreter runs Python as its language reference says",
    "documented examples state what is wanted",
    "inputs that were not run may behave differently",
)


def verifier_versions() -> dict[str, str]:
    """Return what takes part in a verification and in which version."""
    return {
        VERIFIER_ID: __version__,
        "hypothesis": distribution_version("hypothesis"),
        "libcst": distribution_version("libcst"),
    }


def program_claim(records: Sequence[FunctionRecord]) -> str:
    """Return the one sentence that a VERIFIED decision on these records establishes."""
    parts = []
    for record in records:
        parts.append(
            f"{record.qualname} gave the documented result in all {len(record.checks)} executed checks, which notice"
            f" {record.noticed} of {record.planted} planted faults"
        )
    return "; ".join(parts) + "."


def program_artifact(
    subject: Subject,
    contract: str | None,
    records: Sequence[FunctionRecord],
    policy: ProgramPolicy,
    decision: Decision,
    extras: Mapping[str, str],
) -> dict[str, JsonValue]:
    """Return the artifact of a VERIFIED decision; ``extras`` are digests of further inputs by name.

    Raises:
        ValueError: the decision is not VERIFIED.
    """
    if decision.status is not DiagnosticStatus.VERIFIED:
        raise ValueError("only a VERIFIED decision rests on a proof artifact")
    content: dict[str, JsonValue] = {"text": contract, "further": {name: part(ref) for name, ref in extras.items()}}
    return build_artifact(
        kind="program",
        claim=program_claim(records),
        subject=subject,
        contract=Described("documentation" if contract is None else "documentation and text", content),
        policy=Described(policy.id, policy.to_json()),
        verifiers=[VerifierVersion(name, number) for name, number in verifier_versions().items()],
        seed=policy.seed,
        decision=decision,
        observations=[record.to_json() for record in records],
        assumptions=ASSUMPTIONS,
    )


class ProgramRechecker:
    """The `Rechecker` for artifacts of kind ``program``; it opens sandboxes only for a replay."""

    def __init__(self, open_benches: Callable[[], AbstractContextManager[Benches]]) -> None:
        self._open_benches = open_benches

    def decision_of(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> Decision:
        """Derive the decision from the recorded observations."""
        policy = _member(artifact, "policy")
        content = ProgramPolicy.from_json(_json(policy["content"]))
        if policy["id"] != content.id or artifact["seed"] != content.seed:
            raise ValueError("the policy's id and the seed must be those of the policy's content")
        return decide_again(artifact["observations"], policy["content"])

    def claim_of(self, artifact: Mapping[str, object], decision: Decision) -> str:
        """Return the claim that these records establish."""
        return program_claim(records_of(artifact["observations"]))

    def versions(self) -> Mapping[str, str]:
        """Return the versions that would take part today."""
        return verifier_versions()

    def replay(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> tuple[str, ...]:
        """Run the recorded inputs on the recorded subject again; raises ValueError where a part is not kept."""
        subject = _member(artifact, "subject")
        source = parts.get(str(subject["digest"]))
        if source is None:
            raise ValueError("the store does not keep the subject itself, so its inputs cannot be run again")
        references = _member(_member(_member(artifact, "contract"), "content"), "further")
        further = {name: parts[str(_member(references, name)[PART])] for name in sorted(references)}
        siblings = tuple((name.removeprefix(MODULE), part) for name, part in further.items() if name.startswith(MODULE))
        program = program_of(source, str(subject["name"]), siblings)
        content = _member(_member(artifact, "contract"), "content")["text"]
        text = content if isinstance(content, str) else None
        policy = ProgramPolicy.from_json(_json(_member(artifact, "policy")["content"]))
        observations, tests = artifact["observations"], further.get(TESTS)
        with self._open_benches() as benches:
            return replay_records(program, observations, tests, benches, contract=text, policy=policy)


def program_of(source: bytes, file_name: str, siblings: tuple[tuple[str, bytes], ...]) -> Program:
    """Return the program as a candidate process loads it, under its file's own module name where that is one."""
    base = file_name.rsplit("/", 1)[-1]
    stem = base.removesuffix(".py")
    module_name = stem if stem.isidentifier() else "artifact"
    return Program(source, module_name, base, siblings)


def _json(value: object) -> Mapping[str, JsonValue]:
    if not isinstance(value, dict):
        raise ValueError("the policy's content must be an object")
    return value


def _member(value: Mapping[str, object], key: str) -> Mapping[str, object]:
    member = value[key]
    if not isinstance(member, dict):
        raise ValueError(f"{key!r} of the artifact must be an object")
    return member
