"""What the names of a statement stand for: kinds of numbers, and conditions that hold besides.

Read from declarations, ``x: real``, ``a, b: positive integer``, ``x != 1``, and from a prefix of the statement, ``for
all real x, x > 0:``. Refuses an unknown kind, two kinds for one name, and a condition on what is not declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError, nearest
from probatum.core.json_text import read_json
from probatum.exact.algebra.trees import minus, names_of, number, plain, substituted
from probatum.exact.algebra.values import sign_at
from probatum.exact.claim import CannotDecideError, ExactClaim
from probatum.exact.numbers.expressions import Chain, Name, Node, Relations, read_expression
from probatum.exact.numbers.rational import NotRationalError, evaluate

DECLARATION: Final = "math.declaration"
Point = Mapping[str, Fraction]
Condition = tuple[Node, str]
"""An expression, and the relation in which it stands to zero."""
_KINDS: Final = ("integer", "rational", "real", "complex")
_WORDS: Final = {
    **{word: (kind, "") for kind in _KINDS for word in (kind, f"{kind}s")},
    **{"int": ("integer", ""), "number": ("", ""), "numbers": ("", ""), "whole": ("integer", ">=")},
    **{"natural": ("integer", ">="), "float": ("real", ""), "constant": ("real", "")},
    **{"positive": ("", ">"), "negative": ("", "<"), "nonzero": ("", "!=")},
    **{"nonnegative": ("", ">="), "nonpositive": ("", "<=")},
}
"""What a word of a declaration says of the kind, and of the sign."""
_SYMBOLS: Final = {"R": "real", "Z": "integer", "Q": "rational", "C": "complex", "N": "natural"}
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PREFIX: Final = re.compile(r"\s*(?:for\s+(?:all|every|each|any)\b|∀)([^:]*):", re.IGNORECASE)
_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_SIMPLE: Final = ("0", "1", "-1", "2", "1/2", "-2", "3", "-1/2", "-3", "5", "7/5", "-7/5", "1/3", "-5", "10", "-10")
_SAMPLES: Final = tuple(map(Fraction, (*_SIMPLE, "1/100", "100", "-100", "50", "-50", "1000")))
_MOST_DECLARED: Final = 100
_TRIED: Final = 200
"""Points that are looked at."""
_HINT: Final = "Write 'x: real', with one of integer, rational, real, complex, or a condition such as 'x > 0'."


@dataclass(frozen=True, slots=True)
class Domain:
    """The names of a statement, with their kinds and the conditions on them; all of it holds at once."""

    kinds: Mapping[str, str] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()

    def kind_of(self, name: str) -> str:
        """Return the kind of a name; one that is not declared can be any complex number."""
        return self.kinds.get(name, "complex")

    def with_condition(self, node: Node, relation: str) -> Domain:
        """Return this domain with one more condition."""
        return replace(self, conditions=(*self.conditions, (node, relation)))

    @property
    def bounds(self) -> Mapping[str, tuple[tuple[str, Fraction], ...]]:
        """By name: the relations to numbers in which the conditions say that it stands."""
        found: dict[str, tuple[tuple[str, Fraction], ...]] = {}
        for node, relation in self.conditions:
            is_gap = isinstance(node, Chain) and node.operators == ("-",)
            left, right = node.operands if is_gap else (node, number(0))  # type: ignore[union-attr]  # a chain
            for one, other, sign in ((left, right, relation), (right, left, _FLIPPED[relation])):
                if isinstance(one, Name) and not names_of(other):
                    try:
                        found[one.name] = (*found.get(one.name, ()), (sign, evaluate(other).value))
                    except (NotRationalError, CannotDecideError):
                        continue
        return found

    def holds(self, point: Mapping[str, Node]) -> bool:
        """True where a point lies in the domain for certain; conditions on other names are left out."""
        return all(
            sign_at(substituted(node, point), relation) is True
            for node, relation in self.conditions
            if names_of(node) <= point.keys()
        )

    def samples(self, name: str) -> list[Fraction]:
        """Return numbers that a name can be, simple ones first."""
        ends = [bound for _, bound in self.bounds.get(name, ())]
        steps = [Fraction(each) for each in (0, 1, -1, 2, -2, Fraction(1, 10), Fraction(-1, 10), 7, -7)]
        tried = [*_SAMPLES, *(end + step for end in ends for step in steps)]
        tried += [(one + 3 * other) / 4 for one in ends for other in ends if one != other]
        tried += [(one + other) / 2 for one, other in product(ends[:2], ends[1:3]) if one != other]
        is_whole = self.kind_of(name) == "integer"
        kept = (each for each in tried if not (is_whole and each.denominator != 1))
        return [each for each in dict.fromkeys(kept) if self.holds({name: number(each)})]

    def points(self, names: Iterable[str]) -> Iterator[dict[str, Fraction]]:
        """Yield points of the domain, at most so many as are tried."""
        order = sorted(names)
        for values in islice(_woven([self.samples(name) for name in order]), _TRIED):
            if self.holds({name: number(value) for name, value in zip(order, values, strict=True)}):
                yield dict(zip(order, values, strict=True))

    def require_point(self) -> dict[str, Fraction]:
        """Return a point of the domain; raises CannotDecideError where none is found."""
        point = next(self.points(self.kinds), None)
        if point is None:
            detail = "No point is found that meets all the conditions, so the statement would say nothing."
            raise CannotDecideError("math.vacuous", detail)
        return point


def _woven(lists: list[list[Fraction]]) -> Iterator[tuple[Fraction, ...]]:
    """Yield combinations: first with different values for each name, then all."""
    if all(lists):
        for place in range(max(map(len, lists), default=0)):
            for step in (2, 5) if len(lists) > 1 else (1,):
                yield tuple(each[(place + step * index) % len(each)] for index, each in enumerate(lists))
    yield from product(*lists)


def domain_of(claim: ExactClaim) -> tuple[Domain, str]:
    """Return the domain that a claim declares, and its statement without a prefix.

    Raises NotAttemptedError for a declaration that cannot be read.
    """
    items = list(_declarations(claim))
    prefix = _PREFIX.match(claim.statement)
    statement = claim.statement
    if prefix is not None:
        # Blanks keep the positions that errors tell.
        statement = " " * prefix.end() + claim.statement[prefix.end() :]
        items += _quantified(prefix.group(1))
    kinds: dict[str, str] = {}
    conditions: list[Condition] = []
    for names, words in (item for item in items if isinstance(item, tuple)):
        kind, sign = _kind_of(words)
        for name in names:
            if kinds.setdefault(name, kind) != kind:
                raise NotAttemptedError(DECLARATION, f"The name {name!r} is declared as {kinds[name]} and as {kind}.")
            if sign:
                conditions.append((Name(name, 0), sign))
    for text in (item for item in items if isinstance(item, str)):
        conditions += _conditions(text, kinds)
    if len(kinds) + len(conditions) > _MOST_DECLARED:
        raise BudgetError("engine.too_large", f"At most {_MOST_DECLARED} names and conditions are declared.")
    return Domain(kinds, tuple(conditions)), statement


_Item = str | tuple[tuple[str, ...], str]


def _declarations(claim: ExactClaim) -> Iterator[_Item]:
    given = claim.inputs.raw("declare") if claim.inputs.has("declare") else []
    for each in given if isinstance(given, list) else [given]:
        value: object = each
        if isinstance(value, str) and value.lstrip().startswith("{"):
            try:
                value = read_json(value.encode())
            except ValueError as error:
                raise NotAttemptedError(DECLARATION, f"A declaration is no JSON: {error}", _HINT) from error
        if isinstance(value, dict) and all(isinstance(words, str) for words in value.values()):
            yield from (_item(f"{name}: {words}") for name, words in value.items())
        elif isinstance(value, str):
            yield from map(_item, value.split(";"))
        else:
            raise NotAttemptedError(DECLARATION, "A declaration is a text, or an object of texts.", _HINT)


def _item(text: str) -> _Item:
    before, colon, after = text.partition(":")
    if not colon:
        return text
    names = tuple(each.strip() for each in before.split(","))
    if not all(_NAME.fullmatch(each) for each in names):
        raise NotAttemptedError(DECLARATION, f"{before.strip()[:40]!r} is not a list of names.", _HINT)
    return names, after


def _quantified(text: str) -> Iterator[_Item]:
    """Yield what a prefix declares: kinds with their names, then conditions."""
    words = ""
    for part in re.split(r",|\band\b|\bwith\b|\bwhere\b|\bsuch that\b", text):
        if re.search("[<>=≠≤≥]", part):
            yield part
            continue
        before, _, after = part.replace("∈", " in ").partition(" in ")
        *kind, name = before.split() or [""]
        words = _SYMBOLS.get(after.strip(), after.strip()) or " ".join(kind) or words
        if not _NAME.fullmatch(name) or not words or (after and kind):
            raise NotAttemptedError(DECLARATION, f"{part.strip()[:40]!r} does not declare a name.", _HINT)
        yield (name,), words


def _kind_of(text: str) -> tuple[str, str]:
    kind, sign = "", ""
    for word in text.lower().replace("non-", "non").split():
        if word not in _WORDS:
            sentence = f"{text.strip()[:40]!r} is not a kind of number that is known."
            raise NotAttemptedError(DECLARATION, sentence, nearest(word, _WORDS) or _HINT)
        found = _WORDS[word]
        if (kind and found[0] and kind != found[0]) or (sign and found[1] and (sign, found[1]) != (">", ">=")):
            raise NotAttemptedError(DECLARATION, f"{text.strip()[:40]!r} names two kinds of number.", _HINT)
        kind, sign = kind or found[0], sign or found[1]
    kind = kind or ("real" if sign else "")
    if not kind or (kind == "complex" and sign not in ("", "!=")):
        raise NotAttemptedError(DECLARATION, f"{text.strip()[:40]!r} does not name a kind of number.", _HINT)
    return kind, sign


def _conditions(text: str, kinds: dict[str, str]) -> Iterator[Condition]:
    node = read_expression(text, DECLARATION)
    if not isinstance(node, Relations) or "~=" in node.relations:
        raise NotAttemptedError(DECLARATION, f"{text.strip()[:40]!r} is neither 'name: kind' nor a condition.", _HINT)
    sides = [plain(each, frozenset(kinds), {}) for each in node.operands]
    for name in sorted(names_of(*sides) - kinds.keys()):
        if not {"<", "<=", ">", ">="} & {*node.relations}:
            raise NotAttemptedError(DECLARATION, f"A condition names {name[:40]!r}, which is not declared.", _HINT)
        kinds[name] = "real"
    for place, relation in enumerate(node.relations):
        if relation not in ("=", "!=") and any(kinds[each] == "complex" for each in names_of(*sides)):
            raise NotAttemptedError(DECLARATION, "Complex numbers have no order, so they stand in no inequality.")
        yield minus(sides[place], sides[place + 1]), relation
