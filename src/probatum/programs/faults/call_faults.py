"""Faults in calls: left out, another function of the same family, arguments swapped, another order of sorting.

Type errors are not planted: every run would notice them, so they measure nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst

from probatum.programs.faults.kinds import kind_of
from probatum.programs.faults.planting import Edit, Mutation, shorten
from probatum.programs.faults.sites import Rules, Site
from probatum.programs.faults.syntax import call_name
from probatum.programs.parsing.scanning import word_set

_EITHER_WAY = {"floor": "ceil", "ceil": "floor", "bisect_left": "bisect_right", "bisect_right": "bisect_left"}
_FUNCTION_TWINS = {
    **_EITHER_WAY,
    **{"max": "min", "min": "max", "any": "all", "all": "any", "nlargest": "nsmallest", "nsmallest": "nlargest"},
}
_METHOD_TWINS = {
    **_EITHER_WAY,
    **{"startswith": "endswith", "endswith": "startswith", "find": "rfind", "rfind": "find"},
    **{"isupper": "islower", "islower": "isupper", "upper": "lower", "lower": "upper"},
    **{"isdigit": "isalnum", "isalpha": "isalnum", "isalnum": "isalpha"},
    **{"union": "intersection", "intersection": "union", "ljust": "rjust", "rjust": "ljust"},
    **{"asc": "desc", "desc": "asc", "head": "tail", "tail": "head", "nlargest": "nsmallest", "nsmallest": "nlargest"},
    **{"argmax": "argmin", "argmin": "argmax", "idxmax": "idxmin", "idxmin": "idxmax", "ffill": "bfill"},
}
_OF_QUERIES = word_set("asc desc distinct filter filter_by having limit nulls_first nulls_last offset order_by where")
_OF_FRAMES = word_set("drop_duplicates dropna fillna reset_index sort_index sort_values")
_SHAPE_KEEPING_METHODS = (
    _OF_QUERIES | _OF_FRAMES | word_set("strip lstrip rstrip lower upper title capitalize swapcase casefold replace")
)
_SHAPE_KEEPING_FUNCTIONS = frozenset({"sorted", "abs", "round", "reversed"})
_COUNTED_WITH_REPETITIONS = frozenset({"len", "sum", "sorted", "list"})
_ORDERED_ARGUMENTS = frozenset({"pow", "divmod"})


def _twins(site: Site, node: libcst.Call) -> Iterator[Mutation]:
    name, twins = (
        (node.func.attr, _METHOD_TWINS) if isinstance(node.func, libcst.Attribute) else (node.func, _FUNCTION_TWINS)
    )
    if isinstance(name, libcst.Name) and name.value in twins:
        new = twins[name.value]
        yield site.replacing(name, new, "call", f"uses {new} for {name.value}")


def _left_out(site: Site, node: libcst.Call) -> Iterator[Mutation]:
    name = call_name(node)
    if isinstance(node.func, libcst.Attribute):
        if name in _SHAPE_KEEPING_METHODS and not isinstance(site.parent, libcst.Expr):
            edit = Edit(site.span(node.func.dot)[0], site.span(node)[1], "")
            yield site.fault(node.func.dot, (edit,), "call_removed", f"leaves out .{name}()")
        return
    if not node.args or node.args[0].star or node.args[0].keyword is not None:
        return
    inner = node.args[0].value
    if name in _SHAPE_KEEPING_FUNCTIONS or _keeps_number(name, inner) or _drops_repetitions(site, node, name):
        yield site.replacing(node, f"({site.text(inner)})", "call_removed", f"leaves out {name}()")


def _keeps_number(name: str, inner: libcst.BaseExpression) -> bool:
    return name == "int" and (
        (isinstance(inner, libcst.BinaryOperation) and isinstance(inner.operator, libcst.Divide | libcst.Power))
        or call_name(inner) == "sqrt"
    )


def _drops_repetitions(site: Site, node: libcst.Call, name: str) -> bool:
    around = site.ancestor(2)
    return (
        name == "set"
        and isinstance(site.parent, libcst.Arg)
        and isinstance(around, libcst.Call)
        and isinstance(around.func, libcst.Name)
        and around.func.value in _COUNTED_WITH_REPETITIONS
        and len(node.args) == 1
    )


def _sorting(site: Site, node: libcst.Call) -> Iterator[Mutation]:
    is_sorted = isinstance(node.func, libcst.Name) and node.func.value == "sorted" and bool(node.args)
    is_sort = isinstance(node.func, libcst.Attribute) and node.func.attr.value == "sort"
    if not is_sorted and not is_sort:
        return
    keywords = {arg.keyword.value: arg for arg in node.args if arg.keyword is not None}
    if "reverse" not in keywords and not any(arg.star == "**" for arg in node.args):
        edits = _with_argument(site, node, "reverse=True")
        yield site.fault(node, edits, "call", "sorts in descending order")
    if "key" in keywords:
        key = keywords["key"].value
        yield site.replacing(key, "None", "call_removed", f"sorts without the key {site.shown(key)}")


def _counting_from_one(site: Site, node: libcst.Call) -> Iterator[Mutation]:
    if isinstance(node.func, libcst.Name) and node.func.value == "enumerate" and len(node.args) == 1:
        yield site.fault(node, _with_argument(site, node, "1"), "boundary", "counts from 1 in enumerate")


def _with_argument(site: Site, node: libcst.Call, text: str) -> tuple[Edit, ...]:
    """Return the edits that give a call one more argument, the last."""
    end = site.span(node)[1] - 1
    if not node.args:
        return (Edit(end, end, text),)
    last = node.args[-1]
    glue = "" if isinstance(last.comma, libcst.Comma) else ", "
    if not isinstance(last.value, libcst.GeneratorExp) or last.value.lpar:
        return (Edit(end, end, f"{glue}{text}"),)
    # A generator needs parentheses unless it is the only argument.
    begin, behind = site.span(last.value)
    return Edit(begin, begin, "("), Edit(behind, behind, ")"), Edit(end, end, f"{glue}{text}")


def _swapped_arguments(site: Site, node: libcst.Call) -> Iterator[Mutation]:
    name = call_name(node)
    own = {plot.target.qualname.rpartition(".")[2] for plot in site.ground.plots}
    if len(node.args) < 2 or (name not in _ORDERED_ARGUMENTS and name not in own):
        return
    first, second = node.args[0], node.args[1]
    if any(arg.star or arg.keyword is not None for arg in (first, second)):
        return
    left, right = site.text(first.value), site.text(second.value)
    kinds = {kind_of(first.value, site.kinds), kind_of(second.value, site.kinds)} - {None}
    if left != right and len(kinds) < 2:
        yield site.fault(
            node,
            (Edit(*site.span(first), right), Edit(*site.span(second), left)),
            "argument_swap",
            f"swaps the arguments {shorten(left)} and {shorten(right)} of {name}",
        )


CALL_RULES: Rules = {libcst.Call: (_twins, _left_out, _sorting, _counting_from_one, _swapped_arguments)}
