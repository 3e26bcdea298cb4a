"""Faults in what a loop goes through: the first or the last item is passed over.

Refuses iterables that may have no end, and plain `range` calls, whose bounds have faults of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst

from probatum.programs.faults.planting import Mutation
from probatum.programs.faults.sites import Rules, Site
from probatum.programs.faults.syntax import call_name

_ENDLESS_OR_BOUNDED = frozenset({"count", "cycle", "repeat", "iter", "range", "enumerate", "zip"})


def _passed_over(site: Site, node: libcst.For | libcst.CompFor) -> Iterator[Mutation]:
    if node.asynchronous is not None or call_name(node.iter) in _ENDLESS_OR_BOUNDED:
        return
    text, shown = site.text(node.iter), site.shown(node.iter)
    yield site.replacing(node.iter, f"list({text})[1:]", "iteration", f"passes over the first item of {shown}")
    yield site.replacing(node.iter, f"list({text})[:-1]", "iteration", f"passes over the last item of {shown}")


ITERATION_RULES: Rules = {libcst.For: (_passed_over,), libcst.CompFor: (_passed_over,)}
