"""Does what changed still do what its documentation shows? Examples and accepted readings, checked as programs are.

A function is checked in the sandbox, with the version that it is in as the place that its imports come from; a method
with its class. A clause is broken by a change where a counterexample refutes it on the head and none did on the base.
Refuses to blame a change for what was broken before, and for what cannot be run or compared: that is unknown. How many
faults the documentation would notice is not asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from probatum.changes.definitions import ChangedUnit
from probatum.changes.programs_of_version import Answer, Place, ProgramsOfVersion, reason_told, shortened
from probatum.changes.trees import ChangeTrees, Tree
from probatum.core.events import Event, Listener
from probatum.core.messages import counted
from probatum.programs.decide import clauses_undecided
from probatum.programs.judging.readings_in_force import notebook_beside
from probatum.programs.record import CheckKind, CheckRecord, CheckState, FunctionRecord, plainest
from probatum.programs.running.execute import Benches
from probatum.programs.source import Source
from probatum.programs.specification import NOTHING_SHOWN, FunctionSpec, Origin
from probatum.sandbox import Environment, Opening

HOLDS: Final = "holds"
BROKEN: Final = "broken"
LAPSED: Final = "lapsed"
UNKNOWN: Final = "unknown"
MOST_DOCUMENTED: Final = 20
"""So many functions and classes at most are checked for one change, in order of path and line."""
_PROMPT: Final = b">>>"
_CLAUSES: Final = frozenset({CheckKind.EXAMPLE, CheckKind.READING})
_NOT_TRIED: Final = f"not tried: a change has its first {MOST_DOCUMENTED} documented functions checked"


@dataclass(frozen=True, slots=True)
class DocumentedUnit:
    """What became of the documentation of one function or class, or of one reading of it."""

    path: str
    line: int
    """In the head: of the clause that is broken, else of the definition; 1 where it is gone."""
    name: str
    standing: str
    """holds, broken, lapsed or unknown."""
    sentence: str
    """Holds: what was checked. Broken: the clause and its counterexample. Else the reason."""


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
    contents = trees.head.contents
    shown = {place: each for place, each in origins.items() if _may_document(trees.head, place[0])}
    paths = {path: path for path in sorted(contents) if path.endswith(".py") and _is_read_anew(trees, path)}
    paths |= {
        place[0]: origin[0] for place, origin in origins.items() if notebook_beside(origin[0]) in trees.base.files
    }
    if not (shown or paths):
        return ()
    listener(Event("stage", "Checking what the documentation of the change shows"))
    with TemporaryDirectory() as folder, ExitStack() as ended:

        @cache
        def benches() -> Benches:
            opening = Opening((0, 1), python)
            ended.callback(opening.close)
            return Benches(*opening.sandboxes())

        base = ProgramsOfVersion(trees.base, Path(folder, "base"), benches, listener)
        head = ProgramsOfVersion(trees.head, Path(folder, "head"), benches, listener)
        found = [*_checked(base, head, shown)]
        found += [row for path, then in paths.items() for row in _lapsed(base, head, then, path)]
    return tuple(sorted(found, key=lambda row: (row.path, row.line, row.name, row.standing, row.sentence)))


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
    return path in tree.contents and (_PROMPT in tree.contents[path] or notebook_beside(path) in tree.files)


def _is_read_anew(trees: ChangeTrees, path: str) -> bool:
    """Tell whether a file had readings, and it or they are another text now."""
    base, head, notebook = trees.base.files, trees.head.files, notebook_beside(path)
    return notebook in base and any(base.get(each) != head.get(each) for each in (path, notebook))


def _checked(
    base: ProgramsOfVersion, head: ProgramsOfVersion, origins: Mapping[Place, Place]
) -> Iterator[DocumentedUnit]:
    """Yield what became of the documentation of each of these that has any that can be run."""
    tried, unread = 0, set[str]()
    for place, origin in origins.items():
        path, name = place
        read = head.read(path)
        if isinstance(read, str):
            if path not in unread:
                yield DocumentedUnit(path, 1, "", UNKNOWN, read)
            unread.add(path)
            continue
        unit = head.unit(place, read)
        if unit is None or not _is_documented(head, place, unit, read):
            continue
        tried += 1
        if tried > MOST_DOCUMENTED:
            yield DocumentedUnit(path, unit.span.line, name, UNKNOWN, _NOT_TRIED)
        else:
            yield _row(place, unit.span.line, head.record(place), partial(base.record, origin))


def _is_documented(version: ProgramsOfVersion, place: Place, unit: FunctionSpec, read: Source) -> bool:
    if any(each.notation != NOTHING_SHOWN for each in unit.examples):
        return True
    try:
        own = version.readings(place[0], read).about(place[1])
    except ValueError:
        return True
    return bool(own.counting or own.outside)


def _row(place: Place, line: int, now: Answer, before: Callable[[], Answer]) -> DocumentedUnit:
    """Return what became of one function or class; the base is asked only where something is broken."""
    path, name = place
    if not isinstance(now, FunctionRecord):
        return DocumentedUnit(path, line, name, UNKNOWN, now or "it is not defined once its module is loaded")
    broken = _refuted(now)
    if not broken:
        doubt = clauses_undecided(now)
        why = reason_told(doubt) if doubt else next(iter(now.not_asked), "")
        return DocumentedUnit(path, line, name, UNKNOWN if why else HOLDS, why or _held(now))
    then = before()
    if isinstance(then, str):
        why = f"{_told(broken)}; whether that is new is not known, since of the base: {then}"
        return DocumentedUnit(path, line, name, UNKNOWN, why)
    new = broken if then is None else _new(broken, then)
    if not new:
        return DocumentedUnit(path, line, name, UNKNOWN, f"{_told(broken)}; the base does not keep to it either")
    return DocumentedUnit(path, plainest(new).line or line, name, BROKEN, _told(new))


def _refuted(record: FunctionRecord) -> list[CheckRecord]:
    failing = (each for each in record.checks if each.state is CheckState.FAILS and each.origin is not Origin.MODEL)
    return [each for each in failing if each.kind in _CLAUSES]


def _new(broken: Sequence[CheckRecord], then: FunctionRecord) -> list[CheckRecord]:
    """Return the checks that fail and whose clause did not fail on the base."""
    bad = [each for each in then.checks if each.state in {CheckState.FAILS, CheckState.FLAKY}]
    known = {(each.kind, each.text) for each in bad}
    # Where an example is broken, no reading is asked about.
    unasked = {CheckKind.READING} if bad else set[CheckKind]()
    return [each for each in broken if (each.kind, each.text) not in known and each.kind not in unasked]


def _told(broken: Sequence[CheckRecord]) -> str:
    check = plainest(broken)
    what = "an example" if check.kind is CheckKind.EXAMPLE else "an accepted reading"
    return shortened(f"{what} is broken, {' '.join(check.text.split())!r}: {check.reproduction} {check.note}")


def _held(record: FunctionRecord) -> str:
    examples = sum(each.kind is CheckKind.EXAMPLE for each in record.checks)
    readings = sum(each.kind is CheckKind.READING for each in record.checks)
    parts = [*([counted(examples, "example")] * bool(examples)), *([counted(readings, "check")] * bool(readings))]
    return f"{' and '.join(parts)} of readings hold" if readings else f"{parts[0]} hold"


def _lapsed(base: ProgramsOfVersion, head: ProgramsOfVersion, then: str, path: str) -> Iterator[DocumentedUnit]:
    """Yield the readings that count on the base and, since the change, no longer do; without the file there is none."""
    read, before = (
        version.read(name) if name in version.contents else "" for version, name in ((head, path), (base, then))
    )
    if not isinstance(read, Source) or not isinstance(before, Source):
        return
    lines = {each.qualname: each.span.line for each in read.module.functions}
    try:
        old = base.readings(then, before).statements
    except ValueError:
        return
    try:
        now = head.readings(path, read)
    except ValueError as error:
        yield DocumentedUnit(path, 1, "", UNKNOWN, shortened(f"its readings file cannot be read: {error}"))
        return
    gone = {each.id: each.sentence for each in now.lapsed}
    # Who reads the words anew takes the old reading out.
    replaced = {function for id_, (function, _) in now.statements.items() if id_ not in old}
    for id_, (function, words) in old.items():
        if id_ in gone or (id_ not in now.statements and function not in replaced):
            why = gone.get(id_, f"the reading {id_} of {words!r} was accepted, and is not any more")
            yield DocumentedUnit(path, lines.get(function, 1), function, LAPSED, shortened(why))
