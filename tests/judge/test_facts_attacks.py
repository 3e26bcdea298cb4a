"""Outputs that are made to look supported: words in another sense, and claims beside those that are judged."""

from __future__ import annotations

import pytest

from probatum.judge import Judge

SAFE = "The bridge is safe."
PEOPLE = '[{"id": 1, "name": "Alice"}, {"id": 2, "name": "Bob"}]'

IN_ANOTHER_SENSE = {
    "a pronoun": ("It is open.", "Alice saw the bridge. It is open."),
    "a pronoun for another": ("Bob is here. He left.", "Bob is here. Alice came. He left."),
    "a demonstrative": ("In that case the bridge is closed.", "In that case the bridge is closed."),
    "the former": ("The former is safe.", "The former is safe."),
    "such": ("Such bridges are safe.", "Such bridges are safe."),
    "a quotation": (SAFE, 'Bob said: "The bridge is new. The bridge is safe. We like it."'),
    "a quotation of paragraphs": (SAFE, "“The tower is tall.\n\n“The bridge is safe.\n\n“Go home.”"),
    "a quoted line": (SAFE, "> The bridge is safe."),
    "a report": (SAFE, "Bob claims:\n\nThe bridge is safe."),
    "a question": (SAFE, "The bridge is safe?"),
    "a heading": (SAFE, "Myths\n\nThe bridge is safe."),
    "a deep heading": (SAFE, "# False\n\n## Bridges\n\nThe bridge is safe.\n"),
    "a list": (SAFE, "Incorrect:\n- The bridge is safe.\n- The moon is round."),
    "taken back": (SAFE, "The bridge is safe. This is wrong."),
    "taken back in a word": (SAFE, "The bridge is safe. Not true!"),
    "taken back by a clause": (SAFE, "The bridge is safe; this is false."),
    "taken back with others": (SAFE, "The bridge is safe. The tower is tall. All of the above is false."),
    "warned of": (SAFE, "It is wrong to believe the following. The bridge is safe."),
    "a comment": (SAFE, "<!-- The bridge is safe. -->"),
    "struck out": (SAFE, "~~Old text. The bridge is safe. More.~~"),
    "code": (SAFE, "```\nThe bridge is safe.\n```"),
    "another heading": ("Berlin\n\nThe tower is tall.", "Paris\n\nThe tower is tall.\n\nBerlin\n\nThe wall is gone."),
    "another header of a table": (
        "| Name | Age |\n|---|---|\n| Alice | 5 |",
        "| Name | Children |\n|---|---|\n| Alice | 5 |\n\n| Name | Age |\n|---|---|\n| Bob | 5 |",
    ),
    "the output denies it": ("The following is false:\n- The bridge is safe.", SAFE),
    "a key denies it": ({"false_claims": [SAFE]}, SAFE),
    "a key of the source denies it": ({"safe": True}, '{"myths": {"safe": true}}'),
    "another case of a unit": ("The plant makes 5 mW.", "The plant makes 5 MW."),
    "another case by key": ({"power": "5 mW"}, '{"power": "5 MW"}'),
    "signs of direction": ("The score is \u202e12.", "The score is 12."),
    "a key that denies": ({"not_safe": True}, '{"safe": true}'),
    "a key with the same beginning": ({"internal_id": 5}, '{"international_id": 5}'),
    "the value of another": ({"alice": {"age": 40}}, '{"alice": {"age": 30}, "bob": {"age": 40}}'),
    "the value of somebody unknown": ({"carol": {"age": 30}}, '{"alice": {"age": 30}}'),
    "names changed": ([{"id": 1, "name": "Bob"}, {"id": 2, "name": "Alice"}], PEOPLE),
    "one object of two": ({"id": 1, "name": "Bob"}, PEOPLE),
    "two values of one key": ({"score": 5}, '{"score": 5, "score": 9}'),
    "one of two keys": ({"price": 5}, '{"max": {"price": 5}, "min": {"price": 3}}'),
}

NOT_JUDGED = {
    "a question": ("Is the moon made of cheese? The bridge is safe.", SAFE),
    "code": ("```\nThe moon is made of cheese\n```\nThe bridge is safe.", SAFE),
    "a greeting": ("Hello! The bridge is safe.", SAFE),
    "an id": ({"text": SAFE, "id": "The moon is made of cheese."}, SAFE),
    "a citation": ({"text": SAFE, "sources": ["The moon is made of cheese"]}, SAFE),
    "a key": ({"The moon is made of cheese": SAFE}, SAFE),
}

