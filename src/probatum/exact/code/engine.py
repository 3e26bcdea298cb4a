"""Decides what can be read off Python code without running it: what it calls, imports and defines.

That code does not call out is proved for a small subset of the language (`code_subset`), and refuted where a call
evidently does (`code_findings`); the rest stays undecided. Nobody is told that code is safe: that is more than can be
proved. A certificate lists what the code calls and imports; it is checked by another reading of the tokens, or by what
Python compiles the code to. Refuses code that does not parse.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import CodeType
from typing import Final

from probatum.core.digest import digest_of
from probatum.core.errors import NotAttemptedError, ProbatumError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted, undecided
from probatum.exact.code import bytecode as code_bytecode
from probatum.exact.code import tokens as code_tokens
from probatum.exact.code.facts import fact_of
from probatum.exact.code.findings import KnownCall, calls_among
from probatum.exact.code.names import Names, parsed
from probatum.exact.code.statements import CodeProperty, properties_in
from probatum.exact.code.subset import Subset
from probatum.exact.code.tables import DYNAMIC, FILES, FILES_BY_NAME, NETWORK, OPENED, OUTSIDE, PROCESSES

HOLDS: Final = "code.holds"
FAILS: Final = "code.fails"
_KINDS: Final = {
    "network": NETWORK,
    "files": FILES | FILES_BY_NAME,
    "opened": OPENED | FILES_BY_NAME,
    "processes": PROCESSES,
    "dynamic": DYNAMIC,
}
_ANALYSED: Final = ("outside", "uses_not")
_PREMISE: Final = "functions are given built-in values, of the types that they are annotated with"


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a property of the code is proved, refuted or left undecided."""
    source = claim.inputs.text("code")
    tree, compiled = parsed(source)
    names = Names(tree)
    found = _properties(claim)
    if found is None:
        return undecided("code.beyond", "This is no property that is decided by reading code.")
    properties, is_false = found
    rulings = [_ruled(each, names, compiled) for each in properties]
    certificates = [ruling.evidence for ruling in rulings]
    broken = next((each for each in rulings if each.outcome.value == "refuted"), None)
    unclear = next((each for each in rulings if each.outcome.value == "undecided"), None)
    whole = {"source": digest_of(source.encode()), "parts": certificates}
    if is_false and broken is not None and "facts" in broken.evidence:
        return proved(HOLDS, {**whole, "parts": [broken.evidence]})
    if is_false and broken is not None:
        return undecided("code.not_evident", "A call is found, but that it is reached is not proved.")
    if unclear is not None and broken is None:
        return unclear
    if is_false:
        return refuted(FAILS, "What is claimed to be false holds.", whole)
    return broken if broken is not None else proved(HOLDS, whole)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return the constraint that a certificate establishes; raises ValueError where it is wrong."""
    try:
        return _checked(claim, certificate)
    except ProbatumError as error:
        raise ValueError(str(error)) from error


def _checked(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    source = claim.inputs.text("code")
    shape = Shape(certificate, "certificate").exactly("source", "parts")
    if shape.text("source") != digest_of(source.encode()):
        raise ValueError("the certificate is about other code")
    found = _properties(claim)
    parts = list(shape.items("parts"))
    if found is None:
        raise ValueError("the statement is no property of code")
    properties, is_false = found
    tree, compiled = parsed(source)
    names = Names(tree)
    if is_false:
        # One part that does not hold makes the whole false.
        if len(parts) != 1 or not any(_fails_by(each, names, parts[0], source, compiled) for each in properties):
            raise ValueError("no claimed property is shown to fail")
        return HOLDS
    for each, part in zip(properties, parts, strict=True):
        ruling = _ruled(each, names, compiled)
        if ruling.outcome.value != "proved" or ruling.evidence != part.raw_object():
            raise ValueError("the analysis does not give what is certified")
        _check_otherwise(each, part, source, compiled)
    return HOLDS


def _properties(claim: ExactClaim) -> tuple[tuple[CodeProperty, ...], bool] | None:
    if not claim.statement.strip():
        raise NotAttemptedError("code.no_claim", "Nothing is claimed of the code.")
    return properties_in(claim.statement)


def _ruled(each: CodeProperty, names: Names, compiled: CodeType) -> Ruling:
    if each.sort == "safe":
        found = [finding.to_json() for finding in calls_among(names, OUTSIDE)]
        return undecided("code.safety_unclaimable", "That code is safe is not claimed.", {"findings": found})
    if each.sort not in _ANALYSED:
        return fact_of(each, names)
    findings = _findings(each, names)
    if findings:
        if each.is_negated:
            return undecided("code.not_evident", "A call is found, but that it is reached is not proved.")
        return _refuted_by(findings)
    try:
        certificate = _analysed(each, names, compiled)
    except CannotDecideError as error:
        return error.ruling
    return refuted(FAILS, "The opposite is proved.", certificate) if each.is_negated else proved(HOLDS, certificate)


def _findings(each: CodeProperty, names: Names) -> list[KnownCall]:
    if each.sort == "uses_not":
        return calls_among(names, {each.about[0]: "is called", f"builtins.{each.about[0]}": "is called"})
    found = calls_among(names, OUTSIDE)
    return found if each.about == ("all",) else [one for one in found if one.what in _KINDS[each.about[0]]]


def _analysed(each: CodeProperty, names: Names, compiled: CodeType) -> dict[str, object]:
    subset = Subset(names)
    subset.require()
    last = each.about[0].rpartition(".")[2] if each.about else ""
    is_named = each.sort == "uses_not" and any(
        getattr(node, "id", getattr(node, "attr", getattr(node, "name", ""))) == last for node in ast.walk(names.tree)
    )
    if is_named:
        raise CannotDecideError("code.not_evident", "The name stands in the code, but not evidently as that call.")
    uses = [[f"{line}:{column}", spelled] for (line, column), spelled in sorted(subset.uses.items())]
    try:
        code_bytecode.require_listed(compiled, subset.uses.values())
    except ValueError as error:
        raise CannotDecideError("code.not_evident", f"Nothing is proved: {error}.") from error
    return {"form": each.sort, "premise": _PREMISE, "uses": uses}


def _refuted_by(findings: list[KnownCall]) -> Ruling:
    first = findings[0]
    detail = f"Line {first.line}: {first.what} {first.why}."
    return refuted(FAILS, detail, {"findings": [each.to_json() for each in findings[:20]]})


def _fails_by(each: CodeProperty, names: Names, part: Shape, source: str, compiled: CodeType) -> bool:
    ruling = _ruled(each, names, compiled)
    if ruling.outcome.value != "refuted" or ruling.evidence != part.raw_object() or not part.has("facts"):
        return False
    _check_otherwise(each, part, source, compiled)
    return True


def _check_otherwise(each: CodeProperty, part: Shape, source: str, compiled: CodeType) -> None:
    """Raise ValueError where a second way of looking at the code does not give the same."""
    if each.sort in _ANALYSED:
        uses = [use.texts() for use in part.items("uses")]
        code_bytecode.require_listed(compiled, [spelled for _, spelled in uses])
        return
    code_tokens.require_facts(source, compiled, part)
