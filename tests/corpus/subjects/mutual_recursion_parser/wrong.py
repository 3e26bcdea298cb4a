"""Arithmetic in one line of text."""

import re


def evaluate(text: str) -> int:
    """Return the value of an expression of whole numbers, ``+``, ``-``, ``*`` and parentheses.

    ``*`` binds more tightly, and of equal operators the left one is computed first.

    Raises:
        ValueError: the text is no such expression.

    >>> evaluate("1 + 2 * 3")
    7
    >>> evaluate("2*3 + 1")
    7
    >>> evaluate("10 - 4 - 3")
    3
    >>> evaluate("(1 + 2) * (4 - 1)")
    9
    >>> evaluate("2 * (3 + (4 - 1)) * 2")
    24
    >>> evaluate("7")
    7
    >>> evaluate("(2")
    Traceback (most recent call last):
        ...
    ValueError: unexpected end
    >>> evaluate("2 )")
    Traceback (most recent call last):
        ...
    ValueError: unexpected ')'
    >>> evaluate("")
    Traceback (most recent call last):
        ...
    ValueError: unexpected end
    >>> evaluate("* 2")
    Traceback (most recent call last):
        ...
    ValueError: unexpected '*'
    """
    tokens = re.findall(r"\d+|\S", text)
    value, rest = _sum(tokens)
    if rest:
        raise ValueError(f"unexpected {rest[0]!r}")
    return value


def _sum(tokens: list[str]) -> tuple[int, list[str]]:
    value, rest = _product(tokens)
    if rest and rest[0] in "+-":
        term, remaining = _sum(rest[1:])
        return (value + term if rest[0] == "+" else value - term), remaining
    return value, rest


def _product(tokens: list[str]) -> tuple[int, list[str]]:
    value, rest = _atom(tokens)
    while rest and rest[0] == "*":
        factor, rest = _atom(rest[1:])
        value *= factor
    return value, rest


def _atom(tokens: list[str]) -> tuple[int, list[str]]:
    if not tokens:
        raise ValueError("unexpected end")
    token, *rest = tokens
    if token == "(":
        value, rest = _sum(rest)
        if rest[:1] != [")"]:
            raise ValueError("unexpected end")
        return value, rest[1:]
    if not token.isdecimal():
        raise ValueError(f"unexpected {token!r}")
    return int(token), rest
