"""Decides what can be read off Python code without running it: what it calls, imports and defines.

A claim is a formula of facts (`statements`). That code does not call out is proved for a small subset of the language
(`subset`), and refuted where a call evidently does (`findings`); the rest stays undecided. That code is safe cannot be
claimed: it is more than can be proved. A certificate lists what the code calls and imports; it is checked by another
reading of the tokens, or by what Python compiles the code to. Refuses code that does not parse.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import CodeType
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.digest import digest_of
from probatum.core.errors import ProbatumError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted, undecided
from probatum.exact.code import bytecode as code_bytecode
from probatum.exact.code import tokens as code_tokens
from probatum.exact.code.facts import fact_of
from probatum.exact.code.findings import KnownCall, calls_among
from probatum.exact.code.names import Names, parsed
from probatum.exact.code.statements import OUTSIDE_FORMS, SYNTAX, CodeFact, read_fact
from probatum.exact.code.subset import Subset
from probatum.exact.code.tables import DYNAMIC, FILES, FILES_BY_NAME, NETWORK, OPENED, OUTSIDE, PROCESSES
from probatum.exact.formulas import holds, read_formula

HOLDS: Final = "code.holds"
FAILS: Final = "code.fails"
_KINDS: Final = {
    "network": NETWORK,
    "files": FILES | FILES_BY_NAME,
    "opened": OPENED | FILES_BY_NAME,
    "processes": PROCESSES,
    "dynamic": DYNAMIC,
}
_PREMISE: Final = "functions are given built-in values, of the types that they are annotated with"


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a claim about the code is proved, refuted or left undecided."""
    source = claim.inputs.text("code")
    tree, compiled = parsed(source)
    names, node = Names(tree), read_formula(claim.statement, SYNTAX)
    rulings = {each: _ruled(read_fact(each), names, compiled) for each in _leaves(node)}
    whole = {"source": digest_of(source.encode()), "parts": [each.evidence for each in rulings.values()]}
    is_true = holds(node, lambda each: _truth(rulings[each], is_found_enough=True))
    if is_true is False:
        first = next((each.detail for each in rulings.values() if each.detail), "The code says otherwise.")
        return refuted(FAILS, first, whole)
    if holds(node, lambda each: _truth(rulings[each], is_found_enough=False)):
        return proved(HOLDS, whole)
    if is_true:
        return undecided("code.not_evident", "A call is found, but that it is reached is not proved.")
    return next(each for each in rulings.values() if each.outcome is Outcome.UNDECIDED)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return the constraint that a certificate establishes; raises ValueError where it is wrong.

    What code may call is checked against its bytecode (as CPython compiles it, documented in `dis`): names from outside
    are reached by LOAD_NAME, LOAD_GLOBAL, LOAD_ATTR and IMPORT_NAME alone, so code without an unlisted one calls
    nothing unlisted. What it imports and defines is read from its tokens (Python Language Reference, 7.11 and 8.7).
    """
    shape = Shape(certificate, "certificate").exactly("source", "parts")
    try:
        source = claim.inputs.text("code")
        tree, compiled = parsed(source)
        names, node = Names(tree), read_formula(claim.statement, SYNTAX)
        rulings = {each: _ruled(read_fact(each), names, compiled) for each in _leaves(node)}
    except ProbatumError as error:
        raise ValueError(str(error)) from error
    if shape.text("source") != digest_of(source.encode()):
        raise ValueError("the certificate is about other code")
    parts = shape.items("parts", len(rulings), len(rulings))
    for (each, ruling), part in zip(rulings.items(), parts, strict=True):
        if ruling.evidence != part.raw_object():
            raise ValueError("the analysis does not give what is certified")
        if _truth(ruling, is_found_enough=False) is not None:
            _check_otherwise(read_fact(each), part, source, compiled)
    if not holds(node, lambda each: _truth(rulings[each], is_found_enough=False)):
        raise ValueError("the claim is not shown")
    return HOLDS


def stated(claim: ExactClaim) -> str:
    """Return the claim in canonical form."""
    node = read_formula(claim.statement, SYNTAX)
    for each in _leaves(node):
        read_fact(each)
    return ast.unparse(node)


def _leaves(node: ast.expr) -> list[ast.expr]:
    """Return the facts of a formula, from left to right."""
    found: list[ast.expr] = []
    holds(node, found.append)
    return found


def _truth(ruling: Ruling, *, is_found_enough: bool) -> bool | None:
    """Return whether a fact holds; a call that is found shows that it may, and is enough to refute that it does not."""
    if ruling.outcome is Outcome.UNDECIDED or ("findings" in ruling.evidence and not is_found_enough):
        return None
    return ruling.outcome is Outcome.PROVED


def _ruled(fact: CodeFact, names: Names, compiled: CodeType) -> Ruling:
    """Return whether a fact holds of the code, as a proof or a refutation of the fact alone."""
    if fact.sort not in OUTSIDE_FORMS and fact.sort != "calls":
        return fact_of(fact, names)
    found = _findings(fact, names)
    if found:
        first = found[0]
        detail = f"Line {first.line}: {first.what} {first.why}."
        return Ruling(Outcome.PROVED, HOLDS, detail, {"findings": [each.to_json() for each in found[:20]]})  # type: ignore[arg-type]  # it is frozen
    try:
        return refuted(FAILS, "", _analysed(fact, names, compiled))
    except CannotDecideError as error:
        return error.ruling


def _findings(fact: CodeFact, names: Names) -> list[KnownCall]:
    if fact.sort == "calls":
        return calls_among(names, {fact.about[0]: "is called", f"builtins.{fact.about[0]}": "is called"})
    found, kind = calls_among(names, OUTSIDE), OUTSIDE_FORMS[fact.sort]
    return found if kind == "all" else [one for one in found if one.what in _KINDS[kind]]


def _analysed(fact: CodeFact, names: Names, compiled: CodeType) -> dict[str, object]:
    """Return what shows that code does not call out, or not this; raises CannotDecideError where nothing does."""
    subset = Subset(names)
    subset.require()
    last = fact.about[0].rpartition(".")[2] if fact.about else ""
    is_named = last and any(
        getattr(node, "id", getattr(node, "attr", getattr(node, "name", ""))) == last for node in ast.walk(names.tree)
    )
    if is_named:
        raise CannotDecideError("code.not_evident", "The name stands in the code, but not evidently as that call.")
    uses = [[f"{line}:{column}", spelled] for (line, column), spelled in sorted(subset.uses.items())]
    try:
        code_bytecode.require_listed(compiled, subset.uses.values())
    except ValueError as error:
        raise CannotDecideError("code.not_evident", f"Nothing is proved: {error}.") from error
    return {"form": fact.sort, "premise": _PREMISE, "uses": uses}


def _check_otherwise(fact: CodeFact, part: Shape, source: str, compiled: CodeType) -> None:
    """Raise ValueError where a second way of looking at the code does not give the same."""
    if fact.sort in OUTSIDE_FORMS or fact.sort == "calls":
        uses = [use.texts() for use in part.items("uses")]
        code_bytecode.require_listed(compiled, [spelled for _, spelled in uses])
        return
    code_tokens.require_facts(source, compiled, part)
