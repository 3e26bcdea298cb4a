"""Claims about derivations, and about several claims at once: sums, and claims of other families taken together."""

from __future__ import annotations

import json
from random import Random
from typing import Final

from tests.exact.generated import arithmetic, documents, money, networks, propositions, samples
from tests.exact.generated.claim import Made, families

_MODULES: Final = (arithmetic, documents, samples, money, networks, propositions)
_PARTS: Final = [family for module in _MODULES for family in module.FAMILIES if not family.is_false_open]
_WORDS: Final = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}


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
        word = random.random() < 0.2
        shown = _WORDS[sign] if word else {"*": random.choice("*×x")}.get(sign, sign)
        lines.append(f"{left} {shown} {right} {'equals' if word else '='} {told}")
        start = told if told < 10**9 else None
    return lines


def _steps_alone(random: Random, truth: bool) -> Made:
    lines = _steps(random, truth)
    kind = random.randrange(3)
    if kind == 0:
        return "\n".join(lines), {}
    if kind == 1:
        return ". Then ".join(lines) + ".", {}
    return lines[-1], {"step": lines[:-1]}


def _steps_and_answer(random: Random, truth: bool) -> Made:
    lines = _steps(random, truth)
    told = lines[-1].rsplit(" ", 1)[1]
    return f"{'. '.join(lines)}. So the answer is {told}.", {}


def _several_claims(random: Random, truth: bool) -> Made:
    count = random.randint(2, 4)
    wrong = random.randrange(count) if not truth else -1
    claims = []
    for at in range(count):
        made = random.choice(_PARTS).claim(random, at != wrong)
        claims.append({"engine": made.engine, "statement": made.statement, "given": dict(made.given)})
    words = random.choice(
        ["all claims hold", "The claims hold together.", "every claim is true", "all of these claims hold"]
    )
    return words, {"claims": random.choice([claims, json.dumps(claims)])}


def _too_few(random: Random, truth: bool) -> Made:
    """Two claims that hold, or one of them twice, or beside one that says nothing that could be decided."""
    one, two = (random.choice(arithmetic.FAMILIES).claim(random, True).statement for _ in range(2))
    second = two if truth else random.choice([one, one.replace(" ", "  "), f" {one}", "the weather is fine", "x = y"])
    return "all claims hold", {"claims": [{"engine": "math", "statement": each} for each in (one, second)]}


FAMILIES: Final = (
    *families("reasoning", _steps_alone, _steps_and_answer),
    *families("consensus", _several_claims),
    *families("consensus", _too_few, is_false_open=True),
)
