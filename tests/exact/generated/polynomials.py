"""Claims about every value of a name: polynomials multiplied out, and their signs by construction."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from tests.exact.generated.claim import Made, families, nearly, written

_IDENTITIES: Final = (
    ("sin(x)^2 + cos(x)^2", "1", "2"),
    ("sin(2*x)", "2*sin(x)*cos(x)", "2*sin(x)"),
    ("cos(2*x)", "cos(x)^2 - sin(x)^2", "cos(x)^2 + sin(x)^2"),
    ("cos(2*x)", "1 - 2*sin(x)^2", "2*sin(x)^2 - 1"),
    ("exp(x)*exp(y)", "exp(x + y)", "exp(x*y)"),
    ("exp(x)/exp(y)", "exp(x - y)", "exp(x/y)"),
    ("sqrt(x^2)", "abs(x)", "x"),
    ("abs(x*y)", "abs(x)*abs(y)", "x*y"),
    ("abs(-x)", "abs(x)", "-abs(x)"),
    ("sin(-x)", "-sin(x)", "sin(x)"),
    ("cos(-x)", "cos(x)", "-cos(x)"),
    ("sin(x + y)", "sin(x)*cos(y) + cos(x)*sin(y)", "sin(x)*cos(y) - cos(x)*sin(y)"),
    ("cos(x + y)", "cos(x)*cos(y) - sin(x)*sin(y)", "cos(x)*cos(y) + sin(x)*sin(y)"),
    ("(x + y)^2 - (x - y)^2", "4*x*y", "2*x*y"),
    ("max(x, y) + min(x, y)", "x + y", "x - y"),
    ("(x + y)^3", "x^3 + 3*x^2*y + 3*x*y^2 + y^3", "x^3 + y^3"),
    ("(x^3 - y^3)", "(x - y)*(x^2 + x*y + y^2)", "(x - y)*(x^2 - x*y + y^2)"),
)
_INEQUALITIES: Final = (
    ("x^2 + y^2", "2*x*y"),
    ("(x + y)^2", "4*x*y"),
    ("x^2 + y^2 + z^2", "x*y + y*z + z*x"),
    ("x + 1/x", "2"),
    ("x/y + y/x", "2"),
    ("(x + y)/2", "sqrt(x*y)"),
    ("1/2", "x/(1 + x^2)"),
    ("x^3 + 2", "3*x"),
    ("x^4 + 3", "4*x"),
    ("(x + y)*(1/x + 1/y)", "4"),
)
"""What is never below something else where the names are positive, and somewhere the same."""
_WHERE: Final = (
    ("sqrt(x^2) = x", "x: positive real", "x: real"),
    ("abs(x) = x", "x: positive real", "x: real"),
    ("x/x = 1", "x: positive real", "x: real"),
    ("(x^2 - 1)/(x - 1) = x + 1", "x: real; x > 1", "x: real"),
    ("log(x^2) = 2*log(x)", "x: positive real", "x: real"),
    ("exp(log(x)) = x", "x: positive real", "x: real"),
    ("log(x*y) = log(x) + log(y)", "x, y: positive real", "x, y: real"),
    ("sqrt(x*y) = sqrt(x)*sqrt(y)", "x, y: positive real", "x, y: real"),
    ("x^2 > x", "x: real; x > 1", "x: real; x > 0"),
    ("1/x > 0", "x: positive real", "x: real; x != 0"),
    ("x^3 >= x^2", "x: real; x >= 1", "x: real; x >= 0"),
    ("sin(pi*n) = 0", "n: integer", "n: real"),
    ("cos(2*pi*n) = 1", "n: integer", "n: real"),
    ("(-1)^(2*n) = 1", "n: integer", "n: real"),
    ("floor(n) = n", "n: integer", "n: real"),
    ("x/y*y = x", "x, y: positive real", "x, y: real"),
    ("1/x - 1/y = (y - x)/(x*y)", "x, y: positive real", "x, y: real"),
    ("sqrt(x)^2 = x", "x: positive real", "x: real"),
    ("x > y", "x, y: real; x > y + 1", "x, y: real; x >= y"),
    ("x*y > 0", "x, y: negative real", "x, y: real; x*y != 0"),
    ("x^2 + y^2 > 0", "x, y: real; x > 0", "x, y: real"),
    ("sqrt(x^2 + 2*x + 1) = x + 1", "x: real; x >= -1", "x: real; x >= -2"),
    ("n^2 >= n", "n: integer", "n: real"),
    ("2*n != 1", "n: integer", "n: real"),
)
"""What holds on the first domain, and not on all of the second, or not wherever it says something there."""
Polynomial = list[Fraction]


def multiplied(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return a product of polynomials."""
    result = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] += a * b
    return result


