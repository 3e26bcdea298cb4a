"""Claims about derivations, and about several claims at once: sums, and claims of other families taken together."""

from __future__ import annotations

import json
from random import Random
from typing import Final

from tests.exact.generated import arithmetic, documents, money, networks, propositions, samples
from tests.exact.generated.claim import Made, families

_MODULES: Final = (arithmetic, documents, samples, money, networks, propositions)
_PARTS: Final = [family for module in _MODULES for family in module.FAMILIES if not family.is_false_open]


def _step(random: Random, start: int | None) -> tuple[str, str, int, int]:
    """Return the two numbers and the sign of a step, and its result; a result is whole and not negative."""
    left = random.randint(2, 400) if start is None else start
    sign = random.choice("+-*/")
    right = random.randint(2, 40)
    if (sign == "-" and right > left) or (sign == "/" and left % right):
        sign = "+"
    result = {"+": left + right, "-": left - right, "*": left * right, "/": left // right}[sign]
    return str(left), sign, right, result


def _steps(random: Random, truth: bool) -> list[str]:
    count = random.randint(1, 4)
    wrong = random.randrange(count) if not truth else -1
    start: int | None = None
    lines = []
    for at in range(count):
        left, sign, right, result = _step(random, start)
        told = result
        if at == wrong:
            told = result + random.choice([each for each in (-10, -1, 1, 10, 100) if result + each > 0])
        lines.append(f"{left} {sign} {right} = {told}")
        start = told if told < 10**9 else None
    return lines


def _steps_alone(random: Random, truth: bool) -> Made:
    return json.dumps(_steps(random, truth)), {}


def _steps_of_engines(random: Random, truth: bool) -> Made:
    """Equations, and claims of other engines among them."""
    lines: list[object] = list(_steps(random, True))
    steps = [random.choice(_PARTS).claim(random, True) for _ in range(random.randint(1, 3))]
    if not truth:
        steps[0] = random.choice(_PARTS).claim(random, False)
    for made in steps:
        claim = {"engine": made.engine, "statement": made.statement, "given": dict(made.given)}
        lines.insert(random.randint(0, len(lines)), claim)
    return json.dumps(lines), {}


def _several_claims(random: Random, truth: bool) -> Made:
    count = random.randint(2, 4)
    wrong = random.randrange(count) if not truth else -1
    claims = []
    for at in range(count):
        made = random.choice(_PARTS).claim(random, at != wrong)
        claims.append({"engine": made.engine, "statement": made.statement, "given": dict(made.given)})
    return "all claims hold", {"claims": random.choice([claims, json.dumps(claims)])}


def _too_few(random: Random, truth: bool) -> Made:
    """Two claims that hold, or one of them twice, or beside one that says nothing that could be decided."""
    one, two = (random.choice(arithmetic.FAMILIES).claim(random, True).statement for _ in range(2))
    second = two if truth else random.choice([one, one.replace(" ", "  "), f" {one}", "the weather is fine", "x = y"])
    return "all claims hold", {"claims": [{"engine": "math", "statement": each} for each in (one, second)]}


FAMILIES: Final = (
    *families("reasoning", _steps_alone, _steps_of_engines),
    *families("consensus", _several_claims),
    *families("consensus", _too_few, is_false_open=True),
)
