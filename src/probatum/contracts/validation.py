"""Checking an input or an output against its contract, without a policy or a verdict.

What a schema or a value breaks comes back as texts.
"""

from __future__ import annotations

from probatum.contracts.specification import ContractSpec
from probatum.contracts.values import first_flaw
from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.readers.json_schema.paths import path_text
from probatum.readers.json_schema.schema import CompiledSchema, compiled


def validate_contract_input(spec: ContractSpec, obj: object) -> list[str]:
    """Return what an input breaks in its contract; nothing where it fits.

    Raises:
        NotAttemptedError: the contract's schema cannot be used.
        BudgetError: checking would take more than the budget allows.
    """
    return [finding.message for finding in schema_findings(compiled(spec.input_schema, resources=spec.schemas), obj)]


def validate_contract_output(spec: ContractSpec, obj: object) -> list[str]:
    """Return what an output breaks in its contract; nothing where it fits. Raises what the input's check raises."""
    return [finding.message for finding in schema_findings(compiled(spec.output_schema, resources=spec.schemas), obj)]


def schema_findings(ready: CompiledSchema, obj: object) -> tuple[Finding, ...]:
    """Return what a Python value breaks in a schema, first of all that it is not JSON."""
    flaw = first_flaw(obj)
    if flaw is not None:
        path = path_text(flaw[0])
        return (Finding(Severity.ERROR, "schema.no_json", f"{path}: {flaw[1]}", evidence=FrozenDict(path=path)),)
    return ready.findings(obj)
