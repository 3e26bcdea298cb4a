"""Decides claims about the edges that are given: paths, distances, cycles, connection and degrees.

A claim is a formula of questions (`routes`): ``path('A', 'D') and not path('D', 'A')``. It is exact for the edges that
are given: there are no others. Refuses sentences: who reads a text as edges gives the edges.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted
from probatum.exact.formulas import holds, read_formula
from probatum.exact.graph.network import Network, network_of
from probatum.exact.graph.route_checks import shows
from probatum.exact.graph.routes import SYNTAX, answer, read_question
from probatum.exact.sealing import sealed, unsealed

HOLDS: Final = "graph.holds"


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a claim about a graph holds; raises as `EngineModule.decide`."""
    node, network = _read(claim)
    shown: list[object] = []

    def found(each: ast.expr) -> bool:
        question = read_question(each, network)
        is_there, why = answer(question, network)
        shown.append({"question": ast.unparse(each), **why})
        return is_there

    is_true = holds(node, found)
    evidence = sealed({"form": "graph", "shown": shown})
    return proved(HOLDS, evidence) if is_true else refuted("graph.fails", "The edges show the opposite.", evidence)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes: each question is checked by what shows its answer, see `route_checks`."""
    shape = unsealed(certificate).exactly("form", "shown")
    try:
        node, network = _read(claim)
        items = list(shape.items("shown"))

        def checked(each: ast.expr) -> bool:
            if not items or items[0].text("question") != ast.unparse(each):
                raise ValueError("the certificate is about another question")
            rest = {key: value for key, value in items.pop(0).raw_object().items() if key != "question"}
            return shows(read_question(each, network), network, rest)

        is_true = holds(node, checked)
    except (NotAttemptedError, BudgetError, CannotDecideError) as error:
        raise ValueError(str(error)) from error
    if shape.text("form") != "graph" or items or not is_true:
        raise ValueError("the certificate does not show the claim")
    return HOLDS


def stated(claim: ExactClaim) -> str:
    """Return the claim in canonical form."""
    return ast.unparse(_read(claim)[0])


def _read(claim: ExactClaim) -> tuple[ast.expr, Network]:
    given = claim.inputs
    told = given.raw("edge")
    lines = told.splitlines() if isinstance(told, str) else given.texts("edge")
    network = network_of(line for line in lines if line.strip())
    if not network.edges:
        raise NotAttemptedError("graph.empty", "No edge is given.")
    return read_formula(claim.statement, SYNTAX), network
