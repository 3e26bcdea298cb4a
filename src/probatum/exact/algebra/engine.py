"""Decides claims of mathematics: reads the statement, and hands it to what decides its form.

A statement is a comparison or a chain of them, or such a one after conditions and ``->``. Closed ones with rational
sides are decided by `arithmetic`, all others as `readings` takes them apart. Refuses a text that claims nothing, such
as a lone expression.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.algebra.agreement import check_reading
from probatum.exact.algebra.domains import Domain, domain_of
from probatum.exact.algebra.readings import HINT, decide_reading, reading_of
from probatum.exact.algebra.trees import written
from probatum.exact.claim import ExactClaim, Ruling
from probatum.exact.numbers.arithmetic import check_closed, decide_closed
from probatum.exact.numbers.expressions import Node, Relations, read_expression
from probatum.exact.numbers.rational import NotRationalError
from probatum.exact.numbers.writing import statement_text

SYNTAX: Final = "math.syntax"


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a statement of mathematics holds; raises as `EngineModule.decide`."""
    node, domain = _read(claim)
    if isinstance(node, Relations) and not domain.kinds:
        try:
            return decide_closed(node)
        except NotRationalError:
            pass
    return decide_reading(reading_of(node, domain))


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing."""
    node, domain = _read(claim)
    if isinstance(node, Relations) and not domain.kinds and certificate.get("form") == "arithmetic":
        try:
            return check_closed(node, certificate)
        except NotRationalError as error:
            raise ValueError(str(error)) from error
    return check_reading(reading_of(node, domain), certificate)


def stated(claim: ExactClaim) -> str:
    """Return a statement as it is read, after what is declared; raises as `decide` for what cannot be read."""
    node, domain = _read(claim)
    told = [f"{name}: {kind}" for name, kind in sorted(domain.kinds.items())]
    told += [f"{written(each)} {relation} 0" for each, relation in domain.conditions]
    return f"for all {', '.join(told)}: {statement_text(node)}" if told else statement_text(node)


def _read(claim: ExactClaim) -> tuple[Node, Domain]:
    if not claim.statement.strip():
        raise NotAttemptedError("math.no_claim", "The statement is empty.", HINT)
    domain, statement = domain_of(claim)
    return read_expression(statement, SYNTAX), domain
