"""What a requirement declares about reading its evidence, from ``extra``; a prompt's ``extra`` holds for all of them.

| key | meaning |
|---|---|
| ``expected_fields`` | JSON paths that have to be read: ``price``, ``data.price``, ``rows[*].close`` |
| ``fields`` | by name: ``path``, ``pattern``, ``group``, ``label``, ``kind``, ``value``, ``unit``, … |
| ``patterns`` | by name: a pattern for text and HTML, or an entry as under ``fields`` |
| ``tolerance`` | relative, or ``{"relative": …, "absolute": …}`` |
| ``entity``, ``entity_field``, ``timestamp_field`` | what records are about, and where that and their time stand |
| ``slack_seconds``, ``max_age_seconds`` | how far outside of the window, and how old, evidence may be |
| ``number_format``, ``date_order``, ``timezone`` | what a text cannot say itself |

Refuses, as problems that become failed checks: unknown keys of a field, keys that are only misspelt, values of another
type, patterns that the engine cannot read. Nothing is guessed in their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import re2  # type: ignore[import-untyped]  # it comes without types

from probatum.audit.claims import exact
from probatum.audit.json_paths import without_indices
from probatum.audit.schemas import DataRequirement, PromptSpec
from probatum.audit.units import is_unit
from probatum.core.errors import nearest
from probatum.core.shape import Shape, ShapeError
from probatum.readers.values import KINDS, Conventions

COMMON_FIELDS: Final = ("price", "result", "timestamp", "value")
"""What is read of JSON where nothing is declared (requirement document, section 8)."""
SELECTIONS: Final = ("latest", "earliest", "highest", "lowest")
DEFAULT_TIMESTAMP: Final = "timestamp"
MAX_PATTERN: Final = 1_000
MAX_FIELDS: Final = 200
MOST: Final = 10**12
"""Seconds, or the tolerance of a number."""
_TEXT_KEYS: Final = ("entity", "entity_field", "timestamp_field", "number_format", "date_order", "timezone")
_KNOWN: Final = (
    *("expected_fields", "fields", "patterns", "tolerance", "slack_seconds", "max_age_seconds"),
    *_TEXT_KEYS,
)
# Of a prompt's `extra`, what others than the auditor read.
_OF_OTHERS: Final = ("predicate", "strict_mode", "compiler", "assumptions", "confidence_policy", "temporal_constraint")
# From 1 on, a relative tolerance lets everything agree.
_BELOW: Final = {"relative": 0.99}
_FIELD_KEYS: Final = ("path", "pattern", "group", "label", "kind", "value", "unit", "tolerance", "select")
_KINDS: Final = (*KINDS, "text")


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far two numbers may be apart and still agree; the larger of the two allowances counts, ends included."""

    relative: Fraction = Fraction(1, 10**9)
    """Of the larger magnitude."""
    absolute: Fraction = Fraction(0)

    def allows(self, low: Fraction, high: Fraction) -> bool:
        """Return whether these two numbers agree."""
        return high - low <= max(self.absolute, self.relative * max(abs(low), abs(high)))

    def to_json(self) -> dict[str, float]:
        """Return it as a trace records it."""
        return {"relative": float(self.relative), "absolute": float(self.absolute)}


@dataclass(frozen=True, slots=True)
class DeclaredField:
    """One value to be read."""

    name: str
    path: str = ""
    """Where it stands in JSON; empty for what only text holds."""
    pattern: Any = None
    """The compiled pattern; its package has no types."""
    group: int | None = None
    """Which group of the pattern is the value; by default the first, or the whole where there is none."""
    label: str = ""
    """The words before the value in text; empty where only JSON holds it."""
    kind: str = ""
    """As which kind a text is read; empty where the text tells."""
    value: object = None
    """What is claimed wherever the pattern matches, in place of what it matched."""
    unit: str = ""
    """What a number without a unit is counted in."""
    tolerance: Tolerance | None = None
    select: str = ""
    """Which of several values of one source counts; by default they have to agree."""


@dataclass(frozen=True, slots=True)
class EvidenceDeclarations:
    """Everything that is declared for one requirement."""

    fields: tuple[DeclaredField, ...] = ()
    are_common: bool = True
    """Whether nothing was declared for JSON, so that the common fields are read."""
    entity: str = ""
    entity_field: str = ""
    timestamp_field: str = DEFAULT_TIMESTAMP
    tolerance: Tolerance = Tolerance()
    slack_seconds: float = 0
    max_age_seconds: float | None = None
    conventions: Conventions = field(default_factory=Conventions)
    problems: tuple[str, ...] = ()
    """One sentence for each declaration that cannot be used."""
    remarks: tuple[str, ...] = ()
    """One sentence for each key that nobody knows; it may be meant for somebody else."""

    def field_of(self, path: str) -> DeclaredField | None:
        """Return the field that a claim of this path was read as, if it is one of these."""
        base = without_indices(path)
        return next((each for each in self.fields if base == without_indices(each.name)), None)

    def tolerance_of(self, path: str) -> Tolerance:
        """Return how exactly the values of a path have to agree."""
        declared = self.field_of(path)
        return self.tolerance if declared is None or declared.tolerance is None else declared.tolerance


