"""What a pydantic model asks for that its own JSON Schema does not say.

A model checks more than its schema says: validators, dates in the past, the scheme of an address, keys that are
numbers. Read from the model's core schema, which is plain data; pydantic is not imported. A kind of check that is not
known here counts as lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

_BOUNDS: Final = frozenset({"gt", "ge", "lt", "le", "now_op"})
_LOST: Final[Mapping[str, frozenset[str]]] = {
    "date": _BOUNDS,
    "time": _BOUNDS,
    "timedelta": _BOUNDS,
    "datetime": _BOUNDS,
    "uuid": frozenset({"version"}),
    "url": frozenset({"allowed_schemes", "host_required"}),
    "enum": frozenset({"missing"}),
    "model": frozenset({"custom_init"}),
    "dataclass": frozenset({"post_init"}),
    **dict.fromkeys(
        (
            *("any", "none", "bool", "int", "float", "str", "literal", "nullable", "union"),
            *("list", "tuple", "set", "frozenset", "dict", "tagged-union"),
            *("default", "chain", "lax-or-strict", "json-or-python", "definitions", "definition-ref"),
            *("model-fields", "model-field", "typed-dict", "typed-dict-field", "dataclass-args", "dataclass-field"),
        ),
        frozenset(),
    ),
}
"""The kinds that a JSON Schema says, each with what it says nothing of."""
_NO_SCHEMAS: Final = frozenset(
    {"metadata", "serialization", "default", "expected", "config", "members", "missing", "computed_fields", "cls"}
)
_SHAPED: Final = frozenset({"strip_whitespace", "to_lower", "to_upper"})
_MEASURED: Final = frozenset({"min_length", "pattern"})
_OTHER_BRANCH: Final = {"json-or-python": "python_schema", "lax-or-strict": "strict_schema"}
_TEXTS: Final = frozenset({"any", "str", "literal", "enum", "uuid"})


def lost_checks(core: object) -> Iterator[tuple[str, str]]:
    """Yield what a core schema asks for and no JSON Schema says: the names of the fields on the way there, and what."""
    pending: list[tuple[object, str]] = [(core, "")]
    while pending:
        part, place = pending.pop()
        if isinstance(part, (list, tuple)):
            pending += [(each, place) for each in reversed(part)]
        elif isinstance(part, Mapping):
            kind = part.get("type")
            if isinstance(kind, str):
                yield from ((place, told) for told in _of_node(kind, part))
            unread = _NO_SCHEMAS | {_OTHER_BRANCH.get(str(kind), "")} if isinstance(kind, str) else frozenset()
            for key, each in part.items():
                is_field = not isinstance(kind, str) and isinstance(each, Mapping)
                if key not in unread:
                    pending.append((each, f"{place}.{key}" if is_field else place))


def _of_node(kind: str, node: Mapping[object, object]) -> Iterator[str]:
    if kind.startswith("function-"):
        yield "a validator, which is code"
        return
    if kind not in _LOST:
        yield f"the kind {kind!r}"
        return
    yield from (f"{key!r} of a {kind}" for key in sorted(_LOST[kind]) if node.get(key))
    if kind == "model" and _checks_afterwards(node):
        yield "'model_post_init', which is code"
    if kind == "str" and any(node.get(key) for key in _SHAPED) and any(node.get(key) is not None for key in _MEASURED):
        yield "a check of a text that is changed before"
    if kind == "datetime" and node.get("tz_constraint") not in {None, "aware"}:
        yield "a time without a zone"
    if kind == "dict" and not _is_textual(node.get("keys_schema")):
        yield "keys that are not plain texts"
    if kind == "tagged-union" and not isinstance(node.get("discriminator"), (str, list)):
        yield "a discriminator, which is code"
    if kind.endswith("-field") and _is_deep_alias(node.get("validation_alias")):
        yield "an alias that leads into a value"


def _checks_afterwards(model: Mapping[object, object]) -> bool:
    """Return whether a model runs code of its author when it is made; filling private fields is not that."""
    called = model.get("post_init")
    if not isinstance(called, str):
        return False
    code = getattr(model.get("cls"), called, None)
    place = getattr(code, "__module__", None), getattr(code, "__name__", None)
    return place != ("pydantic._internal._model_construction", "init_private_attributes")


def _is_textual(keys: object) -> bool:
    return keys is None or (isinstance(keys, Mapping) and keys.get("type") in _TEXTS)


def _is_deep_alias(alias: object) -> bool:
    """Return whether an alias is a path: it is given as a path or as a list of paths."""
    if not isinstance(alias, list):
        return False
    paths = [each for each in alias if isinstance(each, list)] or [alias]
    return any(len(path) > 1 for path in paths)
