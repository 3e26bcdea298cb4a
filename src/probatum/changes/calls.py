"""What else changed? Calls of changed functions that tests make, and variations of them, made on both versions.

Arguments are copied while tests of both versions run, and only the sandbox reads them again. A difference counts where
each version comes to the same every time: in order and from the last call to the first, and with another hash seed.
Differences of one kind are one group; its shortest call stands for it, one that a test makes where there is any.
Refuses to take a call that could not be made on one of the versions for one without a difference.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

from probatum.changes.suite import PASSED, FaultEnd, RunOfTests, Suite, files_of
from probatum.changes.syntax.definitions import ChangedUnit, UnitPlace
from probatum.changes.syntax.file_syntax import UnitKind
from probatum.core.canonical import JsonValue
from probatum.core.shape import Shape
from probatum.sandbox.suites import CopiedCall, PlantedFault, SuiteOrder, WatchedFunction, run_suite

MOST_FUNCTIONS: Final = 20
"""Of so many changed functions at most, calls are compared."""
_OTHER_SEED: Final = 1
_UNKNOWN, _LOST = "unknown", "lost"
_Outcomes = Mapping[str, "CallOutcome"]


@dataclass(frozen=True, slots=True)
class KeptCall:
    """One call of a changed function, as a test made it or as a variation of that."""

    id: str
    unit: str
    shown: str
    given: str
    tests: frozenset[str]
    """Which tests make it, or the one that it is a variation of."""
    near: frozenset[str]
    """What the calls were given that it is a variation of."""
    is_recorded: bool
    """Whether a test made it."""
    is_natural: bool


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What a call came to on one version."""

    what: str
    """returns, raises, ends; unknown where it could not be made, lost where it did not come back."""
    kind: str
    """The class of what is returned or raised."""
    shown: str
    value: JsonValue
    is_steady: bool

    @property
    def is_known(self) -> bool:
        """Whether it can be compared."""
        return self.is_steady and self.what not in {_UNKNOWN, _LOST}

    @property
    def sort(self) -> tuple[str, str]:
        """What it has in common with others of its group; yes and no are no more alike than an answer and an error."""
        return (self.what, self.shown if self.kind == "bool" else self.kind) if self.is_steady else ("", "")

    @property
    def sentence(self) -> str:
        """Completes "before it …"."""
        if not self.is_steady:
            return "comes to something else from one time to the next"
        return self.shown if self.what == "ends" else f"{self.what} {self.shown}"


@dataclass(frozen=True, slots=True)
class BehaviourDifference:
    """One group of calls that come to something else on the head."""

    unit: str
    path: str
    line: int
    call: str
    base: str
    head: str
    """What the shortest of the calls comes to on each version."""
    calls: int
    is_shown: bool
    """Whether a test that shows the change makes one of these calls itself."""
    is_recorded: bool
    """Whether some test makes one of these calls itself."""

    @property
    def is_question(self) -> bool:
        """Whether somebody could miss what it came to: no test shows the change, and the call was a good one.

        What nobody calls from outside may rely on who calls it: there only the calls of tests are surely good ones.
        """
        is_public = not any(each.startswith("_") for each in self.unit.rpartition("::")[2].split("."))
        return not self.is_shown and self.base.startswith("returns") and (self.is_recorded or is_public)


@dataclass(frozen=True, slots=True)
class ComparedFunction:
    """A changed function, on how many calls both versions were compared, and on how many they differ."""

    unit: str
    calls: int
    differing: int
    alone: str = ""
    """The shortest call of a test that shows the change, where no other call differs."""
    near: int = 0
    """How many calls near them were compared."""
    lost: int = 0
    """How many calls did not come back on one of the versions: of them nothing is known."""


def watched_function(place: UnitPlace) -> WatchedFunction:
    """Return a function of one version as the sandbox finds it."""
    return WatchedFunction(place.path, place.qualname, place.first_line, place.last_line)


def callable_units(units: Sequence[ChangedUnit]) -> tuple[ChangedUnit, ...]:
    """Return the functions that both versions have, as many as are compared."""
    found = [each for each in units if each.of is UnitKind.FUNCTION and each.base and each.head]
    return tuple(found[:MOST_FUNCTIONS])


