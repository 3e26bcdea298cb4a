"""Formal claims of readings, proved by the engines of exact claims."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from probatum.core.canonical import JsonValue
from probatum.core.frozen import frozen_dict
from probatum.exact import ExactClaim, decide
from probatum.readings.claims import claim_records
from probatum.readings.formal import ClaimProof
from probatum.readings.grounding import grounding
from probatum.readings.paths import CitableSource


def _prove(engine: str, statement: str, given: Mapping[str, JsonValue]) -> ClaimProof:
    ruling = decide(ExactClaim(engine, statement, frozen_dict(given)))
    return ClaimProof(ruling.outcome.value, ruling.detail)


CASES = {
    "a sum": ("12 and 30 make 42", "math", "12 + 30 = 42", "", ""),
    "a false sum": ("12 and 30 make 43", "math", "12 + 30 = 43", "", "claim_refuted"),
    "a percentage": ("20 % of 50 is 10", "math", "20/100 * 50 = 10", "", ""),
    "a tautology": ("20 of 50", "math", "20 + 50 = 50 + 20", "", "claim_says_nothing"),
    "no engine": ("12 and 30 make 42", "maths", "12 + 30 = 42", "", "claim_not_read"),
    "no statement": ("12 and 30 make 42", "math", "12 and 30 make 42", "", "claim_not_read"),
    "a conversion": ("It is 5 km long.", "units", "5 km = 5000 m", "5000 m of road", ""),
    "a false conversion": ("It is 6 km long.", "units", "6 km = 5000 m", "5000 m of road", "claim_refuted"),
    "a conversion of nothing": ("It is 5 km long.", "units", "5 km = 5000 m", "", "claim_adds_values"),
}


@pytest.mark.parametrize("row", CASES.values(), ids=CASES)
def test_formal_claims(row: tuple[str, str, str, str, str]) -> None:
    passage, engine, statement, quote, code = row
    claim = {"passage": passage, "engine": engine, "statement": statement}
    cited = {"source": "doc", "quote": quote} if quote else {}
    records = claim_records({"reader": "model-1", "claims": [{**claim, **cited}]})
    found = grounding(passage, [CitableSource("doc", quote)], records, _prove, "proposed")
    assert [each.refusal.code for each in found.refused] == ([code] if code else [])


TABLES = "CREATE TABLE users (name TEXT NOT NULL, age INTEGER NOT NULL)"
QUERY = "SELECT name FROM users"
OLDER = "SELECT name FROM users WHERE age > 30"
LISTED: JsonValue = {"units": [2, 3, 4], "schema": {"type": "integer"}, "document": 3}
DATA = {"data": {"source": "list", "path": "units"}}
GIVEN: dict[str, tuple[str, str, str, object, str]] = {
    "data at a path": ("The mean is 3.", "stats", "mean = 3", DATA, ""),
    "another mean": ("The mean is 4.", "stats", "mean = 4", DATA, "claim_refuted"),
    "a value that the statement does not use": ("The mean of 5 is 3.", "stats", "mean = 3", DATA, "values_missing"),
    "quoted data": ("The mean is 3.", "stats", "mean = 3", {"data": {"source": "words", "quote": "2, 3, 4"}}, ""),
    "a column of a whole source": (
        *("The mean is 3.", "stats", "mean = 3", {"data": {"source": "table"}, "column": "units"}, ""),
    ),
    "tables of a query": (QUERY, "sql", QUERY, {"schema": {"source": "tables"}, "dialect": "sqlite"}, ""),
    "a query that any number would do for": (
        OLDER,
        "sql",
        OLDER,
        {"schema": {"source": "tables"}},
        "claim_says_nothing",
    ),
    "a query of other tables": (QUERY, "sql", QUERY, {"schema": {"source": "others"}}, "claim_refuted"),
    "a document": (
        *("The document is valid.", "schema", "valid"),
        *({each: {"source": "list", "path": each} for each in ("document", "schema")}, ""),
    ),
    "premises": (
        *("x > 4", "logic", "x > 4", {"premise": [{"source": "premise"}], "declare": [{"source": "type"}]}, ""),
    ),
    "no such source": ("The mean is 3.", "stats", "mean = 3", {"data": {"source": "lists"}}, "no_such_source"),
    "no such path": (
        *("The mean is 3.", "stats", "mean = 3", {"data": {"source": "list", "path": "unit"}}, "no_such_path"),
    ),
    "no such quote": (
        *("The mean is 3.", "stats", "mean = 3", {"data": {"source": "words", "quote": "3, 3"}}, "quote_not_in_source"),
    ),
    "no such input": ("The mean is 3.", "stats", "mean = 3", {"datum": {"source": "list"}}, "claim_not_read"),
}


@pytest.mark.parametrize("name", GIVEN)
def test_what_an_engine_is_given_is_cited(name: str) -> None:
    passage, engine, statement, given, code = GIVEN[name]
    claim = {"passage": passage, "engine": engine, "statement": statement, "given": given}
    texts = {
        **{"words": "They sold 2, 3, 4 units.", "table": "name,units\na,2\nb,4\n", "tables": TABLES},
        **{"others": "CREATE TABLE people (name TEXT)", "premise": "x > 5", "type": "x: int"},
    }
    sources = [CitableSource("list", "…", LISTED), *(CitableSource(*each) for each in texts.items())]
    records = claim_records({"reader": "model-1", "claims": [claim]})
    found = grounding(passage, sources, records, _prove, "proposed")
    assert [each.refusal.code for each in found.refused] == ([code] if code else [])
    assert [each.document()["given"] for each in found.grounded] == ([] if code else [given])


@pytest.mark.parametrize(
    "given",
    [
        {"data": [3, 3, 3]},
        {"data": "3, 3, 3"},
        {"data": {"value": [3]}},
        {"data": {"source": "list", "path": "units", "quote": "3"}},
        {"premise": ["x > 5"]},
        {"premise": []},
        {"column": 3},
        [3],
    ],
)
def test_what_a_reader_writes_itself_is_no_input(given: object) -> None:
    claim = {"passage": "The mean is 3.", "engine": "stats", "statement": "mean = 3", "given": given}
    with pytest.raises(ValueError, match="given"):
        claim_records({"reader": "model-1", "claims": [claim]})
