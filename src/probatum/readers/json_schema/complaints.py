"""What a value breaks in a schema, as findings: place, keyword, expected, found and the nearest fix.

Texts and values are shortened; of very many errors the first are reported and the rest counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

import jsonschema_rs
from jsonschema_rs import ValidationErrorKind as Kind

from probatum.core.canonical import JsonValue, require_json
from probatum.core.errors import meant_by
from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.core.json_text import read_json
from probatum.core.messages import listed
from probatum.readers.json_schema.paths import path_text

Authored = Mapping[str, str]
MAX_FINDINGS: Final = 100
_SHOWN_TEXT: Final = 80
_SHOWN_ITEMS: Final = 6
_SHOWN_DEPTH: Final = 3
_MAX_BITS: Final = 400
_ALIKE: Final = 5
_MAX_COMPARED: Final = 60
_TYPE_NAMES: Final = {"string": "text"}
# A truth is a whole number too for Python, so it comes first.
_NAMED: Final = (
    *((type(None), "null"), (bool, "boolean"), (int, "integer"), (str, "text")),
    *((list, "array"), (tuple, "array"), (dict, "object")),
)


def findings_of(
    errors: Iterator[jsonschema_rs.ValidationError], value: object, schema: JsonValue, authored: Authored
) -> tuple[Finding, ...]:
    """Return every error of a value as a finding, in the engine's order; beyond the bound they are counted only."""
    told: list[Finding] = []
    beyond = 0
    for error in errors:
        if len(told) < MAX_FINDINGS:
            told.append(finding_of(error, value, schema, authored))
        else:
            beyond += 1
    if beyond:
        told.append(Finding(Severity.ERROR, "schema.more", f"… and {beyond} more.", evidence=FrozenDict(count=beyond)))
    return tuple(told)


def finding_of(error: jsonschema_rs.ValidationError, value: object, schema: JsonValue, authored: Authored) -> Finding:
    """Return one error of a value as a finding; the schema tells which keys a wrong one may stand for.

    ``authored`` has the author's pattern for each that the engine was given.
    """
    keyword = str(error.kind.name)
    steps = list(error.instance_path)
    path = path_text(steps)
    found: object = error.instance
    expected: object = None
    last = error.schema_path[-1] if error.schema_path else ""
    if keyword == "falseSchema" and last == "additionalProperties":
        # The engine tells one value only, and none of the keys.
        keyword, found = "additionalProperties", _at(value, steps)
        keys = [str(key) for key in found] if isinstance(found, dict) else []
        said, expected, suggestion = _keys_said(keys), [], ""
    elif last in _COUNTED:
        keyword = str(last)
        said, suggestion = _COUNTED[keyword], ""
    else:
        said, expected, suggestion = _said(error, keyword, authored)
        if isinstance(error.kind, (Kind.AdditionalProperties, Kind.UnevaluatedProperties)):
            suggestion = _renamings(error.kind, error.instance, _keys_beside(schema, error.schema_path))
    evidence = {
        "path": path,
        "steps": steps,
        "keyword": keyword,
        "schema_path": "/".join(authored.get(str(step), str(step)) for step in error.schema_path),
        "expected": shortened(expected),
        "found": shortened(found),
    }
    return Finding(
        Severity.ERROR, f"schema.{keyword}", f"{path}: {said}", suggestion=suggestion, evidence=FrozenDict(evidence)
    )


