"""Facts and rules in controlled English: what follows, what is contradicted, and what stays open."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.exact import check, decide
from probatum.exact.english.sealing import sealed
from tests.exact.claims import (
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
    ruled,
)

ANIMALS = (
    "Every cat is a mammal. All mammals are animals. Tom is a cat. No animal is a plant. Cats do not chase Rex. "
    "Everyone who likes Tom is kind. Anne likes Tom and is not tall. "
    "If someone is kind and not tall then they are quick."
)
FOLLOWS = [
    "Tom is an animal.",
    "Tom is not a plant",
    "Anne is kind.",
    "Anne is quick.",
    "All cats are animals.",
    "No cat is a plant.",
    "Some cats are mammals.",
    "Someone is kind.",
    "Not all cats are plants.",
    "It is false that Tom is a plant.",
    "It is true that Tom is a mammal.",
    "Anne is kind and Tom is an animal.",
    "If Bob is a cat then Bob is an animal.",
    "If someone is a cat then they are an animal.",
    "Tom does not chase Rex.",
]
CONTRADICTED = [
    "Tom is a plant.",
    "Tom is not a mammal.",
    "Anne is tall.",
    "Anne isn't quick.",
    "Cats are plants.",
    "Some plants are cats.",
    "Nobody is kind.",
    "Tom chases Rex.",
    "Tom is an animal and Anne is tall.",
    "It is not true that Tom is an animal.",
]
OPEN = ["Bob is a cat.", "Tom is tall.", "Anne is a cat.", "All animals are cats.", "Rex is kind.", "Tom is not kind."]
NOT_READ = [
    "",
    "Who is kind?",
    "Tom is probably a cat.",
    "Most cats are animals.",
    "Only cats are animals.",
    "Tom may be a cat.",
    "Tom is a cat or a dog.",
    "He is kind.",
    "Tom is a cat. Anne is kind.",
    "Tom is a cat unless Anne is kind.",
    "cat",
    "Tom is not a cat and kind.",
    "Not all mammals are cats and Anne is tall.",
    "It is false that Tom is a plant and Anne is tall.",
    "If Tom is a cat then Tom is a mammal, and Anne is tall.",
]


@pytest.mark.parametrize("statement", FOLLOWS)
def test_what_follows_is_proved_and_every_digit_of_the_certificate_counts(statement: str) -> None:
    assert outcome_of("rules", statement, context=ANIMALS) == (PROVED, "rules.follows")
    require_every_digit_counts(claim_of("rules", statement, context=ANIMALS))


@pytest.mark.parametrize("statement", CONTRADICTED)
def test_the_opposite_of_what_follows_is_refuted(statement: str) -> None:
    assert outcome_of("rules", statement, context=ANIMALS) == (REFUTED, "rules.contradicted")


@pytest.mark.parametrize("statement", OPEN)
def test_what_no_rule_leads_to_is_open(statement: str) -> None:
    assert outcome_of("rules", statement, context=ANIMALS) == (UNDECIDED, "rules.unknown")


@pytest.mark.parametrize("statement", NOT_READ)
def test_what_is_no_plain_sentence_is_blocked(statement: str) -> None:
    assert outcome_of("rules", statement, context=ANIMALS)[0] is BLOCKED


def test_a_sentence_that_is_not_read_is_told_with_its_position() -> None:
    ruling = decide(claim_of("rules", "Rex is big.", context="Rex is a dog.  Perhaps dogs are big."))
    told = json.loads(json.dumps(ruling.to_json()))["evidence"]
    assert (told["sentence"], told["position"], told["text"]) == (2, 15, "Perhaps dogs are big")


@pytest.mark.parametrize("context", [5, ["Rex is a dog."], "", "  \n "])
def test_a_context_that_is_no_text_is_blocked(context: object) -> None:
    assert outcome_of("rules", "Rex is a dog.", context=context)[0] is BLOCKED


# Closed worlds

CLOSED = (
    "Bob is kind. Anne is cold. If someone is kind and not cold then they are nice. "
    "If someone is not nice then they are alone. Nice people are not rude."
)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Bob is nice.", PROVED),
        ("Anne is nice.", REFUTED),
        ("Anne is not nice.", PROVED),
        ("Anne is alone.", PROVED),
        ("Bob is alone.", REFUTED),
        ("Bob is not rude and Anne is alone.", PROVED),
        ("It is false that Anne is kind.", PROVED),
        ("Carl is kind.", REFUTED),
        ("Everyone is kind.", UNDECIDED),
    ],
)
def test_in_a_closed_world_what_does_not_follow_is_false(statement: str, expected: object) -> None:
    assert ruled("rules", statement, context=CLOSED, world="closed").outcome is expected
    if expected is PROVED:
        require_every_digit_counts(claim_of("rules", statement, context=CLOSED, world="closed"))


@pytest.mark.parametrize(
    ("context", "statement"),
    [
        (
            "If someone is not red then they are blue. If someone is not blue then they are red. Bob is big.",
            "Bob is red.",
        ),
        ("Bob is a nice cat.", "Bob is a cat."),
        ("Someone is kind. Bob is big.", "Bob is kind."),
        ("Alice owns a dog.", "Alice owns Rex."),
        ("Bob is afraid of Rex.", "Bob is not afraid."),
        ("The house was built by the river.", "The house is big."),
        ("Bob founded Acme in 2010.", "Bob founded Acme."),
        ("Bob is human.", "Bob is a human."),
        ("Bob is red.", "B\u043eb is red."),
    ],
)
def test_a_closed_world_that_may_hide_facts_is_not_decided(context: str, statement: str) -> None:
    assert outcome_of("rules", statement, context=context, world="closed") == (UNDECIDED, "rules.closed")


def test_a_closed_world_against_its_own_denials_is_a_contradiction() -> None:
    context = "Bob is kind. Kind people are not cold. If someone is not rude then they are cold."
    assert outcome_of("rules", "Bob is cold.", context=context, world="closed")[1] == "rules.contradiction"


def test_a_world_is_open_or_closed() -> None:
    assert outcome_of("rules", "Bob is kind.", context="Bob is kind.", world="flat") == (BLOCKED, "engine.invalid")


# Random theories against evaluators that know nothing of sentences

NAMES = ("Anne", "Bob")
QUALITIES = ("red", "cold", "kind", "big")
LITERAL = st.tuples(st.sampled_from(QUALITIES), st.booleans())
FACT = st.tuples(st.sampled_from(NAMES), LITERAL)
RULE = st.tuples(st.lists(LITERAL, min_size=1, max_size=2, unique_by=lambda each: each[0]), LITERAL).filter(
    lambda rule: rule[1] not in rule[0]  # The reader has no use for 'If red then red'.
)
THEORY = st.tuples(st.lists(FACT, min_size=1, max_size=4), st.lists(RULE, max_size=5))
Facts = list[tuple[str, tuple[str, bool]]]
Rules = list[tuple[list[tuple[str, bool]], tuple[str, bool]]]


def _sentences(facts: Facts, rules: Rules) -> str:
    def said(literal: tuple[str, bool]) -> str:
        return f"{'' if literal[1] else 'not '}{literal[0]}"

    stated = [f"{name} is {said(literal)}." for name, literal in facts]
    stated += [
        f"If someone is {' and they are '.join(map(said, when))} then they are {said(so)}." for when, so in rules
    ]
    return " ".join(stated)


World = dict[tuple[str, str], bool]


def _models(facts: Facts, rules: Rules, names: tuple[str, ...] = NAMES) -> list[World]:
    """Return every world in which all holds, by trying all of them."""
    keys = [(name, quality) for name in names for quality in QUALITIES]
    found = []
    for values in product((False, True), repeat=len(keys)):
        world = dict(zip(keys, values, strict=True))
        if all(world[name, quality] is truth for name, (quality, truth) in facts) and all(
            world[name, so[0]] is so[1]
            for name in names
            for when, so in rules
            if all(world[name, quality] is truth for quality, truth in when)
        ):
            found.append(world)
    return found


def _asked(form: str, one: tuple[str, bool], two: tuple[str, bool]) -> tuple[str, Callable[[World], bool]]:
    """Return a claim, and whether it holds in a world."""
    names = (*NAMES, "somebody else")
    first, second = (f"{'' if truth else 'not '}{quality}" for quality, truth in (one, two))

    def meets(world: World, name: str, literal: tuple[str, bool]) -> bool:
        return world[name, literal[0]] is literal[1]

    if form == "all":
        return f"If someone is {first} then they are {second}.", lambda world: all(
            meets(world, name, two) for name in names if meets(world, name, one)
        )
    if form == "some":
        return f"Someone is {first} and is {second}.", lambda world: any(
            meets(world, name, one) and meets(world, name, two) for name in names
        )
    return f"{form} is {first} and is {second}.", lambda world: meets(world, form, one) and meets(world, form, two)


@settings(max_examples=60, deadline=None)
@given(THEORY, st.sampled_from([*NAMES, "all", "some"]), LITERAL, LITERAL)
def test_nothing_is_proved_that_fails_in_a_world_and_nothing_refuted_that_holds_in_one(
    theory: tuple[Facts, Rules], form: str, one: tuple[str, bool], two: tuple[str, bool]
) -> None:
    statement, holds = _asked(form, one, two)
    outcome, constraint = outcome_of("rules", statement, context=_sentences(*theory))
    worlds = _models(*theory, (*NAMES, "somebody else"))
    holding = {holds(world) for world in worlds}
    if outcome in (PROVED, REFUTED):
        assert holding <= {outcome is PROVED}
    elif outcome is UNDECIDED:
        assert constraint in {"rules.unknown", "rules.contradiction", "rules.vacuous"}
        assert constraint != "rules.contradiction" or not worlds


def _perfect(facts: Facts, rules: Rules) -> set[tuple[str, str]] | None:
    """Return the true atoms of a closed world, by its levels; None where there are none or a denial is broken."""
    level = dict.fromkeys(QUALITIES, 0)
    affirming = [(when, so[0]) for when, so in rules if so[1]]
    for _ in range(20):
        for when, head in affirming:
            level[head] = max([level[head], *(level[quality] + (not truth) for quality, truth in when)])
    if max(level.values()) > len(QUALITIES):
        return None
    true = {(name, quality) for name, (quality, truth) in facts if truth}
    for stage in range(len(QUALITIES) + 1):
        for _ in range(len(NAMES) * len(QUALITIES)):
            for when, head in affirming:
                if level[head] == stage:
                    for name in NAMES:
                        if all(((name, quality) in true) is truth for quality, truth in when):
                            true.add((name, head))
    world = {(name, quality): (name, quality) in true for name in NAMES for quality in QUALITIES}
    return true if world in _models(facts, rules) else None


@settings(max_examples=60, deadline=None)
@given(THEORY, FACT)
def test_a_closed_world_is_the_one_of_its_levels(
    theory: tuple[Facts, Rules], asked: tuple[str, tuple[str, bool]]
) -> None:
    facts = [*theory[0], *((name, (QUALITIES[0], True)) for name in NAMES)]
    name, (quality, truth) = asked
    statement = f"{name} is {'' if truth else 'not '}{quality}."
    outcome, _ = outcome_of("rules", statement, context=_sentences(facts, theory[1]), world="closed")
    perfect = _perfect(facts, theory[1])
    if perfect is None:
        assert outcome is UNDECIDED
    else:
        assert outcome is (PROVED if ((name, quality) in perfect) is truth else REFUTED)


# Size and forgery


def test_large_contexts_stop_within_the_budget() -> None:
    chain = " ".join(f"Every {_noun(each)} is a {_noun(each + 1)}." for each in range(600))
    context = f"{chain} Tom is a {_noun(0)}."
    assert outcome_of("rules", f"Tom is a {_noun(600)}.", context=context)[0] is PROVED
    assert outcome_of("rules", "Tom is big.", context="Tom is big. " * 3_000)[1] == "engine.too_large"
    assert outcome_of("rules", "Tom is big.", context="x" * 200_000)[1] == "engine.too_large"
    assert outcome_of("rules", "Tom is big.", context="red " * 5_000) == (UNDECIDED, "rules.unread")
    wide = " ".join(f"A{_noun(each)} is big." for each in range(900))
    many = " ".join(f"If someone is big then they are {_noun(each)}." for each in range(900))
    assert outcome_of("rules", "Abab is big.", context=f"{wide} {many}")[1] == "engine.out_of_budget"


def _noun(number: int) -> str:
    return "".join("bcdfghjklm"[int(digit)] + "a" for digit in f"{number:03d}") + "b"


@pytest.mark.parametrize("certificate", [{}, {"digest": "x"}, {"shows": "true", "parts": []}, {"shows": 1}])
def test_a_certificate_that_shows_nothing_is_refused(certificate: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        check(claim_of("rules", "Tom is an animal.", context=ANIMALS), certificate)


def test_steps_from_sentences_that_contradict_each_other_establish_nothing() -> None:
    steps = [{"atom": "+ | Tom | is red", "sentence": 1, "for": "", "from": []}]
    certificate = sealed({"shows": "true", "parts": [steps]})
    assert check(claim_of("rules", "Tom is red.", context="Tom is red."), certificate) == "rules.follows"
    with pytest.raises(ValueError):
        check(claim_of("rules", "Tom is red.", context="Tom is red. Tom is not red."), certificate)


def test_a_certificate_of_another_claim_is_refused() -> None:
    one = decide(claim_of("rules", "Tom is an animal.", context=ANIMALS))
    for statement in ("Tom is a plant.", "Tom is tall.", "Anne is kind."):
        with pytest.raises(ValueError):
            check(claim_of("rules", statement, context=ANIMALS), json.loads(json.dumps(one.to_json()))["evidence"])


@pytest.mark.parametrize("name", ["proofwriter-dev", "prontoqa-dev"])
def test_published_problems_are_all_answered_as_they_are_labelled(name: str) -> None:
    folder = os.environ.get("PROBATUM_SUITES", "")
    path = Path(folder) / f"{name}.jsonl"
    if not folder or not path.is_file():
        pytest.skip("PROBATUM_SUITES names no folder with this suite")
    labels = {"A": PROVED, "B": REFUTED, "C": UNDECIDED}
    for line in path.read_text(encoding="utf-8").splitlines():
        problem = json.loads(line)
        statement = problem["question"].split("?", 1)[1].strip()
        assert ruled("rules", statement, context=problem["context"]).outcome is labels[problem["answer"]], problem["id"]
