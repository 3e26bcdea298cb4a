"""The inputs of a reader as calls, and which of them contradict the signature of what they are for.

An annotation is compared by its text where that is enough, and else asked of the loaded program: a list is no
``np.ndarray``. Refuses to say that a call contradicts what a decorator may have changed, or an annotation that cannot
be evaluated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from probatum.programs.examples.clauses import BUILTIN_NAMES
from probatum.programs.faults.targets import definitions_of
from probatum.programs.parsing.annotations import PLAIN_TYPES, accepts
from probatum.programs.parsing.expressions import free_names
from probatum.programs.parsing.value_texts import pasteable_text
from probatum.programs.running.binding import bound_values, declared_arguments, misfit
from probatum.programs.running.checks import DirectCall, pasteable
from probatum.programs.running.execute import Benches, LoadFailure, loaded
from probatum.programs.running.judged_calls import can_be_made, demands, inputs_of
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import ReadingJudge, judge_of
from probatum.programs.statements.documented import signature_of
from probatum.readings.refusals import Why
from probatum.readings.syntax import expression_or_none
from probatum.readings.values import ReadingRecord
from probatum.sandbox import Returned, Sandbox, SourceArgument

_NAME = re.compile(r"[^\W\d][\w.]*")
# A number that a class of numbers is made from, and what only a protocol describes, may be meant.
_IS_ANOTHER = (
    "(lambda kind, value: isinstance(kind, type) and not getattr(kind, '_is_protocol', False)"
    " and not isinstance(value, kind) and not issubclass(kind, type(value)))({}, {})"
)


def readers_inputs(judge: ReadingJudge, question: FunctionQuestion, sandbox: Sandbox) -> list[tuple[str, DirectCall]]:
    """Return each input that is a tuple, with its call: values where they are plain, and source where they are not.

    What the reader's own helpers make of the program's objects is for `clause_sessions` alone.
    """
    function, known = question.function, BUILTIN_NAMES.union(question.module.defined)
    calls = []
    for text, values in zip(judge.record.inputs, inputs_of(judge, sandbox), strict=True):
        if values is not None:
            calls.append((text, DirectCall(function.qualname, values)))
        elif isinstance(tree := expression_or_none(text), ast.Tuple) and free_names(tree) <= known:
            calls.append((text, DirectCall(function.qualname, tuple(map(_argument, tree.elts)))))
    return calls


def readers_calls(judge: ReadingJudge, question: FunctionQuestion, sandbox: Sandbox) -> tuple[DirectCall, ...]:
    """Return the calls that a reader gave."""
    return tuple(call for _, call in readers_inputs(judge, question, sandbox))


def has_inputs_inside(judge: ReadingJudge, question: FunctionQuestion, sandbox: Sandbox) -> bool:
    """Tell whether there are inputs that only the program's own process can make.

    Apart from it neither results nor conditions can be judged on them, whatever the plain inputs beside them show.
    """
    calls = readers_calls(judge, question, sandbox)
    return len(calls) < len(judge.record.inputs) or not all(can_be_made(each) for call in calls for each in call.args)


def misfits(question: FunctionQuestion, calls: Sequence[DirectCall], sandbox: Sandbox) -> list[str]:
    """Return for each call how it contradicts the signature, empty where it does not as far as can be told."""
    parameters = question.function.taken
    found = [misfit(parameters, call) or _arity(question, call) for call in calls]
    asked = [
        (index, f"{parameter.name} is declared as {parameter.annotation}, not {pasteable_text(value)}", expression)
        for index, call in enumerate(calls)
        for parameter, value in declared_arguments(parameters, call)
        if (expression := _asked_of_program(parameter.annotation or "", value))
    ]
    if not asked:
        return found
    with loaded(sandbox, question.program) as candidate:
        if isinstance(candidate, LoadFailure):
            return found
        for index, reason, expression in asked:
            reply = candidate.statements("", expression, anew=True)
            if isinstance(reply, Returned) and reply.value is True and not found[index]:
                found[index] = reason
    return found


def _asked_of_program(annotation: str, value: object) -> str:
    is_told = accepts(annotation, value) is not None
    if is_told or type(value) not in PLAIN_TYPES or _NAME.fullmatch(annotation) is None:
        return ""
    return _IS_ANOTHER.format(annotation, pasteable_text(value))


def _arity(question: FunctionQuestion, call: DirectCall) -> str:
    function = question.function
    node = definitions_of(question.source.tree).get(function.qualname)
    marks = {ast.unparse(each) for each in node.decorator_list} if node is not None else {""}
    if function.kind == "class" or not marks <= {"staticmethod", "classmethod"}:
        return ""
    if bound_values(function.taken, call) is not None:
        return ""
    return f"{pasteable(call)} does not fit {signature_of(function)}"


def _argument(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return SourceArgument(ast.unparse(node))


def refused_inputs(question: FunctionQuestion, record: ReadingRecord, benches: Benches) -> Mapping[str, str]:
    """Return the inputs of a record that contradict the signature, with the reason.

    One that meets the condition of an exception is kept: its documentation may speak of other types.
    """
    question = question.about(record)
    judge = judge_of(record, question.function)
    if isinstance(judge, str) or question.function.kind == "method":
        return {}
    inputs = readers_inputs(judge, question, benches.first)
    calls = [call for _, call in inputs]
    rows = zip(inputs, misfits(question, calls, benches.first), demands(judge, calls, benches.first), strict=True)
    return {
        text: Why("input_does_not_fit", reason, said=reason)
        for (text, _), reason, told in rows
        if reason and True not in told.held_to(reason, judge).raises.values()
    }
