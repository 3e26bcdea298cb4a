"""Faults in how errors are raised and caught: another type of exception, a type that is no longer caught.

Only built-in types are exchanged: what others inherit from is not known here.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator

import libcst

from probatum.programs.faults.part_faults import cut_out
from probatum.programs.faults.planting import Mutation
from probatum.programs.faults.sites import Rules, Site

_INSTEAD, _INSTEAD_OF_THAT = "RuntimeError", "ValueError"


def _raised(site: Site, node: libcst.Raise) -> Iterator[Mutation]:
    kind = node.exc.func if isinstance(node.exc, libcst.Call) else node.exc
    if isinstance(kind, libcst.Name) and _is_exception(kind.value):
        new = _INSTEAD_OF_THAT if kind.value == _INSTEAD else _INSTEAD
        yield site.replacing(kind, new, "exception", f"raises {new} for {kind.value}")


def _caught(site: Site, node: libcst.ExceptHandler) -> Iterator[Mutation]:
    caught = node.type
    if isinstance(caught, libcst.Name | libcst.Attribute):
        yield site.replacing(caught, "()", "exception", f"does not catch {site.shown(caught)}")
    elif isinstance(caught, libcst.Tuple) and len(caught.elements) > 1:
        for position, element in enumerate(caught.elements):
            cut = cut_out(site, caught.elements, position)
            yield site.fault(element, (cut,), "exception", f"does not catch {site.shown(element)}")


def _is_exception(name: str) -> bool:
    known = getattr(builtins, name, None)
    return isinstance(known, type) and issubclass(known, Exception)


EXCEPTION_RULES: Rules = {libcst.Raise: (_raised,), libcst.ExceptHandler: (_caught,)}
