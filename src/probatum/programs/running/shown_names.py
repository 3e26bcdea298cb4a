"""What a loaded program shows: the public names of its module, and every text that documents one of them.

Code that runs at import may add names and rewrite documentation; no syntax shows that. Asked of the candidate once a
program, see `sandbox.inside.inventory`. What it answers can withhold VERIFIED and never earns it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from probatum.programs.running.execute import PROGRAM_LIMITS, LoadFailure, loaded
from probatum.programs.running.inside import asked_inside
from probatum.sandbox import Program, Reply, Returned, Sandbox

_ASK = (
    "(lambda found: (found.names, _b.list(found.texts)))(_asked['Inventory'](__name__, "
    "_b.vars(_asked['sys'].modules[__name__]) if __name__ in _asked['sys'].modules else _b.globals(), {0!r}, {1!r}))"
)


@dataclass(frozen=True, slots=True)
class ShownName:
    """One name as the loaded module has it."""

    name: str
    is_callable: bool
    is_own: bool
    """Whether its object says that this module made it, or says nothing about that."""
    module: str
    """The module that its object names."""
    same_as: str
    """The qualified name under which the module holds the same object; empty where it does not."""


@dataclass(frozen=True, slots=True)
class ShownText:
    """One text that documents something public."""

    path: str
    """How a user reaches what it documents: ``f``, ``C.method``; empty for a text of ``__test__``."""
    place: str
    """The qualified name of the definition that has it, where the module holds that under this name."""
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that a loaded module shows."""

    names: Mapping[str, ShownName]
    texts: tuple[ShownText, ...] = ()


def shown_by(sandbox: Sandbox, program: Program, wanted: Iterable[str]) -> Shown | Reply | LoadFailure:
    """Return what the module shows, the private names that are ``wanted`` included; or what came instead."""
    with loaded(sandbox, program, PROGRAM_LIMITS) as candidate:
        if isinstance(candidate, LoadFailure):
            return candidate
        siblings = [name.removesuffix(".__init__") for name, _ in program.siblings]
        reply = candidate.statements(asked_inside("inventory"), _ASK.format(siblings, sorted(wanted)), anew=True)
    match reply:
        case Returned(value=([*names], [*texts])):
            rows = [_name(row) for row in names]
            found = [_text(row) for row in texts]
            if None not in rows and None not in found:
                return Shown({each.name: each for each in rows if each}, tuple(each for each in found if each))
    return reply


def _name(row: object) -> ShownName | None:
    match row:
        case (str(name), bool(is_callable), bool(is_own), str(module), str(same_as)):
            return ShownName(name, is_callable, is_own, module, same_as)
    return None


def _text(row: object) -> ShownText | None:
    match row:
        case (str(path), str(place), str(text)):
            return ShownText(path, place, text)
    return None
