"""What is to be judged: an output, the layers that are asked for, and what each of them needs.

Refuses, by name, a layer whose prerequisite is missing: it would be skipped in silence, and an output that nobody
checked would pass.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from probatum.contracts.values import first_flaw
from probatum.core.canonical import JsonValue
from probatum.core.errors import BudgetError, UsageError, nearest
from probatum.core.frozen import FrozenDict, freeze, frozen_dict, thaw
from probatum.core.json_text import MAX_DEPTH, is_deeper
from probatum.core.shape import Shape, ShapeError
from probatum.readers.json_schema.paths import path_text

URI_SCHEMES: Final = ("http://", "https://", "file:")
MAX_REQUEST_BYTES: Final = 16 * 1024 * 1024
"""Of the whole request as JSON, with what its sources say."""
MAX_CRITERIA: Final = 1_000
MAX_SOURCES: Final = 10_000
ACCEPTED: Final = "accepted"
"""The policy of readings where none is named: those that somebody accepted count."""
_POLICY: Final = re.compile(r"accepted|proposed|none|consensus:[1-9]\d?")
INVALID: Final = "ValidationError"
"""The code of a request that cannot be judged as it stands; the service's answer names it."""


class ValidationType(StrEnum):
    """A layer of validation, in the order in which layers run."""

    SCHEMA = "schema"
    FACTS = "facts"
    CRITERIA = "criteria"
    HALLUCINATION = "hallucination"
    QUALITY = "quality"


@dataclass(frozen=True, slots=True)
class TrustedSource:
    """A text that counts as true: a trusted source, or something of the context."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ValidationRequest:
    """One output with everything that is asked about it; JSON values are frozen."""

    output: object
    validation_types: tuple[ValidationType, ...]
    acceptance_criteria: tuple[str, ...] = ()
    expected_schema: object = None
    trusted_sources: tuple[TrustedSource, ...] = ()
    """What the sources say, those that were read."""
    unread_sources: tuple[str, ...] = ()
    """Addresses of sources that were not read."""
    context: FrozenDict = field(default_factory=FrozenDict)
    readings: object = ()
    """Records of readings of claims and criteria, as JSON."""
    readings_policy: str = ACCEPTED
    """Which readings count."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "output", freeze(self.output))
        object.__setattr__(self, "expected_schema", freeze(self.expected_schema))
        object.__setattr__(self, "context", frozen_dict(self.context))
        object.__setattr__(self, "readings", freeze(self.readings))

    def asked_json(self) -> dict[str, JsonValue]:
        """Return all that is asked about the output, as JSON."""
        return {
            "validation_types": [each.value for each in self.validation_types],
            "acceptance_criteria": list(self.acceptance_criteria),
            "expected_schema": thaw(self.expected_schema),  # type: ignore[dict-item]  # JSON
            "trusted_sources": [{"name": each.name, "text": each.text} for each in self.trusted_sources],
            "unread_sources": list(self.unread_sources),
            "context": thaw(self.context),  # type: ignore[dict-item]  # JSON
            **({"readings": thaw(self.readings), "readings_policy": self.readings_policy} if self.readings else {}),  # type: ignore[dict-item]  # JSON
        }


_FIELDS: Final = (
    *("output", "validation_types", "acceptance_criteria", "expected_schema", "trusted_sources", "context"),
    *("readings", "readings_policy"),
)
_PREREQUISITES: Final = {
    ValidationType.SCHEMA: "expected_schema",
    ValidationType.FACTS: "trusted_sources",
    ValidationType.CRITERIA: "acceptance_criteria",
}


