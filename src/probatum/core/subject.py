"""The subject: the exact bytes under judgement, with their media type and digest.

The digest is always computed from the bytes, never taken from a caller.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from probatum.core.digest import digest_of

PYTHON = "text/x-python"
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is judged. ``name`` is for people and may carry a ``::NAME`` part."""

    content: bytes
    media_type: str
    name: str
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        if type(self.content) is not bytes:
            raise ValueError(f"a subject is bytes, which cannot change, got {type(self.content).__name__}")
        object.__setattr__(self, "digest", digest_of(self.content))


def shown_path(path: str | os.PathLike[str]) -> str:
    """Return a path as text that a proof can hold: bytes that are not text become escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
