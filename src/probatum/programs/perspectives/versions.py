"""The regression detective's part of signatures: which calls an earlier version took that this one does not.

Refuses to tell of names that start with an underscore, and of a file that may bind names without naming them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probatum.programs.parsing.signatures import defined_names
from probatum.programs.parsing.surface import imports_all
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec, Parameter

_BY_PLACE = ("positional_only", "positional_or_keyword")
_BY_NAME = ("positional_or_keyword", "keyword_only")
_MOST = 5


def narrowed(before: FunctionSpec, now: FunctionSpec) -> tuple[str, ...]:
    """Return sentences about calls that fit the earlier signature of a function and not its own."""
    if before.kind != now.kind or now.kind == "class":
        return ()
    return tuple(f"{now.qualname} {said}" for said in _narrowed(before.taken, now.taken))[:_MOST]


def _narrowed(before: Sequence[Parameter], now: Sequence[Parameter]) -> Iterator[str]:
    old, new = ({each.name: each for each in side} for side in (before, now))
    any_place, any_name = (any(each.kind == kind for each in now) for kind in ("var_positional", "var_keyword"))
    earlier, places = ([each.name for each in side if each.kind in _BY_PLACE] for side in (before, now))
    for each in before:
        place = earlier.index(each.name) if each.kind in _BY_PLACE else -1
        is_named = each.name in new and new[each.name].kind in _BY_NAME
        no_place = place >= len(places) and not any_place
        no_name = each.kind in _BY_NAME and not (is_named or any_name)
        if no_place and (no_name or each.kind not in _BY_NAME):
            yield f"no longer takes {each.name}"
        elif no_place:
            yield f"no longer takes {each.name} as argument {place + 1}"
        elif no_name:
            yield f"no longer takes {each.name} by name"
        if 0 <= place < len(places) and places[place] != each.name and each.name in new:
            yield f"takes {places[place]} as argument {place + 1}, where it took {each.name}"
        if each.kind.startswith("var_") and not any(other.kind == each.kind for other in now):
            yield f"no longer takes any number of arguments in {each.name}"
    for each in now:
        if each.may_be_left_out or (each.name in old and not old[each.name].may_be_left_out):
            continue
        if each.name in old:
            yield f"cannot be called without {each.name}, which had a default"
        elif each.kind == "keyword_only" or places.index(each.name) >= len(earlier):
            # One that only has another name in the same place is told of above.
            yield f"cannot be called without {each.name}"


def removed(before: Source, now: Source) -> tuple[str, ...]:
    """Return sentences about the public functions and classes of an earlier version that are gone."""
    if imports_all(now.tree):
        return ()
    kept = {each.qualname for each in now.module.functions} | set(defined_names(now.tree.body))
    names = [each.qualname for each in before.module.functions if "." not in each.qualname]
    gone = [name for name in names if not name.startswith("_") and name not in kept]
    return tuple(f"{name} is gone, which the earlier version defines" for name in gone[:_MOST])
