"""Contracts for structured output: what they are, where they are kept, and what breaks them.

What was not enforced does not count: a contract that accepts every value verifies nothing.
"""

from __future__ import annotations

from probatum.contracts.loading import UnknownContractError, load_contract, load_contract_spec
from probatum.contracts.pytest_verifier import PytestVerifier
from probatum.contracts.specification import ContractSpec
from probatum.contracts.truncation import truncate_utf8_bytes
from probatum.contracts.validation import validate_contract_input, validate_contract_output
from probatum.contracts.verifiers import ContractSchemaVerifier, JsonObjectVerifier

__all__ = [
    "ContractSchemaVerifier",
    "ContractSpec",
    "JsonObjectVerifier",
    "PytestVerifier",
    "UnknownContractError",
    "load_contract",
    "load_contract_spec",
    "truncate_utf8_bytes",
    "validate_contract_input",
    "validate_contract_output",
]
