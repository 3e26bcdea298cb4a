"""Does what changed still do what its documentation shows? Examples and accepted readings, checked as programs are.

Here is found what of a change has any; without it nothing is run. A method is checked with its class. Refuses to look
for documentation that is neither a session nor has a readings file beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from probatum.changes.documented.values import DocumentedUnit, Place
from probatum.changes.syntax.definitions import ChangedUnit
from probatum.changes.versions.trees import ChangeTrees, Tree
from probatum.core.events import Event, Listener
from probatum.programs.projects.notebooks import notebook_beside
from probatum.sandbox.environment import Environment

_PROMPT: Final = b">>>"


def documented(
    trees: ChangeTrees,
    units: Sequence[ChangedUnit],
    python: Environment,
    listener: Listener,
    reworded: Iterable[str] = (),
) -> tuple[DocumentedUnit, ...]:
    """Return what became of the documentation of all that changed, and of the readings that lapsed, in order.

    ``reworded`` names further units, as `Differences.documentation` does. Raises NotAttemptedError without a sandbox.
    """
    origins = _origins(units, reworded)
    shown = {place: each for place, each in origins.items() if _may_document(trees.head, place[0])}
    paths = {path: path for path in sorted(trees.head.files) if path.endswith(".py") and _is_read_anew(trees, path)}
    # A file that is renamed as a whole has the readings of the one that it was.
    renamed = {path: then for (path, _), (then, _) in origins.items() if then not in trees.head.files}
    paths |= {path: then for path, then in renamed.items() if notebook_beside(then) in trees.base.files}
    if not (shown or paths):
        return ()
    listener(Event("stage", "Checking what the documentation of the change shows"))
    # Deferred: what judges programs is large, and most changes have nothing for it.
    from probatum.changes.documented.checks import checked

    return checked(trees, python, shown, paths)


def _origins(units: Iterable[ChangedUnit], reworded: Iterable[str]) -> dict[Place, Place]:
    """Return where what changed is in the head, by the name at the top of its file, and where that was in the base."""
    found = dict[Place, Place]()
    for unit in units:
        if unit.head is None or not unit.head.qualname:
            continue
        place = unit.head.path, _top(unit.head.qualname)
        found.setdefault(place, place)
        # A method may come from another class, which is not where its own comes from.
        if unit.base is not None and (unit.head.qualname == place[1] or _top(unit.base.qualname) == place[1]):
            found[place] = unit.base.path, _top(unit.base.qualname)
    for name in reworded:
        path, separator, qualname = name.rpartition("::")
        if separator:
            found.setdefault((path, _top(qualname.partition("#")[0])), (path, _top(qualname.partition("#")[0])))
    return found


def _top(qualname: str) -> str:
    return qualname.partition(".")[0]


def _may_document(tree: Tree, path: str) -> bool:
    return path in tree.files and (_PROMPT in tree.files[path].content or notebook_beside(path) in tree.files)


def _is_read_anew(trees: ChangeTrees, path: str) -> bool:
    """Tell whether a file had readings, and it or they are another text now."""
    base, head, notebook = trees.base.files, trees.head.files, notebook_beside(path)
    return notebook in base and any(base.get(each) != head.get(each) for each in (path, notebook))