def validation_request(fields: Mapping[str, object]) -> ValidationRequest:
    """Return the request that JSON states; sources that are addresses are named as unread.

    Raises UsageError where it makes no sense, with the field in its details, and BudgetError where it is too large.
    """
    for key in fields:
        if key not in _FIELDS:
            raise _invalid(f"Unknown field {key!r}.", key, nearest(key, _FIELDS))
    if "output" not in fields:
        raise _invalid("output required: the value that is to be judged, which may be null.", "output")
    flaw = first_flaw(dict(fields))
    if flaw is not None:
        raise _invalid(f"The request is not JSON: {path_text(flaw[0])} {flaw[1]}.", str(flaw[0][0]) if flaw[0] else "")
    if is_deeper(dict(fields)):
        raise BudgetError("judge.too_large", f"A request is nested at most {MAX_DEPTH} levels deep.")
    if len(json.dumps(fields, ensure_ascii=False)) > MAX_REQUEST_BYTES:
        raise BudgetError("judge.too_large", f"A request has at most {MAX_REQUEST_BYTES:,} bytes.")
    # A null counts as nothing given, except for the output.
    shape = Shape({name: value for name, value in fields.items() if value is not None or name == "output"})
    given = shape.raw_object()
    try:
        types = _types(shape)
        criteria = shape.texts("acceptance_criteria") if "acceptance_criteria" in given else ()
        schema = _schema(shape) if "expected_schema" in given else None
        sources, addresses = _sources(shape) if "trusted_sources" in given else ((), ())
        context = shape.raw_object("context") if "context" in given else {}
        policy = shape.text("readings_policy") if "readings_policy" in given else ACCEPTED
    except ShapeError as error:
        raise _invalid(f"{error}.", error.place.partition("[")[0]) from error
    if len(criteria) > MAX_CRITERIA:
        raise _invalid(f"At most {MAX_CRITERIA:,} criteria are judged, got {len(criteria):,}.", "acceptance_criteria")
    if not _POLICY.fullmatch(policy):
        sentence = f"A policy of readings is accepted, consensus:N, proposed or none, not {policy[:40]!r}."
        raise _invalid(sentence, "readings_policy")
    request = ValidationRequest(
        given["output"],
        types,
        criteria,
        schema,
        sources,
        addresses,
        frozen_dict(context),
        given.get("readings", ()),
        policy,
    )
    _require_prerequisites(request)
    return request


def with_sources(
    request: ValidationRequest, read: Callable[[str], TrustedSource], also: tuple[TrustedSource, ...] = ()
) -> ValidationRequest:
    """Return a request whose addresses have been read as far as they can; ``read`` raises LookupError for the others.

    ``also`` are sources that came from elsewhere, such as a command line.
    """
    found, unread = [*request.trusted_sources, *also], list[str]()
    for address in request.unread_sources:
        try:
            found.append(read(address))
        except LookupError:
            unread.append(address)
    return replace(request, trusted_sources=tuple(found), unread_sources=tuple(unread))


def _types(shape: Shape) -> tuple[ValidationType, ...]:
    known = ", ".join(each.value for each in ValidationType)
    if "validation_types" not in shape.raw_object():
        raise _invalid(f"validation_types required: one or more of {known}.", "validation_types")
    asked = {each.choice(ValidationType) for each in shape.items("validation_types")}
    if not asked:
        raise _invalid(f"validation_types needs one or more of {known}, got none.", "validation_types")
    return tuple(each for each in ValidationType if each in asked)


def _schema(shape: Shape) -> JsonValue:
    schema = shape.raw("expected_schema")
    return schema if isinstance(schema, bool) else shape.raw_object("expected_schema")


def _sources(shape: Shape) -> tuple[tuple[TrustedSource, ...], tuple[str, ...]]:
    texts, addresses = list[TrustedSource](), list[str]()
    for each in shape.items("trusted_sources", 0, MAX_SOURCES):
        if isinstance(each.value, dict):
            named = each.exactly("name", "text")
            texts.append(TrustedSource(named.words("name"), named.text("text")))
        elif (text := each.text()).startswith(URI_SCHEMES) and len(text.split()) == 1:
            addresses.append(text)
        else:
            texts.append(TrustedSource(each.place, text))
    return tuple(texts), tuple(addresses)


def _require_prerequisites(request: ValidationRequest) -> None:
    there = {
        ValidationType.SCHEMA: request.expected_schema is not None,
        ValidationType.FACTS: bool(request.trusted_sources or request.unread_sources),
        ValidationType.CRITERIA: bool(request.acceptance_criteria),
    }
    for layer, name in _PREREQUISITES.items():
        if layer in request.validation_types and not there[layer]:
            sentence = f"{name} required when validation_types includes '{layer.value}'"
            types: list[JsonValue] = [each.value for each in request.validation_types]
            raise UsageError(INVALID, sentence, details={"validation_types": types, "missing_field": name})


def _invalid(sentence: str, field_name: str, hint: str = "") -> UsageError:
    return UsageError(INVALID, sentence, hint, {"field": field_name})
