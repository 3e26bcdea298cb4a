"""The proof artifact of an output: how a decision becomes one, and how one is decided and run again.

It holds the contract in full, so that a softened contract is another contract: the claim names its digest. Refuses to
build an artifact for anything but a decision that would be VERIFIED.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import version as distribution_version
from typing import Final

from probatum import __version__
from probatum.contracts.schema import compiled
from probatum.contracts.specification import ContractSpec
from probatum.contracts.verifiers import SCHEMA_ID
from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Decision, DiagnosticStatus, Outcome
from probatum.core.digest import digest_of
from probatum.core.errors import ProbatumError
from probatum.core.frozen import thaw
from probatum.core.subject import JSON, Subject
from probatum.kinds.output.content import contract_of_content
from probatum.kinds.output.demand import NONE_DEMANDED, DemandedContract, contract_name
from probatum.kinds.output.judging import ReadyContract, observe_output, output_policy, read_input, ready_contract
from probatum.kinds.output.observations import OutputRecord, SlotRecord, decide_output
from probatum.proof.artifact import PART, Described, VerifierVersion, build_artifact, part
from probatum.verification.executors import VerifierExecutor
from probatum.verification.plan import plan
from probatum.verification.policy import Slot, VerificationPolicy
from probatum.verification.registry import VerifierRegistry
from probatum.verification.results import VerificationStatus

KIND: Final = "output"
READER: Final = "output.reader"
ENGINE: Final = "jsonschema-rs"
CONTRACT_KIND: Final = "contract"
POLICY_ID: Final = "verification/v1"
SPEC: Final = "spec"
INPUT: Final = "input"
_ASSUMPTIONS: Final = ("the JSON Schema engine enforces schemas as their specification says",)
_PASSES: Final = (VerificationStatus.PASS, VerificationStatus.WARN)
_WITH_INPUT: Final = "the input is the one that the output was made for"


@cache
def _own_versions() -> Mapping[str, str]:
    return {READER: __version__, ENGINE: distribution_version("jsonschema_rs")}


def output_claim(
    outcome: Outcome, spec: ContractSpec, spec_digest: str, record: OutputRecord, *, has_input: bool
) -> str:
    """Return the one sentence that a VERIFIED decision on this record establishes."""
    satisfies = "satisfies" if outcome is Outcome.PROVED else "passed every check that is asked for by"
    given = ", together with its input," if has_input else ""
    overlooked = f"; remarks on how it was read: {len(record.reading)}" if record.reading else ""
    return f"The output{given} {satisfies} the contract {spec.task_id} {spec.version} ({spec_digest}){overlooked}."


def output_artifact(
    subject: Subject, ready: ReadyContract, input_content: bytes | None, record: OutputRecord, decision: Decision
) -> dict[str, JsonValue]:
    """Return the artifact of a VERIFIED decision.

    Raises:
        ValueError: the decision is not VERIFIED.
    """
    if decision.status is not DiagnosticStatus.VERIFIED:
        raise ValueError("only a VERIFIED decision rests on a proof artifact")
    has_input = input_content is not None
    content: JsonValue = {
        SPEC: ready.content,
        INPUT: None if input_content is None else part(digest_of(input_content)),
    }
    contract = Described(CONTRACT_KIND, content)
    policy: JsonValue = ready.policy.to_json()  # type: ignore[assignment]  # texts, numbers and truth values alone
    return build_artifact(
        kind=KIND,
        claim=output_claim(decision.outcome, ready.spec, ready.digest, record, has_input=has_input),
        subject=subject,
        contract=contract,
        policy=Described(POLICY_ID, policy),
        verifiers=[VerifierVersion(name, number) for name, number in _taking_part(ready).items()],
        seed=0,
        decision=decision,
        observations=record.to_json(),  # type: ignore[arg-type]  # every one of them is an object
        assumptions=_assumed(has_input=has_input),
    )


def _assumed(*, has_input: bool) -> list[str]:
    return [*_ASSUMPTIONS, _WITH_INPUT] if has_input else [*_ASSUMPTIONS]


def _taking_part(ready: ReadyContract) -> dict[str, str]:
    known = {each.verifier_id: each.description.version for each in ready.plan.slots if each.description is not None}
    return {**_own_versions(), **known}


class OutputRechecker:
    """The `Rechecker` for artifacts of kind ``output``; it runs verifiers only for a replay."""

    def __init__(
        self,
        registry: Callable[[], VerifierRegistry],
        executor: VerifierExecutor | None = None,
        demanded: DemandedContract | None = None,
    ) -> None:
        """Keep what it works with; ``demanded`` is the contract that an output must have been judged by."""
        self._registry = registry
        self._executor = executor
        self._demanded = demanded

    def decision_of(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> Decision:
        """Derive the decision from the recorded observations.

        Raises:
            ValueError: the policy is not the contract's, the observations are not those of its slots, others are said
                to have taken part or to be assumed, or they say of a contract that asks for nothing that the output
                could have failed it.
        """
        policy, spec, has_input = _policy_of(artifact), _spec_of(artifact), _input_digest(artifact) is not None
        if _member(artifact, "subject")["media_type"] != JSON or artifact["assumptions"] != _assumed(
            has_input=has_input
        ):
            raise ValueError("the media type and the assumptions are not those of an output")
        if policy != output_policy(spec, has_input=has_input):
            raise ValueError("the policy is not the one that the contract asks for")
        record = OutputRecord.from_json(artifact["observations"])
        _require_named(artifact["verifiers"], record)
        for slot in record.slots:
            _require_possible(slot, spec)
        return decide_output(policy, record, f"{spec.task_id} {spec.version}")

    def claim_of(self, artifact: Mapping[str, object], decision: Decision) -> str:
        """Return the claim that these observations establish."""
        record = OutputRecord.from_json(artifact["observations"])
        digest = digest_of(canonical_bytes(_member(_member(artifact, "contract"), "content")[SPEC]))
        has_input = _input_digest(artifact) is not None
        return output_claim(decision.outcome, _spec_of(artifact), digest, record, has_input=has_input)

    def shortfalls(self, artifact: Mapping[str, object]) -> tuple[str, ...]:
        """Return in which ways less was demanded than is required: another contract, or not all of its policy.

        Where no contract is demanded, every proof falls short.

        Raises:
            ValueError: it is no policy for outputs.
        """
        policy, spec = _policy_of(artifact), _spec_of(artifact)
        if self._demanded is None:
            told = [f"it was judged by the contract {contract_name(spec)}: {NONE_DEMANDED}"]
        else:
            told = list(self._demanded.unmet(spec, _input_digest(artifact)))
        if policy != output_policy(spec, has_input=_input_digest(artifact) is not None):
            told.append("it is not the policy that the contract asks for")
        if SCHEMA_ID not in {slot.verifier_id for slot in policy.slots if slot.is_mandatory}:
            told.append(f"it does not demand {SCHEMA_ID}: let the contract name it under 'verifier_ids'")
        return tuple(told)

    def versions(self) -> Mapping[str, str]:
        """Return the versions that would take part today."""
        registry = self._registry()
        every = VerificationPolicy(tuple(Slot(each) for each in registry.list_ids()))
        known = {each.verifier_id: each.description for each in plan(every, registry).slots}
        return {**_own_versions(), **{name: said.version for name, said in known.items() if said is not None}}

    def replay(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> tuple[str, ...]:
        """Read the recorded subject and run every verifier of its contract on it again.

        Raises:
            ValueError: the store keeps the subject or the input no longer.
        """
        digest = _input_digest(artifact)
        content = parts.get(str(_member(artifact, "subject")["digest"]))
        if content is None:
            raise ValueError("the store does not keep the subject itself, so it cannot be read again")
        if digest is not None and digest not in parts:
            raise ValueError("the store does not keep the input, so the verifiers cannot be run again")
        given = None if digest is None else parts[digest]
        try:
            ready = ready_contract(_spec_of(artifact), self._registry(), has_input=digest is not None)
            observed = observe_output(ready, content, read_input(given), executor=self._executor)
        except ProbatumError as error:
            return (f"today the output is not judged at all: {error.sentence}",)
        return tuple(_differences(OutputRecord.from_json(artifact["observations"]), observed.record))


def _require_named(verifiers: object, record: OutputRecord) -> None:
    """Raise where one that must have taken part is not named, or one is that cannot have."""
    assert isinstance(verifiers, list)
    named = {each["id"] for each in verifiers}
    own = {READER, ENGINE}
    passed = {slot.verifier_id for slot in record.slots if slot.status in _PASSES}
    if not own | passed <= named <= own | {slot.verifier_id for slot in record.slots}:
        raise ValueError("the verifiers that are named are not those of the observations")


def _require_possible(slot: SlotRecord, spec: ContractSpec) -> None:
    if slot.verifier_id != SCHEMA_ID or not slot.could_have_failed:
        return
    if compiled(spec.output_schema, resources=spec.schemas).is_vacuous:
        raise ValueError("the contract asks for nothing that an output could fail")


def _differences(recorded: OutputRecord, now: OutputRecord) -> list[str]:
    then_rows, now_rows = recorded.to_json(), now.to_json()
    if len(then_rows) != len(now_rows):
        return [f"{len(then_rows)} observations were recorded, now there are {len(now_rows)}"]
    told = []
    for then, today in zip(then_rows, now_rows, strict=True):
        assert isinstance(then, dict)
        assert isinstance(today, dict)
        place = str(then.get("verifier_id", "reading"))
        changed = [key for key in sorted(then) if then[key] != today.get(key)]
        told += [f"{place}, {key}: recorded {then[key]}, now {today.get(key)}" for key in changed]
    return told


def _policy_of(artifact: Mapping[str, object]) -> VerificationPolicy:
    policy = _member(artifact, "policy")
    if policy["id"] != POLICY_ID or artifact["seed"] != 0:
        raise ValueError("the policy's id and the seed are not those of an output")
    return VerificationPolicy.from_json(thaw(policy["content"]))


def _spec_of(artifact: Mapping[str, object]) -> ContractSpec:
    contract = _member(artifact, "contract")
    content = _member(contract, "content")
    if contract["kind"] != CONTRACT_KIND or set(content) != {SPEC, INPUT}:
        raise ValueError("the contract is not one of an output")
    return contract_of_content(thaw(content[SPEC]))


def _input_digest(artifact: Mapping[str, object]) -> str | None:
    reference = _member(_member(artifact, "contract"), "content")[INPUT]
    if reference is None:
        return None
    if not isinstance(reference, dict) or set(reference) != {PART}:
        raise ValueError("the input is a reference to a part, or nothing")
    return str(reference[PART])


def _member(value: Mapping[str, object], key: str) -> Mapping[str, object]:
    member = value[key]
    if not isinstance(member, dict):
        raise ValueError(f"{key!r} of the artifact must be an object")
    return member
