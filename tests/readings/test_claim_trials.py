"""The mechanical trial of claim readings, and attacks on it."""

from __future__ import annotations

import pytest

from tests.readings.grounds import grounded_by

Claim = dict[str, object]


def _cited(passage: str, quote: str) -> Claim:
    return {"passage": passage, "source": "doc", "quote": quote}


def _same(passage: str, quote: str) -> tuple[str, str, Claim]:
    """Return an output and a source that hold nothing else."""
    return passage, quote, _cited(passage, quote)


def _at(passage: str, path: object, value: object) -> Claim:
    return {"passage": passage, "source": "doc", "path": path, "value": value}


def _formal(passage: str, statement: str, engine: str = "math") -> Claim:
    return {"passage": passage, "engine": engine, "statement": statement}


GROUNDED = {
    "the same words": ("It opened in 1932.", "It opened in 1932.", _cited("opened in 1932", "opened in 1932")),
    "other words, same values": ("Open since 1932.", "It opened in 1932.", _cited("Open since 1932", "opened in 1932")),
    "white space": ("It  opened\nin 1932.", "It opened in\t1932.", _cited("It opened in 1932.", "It opened in 1932.")),
    "a value written otherwise": (
        "1.2 million dollars",
        "USD 1,200,000",
        _cited("1.2 million dollars", "USD 1,200,000"),
    ),
    "a date written otherwise": (
        "on 31 January 2026",
        "2026-01-31: open",
        _cited("on 31 January 2026", "2026-01-31: open"),
    ),
    "the year of a date": _same("in 2026", "on 31 January 2026"),
    "a quotation": ('He said "we lost".', "we lost, he said", _cited('He said "we lost"', "we lost, he said")),
    "a month of a date": _same("in April 1866", "on 14 April 1866"),
    "a day of a date": _same("on June 27.", "on 27 June 2015"),
    "a weekday of a date": _same("on Monday, 5 May", "on 5 May 2025"),
    "a space before the comma": _same("on November 22nd , 1968 .", "on 22 November 1968"),
    "the year of a date of digits": _same("in 2002", "on 12.02.2002"),
    "the first year of two": _same("from 1914 on", "1914 - 1918"),
    "a score": _same("won 24 - 7", "24\u20137 in the end"),
    "a letter composed otherwise": _same("The caf\u00e9 of 1932", "The cafe\u0301 of 1932"),
    "a quotation composed otherwise": _same('He said "caf\u00e9".', "the cafe\u0301, he said"),
    "no value": _same("The bridge is open.", "Traffic flows."),
    "another language": _same("收入增长20%", "Revenue: 20%"),
    "a part of a line of Chinese": ("收入增长20%", "公司收入增长20%。", _cited("收入增长20%", "收入增长20%")),
    "a path": ("North sold 1,200 units.", "", _at("sold 1,200 units", ["sales", 0, "units"], 1200)),
    "a path as text": ("1,200 units", "", _at("1,200 units", "sales[0].units", 1200)),
    "a share as a percentage": ("a share of 20 %", "", _at("a share of 20 %", "sales[0].share", 0.2)),
    "days at a path": ("It took 3 days.", "", _at("took 3 days", "sales[0].days", 3)),
    "a text at a path": ("The deal is closed.", "", _at("deal is closed", "sales[0].state", "closed")),
    "a truth at a path": ("It was audited.", "", _at("It was audited", "sales[0].audited", True)),
    "a cell": ("South sold 900.", "", _at("South sold 900", {"row": "South", "column": "units"}, 900)),
    "a cell of two names": (
        *("In 2024 North sold 1,300.", ""),
        _at("In 2024 North sold 1,300", {"row": {"region": "North", "year": "2024"}, "column": "units"}, "1,300"),
    ),
    "a sum": ("12 and 30 make 42.", "", _formal("12 and 30 make 42", "12 + 30 = 42")),
    "a sum of money": ("$12 and $30 make $42.", "", _formal("$12 and $30 make $42", "12 + 30 = 42")),
    "a sum of days": (
        "After 3 days come 4 days, which is 7 days.",
        "",
        _formal("After 3 days come 4 days, which is 7 days", "3 + 4 = 7"),
    ),
    "a sum of millions": (
        *("1.2 million and 0.8 million make 2 million.", ""),
        _formal("1.2 million and 0.8 million make 2 million", "1.2 + 0.8 = 2"),
    ),
    "a scale written out": ("2 thousand is 2 * 1000.", "", _formal("2 thousand is 2 * 1000", "2000 = 2 * 1000")),
    "a percentage in hundredths": ("20 % of 50 is 10", "", _formal("20 % of 50 is 10", "20 / 100 * 50 = 10")),
    "a percentage": ("20 % of 50 is 10", "", _formal("20 % of 50 is 10", "0.2 * 50 = 10")),
    "a statement that is there": ("So max(a) holds: 3 > 2", "", _formal("3 > 2", "3 > 2")),
    "a sum of cited values": (
        *("Both sold 42.", "One sold 12, the other 30."),
        {**_cited("Both sold 42", "One sold 12, the other 30"), **_formal("Both sold 42", "12 + 30 = 42")},
    ),
    "narrative": ("Here is the summary:", "", {"passage": "Here is the summary:", "narrative": True}),
}


