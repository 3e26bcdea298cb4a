"""The keywords of JSON Schema, by draft: which hold schemas, which look at which type, which say nothing.

Data only. Unknown keywords are legal in JSON Schema and do nothing; the review of a schema tells them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

OF_TYPE: Final[Mapping[str, frozenset[str]]] = {
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    "string": frozenset({"minLength", "maxLength", "pattern"}),
    "array": frozenset(
        {
            *("items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "minContains", "maxContains"),
            *("minItems", "maxItems", "uniqueItems"),
        }
    ),
    "object": frozenset(
        {
            *("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"),
            *("required", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies"),
        }
    ),
}
"""Which keywords look at values of one type only, and let every other value pass."""
TYPE_OF: Final = {keyword: name for name, keywords in OF_TYPE.items() for keyword in keywords}

LISTS_IN_PLACE: Final = ("allOf", "anyOf", "oneOf")
SINGLE_IN_PLACE: Final = ("not", "if", "then", "else")
MAPS_IN_PLACE: Final = ("dependentSchemas", "dependencies")
DEFINITIONS: Final = ("$defs", "definitions")
NOT_APPLIED: Final = (*DEFINITIONS, "contentSchema")
"""What holds schemas that look at nothing."""
IN_PLACE: Final = (*LISTS_IN_PLACE, *SINGLE_IN_PLACE, *MAPS_IN_PLACE)
MAPS_OF_CHILDREN: Final = ("properties", "patternProperties")
SINGLE_OF_CHILDREN: Final = (
    *("additionalProperties", "unevaluatedProperties", "propertyNames"),
    *("items", "additionalItems", "unevaluatedItems", "contains", "contentSchema"),
)
LISTS_OF_CHILDREN: Final = ("prefixItems", "items")
REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
REFERENCE_ALONE: Final = frozenset({"draft-04", "draft-06", "draft-07"})
"""The drafts in which keywords beside ``$ref`` do nothing, ``$id`` included."""

ANNOTATIONS: Final = frozenset(
    {
        *("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema"),
        *("$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$defs", "definitions"),
        *("contentEncoding", "contentMediaType", "contentSchema"),
    }
)
_DRAFT_4: Final = frozenset(
    {
        *("$schema", "$ref", "type", "enum", "format", "definitions", "title", "description", "default"),
        *("allOf", "anyOf", "oneOf", "not", "items", "additionalItems", "minItems", "maxItems", "uniqueItems"),
        *("properties", "patternProperties", "additionalProperties", "required", "minProperties", "maxProperties"),
        *("dependencies", *OF_TYPE["number"], *OF_TYPE["string"]),
    }
)
_DRAFT_6: Final = _DRAFT_4 | {"$id", "const", "contains", "propertyNames", "examples"}
_DRAFT_7: Final = _DRAFT_6 | {
    *("$comment", "if", "then", "else", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"),
}
_2019_09: Final = (_DRAFT_7 - {"dependencies"}) | {
    *("$anchor", "$recursiveAnchor", "$recursiveRef", "$vocabulary", "$defs", "deprecated", "contentSchema"),
    *("unevaluatedItems", "unevaluatedProperties", "minContains", "maxContains"),
    *("dependentRequired", "dependentSchemas"),
}
KNOWN: Final[Mapping[str, frozenset[str]]] = {
    "draft-04": _DRAFT_4 | {"id"},
    "draft-06": _DRAFT_6,
    "draft-07": _DRAFT_7,
    "2019-09": _2019_09,
    "2020-12": _2019_09 - {"additionalItems", "$recursiveAnchor", "$recursiveRef"}
    | {"$dynamicAnchor", "$dynamicRef", "prefixItems"},
}
ENFORCED_ANYWHERE: Final = frozenset({"dependencies", "contentEncoding", "contentMediaType"})
"""What the engine enforces in drafts that do not have it, too."""
_SAID_OTHERWISE: Final = {
    "$anchor": "'$id' with a fragment",
    "$defs": "'definitions'",
    "$dynamicAnchor": "'$recursiveAnchor'",
    "$dynamicRef": "'$ref'",
    "$id": "'id'",
    "$recursiveAnchor": "'$dynamicAnchor'",
    "$recursiveRef": "'$dynamicRef'",
    "additionalItems": "'items' beside 'prefixItems'",
    "const": "'enum' with one value",
    "contains": "'not' around 'items'",
    "dependencies": "'dependentRequired' or 'dependentSchemas'",
    "dependentRequired": "'dependencies'",
    "dependentSchemas": "'dependencies'",
    "disallow": "'not'",
    "discriminator": "'oneOf' with 'const'",
    "divisibleBy": "'multipleOf'",
    "else": "'anyOf' and 'not'",
    "example": "'examples'",
    "extends": "'allOf'",
    "id": "'$id'",
    "if": "'anyOf' and 'not'",
    "maxContains": "'contains' alone",
    "minContains": "'contains' alone",
    "nullable": 'a type list with "null"',
    "prefixItems": "'items' with a list",
    "propertyNames": "'patternProperties'",
    "then": "'anyOf' and 'not'",
    "unevaluatedItems": "'additionalItems'",
    "unevaluatedProperties": "'additionalProperties'",
}
ELSEWHERE: Final[Mapping[str, Mapping[str, str]]] = {
    draft: {keyword: instead for keyword, instead in _SAID_OTHERWISE.items() if keyword not in known}
    for draft, known in KNOWN.items()
}
"""Keywords of other drafts and dialects, which do nothing here, and what says it here."""

_FORMATS_4: Final = frozenset(
    {"date-time", "date", "time", "email", "idn-email", "hostname", "ipv4", "ipv6", "uri", "regex"}
)
_FORMATS_6: Final = _FORMATS_4 | {"uri-reference", "uri-template", "json-pointer"}
_FORMATS_7: Final = _FORMATS_6 | {"idn-hostname", "iri", "iri-reference", "relative-json-pointer"}
_FORMATS_2019: Final = _FORMATS_7 | {"duration", "uuid"}
FORMATS: Final[Mapping[str, frozenset[str]]] = {
    "draft-04": _FORMATS_4,
    "draft-06": _FORMATS_6,
    "draft-07": _FORMATS_7,
    "2019-09": _FORMATS_2019,
    "2020-12": _FORMATS_2019,
}
"""The formats that are asserted; any other is only an annotation."""
