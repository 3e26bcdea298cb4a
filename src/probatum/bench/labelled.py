"""One program of a labelled set: what the product may see of it, and apart from that its label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from probatum.core.decision import Outcome


@dataclass(frozen=True, slots=True)
class Labelled:
    """One program with its label."""

    # Names the row for people; the product never sees it.
    task: str
    label: str
    source: str
    function: str | None = None
    # What the program was asked for, where the program itself may not repeat it.
    contract: str | None = None
    tests: str | None = None
    against: str | None = None
    # The dotted name of the file as a module, where it has other modules beside it.
    module: str | None = None
    # The modules of the project that it imports, by dotted name.
    siblings: tuple[tuple[str, str], ...] = ()
    # What readers wrote about its documentation, as JSON.
    readings: tuple[Mapping[str, object], ...] = ()
    # The verdict that an honest user would want, where the set names it.
    expected: Outcome | None = None
