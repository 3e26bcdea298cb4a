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
IN_PLACE: Final = (*LISTS_IN_PLACE, *SINGLE_IN_PLACE, *MAPS_IN_PLACE)
MAPS_OF_CHILDREN: Final = ("properties", "patternProperties")
SINGLE_OF_CHILDREN: Final = (
    *("additionalProperties", "unevaluatedProperties", "propertyNames"),
    *("items", "additionalItems", "unevaluatedItems", "contains"),
)
LISTS_OF_CHILDREN: Final = ("prefixItems", "items")
REFERENCES: Final = ("$ref", "$dynamicRef")

ANNOTATIONS: Final = frozenset(
    {
        *("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema"),
        *("$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$defs", "definitions"),
        *("contentEncoding", "contentMediaType", "contentSchema"),
    }
)
_BOTH: Final = frozenset(
    {
        *("$id", "$schema", "$ref", "$comment", "type", "enum", "const", "format", "definitions"),
        *("title", "description", "default", "examples", "readOnly", "writeOnly"),
        *("contentEncoding", "contentMediaType", *LISTS_IN_PLACE, *SINGLE_IN_PLACE),
        *OF_TYPE["number"],
        *OF_TYPE["string"],
        *("items", "contains", "minItems", "maxItems", "uniqueItems"),
        *("properties", "patternProperties", "additionalProperties", "propertyNames", "required"),
        *("minProperties", "maxProperties"),
    }
)
KNOWN: Final[Mapping[str, frozenset[str]]] = {
    "draft-07": _BOTH | {"additionalItems", "dependencies"},
    "2020-12": _BOTH
    | {
        *("$anchor", "$dynamicAnchor", "$dynamicRef", "$vocabulary", "$defs", "deprecated", "contentSchema"),
        *("prefixItems", "unevaluatedItems", "unevaluatedProperties", "minContains", "maxContains"),
        *("dependentRequired", "dependentSchemas", "dependencies"),
    },
}
_DIALECTS: Final = {
    "id": "'$id'",
    "nullable": 'a type list with "null"',
    "discriminator": "'oneOf' with 'const'",
    "example": "'examples'",
}
ELSEWHERE: Final[Mapping[str, Mapping[str, str]]] = {
    "2020-12": {
        "additionalItems": "'items' beside 'prefixItems'",
        **_DIALECTS,
        "$recursiveRef": "'$dynamicRef'",
        "$recursiveAnchor": "'$dynamicAnchor'",
        "divisibleBy": "'multipleOf'",
        "extends": "'allOf'",
        "disallow": "'not'",
    },
    "draft-07": {
        "$defs": "'definitions'",
        "$anchor": "'$id' with a fragment",
        "$dynamicRef": "'$ref'",
        "prefixItems": "'items' with a list",
        "unevaluatedItems": "'additionalItems'",
        "unevaluatedProperties": "'additionalProperties'",
        "dependentRequired": "'dependencies'",
        "dependentSchemas": "'dependencies'",
        "minContains": "'contains' alone",
        "maxContains": "'contains' alone",
        **_DIALECTS,
    },
}
"""Keywords of other drafts and dialects, which do nothing here, and what says it here."""

_OLD_FORMATS: Final = frozenset(
    {
        *("date-time", "date", "time", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6"),
        *("uri", "uri-reference", "iri", "iri-reference", "uri-template"),
        *("json-pointer", "relative-json-pointer", "regex"),
    }
)
FORMATS: Final = {"2020-12": _OLD_FORMATS | {"duration", "uuid"}, "draft-07": _OLD_FORMATS}
"""The formats that are asserted; any other is only an annotation."""
