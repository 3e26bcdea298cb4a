"""Every reason for which something of a reader is refused has a meaning, and every such meaning a reason."""

from __future__ import annotations

import ast

from probatum.app.explaining import REFUSALS, built_in_meanings
from tests.house.sources import package_modules

_CODED = {"Why": {"readings", "programs", "kinds"}, "refuse": {"readings"}}


def _codes() -> set[str]:
    """Return the first argument of every call that gives a reason a code."""
    found = set()
    for module in package_modules():
        for node in ast.walk(module.tree):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str() as code), _, *_]) if (
                    module.part in _CODED.get(name, ())
                ):
                    found.add(code)
    return found


def test_every_reason_has_a_meaning() -> None:
    assert len(_codes()) > 25
    assert _codes() - set(built_in_meanings()) == set()


def test_every_refusal_that_is_explained_has_a_cause() -> None:
    nodes = (node for module in package_modules() for node in ast.walk(module.tree) if isinstance(node, ast.Constant))
    # An error of a tool is told by the last part of its code.
    last_parts = {node.value.rpartition(".")[2] for node in nodes if isinstance(node.value, str)}
    refusals = {code for code, each in built_in_meanings().items() if each.area == REFUSALS}
    assert refusals - last_parts == set()
