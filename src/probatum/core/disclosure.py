"""The three layers of a verdict as projections: each says no more than the deeper one.

``agent`` has status and sentence, ``developer`` adds the fields, ``proof`` adds the reference to the evidence. Names of
files and functions, in keys and headings, carry no text to the agent either.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum
from typing import Final

from probatum.core.choice import chosen
from probatum.core.diagnostics import DiagnosticResult

# A path or a dotted name: each part as short and plain as what the slots of a sentence take.
_NAME: Final = re.compile(r"/?[\w.\[\]@+-]{1,64}(?:(?:::|[/: ])[\w.\[\]@+-]{1,64}){0,15}", re.ASCII)
_NAMELESS: Final = "it"


class Layer(StrEnum):
    """Who reads: the agent that made the subject, its developer, or an auditor."""

    AGENT = "agent"
    DEVELOPER = "developer"
    PROOF = "proof"


def parse_layer(name: str) -> Layer:
    """Return the layer of this name; raises UsageError for an unknown one."""
    return chosen(name, Layer, "layer")


def disclose(result: DiagnosticResult, layer: Layer) -> dict[str, object]:
    """Return what this layer may see of a verdict."""
    whole = result.to_dict()
    if layer is Layer.PROOF:
        return whole
    more = ("developer_fields",) if layer is Layer.DEVELOPER else ()
    return {key: whole[key] for key in ("status", "agent_message", *more)}


def named(name: str, layer: Layer, taken: Collection[str] = ()) -> str:
    """Return what this layer calls something: to the agent a name that could carry text of its own is ``it``.

    A name that is ``taken`` gets a number.
    """
    told = name if layer is not Layer.AGENT or _NAME.fullmatch(name) else _NAMELESS
    return told if told not in taken else f"{told} ({len(taken)})"
