"""Expressions as trees, read by a grammar of our own: nothing is evaluated, split or guessed while reading.

From loose to tight: ``<->``, ``->``, ``or``, ``and``, ``not``, comparisons, ``+ -``, ``* / mod``, signs, ``^``,
``! %``. A comparison may be a chain, and ``5% of`` what follows is a product. Refuses products without a sign, calls of
what is not a name followed by a bracket, and nesting beyond a limit; every error tells its position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.claim import unreadable
from probatum.exact.numbers.tokens import Sort, Token, tokens_of
from probatum.readers.vocabulary import CURRENCY_CODES

MAX_DEPTH: Final = 30
TESTS: Final = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
"""What each exact relation asks of two values."""
RELATIONS: Final = frozenset({*TESTS, "~="})
_ADDITIVE: Final = frozenset({"+", "-"})
_MULTIPLICATIVE: Final = frozenset({"*", "/"})
_MODULO: Final = "mod"
_WORDS: Final = frozenset({"and", "or", "not", "implies", "iff", "of", _MODULO})
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written, exactly."""

    value: Fraction
    start: int
    currency: str = ""
    places: int = 0
    """Of its last digit: how many places it stands behind the point, less its exponent."""


@dataclass(frozen=True, slots=True)
class Name:
    """A variable or a constant."""

    name: str
    start: int


@dataclass(frozen=True, slots=True)
class Chain:
    """Operands of one level, from left to right, with the operators between them: ``+ -``, ``* / mod``, and, or."""

    operands: tuple[Node, ...]
    operators: tuple[str, ...]
    start: int


@dataclass(frozen=True, slots=True)
class Relations:
    """A chain of relations, which holds where each of its neighbours does."""

    operands: tuple[Node, ...]
    relations: tuple[str, ...]
    start: int


@dataclass(frozen=True, slots=True)
class Power:
    """A base raised to an exponent."""

    base: Node
    exponent: Node
    start: int


@dataclass(frozen=True, slots=True)
class Prefixed:
    """``-``, ``+`` or ``not`` before an operand."""

    sign: str
    operand: Node
    start: int


