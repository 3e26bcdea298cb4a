"""Which keywords of a schema ask something of a value, from the units that the engine evaluates on it.

Refuses to count what applies to values of another type, what only holds other schemas, and what asks for nothing, such
as an empty `required`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from probatum.core.canonical import JsonValue
from probatum.readers.json_schema.graph import Steps
from probatum.readers.json_schema.keywords import (
    ANNOTATIONS,
    IN_PLACE,
    LISTS_OF_CHILDREN,
    MAPS_OF_CHILDREN,
    REFERENCES,
    SINGLE_OF_CHILDREN,
    TYPE_OF,
)

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    **{"number": (int, float), "string": (str,), "array": (list, tuple), "object": (Mapping,)},
}
_HOLDING: Final = frozenset({*IN_PLACE, *MAPS_OF_CHILDREN, *LISTS_OF_CHILDREN, *REFERENCES, *ANNOTATIONS}) - {"not"}
_SIZES: Final = frozenset({"minLength", "minItems", "minProperties", "minContains", "required"})


def pointer_of(steps: Steps) -> str:
    """Return the JSON pointer to a place (RFC 6901)."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def asks(unit: Mapping[str, Any], located: Mapping[str, Mapping[str, JsonValue]], value: object) -> bool:
    """Return whether an evaluated unit is a keyword that asks something of its part of a value.

    Args:
        unit: what the engine says of one keyword or schema, with its places.
        located: every schema object by its pointer.
        value: the whole value.
    """
    if "/if/" in str(unit["evaluationPath"]).replace("/properties/if/", "/"):
        return False
    home, _, keyword = str(unit["schemaLocation"]).rpartition("/")
    if keyword not in located.get(home, {}):
        # A keyword of another document; what is no keyword is a schema.
        return "#" in home and keyword not in _HOLDING
    part, argument = _part(value, str(unit["instanceLocation"])), located[home][keyword]
    if keyword in _HOLDING or not isinstance(part, _TYPES.get(TYPE_OF.get(keyword, ""), object)):
        return False
    if keyword in SINGLE_OF_CHILDREN:
        return argument is False or (keyword == "propertyNames" and bool(part))
    if keyword == "dependentRequired":
        return isinstance(argument, Mapping) and isinstance(part, Mapping) and not part.keys().isdisjoint(argument)
    return bool(argument) if keyword in _SIZES else True


def _part(value: object, pointer: str) -> object:
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list | tuple):
            value = value[int(key)]
    return value
