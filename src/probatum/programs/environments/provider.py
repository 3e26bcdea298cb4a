"""What makes values that no literal writes: the form of an environment, and which ones there are by name.

An environment gives Python code. It runs in the sandbox alone, beside the program, and nothing of an environment is
loaded before a reading names it, but those that ship. Refuses another package's environment under the name of one that
ships.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.verification.plugins import load_object, offer_of

ENVIRONMENTS: Final = "probatum.environments"
"""The entry points of other packages; each gives an `EnvironmentProvider`."""


class CannotBeMadeError(Exception):
    """An environment makes nothing for this program; the text says why."""


@dataclass(frozen=True, slots=True)
class MadeVariant:
    """One value, in one state."""

    body: str
    """The body of a function without parameters that returns it; it may name what the program defines."""
    doubt: str = ""
    """Why a call with it that breaks a clause is a question, not a refutation; empty where it is none."""


@dataclass(frozen=True, slots=True)
class GivenFacts:
    """What an environment knows when it is asked for variants."""

    facts: object
    """What its probe found, plain data; the program may have changed it. None without a probe."""
    words: frozenset[str]
    """Every name in the text of the function and of what is read of it."""
    seed: int


@dataclass(frozen=True, slots=True)
class EnvironmentProvider:
    """Something around a function that a parameter stands for."""

    name: str
    variants: Callable[[GivenFacts], Sequence[MadeVariant]]
    """Gives the same for the same, the plainest first; raises `CannotBeMadeError`."""
    probe: str = ""
    """A module with a function ``facts``, which takes the names of the loaded program; empty where nothing is asked."""
    types: frozenset[str] = frozenset()
    """Dotted names of the types of parameters that it surely is meant for."""


def environment_of(name: str, built_in: Sequence[EnvironmentProvider]) -> EnvironmentProvider:
    """Return the environment of this name, those that ship first; raises as `offer_of` and `load_object`."""
    for each in built_in:
        if each.name == name:
            return each
    offer = offer_of(name, ENVIRONMENTS, [each.name for each in built_in])
    found = load_object(offer, "environment", lambda made: made)
    if not isinstance(found, EnvironmentProvider):
        sentence = (
            f"The entry point {name!r} ({offer.value}) gives a {type(found).__name__}, expected an EnvironmentProvider."
        )
        raise NotAttemptedError("plugin.broken", sentence)
    return found
