"""The two verifiers of contracts that every registry has.

``json.object`` asks for objects, ``contract.schema`` for what the contract's schemas say. Both see the whole value and
run in bounded time. Without a contract there is no pass, and a pass of a contract that asks for nothing does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from probatum.contracts.specification import ContractSpec
from probatum.contracts.validation import schema_findings
from probatum.core.canonical import JsonValue
from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, ProbatumError
from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.readers.json_schema.complaints import type_name
from probatum.readers.json_schema.schema import compiled
from probatum.verification.results import VerificationResult, VerificationStatus, broken, result_from_findings
from probatum.verification.verifier import VerifierDescription

OBJECT_ID: Final = "json.object"
SCHEMA_ID: Final = "contract.schema"
OBJECT_VERSION: Final = "1"
SCHEMA_VERSION: Final = "1"
"""Raised with each change of what a verifier accepts or says."""


_OPEN: Final[tuple[JsonValue, ...]] = ({}, True)
"""Schemas that say on purpose that an input may be anything."""
INPUT_GIVEN: Final = "input_given"
"""The key of the context that says, with False, that there is no input: the output alone is looked at then."""
OUTPUT_GIVEN: Final = "output_given"
"""The key of the context that says, with True, that an output of None is an answer, and not that there is none."""

IS_JSON: Final = "is_json"
"""The key of the context that says, with True, that the values were read from JSON, so that nothing else is in them."""


class JsonObjectVerifier:
    """Asks that the input is an object, and the output too where there is one."""

    description = VerifierDescription(OBJECT_ID, OBJECT_VERSION, Outcome.PROVED, is_deterministic=True)

    def verify(
        self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        """Return pass where both are dictionaries; an output of None is not looked at."""
        sides = _sides(input_obj, output_obj, context)
        findings = [_not_object(side, value) for side, value in sides if not isinstance(value, dict)]
        names = tuple(side for side, _ in sides)
        if not findings:
            return _objects(names)
        summary = f"No object: {' and '.join(str(each.evidence['side']) for each in findings)}."
        return result_from_findings(OBJECT_ID, findings, summary, evidence={"checked": list(names)})


@cache
def _objects(names: tuple[str, ...]) -> VerificationResult:
    """Return the pass of these sides; a result cannot change, so that one serves all."""
    summary = f"Objects: {' and '.join(names)}." if names else "There was nothing to check."
    evidence = {"checked": list(names)}
    return result_from_findings(OBJECT_ID, (), summary, evidence=evidence, could_have_failed="output" in names)


def _sides(input_obj: object, output_obj: object, context: Mapping[str, object] | None) -> list[tuple[str, object]]:
    sides: list[tuple[str, object]] = []
    if (context or {}).get(INPUT_GIVEN, True) is not False:
        sides.append(("input", input_obj))
    if output_obj is not None or (context or {}).get(OUTPUT_GIVEN) is True:
        sides.append(("output", output_obj))
    return sides


def _not_object(side: str, value: object) -> Finding:
    is_json = value is None or isinstance(value, (bool, int, float, str, list))
    named = type_name(value) if is_json else type(value).__name__
    evidence = FrozenDict(side=side, path="$", keyword="type", expected=["object"], found=named)
    return Finding(Severity.ERROR, "json.no_object", f"{side} $: expected object, got {named}", evidence=evidence)


class ContractSchemaVerifier:
    """Asks that the input, and the output where there is one, satisfy the schemas of the contract."""

    description = VerifierDescription(SCHEMA_ID, SCHEMA_VERSION, Outcome.PROVED, is_deterministic=True)

    def verify(
        self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        """Return pass where both satisfy their schema; what is doubtful about a schema is a warning.

        An output of None is not looked at, so that a pass establishes nothing then. ``context["contract"]`` is the
        `ContractSpec`; without one, and where its schemas cannot be used, the slot fails by the verifier's fault. A
        value that is too costly to check is skipped, which is not a pass.
        """
        spec = (context or {}).get("contract")
        if not isinstance(spec, ContractSpec):
            given = "none" if spec is None else f"a {type(spec).__name__}"
            return broken(SCHEMA_ID, f"The context needs a ContractSpec as 'contract'; there is {given}.")
        try:
            return _judged(spec, _sides(input_obj, output_obj, context), (context or {}).get(IS_JSON) is True)
        except BudgetError as error:
            # Nothing is known about the value, so that this neither passes nor refutes.
            told = VerificationStatus.SKIPPED, SCHEMA_ID, error.sentence
            return VerificationResult(*told, warnings=(str(error),), could_have_failed=False)
        except ProbatumError as error:
            return broken(SCHEMA_ID, error.sentence, str(error))


def _judged(spec: ContractSpec, sides: list[tuple[str, object]], is_json: bool) -> VerificationResult:
    schemas = {"input": spec.input_schema, "output": spec.output_schema}
    checked, enforced = [side for side, _ in sides], []
    findings: list[Finding] = []
    for side, value in sides:
        ready = compiled(schemas[side], resources=spec.schemas)
        broken_here = ready.findings(value) if is_json else schema_findings(ready, value)
        findings += [_of_side(side, each) for each in broken_here]
        if side == "output" or schemas[side] not in _OPEN:
            findings += [_of_side(f"{side} schema", each) for each in ready.concerns]
        if broken_here or ready.looks_at(value):
            enforced.append(side)
    if not findings and enforced:
        return _satisfied(spec.task_id, spec.version, tuple(checked), tuple(enforced))
    if any(each.severity is Severity.ERROR for each in findings):
        summary = f"The contract {spec.task_id!r} is not satisfied."
    elif not enforced:
        summary = "Nothing was enforced: what was looked at may have any value."
    else:
        summary = f"The contract {spec.task_id!r} is satisfied: {' and '.join(checked)}."
    evidence = {"contract": f"{spec.task_id} {spec.version}", "checked": checked, "enforced": enforced}
    return result_from_findings(SCHEMA_ID, findings, summary, evidence=evidence, could_have_failed="output" in enforced)


@lru_cache(maxsize=256)
def _satisfied(task_id: str, version: str, checked: tuple[str, ...], enforced: tuple[str, ...]) -> VerificationResult:
    """Return the pass without any remark; a result cannot change, so that one serves all."""
    summary = f"The contract {task_id!r} is satisfied: {' and '.join(checked)}."
    evidence = {"contract": f"{task_id} {version}", "checked": list(checked), "enforced": list(enforced)}
    return result_from_findings(SCHEMA_ID, (), summary, evidence=evidence, could_have_failed="output" in enforced)


def _of_side(side: str, finding: Finding) -> Finding:
    evidence = FrozenDict({**finding.evidence, "side": side})
    return replace(finding, message=f"{side} {finding.message}", evidence=evidence)