@dataclass(frozen=True, slots=True)
class Suffixed:
    """``!`` (factorial) or ``%`` (hundredths) after an operand."""

    sign: str
    operand: Node
    start: int


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A named function of arguments."""

    name: str
    arguments: tuple[Node, ...]
    start: int


@dataclass(frozen=True, slots=True)
class Collection:
    """Items between brackets: ``[`` a list, ``{`` a set, ``(`` a tuple of two or more."""

    bracket: str
    items: tuple[Node, ...]
    start: int


@dataclass(frozen=True, slots=True)
class Conditional:
    """``left -> right`` or ``left <-> right``."""

    arrow: str
    left: Node
    right: Node
    start: int


Node = Number | Name | Chain | Relations | Power | Prefixed | Suffixed | FunctionCall | Collection | Conditional


@lru_cache(maxsize=8)
def read_expression(text: str, code: str, *, percent_is_modulo: bool = False) -> Node:
    """Return the tree of a text.

    Args:
        text: the whole of it is one expression.
        code: the code of the error for what cannot be read.
        percent_is_modulo: whether ``a % b`` is a remainder, as in programs; else ``%`` means hundredths alone.

    Raises NotAttemptedError with the position, BudgetError for what is too large or nested too deep.
    """
    reader = ExpressionReader(text, code, percent_is_modulo=percent_is_modulo)
    node = reader.expression()
    reader.require_end()
    return node


class ExpressionReader:
    """Reads one text by descent; forms of an engine's own are read around its methods."""

    def __init__(self, text: str, code: str, *, percent_is_modulo: bool = False) -> None:
        self.text = text
        self._code = code
        self._percent_is_modulo = percent_is_modulo
        self._left = iter(tokens_of(text, code))
        self._depth = 0
        self.token = next(self._left)
        """The next token."""

    def advance(self) -> Token:
        """Take the next token."""
        token = self.token
        self.token = next(self._left, token)
        return token

    def accept(self, *texts: str) -> bool:
        """Take the next token where it is one of these signs or words."""
        if self.token.sort in (Sort.SIGN, Sort.NAME) and self.token.text in texts:
            self.advance()
            return True
        return False

    def require(self, text: str) -> None:
        """Take this sign or word; raises where another token comes."""
        if not self.accept(text):
            raise self.problem(f"{text!r} is expected")

    def require_end(self) -> None:
        """Raise where anything is left."""
        if self.token.sort is Sort.END:
            return
        if self.token.sort in (Sort.NUMBER, Sort.NAME) or self.token.text in _BRACKETS:
            raise self.problem("Nothing stands between two operands; write '*' for a product")
        raise self.problem("Nothing more is expected here")

    def problem(self, problem: str, at: int | None = None) -> Exception:
        """Return the error about the next token, or another place."""
        return unreadable(self._code, self.text, self.token.start if at is None else at, problem)

    def expression(self) -> Node:
        """Read one expression, conditionals included."""
        start, left = self.token.start, self._implication()
        if self.accept("<->", "iff"):
            left = Conditional("<->", left, self._implication(), start)
        return left

    def _implication(self) -> Node:
        start, left = self.token.start, self._deeper(self._disjunction)
        if self.accept("->", "implies"):
            left = Conditional("->", left, self._deeper(self._implication), start)
        return left

    def _disjunction(self) -> Node:
        return self._chain(lambda: self._chain(self._negation, {"and"}), {"or"})

    def _negation(self) -> Node:
        start, negations = self.token.start, 0
        while self.accept("not"):
            negations += 1
        inner = self.comparison()
        return inner if not negations else _negated(inner, negations, start)

    def comparison(self) -> Node:
        """Read a sum, or a chain of sums with relations between them."""
        start, operands, relations = self.token.start, [self.sum()], []
        while self.token.sort is Sort.SIGN and self.token.text in RELATIONS:
            relations.append(self.advance().text)
            operands.append(self.sum())
        return Relations(tuple(operands), tuple(relations), start) if relations else operands[0]

    def sum(self) -> Node:
        """Read a sum: the loosest expression that is a value."""
        return self._chain(self._product, _ADDITIVE)

    def _product(self) -> Node:
        if self._percent_is_modulo:
            return self._chain(self._signed, _MULTIPLICATIVE | {_MODULO, "%"})
        return self._chain(self._signed, _MULTIPLICATIVE | {_MODULO})

    def _chain(self, operand: object, operators: frozenset[str] | set[str]) -> Node:
        start = self.token.start
        operands, between = [operand()], []  # type: ignore[operator]  # a method of this reader
        while self.token.text in operators and self.token.sort is not Sort.NUMBER:
            sign = self.advance().text
            between.append(_MODULO if sign == "%" else sign)
            operands.append(operand())  # type: ignore[operator]  # likewise
        return Chain(tuple(operands), tuple(between), start) if between else operands[0]

    def _signed(self) -> Node:
        start, signs = self.token.start, []
        while self.token.sort is Sort.SIGN and self.token.text in _ADDITIVE:
            signs.append(self.advance().text)
        node = self._power()
        if not signs:
            return node
        return Prefixed("-" if signs.count("-") % 2 else "+", node, start)

    def _power(self) -> Node:
        start, base = self.token.start, self._suffixed()
        if self.token.sort is Sort.SIGN and self.token.text.startswith("^") and len(self.token.text) > 1:
            raised = self.advance()
            return Power(base, Number(raised.value, raised.start), start)
        return Power(base, self._deeper(self._signed), start) if self.accept("^") else base

    def _deeper(self, operand: Callable[[], Node]) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BudgetError("engine.too_large", f"An expression is nested at most {MAX_DEPTH} levels deep.")
        node = operand()
        self._depth -= 1
        return node

    def _suffixed(self) -> Node:
        start, node = self.token.start, self._atom()
        while self.token.sort is Sort.SIGN and (
            self.token.text == "!" or (self.token.text == "%" and not self._percent_is_modulo)
        ):
            sign = self.advance()
            if sign.text == "%" and self._begins_operand():
                raise self.problem("'%' means hundredths; a remainder is written 'a mod b'", sign.start)
            if isinstance(node, Suffixed):
                raise self.problem("Two of these signs together can mean something else; write brackets", sign.start)
            node = Suffixed(sign.text, node, start)
            if sign.text == "%" and self.accept("of"):
                return Chain((node, self._deeper(self._power)), ("*",), start)
        return node

    def _begins_operand(self) -> bool:
        token = self.token
        is_name = token.sort is Sort.NAME and token.text not in _WORDS
        return token.sort is Sort.NUMBER or is_name or (token.sort is Sort.SIGN and token.text in _BRACKETS)

    def _atom(self) -> Node:
        token = self.token
        if token.sort is Sort.NUMBER:
            return self._number()
        if token.sort is Sort.NAME and token.text not in _WORDS:
            self.advance()
            if self.token.sort is Sort.SIGN and self.token.text == "(" and self.token.start == token.end:
                return FunctionCall(token.text, self._bracketed(), token.start)
            return Name(token.text, token.start)
        if token.sort is Sort.SIGN and token.text in _BRACKETS:
            items = self._bracketed()
            if token.text == "(" and len(items) == 1:
                return items[0]
            if token.text == "(" and not items:
                raise self.problem("Nothing stands between these brackets", token.start)
            return Collection(token.text, items, token.start)
        raise self.problem("A number, a name or a bracket is expected")

    def _number(self) -> Node:
        token, currency = self.advance(), ""
        if self.token.sort is Sort.NAME and self.token.text in CURRENCY_CODES:
            currency = self.advance().text
            if token.currency and token.currency != currency:
                raise self.problem("The number has two currencies", token.start)
        return Number(token.value, token.start, currency or token.currency, token.places)

    def _bracketed(self) -> tuple[Node, ...]:
        opening = self.advance()
        items: list[Node] = []
        if not self.accept(_BRACKETS[opening.text]):
            items.append(self.expression())
            while self.accept(","):
                items.append(self.expression())
            self.require(_BRACKETS[opening.text])
        return tuple(items)


def _negated(inner: Node, times: int, start: int) -> Node:
    for _ in range(times if times <= 2 else 2 - times % 2):
        inner = Prefixed("not", inner, start)
    return inner
