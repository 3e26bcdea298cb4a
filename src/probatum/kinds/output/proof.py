"""The proof of an output: what it tells, how a re-check restores that, and how a replay observes the output again.

It holds the contract in full, so that a softened contract is another contract: the claim names its digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from probatum.contracts.specification import ContractSpec
from probatum.contracts.verifiers import SCHEMA_ID
from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Decision, Outcome
from probatum.core.digest import digest_of
from probatum.core.frozen import thaw
from probatum.core.shape import Shape
from probatum.core.subject import JSON
from probatum.core.version import __version__, version_of
from probatum.kinds.output.content import contract_of_content
from probatum.kinds.output.demand import NONE_DEMANDED, DemandedContract, contract_name
from probatum.kinds.output.judging import ReadyContract, observe_output, output_policy, read_input, ready_contract
from probatum.kinds.output.observations import OutputRecord, decide_output
from probatum.proof.account import Account, AccountRechecker, Document
from probatum.proof.artifact import PART, Described, VerifierVersion, part
from probatum.readers.json_schema.schema import compiled
from probatum.verification.executors import VerifierExecutor
from probatum.verification.plan import plan
from probatum.verification.policy import Slot, VerificationPolicy
from probatum.verification.registry import VerifierRegistry
from probatum.verification.results import VerificationStatus

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
    return {READER: __version__, ENGINE: version_of("jsonschema_rs")}


def output_claim(
    outcome: Outcome, spec: ContractSpec, spec_digest: str, record: OutputRecord, *, has_input: bool
) -> str:
    """Return the one sentence that a VERIFIED decision on this record establishes."""
    satisfies = "satisfies" if outcome is Outcome.PROVED else "passed every check that is asked for by"
    given = ", together with its input," if has_input else ""
    overlooked = f"; remarks on how it was read: {len(record.reading)}" if record.reading else ""
    return f"The output{given} {satisfies} the contract {spec.task_id} {spec.version} ({spec_digest}){overlooked}."


def output_account(ready: ReadyContract, given: bytes | None, record: OutputRecord, decision: Decision) -> Account:
    """Return what the proof of an output tells; ``given`` is what the task was given."""
    known = {each.verifier_id: each.description.version for each in ready.plan.slots if each.description is not None}
    versions = {**_own_versions(), **known}
    content: JsonValue = {SPEC: ready.content, INPUT: None if given is None else part(digest_of(given))}
    claim = output_claim(decision.outcome, ready.spec, ready.digest, record, has_input=given is not None)
    return _account(claim, content, ready.policy, record, decision, versions)


def _account(
    claim: str,
    content: JsonValue,
    policy: VerificationPolicy,
    record: OutputRecord,
    decision: Decision,
    versions: Mapping[str, str],
) -> Account:
    has_input = isinstance(content, dict) and content[INPUT] is not None
    return Account(
        decision=decision,
        claim=claim,
        contract=Described(CONTRACT_KIND, content),
        policy=Described(POLICY_ID, policy.to_json()),  # type: ignore[arg-type]  # texts, numbers and truth values alone
        observations=record.to_json(),  # type: ignore[arg-type]  # every one of them is an object
        verifiers=tuple(VerifierVersion(name, number) for name, number in versions.items()),
        media_type=JSON,
        assumptions=(*_ASSUMPTIONS, _WITH_INPUT) if has_input else _ASSUMPTIONS,
    )


def output_rechecker(
    registry: VerifierRegistry,
    executor: VerifierExecutor | None = None,
    demanded: DemandedContract | None = None,
) -> AccountRechecker:
    """Return what re-checks proofs of outputs; it runs verifiers only for a replay.

    ``executor`` runs those that are not built in; ``demanded`` is the contract an output must have been judged by.
    """

    def again(artifact: Document, content: bytes, parts: Mapping[str, bytes]) -> Account:
        digest = input_digest(artifact)
        if digest is not None and digest not in parts:
            raise ValueError("the store does not keep the input, so the verifiers cannot be run again")
        given = None if digest is None else parts[digest]
        ready = ready_contract(spec_of(artifact), registry, has_input=digest is not None)
        record = observe_output(ready, content, read_input(given), executor=executor).record
        decision = decide_output(ready.policy, record, ready.name)
        return output_account(ready, given, record, decision)

    def unmet(artifact: Document, _subject: bytes) -> tuple[str, ...]:
        return _unmet(artifact, demanded)

    return AccountRechecker(_restored, unmet, again, lambda: _versions(registry))


def _restored(artifact: Document) -> Account:
    """Return the account that the recorded observations lead to.

    Raises ValueError where they are not those of the contract's slots, or say that an output could have failed a
    contract that asks for nothing.
    """
    spec, has_input = spec_of(artifact), input_digest(artifact) is not None
    policy = output_policy(spec, has_input=has_input)
    record = OutputRecord.from_json(artifact["observations"])
    is_vacuous = compiled(spec.output_schema, resources=spec.schemas).is_vacuous
    if is_vacuous and any(slot.verifier_id == SCHEMA_ID and slot.could_have_failed for slot in record.slots):
        raise ValueError("the contract asks for nothing that an output could fail")
    decision = decide_output(policy, record, f"{spec.task_id} {spec.version}")
    content = _content(artifact, "contract")
    claim = output_claim(decision.outcome, spec, digest_of(canonical_bytes(content[SPEC])), record, has_input=has_input)
    recorded = {each.text("id"): each.text("version") for each in Shape(artifact).items("verifiers")}
    # One that did not pass may have been unknown, and so without a version.
    named = [slot.verifier_id for slot in record.slots if slot.status in _PASSES or slot.verifier_id in recorded]
    versions = {each: recorded.get(each, "") for each in (READER, ENGINE, *named)}
    return _account(claim, content, policy, record, decision, versions)


def _unmet(artifact: Document, demanded: DemandedContract | None) -> tuple[str, ...]:
    """Return in which ways less was demanded than is required: another contract, or not all of its policy.

    Where no contract is demanded, every proof falls short.
    """
    policy, spec = VerificationPolicy.from_json(_content(artifact, "policy")), spec_of(artifact)
    if demanded is None:
        told = [f"it was judged by the contract {contract_name(spec)}: {NONE_DEMANDED}"]
    else:
        told = list(demanded.unmet(spec, input_digest(artifact)))
    if policy != output_policy(spec, has_input=input_digest(artifact) is not None):
        told.append("it is not the policy that the contract asks for")
    if SCHEMA_ID not in {slot.verifier_id for slot in policy.slots if slot.is_mandatory}:
        told.append(f"it does not demand {SCHEMA_ID}: let the contract name it under 'verifier_ids'")
    return tuple(told)


def _versions(registry: VerifierRegistry) -> Mapping[str, str]:
    every = VerificationPolicy(tuple(Slot(each) for each in registry.list_ids()))
    known = {each.verifier_id: each.description for each in plan(every, registry).slots}
    return {**_own_versions(), **{name: said.version for name, said in known.items() if said is not None}}


def spec_of(artifact: Document) -> ContractSpec:
    """Return the contract that an artifact records; raises ValueError where there is none."""
    contract = Shape(artifact).member("contract").member("content").exactly(SPEC, INPUT)
    return contract_of_content(contract.raw(SPEC))


def input_digest(artifact: Document) -> str | None:
    """Return the digest of the recorded input; None where the output was made without one."""
    given = Shape(artifact).member("contract").member("content")
    return given.member(INPUT).exactly(PART).text(PART) if given.has(INPUT) else None


def _content(artifact: Document, key: str) -> dict[str, JsonValue]:
    return thaw(Shape(artifact).member(key).raw_object("content"))  # type: ignore[return-value]  # an object stays one
