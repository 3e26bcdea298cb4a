"""Conditions on the result that the program enforces itself: closing assertions, ``ensure`` and ``post`` of decorators.

Where one is broken the call raises, and there is no result to judge. A copy without the enforcement must return what
breaks the condition, and the program itself must raise `AssertionError`. Refuses to blame a program for any other
`AssertionError`: it may turn illegal arguments away.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from probatum.programs.inputs.generate import CallSource
from probatum.programs.judging.claims import StatedClauses, StatedProperty, planned_claim
from probatum.programs.parsing.documents import SourceText
from probatum.programs.parsing.expressions import called_name
from probatum.programs.record import CheckRecord, CheckState
from probatum.programs.requirements.code_conditions import ASSERT, ENFORCING
from probatum.programs.running.checks import Action, DirectCall, JudgedCall, pasteable
from probatum.programs.running.compare import describe
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.execute import MUTANT_LIMITS, Benches, run_actions
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.shrinking import smallest_failing
from probatum.programs.running.stability import confirmed
from probatum.programs.source import Source
from probatum.programs.specification import Origin, RaisesError, Span
from probatum.sandbox import Program, Raised, Reply, Returned

_ASSERTION = "AssertionError"
# What stands for an assertion, and for a decorator.
_NOTHING: Mapping[bool, str] = {True: "pass", False: "(lambda unchanged: unchanged)"}


def broken_where_enforced(
    question: FunctionQuestion,
    stated: StatedClauses,
    answered: Sequence[tuple[Action, Reply]],
    source: CallSource | None,
    benches: Benches,
) -> tuple[CheckRecord, ...]:
    """Return a record of each enforced condition that a legal call breaks, with the smallest such call."""
    enforced = [each for each in stated.properties if _is_enforced(each, question)]
    if not enforced or not stated.requirements_are_read or _documents_assertions(question):
        return ()
    calls = [
        action
        for action, reply in answered
        if isinstance(action, DirectCall) and _is_assertion(reply) and stated.meets(action)
    ][: question.policy.stated_inputs]
    bare = without_enforcement(question.source, [each.clause.span for each in enforced])
    if not calls or bare is None:
        return ()

    def breaks(due: JudgedCall) -> bool:
        if not is_false(run_actions(benches.first, bare, [due], MUTANT_LIMITS)[0]):
            return False
        return _is_assertion(run_actions(benches.first, question.program, [due.call], MUTANT_LIMITS)[0])

    found = []
    for each in enforced:
        actions = [due for call in calls if (due := stated.judged_where_due(each, call)) is not None]
        replies = run_actions(benches.first, bare, actions)
        broken = next((action for action, reply in zip(actions, replies, strict=True) if is_false(reply)), None)
        if broken is not None:
            smallest = smallest_breaking(stated, each, broken, source, breaks, question)
            found.append(_confirmed(question, each, smallest, benches))
    return tuple(found)


def _is_enforced(stated: StatedProperty, question: FunctionQuestion) -> bool:
    clause = stated.clause
    if clause.source not in ENFORCING or clause.origin is not Origin.GROUND_TRUTH:
        return False
    return clause.source != ASSERT or any(
        each.source in ENFORCING and each.origin is Origin.GROUND_TRUTH for each in question.function.preconditions
    )


def _documents_assertions(question: FunctionQuestion) -> bool:
    # Where calls may raise it, one that does says nothing.
    shown = (each.expectation for each in question.function.examples)
    names = {each.type_name.rpartition(".")[2] for each in shown if isinstance(each, RaisesError)}
    names |= named_exceptions(question.function)
    names |= {each.type_name.rpartition(".")[2] for each in question.function.raises}
    return any(name in {_ASSERTION, "Exception", "BaseException"} or name.endswith("ContractError") for name in names)


def _is_assertion(reply: Reply) -> bool:
    return isinstance(reply, Raised) and _ASSERTION in {reply.type_name, *reply.bases}


def is_false(reply: Reply) -> bool:
    """True where a condition was evaluated and does not hold."""
    return isinstance(reply, Returned) and reply.value is False


def smallest_breaking(
    stated: StatedClauses,
    clause: StatedProperty,
    broken: JudgedCall,
    source: CallSource | None,
    breaks: Callable[[JudgedCall], bool],
    question: FunctionQuestion,
) -> JudgedCall:
    """Shrink a call that breaks a property, among those that the property speaks of."""

    def fails(call: DirectCall) -> bool:
        due = stated.judged_where_due(clause, call)
        return due is not None and breaks(due)

    call = smallest_failing(source, broken.call, fails, seed=question.policy.seed)
    return stated.judged_where_due(clause, call) or broken


def _confirmed(question: FunctionQuestion, stated: StatedProperty, action: JudgedCall, benches: Benches) -> CheckRecord:
    check = planned_claim(stated.clause, "enforced", action)
    record, reply = confirmed(question, check, benches, _is_assertion)
    if record.state is not CheckState.FAILS:
        return record
    said = f"{pasteable(action.call)} {describe(reply)}: it breaks a condition that the program enforces itself"
    return replace(record, note=said)


def without_enforcement(source: Source, spans: Iterable[Span]) -> Program | None:
    """Return the program without what stands at these places (and icontract's snapshots), None where one is missing."""
    text, changed = SourceText(source.text), source.text
    wanted = {(span.line, span.column) for span in spans}
    found: list[tuple[int, int, bool]] = []
    seen: set[tuple[int, int]] = set()
    for node in _enforcing(source.tree):
        begin, end = text.node_range(node)
        span = text.span(begin, end)
        place = (span.line, span.column)
        if place in wanted or (wanted and isinstance(node, ast.Call) and called_name(node) == "snapshot"):
            found.append((begin, end, isinstance(node, ast.Assert)))
            seen.add(place)
    if not wanted <= seen:
        return None
    for begin, end, is_assertion in sorted(found, reverse=True):
        changed = changed[:begin] + _NOTHING[is_assertion] + changed[end:]
    try:
        return replace(source.program, source=changed.encode())
    except UnicodeEncodeError:
        return None


def _enforcing(tree: ast.Module) -> Iterator[ast.Assert | ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield node
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                chained = decorator.args if isinstance(decorator, ast.Call) and not decorator.keywords else []
                yield from (each for each in (decorator, *chained) if isinstance(each, ast.Call))
