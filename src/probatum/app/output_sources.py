"""What a person points at to have an output judged: the output, its input, and the contract by name or by path.

Refuses by name: a path where there is nothing, a folder, a pipe or a device (standard input is ``-``), and a contract
that nobody knows. A file over the budget is read no further than to know that.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

from probatum.contracts.loading import UnknownContractError, load_contract, load_contract_spec
from probatum.contracts.parsing import MAX_BYTES
from probatum.contracts.specification import ContractSpec
from probatum.core.errors import UsageError, nearest

STANDARD_INPUT: Final = "-"
_DEFAULT_VERSION: Final = "v1"


def read_bounded(path: str, standard_input: BinaryIO) -> bytes:
    """Return the bytes of a file or of standard input; of more than the budget, one byte too many.

    Raises:
        UsageError: there is no such file, or it cannot be read.
    """
    if path == STANDARD_INPUT:
        return standard_input.read(MAX_BYTES + 1)
    with opened(path) as file:
        return file.read(MAX_BYTES + 1)


def opened(path: str) -> BinaryIO:
    """Return an open regular file.

    Raises:
        UsageError: there is none at the path, or it cannot be read.
    """
    if not path:
        raise UsageError("path.empty", "An empty path was given.", "Name a file, or '-' for standard input.")
    try:
        # Opening a pipe would wait for somebody who writes; what it is, is asked before anything is read.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError("path.missing", f"There is no file {path!r}.", _similar(path)) from None
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise UsageError("path.unreadable", f"{path!r} could not be read: {reason}.") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UsageError("path.not_a_file", f"{path!r} is not a regular file.", "Use '-' for standard input.")
    return os.fdopen(descriptor, "rb")


def named_contract(text: str) -> ContractSpec:
    """Return the contract that ``ID``, ``ID:VERSION`` or a path names; a known id comes before a path.

    Raises:
        UsageError: nobody knows it; the hint names the nearest.
        NotAttemptedError: there is one, and it cannot be read or is not valid.
    """
    if not text:
        raise UsageError("contract.unknown", "An empty name of a contract was given.", "Give ID[:VERSION] or a file.")
    if os.sep in text or text.endswith(".json"):
        return load_contract(Path(text))
    try:
        return contract_by_id(text)
    except UnknownContractError:
        if os.path.lexists(text):
            return load_contract(Path(text))
        raise


def contract_by_id(text: str, folder: Path | None = None) -> ContractSpec:
    """Return the contract of ``ID`` or ``ID:VERSION`` from a folder of contracts, else the built-in one.

    Raises as `named_contract` does, and reads nothing outside the folder.
    """
    task, separator, version = text.partition(":")
    return load_contract_spec(task, version if separator else _DEFAULT_VERSION, folder=folder)


def shown_path(path: str) -> str:
    """Return a path as text that has a place in a proof."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _similar(path: str) -> str:
    try:
        return nearest(os.path.basename(path), os.listdir(os.path.dirname(path) or "."))
    except (OSError, ValueError):
        return ""
