"""One output to judge, as a plain frozen value: what is asked, and the exact bytes that a verdict is bound to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from probatum.core.frozen import thaw
from probatum.core.subject import JSON
from probatum.judge.request import ValidationRequest

TEXT: Final = "text/plain"


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One output with everything that is asked about it."""

    asked: ValidationRequest
    name: str
    content: bytes
    """The output: text as it is, anything else as compact JSON."""
    repeated_with: tuple[str, ...] = ()
    """The words of the command that repeats the run; none where there was no command."""

    @classmethod
    def of(cls, asked: ValidationRequest, name: str, repeated_with: tuple[str, ...] = ()) -> JudgeRequest:
        """Return the request about an output."""
        return cls(asked, name, output_bytes(asked.output), repeated_with)

    @property
    def recorded_name(self) -> str:
        """What a ledger calls it: its name."""
        return self.name

    @property
    def media_type(self) -> str:
        """The media type of the output."""
        return TEXT if isinstance(self.asked.output, str) else JSON


def output_bytes(output: object) -> bytes:
    """Return the bytes of an output: text as it is, anything else as compact JSON."""
    if isinstance(output, str):
        return output.encode()
    return json.dumps(thaw(output), ensure_ascii=False, separators=(",", ":")).encode()


def asked_bytes(asked: ValidationRequest) -> bytes:
    """Return all that is asked about an output, as bytes that are the same wherever the same is asked."""
    return json.dumps(asked.asked_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