@pytest.mark.parametrize("row", GROUNDED.values(), ids=GROUNDED)
def test_what_is_grounded(row: tuple[str, str, Claim]) -> None:
    output, source, claim = row
    found = grounded_by(output, source, claim)
    assert [each.refusal for each in found.refused] == []
    [grounded] = found.grounded
    assert grounded.meaning_by == "model-1"


REFUSED = {
    "cents that no float keeps": (
        *("It has $1234567890123456.78 now.", "It had $1234567890123456.79."),
        _cited("It has $1234567890123456.78 now.", "It had $1234567890123456.79."),
        "values_missing",
    ),
    "a passage that is not there": ("It closed.", "", _cited("It opened.", "x"), "passage_not_in_output"),
    "a quote that is not there": (
        "It opened.",
        "It closed.",
        _cited("It opened.", "It opened."),
        "quote_not_in_source",
    ),
    "a source that is not there": (
        *("It opened.", "It opened."),
        {**_cited("It opened.", "It opened."), "source": "dok"},
        "no_such_source",
    ),
    "a digit of a longer number": ("sold 12", "sold 312", _cited("sold 12", "12"), "quote_not_in_source"),
    "a number before its thousands": ("sold 12", "sold 12,500", _cited("sold 12", "sold 12"), "quote_cuts_value"),
    "a number before its fraction": ("sold 12", "sold 12.5", _cited("sold 12", "sold 12"), "quote_cuts_value"),
    "a number without its unit": ("12", "12 km", _cited("12", "12"), "quote_cuts_value"),
    "a number without its sign": ("12", "fell by -12", _cited("12", "12"), "quote_cuts_value"),
    "a number that begins a date": ("31", "on 31 January 2026", _cited("31", "31"), "quote_cuts_value"),
    "a word of a longer word": ("The art", "The party", _cited("The art", "art"), "quote_not_in_source"),
    "a passage out of a number": ("sold 12,500", "sold 12", _cited("sold 12", "sold 12"), "passage_cuts_value"),
    "one letter": ("a b c", "a b c", _cited("a b c", "a"), "quote_too_short"),
    "one sign of the output": ("a. b", "a. b", _cited("a", "a. b"), "passage_too_short"),
    "white space": ("a b", "a b", _cited("a b", "  "), "quote_not_in_source"),
    "another number": (*_same("sold 13", "sold 12"), "values_missing"),
    "another unit": (*_same("12 miles", "12 km"), "values_missing"),
    "another currency": (*_same("$12", "€12"), "values_missing"),
    "no unit": (*_same("12 km", "12 persons"), "values_missing"),
    "a percentage and a number": (*_same("12 %", "12 persons"), "values_missing"),
    "another date": (
        *("on 1 May 2020", "on 2 May 2020"),
        _cited("on 1 May 2020", "on 2 May 2020"),
        "values_missing",
    ),
    "a date in digits alone": (*_same("03/04/2026", "04/03/2026"), "values_missing"),
    "another month, no year": (*_same("on June 27", "on May 27"), "values_missing"),
    "another month of a year": (*_same("in June of 1866", "on April 14, 1866"), "values_missing"),
    "months that changed places": (*_same("May 5 and June 6", "June 5 and May 6"), "values_missing"),
    "a day that is a number": (*_same("27 came", "on May 27"), "values_missing"),
    "another last day": (*_same("May 5-7", "May 5-8"), "values_missing"),
    "another weekday": (*_same("on Tuesday, 5 May", "on Monday, 5 May"), "values_missing"),
    "a weekday and another day": (*_same("on Monday the 5th", "on Tuesday the 5th"), "values_missing"),
    "a score the other way round": (*_same("won 7 - 24", "won 24 - 7"), "values_missing"),
    "a ratio the other way round": (*_same("3 : 2", "2 : 3"), "values_missing"),
    "a half of a score": ("won 24 - 7", "won 24", _cited("won 24", "won 24"), "passage_cuts_value"),
    "the month of a date of digits": (*_same("in February 2002", "on 12.02.2002"), "values_missing"),
    "a number used twice": (
        *("2 regions sold 1 unit", ""),
        _formal("2 regions sold 1 unit", "1 + 1 = 2"),
        "claim_adds_values",
    ),
    "another version": (*_same("version 1.2.3", "version 1.2.4"), "values_missing"),
    "another quotation": (*_same('"we lost"', "we won"), "values_missing"),
    "a letter that looks the same": (
        "It opened",
        "It \u043epened",
        _cited("It opened", "It opened"),
        "quote_not_in_source",
    ),
    "digits that look the same": (
        "sold \uff11\uff12",
        "sold 12",
        _cited("sold \uff11\uff12", "sold 12"),
        "values_missing",
    ),
    "an invisible sign in a number": (
        "sold 1\u200b2",
        "1 or 2",
        _cited("sold 1\u200b2", "1 or 2"),
        "hidden_characters",
    ),
    "signs that reorder": (*_same("a \u202e21 sold", "12 sold"), "hidden_characters"),
    "a path that is not there": ("1,200", "", _at("1,200", "sales[1].units", 1200), "no_such_path"),
    "a path to several values": ("1,200", "", _at("1,200", "sales[0]", 1200), "no_such_path"),
    "another value at the path": ("1,300", "", _at("1,300", "sales[0].units", 1300), "value_differs"),
    "a truth for a number": ("1", "", _at("1", "sales[0].audited", 1), "value_differs"),
    "the value of the path, another in the passage": (
        *("sold 1,300", ""),
        _at("sold 1,300", "sales[0].units", 1200),
        "value_not_in_passage",
    ),
    "one value too many in the passage": (
        *("1,200 of 2,000", ""),
        _at("1,200 of 2,000", "sales[0].units", 1200),
        "values_missing",
    ),
    "another word than the path has": (
        "is open",
        "",
        _at("is open", "sales[0].state", "closed"),
        "value_not_in_passage",
    ),
    "a row that two have": ("1,200", "", _at("1,200", {"row": "North", "column": "units"}, 1200), "no_such_path"),
    "a column that is not there": ("900", "", _at("900", {"row": "South", "column": "unit"}, 900), "no_such_path"),
    "a table that is not there": (
        *("900", ""),
        _at("900", {"row": "South", "column": "units", "table": 1}, 900),
        "no_such_path",
    ),
    "a false sum": ("12 and 30 make 43", "", _formal("12 and 30 make 43", "12 + 30 = 43"), "claim_refuted"),
    "a sum of other values": ("12 and 30 make 42", "", _formal("12 and 30 make 42", "2 + 2 = 4"), "values_missing"),
    "a value is left out": ("12 and 30 make 42", "", _formal("12 and 30 make 42", "42 = 12 * 3.5"), "values_missing"),
    "another scale": (
        *("2 million and 3 thousand make 5 million", ""),
        _formal("2 million and 3 thousand make 5 million", "2 + 3 = 5"),
        "values_missing",
    ),
    "another unit in a sum": (
        *("5 km and 3 m make 8 km", ""),
        _formal("5 km and 3 m make 8 km", "5 + 3 = 8"),
        "values_missing",
    ),
    "another currency in a sum": (
        *("$5 and €3 make $8", ""),
        _formal("$5 and €3 make $8", "5 + 3 = 8"),
        "values_missing",
    ),
    "a percentage as a number": (
        *("20 % and 5 make 25", ""),
        _formal("20 % and 5 make 25", "20 + 5 = 25"),
        "values_missing",
    ),
    "a part of a number": ("sold 12", "", _formal("sold 12", "12.5 = 25 / 2"), "values_missing"),
    "a part of a text at a path": (
        *("in 12.5 years", ""),
        _at("in 12.5 years", "sales[0].code", "12"),
        "value_not_in_passage",
    ),
    "a tautology": ("rose 20 %", "", _formal("rose 20 %", "20 = 20"), "claim_says_nothing"),
    "a tautology with a sum": ("20 of 50", "", _formal("20 of 50", "20 + 50 = 50 + 20"), "claim_says_nothing"),
    "a value that does not matter": ("5 of 7", "", _formal("5 of 7", "5 * 0 + 7 = 7"), "claim_says_nothing"),
    "a claim about a number of its own": ("rose 20 %", "", _formal("rose 20 %", "20 + 1 = 21"), "claim_adds_values"),
    "a sign is lost": ("It is -5.", "", _formal("is -5", "5 = 5"), "values_missing"),
    "a claim about nothing that is said": ("It is so.", "", _formal("It is so.", "2 + 2 = 4"), "values_missing"),
    "an engine that is not there": ("3 > 2", "", _formal("3 > 2", "3 > 2", "maths"), "claim_not_read"),
    "a statement that is not read": ("3 > 2", "", _formal("3 > 2", "3 > 2 indeed"), "claim_undecided"),
    "narrative with a value": ("It has 12.", "", {"passage": "It has 12.", "narrative": True}, "narrative_has_values"),
}


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(row: tuple[str, str, Claim, str]) -> None:
    output, source, claim, code = row
    found = grounded_by(output, source, claim)
    assert [each.refusal.code for each in found.refused] == [code], found
    assert found.open
    assert found.refused[0].refusal.detail.endswith((".", "?"))


