"""Claims about matrices: built so that their facts are known, or computed by minors with fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Final

from tests.exact.generated.claim import Made, claimed, families, nearly, written

Matrix = list[list[Fraction]]


def _identity(size: int) -> Matrix:
    return [[Fraction(i == j) for j in range(size)] for i in range(size)]


def _times(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum((a * b for a, b in zip(row, each, strict=True)), Fraction(0)) for each in columns] for row in left]


def _determinant(matrix: Matrix) -> Fraction:
    """Return the sum over all permutations."""
    size, total = len(matrix), Fraction(0)
    for order in permutations(range(size)):
        turns = sum(order[i] > order[j] for i, j in combinations(range(size), 2))
        product = Fraction(-1 if turns % 2 else 1)
        for row, column in enumerate(order):
            product *= matrix[row][column]
        total += product
    return total


def _rank(matrix: Matrix) -> int:
    """Return the size of the largest minor that is not zero."""
    height, width = len(matrix), len(matrix[0])
    for size in range(min(height, width), 0, -1):
        for rows in combinations(range(height), size):
            for columns in combinations(range(width), size):
                if _determinant([[matrix[i][j] for j in columns] for i in rows]):
                    return size
    return 0


def _random(random: Random, height: int, width: int) -> Matrix:
    below = random.choice([1, 1, 2, 10])
    return [[Fraction(random.randint(-6 * below, 6 * below), below) for _ in range(width)] for _ in range(height)]


def _turned(random: Random, size: int) -> tuple[Matrix, Matrix]:
    """Return a matrix and its inverse, both of whole numbers, made of steps that add a row to another."""
    matrix, inverse = _identity(size), _identity(size)
    for _ in range(random.randint(2, 4) if size > 1 else 0):
        i, j = random.sample(range(size), 2)
        step, back = _identity(size), _identity(size)
        step[i][j] = Fraction(random.choice([-2, -1, 1, 2]))
        back[i][j] = -step[i][j]
        matrix, inverse = _times(step, matrix), _times(inverse, back)
    return matrix, inverse


def _text(matrix: Matrix) -> str:
    return "[" + ", ".join("[" + ", ".join(written(each) for each in row) + "]" for row in matrix) + "]"


def _list(values: list[Fraction]) -> str:
    return "[" + ", ".join(written(each) for each in values) + "]"


def _altered(random: Random, matrix: Matrix) -> Matrix:
    changed = [list(row) for row in matrix]
    i, j = random.randrange(len(matrix)), random.randrange(len(matrix[0]))
    changed[i][j] = nearly(random, changed[i][j])
    return changed


def _numbers(random: Random, truth: bool) -> Made:
    height = random.randint(1, 4)
    width, rank = random.choice([height, height, random.randint(1, 4)]), random.randint(1, 4)
    matrix = _times(_random(random, height, rank), _random(random, rank, width))
    facts = {"rank": Fraction(_rank(matrix)), "nullity": Fraction(width - _rank(matrix))}
    if height == width:
        facts |= {"det": _determinant(matrix), "trace": sum((matrix[i][i] for i in range(width)), Fraction(0))}
    name, value = random.choice(list(facts.items()))
    form = random.choice(["{}", "{}(A)", "the {} of A"]).format(name)
    return claimed(random, form.replace("the det ", "the determinant "), value, truth), {"matrix": _text(matrix)}


def _matrices(random: Random, truth: bool) -> Made:
    size, width = random.randint(2, 4), random.randint(1, 4)
    matrix, inverse = _turned(random, size)
    scale = [Fraction(random.choice([1, 2, 5, -3])) for _ in range(size)]
    matrix = [[scale[i] * each for each in row] for i, row in enumerate(matrix)]
    inverse = [[each / scale[j] for j, each in enumerate(row)] for row in inverse]
    other, transposed = _random(random, size, width), [list(row) for row in zip(*matrix, strict=True)]
    rows = {
        "inverse": inverse,
        "A^-1": inverse,
        "transpose": transposed,
        "A^T": transposed,
        "A*B": _times(matrix, other),
    }
    name, value = random.choice([*rows.items(), ("A^2", _times(matrix, matrix))])
    given = {"matrix": _text(matrix)} | ({"other": _text(other)} if "B" in name else {})
    return f"{name} {random.choice(['=', 'is'])} {_text(value if truth else _altered(random, value))}", dict(given)


def _eigenvalues(random: Random, truth: bool) -> Made:
    """A diagonal, or a block with a pair of roots, seen from other axes."""
    size = random.randint(1, 4)
    values = [Fraction(random.randint(-6, 6), random.choice([1, 1, 2])) for _ in range(size)]
    diagonal = [[values[i] if i == j else Fraction(0) for j in range(size)] for i in range(size)]
    told = [written(each) for each in values]
    if size > 1 and random.random() < 0.4:
        under, root = random.choice([(2, "sqrt(2)"), (3, "sqrt(3)"), (5, "sqrt(5)"), (-1, "1*i"), (-4, "2*i")])
        diagonal[1][1], diagonal[0][1], diagonal[1][0] = diagonal[0][0], Fraction(under), Fraction(1)
        told[:2] = [f"{told[0]} + {root}", f"{told[0]} - {root}"]
    turn, back = _turned(random, size)
    if not truth:
        at = random.randrange(size)
        wrong = [[*told[:at], f"{told[at]} + 1", *told[at + 1 :]], [*told, told[at]]]
        told = random.choice([*wrong, told[:at] + told[at + 1 :]] if size > 1 else wrong)
    random.shuffle(told)
    return f"eigenvalues = [{', '.join(told)}]", {"matrix": _text(_times(_times(turn, diagonal), back))}


def _eigenvectors(random: Random, truth: bool) -> Made:
    """The columns of a change of axes."""
    size = random.randint(2, 4)
    values = [Fraction(each) for each in random.sample(range(-6, 7), size)]
    turn, back = _turned(random, size)
    matrix = _times(
        _times(turn, [[values[i] if i == j else Fraction(0) for j in range(size)] for i in range(size)]), back
    )
    at = random.randrange(size)
    vector, value = [row[at] for row in turn], values[at]
    if not truth and random.random() < 0.5:
        value = values[at - 1]
    elif not truth:
        vector[random.randrange(size)] += 1
    image = [row[0] for row in _times(matrix, [[each] for each in vector])]
    # The vector of zeros is none.
    holds = any(vector) and image == [value * each for each in vector]
    word = "is" if holds is truth else "is not"
    return f"{_list(vector)} {word} an eigenvector for {written(value)}", {"matrix": _text(matrix)}


def _properties(random: Random, truth: bool) -> Made:
    size = random.randint(2, 4)
    matrix, kind = _random(random, size, size), random.randrange(5)
    pairs = list(combinations(range(size), 2))
    if kind == 4:
        matrix = _times(matrix, [list(row) for row in zip(*matrix, strict=True)])
        matrix[-1][-1] -= random.choice([0, 0, 1, 20])
    for i, j in pairs:
        matrix[j][i] = {0: matrix[i][j], 1: Fraction(0)}.get(kind, matrix[j][i])
    if kind == 2:
        matrix[-1] = [3 * each for each in matrix[0]]
    facts = {
        "symmetric": all(matrix[i][j] == matrix[j][i] for i, j in pairs),
        "upper triangular": all(matrix[j][i] == 0 for i, j in pairs),
        "diagonal": all(matrix[j][i] == 0 == matrix[i][j] for i, j in pairs),
        "invertible": _determinant(matrix) != 0,
        "singular": _determinant(matrix) == 0,
    }
    if facts["symmetric"]:
        minors = [_determinant([row[:each] for row in matrix[:each]]) for each in range(1, size + 1)]
        facts["positive definite"] = all(each > 0 for each in minors)
    name, holds = random.choice(list(facts.items()))
    form = random.choice(["A is {}{}", "{}{}"])
    return form.format("" if holds is truth else "not ", name), {"matrix": _text(matrix)}


def _systems(random: Random, truth: bool) -> Made:
    height, width = random.randint(1, 4), random.randint(1, 4)
    matrix = _random(random, height, width)
    if height > 1 and random.random() < 0.4:
        matrix[-1] = [2 * each for each in matrix[0]]
    values = [Fraction(random.randint(-9, 9), random.randint(1, 4)) for _ in range(width)]
    right = [row[0] for row in _times(matrix, [[each] for each in values])]
    right[-1] += random.choice([0, 0, 1])
    rank, more = _rank(matrix), _rank([[*row, each] for row, each in zip(matrix, right, strict=True)])
    given = {"matrix": _text(matrix), "vector": _list(right)}
    told = list(values)
    if not truth:
        at = random.randrange(width)
        told[at] = nearly(random, told[at])
    solves = [row[0] for row in _times(matrix, [[each] for each in told])] == right
    facts = {
        "the system has no solution": more > rank,
        "the system has a unique solution": rank == more == width,
        "the system has infinitely many solutions": rank == more < width,
        f"{_list(told)} solves the system": solves,
    }
    if rank == width:
        facts |= {f"the solution is {_list(told)}": solves, f"x = {_list(told)}": solves}
    fits = [text for text, holds in facts.items() if holds is truth]
    return random.choice(fits), dict(given)


FAMILIES: Final = families("linear", _numbers, _matrices, _eigenvalues, _eigenvectors, _properties, _systems)
