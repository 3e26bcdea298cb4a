"""Decides claims about an image file: its format, size, mode and the colours of its pixels.

A claim is a formula such as ``format == 'PNG' and width == 64`` or ``share('#ff0000') > 0.99``. The file is decoded to
its end before anything is measured. The certificate holds what was measured; it is checked by decoding the file in
steps, and by counting the bytes of its pixels. What an image shows is not decided by anybody here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from probatum.core.digest import digest_of
from probatum.core.errors import NotAttemptedError, ProbatumError
from probatum.core.shape import Shape
from probatum.exact.claim import ExactClaim, Ruling, proved, refuted, undecided
from probatum.exact.formulas import called, compared, constant, holds, read_formula
from probatum.exact.image.files import FORMATS, MEASURES, Decoded, Measured, Subject, bytes_of

HOLDS: Final = "image.holds"
FAILS: Final = "image.fails"
_SYNTAX: Final = "image.syntax"
_COLOUR: Final = re.compile("#[0-9a-f]{6}")
_TEXTS: Final = {
    "format": "|".join(FORMATS),
    "mode": "1|L|LA|P|PA|RGB|RGBA|RGBX|CMYK|YCbCr|LAB|HSV|I|F|I;16",
    "pixel": "#[0-9a-f]{6}|#[0-9a-f]{8}",
}
"""By what is measured: the texts that it is compared with."""


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a claim about an image holds."""
    data = bytes_of(claim.inputs.text("image"))
    decoded = Decoded(data)
    is_true, values = _measured(read_formula(claim.statement, _SYNTAX), decoded)
    evidence = {"image": digest_of(data), "measured": _written(values)}
    if is_true is None:
        return undecided("image.beyond", "The image does not settle the claim.", evidence)
    return proved(HOLDS, evidence) if is_true else refuted(FAILS, "The image measures something else.", evidence)


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return the constraint that a certificate establishes; raises ValueError where it is wrong.

    The file is decoded piece by piece, and pixels are counted as bits of one long number instead of by their bands.
    """
    shape = Shape(certificate, "certificate").exactly("image", "measured")
    try:
        data = bytes_of(claim.inputs.text("image"))
        again = Decoded(data, in_steps=True)
        is_true, values = _measured(read_formula(claim.statement, _SYNTAX), again)
    except ProbatumError as error:
        raise ValueError(str(error)) from error
    if shape.text("image") != digest_of(data):
        raise ValueError("the certificate is about another image")
    if shape.member("measured").raw_object() != _written(values):
        raise ValueError("the image measures something else")
    if is_true is not True:
        raise ValueError("what is measured does not bear out the claim")
    return HOLDS


def stated(claim: ExactClaim) -> str:
    """Return the claim in canonical form."""
    return ast.unparse(read_formula(claim.statement, _SYNTAX))


def _measured(node: ast.expr, decoded: Decoded) -> tuple[bool | None, dict[str, Measured]]:
    """Return whether a formula holds of an image, and what was measured for it."""
    values: dict[str, Measured] = {}

    def fact(each: ast.expr) -> bool | None:
        sides = (each.left, *each.comparators) if isinstance(each, ast.Compare) else ()
        subjects = {side: _subject(side) for side in sides if constant(side) is None}
        texts = {_TEXTS.get(name, "") for name, _ in subjects.values()}
        if not isinstance(each, ast.Compare) or len(texts) != 1:
            raise NotAttemptedError(_SYNTAX, f"{ast.unparse(each)[:80]!r} does not compare what is measured.")
        (known,) = texts

        def value(side: ast.expr) -> Measured | None:
            number = constant(side)
            if number is None:
                number = decoded.measure(subjects[side])
                if number is not None:
                    values[ast.unparse(side)] = number
            elif isinstance(number, str):
                if not re.fullmatch(known, number):
                    raise NotAttemptedError(_SYNTAX, f"{number[:40]!r} is not one of {known.replace('|', ', ')}.")
                # A colour without a fourth channel is opaque.
                number += "ff" if len(number) == 7 and number[0] == "#" else ""
            return number

        try:
            return compared(each, value)
        except TypeError as error:
            raise NotAttemptedError(_SYNTAX, f"{error}.") from error

    return holds(node, fact), values


def _subject(node: ast.expr) -> Subject:
    """Return what is measured; raises NotAttemptedError for what is none of it."""
    name, arguments = called(node) or ("", ())
    kinds = MEASURES.get(name)
    is_fitting = kinds is not None and tuple(map(type, arguments)) == kinds
    is_known = is_fitting and all(
        each.denominator == 1 and 0 <= each < 10**6 if isinstance(each, Fraction) else _COLOUR.fullmatch(str(each))
        for each in arguments
    )
    if not is_known:
        sentence = f"{ast.unparse(node)[:80]!r} is not measured."
        hint = "Measured are width, height, format, mode, pixel(X, Y), count('#rrggbb') and share('#rrggbb')."
        raise NotAttemptedError(_SYNTAX, sentence, hint)
    return name, arguments


def _written(values: Mapping[str, Measured]) -> dict[str, object]:
    return {name: str(value) if isinstance(value, Fraction) else value for name, value in values.items()}
