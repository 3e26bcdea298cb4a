"""A sentence is not read, and no rule of ours writes it anew: its author gets an example and a page."""

from __future__ import annotations

import pytest

from probatum.core.errors import NotAttemptedError
from probatum.exact import decide
from probatum.exact.engines import ENGINES
from tests.exact.claims import claim_of

EDGES = ["A -> B", "B -> C"]
SENTENCES = [
    ("graph", "A reaches C", "path('A', 'C')", {"edge": EDGES}),
    ("graph", "There is a path from A to C.", "path('A', 'C')", {"edge": EDGES}),
    ("graph", "the distance from A to C is 2", "distance('A', 'C') == 2", {"edge": EDGES}),
    ("graph", "the graph has no cycle", "acyclic", {"edge": EDGES}),
    ("dates", "2024-01-31 is a Wednesday", "weekday(date(2024, 1, 31)) == 'Wednesday'", {}),
    ("dates", "2024-01-31 is before 2024-02-01", "date(2024, 1, 31) < date(2024, 2, 1)", {}),
    ("dates", "30 days after 2024-01-01 is 2024-01-31", "date(2024, 1, 1) + days(30) == date(2024, 1, 31)", {}),
    (
        "dates",
        "there are 30 days between 2024-01-01 and 2024-01-31",
        "date(2024, 1, 31) - date(2024, 1, 1) == days(30)",
        {},
    ),
    ("units", "3 km is 3000 m", "3 km == 3000 m", {}),
    ("units", "100 degrees C equals 212 degrees F", "100 °C == 212 °F", {}),
    ("logic", "if p then p", "(p) -> (p)", {"declare": ["p: bool"]}),
    ("code", "the code imports math", "imports('math')", {"code": "import math"}),
]


@pytest.mark.parametrize(("engine", "sentence", "claim", "given"), SENTENCES)
def test_a_sentence_gets_an_example_of_what_is_read_and_its_page(
    engine: str, sentence: str, claim: str, given: dict[str, object]
) -> None:
    with pytest.raises(NotAttemptedError) as told:
        decide(claim_of(engine, sentence, **given))
    example, page = ENGINES[engine].example, f"docs/reference/claims/{engine}.md"
    assert told.value.hint == f"Write for example: {example} (see {page})"
    assert decide(claim_of(engine, claim, **given)).outcome.value == "proved"
