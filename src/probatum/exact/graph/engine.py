"""Decides claims about a graph: of edges that are given, and of triples that a text states in so many words.

Claims about paths, distances, cycles, connection and degrees are exact for the edges that are given: there are no
others. Sentences are compared with those of a text as triples of subject, relation and object with their adverbials;
every part of the claim has to be there. Nothing is said about what a text leaves out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted
from probatum.exact.english.advice import with_advice
from probatum.exact.english.sealing import sealed, unsealed
from probatum.exact.english.stated import Stated, check_atoms, compared, one_sentence, stated_in
from probatum.exact.graph.network import Network, network_of
from probatum.exact.graph.route_checks import shows
from probatum.exact.graph.routes import GraphQuestion, answer, read_question

HOLDS: Final = "graph.holds"
STATED: Final = "graph.stated"


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a claim about a graph holds; raises as `EngineModule.decide`."""
    return with_advice(claim, _decide)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing."""
    try:
        asked, network, (text, stated) = _read(claim)
        if asked is None:
            check_atoms(text, stated, Shape(certificate, "certificate").exactly("atoms"))
            return STATED
        if shows(asked, network, unsealed(certificate)) == asked.is_denied:
            raise ValueError("the certificate shows the opposite")
    except (NotAttemptedError, BudgetError, CannotDecideError) as error:
        raise ValueError(str(error)) from error
    return HOLDS


def _decide(claim: ExactClaim) -> Ruling:
    asked, network, (text, stated) = _read(claim)
    if asked is None:
        return compared(text, stated, "graph")
    is_found, shown = answer(asked, network)
    if is_found != asked.is_denied:
        return proved(HOLDS, sealed(shown))
    return refuted("graph.fails", "The edges show the opposite.", sealed(shown))


def _read(claim: ExactClaim) -> tuple[GraphQuestion | None, Network, tuple[str, Stated]]:
    """Return the claim about the edges, or None with its sentence and what the text states."""
    given, statement = claim.inputs, claim.statement.strip()
    if not statement:
        raise NotAttemptedError("graph.empty", "The claim is empty.")
    told = given.raw("edge") if given.has("edge") else []
    lines = told.splitlines() if isinstance(told, str) else given.texts("edge") if told else ()
    network = network_of(line for line in lines if line.strip())
    asked = read_question(statement, network) if network.edges else None
    if asked is not None:
        return asked, network, ("", Stated())
    if given.has("context"):
        text = one_sentence(statement, "graph")
        return None, network, (text, stated_in(given.text("context"), text, "graph"))
    if not network.edges:
        raise NotAttemptedError("graph.empty", "Neither a text nor an edge is given.")
    raise NotAttemptedError("graph.statement", "The claim could not be read as one about the edges that are given.")
