"""What can be read: documented things by name, each with its statements and its signature.

Whoever has such things (programs, for one) says here what may be quoted; how they came by it is theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


class Quotable(Protocol):
    """One statement that can be quoted."""

    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str:
        """White space is collapsed to single spaces."""

    @property
    def about(self) -> str:
        """The name of the entry that it is in; may be empty."""

    @property
    def owner(self) -> str:
        """The member that it documents; may be empty."""


@dataclass(frozen=True, slots=True)
class Documentation:
    """One documented thing, with its members if it has any."""

    name: str
    passages: tuple[Quotable, ...]
    elsewhere: str
    """Text that may be quoted and is not a statement, such as the signature."""
    signature: str
    """As a caller sees it; those of the members follow."""
    digest: str
    """Of the signature."""
    parameters: tuple[str, ...] = ()
    """What clauses may name."""
    usable: frozenset[str] = frozenset()
    """What sessions, inputs and helpers may name."""
    bound: frozenset[str] = frozenset()
    """What of it the file defines or has from its project, which means in every session what it means there."""
    types: frozenset[str] = frozenset()
    """What clauses may name of it."""
    packages: frozenset[str] = frozenset()
    """What any of them may import besides the standard library."""


@dataclass(frozen=True, slots=True)
class Documents:
    """All that is documented in one place."""

    names: tuple[str, ...]
    about: Callable[[str], Documentation | None]
    """Returns the thing of a name, None where there is no such thing."""