def shown(polynomial: Polynomial, name: str = "x") -> str:
    """Return a polynomial as text, its powers falling."""
    parts = []
    for power in range(len(polynomial) - 1, -1, -1):
        coefficient = polynomial[power]
        if coefficient:
            factor = {0: "", 1: f"*{name}"}.get(power, f"*{name}^{power}")
            parts.append(f"{'-' if coefficient < 0 else '+'} {written(abs(coefficient))}{factor}")
    return " ".join(parts).removeprefix("+ ") or "0"


def _factor(random: Random, degree: int) -> Polynomial:
    factor = [Fraction(random.randint(-9, 9), random.choice([1, 1, 1, 2, 3])) for _ in range(degree + 1)]
    factor[-1] = factor[-1] or Fraction(1)
    return factor


def _product_expanded(random: Random, truth: bool) -> Made:
    total, texts = [Fraction(1)], []
    for _ in range(random.randint(1, 3)):
        factor, exponent = _factor(random, random.randint(1, 2)), random.choice([1, 1, 2, 3])
        for _ in range(exponent):
            total = multiplied(total, factor)
        texts.append(f"({shown(factor)})" + (f"^{exponent}" if exponent > 1 else ""))
    if not truth:
        at = random.randrange(len(total))
        total[at] = nearly(random, total[at])
    return f"{'*'.join(texts)} = {shown(total)}", {"declare": [random.choice(["x: real", "x: integer"])]}


def square_above_zero(random: Random, truth: bool) -> Made:
    """Make a claim that a square which is moved is above zero, where its lowest point is there or just beyond."""
    a, root = Fraction(random.randint(1, 9)), Fraction(random.randint(-9, 9), random.randint(1, 3))
    step = random.choice([Fraction(0), Fraction(random.randint(1, 9), random.choice([1, 10, 1000]))])
    square = [a * root * root + (step if truth else -step), -2 * a * root, a]
    sign = random.choice([">", ">="]) if step else ">=" if truth else ">"
    return f"{shown(square)} {sign} 0", {"declare": ["x: real"]}


def _within_a_domain(random: Random, truth: bool) -> Made:
    """A product of two factors from the larger root on, or from a little below it."""
    high = Fraction(random.randint(-5, 9))
    low = high - random.randint(1, 6)
    product = multiplied([-low, Fraction(1)], [-high, Fraction(1)])
    start = high if truth else high - Fraction(1, random.choice([2, 10, 100]))
    return f"{shown(product)} {random.choice(['>', '>='])} 0", {"declare": ["x: real", f"x > {written(start)}"]}


def _known_identity(random: Random, truth: bool) -> Made:
    left, right, wrong = random.choice(_IDENTITIES)
    sides = [left, right if truth else wrong]
    if random.random() < 0.5:
        sides.reverse()
    return " = ".join(sides), {"declare": ["x, y: real"]}


def _true_somewhere(random: Random, truth: bool) -> Made:
    statement, there, everywhere = random.choice(_WHERE)
    return statement, {"declare": (there if truth else everywhere).split("; ")}


def _known_inequality(random: Random, truth: bool) -> Made:
    left, right = random.choice(_INEQUALITIES)
    signs = (">=", "<=") if truth else random.choice([(">", "<"), ("<=", ">="), ("!=", "!=")])
    text = f"{left} {signs[0]} {right}" if random.random() < 0.6 else f"{right} {signs[1]} {left}"
    return text, {"declare": ["x, y, z: positive real"]}


def _fractions_of_a_name(random: Random, truth: bool) -> Made:
    a, b = random.sample(range(-9, 10), 2)
    top = a - b if truth else b - a
    left = f"1/(x - ({a})) - 1/(x - ({b}))"
    return f"{left} = ({top})/((x - ({a}))*(x - ({b})))", {"declare": ["x: real", f"x > {max(a, b)}"]}


FAMILIES: Final = (
    *families("math", _product_expanded, square_above_zero, _within_a_domain, _known_identity, needs="declare"),
    *families("math", _known_inequality, _fractions_of_a_name, needs="declare"),
    *families("math", _true_somewhere, needs="declare", is_false_open=True),
)
