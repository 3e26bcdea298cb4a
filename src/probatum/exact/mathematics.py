"""Decides claims of mathematics: reads the statement, and hands it to what decides its form.

A statement is a comparison or a chain of them. Closed ones with rational sides are decided by `arithmetic`. Refuses a
text that claims nothing, such as a lone expression.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.arithmetic import check_closed, decide_closed
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling
from probatum.exact.expressions import Relations, read_expression
from probatum.exact.rational import NotRationalError

SYNTAX: Final = "math.syntax"
_HINT: Final = "Write an equation, such as 0.1 + 0.2 = 0.3."


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a statement of mathematics holds; raises as `EngineModule.decide`."""
    try:
        return decide_closed(_comparison(claim))
    except NotRationalError as error:
        raise CannotDecideError("math.beyond", f"{error} is beyond rational arithmetic.") from error


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing."""
    return check_closed(_comparison(claim), certificate)


def _comparison(claim: ExactClaim) -> Relations:
    if not claim.statement.strip():
        raise NotAttemptedError("math.no_claim", "The statement is empty.", _HINT)
    node = read_expression(claim.statement, SYNTAX)
    if not isinstance(node, Relations):
        sentence = "The statement has no relation such as '=', so it claims nothing."
        raise NotAttemptedError("math.no_claim", sentence, _HINT)
    return node
