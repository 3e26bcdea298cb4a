"""Claims of logic over small domains: every assignment is tried, with Python's own operators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Final

from tests.exact.generated.claim import Made, families

Part = tuple[str, str]
"""A condition or a term as it is claimed, and as Python writes it."""
Domain = Mapping[str, Sequence[int]]
_CONNECTIVES: Final = (
    ("not ({0})", "not {0}"),
    ("xor({0}, {1})", "bool({0}) != bool({1})"),
    ("({0}) and ({1})", "{0} and {1}"),
    ("({0}) or ({1})", "{0} or {1}"),
    ("({0}) -> ({1})", "not {0} or {1}"),
    ("({0}) <-> ({1})", "bool({0}) == bool({1})"),
)
_TERMS: Final = (
    ("abs({0})", "abs({0})"),
    ("({0}) mod ({c})", "{0} % ({c})"),
    ("div({0}, {c})", "{0} // ({c})"),
    ("{k}*({0})", "{k}*{0}"),
    ("max({0}, {1})", "max({0}, {1})"),
    ("({0})*({1})", "{0}*{1}"),
    ("({0}) - ({1})", "{0} - {1}"),
    ("({0}) + ({1})", "{0} + {1}"),
)
_RELATIONS: Final = tuple((f"{{0}} {sign} {{1}}", f"{{0}} {sign} {{1}}") for sign in ("==", "!=", "<", "<=", ">", ">="))
_EQUALS: Final = (("{0} = {1}", "{0} == {1}"),)
_TRIES: Final = 200


def _joined(random: Random, rows: Sequence[Part], parts: Sequence[Part], numbers: Mapping[str, Sequence[int]]) -> Part:
    picked = {name: random.choice(values) for name, values in numbers.items()}
    text, meaning = random.choice(rows)
    one, two = (form.format(*[each[at] for each in parts], **picked) for at, form in ((0, text), (1, meaning)))
    return one, f"({two})"


def _grown(
    random: Random, rows: Sequence[Part], atom: Callable[[], Part], depth: int, **numbers: Sequence[int]
) -> Part:
    if depth <= 0 or random.random() < 0.15:
        return atom()
    return _joined(random, rows, [_grown(random, rows, atom, depth - 1, **numbers) for _ in range(2)], numbers)


def _meaning(part: Part, domain: Domain) -> Callable[..., int]:
    found: Callable[..., int] = eval(f"lambda {', '.join(domain)}: {part[1]}")
    return found


def _cases(domain: Domain) -> list[dict[str, int]]:
    return [dict(zip(domain, each, strict=True)) for each in product(*domain.values())]


def _posed(random: Random, truth: bool, domain: Domain, given: dict[str, list[str]], part: Callable[[], Part]) -> Made:
    """Return a question about conditions whose answer is as told."""
    cases = _cases(domain)
    for _ in range(_TRIES):
        premises = [part() for _ in range(random.randint(0, 3))]
        statement = part()
        conditions, worth = [_meaning(each, domain) for each in premises], _meaning(statement, domain)
        left = [case for case in cases if all(holds(**case) for holds in conditions)]
        told: dict[str, object] = {**given, "premise": given["premise"] + [text for text, _ in premises]}
        kind = random.choice(["entails", "entails", "satisfiable", "unsatisfiable"])
        if kind == "entails" and left:
            if (all if truth else any)(worth(**case) for case in left) is truth:
                return statement[0], told
        elif kind != "entails" and any(worth(**case) for case in left) is ((kind == "satisfiable") is truth):
            return f"{kind}({statement[0]})", told
    return ("1 + 1 == 2" if truth else "1 + 1 == 3"), dict(given)


def _declared(random: Random, domain: Domain, kind: str) -> list[str]:
    return random.choice([[f"{', '.join(domain)}: {kind}"], [f"{name}: {kind}" for name in domain]])


def _truth_values(random: Random, truth: bool) -> Made:
    domain = dict.fromkeys("pqrs"[: random.randint(2, 4)], (False, True))

    def atom() -> Part:
        name = random.choice(list(domain))
        return random.choice([(name, name), (name, name), (f"not {name}", f"(not {name})")])

    given = {"declare": _declared(random, domain, "bool"), "premise": list[str]()}
    return _posed(random, truth, domain, given, lambda: _grown(random, _CONNECTIVES, atom, random.randint(1, 3)))


def _compared(random: Random, domain: Domain) -> Part:
    return _joined(random, _RELATIONS + _EQUALS, [_term(random, domain, 2), _term(random, domain, 1)], {})


def _term(random: Random, domain: Domain, depth: int) -> Part:
    def atom() -> Part:
        number = random.randint(-6, 6)
        name = random.choice(list(domain))
        return (f"({number})" if number < 0 else str(number),) * 2 if random.random() < 0.35 else (name, name)

    return _grown(random, _TERMS, atom, depth, c=(-5, -3, -2, 2, 3, 4, 7), k=(2, 3, 4, 5))


def _bounded(names: Sequence[str], random: Random) -> tuple[Domain, list[str]]:
    domain = {name: range(random.randint(-5, 0), random.randint(1, 8)) for name in names}
    return domain, [f"{values[0]} <= {name} <= {values[-1]}" for name, values in domain.items()]


def _whole_numbers(random: Random, truth: bool) -> Made:
    domain, bounds = _bounded("xyz"[: random.randint(1, 3)], random)
    given = {"declare": _declared(random, domain, "int"), "premise": bounds}
    depth = random.randint(0, 1)
    return _posed(
        random, truth, domain, given, lambda: _grown(random, _CONNECTIVES, lambda: _compared(random, domain), depth)
    )


def _optimum_of_whole_numbers(random: Random, truth: bool) -> Made:
    domain, bounds = _bounded("xy", random)
    while True:
        condition, term = _compared(random, domain), _term(random, domain, 2)
        holds, worth = _meaning(condition, domain), _meaning(term, domain)
        left = [worth(**case) for case in _cases(domain) if holds(**case)]
        if left:
            break
    word = random.choice(["maximum", "minimum"])
    value = (max if word == "maximum" else min)(left)
    if not truth:
        wrong = set(range(value - 3, value + 4)) | set(left)
        value = random.choice(sorted(wrong - {value}))
    return f"{word}({term[0]}) == {value}", {"declare": ["x, y: int"], "premise": [*bounds, condition[0]]}


FAMILIES: Final = families("logic", _truth_values, _whole_numbers, _optimum_of_whole_numbers)
