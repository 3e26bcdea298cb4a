"""What structured output offers in Python: one call from an answer to a verdict.

Refuses to make a verdict itself: whoever gives this its service retains the proof.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from probatum.contracts.derivation import contract_from
from probatum.contracts.specification import ContractSpec
from probatum.core.arguments import BYTES, TEXT, require_name, require_types
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.ports import Store
from probatum.kinds.output.lines import answer_bytes, inline_contract, input_bytes
from probatum.kinds.output.naming import contract_by_id
from probatum.kinds.output.request import OutputRequest


@dataclass(frozen=True, slots=True)
class CheckOutput:
    """`probatum.check_output`: judges what a model answered by a contract."""

    # What answers a request of a kind, with the store where its proof is kept.
    ask: Callable[[str, OutputRequest, Store | None], DiagnosticResult]

    def __call__(
        self,
        output: object,
        contract: object,
        *,
        input: object = None,
        name: str = "output",
        store: Store | None = None,
    ) -> DiagnosticResult:
        """Judge an output by a contract and return the verdict.

        Args:
            output: what the model wrote, as text or bytes, a bytearray or memoryview too; anything else is the answer
                itself and must be JSON.
            contract: a `ContractSpec`; ``ID[:VERSION]``; a path with a slash or ``.json`` at its end; a JSON Schema or
                the JSON of a contract; or a dataclass, TypedDict or pydantic model.
            input: what the task was given, as JSON; None judges the output alone.
            name: what to call the output in reports.
            store: where the proof of a VERIFIED verdict is kept; None means the default store of this user.

        Raises:
            UsageError: nobody knows the contract, or something given is not JSON or has another type.
            NotAttemptedError: the contract is none, or cannot be read; one with a wrong schema is a BLOCKED verdict.
        """
        require_types({"name": name}, {"name": TEXT})
        require_name(name)
        content = bytes(output) if isinstance(output, BYTES) else answer_bytes(output)
        given = None if input is None else input_bytes(input)
        return self.ask("output", OutputRequest(content, name, _specification(contract), given), store)


def _specification(contract: object) -> ContractSpec:
    if isinstance(contract, ContractSpec):
        return contract
    if isinstance(contract, str) and os.sep not in contract and not contract.endswith(".json"):
        return contract_by_id(contract)
    return inline_contract(contract) if isinstance(contract, (dict, bool)) else contract_from(contract)
