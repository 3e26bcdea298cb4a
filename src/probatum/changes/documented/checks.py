"""Holds what changed against its documentation, on the head and, where that does not hold, on the base.

A clause is broken by a change where a counterexample refutes it on the head and none did on the base. Refuses to blame
a change for what was broken before, and for what cannot be run or compared: that is unknown. How many faults the
documentation would notice is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from probatum.changes.documented.programs_of_version import Answer, ProgramsOfVersion, reason_told, shortened
from probatum.changes.documented.values import BROKEN, HOLDS, LAPSED, MOST_DOCUMENTED, UNKNOWN, DocumentedUnit, Place
from probatum.changes.versions.trees import ChangeTrees
from probatum.core.messages import counted
from probatum.programs.decide import clauses_undecided
from probatum.programs.record import CheckKind, CheckRecord, CheckState, FunctionRecord, plainest
from probatum.programs.running.execute import benches_of
from probatum.programs.source import Source
from probatum.programs.specification import NOTHING_SHOWN, FunctionSpec, Origin
from probatum.sandbox import Environment

_CLAUSES: Final = frozenset({CheckKind.EXAMPLE, CheckKind.READING})
_NOT_TRIED: Final = f"it is beyond the first {MOST_DOCUMENTED} documented functions of the change, and not tried"


def checked(
    trees: ChangeTrees, python: Environment, origins: Mapping[Place, Place], noted: Mapping[str, str]
) -> tuple[DocumentedUnit, ...]:
    """Return what became of these functions and classes, and of the readings of these files, in order of place.

    ``origins`` says of each place in the head where it was in the base, ``noted`` likewise of files. Raises
    NotAttemptedError without a sandbox.
    """
    with TemporaryDirectory() as folder, benches_of(python) as benches:
        base = ProgramsOfVersion(trees.base, Path(folder, "base"), benches)
        head = ProgramsOfVersion(trees.head, Path(folder, "head"), benches)
        found = [*_rows(base, head, origins)]
        found += [row for path, then in noted.items() for row in _lapsed(base, head, then, path)]
    return tuple(sorted(found, key=lambda row: (row.path, row.line, row.name, row.standing, row.sentence)))


def _rows(base: ProgramsOfVersion, head: ProgramsOfVersion, origins: Mapping[Place, Place]) -> Iterator[DocumentedUnit]:
    """Yield what became of the documentation of each of these that has any that can be run."""
    tried, unread, left = 0, set[str](), list[DocumentedUnit]()
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
            left.append(DocumentedUnit(path, unit.span.line, name, UNKNOWN, _NOT_TRIED))
        else:
            yield _row(place, unit.span.line, head.record(place), partial(base.record, origin))
    if left:
        more = len(left) - 1
        further = f"; {more} more {'are' if more > 1 else 'is'}" if more else ""
        yield replace(left[0], sentence=f"{_NOT_TRIED}{further}")


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
    held = {(each.kind, each.text) for each in then.checks if each.state is CheckState.HOLDS} if then else set()
    old = [each for each in new if (each.kind, each.text) in held]
    shown = old or new
    return DocumentedUnit(path, plainest(shown).line or line, name, BROKEN, _told(shown), bool(old))


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
