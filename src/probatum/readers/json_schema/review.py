"""What is doubtful about a schema, as warnings: a schema says less than its author thinks, silently.

A misspelt keyword does nothing, nor does one for another type; an alternative can be out of reach, and a whole schema
can accept everything or nothing. Only what is certain is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.errors import nearest
from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.readers.json_schema.complaints import plain_number, shortened, type_name, type_names
from probatum.readers.json_schema.graph import Steps, all_schemas
from probatum.readers.json_schema.keywords import (
    ANNOTATIONS,
    ELSEWHERE,
    FORMATS,
    IN_PLACE,
    KNOWN,
    REFERENCE_ALONE,
    REFERENCES,
    TYPE_OF,
)
from probatum.readers.json_schema.paths import path_text

MAX_CONCERNS: Final = 100
_MAX_COMPARED: Final = 200
Schema = Mapping[str, JsonValue]
_RANGES: Final = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)
_NEEDS: Final = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}


def concern(steps: Steps, kind: str, message: str, suggestion: str = "", **evidence: object) -> Finding:
    """Return one warning about the schema at a place."""
    place = path_text(steps)
    told = FrozenDict(path=place, steps=list(steps), **evidence)
    return Finding(Severity.WARNING, f"schema.{kind}", f"{place}: {message}", suggestion=suggestion, evidence=told)


def keyword_concerns(schema: JsonValue, draft: str, formats: bool) -> list[Finding]:
    """Return what single keywords of a schema and the schemas in it leave undone."""
    told = (finding for steps, each in all_schemas(schema) for finding in _of_one(steps, each, draft, formats))
    found = list(islice(told, MAX_CONCERNS))
    if isinstance(schema, dict):
        found += _untyped(schema)
    if next(told, None) is not None:
        found.append(concern((), "more_concerns", "… and more doubts about the schema."))
    return found


def _of_one(steps: Steps, schema: Schema, draft: str, formats: bool) -> Iterator[Finding]:
    for keyword in schema:
        if keyword not in KNOWN[draft]:
            yield from _unknown(steps, keyword, draft)
    if draft in REFERENCE_ALONE and "$ref" in schema:
        idle = [key for key in schema if key not in ANNOTATIONS and key != "$ref"]
        if idle:
            yield concern(steps, "idle_keyword", f"{_listed(idle)} beside '$ref' does nothing in {draft}.")
        return
    yield from _of_other_types(steps, schema)
    for keyword, partner in _NEEDS.items():
        if keyword in schema and partner not in schema and keyword in KNOWN[draft]:
            yield concern(steps, "idle_keyword", f"{keyword!r} without {partner!r} does nothing.")
    if "if" in schema and "if" in KNOWN[draft] and "then" not in schema and "else" not in schema:
        yield concern(steps, "idle_keyword", "'if' without 'then' or 'else' does nothing.")
    if "additionalItems" in schema and "additionalItems" in KNOWN[draft] and not isinstance(schema.get("items"), list):
        yield concern(steps, "idle_keyword", "'additionalItems' without a list of 'items' does nothing.")
    name = schema.get("format")
    if formats and isinstance(name, str) and name not in FORMATS[draft]:
        message = f"the format {name[:60]!r} is unknown and is not checked."
        yield concern(steps, "unknown_format", message, nearest(name, FORMATS[draft]))
    yield from _contradictions(steps, schema)
    yield from _required(steps, schema)


def _unknown(steps: Steps, keyword: str, draft: str) -> Iterator[Finding]:
    if keyword.startswith("x-"):
        return
    instead = ELSEWHERE[draft].get(keyword)
    if instead is not None:
        message = f"{keyword!r} is not a keyword of {draft} and does nothing."
        yield concern(steps, "other_draft", message, f"Use {instead}.", keyword=keyword)
        return
    suggestion = nearest(keyword, KNOWN[draft])
    yield concern(steps, "unknown_keyword", f"{keyword[:60]!r} is not a keyword and does nothing.", suggestion)


def _of_other_types(steps: Steps, schema: Schema) -> Iterator[Finding]:
    """Tell the keywords that look at values of a type that ``type`` excludes."""
    types = _types(schema)
    if not types:
        return
    shown = type_names(types)
    for keyword in schema:
        of_type = "string" if keyword == "format" else TYPE_OF.get(keyword)
        fits = of_type in types or (of_type == "number" and "integer" in types)
        if of_type is not None and not fits:
            looked_at = type_names([of_type])
            message = f"{keyword!r} looks at {looked_at} only and does nothing beside the type {shown}."
            yield concern(steps, "idle_keyword", message, keyword=keyword)


def _types(schema: Schema) -> list[str]:
    stated = schema.get("type")
    listed = [stated] if isinstance(stated, str) else stated if isinstance(stated, list) else []
    return [name for name in listed if isinstance(name, str)]


def _contradictions(steps: Steps, schema: Schema) -> Iterator[Finding]:
    for low, high in _RANGES:
        least, most = schema.get(low), schema.get(high)
        if _is_number(least) and _is_number(most) and least > most:  # type: ignore[operator]  # both are numbers
            yield concern(steps, "contradiction", f"{low!r} {least} is more than {high!r} {most}: nothing fits.")
    types = _types(schema)
    listed = schema.get("enum")
    options = listed if isinstance(listed, list) else [schema["const"]] if "const" in schema else []
    lost = [option for option in options if types and not _is_of(option, types)]
    if lost:
        keyword, shown = "enum" if isinstance(listed, list) else "const", type_names(types)
        if len(lost) == len(options):
            yield concern(steps, "contradiction", f"of {keyword!r}, no value is of the type {shown}.")
        else:
            told = shortened(lost[0], number=plain_number)
            message = f"{told!r} of {keyword!r} can never be chosen, because the type is {shown}."
            yield concern(steps, "unreachable_branch", message)
    if isinstance(listed, list) and "const" in schema and schema["const"] not in listed:
        yield concern(steps, "contradiction", "'const' is none of 'enum': nothing fits.")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_of(value: object, types: list[str]) -> bool:
    named = type_name(value)
    is_whole = named == "integer" or (isinstance(value, float) and value.is_integer())
    own = {"text": "string"}.get(named, named)
    return own in types or ("number" in types and named == "integer") or ("integer" in types and is_whole)


def _required(steps: Steps, schema: Schema) -> Iterator[Finding]:
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    for name in required if isinstance(required, list) else ():
        if not isinstance(name, str):
            continue
        is_open = "patternProperties" in schema or schema.get("additionalProperties", True) is not False
        if known.get(name) is False or (name not in known and not is_open):
            yield concern(steps, "contradiction", f"the key {name[:60]!r} is required and not allowed: nothing fits.")
        elif name not in known and (near := nearest(name, islice(known, _MAX_COMPARED))):
            yield concern(steps, "unnamed_key", f"the required key {name[:60]!r} is not among 'properties'.", near)


def _untyped(schema: Schema) -> Iterator[Finding]:
    """Tell where the outermost schema lets values of every other type pass unseen."""
    if any(keyword in schema for keyword in ("type", "enum", "const", *REFERENCES, *IN_PLACE)):
        return
    looked_at = sorted({TYPE_OF[keyword] for keyword in schema if keyword in TYPE_OF})
    if looked_at:
        shown = type_names(looked_at)
        suggestion = f'Add "type": "{looked_at[0]}".' if len(looked_at) == 1 else ""
        yield concern((), "untyped", f"without 'type' every value other than {shown} is accepted.", suggestion)


def _listed(keywords: list[str]) -> str:
    return ", ".join(repr(keyword[:60]) for keyword in keywords[:6])