def test_what_is_missing_is_named_with_the_nearest_value() -> None:
    found = grounded_by(*_same("sold 13 units", "sold 900 or 12 units"))
    assert found.refused[0].refusal.detail == "The quote does not state '13'; the nearest value is '12'."
    assert found.refused[0].refusal.values == ("13",)


def test_a_quote_that_departs_is_reported_with_the_place() -> None:
    found = grounded_by("It opened.", "The bridge opened late.", _cited("It opened.", "The bridge opened l\u0430te."))
    assert found.refused[0].refusal.detail.endswith("departs at 'The bridge opened l\\u0430te.'.")


def test_the_words_around_a_quote_are_shown() -> None:
    source = "The bridge opened in 1932. However, none of this happened."
    [grounded] = grounded_by("It opened in 1932.", source, _cited("It opened in 1932.", "opened in 1932")).grounded
    assert grounded.tried.cited is not None
    assert grounded.tried.cited.before == "The bridge"
    assert grounded.tried.cited.after == ". However, none of this happened."


def test_values_of_other_things_are_shown_side_by_side() -> None:
    output, source = "North sold 10 and South 20.", "North sold 20 and South 10."
    [grounded] = grounded_by(output, source, _cited(output, source)).grounded
    assert grounded.tried.compared == (("10", "10"), ("20", "20"))
    assert grounded.meaning_by == "model-1"


