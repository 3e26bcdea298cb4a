"""Criteria that say themselves how they are decided: a Python expression, a JSON path, a regular expression.

    python: EXPRESSION          of ``output``, in the sandbox; gives True or False (also ``expr:``). It may use built-in
                                functions, ``json``, ``math`` and ``re``, and nothing that reaches beyond the output
    jsonpath: PATH [OP VALUE]   one node of the path compares so with a JSON value; without it, there is such a node
    jsonpath: all(PATH) OP VALUE, any(PATH) OP VALUE, count(PATH) OP NUMBER
    regex: PATTERN              is found in the text, in linear time (re2); ``not regex:`` is not found

A path is ``$`` with ``.name``, ``['name']``, ``[0]``, ``[-1]``, ``[*]``, ``.*`` and ``..name``:
a part of RFC 9535. Refuses every other step, and a comparison of several nodes at once.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

import re2  # type: ignore[import-untyped]  # it comes without types

from probatum.core.canonical import canonical_bytes
from probatum.core.json_text import JsonTextError, read_json
from probatum.core.messages import counted
from probatum.judge.criteria.data_criteria import number_in
from probatum.judge.criteria.forms import every
from probatum.judge.criteria.reading import OutputView
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, RunEnd, ruled, unknown
from probatum.judge.layers import Basis
from probatum.programs.source import UNPARSABLE
from probatum.readers.vocabulary import words_of

MOST_CHARACTERS: Final = 2_000
_NAMES: Final = words_of(
    "output json math re abs all any bool bytes chr dict divmod enumerate filter float frozenset int isinstance len "
    "list map max min ord pow range repr reversed round set sorted str sum tuple type zip"
)
_OF_MODULES: Final = words_of(
    "loads dumps search match fullmatch findall finditer split sub compile escape I M S X A IGNORECASE MULTILINE "
    "DOTALL ASCII VERBOSE ceil floor trunc sqrt isclose isnan isinf isfinite fabs fsum prod gcd lcm log log2 log10 exp "
    "pi e comb perm factorial hypot inf nan isqrt copysign fmod"
)
_MODULES: Final = frozenset({"json", "math", "re"})
_ORDERED: Final = words_of("pop list tuple str repr join enumerate zip dumps map filter format")
_MOST_NODES: Final = 100_000
_OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_STEP: Final = re.compile(
    r"\.\.(?P<deep>[A-Za-z_]\w*)|\.(?P<name>[A-Za-z_]\w*)|(?P<every>\.\*|\[\*\])|\[(?P<index>-?\d{1,9})\]"
    r"|\[(?P<quote>['\"])(?P<quoted>[^'\"\\]*)(?P=quote)\]"
)
_COMPARISON: Final = re.compile(r"\s*(?P<op>==|!=|<=|>=|<|>)\s*(?P<value>.*)", re.DOTALL)
_WAY: Final = re.compile(r"(all|any|count)\(\s*")
_KINDS: Final = re.compile(
    r"\s*(?:(?P<python>python|expr)|(?P<path>jsonpath)|(?:(?P<no>not)\s+)?regex)\s*:",
    re.IGNORECASE,
)


def executed(criterion: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling | None:
    """Return what comes of an executable criterion; None where it is none."""
    match = _KINDS.match(criterion[:80])
    if match is None:
        return None
    rest = criterion[match.end() :].strip()
    if not rest or len(criterion) > MOST_CHARACTERS:
        return unknown(f"an executable criterion has 1 to {MOST_CHARACTERS:,} characters")
    if match["python"]:
        return _python(rest, view, tools)
    if match["path"]:
        return _path(rest, view)
    return _pattern(rest, view, wanted=not match["no"])


def _python(expression: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    try:
        flaw = _flaw(list(ast.walk(ast.parse(expression, mode="eval"))))
    except UNPARSABLE as error:
        flaw = f"the expression is not Python: {error}"
    if flaw or tools.runner is None:
        return unknown(flaw[:200] or "there is no sandbox to evaluate it in")
    reply, again = (tools.runner.evaluated(expression, view.output) for _ in range(2))
    if reply != again:
        return unknown("the expression gives another value each time")
    if reply.end is not RunEnd.RETURNED:
        return unknown(f"the value of the expression could not be had: {reply.detail}"[:300])
    if not isinstance(reply.value, bool):
        return unknown(f"the value of the expression is no bool but {type(reply.value).__name__}")
    return ruled(reply.value, Basis.EXACT, f"the expression is {reply.value}")


def _flaw(nodes: list[ast.AST]) -> str:
    """Return why the value of an expression does not follow from the output alone; empty where it does."""
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    bound = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    bound |= {each.arg for each in nodes if isinstance(each, ast.arg)}
    attributes = [each for each in nodes if isinstance(each, ast.Attribute)]
    if "output" not in names:
        return "the expression does not look at the output"
    strange = (names - bound - _NAMES) | (bound & _NAMES)
    for each in attributes:
        is_of_module = isinstance(each.value, ast.Name) and each.value.id in _MODULES
        if each.attr.startswith("_") or "format" in each.attr or (is_of_module and each.attr not in _OF_MODULES):
            strange.add(each.attr)
    if strange or any(isinstance(each, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await) for each in nodes):
        return (
            f"the expression uses what reaches beyond the output: {', '.join(sorted(strange))[:100] or 'a statement'}"
        )
    iterated = [part for each in nodes if isinstance(each, ast.comprehension) for part in ast.walk(each.iter)]
    is_ordered = any(isinstance(each, ast.JoinedStr | ast.Starred) for each in nodes) or any(map(_makes_set, iterated))
    is_ordered = is_ordered or bool((names | {each.attr for each in attributes}) & _ORDERED)
    if is_ordered and any(map(_makes_set, nodes)):
        return "the expression may depend on the order of a set, which is none"
    return ""


def _makes_set(node: ast.AST) -> bool:
    return isinstance(node, ast.Set | ast.SetComp) or (isinstance(node, ast.Name) and node.id in {"set", "frozenset"})


def _pattern(pattern: str, view: OutputView, *, wanted: bool) -> CriterionRuling:
    if view.text is None:
        return unknown("the output is not one text")
    if len(pattern) > 1 and pattern[0] == pattern[-1] and pattern[0] in "/'\"`":
        return unknown("whether the marks around the pattern belong to it is not certain: write it without them")
    options = re2.Options()
    options.log_errors = False
    try:
        found = re2.compile(pattern, options=options).search(view.text)
    except (re2.error, UnicodeEncodeError) as error:
        told = error.args[0] if isinstance(error, re2.error) and error.args else "it is not UTF-8"
        return unknown(f"the pattern cannot be read: {told.decode() if isinstance(told, bytes) else told}"[:200])
    observed = "the pattern is found" if found else "the pattern is not found"
    return ruled((found is not None) is wanted, Basis.EXACT, observed)


def _path(written: str, view: OutputView) -> CriterionRuling:
    if view.data is None and view.output is not None:
        return unknown("the output is no JSON")
    opened = _WAY.match(written)
    way = opened[1] if opened else ""
    try:
        nodes, rest = _nodes(view.data, written[opened.end() if opened else 0 :])
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
    holds = every(states) if way != "any" else True if True in states else None if None in states else False
    return ruled(holds, Basis.EXACT, f"{leads_to}; {states.count(True)} of {len(states)} values compare so")


def _nodes(value: object, path: str) -> tuple[list[object], str]:
    """Return the nodes to which a path leads, and what stands behind it."""
    if not path.startswith("$"):
        raise ValueError("a path begins with $")
    place, nodes = 1, [value]
    while match := _STEP.match(path, place):
        nodes = list(islice((found for node in nodes for found in _stepped(node, match)), _MOST_NODES + 1))
        if len(nodes) > _MOST_NODES:
            raise ValueError(f"the path leads to more than {_MOST_NODES:,} nodes")
        place = match.end()
    return nodes, path[place:]


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
        return single[1] if single else read_json(text)
    except (JsonTextError, ValueError):
        raise ValueError(f"{text[:40]!r} is no JSON value") from None


def _compared(value: object, op: str, wanted: object) -> bool | None:
    """Return whether a value compares so, exactly; None where values of these types have no order."""
    left, right = number_in(value), number_in(wanted)
    if left is not None and right is not None:
        return _OPERATORS[op](left, right)
    if op in {"==", "!="}:
        try:
            return (canonical_bytes(value) == canonical_bytes(wanted)) is (op == "==")
        except ValueError:
            return None
    return _OPERATORS[op](value, wanted) if isinstance(value, str) and isinstance(wanted, str) else None
