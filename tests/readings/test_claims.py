"""The form of claim readings: what is read, what is written back, and what is refused with its place."""

from __future__ import annotations

import pytest

from probatum.readings.claims import TablePath, claim_records, json_of_claim

CITED = {"passage": "It opened in 1932.", "source": "doc", "quote": "opened in 1932"}
AT_PATH = {"passage": "1,200 units", "source": "doc", "path": ["sales", 0, "units"], "value": 1200}
IN_TABLE = {"passage": "1,200 units", "source": "doc", "path": {"row": "North", "column": "units"}, "value": 1200}
FORMAL = {"passage": "12 and 30 make 42", "engine": "math", "statement": "12 + 30 = 42"}
FORMS = {
    "citation": (CITED, "quote"),
    "path": (AT_PATH, "path"),
    "no value there": ({**AT_PATH, "value": None}, "path"),
    "cell": (IN_TABLE, "path"),
    "cell by columns": ({**IN_TABLE, "path": {"row": {"a": "x", "b": "y"}, "column": "c", "table": 1}}, "path"),
    "formal claim": (FORMAL, "claim math"),
    "formal claim with a quote": ({**FORMAL, "source": "doc", "quote": "12 and 30"}, "claim math"),
    "narrative": ({"passage": "Here it is:", "narrative": True}, "narrative"),
    "accepted": ({**CITED, "accepted": {"by": "Ada", "on": "2026-01-31"}}, "quote"),
    "rejected": ({**CITED, "rejected": {"by": "Ada", "on": "2026-01-31"}}, "quote"),
}


@pytest.mark.parametrize("row", FORMS.values(), ids=FORMS)
def test_what_is_read_is_written_back(row: tuple[dict[str, object], str]) -> None:
    claim, check = row
    whole = {"reader": "model-1", "claims": [claim]}
    [record] = claim_records(whole)
    assert record.claims[0].check == check
    assert json_of_claim(record.claims[0]) == claim


REFUSED = {
    "unknown key": ({**CITED, "quot": "x"}, r"readings.claims\[0\]: unknown key 'quot' \(Did you mean 'quote'\?\)"),
    "nothing": ({"passage": "It opened."}, "got a passage alone"),
    "two forms": ({**CITED, **AT_PATH}, r"expected a passage with one of source\+quote, source\+path\+value"),
    "a quote without a source": ({"passage": "x y", "quote": "x y"}, "got quote"),
    "an empty quote": ({**CITED, "quote": ""}, r"claims\[0\].quote: expected text"),
    "an empty passage": ({**CITED, "passage": ""}, r"claims\[0\].passage: expected text"),
    "not narrative": ({"passage": "x y", "narrative": False}, "expected true, or a claim without it"),
    "a value of several parts": ({**AT_PATH, "value": [1]}, "expected a number, text, true, false or null"),
    "a path of nothing": ({**AT_PATH, "path": []}, "expected a list of items, 1 or more"),
    "a path that is no path": ({**AT_PATH, "path": "sales[x].units"}, r"expected a path such as sales\[0\].units"),
    "a path with a fraction": ({**AT_PATH, "path": [0.5]}, "expected a whole number"),
    "a row without columns": ({**IN_TABLE, "path": {"row": {}, "column": "c"}}, "the text of one column or more"),
    "a cell without column": ({**IN_TABLE, "path": {"row": "North"}}, "the key 'column' is missing"),
    "accepted by nobody": ({**CITED, "accepted": {"by": "", "on": "2026-01-31"}}, "accepted.by: expected text"),
    "a lone surrogate": ({**CITED, "quote": "\ud800"}, "lone surrogate"),
}


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_names_its_place(row: tuple[dict[str, object], str]) -> None:
    claim, said = row
    with pytest.raises(ValueError, match=said):
        claim_records({"reader": "model-1", "claims": [claim]})


def test_a_reader_has_a_name() -> None:
    with pytest.raises(ValueError, match=r"readings\.reader: expected text"):
        claim_records({"reader": " ", "claims": []})


@pytest.mark.parametrize(
    ("written", "steps"),
    [
        ("sales[0].units", ("sales", 0, "units")),
        ("$.sales[0]['net units']", ("sales", 0, "net units")),
        ("[2]", (2,)),
        ("größe", ("größe",)),
    ],
)
def test_paths_can_be_written_as_text(written: str, steps: tuple[str | int, ...]) -> None:
    [record] = claim_records({"reader": "model-1", "claims": [{**AT_PATH, "path": written}]})
    assert record.claims[0].path == steps


def test_a_row_is_named_by_its_first_column_or_by_several() -> None:
    [record] = claim_records({"reader": "model-1", "claims": [IN_TABLE]})
    assert record.claims[0].path == TablePath((("", "North"),), "units")