def kept_calls(run: RunOfTests, names: Sequence[str], letter: str, tests: Collection[str]) -> Iterator[KeptCall]:
    """Yield the calls that some tests of a run made of functions, by name, with variations.

    ``letter`` begins the ids.
    """
    made: dict[int, list[str]] = {}
    for number, each in enumerate(run.calls):
        own = f"{letter}{number}"
        if each.near < 0:
            made.setdefault(each.function, []).append(each.given)
        if passed := frozenset(test for test in each.tests if test in tests and run.outcome(test) == PASSED):
            near = frozenset({made[each.function][each.near]} if each.near >= 0 else ())
            words = (own, names[each.function], each.shown, each.given, passed)
            yield KeptCall(*words, near, not near, each.is_natural)


def without_repetitions(calls: Iterable[KeptCall]) -> tuple[KeptCall, ...]:
    """Return each call once: as a test made it last where one did, of all tests that do, near all that it varies."""
    found: dict[tuple[str, str], KeptCall] = {}
    for each in calls:
        known = found.get((each.unit, each.given), each)
        kept = known if known.is_recorded and not each.is_recorded else each
        tests = kept.tests | (known.tests if known.is_recorded and each.is_recorded else frozenset())
        found[each.unit, each.given] = replace(kept, tests=tests, near=known.near | each.near)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class CallsMade:
    """What calls came to, and what became of faults that calls were to notice."""

    outcomes: Mapping[str, CallOutcome]
    faults: tuple[FaultEnd, ...]


def repeated(
    suite: Suite,
    places: Mapping[str, UnitPlace],
    calls: Sequence[KeptCall],
    faults: Sequence[PlantedFault] = (),
    hash_seed: int = 0,
) -> CallsMade:
    """Make calls on one version, then again with each of some faults; raises as `run_suite` does."""
    made = tuple(
        CopiedCall(each.id, watched_function(places[each.unit]), each.given) for each in calls if each.unit in places
    )
    if not made:
        return CallsMade({}, ())
    order = replace(suite.order(), calls=made, faults=tuple(faults), hash_seed=hash_seed)
    told = run_suite(_with_files(order, suite, sorted({test for each in calls for test in each.tests})))
    outcomes = {each.text("id"): _outcome(each) for each in told.records if each.text("kind") == "outcome"}
    ends = [each for each in told.records if each.text("kind") == "fault"]
    faulty = tuple(FaultEnd(each.text("id"), each.text("end"), each.text("by"), each.text("said")) for each in ends)
    return CallsMade(outcomes, faulty if told.is_whole else ())


def _with_files(order: SuiteOrder, suite: Suite, tests: Sequence[str]) -> SuiteOrder:
    return replace(order, options=(*order.options, *files_of(tests, suite.files)))


def _outcome(told: Shape) -> CallOutcome:
    text = {name: told.text(name) for name in ("what", "kind_of_value", "shown")}
    return CallOutcome(text["what"], text["kind_of_value"], text["shown"], told.raw("value"), told.flag("is_steady"))


