"""From a check and the reply that it got to the record of it.

Refuses to name a state that does not follow from the observation, flakiness apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from probatum.core.canonical import JsonValue
from probatum.core.tagged import NotPlainDataError, tagged
from probatum.programs.examples.mined_tests import GIVEN_TESTS
from probatum.programs.record import CheckKind, CheckRecord, CheckState
from probatum.programs.running.checks import DirectCall, PlainAction, PlannedCheck, inputs_form, pasteable
from probatum.programs.running.compare import Comparison, expected_form, observation
from probatum.programs.running.differential import EARLIER_VERSION
from probatum.programs.specification import DecidedBy, FunctionSpec, Origin, Span
from probatum.sandbox import Reply, Returned, SourceArgument

_BASES: Mapping[CheckKind, DecidedBy] = {
    CheckKind.EXAMPLE: DecidedBy.EXAMPLE,
    CheckKind.RETURN_TYPE: DecidedBy.TYPE,
    CheckKind.ARGUMENT: DecidedBy.TYPE,
    CheckKind.TEST: DecidedBy.TEST,
    CheckKind.DIFFERENTIAL: DecidedBy.OLD_VERSION,
    CheckKind.PROPERTY: DecidedBy.CODE_CONDITION,
    CheckKind.LAW: DecidedBy.LAW,
    CheckKind.READING: DecidedBy.READING,
}
OWN_WORD = "only the program's own object says so; a session of plain values over the same methods replaces it"


def check_record(check: PlannedCheck, comparison: Comparison, reply: Reply, *, stable: bool = True) -> CheckRecord:
    """Return the record of an executed check; an unstable one is flaky whatever the comparison came to."""
    example = check.example
    state, note = comparison.state, comparison.note
    if state is CheckState.HOLDS and check.is_own_word:
        state, note = CheckState.UNCHECKED, OWN_WORD
    if not stable:
        state, note = CheckState.FLAKY, "the result changes with the hash seed, the order of calls or from run to run"
    return CheckRecord(
        id=example.id,
        kind=check.kind,
        decided_by=_BASES[check.kind],
        origin=example.origin,
        line=example.span.line if example.source not in {"contract", EARLIER_VERSION, GIVEN_TESTS} else 0,
        text=example.text,
        inputs=inputs_form(check.action),
        expected=expected_form(example.expectation),
        observed=observation(reply),
        state=state,
        note=note or (f"got {comparison.observed}" if state is CheckState.FAILS else ""),
        reproduction=check.reproduction,
        forge_resistant=check.forge_resistant,
    )


def type_claim(
    action: DirectCall, reply: Returned, function: FunctionSpec, state: CheckState, note: str
) -> CheckRecord:
    """Return the record of the declared type of the result that a call bears on."""
    declared = function.result_type
    span = declared.span if declared else function.span
    text = f"-> {declared.annotation}" if declared else note
    return claim_record(CheckKind.RETURN_TYPE, action, reply, span, (text, note), state)


def claim_record(
    kind: CheckKind,
    action: PlainAction,
    reply: Reply,
    span: Span,
    said: tuple[str, str],
    state: CheckState = CheckState.FAILS,
) -> CheckRecord:
    """Return the record of a declaration that a call bears on; ``said`` is its text and a note for people."""
    return CheckRecord(
        id=f"{kind}:{pasteable(action)[:80]}",
        kind=kind,
        decided_by=DecidedBy.TYPE,
        origin=Origin.GROUND_TRUTH,
        line=span.line,
        text=said[0],
        inputs=inputs_form(action),
        expected={"claim": kind.value},
        observed=observation(reply),
        state=state,
        note=said[1],
        reproduction=pasteable(action),
    )


def changed_argument(action: DirectCall, reply: Reply) -> bool:
    """True when an argument that was given as a value is observably different after the call."""
    if not isinstance(reply, Returned) or len(reply.arguments) != len(action.args):
        return False
    pairs = [
        (given, after)
        for given, after in zip(action.args, reply.arguments, strict=True)
        if not isinstance(given, SourceArgument)
    ]
    before: list[JsonValue] = [tagged(given) for given, _ in pairs]
    try:
        return [tagged(after) for _, after in pairs] != before
    except NotPlainDataError:
        return True
