"""The registered kinds of subject: the built-in ones, and those of installed packages, found by entry points.

Each is one value that does the whole of `probatum.verification.kind.Kind`; nothing here knows one by name. A built-in
kind comes from probatum's own distribution and cannot be replaced. Refuses a kind that lacks a part, when it is loaded
and not when it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint
from typing import Final, cast

from probatum.core.command import KIND, Command
from probatum.core.errors import NotAttemptedError, ProbatumError
from probatum.core.messages import agent_message, built_in_sentences
from probatum.verification.desk import Told, Tool
from probatum.verification.kind import AnyKind
from probatum.verification.plugins import COMMANDS, KINDS, load_object, offer_of, offered_names, own_entry_points

__all__ = [
    "AnyKind",
    "Told",
    "Tool",
    "built_in_kinds",
    "catalogue_of",
    "every_kind",
    "kind_named",
    "kind_names",
    "kind_of_command",
]

_METHODS: Final = (
    "endpoint",
    "requests",
    "template",
    "request",
    "not_judged",
    "refused",
    "patience",
    "open",
    "as_verifier",
)
_TEXTS: Final = ("parts", "too_large", "verifier_id")


def built_in_kinds() -> Mapping[str, AnyKind]:
    """Return the kinds that probatum brings, by name; raises NotAttemptedError where the installation lacks them."""
    own = own_entry_points(KINDS)
    if not own:
        sentence = "This installation of probatum does not offer its kinds of subject."
        raise NotAttemptedError("plugin.missing", sentence, "Install it again: pip install --force-reinstall probatum")
    kinds = sorted((_loaded(offer) for offer in own.values()), key=lambda kind: kind.command.position)
    return {kind.name: kind for kind in kinds}


def kind_named(name: str) -> AnyKind | None:
    """Return the kind of this name, built-in or of an installed package; None where nobody offers it.

    Raises NotAttemptedError where it does not load or is not a kind, UsageError where several packages offer it.
    """
    own = own_entry_points(KINDS)
    if name in own:
        return _loaded(own[name])
    return _loaded(offer_of(name, KINDS)) if name in _others() else None


def kind_of_command(command: str) -> AnyKind | None:
    """Return the built-in kind that brings a command, without loading another; None where none is known to."""
    brings = own_entry_points(COMMANDS).get(command)
    offers = (offer for offer in own_entry_points(KINDS).values() if brings and offer.value == brings.value)
    return next(map(_loaded, offers), None)


def every_kind(tell: Callable[[ProbatumError], None] | None = None) -> Iterator[AnyKind]:
    """Yield every kind, the built-in ones first; one of a package that does not load is reported and left out."""
    yield from built_in_kinds().values()
    for name in sorted(_others()):
        try:
            yield _loaded(offer_of(name, KINDS))
        except ProbatumError as error:
            if tell is not None:
                tell(error)


def is_built_in(kind: AnyKind) -> bool:
    """Return whether probatum brings this kind."""
    return kind.name in own_entry_points(KINDS)


def kind_names() -> list[str]:
    """Return the names of all kinds; none of them is loaded."""
    return [*own_entry_points(KINDS), *sorted(_others())]


def catalogue_of(kind: AnyKind) -> Mapping[str, str]:
    """Return the sentences for errors of this kind: its own ones, and the built-in ones, which it cannot change."""
    return {**kind.sentences, **built_in_sentences()}


def _others() -> set[str]:
    return offered_names(KINDS) - set(own_entry_points(KINDS))


@cache
def _loaded(offer: EntryPoint) -> AnyKind:
    found, missing = load_object(offer, "kind", lambda made: (made, _missing(made, offer.name)))
    if missing:
        got = f"The entry point {offer.name!r} ({offer.value}) gives a {type(found).__name__}"
        sentence = f"{got} that is not a kind of subject: it lacks {', '.join(missing)}."
        raise NotAttemptedError("plugin.no_kind", sentence, "See docs/how-to/add-a-kind.md for all that a kind has.")
    return cast("AnyKind", found)


def _missing(found: object, name: str) -> list[str]:
    """Return what an object lacks to be the kind of this name."""
    missing = [each for each in _METHODS if not callable(getattr(found, each, None))]
    missing += [each for each in _TEXTS if not isinstance(getattr(found, each, None), str)]
    if not KIND.fullmatch(name):
        missing.append("a name in lower case")
    if getattr(found, "name", None) != name:
        missing.insert(0, f"name == {name!r}")
    if not isinstance(getattr(found, "command", None), Command):
        missing.append("command")
    if not isinstance(getattr(found, "tools", None), Sequence):
        missing.append("tools")
    if not missing and name not in own_entry_points(KINDS):
        taken = {each.name for kind in built_in_kinds().values() for each in kind.command.shared}
        missing += [f"its own name for --{each.name}" for each in found.command.shared if each.name in taken]  # type: ignore[attr-defined]  # nothing is missing
    if not missing and not _tells(cast("AnyKind", found)):
        missing.append("sentences: texts without counts, one of them for its 'too_large'")
    return missing


def _tells(kind: AnyKind) -> bool:
    """Return whether a subject beyond its budget has a sentence that can be told without having been looked at."""
    try:
        agent_message(kind.too_large, {"name": "it"}, catalogue_of(kind))
    except (AttributeError, TypeError, ValueError):
        return False
    return True
