"""Deciding again from a stored program artifact, and running its recorded inputs again.

Refuses an artifact whose observations are not records of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from probatum.core.canonical import JsonValue, untagged
from probatum.core.decision import Decision
from probatum.programs.checks import Action, ClerkExpression, DirectCall, Statements, inputs_form, plan_checks
from probatum.programs.compare import expected_form, observation
from probatum.programs.decide import ProgramPolicy, decide_program
from probatum.programs.execute import Benches, run_actions
from probatum.programs.extract import extract_module
from probatum.programs.given_tests import outcomes_of
from probatum.programs.loading import read_program
from probatum.programs.mutants import plan_mutants
from probatum.programs.record import FunctionRecord
from probatum.programs.rejudge import require_consistent, require_within
from probatum.programs.units import units_of
from probatum.programs.verifier import PROGRAM_LIMITS
from probatum.sandbox import Program, SourceArgument


def records_of(observations: object) -> tuple[FunctionRecord, ...]:
    """Read the records of an artifact; raises ValueError where they are not records."""
    if not isinstance(observations, list) or not observations:
        raise ValueError("a program artifact needs at least one record")
    return tuple(FunctionRecord.from_json(row) for row in observations if isinstance(row, dict))


def decide_again(observations: object, policy: object) -> Decision:
    """Derive the decision from recorded observations and the recorded policy; raises ValueError where they are none."""
    if not isinstance(policy, dict):
        raise ValueError("a program artifact needs its policy's content")
    records = records_of(observations)
    if len(records) != len(observations):  # type: ignore[arg-type]  # records_of has established a list
        raise ValueError("every observation of a program artifact must be a record")
    demanded = ProgramPolicy.from_json(policy)
    for record in records:
        require_consistent(record)
        require_within(record, demanded)
    return decide_program(records, demanded)


def replay_records(
    program: Program,
    observations: object,
    tests: bytes | None,
    benches: Benches,
    *,
    contract: str | None,
    policy: ProgramPolicy,
) -> tuple[str, ...]:
    """Plan again and run every recorded check again; return a sentence for each thing that differs.

    The specification is read again from the subject and the contract, so that no documented check is missing and none
    is invented, and the faults are planned again from the subject and the seed.

    Raises:
        ValueError: recorded inputs are malformed, or there are records of given tests and the tests are not there.
    """
    differences = []
    for record in records_of(observations):
        differences += _replan(program, record, contract, policy)
        differences += _replay_tests(program, record, tests, benches)
        checks = [check for check in record.checks if check.kind != "test"]
        actions = [_action(check.inputs) for check in checks]
        replies = run_actions(benches.first, program, actions, PROGRAM_LIMITS)
        for check, reply in zip(checks, replies, strict=True):
            seen = observation(reply)
            if seen != check.observed:
                differences.append(f"{record.qualname}, {check.text}: recorded {check.observed}, now {seen}")
    return tuple(differences)


def _replan(program: Program, record: FunctionRecord, contract: str | None, policy: ProgramPolicy) -> list[str]:
    read = read_program(program.source)
    if isinstance(read, Decision):
        return ["the subject cannot be read as a program"]
    public = [unit for unit in units_of(read.module, None, contract) if unit.qualname == record.qualname]
    [unit] = public or units_of(read.module, record.qualname, contract)
    differences = []
    checks = plan_checks(unit, read.module)
    due = [(c.example.id, inputs_form(c.action), expected_form(c.example.expectation)) for c in checks]
    if due != [(c.id, c.inputs, c.expected) for c in record.checks if c.kind == "example"]:
        differences.append(f"{record.qualname}: the recorded checks are not those that the subject documents")
    if record.strength_measured:
        faults = plan_mutants(read.text, record.qualname, limit=policy.mutants, seed=policy.seed)
        planned = [(fault.id, fault.operator, fault.line, fault.sentence, fault.serves_boundary) for fault in faults]
        if planned != [(m.id, m.operator, m.line, m.sentence, m.at_limit) for m in record.mutants]:
            differences.append(f"{record.qualname}: the planted faults are not those of subject and seed")
    return differences


def _replay_tests(program: Program, record: FunctionRecord, tests: bytes | None, benches: Benches) -> list[str]:
    given = [check for check in record.checks if check.kind == "test"]
    if not given:
        return []
    if tests is None:
        raise ValueError("the given tests are not kept, so they cannot be run again")
    names = extract_module(program.source.decode()).defined
    outcomes = {test.name: test.outcome for test in outcomes_of(benches.first, program, tests, names, PROGRAM_LIMITS)}
    return [
        f"{record.qualname}, test {check.text}: recorded {check.observed}, now {outcomes.get(check.text)}"
        for check in given
        if check.observed != {"outcome": outcomes.get(check.text)}
    ]


def _action(form: JsonValue) -> Action:
    if not isinstance(form, dict):
        raise ValueError("recorded inputs must be an object")
    reader = _READERS.get(str(form.get("form")))
    if reader is None:
        raise ValueError(f"unknown form of recorded inputs: {form.get('form')!r}")
    try:
        return reader(form)
    except (KeyError, TypeError) as error:
        raise ValueError(f"malformed recorded inputs: {error}") from error


def _input(value: JsonValue) -> object:
    if isinstance(value, dict) and set(value) == {"$source"}:
        return SourceArgument(str(value["$source"]))
    return untagged(value)


def _rows(value: JsonValue) -> Sequence[JsonValue]:
    if not isinstance(value, list):
        raise ValueError("a list was expected in recorded inputs")
    return value


def _call(form: Mapping[str, JsonValue]) -> Action:
    pairs = [_rows(pair) for pair in _rows(form["kwargs"])]
    args = tuple(_input(value) for value in _rows(form["args"]))
    return DirectCall(str(form["target"]), args, tuple((str(name), _input(value)) for name, value in pairs))


def _clerk(form: Mapping[str, JsonValue]) -> Action:
    return ClerkExpression(str(form["expression"]), tuple(str(name) for name in _rows(form["names"])))


def _statements(form: Mapping[str, JsonValue]) -> Action:
    setup = tuple(str(step) for step in _rows(form["setup"]))
    return Statements(setup, str(form["expression"]), form["show_repr"] is True)


_READERS: Mapping[str, Callable[[Mapping[str, JsonValue]], Action]] = {
    "call": _call,
    "clerk": _clerk,
    "statements": _statements,
}
