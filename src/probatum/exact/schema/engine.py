"""Decides that a JSON document satisfies a JSON Schema: two readings of the schema have to agree.

One is the compiled engine of `readers.json_schema`, the other the walk of `schema_walk`, which computes with exact
numbers. Formats are asserted. Refuses to decide by a schema with a word or a format that means nothing in its draft,
and to read a reference that leads out of the schema.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.digest import digest_of
from probatum.core.errors import NotAttemptedError
from probatum.core.frozen import thaw
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted
from probatum.exact.schema.walk import BEYOND, SchemaWalk
from probatum.readers.json_schema.engine import draft_of
from probatum.readers.json_schema.schema import compiled

SATISFIED: Final = "schema.satisfied"
_SYNTAX: Final = "schema.syntax"
_MEANS_NOTHING: Final = frozenset({"unknown_keyword", "other_draft", "unknown_format", "more_concerns"})
STATEMENT: Final = "valid"
_MOST: Final = 1_000_000
_DEEPEST: Final = 60
_MAX_POWER: Final = 400
_TOLD: Final = 20


def decide(claim: ExactClaim) -> Ruling:
    """Return whether the document satisfies the schema; raises NotAttemptedError for what cannot be read."""
    document, schema = _texts(claim)
    walk = _walk(document, schema)
    asked = compiled(_read(schema, "schema"))
    doubts = [each.message for each in asked.concerns if each.kind.removeprefix("schema.") in _MEANS_NOTHING]
    if doubts:
        raise CannotDecideError("schema.doubtful", f"A part of the schema means nothing: {doubts[0][:200]}")
    findings = asked.findings(_read(document, "document"))
    if walk.is_satisfied() != (not findings):
        raise CannotDecideError(BEYOND, "Two readings of the schema differ on this document.")
    if not findings:
        return proved(SATISFIED, _certificate(document, schema, asked.draft))
    told = [
        {
            "document": _pointer(each.evidence.get("steps")),
            "keyword": str(each.evidence.get("keyword", "")),
            "schema": str(each.evidence.get("schema_path", "")),
        }
        for each in findings[:_TOLD]
    ]
    breaks = "one violation" if len(findings) == 1 else f"{len(findings)} violations; first"
    detail = f"The document has {breaks}: {findings[0].message[:200]}"
    return refuted("schema.violated", detail, {"violations": told})


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes: the schema is walked once more over the document with those digests.

    By the definition of validity in JSON Schema, core and validation (drafts 6 to 2020-12), keyword by keyword.
    """
    Shape(certificate, "certificate").exactly("form", "draft", "document", "schema")
    document, schema = _texts(claim)
    try:
        draft = draft_of(_read(schema, "schema"), {}, "2020-12")
        if dict(certificate) != _certificate(document, schema, draft) or not _walk(document, schema).is_satisfied():
            raise ValueError("the document, or the schema, is another one")
    except NotAttemptedError as error:
        raise ValueError(error.sentence) from error
    return SATISFIED


def stated(claim: ExactClaim) -> str:
    """Return what is claimed, with the digests of the document and of the schema."""
    document, schema = (digest_of(each.encode()) for each in _texts(claim))
    return f"the document {document} is valid against the schema {schema}"


def _certificate(document: str, schema: str, draft: str) -> dict[str, object]:
    digests = {name: digest_of(text.encode()) for name, text in (("document", document), ("schema", schema))}
    return {"form": "walk", "draft": draft, **digests}


def _texts(claim: ExactClaim) -> tuple[str, str]:
    if claim.statement.strip() != STATEMENT:
        hint = f"Write: {STATEMENT} (see docs/reference/claims/schema.md)"
        raise NotAttemptedError(_SYNTAX, "The statement does not say that the document is valid.", hint)
    given = (claim.given.get("document"), claim.given.get("schema"))
    document, schema = (each if isinstance(each, str) else json.dumps(thaw(each)) for each in given)
    return document, schema


def _read(text: str, name: str, *, exactly: bool = False) -> JsonValue:
    try:
        if exactly:
            return read_json(text, _MOST, depth=_DEEPEST, whole=_fraction, fraction=_fraction)  # type: ignore[return-value]  # exact numbers
        return read_json(text, _MOST, depth=_DEEPEST)  # type: ignore[return-value]  # JSON
    except ValueError as error:
        raise NotAttemptedError(_SYNTAX, f"The {name} could not be read as JSON: {str(error)[:200]}.") from error


def _fraction(text: str) -> Fraction:
    power = text.lower().partition("e")[2]
    if len(text) > _MAX_POWER or abs(int(power or 0)) > _MAX_POWER:
        raise ValueError("a number is too long to compute with")
    return Fraction(text)


def _walk(document: str, schema: str) -> SchemaWalk:
    exact = _read(schema, "schema", exactly=True)
    draft = draft_of(exact, {}, "2020-12")
    return SchemaWalk(exact, _read(document, "document", exactly=True), draft)


def _pointer(steps: object) -> str:
    """Return a JSON pointer (RFC 6901)."""
    listed = steps if isinstance(steps, list) else []
    return "".join("/" + str(each).replace("~", "~0").replace("/", "~1") for each in listed)
