"""The integration analyst: what a function uses is not there, or cannot be called as it calls it.

Names, attributes and calls are resolved against the loaded program and what is installed, also in branches that nothing
reaches (`sandbox.inside.resolving`). What is found keeps VERIFIED away and refutes nothing: nobody showed an input that
leads there. Refuses to say anything where the program's process gives no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probatum.core.errors import BudgetError, UsageError
from probatum.core.messages import writable
from probatum.programs.faults.targets import targets_of
from probatum.programs.perspectives.uses import uses_of
from probatum.programs.running.execute import PROGRAM_LIMITS, LoadFailure, loaded
from probatum.programs.running.inside import asked_inside
from probatum.programs.source import Source
from probatum.sandbox import Returned, Sandbox

_ASK = (
    "_asked['answers']({0!r}, _b.vars(_asked['sys'].modules[__name__]) if __name__ in _asked['sys'].modules"
    " else _b.globals(), {1!r})"
)
MOST_TOLD = 5
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class WrongUse:
    """One use that surely raises where it is reached."""

    line: int
    text: str
    reason: str

    @property
    def sentence(self) -> str:
        """What is wrong, and where."""
        return f"line {self.line}: {self.text}: {self.reason}"


def wrong_uses(source: Source, sandbox: Sandbox) -> tuple[WrongUse, ...] | None:
    """Return every use in the functions of a program that surely raises, in order of position; None without answer."""
    try:
        uses = uses_of(source.tree)
    except RecursionError:
        return None
    if not uses:
        return ()
    questions = list(dict.fromkeys(each.question for each in uses))
    with loaded(sandbox, source.program, PROGRAM_LIMITS) as candidate:
        if isinstance(candidate, LoadFailure):
            return None
        ask = _ASK.format(questions, sorted(source.program.importable))
        reply = candidate.statements(asked_inside("resolving"), ask, anew=True)
    if not isinstance(reply, Returned) or not isinstance(reply.value, list) or len(reply.value) != len(questions):
        return None
    reasons = dict(zip(questions, reply.value, strict=True))
    found = [(each, reasons[each.question]) for each in sorted(uses, key=lambda each: each.line)]
    told = [(each, reason) for each, reason in found if isinstance(reason, str) and reason]
    return tuple(WrongUse(each.line, each.text, writable(reason)[:_LONGEST]) for each, reason in told)


def told_of(source: Source, qualname: str, found: Sequence[WrongUse]) -> tuple[str, ...]:
    """Return sentences about the wrong uses in a function and in what it reaches in its file, a few of them."""
    if not found:
        return ()
    try:
        targets = targets_of(source.tree, qualname)
    except (BudgetError, UsageError):
        return ()
    lines = {line for each in targets for line in range(each.first_line, each.last_line + 1)}
    by_reason = {each.reason: each.sentence for each in reversed(found) if each.line in lines}
    return tuple(reversed(by_reason.values()))[:MOST_TOLD]
