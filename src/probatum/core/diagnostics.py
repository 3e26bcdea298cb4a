"""The verdict: three states, three disclosure layers, and no way to write VERIFIED without a proof.

Refuses at construction: a status that is not one of the three; VERIFIED without a digest of retained evidence, or any
other status with one; a blank agent message, or one that leaks the layers below it; developer fields that are not
JSON; advice that claims to be more. In-process Python cannot be sealed: authority comes from re-checking the artifact
behind ``proof_ref``, never from holding such an object.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NoReturn, TypeVar, final

from probatum.core.canonical import canonical_bytes, require_json
from probatum.core.decision import STATUS_OF, DiagnosticStatus, Outcome
from probatum.core.digest import digest_of, require_digest
from probatum.core.frozen import FrozenDict, FrozenList, freeze, frozen_dict, thaw
from probatum.core.legacy import read_legacy
from probatum.core.messages import is_catalogued
from probatum.core.outside import folded, is_seen
from probatum.core.shape import Shape

__all__ = ["AdvisoryCheck", "DiagnosticResult", "DiagnosticStatus", "compute_proof_ref"]

# From this length on, any repeated text is a leak; a shorter one unless it is a plain word or a whole number.
SHORTEST_LEAK: Final = 8
_RESERVED_IN_ADVICE = frozenset({"status", "proof_ref"})
_SHOWN_KEY: Final = 64
MAX_MESSAGE: Final = 1000
"""The longest sentence that an agent reads, in characters."""
MAX_CONSTRAINT: Final = 200
_ALLOWED_OUTCOMES: Final = {
    status: sorted(outcome.value for outcome in Outcome if STATUS_OF[outcome] is status) for status in DiagnosticStatus
}


def compute_proof_ref(evidence: Mapping[str, object]) -> str:
    """Return the digest of the RFC 8785 canonical form of ``evidence``.

    Raises ValueError if the evidence is empty, not an object, or has no single canonical form (NaN, Decimal, tuples,
    keys that are not strings, integers beyond 2^53, lone surrogates, cycles): fail-closed.
    """
    if not isinstance(evidence, dict) or not evidence:
        raise ValueError("evidence must be a non-empty JSON object: a hash of nothing proves nothing")
    return digest_of(canonical_bytes(evidence))


def _refuse_state(self: object, _state: object) -> NoReturn:
    raise ValueError(f"a {type(self).__name__} is built by its constructor, never from a state: that skips its checks")


def _unpickled_by_constructor(cls: type[Made]) -> type[Made]:
    """Let pickles go through the constructor alone."""
    # From outside the class: the dataclass decorator of 3.11.0 to 3.11.3 replaces a __setstate__ defined in it.
    type.__setattr__(cls, "__setstate__", _refuse_state)
    return cls


Made = TypeVar("Made")


class _Checked:
    """A final value that is always checked; two are equal when they are the same JSON (1 and True are not)."""

    __slots__: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        parent = cls.__mro__[1]
        if parent is not _Checked:
            raise TypeError(f"{parent.__name__} is final: a subclass could skip its checks")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Checked) or type(other) is not type(self):
            return NotImplemented
        return canonical_bytes(self.to_dict()) == canonical_bytes(other.to_dict())

    def __hash__(self) -> int:
        return hash(canonical_bytes(self.to_dict()))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), tuple(getattr(self, name) for name in self.__slots__)

    def to_dict(self) -> dict[str, object]:
        """Return the value as JSON, independent of this object."""
        raise NotImplementedError


@final
@_unpickled_by_constructor
@dataclass(frozen=True, slots=True, eq=False)
class AdvisoryCheck(_Checked):
    """What a model or a heuristic suggests. It never sets a status and never becomes evidence."""

    name: str
    advisory_only: bool = True
    constraint_id: str | None = None
    details: FrozenDict = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        if type(self.name) is not str or not self.name.strip():
            raise ValueError(f"an advisory check needs a name, got {self.name!r}")
        if self.advisory_only is not True:
            raise ValueError(f"advisory_only must be True: advice never decides, got {self.advisory_only!r}")
        if self.constraint_id is not None:
            _require_constraint(self.constraint_id)
            if not self.constraint_id:
                raise ValueError("constraint_id must be text or None, got ''")
        if not isinstance(self.details, dict):
            raise ValueError(f"details must be an object, got {type(self.details).__name__}")
        require_json([self.name, self.constraint_id], path="advisory check")
        require_json(self.details, path="details")
        if reserved := _RESERVED_IN_ADVICE.intersection(_keys(self.details)):
            raise ValueError(f"advice must not carry {sorted(reserved)}: it never decides")
        object.__setattr__(self, "details", frozen_dict(self.details))

    def to_dict(self) -> dict[str, object]:
        return {
            "name": self.name,
            "advisory_only": True,
            "constraint_id": self.constraint_id,
            "details": thaw(self.details),
        }

    @classmethod
    def from_dict(cls, data: object) -> AdvisoryCheck:
        """Read a check back; raises ValueError for anything malformed."""
        check = Shape(data, "advisory check").exactly("name", "advisory_only", may=("constraint_id", "details"))
        return cls(
            check.text("name"),
            check.flag("advisory_only"),
            check.optional(Shape.text, "constraint_id"),
            FrozenDict(check.raw_object("details")) if "details" in check.raw_object() else FrozenDict(),
        )


@final
@_unpickled_by_constructor
@dataclass(frozen=True, slots=True, eq=False)
class DiagnosticResult(_Checked):
    """A verdict in three layers: ``agent_message``, ``developer_fields``, ``proof_ref``."""

    status: DiagnosticStatus
    agent_message: str
    developer_fields: FrozenDict
    proof_ref: str | None = None

    def __post_init__(self) -> None:
        if type(self.status) is not DiagnosticStatus:
            allowed = ", ".join(status.value for status in DiagnosticStatus)
            raise ValueError(f"status must be a DiagnosticStatus ({allowed}), got {repr(self.status)[:_SHOWN_KEY]}")
        if self.status is DiagnosticStatus.VERIFIED:
            require_digest(self.proof_ref, "proof_ref of a VERIFIED result")
        elif self.proof_ref is not None:
            found = repr(self.proof_ref)[:_SHOWN_KEY]
            raise ValueError(f"{self.status.value} carries no proof: proof_ref must be None, got {found}")
        object.__setattr__(self, "developer_fields", _checked_fields(self.developer_fields, self.status))
        _check_agent_message(self.agent_message, self.developer_fields)

    @property
    def is_verified(self) -> bool:
        """True only for VERIFIED."""
        return self.status is DiagnosticStatus.VERIFIED

    @property
    def is_authoritative(self) -> bool:
        """True when a proof reference is present; the product itself asks the gate, not this."""
        return self.proof_ref is not None

    @property
    def is_fail_closed(self) -> bool:
        """True for UNVERIFIABLE and BLOCKED."""
        return not self.is_verified

    @property
    def constraint_id(self) -> str | None:
        """The primary constraint."""
        return self.developer_fields.get("constraint_id")  # type: ignore[return-value]  # checked at construction

    @property
    def outcome(self) -> str | None:
        """What happened, finer than the status."""
        return self.developer_fields.get("outcome")  # type: ignore[return-value]  # likewise

    @property
    def advisory_checks(self) -> list[AdvisoryCheck]:
        """The advice that travelled with the verdict; it decided nothing."""
        return list(self.developer_fields.get("advisory_checks", ()))  # type: ignore[call-overload,no-any-return]  # likewise

    def resting_on(self, proof_ref: str) -> DiagnosticResult:
        """Return the same VERIFIED statement with the proof of another subject of which the same was observed.

        Raises ValueError if this is not VERIFIED, or the reference is not a digest.
        """
        if not self.is_verified:
            raise ValueError(f"{self.status.value} carries no proof")
        # Not through the constructor: what it checked for this verdict holds for the other one too.
        other = object.__new__(DiagnosticResult)
        object.__setattr__(other, "status", self.status)
        object.__setattr__(other, "agent_message", self.agent_message)
        object.__setattr__(other, "developer_fields", self.developer_fields)
        object.__setattr__(other, "proof_ref", require_digest(proof_ref, "proof_ref of a VERIFIED result"))
        return other

    def to_dict(self) -> dict[str, object]:
        return {
            "status": self.status.value,
            "agent_message": self.agent_message,
            "developer_fields": _plain_fields(self.developer_fields),
            "proof_ref": self.proof_ref,
            "is_authoritative": self.is_authoritative,
        }

    @classmethod
    def from_dict(cls, data: object) -> DiagnosticResult:
        """Read a verdict back; raises ValueError for anything malformed, or an ``is_authoritative`` that is false."""
        verdict = Shape(data)
        verdict.exactly("status", "agent_message", "developer_fields", may=("proof_ref", "is_authoritative"))
        told = verdict.raw("status")
        status = told if isinstance(told, DiagnosticStatus) else verdict.choice(DiagnosticStatus, "status")
        fields = FrozenDict(verdict.raw_object("developer_fields"))
        result = cls(status, verdict.text("agent_message"), fields, verdict.optional(Shape.text, "proof_ref"))
        if verdict.raw_object().get("is_authoritative", result.is_authoritative) is not result.is_authoritative:
            verdict.refuse("it contradicts proof_ref", "is_authoritative")
        return result

    @classmethod
    def verified(
        cls, agent_message: str, developer_fields: Mapping[str, object], evidence: Mapping[str, object]
    ) -> DiagnosticResult:
        """Build VERIFIED with the digest of its evidence; raises ValueError where the evidence proves nothing."""
        proof_ref = compute_proof_ref(evidence)
        return cls(DiagnosticStatus.VERIFIED, agent_message, _as_fields(developer_fields), proof_ref)

    @classmethod
    def unverifiable(cls, agent_message: str, developer_fields: Mapping[str, object]) -> DiagnosticResult:
        """Build UNVERIFIABLE: the claim could not be proven, or was refuted."""
        return cls(DiagnosticStatus.UNVERIFIABLE, agent_message, _as_fields(developer_fields))

    @classmethod
    def blocked(cls, agent_message: str, developer_fields: Mapping[str, object]) -> DiagnosticResult:
        """Build BLOCKED: verification could not be attempted."""
        return cls(DiagnosticStatus.BLOCKED, agent_message, _as_fields(developer_fields))

    @classmethod
    def from_legacy_dict(cls, data: Mapping[str, object], engine: str) -> DiagnosticResult:
        """Migrate what an earlier engine answered; its own words stay in the developer layer.

        Raises ValueError if the engine claims success, whose evidence is gone, or its answer is unknown.
        """
        legacy = read_legacy(data, engine)
        return cls(legacy.status, legacy.agent_message, frozen_dict(legacy.developer_fields()))


def _as_fields(fields: Mapping[str, object]) -> FrozenDict:
    if not isinstance(fields, Mapping):
        raise ValueError(f"developer_fields must be an object, got {type(fields).__name__}")
    return FrozenDict(fields)


def _checked_fields(fields: object, status: DiagnosticStatus) -> FrozenDict:
    if not isinstance(fields, dict):
        raise ValueError(f"developer_fields must be an object, got {type(fields).__name__}")
    advice = fields.get("advisory_checks", [])
    if not isinstance(advice, list | tuple):
        raise ValueError(f"advisory_checks must be a list, got {type(advice).__name__}")
    checks = [check if isinstance(check, AdvisoryCheck) else AdvisoryCheck.from_dict(check) for check in advice]
    plain = {key: value for key, value in fields.items() if key != "advisory_checks"}
    require_json(plain, path="developer_fields")
    outcome = plain.get("outcome")
    if outcome is not None and (type(outcome) is not str or outcome not in _ALLOWED_OUTCOMES[status]):
        allowed = ", ".join(_ALLOWED_OUTCOMES[status])
        raise ValueError(f"outcome {repr(outcome)[:_SHOWN_KEY]} does not go with {status.value}; allowed: {allowed}")
    constraint = plain.get("constraint_id")
    if constraint is not None:
        _require_constraint(constraint)
    frozen: dict[str, object] = {key: freeze(value) for key, value in plain.items()}
    if "advisory_checks" in fields:
        frozen["advisory_checks"] = FrozenList(checks)
    return FrozenDict(frozen)


def _plain_fields(fields: FrozenDict) -> dict[str, object]:
    plain: dict[str, object] = {key: thaw(value) for key, value in fields.items()}
    if "advisory_checks" in plain:
        plain["advisory_checks"] = [check.to_dict() for check in plain["advisory_checks"]]  # type: ignore[attr-defined]  # checked
    return plain


def _check_agent_message(message: object, fields: FrozenDict) -> None:
    if type(message) is not str:
        raise ValueError(f"agent_message must be text, got {type(message).__name__}")
    require_json(message, path="agent_message")
    _require_visible(message)
    constraint = fields.get("constraint_id")
    if isinstance(constraint, str) and is_catalogued(constraint, message):
        return
    if "\\" in message:
        raise ValueError("agent_message holds a backslash escape, which could carry a pattern")
    told = folded(message)
    if isinstance(constraint, str) and constraint and folded(constraint) in told:
        raise ValueError("agent_message tells the constraint id, which belongs to the developer layer")
    # Advice is left out: if its words could make a verdict impossible, advice would decide.
    evidence = {key: value for key, value in fields.items() if key not in {"outcome", "advisory_checks"}}
    if any(_is_told(folded(text).strip(), told) for text in _texts(evidence)):
        raise ValueError("agent_message repeats the text of a developer field")


def _is_told(text: str, told: str) -> bool:
    """True where a sentence holds a field's text, unless the text is so short and plain that any sentence might."""
    if text not in told:
        return False
    if len(text) >= SHORTEST_LEAK:
        return True
    is_plain = len(text) < 2 or text.isdecimal() or text.replace(" ", "").isalpha()
    return not is_plain and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", told) is not None


def _require_visible(message: str) -> None:
    if len(message) > MAX_MESSAGE:
        raise ValueError(f"agent_message has {len(message)} characters; at most {MAX_MESSAGE} are told")
    # Nearly all messages: the table of Unicode categories is slow.
    if message.isascii() and message.isprintable() and message.strip():
        return
    categories = {sign: unicodedata.category(sign) for sign in message}
    if not any(category[0] in "LNPS" and is_seen(sign) for sign, category in categories.items()):
        raise ValueError("agent_message has no visible character")
    if not all(category == "Zs" or is_seen(sign) for sign, category in categories.items()):
        raise ValueError("agent_message holds a control character, or one that hides or turns text")


def _require_constraint(constraint: object) -> None:
    if type(constraint) is not str:
        raise ValueError(f"constraint_id must be text, got {type(constraint).__name__}")
    if len(constraint) > MAX_CONSTRAINT or not is_seen(constraint):
        raise ValueError(f"constraint_id is a short visible text, got {constraint[:_SHOWN_KEY]!a}")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, float) and not value.is_integer():
        yield repr(value)
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    for item in value if isinstance(value, list) else ():
        yield from _keys(item)
