"""Sentences of controlled English: how each form is read, and what has no single reading."""

from __future__ import annotations

import pytest

from tests.exact.claims import PROVED, REFUTED, UNDECIDED, outcome_of, ruled


@pytest.mark.parametrize(
    ("context", "statement", "constraint"),
    [
        ("Rex is a dog. Every dog is probably big.", "Rex is big.", "rules.unread"),
        ("Rex is a dog. Most dogs are big.", "Rex is big.", "rules.unread"),
        ("Rex is a former dog. Every dog is big.", "Rex is big.", "rules.unread"),
        ("Rex is a dog. Is every dog big?", "Rex is a dog.", "rules.unread"),
        ("Rex is big unless Bob is kind.", "Rex is big.", "rules.unread"),
        ("Rex is big or small.", "Rex is big.", "rules.unread"),
        ("Anne is not red and cold.", "Anne is cold.", "rules.unread"),
        ("It is red.", "Rex is red.", "rules.pronoun"),
        ("Tom is red. All cats are red. No cat is red. Tom is a cat.", "Tom is red.", "rules.contradiction"),
        ("No cat is red. All cats are red.", "All cats are blue.", "rules.vacuous"),
        ("Bob is a nice painter. All painters are kind.", "Bob is kind.", "rules.unknown"),
        ("All cubes are square. Leo is a cub.", "Leo is square.", "rules.unknown"),
        ("Tom planed the door. The plan is good.", "Tom planned the door.", "rules.unknown"),
        ("Rex is a black widow. All widows are sad.", "Rex is sad.", "rules.unknown"),
        ("The hut was built by Niagara Falls.", "Niagara Falls built the hut.", "rules.unknown"),
        ("Anne and Bob are a couple.", "Bob is a couple.", "rules.unread"),
        ("Anne and Bob scored 10.", "Bob scored 10.", "rules.unread"),
        ("Dinosaurs are extinct. Rex is a dinosaur.", "Rex is extinct.", "rules.unread"),
        ("Cats do not eat and sleep. Tom is a cat.", "Tom sleeps.", "rules.unread"),
        ("Anne never sings and dances.", "Anne dances.", "rules.unread"),
        ("Anne likes fish and drinks.", "Anne drinks.", "rules.ambiguous"),
        ("Everyone is not red. Anne is big.", "Anne is not red.", "rules.ambiguous"),
        ("Cats outnumber dogs. Tom is a cat.", "Tom outnumbers dogs.", "rules.unread"),
        ("Dogs and cats that are red are kind. Rex is a dog.", "Rex is kind.", "rules.ambiguous"),
        ("Nice dogs and cats are kind. Rex is a cat.", "Rex is kind.", "rules.ambiguous"),
        ("Dogs like red apples and pears. Rex is a dog.", "Rex likes pears.", "rules.unread"),
        ("Anne does not like fish and drinks.", "Anne drinks.", "rules.ambiguous"),
        ("Red and cold people are kind. Bob is red and cold.", "Bob is kind.", "rules.unread"),
        ("Bob is big and Anne is kind if Carl is red. Carl is red.", "Bob is big.", "rules.unread"),
        ("If someone likes Bob then he is kind. Anne likes Bob.", "Anne is kind.", "rules.pronoun"),
        ("If a cat likes a dog then it is kind. Tom is a cat. Tom likes a dog.", "Tom is kind.", "rules.pronoun"),
        ("If a cat likes a dog then the dog is kind. Tom is a cat. Tom likes a dog.", "Tom is kind.", "rules.unread"),
        ("If someone likes dogs then they are kind. Bob likes dogs.", "Bob is kind.", "rules.pronoun"),
        ("If someone sees the cat then it is kind. Anne sees the cat.", "Anne is kind.", "rules.pronoun"),
    ],
)
def test_what_cannot_be_decided_says_why(context: str, statement: str, constraint: str) -> None:
    assert outcome_of("rules", statement, context=context) == (UNDECIDED, constraint)


@pytest.mark.parametrize(
    ("context", "statement", "expected"),
    [
        ("The lion is a cat. All cats are mean.", "The lion is mean.", PROVED),
        (
            "The lion eats the mouse. If something eats the mouse then the mouse is afraid of it.",
            "The mouse is afraid of the lion.",
            PROVED,
        ),
        (
            "Anne is kind if and only if Carl is green. Carl is green. If Anne is kind, Bob is red.",
            "Bob is red.",
            PROVED,
        ),
        ("Red, cold things are round. A is big. Bob is red and cold.", "Bob is round.", UNDECIDED),
        ("Red, cold things are round. Bob is red and cold.", "Bob is round.", PROVED),
        ("Red, cold things are round. Bob is red.", "Bob is round.", UNDECIDED),
        ("Everything that is red or blue is cold. Bob is blue.", "Bob is cold.", PROVED),
        ("Max is not cold. Red things are cold.", "Max is red.", UNDECIDED),
        ("Acme was founded by Alice.", "Alice founded Acme.", PROVED),
        ("Acme was founded by Alice in 2010.", "Alice founded Acme in 2010.", PROVED),
        ("Acme was founded by Alice of York.", "Alice founded Acme of York.", UNDECIDED),
        ("Acme was founded by Alice in 2010.", "Alice founded Acme.", UNDECIDED),
        ("Acme was not founded by Alice in 2010.", "Alice founded Acme in 2010.", REFUTED),
        ("The house was built by the river.", "The river built the house.", UNDECIDED),
        ("Wolves are grey. Rex is a wolf.", "Rex is not grey.", REFUTED),
        ("Alice owns a dog and a cat. Everyone who owns a cat is happy.", "Alice is happy.", PROVED),
        ("Bob is a person. All nice people are kind. Bob is nice.", "Bob is kind.", UNDECIDED),
        ("Carl is neither red nor big. Whoever is neither red nor big is kind.", "Carl is kind.", PROVED),
        ("Carl is both red and big.", "Carl is big.", PROVED),
        ("There is no red cat. Tom is a cat.", "Tom is not red.", PROVED),
        ("Anne and Bob are members of Acme.", "Bob is a member of Acme.", PROVED),
        ("Alice is the acting director of Acme.", "Alice is the director of Acme.", UNDECIDED),
        ("Bolt was bought by Acme in 2021.", "Acme bought Bolt in 2021.", PROVED),
        ("Bolt was bought by Acme in 2021.", "Acme bought Bolt.", UNDECIDED),
        ("The report was written by Jack.", "Jack wrote the report.", PROVED),
        ("Order 7 is paid. Everything that is paid is shipped.", "Order 7 is shipped.", PROVED),
        ("Acme is a company. Every company pays taxes.", "Acme pays taxes.", PROVED),
        ("If someone is late then that person is fined. Bob is late.", "Bob is fined.", PROVED),
        ("If a cat is red then the cat is kind. Tom is a cat. Tom is red.", "Tom is kind.", PROVED),
        ("If someone works in Paris then they are rich. Bob works in Paris.", "Bob is rich.", PROVED),
        ("Heroes are brave. Rex is a hero. Lenses are round. Leo is a lens.", "Rex is brave and Leo is round.", PROVED),
    ],
)
def test_forms_of_sentences(context: str, statement: str, expected: object) -> None:
    assert ruled("rules", statement, context=context).outcome is expected
