"""Claims about eigenvalues and eigenvectors.

Exact ones are the roots of the characteristic polynomial: the product of their factors has to be that polynomial. In
square brackets each stands as often as it occurs; between braces a claim is decided where that makes no difference.
Rounded real ones are counted in the interval of what rounds to them. Refuses, as undecided, exact values beyond square
roots, rounded complex ones, and roundings that leave open which number is meant.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.claim import CannotDecideError
from probatum.exact.linear.counts import ROUNDING, Bounds
from probatum.exact.linear.facts import Coefficients, MatrixFacts
from probatum.exact.linear.matrices import MAX_SIDE, SYNTAX, Matrix, require_square
from probatum.exact.linear.surds import Surd, divided_by_root, rational, surd_of
from probatum.exact.numbers.expressions import Collection, Node, read_expression
from probatum.exact.numbers.real_roots import written_number, written_unit

FAILS: Final = "linear.fails"
_IMAGINARY: Final = re.compile(
    r"(?:^|(?<=[\[{(,+\-]))(?<![*/^][+-])(?<![*/^] [+-])( ?[0-9]+(?:\.[0-9]+)?)[iI](?![A-Za-z0-9_^!%(])"
)
_MANUAL: Final = "See docs/reference/claims/linear.md."


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
            raise CannotDecideError(ROUNDING, "Two eigenvalues can round to one number of the set.")
        return _rounded(coefficients, nodes, facts)
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


def _rounded(coefficients: Coefficients, nodes: tuple[Node, ...], facts: MatrixFacts) -> MatrixAnswer:
    """Return whether there are as many real eigenvalues as numbers near each of these; none is then left over."""
    due = Counter(_window(each) for each in nodes)
    ordered = sorted(due)
    if any(one[1] > other[0] for one, other in pairwise(ordered)):
        detail = "Two of the numbers are written so that one eigenvalue can be meant by both."
        raise CannotDecideError(ROUNDING, detail)
    for bounds in ordered:
        inside = sum(facts.between(coefficients, bounds))
        if inside < due[bounds] and not _are_real(coefficients, facts):
            raise CannotDecideError(ROUNDING, f"Some eigenvalues are not real; claim them exactly, with '='. {_MANUAL}")
        if inside != due[bounds]:
            told = {"between": [*map(written_number, bounds)], "claimed": due[bounds], "inside": inside}
            detail = f"Not {due[bounds]} but {inside} real eigenvalues are near a claimed number."
            return MatrixAnswer(False, detail, told)
    return MatrixAnswer(True, "", {})


def _are_real(coefficients: Coefficients, facts: MatrixFacts) -> bool:
    """Return whether all roots are real: by Cauchy, each is smaller than the greatest coefficient and 1."""
    bound = Fraction(2 + max(abs(each) for each in coefficients))
    return sum(facts.between(coefficients, (-bound, bound))) == len(coefficients) - 1


def _window(node: Node) -> Bounds:
    """Return between which numbers everything rounds to a number as it is written."""
    near = surd_of(node).terms or ((1, Fraction(0)),)
    if len(near) > 1 or near[0][0] != 1:
        detail = f"Rounded eigenvalues are real numbers written out; claim complex ones exactly, with '='. {_MANUAL}"
        raise CannotDecideError(ROUNDING, detail)
    half = written_unit(node) / 2
    return near[0][1] - half, near[0][1] + half


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
