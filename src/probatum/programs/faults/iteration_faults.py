"""Faults in what a loop goes through: the first or the last item is passed over.

The commonest slip at the ends of a sequence, and one that every loop and comprehension can have. Refuses iterables
that may have no end, and plain `range` calls, whose bounds have faults of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst

from probatum.programs.faults.planting import Fault, shorten
from probatum.programs.faults.sites import Site

__all__ = ["iteration_faults"]

_ENDLESS_OR_BOUNDED = frozenset({"count", "cycle", "repeat", "iter", "range", "enumerate", "zip"})


def iteration_faults(site: Site) -> Iterator[Fault]:
    """Yield the faults of one ``for`` statement or one ``for`` of a comprehension."""
    node = site.node
    if not isinstance(node, libcst.For | libcst.CompFor) or node.asynchronous is not None:
        return
    if _called_name(node.iter) in _ENDLESS_OR_BOUNDED:
        return
    text = site.text(node.iter)
    shown = shorten(text)
    yield site.replacing(node.iter, f"list({text})[1:]", "iteration", f"passes over the first item of {shown}")
    yield site.replacing(node.iter, f"list({text})[:-1]", "iteration", f"passes over the last item of {shown}")


def _called_name(node: libcst.BaseExpression) -> str:
    if not isinstance(node, libcst.Call):
        return ""
    function = node.func
    if isinstance(function, libcst.Attribute):
        return function.attr.value
    return function.value if isinstance(function, libcst.Name) else ""
