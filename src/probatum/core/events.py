"""Events: what happens during a run, for whoever listens. An event decides nothing and cannot be changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from probatum.core.frozen import FrozenDict, frozen_dict
from probatum.core.shape import json_of


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a run: its stage, a sentence, and plain data."""

    stage: str
    message: str = ""
    data: Mapping[str, object] = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "data", frozen_dict(self.data))

    def to_dict(self) -> dict[str, object]:
        """Return the event as plain data."""
        return {**json_of(self)}


Listener: TypeAlias = Callable[[Event], None]


def ignore(_event: Event) -> None:
    """Listen to nothing."""
