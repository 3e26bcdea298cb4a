"""A file of tests that the user gives, run in two ways: split, and beside the program.

*Split*, the clerk runs it and never holds the program: what passes there cannot be forged. *Plainly*, one process runs
both, as pytest does: everything works there, and a hostile program can forge it. `programs.running.agreement` says what
follows from the two; where they disagree, nothing is decided. A test that is skipped, or in which nothing of the
program runs, is no evidence: it is named, and the others decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from probatum.core.digest import digest_of
from probatum.core.limits import JobLimits
from probatum.core.messages import writable
from probatum.core.tagged import NotPlainDataError
from probatum.programs.record import (
    IN_OWN_PROCESS,
    PLAIN_TESTS,
    SPLIT_TESTS,
    CheckKind,
    CheckRecord,
    CheckState,
    is_of_reader,
)
from probatum.programs.running.agreement import NOT_CARRIED, PASSED, state_of_test
from probatum.programs.running.checks import DirectCall, inputs_form
from probatum.programs.running.execute import (
    MUTANT_LIMITS,
    PROGRAM_LIMITS,
    Benches,
    LoadFailure,
    loaded,
    side_by_side,
)
from probatum.programs.specification import DecidedBy, Origin
from probatum.sandbox import (
    THE_FILE,
    Clerk,
    GivenTest,
    Program,
    Reply,
    Sandbox,
    TestOutcome,
    answering,
)

# How many faulty copies the same process tests.
_RUNS_A_PROCESS = 12
_LONGEST = 300
_PASSING = (TestOutcome.PASSED, TestOutcome.IDLE)
# What they have together.
_SHARED_LIMITS = JobLimits(cpu_seconds=3 * MUTANT_LIMITS.cpu_seconds, wall_seconds=3 * MUTANT_LIMITS.wall_seconds)


@dataclass(frozen=True, slots=True)
class GivenRun:
    """One record a test, and the calls with plain arguments that the tests made: they show what inputs look like."""

    records: tuple[CheckRecord, ...] = ()
    calls: tuple[DirectCall, ...] = ()
    aside: tuple[str, ...] = ()
    """Sentences: the tests that do not count."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """How one test ended in the two ways."""

    split: GivenTest
    plain: GivenTest

    @property
    def observed(self) -> tuple[str, str]:
        """The two outcomes as they are recorded, split first."""
        idle = self.split.outcome is TestOutcome.IDLE
        split, plain = PASSED if idle else self.split.outcome.value, self.plain.outcome.value
        # What fails here and passes plainly, and leans on what is not carried, did not fail by its own.
        leans = bool(self.split.uncarried) and plain == PASSED and split != PASSED
        split = NOT_CARRIED if leans else split
        # A pass that stands alone, beside a program that could bend it.
        is_bent = bool(self.plain.uncarried) and plain == PASSED and split == NOT_CARRIED
        return split, TestOutcome.ERROR.value if is_bent else plain

    @property
    def says_nothing(self) -> bool:
        """Whether a way tells nothing of the program: its process was lost, or it cannot carry what the test needs."""
        return self.observed[0] == NOT_CARRIED or self.split.is_lost or self.plain.is_lost

    def no_evidence(self, *, beside: bool) -> str:
        """Return why the test does not count, empty where it does; the plain way tells where the split one cannot."""
        told = self.plain if beside and self.split.outcome is TestOutcome.NOT_CARRIED else self.split
        if told.outcome is self.plain.outcome is TestOutcome.SKIPPED:
            return f"it is skipped, or marked to fail: {_end(told)}".rstrip(": ")
        is_idle = self.split.outcome is TestOutcome.IDLE and self.plain.outcome is TestOutcome.PASSED
        return "nothing of the program runs in it" if is_idle else ""


def run_given_tests(
    program: Program, tests: bytes, names: Sequence[str], benches: Benches, *, withheld: str, carries: bool = True
) -> GivenRun:
    """Run the tests in both ways under both hash seeds.

    ``withheld`` says why the plain way alone does not count; without ``carries``, nothing is tried split.
    """
    calls: list[DirectCall] = []

    def split(sandbox: Sandbox, seen: list[DirectCall] | None = None) -> list[GivenTest]:
        with sandbox.clerk(PROGRAM_LIMITS) as clerk:
            return _split(clerk, sandbox, program, tests, names, PROGRAM_LIMITS, seen)

    def plainly(sandbox: Sandbox) -> list[GivenTest]:
        with sandbox.one_process(PROGRAM_LIMITS) as process:
            return process.run_tests(program, tests)

    ways: list[Callable[[], list[GivenTest]]] = [
        lambda: plainly(benches.first),
        lambda: plainly(benches.second),
        lambda: split(benches.first, calls),
        lambda: split(benches.second),
    ]
    plain, plain_again, *apart = side_by_side(benches.first, lambda way: way(), ways if carries else ways[:2])
    first, second = apart or (
        [replace(each, outcome=TestOutcome.NOT_CARRIED) for each in way] for way in (plain, plain_again)
    )
    pairs, again = _paired(first, plain), _paired(second, plain_again)
    why = {name: pair.no_evidence(beside=not withheld) for name, pair in pairs.items()}
    asking = {name: pair for name, pair in pairs.items() if not why[name]}
    if not asking:
        nothing = GivenTest(THE_FILE, TestOutcome.ERROR, "it has no test that runs anything of the program")
        asking = {THE_FILE: _Pair(nothing, nothing)}
        again = asking
    records = [_record(tests, pair, again.get(name), withheld) for name, pair in asking.items()]
    aside = (f"the test {name} does not count: {reason}" for name, reason in why.items() if reason)
    return GivenRun(tuple(records), tuple(calls), tuple(writable(each)[:_LONGEST] for each in aside))


def _paired(split: Sequence[GivenTest], plain: Sequence[GivenTest]) -> dict[str, _Pair]:
    """Return every test with its two outcomes, in order; a way in which it is missing says why for all of its tests."""
    sides = [{test.name: test for test in side} for side in (split, plain)]
    missing = [next((test for test in side if test.is_absent), None) for side in (split, plain)]
    present = [test.name for side in (split, plain) for test in side if not test.is_absent]
    known = {name.partition("[")[0] for name in present}
    absent = [test.name for side in (split, plain) for test in side if test.is_absent and test.name not in known]
    names = dict.fromkeys([*present, *(absent if not present else [n for n in absent if n != THE_FILE])])

    def outcome(side: int, name: str) -> GivenTest:
        unknown = missing[side] or GivenTest(name, TestOutcome.ERROR, "this way the file has no such test")
        return sides[side].get(name) or replace(unknown, name=name)

    return {name: _Pair(outcome(0, name), outcome(1, name)) for name in names}


def _split(
    clerk: Clerk,
    sandbox: Sandbox,
    program: Program,
    tests: bytes,
    names: Sequence[str],
    limits: JobLimits,
    calls: list[DirectCall] | None = None,
    wanted: Sequence[str] | None = None,
    *,
    until_one_fails: bool = False,
) -> list[GivenTest]:
    modules = tuple(dict.fromkeys(("artifact", program.module_name)))
    with loaded(sandbox, program, limits) as candidate:
        if isinstance(candidate, LoadFailure):
            return [GivenTest(THE_FILE, TestOutcome.ERROR, "the program could not be loaded", is_absent=True)]
        answer = answering(candidate)

        def resolve(target: str, args: tuple[object, ...], kwargs: dict[str, object]) -> Reply:
            call = DirectCall(target, args, tuple(kwargs.items()))
            if calls is not None and target.isidentifier() and _is_plain(call):
                calls.append(call)
            return answer(target, args, kwargs)

        return clerk.run_tests(tests, resolve, names, modules, wanted=wanted, until_one_fails=until_one_fails)


class SharedRuns:
    """Runs one file of tests against many mutants, several of them in one process: starting pytest costs most.

    What was carried on the program is run split. What counts in the program's own process is run beside the mutant. A
    test may leave something behind that makes later ones fail. So the program, which passes, runs last; where it fails
    or a process is lost, every mutant of that process gets one of its own.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        tests: bytes,
        names: Sequence[str],
        records: Sequence[CheckRecord],
        ways: tuple[str, str] = (SPLIT_TESTS, PLAIN_TESTS),
    ) -> None:
        self._sandbox = sandbox
        self._tests = tests
        self._names = tuple(names)
        given = [record for record in records if record.kind is CheckKind.TEST]
        self._ways: Mapping[str, Sequence[str]] = {
            ways[0]: [record.text for record in given if record.forge_resistant],
            ways[1]: [record.text for record in given if not record.forge_resistant],
        }
        self.is_of_reader = any(map(is_of_reader, ways))

    def passes(self, program: Program) -> bool:
        """True when there are tests and the program passes all of them, in processes of its own."""
        runs = [self._run(way, [program], MUTANT_LIMITS)[0] for way, names in self._ways.items() if names]
        return bool(runs) and all(map(all_pass, runs))

    def notices(self, program: Program) -> bool:
        """True when the tests refute a faulty copy, in processes of its own."""
        return any(
            any_refutes(self._run(way, [program], MUTANT_LIMITS)[0]) for way, names in self._ways.items() if names
        )

    def noticed(self, program: Program, copies: Sequence[Program]) -> list[str]:
        """Tell of every faulty copy how the tests notice it, empty where they do not; ``program`` passes them."""
        found = [""] * len(copies)
        for way, names in self._ways.items():
            waiting = [index for index, noticed in enumerate(found) if not noticed] if names else []
            for begin in range(0, len(waiting), _RUNS_A_PROCESS):
                together = waiting[begin : begin + _RUNS_A_PROCESS]
                for index in self._refuted(way, program, {index: copies[index] for index in together}):
                    found[index] = way
        return found

    def broken(self, program: Program, copies: Sequence[Program]) -> list[frozenset[str]]:
        """Return the tests that every faulty copy breaks; ``program`` passes them."""
        found = [frozenset[str]() for _ in copies]
        for way, begin in product(
            [way for way, names in self._ways.items() if names], range(0, len(copies), _RUNS_A_PROCESS)
        ):
            together = copies[begin : begin + _RUNS_A_PROCESS]
            runs = self._run(way, [*together, program], _SHARED_LIMITS, until_one_fails=False)
            if any(test.is_lost for run in runs for test in run) or not all_pass(runs[-1]):
                runs = [self._run(way, [each], MUTANT_LIMITS, until_one_fails=False)[0] for each in together]
            for index, run in enumerate(runs[: len(together)], begin):
                found[index] |= {test.name for test in run if any_refutes([test])}
        return found

    def _refuted(self, way: str, program: Program, copies: Mapping[int, Program]) -> Collection[int]:
        runs = self._run(way, [*copies.values(), program], _SHARED_LIMITS)
        is_lost = any(test.is_lost for run in runs for test in run)
        if is_lost or not all_pass(runs[-1]):
            # The shared process tells nothing.
            runs = [self._run(way, [each], MUTANT_LIMITS)[0] for each in copies.values()]
        return [index for index, run in zip(copies, runs, strict=False) if any_refutes(run)]

    def _run(
        self, way: str, programs: Sequence[Program], limits: JobLimits, *, until_one_fails: bool = True
    ) -> list[list[GivenTest]]:
        wanted = self._ways[way]
        if way in IN_OWN_PROCESS:
            with self._sandbox.one_process(limits) as process:
                return [
                    process.run_tests(each, self._tests, wanted, until_one_fails=until_one_fails) for each in programs
                ]
        with self._sandbox.clerk(limits) as clerk:
            return [
                _split(
                    clerk,
                    self._sandbox,
                    each,
                    self._tests,
                    self._names,
                    MUTANT_LIMITS,
                    wanted=wanted,
                    until_one_fails=until_one_fails,
                )
                for each in programs
            ]


