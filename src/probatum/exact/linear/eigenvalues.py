"""Claims about eigenvalues and eigenvectors.

Exact ones are the roots of the characteristic polynomial: the product of their factors has to be that polynomial. In
square brackets each stands as often as it occurs; between braces a claim is decided where that makes no difference.
Rounded ones are counted in the interval, or the rectangle of complex numbers, of what rounds to them. Refuses, as
undecided, exact values beyond square roots, and roundings that leave open which number is meant.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.claim import CannotDecideError
from probatum.exact.linear.counts import Box
from probatum.exact.linear.facts import Coefficients, MatrixFacts
from probatum.exact.linear.matrices import MAX_SIDE, SYNTAX, Matrix, require_square, transposed
from probatum.exact.linear.surds import Surd, divided_by_root, rational, surd_of
from probatum.exact.numbers.expressions import Chain, Collection, Name, Node, Number, Prefixed, read_expression
from probatum.exact.numbers.real_roots import written_number, written_unit

FAILS: Final = "linear.fails"
_IMAGINARY: Final = re.compile(
    r"(?:^|(?<=[\[{(,+\-]))(?<![*/^][+-])(?<![*/^] [+-])( ?[0-9]+(?:\.[0-9]+)?)[iI](?![A-Za-z0-9_^!%(])"
)
_ROUNDING: Final = "math.rounding_unclear"


@dataclass(frozen=True, slots=True)
class MatrixAnswer:
    """Whether a claim holds, and what is told where it does not."""

    holds: bool
    detail: str
    told: dict[str, object]
    constraint: str = FAILS


def read_numbers(text: str) -> Node:
    """Read numbers; '2i' is what every textbook writes, and a product where nothing binds the number before it."""
    return read_expression(_IMAGINARY.sub(r"\1*i", text), SYNTAX)


def listed(text: str, brackets: str = "[") -> Collection:
    """Read a list, which is not empty and holds no list."""
    node = read_numbers(text)
    if not isinstance(node, Collection) or node.bracket not in brackets:
        raise NotAttemptedError(SYNTAX, "A list in square brackets is due.", "Write for example [3, 2].")
    if not node.items or any(isinstance(each, Collection) for each in node.items):
        raise NotAttemptedError(SYNTAX, "The list holds numbers, and at least one.")
    return node


def eigenvalues(rows: Matrix, relation: str, text: str, facts: MatrixFacts) -> MatrixAnswer:
    """Return whether these are all eigenvalues."""
    if relation not in ("=", "!=", "~="):
        raise NotAttemptedError(SYNTAX, f"{relation!r} does not order lists; '=' or '~=' is due.")
    collection, size = listed(text, "[{"), len(require_square(rows))
    nodes, is_set = collection.items, collection.bracket == "{"
    if len(nodes) > MAX_SIDE or (len(nodes) != size and not is_set):
        detail = f"The matrix has {size} eigenvalues, counted as often as they occur, and {len(nodes)} are claimed."
        return MatrixAnswer(relation == "!=", detail, {"count": size}, "linear.eigenvalues_cardinality")
    coefficients = facts.characteristic(rows)
    if relation == "~=":
        if len(nodes) != size:
            raise CannotDecideError(_ROUNDING, "Two eigenvalues can round to one number of the set.")
        return _rounded(rows, coefficients, nodes, facts)
    due = Counter(surd_of(each) for each in nodes)
    found = {root: multiplicity(coefficients, root) for root in due}
    if is_set and found != due and min(found.values()) > 0 and sum(found.values()) == size:
        detail = "These are the eigenvalues, but not as often as they occur, and braces leave open which is meant."
        raise CannotDecideError("linear.multiplicity_unclear", detail)
    is_all = found == due and len(nodes) == size
    wrong = next((root for root in due if found[root] != due[root]), None)
    told: dict[str, object] = {} if wrong is None else {"value": str(wrong)[:100], "multiplicity": found[wrong]}
    return MatrixAnswer(is_all == (relation == "="), "A value is not an eigenvalue as often as it is claimed.", told)


def multiplicity(coefficients: Coefficients, root: Surd) -> int:
    """Return how often a number is a root of a polynomial."""
    found, rest = 0, [rational(each) for each in coefficients]
    while len(rest) > 1:
        rest, left = divided_by_root(rest, root)
        if left.terms:
            break
        found += 1
    return found


def _rounded(rows: Matrix, coefficients: Coefficients, nodes: tuple[Node, ...], facts: MatrixFacts) -> MatrixAnswer:
    due = Counter(_window(each) for each in nodes)
    if any(_overlap(one, two) for one, two in combinations(due, 2)):
        raise CannotDecideError(
            _ROUNDING, "Two of the numbers are written so that one eigenvalue can be meant by both."
        )
    for (box, is_real), times in sorted(due.items()):
        counts = facts.inside(coefficients, box)
        if sum(counts) != times:
            told = {"box": [written_number(each) for each in box], "claimed": times, "inside": sum(counts)}
            return MatrixAnswer(False, f"Not {times} but {sum(counts)} eigenvalues are near a claimed number.", told)
        # A rectangle around a part of the real line holds, with a root, its conjugate: a single one is real, and so
        # are all those of a symmetric matrix.
        if is_real and max(counts) > 1 and rows != transposed(rows):
            raise CannotDecideError(_ROUNDING, "Eigenvalues that may not be real lie near a number written as real.")
    return MatrixAnswer(True, "", {})


_Window = tuple[Box, bool]
"""What rounds to a number as it is written, and whether it is written as a real one."""


def _overlap(one: _Window, two: _Window) -> bool:
    (a, _), (b, _) = one, two
    return a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]


def _window(node: Node) -> _Window:
    real, imaginary = _parts(node)
    written = [None if each is None else (_plain(each), written_unit(each) / 2) for each in (real, imaginary)]
    # A part that is not written is 0, as exactly as the other one is written.
    half = next(each[1] for each in written if each is not None)
    (one, by), (two, to) = (each or (Fraction(0), half) for each in written)
    return (one - by, one + by, two - to, two + to), imaginary is None


def _parts(node: Node) -> tuple[Node | None, Node | None]:
    """Return the real and the imaginary part of a number as they are written; one of them is missing at most."""
    if isinstance(node, Chain) and node.operators == ("*",) and isinstance(node.operands[1], Name):
        return (None, node.operands[0]) if node.operands[1].name in ("i", "I") else (node, None)
    if isinstance(node, Chain) and node.operators in (("+",), ("-",)):
        nothing, times = _parts(node.operands[1])
        if nothing is None and times is not None:
            return node.operands[0], Prefixed(node.operators[0], times, times.start)
    return node, None


def _plain(node: Node) -> Fraction:
    """Return a number with its sign; `written_unit` refuses what is none."""
    match node:
        case Prefixed():
            return _plain(node.operand) * (-1 if node.sign == "-" else 1)
        case Number(currency=""):
            return node.value
        case _:
            raise CannotDecideError(_ROUNDING, "'~=' needs plain numbers on its right side.")


def eigenvalue(rows: Matrix, text: str, times: int, facts: MatrixFacts) -> MatrixAnswer:
    """Return whether a number is an eigenvalue: exactly so many times, or where that is 0, at least once."""
    root = surd_of(read_numbers(text))
    found = multiplicity(facts.characteristic(require_square(rows)), root)
    told: dict[str, object] = {"multiplicity": found}
    return MatrixAnswer(found == times if times else found > 0, f"It is an eigenvalue {found} times.", told)


def eigenvector(rows: Matrix, text: str, value: str | None) -> MatrixAnswer:
    """Return whether the matrix takes a vector other than zero to a multiple of it, or to this multiple."""
    vector = [surd_of(each) for each in listed(text).items]
    root = None if value is None else surd_of(read_numbers(value))
    if len(vector) != len(require_square(rows)):
        return MatrixAnswer(False, f"The vector has {len(vector)} entries, the matrix {len(rows)} columns.", {})
    place = next((at for at, each in enumerate(vector) if each.terms), None)
    if place is None:
        return MatrixAnswer(False, "The zero vector is no eigenvector.", {"vector": "zero"})
    image = [sum((rational(one) * two for one, two in zip(row, vector, strict=True)), Surd()) for row in rows]
    # Without an eigenvalue, its quotients are compared, and not computed.
    over, under = (image[place], vector[place]) if root is None else (root, rational(Fraction(1)))
    wrong = next((at for at, each in enumerate(image) if each * under != over * vector[at]), None)
    if wrong is None:
        return MatrixAnswer(True, "", {})
    told: dict[str, object] = {"entry": wrong + 1, "image": str(image[wrong])[:100]}
    return MatrixAnswer(False, f"Entry {wrong + 1} becomes {told['image']}, which is not the multiple.", told)
