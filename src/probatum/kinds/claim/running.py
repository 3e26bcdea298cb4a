"""Runs code that was allowed to run, in the sandbox, and tells what it gave: a result, never a proof.

The value is that of the last line, where it is an expression, else of ``result``, where the code binds it. Refuses to
run anything without isolation.
"""

from __future__ import annotations

import ast
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.claim import ExactClaim, Ruling, undecided
from probatum.sandbox import Lost, LostReason, Program, Raised, Reply, Returned, Sandbox

TO_RUN: Final = "execute.not_run"
_RESULT: Final = "result"
_OUTPUT: Final = "output"
_SHOWN: Final = 1000
_FAULTS_OF_OURS: Final = (LostReason.SETUP, LostReason.ENDED)


def is_to_be_run(ruling: Ruling) -> bool:
    """Return whether an engine left a claim open because code has to run first."""
    return ruling.constraint == TO_RUN


class CodeRunner:
    """One sandbox, opened for the first code that runs."""

    def __init__(self) -> None:
        """Open nothing yet."""
        self._sandbox: Sandbox | None = None

    def ran(self, claim: ExactClaim) -> Ruling:
        """Return what code gave, as an undecided ruling.

        Raises NotAttemptedError where no isolation is available, where the time is over, or where isolation failed.
        """
        if self._sandbox is None:
            try:
                self._sandbox = Sandbox.open()
            except NotAttemptedError as error:
                raise NotAttemptedError("execute.runtime_unavailable", error.sentence, error.hint) from error
        body, last = _parted(claim.inputs.text("code"))
        with self._sandbox.candidate(Program(b"")) as candidate:
            loaded = candidate.load()
            return _told(candidate.statements(body, last) if isinstance(loaded, Returned) else loaded)

    def close(self) -> None:
        """Close the sandbox."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None


def _parted(source: str) -> tuple[str, str]:
    """Return the statements, and the expression whose value is the result; ``None`` as text where there is none."""
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        return ast.unparse(ast.Module(tree.body[:-1], [])), ast.unparse(last.value)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return source, _RESULT if _RESULT in names else "None"


def _shown(value: object) -> str:
    try:
        return repr(value)[:_SHOWN]
    except ValueError:
        # Python does not write whole numbers of very many digits.
        return "a value with a number that is too large to be written"


def _told(reply: Reply) -> Ruling:
    match reply:
        case Returned():
            told = {_RESULT: _shown(reply.value), _OUTPUT: reply.output[:_SHOWN]}
            return undecided("execute.ran", "It ran once; another run may give something else.", told)
        case Raised():
            detail = f"The code raised {reply.type_name}: {reply.text}"[:_SHOWN]
            return undecided("execute.raised", detail, {"exception": reply.type_name})
        case Lost(reason=LostReason.CPU | LostReason.WALL):
            raise NotAttemptedError("execute.timed_out", f"The code did not end: {reply.detail}.")
        case Lost(reason=reason) if reason in _FAULTS_OF_OURS:
            raise NotAttemptedError("execute.runtime_unavailable", f"The sandbox failed: {reply.detail}.")
        case Lost():
            return undecided(
                "execute.raised", f"The code gave no result: {reply.detail}.", {"reason": str(reply.reason)}
            )