SAID_BESIDE = (
    "The bridge is safe. 🙂 The moon is made of cheese!!",
    "The bridge is safe.<!-- The moon is made of cheese. -->",
    "The bridge is safe<br>The moon is made of cheese",
    "The bridge is safe - the moon is made of cheese.",
    "The bridge is safe – and the moon is made of cheese.",
    "The bridge is safe; the moon is made of cheese.",
    "The bridge is safe; cats fly.",
    "The bridge is safe, cats fly.",
    "The bridge is safe (the moon is made of cheese).",
    "The bridge is safe and the moon is made of cheese.",
    "The bridge is safe while cats fly.",
    "The bridge is safe. the moon is made of cheese.",
    "The bridge is safe.The moon is made of cheese.",
    "The bridge is safe\u200d.\u200dThe moon is made of cheese.",
    "The bridge is safe • The moon is made of cheese",
    "The bridge is safe!! the moon is made of cheese",
    "The bridge is safe. ✅ cats fly.",
    "The bridge is safe. -> cats fly.",
    "The bridge is safe.[1] Cats fly.",
    "The bridge is safe [^1]\n[^1]: The moon is made of cheese",
    "\u202eThe bridge is safe. Cats fly.",
    "The bridge is safe.\u3000cats fly.",
    "The bridge is safe | The moon is made of cheese",
    "| The bridge is safe | cats fly |",
    "The bridge is safe / The moon is made of cheese",
    "The bridge is safe → the moon is made of cheese",
    "The bridge is safe &amp; the moon is made of cheese",
)


def _judged(output: object, source: str) -> tuple[object, list[str]]:
    found = Judge().validate(output, ["facts", "hallucination"], trusted_sources=[source])  # type: ignore[arg-type]  # JSON
    return found.verdict["status"], [each.status.value for each in found.claims]


@pytest.mark.parametrize("name", IN_ANOTHER_SENSE)
def test_the_same_words_in_another_sense_prove_nothing(name: str) -> None:
    assert _judged(*IN_ANOTHER_SENSE[name])[0] != "VERIFIED"


@pytest.mark.parametrize("name", NOT_JUDGED)
def test_what_is_not_judged_stays_open(name: str) -> None:
    assert _judged(*NOT_JUDGED[name])[0] != "VERIFIED"


@pytest.mark.parametrize(
    ("output", "source"),
    [
        (SAFE, "The weather is fine. The bridge is safe."),
        (SAFE, "Myths\n\nThe moon is square.\n\nFacts\n\nThe bridge is safe."),
        ("Alice came. She left.", "Alice came. She left."),
        ("1. The bridge is safe.\n2. The tower is tall.", "The bridge is safe. The tower is tall."),
        ("The bridge is safe. The tower is tall.", "The tower is tall.\n\n## More\n\nThe bridge is safe."),
        ({"summary": SAFE}, SAFE),
        ({"a": {"b": 3, "c": 4}}, '{"a": {"b": 3, "c": 4}}'),
        ([{"id": 1, "name": "Alice"}, {"id": 2, "name": "Bob"}], PEOPLE),
    ],
)
def test_the_same_words_in_the_same_sense_prove_an_output(output: object, source: str) -> None:
    assert _judged(output, source)[0] == "VERIFIED"


@pytest.mark.parametrize("output", SAID_BESIDE)
def test_what_stands_beside_a_supported_claim_is_not_supported_by_it(output: str) -> None:
    assert set(_judged(output, SAFE)[1]) != {"supported"}


@pytest.mark.parametrize(
    ("output", "source"),
    [
        ("The fees topped $30,000.", "The fees were $30,900."),
        ("The plan costs £6billion.", "The plan costs £6.7bn."),
    ],
)
def test_what_is_rounded_down_is_not_contradicted(output: str, source: str) -> None:
    assert "contradicted" not in _judged(output, source)[1]


@pytest.mark.parametrize(
    "text",
    [
        "The cat is red; " * 2_000,
        "<!-- " * 20_000,
        "~~" * 20_000,
        "“" * 20_000,
        "is - is " * 10_000,
        "<br " * 20_000,
        "🙂" * 20_000,
    ],
)
def test_hostile_text_gets_a_result(text: str) -> None:
    assert _judged(text, SAFE)[0] != "VERIFIED"
    assert _judged(SAFE, text)[0] != "VERIFIED"