def _said(error: jsonschema_rs.ValidationError, keyword: str, authored: Authored) -> tuple[str, object, str]:
    """Return what an error says, what was expected, and the nearest fix."""
    kind, found = error.kind, error.instance
    details = kind.as_dict()
    match kind:
        case Kind.Type(types):
            return f"expected {type_names(types)}, got {type_name(found)}", types, _type_fix(types, found)
        case Kind.Required(name):
            near = _near(name, list(found)) if isinstance(found, dict) else ""
            return f"the key {_shown(name)} is missing", name, f"Rename {near} to {_shown(name)}." if near else ""
        case Kind.AdditionalProperties(names) | Kind.UnevaluatedProperties(names):
            return _keys_said(names), [], ""
        case Kind.UnevaluatedItems(items):
            many = f"{len(items)} items" if len(items) > 1 else "an item"
            return f"{many} that the schema does not name", [], ""
        case Kind.Enum(options):
            near = _near(found, options) if isinstance(found, str) else ""
            shown = ", ".join(_shown(option) for option in options[:_SHOWN_ITEMS])
            more = ", …" if len(options) > _SHOWN_ITEMS else ""
            return f"expected one of {shown}{more}, got {_shown(found)}", options, f"Use {near}." if near else ""
        case Kind.Constant(value):
            return f"expected {_shown(value)}, got {_shown(found)}", value, f"Use {_shown(value)}."
        case Kind.PropertyNames(inner):
            why, limit, _ = _said(inner, str(inner.kind.name), authored)
            return f"the key {_shown(inner.instance)} is not allowed: {why}", limit, ""
        case Kind.AnyOf(branches) | Kind.OneOfNotValid(branches):
            return _branches(branches, authored), len(branches), _branch_fix(branches, authored)
        case Kind.Not(schema):
            return f"{_shown(found)} is what the schema excludes", _own(schema, authored), ""
        case Kind.Pattern(pattern):
            details = {"pattern": authored.get(pattern, pattern)}
    template = _SENTENCES.get(keyword)
    if template is None:
        return error.message[:300].splitlines()[0] if error.message else keyword, details, ""
    limit = next(iter(details.values()), None)
    return template.format(limit=_shown(limit), found=_shown(found), size=_size(found)), limit, ""


_SENTENCES: Final = {
    "minimum": "expected at least {limit}, got {found}",
    "maximum": "expected at most {limit}, got {found}",
    "exclusiveMinimum": "expected more than {limit}, got {found}",
    "exclusiveMaximum": "expected less than {limit}, got {found}",
    "multipleOf": "expected a multiple of {limit}, got {found}",
    "minLength": "expected at least {limit} characters, got {size}",
    "maxLength": "expected at most {limit} characters, got {size}",
    "minItems": "expected at least {limit} items, got {size}",
    "maxItems": "expected at most {limit} items, got {size}",
    "minProperties": "expected at least {limit} keys, got {size}",
    "maxProperties": "expected at most {limit} keys, got {size}",
    "additionalItems": "expected at most {limit} items, got {size}",
    "uniqueItems": "expected items that all differ",
    "contains": "expected an item that the schema asks for, found none",
    "pattern": "expected text that matches {limit}, got {found}",
    "format": "expected the format {limit}, got {found}",
    "oneOf": "more than one of the alternatives fits; exactly one may",
    "falseSchema": "nothing is allowed here, got {found}",
}
_COUNTED: Final = {
    "minContains": "too few items are what the schema asks for",
    "maxContains": "too many items are what the schema asks for",
}


def _keys_said(names: list[str]) -> str:
    told = listed([_shown(name) for name in names], _SHOWN_ITEMS)
    return f"the key {told} is not allowed" if len(names) == 1 else f"the keys {told} are not allowed"


def _renamings(kind: Kind.AdditionalProperties | Kind.UnevaluatedProperties, found: object, known: list[str]) -> str:
    """Return which keys that are not allowed are most like one that is, and is not there."""
    free = [key for key in known if isinstance(found, dict) and key not in found]
    meant = [(name, _near(name, free)) for name in kind.unexpected[:_SHOWN_ITEMS]]
    return " ".join(f"Rename {_shown(name)} to {near}." for name, near in meant if near)


def _keys_beside(schema: JsonValue, steps: Sequence[str | int]) -> list[str]:
    """Return the keys that a schema names where one of its keywords stands; none where the place is not in it."""
    place = schema
    for step in steps[:-1]:
        if isinstance(place, dict) and isinstance(step, str):
            place = place.get(step)
        elif isinstance(place, list) and isinstance(step, int) and step < len(place):
            place = place[step]
        else:
            return []
    properties = place.get("properties") if isinstance(place, dict) else None
    return list(properties) if isinstance(properties, dict) else []


def _at(value: object, steps: Sequence[str | int]) -> object:
    for step in steps:
        value = value[step]  # type: ignore[index]  # the engine came this way
    return value


def type_name(value: object) -> str:
    """Return the JSON type of a value, in the words of our messages."""
    return next((name for kind, name in _NAMED if isinstance(value, kind)), "number")


