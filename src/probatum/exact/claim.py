"""A claim and what an engine says of it: plain frozen values that travel between processes as JSON.

A claim is a statement about what is given with it, and nothing else. A ruling is PROVED with a certificate, which
somebody else can check, REFUTED with what contradicts it, or UNDECIDED. Refuses a proof without a certificate and a
refutation without counter-evidence; what could not be read or tried is an error, never a ruling.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.frozen import FrozenDict, frozen_dict
from probatum.core.shape import Shape, json_of

MAX_STATEMENT: Final = 20_000
"""Characters of one statement."""
_SHOWN: Final = 24


@dataclass(frozen=True, slots=True)
class ExactClaim:
    """What is claimed, by the name of the engine that decides it; ``given`` holds JSON alone, by the input's name.

    Numbers in ``given`` mean the decimal fraction that Python writes for them; more digits are given as text.
    """

    engine: str
    statement: str
    given: FrozenDict = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        if len(self.statement) > MAX_STATEMENT:
            raise BudgetError("engine.too_large", f"A statement has at most {MAX_STATEMENT:,} characters.")
        for name, value in self.given.items():
            _require_finite(value, name)
        object.__setattr__(self, "given", frozen_dict(self.given))

    @property
    def inputs(self) -> Shape:
        """Return what is given, to be read with its places."""
        return Shape(self.given)

    def to_json(self) -> dict[str, JsonValue]:
        """Return the claim as JSON."""
        return json_of(self)

    @classmethod
    def from_json(cls, value: object) -> ExactClaim:
        """Read a claim back; raises ValueError for anything else."""
        return Shape(value, "claim").into(cls)


def _require_finite(value: object, place: str) -> None:
    if type(value) is float and not isfinite(value):
        raise NotAttemptedError("engine.non_finite", f"{place} holds {value!r}, which is not a number to compute with.")
    if isinstance(value, list):
        for index, item in enumerate(value):
            _require_finite(item, f"{place}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            _require_finite(item, f"{place}.{key}"[:60])


@dataclass(frozen=True, slots=True)
class Ruling:
    """What an engine says: an outcome, a constraint of the catalogue, and the evidence for it."""

    outcome: Outcome
    constraint: str
    detail: str = ""
    """One sentence for developers; empty where the constraint says it all."""
    evidence: FrozenDict = field(default_factory=FrozenDict)
    """Of a proof: the certificate. Of a refutation: the counter-evidence. Else: what is known so far."""
    stated: str = ""
    """The claim as it was read, in canonical form; empty where it was not read to its end."""

    def __post_init__(self) -> None:
        if self.outcome not in (Outcome.PROVED, Outcome.REFUTED, Outcome.UNDECIDED):
            raise ValueError(f"an engine proves, refutes or leaves undecided, got {self.outcome!r}")
        if self.outcome is not Outcome.UNDECIDED and not self.evidence:
            raise ValueError("a claim is proved by a certificate and refuted by counter-evidence")
        object.__setattr__(self, "evidence", frozen_dict(self.evidence))

    @property
    def certificate_digest(self) -> str:
        """Return the digest of the evidence in its canonical form."""
        # Digests bring in OpenSSL, which is a tenth of the time that importing this package takes.
        from probatum.core.digest import digest_of

        return digest_of(canonical_bytes(self.evidence))

    def to_json(self) -> dict[str, JsonValue]:
        """Return the ruling as JSON."""
        return json_of(self)

    @classmethod
    def from_json(cls, value: object) -> Ruling:
        """Read a ruling back; raises ValueError for anything else."""
        return Shape(value, "ruling").into(cls)


def proved(constraint: str, certificate: Mapping[str, object]) -> Ruling:
    """Return the ruling that a claim is true; the certificate is JSON, and written alike every time."""
    return Ruling(Outcome.PROVED, constraint, "", frozen_dict(certificate))


def refuted(constraint: str, detail: str, counter_evidence: Mapping[str, object]) -> Ruling:
    """Return the ruling that a claim is false, with what contradicts it, as JSON."""
    return Ruling(Outcome.REFUTED, constraint, detail, frozen_dict(counter_evidence))


def undecided(constraint: str, detail: str, evidence: Mapping[str, object] | None = None) -> Ruling:
    """Return the ruling that a claim can be neither proved nor refuted, and why."""
    return Ruling(Outcome.UNDECIDED, constraint, detail, frozen_dict(evidence or {}))


def unreadable(code: str, text: str, position: int, problem: str, hint: str = "") -> NotAttemptedError:
    """Return the error for a text that cannot be read: what was found at which place, counted from 0."""
    near = text[position : position + _SHOWN]
    found = f"{near!r} at position {position}" if near else f"the end, position {position}"
    return NotAttemptedError(code, f"{problem}; found {found}.", hint)


class CannotDecideError(Exception):
    """Raised inside an engine where a claim turns out to be beyond it; becomes an undecided ruling."""

    def __init__(self, constraint: str, detail: str, evidence: Mapping[str, object] | None = None) -> None:
        super().__init__(detail)
        self.ruling = undecided(constraint, detail, evidence)
