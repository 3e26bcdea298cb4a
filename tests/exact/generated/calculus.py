"""Claims of calculus: a second library differentiates, or it is so by construction."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import Any, Final

import sympy  # type: ignore[import-untyped]  # it has no types

from tests.exact.generated.claim import Made, families, fixed, nearly, written

X: Final = sympy.Symbol("x", positive=True)
_TOLD: Final[dict[str, object]] = {"declare": ["x: positive real"]}
_LIMITS: Final = (
    ("({a}*x^2 + x)/({b}*x^2 - 1)", "oo", "{a}/{b}", "{b}/{a}"),
    ("({a}*x + 1)/(x^2 + {b})", "oo", "0", "{a}"),
    ("(x^2 - {a}^2)/(x - {a})", "{a}", "2*{a}", "{a}"),
    ("x^2 + {a}*x + {b}", "{a}", "2*{a}^2 + {b}", "2*{a} + {b}"),
    ("{a}*x^3 - x", "oo", "oo", "-oo"),
)
_CLOSED: Final = (
    ("sqrt({a})*sqrt({b})", "sqrt({a}*{b})", "sqrt({a} + {b})"),
    ("sqrt({a}^2*{b})", "{a}*sqrt({b})", "{b}*sqrt({a})"),
    ("(sqrt({a}) + sqrt({b}))^2", "{a} + {b} + 2*sqrt({a}*{b})", "{a} + {b}"),
    ("(sqrt({a}) - {b})*(sqrt({a}) + {b})", "{a} - {b}^2", "{a} + {b}^2"),
    ("1/(sqrt({a} + 1) - sqrt({a}))", "sqrt({a} + 1) + sqrt({a})", "sqrt({a} + 1) - sqrt({a})"),
    ("log({a}^{b})", "{b}*log({a})", "log({a})^{b}"),
    ("log({a}) + log({b})", "log({a}*{b})", "log({a} + {b})"),
    ("exp({a})*exp({b})", "exp({a} + {b})", "exp({a}*{b})"),
    ("exp({a}*log({b}))", "{b}^{a}", "{b}^{a} + 1"),
    ("sin(pi/6) + {a}", "{a} + 1/2", "{a} + sqrt(3)/2"),
    ("cos({a}*pi)", "(-1)^{a}", "(-1)^({a} + 1)"),
    ("tan(pi/4)*{a}", "{a}", "{a}*sqrt(3)"),
    ("{a}*sin(pi/3)^2", "3*{a}/4", "{a}/4"),
    ("sin({a})^2 + cos({a})^2", "1", "2"),
)
_SUMS: Final = (
    ("sum(k, k, 1, n)", "n*(n + 1)/2", "n*(n - 1)/2"),
    ("sum(k^2, k, 1, n)", "n*(n + 1)*(2*n + 1)/6", "n*(n + 1)*(2*n - 1)/6"),
    ("sum(k^3, k, 1, n)", "(n*(n + 1)/2)^2", "n^2*(n + 1)/2"),
    ("sum({a}*k + {b}, k, 1, n)", "{a}*n*(n + 1)/2 + {b}*n", "{a}*n*(n + 1)/2 + {b}"),
    ("sum({a}^k, k, 0, n)", "({a}^(n + 1) - 1)/({a} - 1)", "({a}^n - 1)/({a} - 1)"),
    ("sum(1/(k*(k + 1)), k, 1, n)", "n/(n + 1)", "(n + 1)/n"),
    ("sum(2*k - 1, k, 1, n)", "n^2", "n*(n + 1)"),
)


def _filled(random: Random, row: tuple[str, ...]) -> list[str]:
    a, b = random.sample(range(2, 8), 2)
    return [text.format(a=a, b=b) for text in row]


def _function(random: Random, depth: int) -> Any:
    """Return an expression that has values and derivatives wherever x is positive."""
    a, b = random.choice([-3, -2, -1, 1, 2, 3, 5]), random.randint(0, 4)
    if depth <= 0:
        atoms = [a * X**b, a * X + b, X**-b, sympy.sqrt(X), sympy.Rational(a, 2) * X, sympy.Integer(a)]
        return random.choice(atoms)
    first, second = _function(random, depth - 1), _function(random, depth - 1)
    inner = [first + second, first * second, sympy.exp(a * X), sympy.sin(a * X + b), sympy.cos(first), sympy.log(X) * a]
    inner += [first - second, sympy.exp(-(X**2)), first / (X**2 + 1), (a * X + b) ** 3, sympy.log(X**2 + 1)]
    return random.choice(inner)


def _changed(random: Random, expression: Any) -> Any:
    """Return an expression with another sign, factor or term, which has another value somewhere."""
    kinds = [
        -expression,
        expression * 2,
        expression + 1,
        expression.subs(X, 2 * X),
        expression + X / 1000,
        expression / X,
    ]
    while True:
        changed = random.choice(kinds)
        at = sympy.Rational(random.randint(1, 9), 7)
        if abs(sympy.N((changed - expression).subs(X, at), 30)) > sympy.Float("1e-9"):
            return changed


def _text(expression: Any) -> str:
    return re.sub(r"\bE\b", "exp(1)", str(expression).replace("**", "^"))


def _derivative(random: Random, truth: bool) -> Made:
    function, times = _function(random, random.randint(1, 2)), random.choice([1, 1, 1, 2])
    found = sympy.diff(function, X, times)
    told = found if truth else _changed(random, found)
    head = random.choice(["diff", "derivative"])
    left = f"{head}({_text(function)}, x{', 2' if times == 2 else ''})"
    return f"{left} = {_text(random.choice([told, sympy.expand(told)]))}", _TOLD


def _integral(random: Random, truth: bool) -> Made:
    """The function is a derivative, so the integral is the difference at the bounds."""
    a, b, n = random.choice([-2, -1, 1, 2, 3]), random.randint(1, 3), random.randint(1, 5)
    wholes = [X**n / b, sympy.exp(a * X), sympy.sin(a * X), sympy.cos(a * X) + X, sympy.log(X), X * sympy.exp(X), 1 / X]
    whole = sum(
        (random.choice([1, 2, -3]) * each for each in random.sample(wholes, random.randint(1, 2))), sympy.Integer(0)
    )
    function = sympy.diff(whole, X)
    if random.random() < 0.4:
        told = whole if truth else _changed(random, sympy.expand(whole + X) - X + X**2)
        return f"integral({_text(function)}, x) = {_text(told)} + C", _TOLD
    low, high = sorted(random.sample(range(1, 6), 2))
    if random.random() < 0.2:
        low, high = high, low
    value = whole.subs(X, high) - whole.subs(X, low)
    told = value if truth else random.choice([value + 1, -value if value else 1, value + sympy.Rational(1, 100)])
    return f"{random.choice(['integral', 'integrate'])}({_text(function)}, x, {low}, {high}) = {_text(told)}", _TOLD


def _limit(random: Random, truth: bool) -> Made:
    function, place, right, wrong = _filled(random, random.choice(_LIMITS))
    told = right if truth else random.choice([wrong, f"{right} + 1"] if "oo" not in right else [wrong])
    return f"limit({function}, x, {place}) = {told}", {"declare": ["x: real"]}


def _sum(random: Random, truth: bool) -> Made:
    left, right, wrong = _filled(random, random.choice(_SUMS))
    if random.random() < 0.4:
        power, last = random.randint(1, 3), random.randint(2, 20)
        value = Fraction(sum(each**power for each in range(1, last + 1)))
        return f"sum(k^{power}, k, 1, {last}) = {written(value if truth else nearly(random, value))}", {}
    return f"{left} = {right if truth else wrong}", {"declare": ["n: positive integer"]}


def _roots_and_angles(random: Random, truth: bool) -> Made:
    """Roots, powers and angles, and how large they are."""
    left, right, wrong = _filled(random, random.choice(_CLOSED))
    if random.random() < 0.5:
        return f"{left} = {right if truth else wrong}", {}
    root = sympy.sqrt(random.choice([2, 3, 5, 6, 7])) + random.choice([sympy.pi, sympy.sqrt(11), sympy.E, sympy.log(2)])
    places = random.randint(2, 25)
    below = Fraction(int(sympy.floor(root * 10**places)), 10**places)
    told = below if random.random() < 0.5 else below + Fraction(1, 10**places)
    sign = ">" if (told == below) is truth else "<"
    return f"{_text(root)} {sign} {fixed(told, places)}", {}


FAMILIES: Final = families("math", _derivative, _integral, _limit, _sum, _roots_and_angles, needs="declare")
