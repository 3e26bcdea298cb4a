"""Exceptions that nobody means: of a mistake's kind, on a legal input, not among those that are documented.

Such a program does more than its documentation says, or less; which of them is wrong nobody knows, so it refutes
nothing and keeps VERIFIED away. Refuses to ask where no exceptions are documented: then what is legal is not known
either (of 164 right programs whose documentation names none, 18 raise so on inputs like their examples). Refuses
TypeError and ValueError, which right programs raise for what they do not take.
"""

from __future__ import annotations

from probatum.programs.running.checks import DirectCall, pasteable
from probatum.programs.running.compare import describe
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.execute import MUTANT_LIMITS, Benches, run_actions
from probatum.programs.running.generated import Generated
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.shrinking import smallest_failing
from probatum.programs.specification import FunctionSpec
from probatum.sandbox import Raised, Reply

MISTAKES = frozenset(
    {
        "AttributeError",
        "IndexError",
        "KeyError",
        "NameError",
        "RecursionError",
        "UnboundLocalError",
        "ZeroDivisionError",
    }
)


def is_documented(reply: Raised, function: FunctionSpec) -> bool:
    """Tell whether the specification mentions the exception, under whatever condition."""
    names = {name.rsplit(".", 1)[-1] for name in (reply.type_name, *reply.bases)}
    return bool(names & named_exceptions(function))


def unexpected_exception(question: FunctionQuestion, generated: Generated, benches: Benches) -> str:
    """Return a sentence with the smallest legal call that ends in such an exception; empty where none was found."""
    function = question.function
    if not function.raises:
        return ""
    for call, reply in zip(generated.actions, generated.replies, strict=True):
        if not isinstance(call, DirectCall) or not call.is_plain or call.target != function.qualname:
            continue
        if not _is_mistake(reply, function):
            continue
        if function.preconditions:
            # What a search finds need not be legal.
            return _told(call, reply)
        smallest = smallest_failing(
            generated.calls,
            call,
            lambda each: _is_mistake(run_actions(benches.first, question.program, [each], MUTANT_LIMITS)[0], function),
            seed=question.policy.seed,
        )
        shown = run_actions(benches.first, question.program, [smallest])[0]
        return _told(smallest, shown) if _is_mistake(shown, function) else _told(call, reply)
    return ""


def _is_mistake(reply: Reply, function: FunctionSpec) -> bool:
    is_one = isinstance(reply, Raised) and reply.type_name.rpartition(".")[2] in MISTAKES
    return is_one and isinstance(reply, Raised) and not is_documented(reply, function)


def _told(call: DirectCall, reply: Reply) -> str:
    return f"{pasteable(call)} {describe(reply)}, which the documented exceptions do not name"
