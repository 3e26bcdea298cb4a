"""What a proof keeps of a contract: its whole content, written so that nothing in it can imitate a part.

An object ``{"$part": DIGEST}`` in a proof stands for bytes beside it. A schema may have such a key of its own, so one
more ``$`` is put before it here and taken away when it is read. Refuses content without a canonical form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from probatum.contracts.specification import ContractSpec
from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.errors import NotAttemptedError

_LIKE_A_PART: Final = re.compile(r"\$+part\Z")
_WRITTEN: Final = re.compile(r"\$\$+part\Z")
# In how many objects a proof puts the specification.
_LEVELS_ABOVE: Final = 3


def contract_content(spec: ContractSpec) -> JsonValue:
    """Return a contract as a proof keeps it; raises NotAttemptedError where it is nested too deep for a proof."""
    content = _renamed(spec.to_json(), _escaped)
    enclosed: JsonValue = content
    for _ in range(_LEVELS_ABOVE):
        enclosed = {"in": enclosed}
    try:
        canonical_bytes(enclosed)
    except ValueError as error:
        raise NotAttemptedError("contract.not_kept", f"The contract cannot be kept in a proof: {error}.") from error
    return content


def contract_of_content(content: object) -> ContractSpec:
    """Read a contract back; raises ValueError for what `contract_content` does not write."""
    if not isinstance(content, dict):
        raise ValueError("a contract's content is an object")
    return ContractSpec.from_json(_renamed(content, _unescaped))


def _renamed(value: JsonValue, rename: Callable[[str], str]) -> JsonValue:
    if isinstance(value, Mapping):
        return {rename(key): _renamed(item, rename) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, rename) for item in value]
    return value


def _escaped(key: str) -> str:
    return f"${key}" if _LIKE_A_PART.match(key) else key


def _unescaped(key: str) -> str:
    if _WRITTEN.match(key):
        return key[1:]
    if _LIKE_A_PART.match(key):
        raise ValueError("a reference to a part has no place in a contract")
    return key
