"""Candidate calls of a function of which nothing says what its arguments look like: no example, no hint, no call.

Each combination of types is one candidate, with sample values for every parameter. What the function's text does with
a parameter (its methods, loops, arithmetic, keys) only orders the candidates, the likeliest first; which of them are
kept is for whoever calls the function to see. Refuses more than `MOST_PROBES`, whatever the number of parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from itertools import product

from probatum.programs.faults.targets import definitions_of
from probatum.programs.inputs.generate import Call
from probatum.programs.specification import FunctionSpec, Parameter
from probatum.sandbox import SourceArgument

MOST_PROBES = 60
_MOST_COMBINATIONS = 5_000
_MOST_KEYS = 6

Samples = tuple[object, ...]
_SAMPLES: Mapping[str, Samples] = {
    "int": (3, 10, 7, 2, 12, 0, 1, -4),
    "str": ("abc", "a b ca", "12", "Hello, World", "((a))", "x"),
    "list of int": ([3, 1, 2], [5], [2, 2, -1, 4], [1, 2, 3, 4, 5, 6], []),
    "list of str": (["b", "abc", "a"], ["x y"], ["12", "A"], []),
    "float": (2.5, 0.25, -1.5, 10.0),
    "dict": ({"a": 1, "b": 2}, {"x": -3}, {}),
    "list of lists": ([[1, 2], [3, 4]], [[5]], [[2, 1, 0], [1, 1, 1]], []),
    "list of pairs": ([("a", 1), ("b", 2)], [("x", -3)], []),
    "dict of str": ({"a": "b", "c": "d"}, {"x": "1"}, {}),
    "dict of lists": ({"a": ["b", "c"], "b": ["c"], "c": []}, {"x": []}),
    "bool": (True, False),
    "tuple": ((1, 2), (3, 0)),
    "set": ({1, 2, 3}, {2, 5}),
    "bytes": (b"ab", b"\x01\x02", b""),
    "callable": (SourceArgument("lambda *args: args[0]"), SourceArgument("lambda *args: len(args)")),
}
_LOOPED = frozenset(_SAMPLES) - {"int", "float", "bool", "callable"}
_NUMBERS = frozenset({"int", "float", "bool"})
_KEY_METHODS = frozenset({"get", "pop", "setdefault"})


def candidate_calls(function: FunctionSpec, tree: ast.Module) -> tuple[tuple[Call, ...], ...]:
    """Return at most `MOST_PROBES` groups of calls, the likeliest first; all calls of a group have the same types.

    Only parameters without a default are given, by position where they may be.
    """
    parameters = [each for each in function.parameters if not each.may_be_left_out]
    definition = definitions_of(tree).get(function.qualname)
    if not parameters or definition is None:
        return ()
    samples = {**_SAMPLES, **_records(_keys(definition))}
    ranked = [_ranked(_uses(definition, each.name), samples) for each in parameters]
    each_most = max(kind for kind in range(1, len(samples) + 1) if kind ** len(parameters) <= _MOST_COMBINATIONS)
    combined = [tuple(zip(*choice, strict=True)) for choice in product(*(each[:each_most] for each in ranked))]
    # Of what fits equally well, few different types first.
    combined.sort(key=lambda choice: (sum(choice[0]), len(set(choice[1]))))
    return tuple(_calls(parameters, [samples[str(kind)] for kind in kinds]) for _, kinds in combined[:MOST_PROBES])


def _calls(parameters: Sequence[Parameter], samples: Sequence[Samples]) -> tuple[Call, ...]:
    # Shifted from parameter to parameter, so that two of the same type are not always equal.
    rows = [
        [each[(row + shift) % len(each)] for shift, each in enumerate(samples)] for row in range(max(map(len, samples)))
    ]
    places = [each.kind != "keyword_only" for each in parameters]
    return tuple(
        Call(
            tuple(value for value, is_placed in zip(row, places, strict=True) if is_placed),
            tuple(
                (each.name, value) for each, value in zip(parameters, row, strict=True) if each.kind == "keyword_only"
            ),
        )
        for row in rows
    )


def _ranked(uses: Mapping[str, frozenset[str]], samples: Mapping[str, Samples]) -> list[tuple[int, str]]:
    """Return kinds of values with how little each fits the way in which a parameter is used, the fittest first."""
    attributes = uses["attributes"]
    scores = []
    for kind, (first, *_) in samples.items():
        unfit = sum(not hasattr(first, name) for name in attributes) if kind != "callable" else len(attributes)
        unfit += "looped" in uses["how"] and kind not in (_LOOPED | {"record", "records"})
        unfit += "counted" in uses["how"] and kind not in _NUMBERS
        unfit += ("called" in uses["how"]) != (kind == "callable")
        unfit += "keyed" in uses["how"] and "dict" not in kind and "record" not in kind
        scores.append((unfit, kind))
    return sorted(scores, key=lambda each: each[0])


def _uses(definition: ast.AST, name: str) -> Mapping[str, frozenset[str]]:
    """Return which attributes of a parameter are read, and in which ways it is used."""
    attributes: set[str] = set()
    how: set[str] = set()

    def is_it(node: ast.AST | None) -> bool:
        return isinstance(node, ast.Name) and node.id == name

    for node in ast.walk(definition):
        match node:
            case ast.Attribute(value=value, attr=attribute) if is_it(value):
                attributes.add(attribute)
            case ast.For(iter=value) | ast.comprehension(iter=value) if is_it(value):
                how.add("looped")
            case ast.Subscript(value=value, slice=index) if is_it(value):
                how.add("keyed" if _text(index) else "looped")
            case ast.Call(func=called, args=arguments):
                if is_it(called):
                    how.add("called")
                if any(map(is_it, arguments)) and isinstance(called, ast.Name):
                    how |= {"looped"} & _told_by(called.id) | {"counted"} & _told_by(called.id)
            case ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Pow(), right=right):
                if is_it(left) or is_it(right):
                    how.add("counted")
            case ast.BinOp(left=left, right=ast.Constant(value=int())) if is_it(left):
                how.add("counted")
            case ast.Compare(left=left, comparators=[ast.Constant(value=int())]) if is_it(left):
                how.add("counted")
    return {"attributes": frozenset(attributes), "how": frozenset(how)}


def _told_by(called: str) -> set[str]:
    if called in {"len", "sorted", "sum", "enumerate", "zip", "reversed", "max", "min", "set", "any", "all", "map"}:
        return {"looped"}
    return {"counted"} if called in {"range", "abs", "round", "chr", "bin"} else set()


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _keys(definition: ast.AST) -> list[str]:
    """Return the texts by which a function looks something up."""
    found: dict[str, None] = {}
    for node in ast.walk(definition):
        match node:
            case ast.Subscript(slice=index):
                found[_text(index)] = None
            case ast.Call(func=ast.Attribute(attr=method), args=[key, *_]) if method in _KEY_METHODS:
                found[_text(key)] = None
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()]):
                found[_text(key)] = None
    return [key for key in found if key][:_MOST_KEYS]


def _records(keys: Sequence[str]) -> dict[str, Samples]:
    if not keys:
        return {}
    numbers, texts = dict.fromkeys(keys, 3), {key: f"a{place}" for place, key in enumerate(keys)}
    mixed = {key: place if place % 2 else f"b{place}" for place, key in enumerate(keys)}
    return {
        "record": (numbers, mixed, dict(list(numbers.items())[:-1])),
        "record of str": (texts, dict.fromkeys(keys, "x y")),
        "records": ([numbers, {key: place for place, key in enumerate(keys)}], [numbers], []),
        "records of str": ([texts, dict.fromkeys(keys, "x")], [texts], []),
    }
