"""Claims about facts and rules in plain sentences: classes are closed under their rules with plain sets."""

from __future__ import annotations

from random import Random
from typing import Final

from tests.exact.generated.claim import Made, families

_KINDS: Final = (
    *("a baker", "a merchant", "a pilot", "a singer", "a farmer", "a writer", "a driver", "a painter", "a teacher"),
    *("tall", "rich", "kind", "quiet", "cold"),
)
_PEOPLE: Final = ("Alice", "Bob", "Carol", "David")
_RULES: Final = (
    "If someone is {low} then they are {high}.",
    "Everyone who is {low} is {high}.",
    "Someone is {high} if they are {low}.",
)
_RULES_OF_NOUNS: Final = ("Every {noun} is {high}.", "Each {noun} is {high}.", "All {noun}s are {highs}.")
_VERBS: Final = (("founded", "found"), ("visited", "visit"), ("painted", "paint"), ("likes", "like"), ("owns", "own"))
_PLACES: Final = ("Acme", "Paris", "London", "Berlin", "Rome")
Rule = tuple[tuple[str, ...], str]


def _plural(kind: str) -> str:
    return f"{kind[2:]}s" if kind.startswith("a ") else kind


def _closed(known: set[str], rules: list[Rule]) -> set[str]:
    """Return whatever something is as well that is all this."""
    known, before = set(known), set[str]()
    while known != before:
        before = set(known)
        known |= {high for lows, high in rules if known.issuperset(lows)}
    return known


def _rule(random: Random, lows: tuple[str, ...], high: str) -> str:
    if len(lows) == 2:
        return f"If someone is {lows[0]} and {lows[1]} then they are {high}."
    forms = _RULES[: 3 if high[0] != "a" else 2]
    if lows[0].startswith("a "):
        forms += _RULES_OF_NOUNS
    return random.choice(forms).format(low=lows[0], high=high, noun=lows[0][2:], highs=_plural(high))


class _World:
    """People, what they are, and the kinds that are above each other; nobody is of the last kind."""

    def __init__(self, random: Random, is_closed: bool = False) -> None:
        self.kinds = random.sample(_KINDS, random.randint(5, 8))
        self.none = self.kinds[-1]
        last = len(self.kinds) - 2
        self.rules: list[Rule] = []
        # What nobody is told to be and no rule leads to may be denied, and asked for so.
        absent = f"not {random.choice([kind for kind in _KINDS if kind not in self.kinds])}"
        for at in range(last):
            lows = tuple(sorted(random.sample([*self.kinds[: at + 1], absent], 2))) if random.random() < 0.35 else ()
            lows = () if lows and lows[0] == absent else lows
            self.rules.append((lows or (self.kinds[at],), self.kinds[random.randint(at + 1, last)]))
        # No rule leads to the last kind, so nothing is contradicted.
        self.barred = random.choice([kind for kind in self.kinds[:-1] if kind.startswith("a ")] or ["a guest"])
        names = random.sample(_PEOPLE, random.randint(1, 3))
        some = [*self.kinds[:-1], absent]
        told = {name: {random.choice(some[:-1]), random.choice(some)} for name in names}
        # In a closed world nobody is what is absent.
        self.people = {
            n: _closed(ks | ({absent} if is_closed else set()), self.rules) - {absent} for n, ks in told.items()
        }
        order = {name: sorted(kinds, key=lambda kind: (kind == absent, kind)) for name, kinds in told.items()}
        sentences = [f"{name} is {' and '.join(kinds)}." for name, kinds in order.items()]
        sentences += [_rule(random, *rule) for rule in self.rules]
        form = "No {0} is {1}." if self.none.startswith("a ") or random.random() < 0.5 else "{0}s are never {1}."
        barred = self.barred[2:]
        sentences.append(form.format(barred if form[0] == "N" else barred.capitalize(), self.none))
        random.shuffle(sentences)
        self.text = random.choice([" ", "\n"]).join(sentences)

    def denied(self, name: str) -> set[str]:
        """Return what somebody is known not to be."""
        return {self.none} if self.barred in self.people[name] else set()


def _what_follows(random: Random, truth: bool) -> Made:
    world = _World(random)
    name = random.choice(list(world.people))
    pairs = [(kind, True) for kind in sorted(world.people[name])] + [(kind, False) for kind in world.denied(name)]
    kind, holds = random.choice(pairs)
    text = f"{name} is {'' if holds is truth else 'not '}{kind}"
    return random.choice(["{}.", "{}", "It is true that {}."]).format(text), {"context": world.text}


def _what_is_denied(random: Random, truth: bool) -> Made:
    statement, given = _what_follows(random, not truth)
    return f"It is false that {statement.removeprefix('It is true that ')}", given