def test_numbers_that_a_claim_adds_are_told() -> None:
    [grounded] = grounded_by("Half of 84 is 42.", "", _formal("Half of 84 is 42", "84 / 2 = 42")).grounded
    assert grounded.tried.added == ("2",)


def test_numbers_in_words_are_words() -> None:
    found = grounded_by(*_same("Twelve were sold.", "Ten were sold."))
    assert found.grounded[0].tried.compared == ()


def test_five_hundred_readings() -> None:
    output = "\n".join(f"Line {number} sold {number} units." for number in range(500))
    source = "".join(f"Row {number}: {number} units sold. " for number in range(500))
    rows = [_cited(f"Line {number} sold {number} units.", f"Row {number}: {number} units") for number in range(500)]
    found = grounded_by(output, source, *rows)
    assert (len(found.grounded), found.open) == (500, ())


def test_offsets_are_those_of_the_text_whatever_is_composed() -> None:
    output, source = "Cafe\u0301s: e\u0301te\u0301 1932.", "Un e\u0301te\u0301, 1932: u\u0308ber Cafés."
    [found] = grounded_by(output, source, _cited("\u00e9t\u00e9 1932.", "\u00e9t\u00e9, 1932")).grounded
    assert found.tried.cited is not None
    assert output[slice(*found.span)] == "e\u0301te\u0301 1932."
    assert source[found.tried.cited.start : found.tried.cited.end] == "e\u0301te\u0301, 1932"


HOSTILE = {
    "accents": ("b", "a" + "\u0316\u0300" * 500_000, "quote_not_in_source"),
    "words": ("aa " * 5_000 + "b", "aa " * 1_600_000, "quote_not_in_source"),
    "letters": ("a" * 10_000, "a" * 5_000_000, "quote_not_in_source"),
    "values": ("12", "312,500 12,5 " * 400_000, "quote_cuts_value"),
}


@pytest.mark.parametrize("row", HOSTILE.values(), ids=HOSTILE)
def test_quotes_that_nearly_are_everywhere_in_a_large_source(row: tuple[str, str, str]) -> None:
    quote, source, code = row
    found = grounded_by("Line 12", source, _cited("Line 12", quote))
    assert [each.refusal.code for each in found.refused] == [code]
