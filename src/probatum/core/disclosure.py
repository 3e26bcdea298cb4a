"""The three layers of a verdict as projections: each says no more than the deeper one.

``agent`` has status and sentence, ``developer`` adds the fields, ``proof`` adds the reference to the evidence.
"""

from __future__ import annotations

from enum import StrEnum

from probatum.core.choice import chosen
from probatum.core.diagnostics import DiagnosticResult


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
