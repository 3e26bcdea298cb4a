"""Observing one output: a contract made ready once, then reading, running the plan and recording, for each output.

Refuses a contract whose schemas or policy cannot be used before any output is looked at, so that nobody is blamed
for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from probatum.contracts.reading import read_output
from probatum.contracts.specification import ContractSpec
from probatum.contracts.verifiers import INPUT_GIVEN, IS_JSON, OBJECT_ID, OUTPUT_GIVEN
from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Outcome
from probatum.core.digest import digest_of
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.events import Event, Listener, ignore
from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.core.messages import counted
from probatum.kinds.output.content import contract_content
from probatum.kinds.output.observations import OutputRecord, slot_record
from probatum.readers.json_schema.parsing import NotJsonError, strict_json
from probatum.readers.json_schema.schema import compiled
from probatum.verification.executors import VerifierExecutor
from probatum.verification.plan import Plan, plan
from probatum.verification.policy import VerificationPolicy, concerns, policy_of
from probatum.verification.registry import VerifierRegistry
from probatum.verification.results import VerificationResult
from probatum.verification.run import run_plan

_OBJECT_TYPES: Final = ("object", ["object"])


@dataclass(frozen=True, slots=True)
class ReadyContract:
    """A contract with what will run for it."""

    spec: ContractSpec
    plan: Plan
    context: Mapping[str, object]
    # What the contract's policy states that counts for nothing.
    concerns: tuple[Finding, ...]
    # What a proof keeps of the contract, but for the input.
    content: JsonValue
    # Of this content.
    digest: str

    @property
    def policy(self) -> VerificationPolicy:
        """Which verifiers run, and what is asked of them."""
        return self.plan.policy

    @property
    def name(self) -> str:
        """Task and version."""
        return f"{self.spec.task_id} {self.spec.version}"


@dataclass(frozen=True, slots=True)
class ObservedOutput:
    """One output with everything that was observed."""

    record: OutputRecord
    reading: tuple[Finding, ...]
    results: tuple[VerificationResult, ...] = ()
    # The value that was judged, where something had to be overlooked to read it; nothing where the bytes say it.
    repaired: tuple[JsonValue, ...] = ()


def ready_contract(spec: ContractSpec, registry: VerifierRegistry, *, has_input: bool) -> ReadyContract:
    """Return a contract that can be asked about outputs; raises NotAttemptedError where it cannot be used."""
    if has_input:
        compiled(spec.input_schema, resources=spec.schemas)
    compiled(spec.output_schema, resources=spec.schemas)
    told = tuple(
        Finding(Severity.WARNING, "contract.policy", sentence, evidence=FrozenDict(side="contract"))
        for sentence in concerns(spec.verification_policy)
    )
    context = {"contract": spec, INPUT_GIVEN: has_input, OUTPUT_GIVEN: True, IS_JSON: True}
    planned = plan(output_policy(spec, has_input=has_input), registry)
    content = contract_content(spec)
    return ReadyContract(spec, planned, FrozenDict(context), told, content, digest_of(canonical_bytes(content)))


def output_policy(spec: ContractSpec, *, has_input: bool) -> VerificationPolicy:
    """Return the policy for an output of this contract, with or without its input.

    Where a contract names its verifiers itself, they are these. Without an input, ``json.object`` of a level's set
    joins only where the output is to be an object: what else could it look at? Raises NotAttemptedError where the
    contract asks for what cannot be done.
    """
    try:
        policy = policy_of(spec.verification_policy)
        chosen = policy_of({**spec.verification_policy, "verifier_ids": None})
    except UsageError as error:
        raise NotAttemptedError("contract.invalid", error.sentence, error.hint) from error
    schema = spec.output_schema
    asks_for_object = isinstance(schema, dict) and schema.get("type") in _OBJECT_TYPES
    if has_input or chosen != policy or asks_for_object:
        return policy
    slots = tuple(slot for slot in policy.slots if slot.verifier_id != OBJECT_ID)
    counted = any(OBJECT_ID in group.verifier_ids for group in policy.at_least)
    return policy if counted or not slots else VerificationPolicy(slots, policy.at_least)


def read_input(content: bytes | None) -> JsonValue:
    """Return the value of an input, None of none; raises NotAttemptedError for what is not JSON, or BudgetError."""
    if content is None:
        return None
    try:
        return strict_json(content)
    except NotJsonError as error:
        raise NotAttemptedError("contract.input_invalid", f"The input is not JSON: {error}.") from error


def observe_output(
    ready: ReadyContract,
    content: bytes,
    input_value: JsonValue,
    *,
    executor: VerifierExecutor | None = None,
    listener: Listener = ignore,
) -> ObservedOutput:
    """Read an output and run every verifier that its contract asks for; raises BudgetError as `read_output`."""
    read = read_output(content)
    if not read.is_readable:
        return ObservedOutput(OutputRecord(read.findings), read.findings)
    if read.findings:
        listener(Event("reading", f"{counted(len(read.findings), 'remark')} on how the output was read"))
    results = run_plan(ready.plan, input_value, read.value, ready.context, executor=executor, listener=listener)
    slots = tuple(
        slot_record(result, Outcome.TESTED if slot.description is None else slot.description.best)
        for result, slot in zip(results, ready.plan.slots, strict=True)
    )
    repaired = (read.value,) if read.findings else ()
    return ObservedOutput(OutputRecord(read.findings, slots), read.findings, tuple(results), repaired)
