"""What is to be judged: an output, the layers that are asked for, and what each of them needs.

Refuses, by name, a layer whose prerequisite is missing: it would be skipped in silence, and an output that nobody
checked would pass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from probatum.core.frozen import FrozenDict, frozen_dict

URI_SCHEMES: Final = ("http://", "https://", "file:")


class ValidationType(StrEnum):
    """A layer of validation, in the order in which layers run."""

    SCHEMA = "schema"
    FACTS = "facts"
    CRITERIA = "criteria"
    HALLUCINATION = "hallucination"
    QUALITY = "quality"


@dataclass(frozen=True, slots=True)
class Source:
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
    trusted_sources: tuple[Source, ...] = ()
    """What the sources say, those that could be read."""
    unread_sources: tuple[str, ...] = ()
    """Sources that were named and could not be read, with the reason."""
    context: FrozenDict = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "context", frozen_dict(self.context))
