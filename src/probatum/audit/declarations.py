"""What a requirement declares about reading its evidence, as the auditor uses it: its own before that of the prompt.

`probatum.audit.extras` has the keys. Refuses to guess: what cannot be used is a problem, and becomes a failed check.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from probatum.audit.extras import (
    FieldDeclaration,
    PromptDeclarations,
    RequirementDeclarations,
    Tolerance,
    declarations_in,
)
from probatum.audit.json_paths import without_indices
from probatum.audit.measures import normalised
from probatum.audit.schemas import DataRequirement, PromptSpec
from probatum.readers.conventions import Conventions

COMMON_FIELDS: Final = ("price", "result", "timestamp", "value")
"""What is read of JSON where nothing is declared (requirement document, section 8)."""
DEFAULT_TIMESTAMP: Final = "timestamp"
MAX_FIELDS: Final = 200


class DeclaredField(FieldDeclaration):
    """One value to be read, with the name of its claims; its path is empty for what only text holds."""

    name: str


class EvidenceDeclarations(RequirementDeclarations):
    """Everything that is declared for one requirement."""

    reads: tuple[DeclaredField, ...] = ()
    are_common: bool = True
    """Whether nothing was declared for JSON, so that the common fields are read."""
    problems: tuple[str, ...] = ()
    """One sentence for each declaration that cannot be used."""

    @property
    def conventions(self) -> Conventions:
        """How values are written."""
        return _conventions(self.number_format, self.date_order, self.timezone)

    @property
    def status_key(self) -> str:
        """Where the status is; empty where none is declared."""
        return self.status_field if self.accepted_status or self.withheld_status else ""

    def field_of(self, path: str) -> DeclaredField | None:
        """Return the field that a claim of this path was read as, if it is one of these."""
        base = without_indices(path)
        return next((each for each in self.reads if base == without_indices(each.name)), None)

    def tolerance_of(self, path: str) -> Tolerance:
        """Return how exactly the values of a path have to agree."""
        declared = self.field_of(path)
        return self.tolerance if declared is None or declared.tolerance is None else declared.tolerance

    def is_withheld(self, status: str) -> bool:
        """Return whether a record of this status may not establish anything."""
        told, accepted = normalised(status), [*map(normalised, self.accepted_status)]
        return told in map(normalised, self.withheld_status) or (bool(accepted) and told not in accepted)


_conventions = lru_cache(maxsize=64)(Conventions)


def declared_for(spec: PromptSpec, requirement: DataRequirement) -> EvidenceDeclarations:
    """Return what holds for one requirement: its own declarations before those of the prompt."""
    general, problems = declarations_in(spec.extra, PromptDeclarations)
    own, more = declarations_in(requirement.extra, RequirementDeclarations)
    named: dict[str, DeclaredField] = {}
    for layer in (general, own):
        for name, entry in layer.fields.items():
            # Without any place it is the path itself.
            named[name] = _read(entry, name, entry.path or ("" if entry.pattern or entry.label else name))
        named.update({name: _read(entry, name, entry.path) for name, entry in layer.patterns.items()})
    stated = {key: getattr(each, key) for each in (general, own) for key in each.model_fields_set}
    expected = stated.get("expected_fields") if requirement.expected_fields is None else requirement.expected_fields
    for path in expected or ():
        named.setdefault(path, _read(FieldDeclaration(), path, path))
    are_common = not any(each.path for each in named.values())
    if are_common:
        named.update({path: DeclaredField(name=path, path=path) for path in COMMON_FIELDS if path not in named})
    problems = [*problems, *more, *([f"more than {MAX_FIELDS} fields"] if len(named) > MAX_FIELDS else [])]
    reads = tuple(named.values())[:MAX_FIELDS]
    return EvidenceDeclarations.model_construct(**stated, reads=reads, are_common=are_common, problems=tuple(problems))


def _read(entry: FieldDeclaration, name: str, path: str) -> DeclaredField:
    label = entry.label or (name.replace("_", " ") if path and not entry.pattern else "")
    return DeclaredField.model_construct(**{**dict(entry), "name": name, "path": path, "label": label})
