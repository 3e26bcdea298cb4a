"""One program of a labelled set: what the product may see of it, and apart from that its label."""

from __future__ import annotations

from dataclasses import dataclass

from probatum.core.decision import Outcome


@dataclass(frozen=True, slots=True)
class Labelled:
    """One program with its label."""

    task: str
    """Names the row for people; the product never sees it."""
    label: str
    source: str
    function: str | None = None
    contract: str | None = None
    """What the program was asked for, where the program itself may not repeat it."""
    tests: str | None = None
    against: str | None = None
    module: str | None = None
    """The dotted name of the file as a module, where it has other modules beside it."""
    siblings: tuple[tuple[str, str], ...] = ()
    """The modules of the project that it imports, by dotted name."""
    expected: Outcome | None = None
    """The verdict that an honest user would want, where the set names it."""
