"""Merkle roots over evidence and over traces (RFC 6962), and the leaf that differs when a root does.

The leaves of a trace are its steps, then everything else that it says, field by field. Whoever keeps the leaves of a
bundle or a trace can name what was changed, added or left out; whoever keeps the root alone can be shown that a leaf
belongs to it. Refuses to take a root for a proof of anything but its leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import zip_longest
from typing import Final, Literal

from probatum.audit.canonical import content_bytes, to_hex
from probatum.audit.reasoning import ChallengeRef, ReasoningStep, ReasoningTrace
from probatum.audit.schemas import EvidenceBundle
from probatum.core.merkle import Frontier, inclusion_proof, is_included, leaf_hash, node_hash

REASONING_ROOT: Final = "reasoning_root"
"""The entry of a policy's ``extra`` in which a trace keeps its own root; the root is of everything but this."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """The leaves of one bundle or trace, in order, with the id of each."""

    kind: Literal["evidence_leaf", "reasoning_leaf"]
    ids: tuple[str, ...]
    leaves: tuple[bytes, ...]
    fields: int = 0
    """How many of the last leaves are no items or steps, but fields of the whole; their ids are the fields' names."""

    @classmethod
    def of_bundle(cls, bundle: EvidenceBundle) -> Commitment:
        """Return the commitment to the whole content of every item."""
        leaves = tuple(leaf_hash(content_bytes(item)) for item in bundle.items)
        return cls("evidence_leaf", tuple(item.evidence_id for item in bundle.items), leaves)

    @classmethod
    def of_trace(cls, trace: ReasoningTrace) -> Commitment:
        """Return the commitment to every step, and to every other field."""
        told = {f"policy.{name}": getattr(trace.policy, name) for name in type(trace.policy).model_fields}
        extra = told.pop("policy.extra")
        told |= {f"policy.extra.{key}": extra[key] for key in sorted(extra) if key != REASONING_ROOT}
        told |= {name: getattr(trace, name) for name in ("schema_version", "trace_id", "evidence_refs")}
        rows = [*((each.step_id, each) for each in trace.steps), *((key, [key, told[key]]) for key in told)]
        leaves = tuple(leaf_hash(content_bytes(content)) for _, content in rows)
        return cls("reasoning_leaf", tuple(name for name, _ in rows), leaves, len(told))

    @property
    def root(self) -> str:
        """The root, as ``0x`` and hexadecimal digits."""
        return to_hex(reduce(lambda tree, leaf: tree.with_leaf(leaf)[0], self.leaves, Frontier()).root())

    def inclusion(self, index: int) -> tuple[bytes, ...]:
        """Return the hashes that lead from a leaf to the root; raises ValueError where there is no such leaf."""
        return inclusion_proof(index, len(self.leaves), self._node)

    def includes(self, leaf: bytes, index: int, path: Iterable[bytes]) -> bool:
        """Return whether this path leads from the leaf at this place to the root."""
        return is_included(leaf, index, len(self.leaves), tuple(path), bytes.fromhex(self.root[2:]))

    def challenge(self, other: Commitment) -> ChallengeRef | None:
        """Return a reference to the first leaf in which another commitment differs; None where none does."""
        count = len(self.leaves) - self.fields
        for index, (own, found) in enumerate(zip_longest(self._listed, other._listed)):
            if own != found:
                name = (self if own is not None else other).ids[index]
                which = {"evidence_id": name} if self.kind == "evidence_leaf" else {"step_id": name}
                return ChallengeRef(kind=self.kind, leaf_index=index, reason=_differs(own, found), **which)
        fields, others = self._fields, other._fields
        for index, name in enumerate({**fields, **others}, count):
            own, found = fields.get(name), others.get(name)
            if own != found:
                return ChallengeRef(kind=self.kind, leaf_index=index, reason=f"{name} {_differs(own, found)}")
        return None

    @property
    def _listed(self) -> tuple[bytes, ...]:
        return self.leaves[: len(self.leaves) - self.fields]

    @property
    def _fields(self) -> Mapping[str, bytes]:
        first = len(self.leaves) - self.fields
        return dict(zip(self.ids[first:], self.leaves[first:], strict=True))

    def _node(self, level: int, position: int) -> bytes:
        whole = list(self.leaves[position << level : (position + 1) << level])
        while len(whole) > 1:
            whole = [node_hash(*whole[index : index + 2]) for index in range(0, len(whole), 2)]
        return whole[0]


def _differs(own: bytes | None, found: bytes | None) -> str:
    return "added" if own is None else "missing" if found is None else "changed"


def step_commitment(step: ReasoningStep) -> str:
    """Return the hash of a step without its own commitment."""
    told = {name: getattr(step, name) for name in ReasoningStep.model_fields if name != "hash_commitment"}
    return to_hex(leaf_hash(content_bytes(told)))
