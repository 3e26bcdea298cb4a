"""Claims about documents and schemas: both grow together, and a violation is planted in one place."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Final

from tests.exact.generated.claim import Family, Made

Node = tuple[dict[str, object], object, list[object]]
"""A schema, a document that satisfies it, and documents that do not."""


def _value(random: Random) -> Node:
    low, least, step = random.randint(-50, 50), random.randint(1, 4), random.randint(2, 7)
    high, day = low + random.randint(1, 20), random.randint(1, 28)
    letters = "".join(random.sample("abcdef", 3))
    word = "".join(random.choice(letters) for _ in range(least))
    picked = random.sample(["red", "green", 1, None, [1], {"a": 2}], 3)
    middle = random.choice(["a" * least, "ä" * (least + 2)])
    rows: list[Node] = [
        (
            {"type": "integer", "minimum": low, "maximum": high},
            random.choice([low, high]),
            [low - 1, high + 1, low + 0.5],
        ),
        ({"type": "integer", "exclusiveMinimum": low}, low + 1, [low, [low + 1], str(low + 1), None, True]),
        ({"type": "number", "multipleOf": step}, step * low, [step * low + 1, f"{step * low}", step * low + 0.5]),
        (
            {"type": "string", "minLength": least, "maxLength": least + 2},
            middle,
            ["a" * (least - 1), "ä" * (least + 3), 5],
        ),
        ({"pattern": f"^[{letters}]{{{least}}}$"}, word, [word + letters[0], word[1:], word[:-1] + "z", word.upper()]),
        ({"enum": picked}, random.choice(picked), ["Red", "1", True, [1, 1], {"a": 3}, 2]),
        (
            {"format": "date"},
            f"2024-02-{day:02}",
            [f"2024-2-{day}", "2023-02-29", f"2024-13-{day:02}", f"{day:02}.02.2024"],
        ),
        ({"const": 1}, 1, [True, "1", 2, 1.5]),
        ({"const": True}, True, [1, False, "true"]),
        ({"const": None}, None, [0, False, ""]),
        ({"const": [1, 2]}, [1, 2], [[2, 1], [1, 2, 3], {"0": 1}]),
    ]
    return random.choice(rows)


def _list(random: Random, depth: int) -> Node:
    schema, good, bad = node(random, depth - 1)
    size = random.randint(1, 3)
    wrong: list[object] = [[good] * size + [each] for each in bad]
    kind = random.randrange(3)
    if kind == 0:
        rows = {"type": "array", "items": schema, "minItems": size, "maxItems": size + 1}
        return rows, [good] * size, [*wrong, [good] * (size + 2), [good] * (size - 1), {"0": good}]
    if kind == 1:
        first: dict[str, object] = {"type": "array", "prefixItems": [schema, {"type": "boolean"}], "items": False}
        others: list[object] = [[good, 1], [good, True, True]]
        return first, [good, True], [*([each, True] for each in bad), *others]
    held: dict[str, object] = {"type": "array", "contains": schema, "minContains": 2}
    few: list[object] = [[good, *bad], [], list(bad)]
    return held, [good, good, *bad[:1]], few


def _object(random: Random, depth: int) -> Node:
    names = random.sample(["name", "age", "street", "price", "tags", "ok"], random.randint(1, 3))
    nodes = {name: node(random, depth - 1) for name in names}
    good: dict[str, object] = {name: each[1] for name, each in nodes.items()}
    schema: dict[str, object] = {
        "type": "object",
        "properties": {name: each[0] for name, each in nodes.items()},
        "required": names,
        "additionalProperties": False,
    }
    first = names[0]
    wrong: list[object] = [{**good, first: bad} for bad in nodes[first][2]]
    wrong += [{name: value for name, value in good.items() if name != first}, {**good, "extra": 1}, [good], "{}"]
    if random.random() < 0.3:
        schema["dependentRequired"] = {first: ["also"]}
        schema["properties"] = {**{name: each[0] for name, each in nodes.items()}, "also": True}
        wrong.append(dict(good))
        good = {**good, "also": 1}
        wrong = [each for each in wrong if each != good]
    return schema, good, wrong


def _combined(random: Random, depth: int) -> Node:
    schema, good, bad = node(random, depth - 1)
    kind = random.randrange(10)
    if kind == 0:
        return {"allOf": [True, schema]}, good, bad
    if kind == 1:
        return {"anyOf": [{"const": "never this"}, schema]}, good, bad
    if kind == 2:
        return {"oneOf": [schema, {"const": "never this"}]}, good, bad
    if kind == 3:
        return {"not": schema}, bad[0], [good]
    if kind == 4:
        return {"if": schema, "else": False}, good, bad
    if kind == 5:
        return (
            {"type": "array", "uniqueItems": True, "items": schema},
            [good],
            [[good, good], *([each] for each in bad)],
        )
    if kind == 6:
        return {"patternProperties": {"^a": schema}}, {"ab": good, "b": bad[0]}, [{"ab": each} for each in bad]
    if kind == 7:
        held: dict[str, object] = {"properties": {"a": schema}, "unevaluatedProperties": False}
        return held, {"a": good}, [{"a": good, "b": good}, *({"a": each} for each in bad)]
    if kind == 8:
        short: dict[str, object] = {"propertyNames": {"maxLength": 2}, "additionalProperties": schema}
        return short, {"ab": good}, [{"abc": good}, *({"ab": each} for each in bad)]
    return {"$ref": "#/$defs/it", "$defs": {"it": schema}}, good, bad


def _has_reference(schema: object) -> bool:
    return '"$ref"' in json.dumps(schema)


def node(random: Random, depth: int) -> Node:
    """Return a schema with documents that satisfy it and that do not."""
    return random.choice([_list, _object, _combined])(random, depth) if depth > 0 else _value(random)


def _made(depth: int) -> Callable[[Random, bool], Made]:
    def make(random: Random, truth: bool) -> Made:
        while True:
            schema, good, bad = node(random, depth)
            # A reference is resolved from the top, so it may stand there alone.
            if not _has_reference({name: value for name, value in schema.items() if name != "$ref"}):
                break
        document = good if truth else random.choice(bad)
        given: dict[str, object] = {"document": json.dumps(document), "schema": json.dumps(schema)}
        if random.random() < 0.2:
            given["schema"] = schema
        return "valid", given

    return make


FAMILIES: Final = (
    Family("schema", "one value", _made(0)),
    Family("schema", "nested once", _made(1)),
    Family("schema", "nested twice", _made(2)),
)
