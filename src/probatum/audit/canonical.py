"""One canonical form for everything an audit hashes: RFC 8785, after models and dates became plain JSON.

Dates are written in UTC with ``Z``; one without a zone is UTC. None is kept. Refuses what is not plain data, keys that
are not text, and numbers that JSON does not have.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum

from pydantic import BaseModel

from probatum.audit.errors import CanonicalizationException
from probatum.core.canonical import canonical_bytes
from probatum.core.json_text import MAX_DEPTH
from probatum.core.tagged import tagged


def instant_text(moment: datetime) -> str:
    """Return an instant in UTC, with a fraction only where it has one."""
    try:
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        # In UTC it lies before year 1 or after year 9999.
        return moment.isoformat()
    return moment.isoformat(timespec="microseconds" if moment.microsecond else "seconds").replace("+00:00", "Z")


def plain(value: object, depth: int = 0) -> object:
    """Return models, dates, enumerations, tuples and bytes as JSON has them; the rest as it is.

    Raises ValueError for anything else, or nested too deep. NaN stays: whether it is allowed is not decided here.
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, BaseModel):
        value = value.model_dump(warnings=False)
    if isinstance(value, Enum):
        return plain(value.value, depth)
    if value is None or type(value) in {str, bool, int, float}:
        return value
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, Mapping):
        if any(type(key) is not str for key in value):
            raise ValueError("a key is not text")
        return {key: plain(item, depth + 1) for key, item in value.items()}
    raise ValueError(f"{type(value).__name__} is not plain data")


def dumps_canonical(value: object) -> str:
    """Return the canonical JSON of a value; raises CanonicalizationException where it has none."""
    try:
        return canonical_bytes(plain(value)).decode()
    except ValueError as error:
        raise CanonicalizationException(f"No canonical form: {error}.") from error


def hash_canonical(value: object) -> bytes:
    """Return the SHA-256 of the canonical form; raises as `dumps_canonical` does."""
    return hashlib.sha256(dumps_canonical(value).encode()).digest()


def content_bytes(value: object) -> bytes:
    """Return bytes that differ for every different value, also for one with NaN or integers beyond 2^53."""
    data = plain(value)
    try:
        return canonical_bytes(data)
    except ValueError:
        return canonical_bytes(tagged(data))


def to_hex(digest: bytes) -> str:
    """Return ``0x`` and the hexadecimal digits."""
    return f"0x{digest.hex()}"


def from_hex(text: str) -> bytes:
    """Return the bytes of what `to_hex` wrote; raises ValueError for anything else."""
    digits = text[2:]
    if not text.startswith("0x") or len(digits) % 2 or not all(digit in "0123456789abcdefABCDEF" for digit in digits):
        raise ValueError(f"expected '0x' and an even number of hexadecimal digits, got {text[:40]!r}")
    return bytes.fromhex(digits)
