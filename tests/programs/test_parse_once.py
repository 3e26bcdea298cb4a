"""A program is parsed once, at the edge: what looks at it afterwards is handed its syntax."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path

import libcst
import pytest

from probatum.app.sources import NO_SOURCES
from probatum.kinds.program.sources import ProgramPath, read_programs
from tests.services import ProgramRequest, Service

SEVERAL = '''"""Prices."""

import random
import time

RATE = 2


class Basket:
    """Holds prices.

    >>> Basket().total()
    0
    """

    def __init__(self) -> None:
        self.prices: list[int] = []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Basket) and self.prices == other.prices

    def total(self) -> int:
        """Return the sum."""
        return sum(self.prices)


def helper(price: int) -> int:
    """Return the price after tax.

    >>> helper(2)
    4
    """
    return price * RATE


def total(prices: list[int], least: int = 0) -> int:
    """Return the sum of the prices after tax.

    Raises:
        ValueError: least is negative.

    >>> total([1, 2])
    6
    """
    if least < 0:
        raise ValueError("least is negative")
    found = 0
    for price in prices:
        found += helper(price)
    return max(found, least)


def highest(prices: list[int]) -> int:
    """Return the highest price after tax, 0 without any.

    >>> highest([1, 2])
    4
    >>> highest([])
    0
    """
    return max([helper(price) for price in prices], default=0)
'''
TESTS = b"""from artifact import total


def test_total():
    assert total([3]) == 6
    assert total([3], least=7) == 7
"""


def test_one_verify_parses_the_source_once_as_each_kind_of_syntax(
    service: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "prices.py"
    path.write_text(SEVERAL, encoding="utf-8")
    whole: list[str] = []
    concrete: list[str] = []
    compiled, read = builtins.compile, libcst.parse_module

    def counted(source: object, *args: object, **kwargs: object) -> object:
        text = source.decode() if isinstance(source, bytes) else source
        if isinstance(text, str) and text.strip() == SEVERAL.strip():
            whole.append(text)
        return compiled(source, *args, **kwargs)  # type: ignore[call-overload]  # passed on as it came

    def counted_concrete(source: str | bytes, *args: object, **kwargs: object) -> object:
        concrete.append(source if isinstance(source, str) else source.decode())
        return read(source, *args, **kwargs)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(ast, "compile", counted, raising=False)
    monkeypatch.setattr(builtins, "compile", counted)
    monkeypatch.setattr(libcst, "parse_module", counted_concrete)
    wanted = ProgramRequest(b"", str(path), contract="total([5]) == 10", tests=TESTS.replace(b"artifact", b"prices"))
    [request] = read_programs(ProgramPath(str(path)), wanted, NO_SOURCES)
    assert isinstance(request, ProgramRequest)
    answer = service.verify_program(request)
    assert {each.name for each in answer.parts} == {"Basket", "helper", "total", "highest"}
    assert all(each.details["result"]["strength"] for each in answer.parts)
    assert len(whole) == 1, "parsed as abstract syntax"
    assert concrete
    assert len("".join(concrete)) <= len(SEVERAL), "parsed as concrete syntax, each part once"