def _rules_that_follow(random: Random, truth: bool) -> Made:
    """A rule that follows from rules, or one that no rule leads to."""
    while True:
        world = _World(random)
        low = random.choice([kind for kind in world.kinds if kind.startswith("a ")] or [""])
        above = _closed({low}, world.rules) - {low}
        high = random.choice(sorted(above if truth else set(world.kinds[:-1]) - above - {low}) or [""])
        if low and high:
            forms = ("Every {0} is {1}.", "Each {0} is {1}.", "Everyone who is a {0} is {1}.")
            return random.choice(forms).format(low[2:], high), {"context": world.text}


def _what_stays_open(random: Random, truth: bool) -> Made:
    """What follows neither way is not proved."""
    while True:
        world = _World(random)
        name = random.choice(list(world.people))
        left = set(world.kinds) - world.people[name] - world.denied(name)
        if truth:
            return f"{name} is {random.choice(sorted(world.people[name]))}.", {"context": world.text}
        if left:
            return f"{name} {random.choice(['is', 'is not'])} {random.choice(sorted(left))}.", {"context": world.text}


def _closed_world(random: Random, truth: bool) -> Made:
    world = _World(random, is_closed=True)
    name, kind = random.choice(list(world.people)), random.choice(world.kinds)
    word = "is" if (kind in world.people[name]) is truth else "is not"
    return f"{name} {word} {kind}.", {"context": world.text, "world": "closed"}


def _what_a_text_states(random: Random, truth: bool) -> Made:
    """A sentence that stands in the text, or one that is nearly the same."""
    rows = [(random.choice(_PEOPLE), random.choice(_VERBS[:3]), random.choice(_PLACES)) for _ in range(4)]
    years = [random.randint(1990, 2020) for _ in rows]
    context = " ".join(f"{a} {v} {b} in {y}." for (a, (v, _), b), y in zip(rows, years, strict=True))
    (one, (verb, plain), two), year = rows[0], years[0]
    claim = f"{one} {verb} {two} in {year}."
    if truth:
        kind = random.randrange(4)
        if kind == 0:
            claim = f"{claim[:-1]} and {rows[1][0]} {rows[1][1][0]} {rows[1][2]} in {years[1]}."
        if kind == 1:
            claim = f"{two} was {verb} by {one} in {year}."
        return claim, {"context": context}
    others = [
        f"{two} {verb} {one} in {year}.",
        f"{one} did not {plain} {two} in {year}.",
        f"{one} {verb} {two} in {year + 40}.",
        f"{one} {verb} {two} and Madrid in {year}.",
        f"It is false that {claim}",
        f"{claim[:-1]} and Alice lives in Rome.",
        f"{one} probably {verb} {two} in {year}.",
        f"{one} was {verb} by {two} in {year}.",
        f"Only {one} {verb} {two} in {year}.",
        f"{one} {verb} {two} before {year}.",
    ]
    return random.choice(others), {"context": context}


def _what_a_text_takes_back(random: Random, truth: bool) -> Made:
    """A fact with words around it that take it back, or with words beside it that do not."""
    (one, (verb, plain), two), year = (random.choice(_PEOPLE), random.choice(_VERBS), random.choice(_PLACES)), 1994
    fact = f"{one} {verb} {two}."
    beside = f"Erin visited Oslo in {year}. {{}} Frank owns a shop."
    around = (
        "If it rains, {0}",
        "Gina says that {0}",
        "It is false that {0}",
        '"{0}" is what Gina says.',
        "Perhaps {0}",
        "Myths: {0}",
        "{0} That is false.",
        f"{one} did not {plain} {two}.",
        f"{one} may {plain} {two}.",
        f"{one} and nobody else almost {verb} {two}.",
    )
    return fact, {"context": beside.format(fact if truth else random.choice(around).format(fact))}


def _figures(random: Random, truth: bool) -> Made:
    """A sentence with a figure, in another writing of the same number, or with another number."""
    number, place = random.randint(1000, 10**7), random.choice(_PLACES)
    form = random.choice(
        [
            "Sales in {place} rose by {n} units.",
            "The shop in {place} has {n} books.",
            "The revenue of {place} was ${n} in 2019.",
            "{place} has {n} people.",
        ]
    )
    told = number if truth else random.choice([number + 1, number * 10, number - 1000, int(str(number)[::-1]) + 1])
    if told == number and not truth:
        told += 2
    context = f"Erin visited Oslo in 1994. {form.format(place=place, n=f'{number:,}')} Frank owns a shop."
    return form.format(place=place, n=random.choice([f"{told:,}", f"{told}"])), {"context": context}


FAMILIES: Final = (
    *families("rules", _what_follows, _what_is_denied, _closed_world),
    *families("rules", _rules_that_follow, _what_stays_open, is_false_open=True),
    *families("facts", _figures, _what_a_text_states, _what_a_text_takes_back, is_false_open=True),
    *families("graph", _what_a_text_states, _what_a_text_takes_back, is_false_open=True),
)