def _is_plain(call: DirectCall) -> bool:
    try:
        inputs_form(call)
    except NotPlainDataError:
        return False
    return call.is_plain


def all_pass(outcomes: Sequence[GivenTest]) -> bool:
    """True when there is at least one test and every one passed."""
    return bool(outcomes) and all(test.outcome in _PASSING for test in outcomes)


def any_refutes(outcomes: Sequence[GivenTest]) -> bool:
    """True when a test that the program passes did not; one that was lost itself, or skips itself, shows nothing."""
    return any(
        test.outcome not in _PASSING and test.outcome is not TestOutcome.SKIPPED and not test.is_lost
        for test in outcomes
    )


def _record(tests: bytes, pair: _Pair, again: _Pair | None, withheld: str) -> CheckRecord:
    both = [pair] if again is None else [pair, again]
    carried = bool(withheld) or all(each.observed[0] != NOT_CARRIED for each in both)
    states = [state_of_test(*each.observed, forge_resistant=carried) for each in both]
    state = states[0]
    if len(set(states)) == 2 and CheckState.UNDECIDED in states and any(each.says_nothing for each in both):
        # What was lost once, or passes by chance where it is not carried, is no change of the program.
        state = CheckState.UNDECIDED
        pair = both[states.index(state)]
    elif again is None or states[1] is not state:
        state = CheckState.FLAKY
    split, plain = pair.observed
    name = pair.split.name
    return CheckRecord(
        id=f"test:{name}",
        kind=CheckKind.TEST,
        decided_by=DecidedBy.TEST,
        origin=Origin.GROUND_TRUTH,
        line=0,
        text=name,
        inputs={"form": "test", "name": name, "file": digest_of(tests)},
        expected={"outcome": PASSED},
        observed={"split": split, "plain": plain},
        state=state,
        note=_note(pair, withheld) if state is not CheckState.HOLDS else "",
        reproduction=f"pytest -k {name}",
        forge_resistant=carried,
    )


def _note(pair: _Pair, withheld: str) -> str:
    split, plain = pair.observed
    apart = "it leans on the process that it shares with the program, or one of the two was bent:"
    match split, plain:
        case ("not_carried", "passed"):
            needs = pair.split.uncarried or "what it needs"
            said = f"it passes in the program's own process alone, since {needs} cannot cross, and {withheld}"
        case ("not_carried", "error") if pair.plain.uncarried:
            said = f"it does not count: {pair.plain.uncarried}"
        case ("failed", "passed"):
            said = f"it passes plainly and fails where the program runs apart; {apart} {_end(pair.split)}"
        case ("passed", "failed"):
            said = f"it fails plainly and passes where the program runs apart; {apart} {_end(pair.plain)}"
        case _ if split in {plain, NOT_CARRIED}:
            said = _end(pair.plain)
        case _:
            said = f"split {split}, plainly {plain}: {_end(pair.plain if split == PASSED else pair.split)}"
    return writable(said)[:_LONGEST]


def _end(test: GivenTest) -> str:
    # What pytest marks: the statement that failed, then what it raised.
    lines = [line[1:].strip() for line in test.message.splitlines() if line.startswith((">", "E "))]
    return ": ".join(lines) or test.message
