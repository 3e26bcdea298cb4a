"""Setting aside, by counted work, what would cost too much to run.

A copy of the program with a counter runs first: what uses up the counter is out of budget on every machine. The clock
is only the backstop for work that cannot be counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probatum.programs.faults.work_limit import WORK_LIMIT_ERROR, with_work_limit
from probatum.programs.running.checks import Action
from probatum.programs.running.execute import MUTANT_LIMITS, Benches, is_gone, ran_out, run_actions, waited_in_vain
from probatum.programs.running.question import FunctionQuestion
from probatum.sandbox import Raised, Reply

WORK_PER_CHECK = 2_000_000
WORK_PER_INPUT = 20_000
MOST_HEAVY = 2


def used_up(reply: Reply) -> bool:
    """True when the work counter ended the call."""
    return isinstance(reply, Raised) and reply.type_name.endswith(WORK_LIMIT_ERROR)


def affordable(question: FunctionQuestion, actions: Sequence[Action], work: int, benches: Benches) -> frozenset[int]:
    """Return the indices of the actions that cost at most ``work`` units each and no process its budget.

    Every call of a function has the whole limit for itself; what happens to objects of a class shares one.
    """
    source, unit = question.source, question.function
    counted = replace(source.program, source=with_work_limit(source, work, fresh_for=unit.qualname))
    kept: set[int] = set()
    waiting = list(range(len(actions)))
    heavy = 0
    while waiting and heavy < MOST_HEAVY:
        asked = [actions[index] for index in waiting]
        replies = run_actions(
            benches.first, counted, asked, MUTANT_LIMITS, stop=lambda _, reply: used_up(reply) or is_gone(reply)
        )
        last = replies[-1]
        is_spent = used_up(last) or ran_out(last)
        answered = len(replies) - is_spent
        kept.update(waiting[:answered])
        # What shares its limit with others may only have come too late: then it gets a fresh process once.
        is_to_blame = is_spent and (unit.kind == "function" or answered == 0 or ran_out(last))
        heavy += is_to_blame and (ran_out(last) or work > WORK_PER_INPUT)
        if waited_in_vain(last):
            break
        waiting = waiting[answered + is_to_blame :]
    return frozenset(kept)
