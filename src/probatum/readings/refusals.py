"""Why something of a reader is refused: a sentence for people that also has a code, and its values, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Self

from probatum.core.canonical import JsonValue

OTHER: Final = "refused"
"""The code of a sentence that has none of its own."""


class Why(str):
    """A reason; as text it is the sentence, and empty where nothing is refused."""

    __slots__ = ("code", "values")
    code: str
    values: Mapping[str, JsonValue]

    def __new__(cls, code: str, sentence: str, /, **values: JsonValue) -> Self:
        """Return the sentence with its code, and with what it is about by name."""
        made = super().__new__(cls, sentence)
        made.code = code
        made.values = dict(values)
        return made


def code_of(reason: str) -> str:
    """Return the code of a reason, `OTHER` where it has none of its own."""
    return reason.code if isinstance(reason, Why) else OTHER


def refusal_document(reason: str) -> dict[str, JsonValue]:
    """Return a reason as programs read it: the code as ``why``, with the values or else the sentence as ``said``."""
    if isinstance(reason, Why):
        return {"why": reason.code, **(reason.values or {"said": str(reason)})}
    return {"why": OTHER, "said": reason}
