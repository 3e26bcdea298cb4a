"""A file of tests that the user gives: run by the clerk, which never holds the program.

Every test that the file has becomes one check. A test that passes under both hash seeds holds, one that fails under
both refutes; a skipped, erring or missing one leaves its clause undecided, and so does a file without any test.
Refuses to take the tests' word for it: what a proxy cannot carry is an error, never a pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probatum.core.canonical import NotPlainDataError
from probatum.core.digest import digest_of
from probatum.core.limits import JobLimits
from probatum.programs.checks import DirectCall, inputs_form
from probatum.programs.compare import printable
from probatum.programs.execute import Benches, LoadFailure, loaded
from probatum.programs.record import CheckRecord, CheckState
from probatum.programs.specification import Origin
from probatum.sandbox import GivenTest, Program, Reply, Sandbox, answering

TESTS_LOST = "the tests were lost"
"""How the message of a test begins that never ran because its own process was lost."""
_STATES = {"passed": CheckState.HOLDS, "failed": CheckState.FAILS}


@dataclass(frozen=True, slots=True)
class GivenRun:
    """One record a test, and the calls with plain arguments that the tests made: they show what inputs look like."""

    records: tuple[CheckRecord, ...] = ()
    calls: tuple[DirectCall, ...] = ()


def run_given_tests(
    program: Program, tests: bytes, names: Sequence[str], benches: Benches, limits: JobLimits
) -> GivenRun:
    """Run the tests under both hash seeds."""
    calls: list[DirectCall] = []
    first = outcomes_of(benches.first, program, tests, names, limits, calls)
    second = {test.name: test for test in outcomes_of(benches.second, program, tests, names, limits)}
    if not first:
        nothing = GivenTest("the file of tests", "error", "it has no test")
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
    limits: JobLimits,
    calls: list[DirectCall] | None = None,
) -> list[GivenTest]:
    """Run the tests once against a fresh process of the program; plain calls are added to ``calls``."""
    modules = tuple(dict.fromkeys(("artifact", program.module_name)))
    with loaded(sandbox, program, limits) as candidate, sandbox.clerk(limits) as clerk:
        if isinstance(candidate, LoadFailure):
            return [GivenTest("the file of tests", "error", "the program could not be loaded")]
        answer = answering(candidate)

        def resolve(target: str, args: tuple[object, ...], kwargs: dict[str, object]) -> Reply:
            call = DirectCall(target, args, tuple(kwargs.items()))
            if calls is not None and target.isidentifier() and _is_plain(call):
                calls.append(call)
            return answer(target, args, kwargs)

        return clerk.run_tests(tests, resolve, names, modules)


def _is_plain(call: DirectCall) -> bool:
    try:
        inputs_form(call)
    except NotPlainDataError:
        return False
    return call.is_plain


def all_pass(outcomes: Sequence[GivenTest]) -> bool:
    """True when there is at least one test and every one passed."""
    return bool(outcomes) and all(test.outcome == "passed" for test in outcomes)


def any_refutes(outcomes: Sequence[GivenTest]) -> bool:
    """True when a test failed, or erred through the program; tests that were lost themselves show nothing."""
    return any(
        test.outcome == "failed" or (test.outcome == "error" and not test.message.startswith(TESTS_LOST))
        for test in outcomes
    )


def _record(tests: bytes, test: GivenTest, state: CheckState) -> CheckRecord:
    return CheckRecord(
        id=f"test:{test.name}",
        kind="test",
        origin=Origin.GROUND_TRUTH,
        line=0,
        text=test.name,
        inputs={"form": "test", "name": test.name, "file": digest_of(tests)},
        expected={"outcome": "passed"},
        observed={"outcome": test.outcome},
        state=state,
        note=printable(test.message)[:300] if state is not CheckState.HOLDS else "",
        reproduction=f"pytest -k {test.name}",
    )