def type_names(types: Sequence[str]) -> str:
    """Return JSON types in the words of our messages."""
    return " or ".join(_TYPE_NAMES.get(name, name) for name in types)


def _type_fix(types: list[str], found: object) -> str:
    if isinstance(found, str):
        try:
            inner = read_json(found[:10_000])
        except ValueError:
            return ""
        named = type_name(inner)
        fits = named in types or (named == "integer" and "number" in types)
        return f"Write it without quotes: {_shown(inner)}." if fits else ""
    if "string" in types and isinstance(found, (int, float)):
        return f"Write it as text: {_shown(json.dumps(found))}."
    if "array" in types and found is not None:
        return f"Put it in a list: [{_shown(found)}]."
    return ""


def _near(name: str, known: Sequence[object]) -> str:
    alike = (text for text in known if isinstance(text, str) and abs(len(text) - len(name)) <= _ALIKE)
    texts = list(islice(alike, _MAX_COMPARED)) if len(name) <= _SHOWN_TEXT else []
    meant = meant_by(name, texts)
    return _shown(meant) if meant else ""


def _branches(branches: list[list[jsonschema_rs.ValidationError]], authored: Authored) -> str:
    told = []
    for errors in branches[:_SHOWN_ITEMS]:
        if errors:
            where = path_text(list(errors[0].instance_path))
            told.append(f"{where} {_said(errors[0], str(errors[0].kind.name), authored)[0]}"[:160])
    return f"none of {len(branches)} alternatives fits ({'; '.join(told)})"


def _branch_fix(branches: list[list[jsonschema_rs.ValidationError]], authored: Authored) -> str:
    """Return the fix of the alternative that is nearest to fitting, where one needs a single change."""
    single = [errors[0] for errors in branches if len(errors) == 1]
    fixes = [fix for error in single if (fix := _said(error, str(error.kind.name), authored)[2])]
    return fixes[0] if len(fixes) == 1 else ""


def _own(schema: object, authored: Authored) -> object:
    """Return a schema with the patterns that its author wrote."""
    if isinstance(schema, dict):
        return {authored.get(key, key): _own(each, authored) for key, each in schema.items()}
    if isinstance(schema, list):
        return [_own(each, authored) for each in schema]
    return authored.get(schema, schema) if isinstance(schema, str) else schema


def _size(value: object) -> int:
    return len(value) if isinstance(value, (str, list, tuple, dict)) else 0


def _shown(value: object) -> str:
    brief = shortened(value, number=plain_number)
    if isinstance(brief, str) and not isinstance(value, str):
        return brief
    text = json.dumps(brief, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN_TEXT + 40 else text[: _SHOWN_TEXT + 40] + "…"


def shortened(value: object, depth: int = 0, number: Callable[[object], object] | None = None) -> object:
    """Return JSON that is short enough for a message and has a canonical form: numbers beyond 2^53 become text.

    ``number`` says what becomes of them instead.
    """
    if isinstance(value, str):
        cut = value if len(value) <= _SHOWN_TEXT else value[:_SHOWN_TEXT] + "…"
        return cut.encode("utf-8", errors="replace").decode()
    if isinstance(value, dict):
        if depth >= _SHOWN_DEPTH:
            return "{…}"
        entries: dict[object, object] = {}
        for key in value:
            if len(entries) == _SHOWN_ITEMS:
                entries["…"] = f"{len(value) - _SHOWN_ITEMS} more"
                break
            entries[shortened(str(key))] = shortened(value[key], depth + 1, number)
        return entries
    if isinstance(value, (list, tuple)):
        if depth >= _SHOWN_DEPTH:
            return "[…]"
        items = [shortened(item, depth + 1, number) for item in value[:_SHOWN_ITEMS]]
        return [*items, f"… {len(value) - _SHOWN_ITEMS} more"] if len(value) > _SHOWN_ITEMS else items
    if value is None or isinstance(value, bool):
        return value
    try:
        require_json(value)
    except ValueError:
        return (number or _number_text)(value)
    return value


def plain_number(value: object) -> object:
    """Return a whole number as it is, unless it is very long."""
    return value if isinstance(value, int) and value.bit_length() <= _MAX_BITS else _number_text(value)


def _number_text(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return f"a whole number of about {int(value.bit_length() * 0.30103)} digits"
    return str(value)[:_SHOWN_TEXT]
