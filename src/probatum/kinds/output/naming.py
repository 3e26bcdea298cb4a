"""The contract that somebody names, by id or by path.

Refuses a contract that nobody knows, with the nearest one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from probatum.contracts.loading import MAX_BYTES, UnknownContractError, contract_in, load_contract, load_contract_spec
from probatum.contracts.specification import ContractSpec
from probatum.core.command import STANDARD_INPUT
from probatum.core.errors import UsageError
from probatum.core.ports import SourceReader

_DEFAULT_VERSION: Final = "v1"


def named_contract(text: str, sources: SourceReader) -> ContractSpec:
    """Return the contract that ``ID``, ``ID:VERSION`` or a path names; a known id comes before a path.

    Raises UsageError where nobody knows it, with the nearest one as hint; NotAttemptedError where it cannot be read or
    is not valid; BudgetError where its file is too large.
    """
    if not text:
        raise UsageError("contract.unknown", "An empty name of a contract was given.", "Give ID[:VERSION] or a file.")
    if text == STANDARD_INPUT or os.sep in text or text.endswith(".json"):
        return _contract_at(text, sources)
    try:
        return contract_by_id(text)
    except UnknownContractError:
        if os.path.lexists(text):
            return _contract_at(text, sources)
        raise


def _contract_at(text: str, sources: SourceReader) -> ContractSpec:
    if os.path.isdir(text):
        return load_contract(Path(text))
    return contract_in(sources.read_whole(text, MAX_BYTES, "contract"), Path(text))


def contract_by_id(text: str, folder: Path | None = None) -> ContractSpec:
    """Return the contract of ``ID`` or ``ID:VERSION`` from a folder of contracts, else the built-in one.

    Raises as `named_contract` does, and reads nothing outside the folder.
    """
    task, separator, version = text.partition(":")
    return load_contract_spec(task, version if separator else _DEFAULT_VERSION, folder=folder)
