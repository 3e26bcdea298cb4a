"""Reads declarations and expressions of logic into typed terms.

Every name is declared, once, and every operation has arguments of one type: a whole number may stand among real ones,
a truth value never among numbers. ``/`` is exact division, ``div(a, b)`` rounds down, and ``a mod b`` has the sign of
``b``. Refuses, with the place, undeclared names, mixed types, quantifiers and functions that it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.exact.claim import unreadable
from probatum.exact.expressions import Chain, Conditional, FunctionCall, Name, Node, Number, Power, Prefixed, Relations
from probatum.exact.logic.terms import (
    BOOL,
    FALSE,
    INT,
    REAL,
    TRUE,
    Term,
    conjunction,
    constant,
    disjunction,
    negation,
    term,
    variable,
)

SYNTAX: Final = "logic.syntax"
TYPE: Final = "logic.type"
MISSING: Final = "logic.missing_declarations"
UNSUPPORTED: Final = "logic.unsupported"
DECLARATION: Final = "logic.declaration"
MAX_POWER: Final = 64
MAX_NAMES: Final = 200
_DECLARED: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*(?:\s*,\s*[A-Za-z_][A-Za-z0-9_]*)*)\s*:\s*(\S+)")
_SORTS: Final = {"int": INT, "integer": INT, "real": REAL, "bool": BOOL, "boolean": BOOL}
_TRUTH: Final = {"true": TRUE, "True": TRUE, "false": FALSE, "False": FALSE}
_QUANTIFIERS: Final = frozenset({"forall", "exists", "all", "any"})
_FUNCTIONS: Final = {
    "abs": 1,
    **dict.fromkeys(("if", "ite"), 3),
    **dict.fromkeys(("min", "max", "distinct"), 0),
    **dict.fromkeys(("xor", "equivalent", "div"), 2),
}
"""By name: how many arguments, where 0 means one or more."""
_WORDS: Final = "and or not implies iff mod satisfiable unsatisfiable maximum minimum"
RESERVED: Final = frozenset({*_TRUTH, *_QUANTIFIERS, *_FUNCTIONS, *_WORDS.split()})
"""Words that no declared name can be."""


def sorts_of(declared: object) -> Mapping[str, str]:
    """Return the type of each name from declarations, as texts ``x: int`` or as a JSON object.

    Raises NotAttemptedError for a type that does not exist, and for a name that is declared twice or cannot be one.
    """
    pairs: list[tuple[str, object]] = []
    if isinstance(declared, Mapping):
        pairs = [(str(name), sort) for name, sort in declared.items()]
    for text in [] if isinstance(declared, Mapping) else _texts(declared):
        if text.lstrip().startswith("{"):
            pairs += _object_of(text).items()
            continue
        match = _DECLARED.fullmatch(text.strip())
        if match is None:
            raise NotAttemptedError(DECLARATION, f"{text[:60]!r} is no declaration.", "Write it like 'x: int'.")
        pairs += [(name.strip(), match[2]) for name in match[1].split(",")]
    sorts: dict[str, str] = {}
    for name, sort in pairs:
        if name in sorts or name in RESERVED or not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
            why = "is declared twice" if name in sorts else "cannot be declared: it means something else"
            raise NotAttemptedError(DECLARATION, f"The name {name[:60]!r} {why}.")
        sorts[name] = _sort(name, sort)
    if len(sorts) > MAX_NAMES:
        raise BudgetError("engine.too_large", f"At most {MAX_NAMES} names are declared.")
    return sorts


def _object_of(text: str) -> Mapping[str, object]:
    try:
        return Shape(read_json(text.encode())).raw_object()
    except ValueError as error:
        raise NotAttemptedError(DECLARATION, f"The object of declarations cannot be read: {error}") from error


def _texts(declared: object) -> Sequence[str]:
    if isinstance(declared, str):
        return [declared]
    if isinstance(declared, list) and all(isinstance(each, str) for each in declared):
        return declared
    raise NotAttemptedError(DECLARATION, "Declarations are texts such as 'x: int', or an object of types by name.")


def _sort(name: str, written: object) -> str:
    if isinstance(written, str) and written.lower() in _SORTS:
        return _SORTS[written.lower()]
    raise NotAttemptedError(TYPE, f"{name[:60]!r} has the type {str(written)[:60]!r}; there are int, real and bool.")


def require_declared(nodes: Sequence[Node], sorts: Mapping[str, str]) -> None:
    """Raise NotAttemptedError that tells every name in the expressions that is not declared."""
    missing: list[str] = []
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name) and node.name not in (*sorts, *_TRUTH, *missing):
            missing.append(node.name)
        for field in ("operand", "left", "right", "base", "exponent"):
            waiting += [getattr(node, field)] if hasattr(node, field) else []
        for field in ("operands", "arguments", "items"):
            waiting += reversed(getattr(node, field, ()))
    if missing:
        told = ", ".join(repr(name[:40]) for name in missing[:10])
        hint = f"Declare each name, such as '{missing[0][:40]}: int'."
        raise NotAttemptedError(MISSING, f"These names are not declared: {told}.", hint)


class TermBuilder:
    """Builds the term of expressions of one text."""

    def __init__(self, text: str, sorts: Mapping[str, str]) -> None:
        self._text = text
        self._sorts = sorts

    def condition(self, node: Node) -> Term:
        """Return the term of what holds or not; raises NotAttemptedError for a number."""
        return self._of_sort(node, BOOL, "A condition, which is true or false, is expected")

    def number(self, node: Node) -> Term:
        """Return the term of a number; raises NotAttemptedError for anything else."""
        built = self.build(node)
        if built.sort not in (INT, REAL):
            raise self._wrong(node, "A number is expected")
        return built

    def _of_sort(self, node: Node, sort: str, problem: str) -> Term:
        built = self.build(node)
        if built.sort != sort:
            raise self._wrong(node, problem)
        return built

    def _wrong(self, node: Node, problem: str, code: str = TYPE) -> NotAttemptedError:
        return unreadable(code, self._text, node.start, problem)

    def build(self, node: Node) -> Term:
        """Return the term of an expression; raises NotAttemptedError with the place for what is none."""
        match node:
            case Number() if not node.currency:
                return constant(node.value, INT if node.value.denominator == 1 else REAL)
            case Name():
                return _TRUTH[node.name] if node.name in _TRUTH else variable(node.name, self._sorts[node.name])
            case Prefixed(sign="not"):
                return negation(self.condition(node.operand))
            case Prefixed():
                inner = self._arithmetic(node.operand)
                return self._product(constant(-1, INT), inner, node) if node.sign == "-" else inner
            case Chain(operators=operators) if operators[0] in ("and", "or"):
                parts = [self.condition(each) for each in node.operands]
                return conjunction(*parts) if operators[0] == "and" else disjunction(*parts)
            case Chain():
                return self._chain(node)
            case Relations():
                return self._relations(node)
            case Power():
                return self._power(node)
            case Conditional():
                left, right = self.condition(node.left), self.condition(node.right)
                return disjunction(negation(left), right) if node.arrow == "->" else term("=", BOOL, left, right)
            case FunctionCall():
                return self._call(node)
        raise self._wrong(node, "This cannot be part of a statement of logic", UNSUPPORTED)

    def _arithmetic(self, node: Node) -> Term:
        built = self.build(node)
        if built.sort == BOOL:
            raise self._wrong(node, "A number is expected, and not a condition")
        return built

    def _chain(self, node: Chain) -> Term:
        total = self._arithmetic(node.operands[0])
        for sign, each in zip(node.operators, node.operands[1:], strict=True):
            right = self._arithmetic(each)
            if sign in "+-":
                left, right, sort = self._unified(total, right, each)
                right = self._product(constant(-1, INT), right, each) if sign == "-" else right
                total = _folded("+", sort, left, right)
            elif sign == "*":
                total = self._product(total, right, each)
            else:
                total = self._quotient(sign, total, right, each)
        return total

    def _product(self, left: Term, right: Term, node: Node) -> Term:
        left, right, sort = self._unified(left, right, node)
        return _folded("*", sort, left, right)

    def _quotient(self, sign: str, left: Term, right: Term, node: Node) -> Term:
        if sign == "/":
            return _folded("/", REAL, left, right)
        if (left.sort, right.sort) != (INT, INT):
            raise self._wrong(node, f"{sign!r} is of whole numbers alone")
        return _folded(sign, INT, left, right)

    def _unified(self, left: Term, right: Term, node: Node) -> tuple[Term, Term, str]:
        """Return two terms in one sort; raises where there is none."""
        if left.sort == right.sort:
            return left, right, left.sort
        if {left.sort, right.sort} == {INT, REAL}:
            return left, right, REAL
        raise self._wrong(node, f"The types {left.sort} and {right.sort} do not go together")

    def _relations(self, node: Relations) -> Term:
        sides = [self.build(each) for each in node.operands]
        parts = []
        for place, relation in enumerate(node.relations):
            parts.append(self._compared(relation, sides[place], sides[place + 1], node.operands[place + 1]))
        return conjunction(*parts)

    def _compared(self, relation: str, left: Term, right: Term, node: Node) -> Term:
        left, right, sort = self._unified(left, right, node)
        if relation in ("=", "!="):
            same = term("=", BOOL, left, right)
            return same if relation == "=" else negation(same)
        if sort not in (INT, REAL):
            raise self._wrong(node, f"{relation!r} compares numbers")
        if relation == "~=":
            raise self._wrong(node, "Logic is exact and has no '~='")
        low, high = (left, right) if relation[0] == "<" else (right, left)
        return term("<=" if relation.endswith("=") else "<", BOOL, low, high)

    def _power(self, node: Power) -> Term:
        base, exponent = self._arithmetic(node.base), self.build(node.exponent)
        if exponent.op != "const" or exponent.sort != INT:
            raise self._wrong(node.exponent, "An exponent is a whole number here", UNSUPPORTED)
        times = int(Fraction(exponent.value))
        if abs(times) > MAX_POWER:
            raise BudgetError("engine.out_of_budget", f"Exponents go from -{MAX_POWER} to {MAX_POWER}.")
        if times < 0 or (times == 0 and base.op != "const"):
            # As 0^0 has no agreed value, x^0 has one where x/x has.
            below = self._repeated(base, abs(times) or 1)
            return term("/", REAL, constant(1, INT) if times else base, below)
        return term("/", REAL, base, base) if times == 0 else self._repeated(base, times)

    def _repeated(self, base: Term, times: int) -> Term:
        product = base
        for _ in range(times - 1):
            product = _folded("*", base.sort, product, base)
        return product

    def _call(self, node: FunctionCall) -> Term:
        name, count = node.name, len(node.arguments)
        if name in _QUANTIFIERS:
            raise self._wrong(node, "Quantifiers are not supported; a declared name is already any value", UNSUPPORTED)
        if name not in _FUNCTIONS or not count or _FUNCTIONS[name] not in (0, count):
            raise self._wrong(node, f"There is no function {name[:30]!r} of {count} arguments", UNSUPPORTED)
        if name in ("if", "ite"):
            case = self.condition(node.arguments[0])
            then, other, sort = self._unified(self.build(node.arguments[1]), self.build(node.arguments[2]), node)
            return term("if", sort, case, then, other)
        if name in ("xor", "equivalent"):
            same = term("=", BOOL, *map(self.condition, node.arguments))
            return same if name == "equivalent" else negation(same)
        if name == "distinct":
            parts = [self.build(each) for each in node.arguments]
            return conjunction(*(self._compared("!=", *pair, node) for pair in combinations(parts, 2)))
        values = [self._arithmetic(each) for each in node.arguments]
        if name == "div":
            return self._quotient(name, values[0], values[1], node)
        return self._chosen(name, values, node)

    def _chosen(self, name: str, values: list[Term], node: Node) -> Term:
        if name == "abs":
            values += [self._product(constant(-1, INT), values[0], node)]
        best = values[0]
        for each in values[1:]:
            case = self._compared("<=" if name == "min" else ">=", best, each, node)
            best = term("if", REAL if REAL in (best.sort, each.sort) else INT, case, best, each)
        return best


def _folded(op: str, sort: str, left: Term, right: Term) -> Term:
    """Return an operation, computed at once where it is exact and of constants alone."""
    if left.op == right.op == "const":
        first, second = Fraction(left.value), Fraction(right.value)
        if op in "+*":
            return constant(first + second if op == "+" else first * second, sort)
        if op == "/" and second:
            return constant(first / second, REAL)
    # A long sum is one term, so that it is not nested as deep as it is long.
    return term(op, sort, *(left.args if op == left.op == "+" else [left]), right)
