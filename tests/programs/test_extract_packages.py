"""What sessions in the documentation of a file of a package may import, and when an example is a plain call of it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from probatum.programs.extract import extract_module
from tests.programs.parsing import program

MODULES = frozenset({"shop", "shop.pricing", "shop.tax"})
Read = list[tuple[str, tuple[str, ...]]]

# what is at the top of the file, the session, expressions with the steps before them
SESSIONS: Mapping[str, tuple[str, str, Read]] = {
    "the function from its module": ("", ">>> from shop.pricing import f\n>>> f(2)\n4", [("f(2)", ())]),
    "under another name": (
        "",
        ">>> from shop.pricing import f as g\n>>> g(2)\n4",
        [("g(2)", ("g = f",))],
    ),
    "the module by its path": ("", ">>> import shop.pricing\n>>> shop.pricing.f(2)\n4", [("f(2)", ())]),
    "the module under another name": ("", ">>> import shop.pricing as p\n>>> p.f(2)\n4", [("f(2)", ())]),
    "the module from its package": ("", ">>> from shop import pricing\n>>> pricing.f(2)\n4", [("f(2)", ())]),
    "the module without any import": ("", ">>> shop.pricing.f(2)\n4", [("f(2)", ())]),
    "nested calls by path": ("", ">>> shop.pricing.f(shop.pricing.f(2))\n4", [("f(f(2))", ())]),
    "the package": (
        "",
        ">>> import shop\n>>> shop.f(2)\n4\n>>> f(3)\n9",
        [("shop.f(2)", ("import shop",)), ("f(3)", ())],
    ),
    "a sibling": (
        "",
        ">>> from shop.tax import rate\n>>> f(rate)\n4",
        [("f(rate)", ("from shop.tax import rate",))],
    ),
    "the function of this name from a sibling": (
        "",
        ">>> from shop.tax import f\n>>> f(2)\n4",
        [("f(2)", ("from shop.tax import f",))],
    ),
    "the function of this name from a sibling that is not there": (
        "",
        ">>> from shop.others import f\n>>> f(2)\n4",
        [("f(2)", ())],
    ),
    "the function from its package": ("", ">>> from shop import f\n>>> f(2)\n4", [("f(2)", ())]),
    "a sibling that a later step needs": (
        "",
        ">>> from shop import tax\n>>> x = tax.rate\n>>> f(x)\n4",
        [("f(x)", ("from shop import tax", "x = tax.rate"))],
    ),
    "a sibling that only type checkers import": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .tax import Rate\n",
        ">>> from shop.tax import Rate\n>>> f(Rate(2))\n4",
        [("f(Rate(2))", ("from shop.tax import Rate",))],
    ),
    "a name that only type checkers have": (
        "import typing\nif typing.TYPE_CHECKING:\n    from .tax import Rate\nelse:\n    Rate2 = 1\n",
        ">>> f(Rate(2))\n4\n>>> f(Rate2)\n4",
        [("f(Rate2)", ())],
    ),
    "a module of nobody": ("", ">>> from nowhere import x\n>>> f(x)\n4\n>>> f(3)\n9", [("f(3)", ())]),
}


@pytest.mark.parametrize(("before", "session", "expected"), SESSIONS.values(), ids=SESSIONS)
def test_sessions_import_modules_of_the_project(before: str, session: str, expected: Read) -> None:
    module = extract_module(program(session, before=before), "shop.pricing", MODULES)
    assert [(each.expression, each.setup) for each in module.functions[-1].examples] == expected


def test_without_a_name_nothing_is_the_file_itself() -> None:
    module = extract_module(program(">>> import shop.pricing\n>>> shop.pricing.f(2)\n4"))
    assert module.functions[-1].examples == ()
