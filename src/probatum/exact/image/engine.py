"""Decides statements about an image file: its format, size, mode, frames, colours and metadata.

The file is decoded to its end before anything is said of it. What an image shows is never decided, nor is a statement
of which a part is about that. The certificate holds what was measured; it is checked by readers of our own for the
structure of files and the pixels of PNG, and by decoding other formats in another way.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from probatum.core.digest import digest_of
from probatum.core.errors import ProbatumError
from probatum.core.shape import Shape
from probatum.exact.claim import ExactClaim, Ruling, proved, refuted, undecided
from probatum.exact.image.files import Decoded, bytes_of
from probatum.exact.image.headers import DAMAGES
from probatum.exact.image.statements import CONTENT, UNCLEAR, Node, Value, clauses_of, has_readings, read_statement

HOLDS: Final = "image.holds"
FAILS: Final = "image.fails"


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a statement about an image holds."""
    data = bytes_of(claim.inputs.text("image"))
    decoded = Decoded(data)
    node = read_statement(claim.statement)
    values = _values(node, decoded)
    evidence = {"image": digest_of(data), "measured": _written(values)}
    holds = _holds(node, values)
    if holds is None:
        constraint, detail = _why(node)
        return undecided(constraint, detail, evidence)
    if holds:
        return proved(HOLDS, evidence)
    return refuted(FAILS, "The image differs from what is said.", evidence)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return the constraint that a certificate establishes; raises ValueError where it is wrong."""
    shape = Shape(certificate, "certificate").exactly("image", "measured")
    try:
        data = bytes_of(claim.inputs.text("image"))
        node = read_statement(claim.statement)
        again = Decoded(data, in_steps=True)
        values = _values(node, again)
    except (ProbatumError, *DAMAGES) as error:
        raise ValueError(str(error)) from error
    if shape.text("image") != digest_of(data):
        raise ValueError("the certificate is about another image")
    outline = again.outline
    # A readable structure has the last word on what it says.
    own = {} if outline is None else {"width": outline.width, "height": outline.height, "format": outline.format}
    told = shape.member("measured").raw_object()
    if told != _written(values) or any(told[name] != str(value) for name, value in own.items() if name in told):
        raise ValueError("the image measures something else")
    if _holds(node, values) is not True:
        raise ValueError("what is measured does not bear out the statement")
    return HOLDS


def _values(node: Node, decoded: Decoded) -> dict[str, Value]:
    """Return what a statement speaks of, by subject; without what is not settled."""
    subjects = sorted({each.subject for each in clauses_of(node)} - {CONTENT, UNCLEAR})
    found = {subject: decoded.measure(subject) for subject in subjects}
    return {subject: value for subject, value in found.items() if value is not None}


def _holds(node: Node, values: Mapping[str, Value]) -> bool | None:
    # One part that cannot be read may change what the others say: a doubt, say, or a denial.
    is_read = not any(each.subject in (CONTENT, UNCLEAR) for each in clauses_of(node))
    return node.holds(values.get) if is_read else None


def _written(values: Mapping[str, Value]) -> dict[str, object]:
    return {name: str(value) if isinstance(value, Fraction) else value for name, value in values.items()}


def _why(node: Node) -> tuple[str, str]:
    subjects = {each.subject for each in clauses_of(node)}
    if CONTENT in subjects:
        is_whole = subjects == {CONTENT}
        return (
            "image.content" if is_whole else "image.partial"
        ), "What an image shows, and what else is not measured, is not decided."
    if UNCLEAR in subjects or has_readings(node):
        return "image.unclear", "The statement can be read in more than one way."
    return "image.beyond", "The image does not settle the statement."
