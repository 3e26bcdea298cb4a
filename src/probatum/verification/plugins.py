"""What installed packages offer, found by entry points: verifiers (``probatum.verifiers``), kinds (``probatum.kinds``),
environments (``probatum.environments``).

Nothing is loaded before somebody names it. The built-in ones come through the same door, but only from probatum's own
distribution, so that another package cannot take their place. Refuses: an unknown name, a name that two packages
offer, an entry point that does not load or gives something else; each with a sentence that says what was expected.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, distribution, distributions
from typing import Final, TypeVar

from probatum.core.errors import NotAttemptedError, UsageError, nearest
from probatum.verification.verifier import Verifier

VERIFIERS: Final = "probatum.verifiers"
KINDS: Final = "probatum.kinds"
COMMANDS: Final = "probatum.commands"
"""Only of probatum itself: which of its kinds brings a command."""
_OWN: Final = "probatum"
Seen = TypeVar("Seen")
_EXPECTED: Final = "an object with a method 'verify(input_obj, output_obj, context=None)', or a class of such."


def built_in_verifiers(ids: Sequence[str]) -> Iterator[tuple[str, Verifier]]:
    """Yield the built-in verifiers of these ids; raises NotAttemptedError where the installation lacks one."""
    own = own_entry_points(VERIFIERS)
    for verifier_id in ids:
        if verifier_id not in own:
            sentence = f"This installation of probatum does not offer its verifier {verifier_id!r}."
            hint = "Install it again: pip install --force-reinstall probatum"
            raise NotAttemptedError("plugin.missing", sentence, hint)
        yield verifier_id, load(own[verifier_id])


@cache
def own_entry_points(group: str) -> dict[str, EntryPoint]:
    """Return what probatum's own distribution offers in a group, by name."""
    try:
        found = distribution(_OWN).entry_points
    except PackageNotFoundError:
        return {}
    return {each.name: each for each in found if each.group == group}


def installed_verifier(verifier_id: str) -> Verifier:
    """Return the verifier that an installed package offers under this id, loaded here; raises as `offer_of`, `load`."""
    return load(offer_of(verifier_id))


def offer_of(name: str, group: str = VERIFIERS, beside: Collection[str] = ()) -> EntryPoint:
    """Return the entry point under which one installed package offers this name; nothing of it is loaded.

    ``beside`` are names that need no package, for whoever mistypes one of them.

    Raises UsageError where no package offers it, or several do.
    """
    what = group.rpartition(".")[2].removesuffix("s")
    what = f"{'an' if what[0] in 'aeiou' else 'a'} {what}"
    every = list(_offers(group))
    offers = {(package, each.value): each for package, each in every if each.name == name}
    if not offers:
        known = sorted({*beside, *(each.name for _, each in every)})
        sentence = f"No installed package offers {what} {name!r}; offered are {', '.join(known) or 'none'}."
        raise UsageError("plugin.unknown", sentence, nearest(name, known))
    if len(offers) > 1:
        packages = ", ".join(sorted(package for package, _ in offers))
        raise UsageError("plugin.taken_twice", f"Several packages offer {what} {name!r}: {packages}.")
    return next(iter(offers.values()))


def offered_names(group: str = VERIFIERS) -> set[str]:
    """Return the names that installed packages offer in a group, the built-in ones included."""
    return {each.name for _, each in _offers(group)}


def _offers(group: str) -> Iterator[tuple[str, EntryPoint]]:
    """Yield what installed packages offer, with the name of the package; one with broken metadata offers nothing."""
    for package in distributions():
        try:
            offers = [each for each in package.entry_points if each.group == group]
            # The name is asked of those that offer something: to read it takes a hundred times as long.
            name = package.name if offers else ""
            found = [(name, each) for each in offers] if name and _is_first(package, name) else []
        except Exception:  # noqa: BLE001  a package that cannot be read must not take the others with it
            found = []
        yield from found


def _is_first(package: Distribution, name: str) -> bool:
    """Tell whether imports find this copy of a package, and none before it on the path."""
    return distribution(name).locate_file("") == package.locate_file("")


def load(offer: EntryPoint) -> Verifier:
    """Return the verifier of an entry point: a class is called without arguments, an object is taken as it is.

    Raises NotAttemptedError where it does not load, or is not a verifier.
    """
    verifier, verify = load_object(offer, "verifier", lambda made: (made, getattr(made, "verify", None)))
    got = f"The entry point {offer.name!r} ({offer.value}) gives a {type(verifier).__name__}"
    if not callable(verify):
        raise NotAttemptedError("plugin.no_verifier", f"{got}; expected {_EXPECTED}")
    if not _takes_a_question(verify):
        raise NotAttemptedError("plugin.no_verifier", f"{got} whose 'verify' cannot be called; expected {_EXPECTED}")
    return verifier  # type: ignore[return-value]  # its shape was looked at, its answers are checked one by one


def load_object(offer: EntryPoint, what: str, looked_at: Callable[[object], Seen]) -> Seen:
    """Return what is seen of the object of an entry point; a class is called without arguments first.

    Raises NotAttemptedError where it does not load, or breaks when it is looked at.
    """
    try:
        found = offer.load()
        return looked_at(found() if isinstance(found, type) else found)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        sentence = f"The {what} {offer.name!r} ({offer.value}) does not load: {type(error).__name__}: {error}."
        raise NotAttemptedError("plugin.broken", sentence) from error


def _takes_a_question(verify: Callable[..., object]) -> bool:
    try:
        inspect.signature(verify).bind({}, {}, context={})
    except TypeError:
        return False
    except ValueError:
        # Written in another language, it does not say what it takes.
        pass
    return True