def declared_for(spec: PromptSpec, requirement: DataRequirement) -> EvidenceDeclarations:
    """Return what holds for one requirement: its own declarations before those of the prompt."""
    problems: list[str] = []
    remarks: list[str] = []
    layers = (spec.extra, requirement.extra)
    merged: dict[str, object] = {}
    named: dict[str, DeclaredField] = {}
    for layer in layers:
        merged.update({key: layer[key] for key in _KNOWN if key in layer})
        strange = [key for key in layer if key not in _KNOWN and key not in _OF_OTHERS]
        remarks += [f"unknown key {key[:60]!r}. {nearest(key, _KNOWN)}".rstrip() for key in strange]
        for key in ("fields", "patterns"):
            for made in _entries(layer, key, problems):
                named[made.name] = made
    expected = requirement.expected_fields
    if expected is None and "expected_fields" in merged:
        expected = _or_problem(lambda: list(Shape(merged, "extra").texts("expected_fields")), [], problems)
    for path in expected or ():
        named.setdefault(path, DeclaredField(path, path, label=path.replace("_", " ")))
    are_common = not any(each.path for each in named.values())
    if are_common:
        named.update({path: DeclaredField(path, path) for path in COMMON_FIELDS if path not in named})
    if len(named) > MAX_FIELDS:
        problems.append(f"more than {MAX_FIELDS} fields")
    options = _or_problem(lambda: _options(Shape(merged, "extra")), {}, problems)
    return EvidenceDeclarations(
        tuple(named.values())[:MAX_FIELDS], are_common, problems=tuple(problems), remarks=tuple(remarks), **options
    )


def _options(extra: Shape) -> dict[str, Any]:
    told: dict[str, Any] = {
        key: extra.text(key) for key in ("entity", "entity_field", "timestamp_field") if extra.has(key)
    }
    for key in ("slack_seconds", "max_age_seconds"):
        if extra.has(key):
            told[key] = extra.number(key, 0, MOST)
    if extra.has("tolerance"):
        told["tolerance"] = tolerance_of(extra, "tolerance")
    named = {key: extra.text(key) for key in ("number_format", "date_order", "timezone") if extra.has(key)}
    told["conventions"] = Conventions(**named)
    return told


def tolerance_of(extra: Shape, key: str) -> Tolerance:
    """Read a tolerance: a number is relative; raises ShapeError for anything else."""
    if isinstance(extra.raw(key), dict):
        stated = extra.member(key).exactly(may=("relative", "absolute"))
        return Tolerance(
            **{name: exact(stated.number(name, 0, _BELOW.get(name, MOST))) for name in stated.raw_object()}
        )
    return Tolerance(relative=exact(extra.number(key, 0, _BELOW["relative"])))


def _entries(layer: Mapping[str, object], key: str, problems: list[str]) -> Iterator[DeclaredField]:
    """Yield the fields of one mapping, or of a list whose members have a ``name``."""
    stated = layer.get(key)
    if stated is None:
        return
    rows = [(row.get("name"), row) for row in stated if isinstance(row, dict)] if isinstance(stated, list) else ()
    pairs = stated.items() if isinstance(stated, dict) else rows
    if not isinstance(stated, dict | list) or len(pairs) != len(stated):
        problems.append(f"{key}: expected an object by name")
    for name, entry in pairs:
        if not isinstance(name, str) or not name:
            problems.append(f"{key}: an entry has no name")
            continue
        told = {"pattern": entry} if key == "patterns" and isinstance(entry, str) else entry
        try:
            yield _field(Shape(told, f"{key}.{name}"), name, has_path=key == "fields")
        except (ShapeError, ValueError) as error:
            problems.append(str(error))


def _field(entry: Shape, name: str, *, has_path: bool) -> DeclaredField:
    entry.exactly(may=(*_FIELD_KEYS, "name"))
    for key, among in (("kind", _KINDS), ("select", SELECTIONS)):
        if entry.has(key) and entry.text(key) not in among:
            entry.refuse(f"expected one of {', '.join(among)}, got {entry.text(key)!r}", key)
    pattern = entry.optional(Shape.words, "pattern")
    compiled = None if pattern is None else entry.through(lambda _: compiled_pattern(pattern), "pattern")
    group = entry.raw("group") if entry.has("group") else None
    if group is not None:
        groups = (
            {} if compiled is None else {**compiled.groupindex, **{each: each for each in range(compiled.groups + 1)}}
        )
        if not isinstance(group, int | str) or group not in groups:
            entry.refuse("the pattern has no such group", "group")
        group = groups[group]
    elif compiled is not None and compiled.groups:
        group = 1
    label = entry.optional(Shape.words, "label") or ""
    path = entry.optional(Shape.words, "path") or (name if has_path and not (pattern or label) else "")
    return DeclaredField(
        name,
        path,
        compiled,
        group,
        label or (name.replace("_", " ") if path and pattern is None else ""),
        entry.optional(Shape.text, "kind") or "",
        entry.raw("value") if entry.has("value") else None,
        _unit(entry),
        tolerance_of(entry, "tolerance") if entry.has("tolerance") else None,
        entry.optional(Shape.text, "select") or "",
    )


def _unit(entry: Shape) -> str:
    unit = entry.optional(Shape.text, "unit") or ""
    return unit if not unit or is_unit(unit) else entry.refuse("a unit is a name, such as USD, % or km/h", "unit")


def compiled_pattern(pattern: str) -> Any:
    """Return a pattern of the linear-time engine; raises ValueError where it cannot read it."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"the pattern has more than {MAX_PATTERN} characters")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options=options)
    except (re2.error, UnicodeEncodeError) as error:
        told = error.args[0] if error.args else error
        raise ValueError(f"the pattern cannot be read: {told.decode() if isinstance(told, bytes) else told}") from None


def _or_problem(read: Any, otherwise: Any, problems: list[str]) -> Any:
    try:
        return read()
    except ValueError as error:
        problems.append(str(error))
        return otherwise
