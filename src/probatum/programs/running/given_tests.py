"""A file of tests that the user gives: run by the clerk, which never holds the program.

A test that passes under both hash seeds holds, one that fails under both refutes; a skipped, erring or missing one
leaves its clause undecided, and so does a file without any test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probatum.core.digest import digest_of
from probatum.core.limits import JobLimits
from probatum.core.tagged import NotPlainDataError
from probatum.programs.record import CheckKind, CheckRecord, CheckState
from probatum.programs.running.checks import DirectCall, inputs_form
from probatum.programs.running.compare import printable
from probatum.programs.running.execute import MUTANT_LIMITS, PROGRAM_LIMITS, Benches, LoadFailure, loaded
from probatum.programs.specification import Origin
from probatum.sandbox import Clerk, GivenTest, Program, Reply, Sandbox, TestOutcome, answering

# How many faulty copies the same process tests.
_RUNS_A_CLERK = 12
# What they have together.
_SHARED_LIMITS = JobLimits(cpu_seconds=3 * MUTANT_LIMITS.cpu_seconds, wall_seconds=3 * MUTANT_LIMITS.wall_seconds)
_STATES = {TestOutcome.PASSED: CheckState.HOLDS, TestOutcome.FAILED: CheckState.FAILS}


@dataclass(frozen=True, slots=True)
class GivenRun:
    """One record a test, and the calls with plain arguments that the tests made: they show what inputs look like."""

    records: tuple[CheckRecord, ...] = ()
    calls: tuple[DirectCall, ...] = ()


def run_given_tests(program: Program, tests: bytes, names: Sequence[str], benches: Benches) -> GivenRun:
    """Run the tests under both hash seeds."""
    calls: list[DirectCall] = []
    first = outcomes_of(benches.first, program, tests, names, calls=calls)
    second = {test.name: test for test in outcomes_of(benches.second, program, tests, names)}
    if not first:
        nothing = GivenTest("the file of tests", TestOutcome.ERROR, "it has no test")
        return GivenRun((_record(tests, nothing, CheckState.UNDECIDED),))
    records = []
    for test in first:
        state = _STATES.get(test.outcome, CheckState.UNDECIDED)
        other = second.get(test.name)
        if other is None or _STATES.get(other.outcome, CheckState.UNDECIDED) is not state:
            state = CheckState.FLAKY
        records.append(_record(tests, test, state))
    return GivenRun(tuple(records), tuple(calls))


def outcomes_of(
    sandbox: Sandbox,
    program: Program,
    tests: bytes,
    names: Sequence[str],
    limits: JobLimits = PROGRAM_LIMITS,
    calls: list[DirectCall] | None = None,
) -> list[GivenTest]:
    """Run the tests once against a fresh process of the program; plain calls are added to ``calls``."""
    with sandbox.clerk(limits) as clerk:
        return _outcomes_by(clerk, sandbox, program, tests, names, limits, calls)


def _outcomes_by(
    clerk: Clerk,
    sandbox: Sandbox,
    program: Program,
    tests: bytes,
    names: Sequence[str],
    limits: JobLimits,
    calls: list[DirectCall] | None = None,
    *,
    until_one_fails: bool = False,
) -> list[GivenTest]:
    modules = tuple(dict.fromkeys(("artifact", program.module_name)))
    with loaded(sandbox, program, limits) as candidate:
        if isinstance(candidate, LoadFailure):
            return [GivenTest("the file of tests", TestOutcome.ERROR, "the program could not be loaded")]
        answer = answering(candidate)

        def resolve(target: str, args: tuple[object, ...], kwargs: dict[str, object]) -> Reply:
            call = DirectCall(target, args, tuple(kwargs.items()))
            if calls is not None and target.isidentifier() and _is_plain(call):
                calls.append(call)
            return answer(target, args, kwargs)

        return clerk.run_tests(tests, resolve, names, modules, until_one_fails=until_one_fails)


class SharedClerk:
    """Runs one file of tests against many mutants, several of them in one process: starting pytest costs most.

    A test may leave something behind that makes later ones fail. So the program, which passes, runs last; where it
    fails or a process is lost, every mutant of that process gets one of its own.
    """

    def __init__(self, sandbox: Sandbox, tests: bytes, names: Sequence[str]) -> None:
        self._sandbox = sandbox
        self._tests = tests
        self._names = tuple(names)

    def passes(self, program: Program) -> bool:
        """True when there are tests and the program passes all of them, in a process of its own."""
        return all_pass(self._alone(program))

    def notices(self, program: Program) -> bool:
        """True when the tests refute a faulty copy, in a process of its own."""
        return any_refutes(self._alone(program))

    def _alone(self, program: Program) -> list[GivenTest]:
        return outcomes_of(self._sandbox, program, self._tests, self._names, MUTANT_LIMITS)

    def noticed(self, program: Program, copies: Sequence[Program]) -> list[bool]:
        """Tell of every faulty copy whether the tests refute it; ``program`` is the one that passes them."""
        found: list[bool] = []
        for begin in range(0, len(copies), _RUNS_A_CLERK):
            together = copies[begin : begin + _RUNS_A_CLERK]
            found += self._together(program, together) or [self.notices(each) for each in together]
        return found

    def _together(self, program: Program, copies: Sequence[Program]) -> list[bool]:
        # Nothing is returned where the shared process tells nothing.
        with self._sandbox.clerk(_SHARED_LIMITS) as clerk:
            runs = [self._run(clerk, each) for each in (*copies, program)]
        is_lost = any(test.is_lost for run in runs for test in run)
        return [] if is_lost or not all_pass(runs[-1]) else [any_refutes(run) for run in runs[:-1]]

    def _run(self, clerk: Clerk, program: Program) -> list[GivenTest]:
        return _outcomes_by(
            clerk, self._sandbox, program, self._tests, self._names, MUTANT_LIMITS, until_one_fails=True
        )


def _is_plain(call: DirectCall) -> bool:
    try:
        inputs_form(call)
    except NotPlainDataError:
        return False
    return call.is_plain


def all_pass(outcomes: Sequence[GivenTest]) -> bool:
    """True when there is at least one test and every one passed."""
    return bool(outcomes) and all(test.outcome is TestOutcome.PASSED for test in outcomes)


def any_refutes(outcomes: Sequence[GivenTest]) -> bool:
    """True when a test failed, or erred through the program; tests that were lost themselves show nothing."""
    return any(
        test.outcome is TestOutcome.FAILED or (test.outcome is TestOutcome.ERROR and not test.is_lost)
        for test in outcomes
    )


def _record(tests: bytes, test: GivenTest, state: CheckState) -> CheckRecord:
    return CheckRecord(
        id=f"test:{test.name}",
        kind=CheckKind.TEST,
        origin=Origin.GROUND_TRUTH,
        line=0,
        text=test.name,
        inputs={"form": "test", "name": test.name, "file": digest_of(tests)},
        expected={"outcome": "passed"},
        observed={"outcome": test.outcome.value},
        state=state,
        note=printable(test.message)[:300] if state is not CheckState.HOLDS else "",
        reproduction=f"pytest -k {test.name}",
    )
