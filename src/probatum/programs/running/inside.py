"""Statements that bring a module of `sandbox.inside` beside a loaded program, under names that no program has.

Refuses to import it there: what is installed where the program runs need not be probatum.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def asked_inside(module: str) -> str:
    """Return statements that run a module of `sandbox.inside` in a space of its own, ``_asked``."""
    return asked_beside(module, files("probatum.sandbox.inside").joinpath(f"{module}.py").read_text("utf-8"))


def asked_beside(name: str, text: str) -> str:
    """Return statements that run the text of any module likewise."""
    return f"import builtins as _b\n_asked = {{'__name__': {name!r}}}\n_b.exec({text!r}, _asked)"