@dataclass(frozen=True, slots=True)
class CallComparison:
    """Both versions, and the calls."""

    base: Suite
    head: Suite
    units: tuple[ChangedUnit, ...]
    calls: tuple[KeptCall, ...]
    threads: ThreadPoolExecutor

    def places(self, *, is_head: bool) -> dict[str, UnitPlace]:
        """Return where the functions are on one version, by the name of the unit."""
        both = ((each.name, each.head if is_head else each.base) for each in self.units)
        return {name: place for name, place in both if place is not None}

    def on_base(self) -> Future[CallsMade]:
        """Make the calls on the base, meanwhile."""
        return self.threads.submit(repeated, self.base, self.places(is_head=False), self.calls)

    def on_head(self, faults: Sequence[PlantedFault]) -> CallsMade:
        """Make the calls on the head, then again with each of some faults; raises as `run_suite` does."""
        return repeated(self.head, self.places(is_head=True), self.calls, faults)

    def of(
        self, base: Mapping[str, CallOutcome], head: Mapping[str, CallOutcome], showing: Collection[str]
    ) -> tuple[tuple[ComparedFunction, ...], tuple[BehaviourDifference, ...]]:
        """Return on how many calls each function was compared, and the differences in groups.

        What differs is looked at once more. ``showing`` names the tests that show the change.
        """
        known = [each for each in self.calls if _is_known(base, each) and _is_known(head, each)]
        lost = [each for each in self.calls if _is_lost(base, head, each) or _is_lost(head, base, each)]
        differing = [each for each in known if not alike(base[each.id], head[each.id])]
        # What was the same every time and is not now.
        unsteady = [each for each in self.calls if _is_known(base, each) and _is_unsteady(head, each)]
        if differing or unsteady:
            units = {each.unit for each in (*differing, *unsteady)}
            again = self._again([each for each in self.calls if each.unit in units])
            both = tuple(zip((base, head), again, strict=True))
            lost += [each for each in differing if any(_is_lost(*pair, each) for pair in both)]
            differing = [each for each in differing if all(_is_same(then, now, each) for then, now in both)]
            unsteady = [each for each in unsteady if _is_same(*both[0], each) and _is_unsteady(again[1], each)]
        known, differing = [*known, *unsteady], [*differing, *unsteady]
        names = dict.fromkeys(each.unit for each in (*known, *lost))
        compared = tuple(_compared(name, known, differing, lost, showing) for name in names)
        return compared, tuple(self._groups(differing, base, head, showing))

    def _again(self, calls: Sequence[KeptCall]) -> tuple[_Outcomes, _Outcomes]:
        sides = ((self.base, self.places(is_head=False)), (self.head, self.places(is_head=True)))
        runs = [self.threads.submit(repeated, suite, places, calls, (), _OTHER_SEED) for suite, places in sides]
        base, head = (each.result().outcomes for each in runs)
        return base, head

    def _groups(
        self,
        calls: Sequence[KeptCall],
        base: _Outcomes,
        head: _Outcomes,
        showing: Collection[str],
    ) -> Iterator[BehaviourDifference]:
        groups: dict[tuple[str, ...], list[KeptCall]] = {}
        for each in calls:
            one, other = base[each.id], head[each.id]
            groups.setdefault((each.unit, *one.sort, *other.sort), []).append(each)
        places = self.places(is_head=True)
        for (unit, *_), group in groups.items():
            first = min(group, key=lambda each: (not each.is_recorded, len(each.shown), each.shown))
            one, other = base[first.id], head[first.id]
            now = other.sentence
            if now == one.sentence:
                now += ", with other content, or leaves its arguments otherwise"
            place = places[unit]
            yield BehaviourDifference(
                unit,
                place.path,
                place.first_line,
                first.shown,
                one.sentence,
                now,
                len(group),
                other.is_steady and any(each.is_recorded and not each.tests.isdisjoint(showing) for each in group),
                any(each.is_recorded for each in group),
            )


def _compared(
    unit: str,
    known: Sequence[KeptCall],
    differing: Sequence[KeptCall],
    lost: Sequence[KeptCall],
    showing: Collection[str],
) -> ComparedFunction:
    own, other, gone = ([each for each in calls if each.unit == unit] for calls in (known, differing, lost))
    of_tests = [each for each in other if each.is_recorded and not each.tests.isdisjoint(showing)]
    shown = [each for each in of_tests if not each.is_natural]
    given = {each.given for each in shown}
    near = [each for each in own if not given.isdisjoint(each.near)]
    is_alone = bool(shown) and len(of_tests) == len(other)
    first = min((each.shown for each in shown), key=lambda text: (len(text), text), default="")
    return ComparedFunction(unit, len(own), len(other), first if is_alone else "", len(near), len(gone))


def _is_known(outcomes: _Outcomes, call: KeptCall) -> bool:
    return call.id in outcomes and outcomes[call.id].is_known


def _is_unsteady(outcomes: _Outcomes, call: KeptCall) -> bool:
    end = outcomes.get(call.id)
    return end is not None and not end.is_steady and end.what not in {_UNKNOWN, _LOST}


def _is_lost(one: _Outcomes, other: _Outcomes, call: KeptCall) -> bool:
    """Tell whether a call that comes to something is lost in the other run, or was not told of there at all."""
    return call.id not in other or (_is_known(one, call) and other[call.id].what == _LOST)


def _is_same(before: _Outcomes, again: _Outcomes, call: KeptCall) -> bool:
    return _is_known(again, call) and alike(before[call.id], again[call.id])


def alike(one: CallOutcome, other: CallOutcome) -> bool:
    """Tell whether two versions come to the same: private attributes that only one of them has are its own affair."""
    return one.what == other.what and _is_alike(one.value, other.value)


def _is_alike(one: JsonValue, other: JsonValue) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        own = one.keys() ^ other.keys()
        both = one.keys() & other.keys()
        return all(name.startswith("_") for name in own) and all(_is_alike(one[name], other[name]) for name in both)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_alike, one, other))
    return one == other
