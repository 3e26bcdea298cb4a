"""Criteria over JSON paths: ``jsonpath: PATH [OP VALUE]``.

    $.user.age >= 18                        one node of the path compares so with a JSON value; without it, there is one
    all(PATH) OP VALUE, any(PATH) OP VALUE, count(PATH) OP NUMBER

A path is ``$`` with ``.name``, ``['name']``, ``[0]``, ``[-1]``, ``[*]``, ``.*`` and ``..name``:
a part of RFC 9535. Refuses every other step, and a comparison of several nodes at once.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any, Final

from probatum.core.canonical import canonical_bytes
from probatum.core.json_text import JsonTextError, exact_number, read_json
from probatum.core.messages import counted
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis
from probatum.judge.outputs import OutputView

_MOST_NODES: Final = 100_000
OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_STEP: Final = re.compile(
    r"\.\.(?P<deep>[A-Za-z_]\w*)|\.(?P<name>[A-Za-z_]\w*)|(?P<every>\.\*|\[\*\])|\[(?P<index>-?\d{1,9})\]"
    r"|\[(?P<quote>['\"])(?P<quoted>[^'\"\\]*)(?P=quote)\]"
)
_COMPARISON: Final = re.compile(r"\s*(?P<op>==|!=|<=|>=|<|>)\s*(?P<value>.*)", re.DOTALL)
_WAY: Final = re.compile(r"(all|any|count)\(\s*")


def number_in(value: object) -> Fraction | None:
    """Return a JSON number as it is written; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Fraction(value) if isinstance(value, int) else Fraction(Decimal(repr(value)))


def path_ruling(written: str, view: OutputView, _tools: CriteriaTools) -> CriterionRuling:
    """Return what comes of a criterion over a JSON path."""
    if view.data is None and view.output is not None:
        return unknown("the output is not JSON")
    opened = _WAY.match(written)
    way = opened[1] if opened else ""
    try:
        nodes, missing, rest = _nodes(view.data, written[opened.end() if opened else 0 :])
        rest = rest.strip()
        is_closed = rest.startswith(")") or not way
        compared = _COMPARISON.fullmatch(rest.removeprefix(")" if way else ""))
        if (rest and compared is None) or not is_closed:
            return unknown(f"the path cannot be read from {rest[:40]!r} on")
        wanted = _literal(compared["value"].strip()) if compared else None
    except ValueError as error:
        return unknown(str(error)[:200])
    leads_to = f"the path leads to {counted(len(nodes), 'node')}"
    if compared is None:
        return ruled(bool(nodes), Basis.EXACT, leads_to, nodes=len(nodes))
    if way == "count":
        nodes = [len(nodes)]
    if not way and len(nodes) > 1:
        return unknown("the path leads to several nodes: write all(…), any(…) or count(…)")
    if not nodes and (way == "all" or compared["op"] == "!=" or wanted is None):
        # Of what is missing, that it is another value is true for some.
        return unknown("the path leads to nothing")
    states = [_compared(each, compared["op"], wanted) for each in nodes] or [False]
    if way == "all" and missing:
        # Of what is missing it is not known whether it compares so.
        states.append(None)
        leads_to += f", and is missing in {counted(missing, 'place')}"
    holds = _every(states) if way != "any" else True if True in states else None if None in states else False
    return ruled(holds, Basis.EXACT, f"{leads_to}; {states.count(True)} of {len(states)} values compare so")


def _nodes(value: object, path: str) -> tuple[list[object], int, str]:
    """Return the nodes to which a path leads, from how many nodes on the way it leads nowhere, and what comes after."""
    if not path.startswith("$"):
        raise ValueError("a path begins with $")
    place, nodes, missing = 1, [value], 0
    while match := _STEP.match(path, place):
        if not match["deep"]:
            missing += sum(not any(True for _ in _stepped(node, match)) for node in nodes)
        nodes = list(islice((found for node in nodes for found in _stepped(node, match)), _MOST_NODES + 1))
        if len(nodes) > _MOST_NODES:
            raise ValueError(f"the path leads to more than {_MOST_NODES:,} nodes")
        place = match.end()
    return nodes, missing, path[place:]


def _stepped(node: object, step: re.Match[str]) -> Iterator[object]:
    name = step["quoted"] if step["name"] is None else step["name"]
    if step["deep"]:
        yield from _below(node, step["deep"])
    elif step["every"]:
        yield from node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    elif step["index"]:
        if isinstance(node, list) and -len(node) <= int(step["index"]) < len(node):
            yield node[int(step["index"])]
    elif isinstance(node, dict) and name in node:
        yield node[name]


def _below(node: object, name: str) -> Iterator[object]:
    stack = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            if name in each:
                yield each[name]
            stack += reversed(list(each.values()))
        elif isinstance(each, list):
            stack += reversed(each)


def _literal(text: str) -> object:
    single = re.fullmatch(r"'([^'\\]*)'", text)
    try:
        return single[1] if single else read_json(text, fraction=exact_number)
    except (JsonTextError, ValueError):
        raise ValueError(f"{text[:40]!r} is not a JSON value") from None


def _compared(value: object, op: str, wanted: object) -> bool | None:
    """Return whether a value compares so, exactly; None where values of these types have no order."""
    left, right = number_in(value), number_in(wanted)
    if left is not None and right is not None:
        return OPERATORS[op](left, right)
    if op in {"==", "!="}:
        try:
            return (canonical_bytes(value) == canonical_bytes(wanted)) is (op == "==")
        except ValueError:
            return None
    return OPERATORS[op](value, wanted) if isinstance(value, str) and isinstance(wanted, str) else None


def _every(states: Sequence[bool | None]) -> bool | None:
    return False if False in states else None if None in states or not states else True
