"""Tables of sources, and statements that are decided exactly from one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.judge.facts.table_statements import table_ruling
from probatum.judge.facts.tables import MAX_CELLS, SourceTable, TableCell, tables_in
from probatum.judge.request import TrustedSource

SUITES = Path(os.environ.get("PROBATUM_SUITES", ""))

QUARTERS = """Quarter,Revenue,Costs,Headcount
Q1,"$1,000,000","$800,000",12
Q2,"$1,100,000","$850,000",14
Q3,"$1,200,000","$900,000",15
Q4,"$1,150,000","$910,000",15
"""
SALES = """Name,Region,Units sold,Start date
Alice,North,120,2021-03-05
Bob,South,95,2019-07-01
Alice,South,10,2022-01-01
Carol,North,95,2020-02-29
"""
COUNTRIES = """Country,Capital,Population (millions),Area (km2),Founded,Growth
France,Paris,68.2,"551,695",843,0.3%
Germany,Berlin,84.5,"357,588",1871,0.7%
Spain,Madrid,48.6,"505,990",1479,1.2%
Italy,Rome,58.9,"301,340",1861,-0.1%
Total,,260.2,"1,716,613",,
"""
ORDERS = """| Order | Customer | Item | Amount | Date | Status |
|---|---|---|---|---|---|
| 1001 | Alice | Lamp | $40.00 | 2024-01-05 | shipped |
| 1002 | Bob | Desk | $250.00 | 2024-01-09 | open |
| 1003 | Alice | Chair | $80.00 | 2024-02-01 | shipped |
| 1004 | Alice | Lamp | $40.00 | 2024-02-11 | returned |
"""
GAMES = """name,home team,away team,home score,away score
m1,Reds,Blues,3,1
m2,Blues,Greens,2,2
m3,Greens,Reds,0,4
"""
STAFF = """Employee,Department,Salary,Hired,Manager
Alice,Sales,"52,000",2019,Bob
Bob,Sales,"71,000",2015,Boss
Boss,Board,"120,000",2010,
Cook,Kitchen,"64,000",2021,Boss
Waiter,Kitchen,"64,000",2018,Boss
"""
RUNS = """Test,Duration (ms),Result,Retries
login,120,pass,0
search,340,fail,2
checkout,95,pass,1
export,1200,fail,0
"""

TRUE, FALSE, UNDECIDED = "supported", "contradicted", None
CASES = {
    QUARTERS: {
        "Revenue in Q3 was 1.2 million.": TRUE,
        "Revenue in Q3 was $1.3 million.": FALSE,
        "Revenue in Q3 was $1,200,000.": TRUE,
        "Q3 had the highest revenue.": TRUE,
        "Q4 had the highest revenue.": FALSE,
        "Revenue was highest in Q3.": TRUE,
        "The highest revenue was $1.2 million in Q3.": UNDECIDED,
        "Revenue was lower in Q3 than in Q2.": FALSE,
        "Q3 had higher revenue than Q2.": TRUE,
        "Revenue in Q3 was $100,000 higher than in Q2.": TRUE,
        "The total revenue was $4,450,000.": UNDECIDED,
        "The total revenue was $4,460,000.": UNDECIDED,
        "Average headcount was 14.": UNDECIDED,
        "Average headcount was 12.": UNDECIDED,
        "Costs in Q2 were less than $900,000.": TRUE,
        "Costs never exceeded $900,000.": UNDECIDED,
        "There are four quarters.": TRUE,
        "Headcount in Q1 was not 12.": FALSE,
        "In Q1, revenue was $1,000,000 and costs were $850,000.": FALSE,
        "No quarter had a headcount below 12.": UNDECIDED,
        "All quarters had a headcount above 12.": UNDECIDED,
        # Rounded, a tie, another currency, and what the table does not tell of.
        "Revenue in Q3 was about 1.2 million.": UNDECIDED,
        "Q3 had the highest headcount.": UNDECIDED,
        "Revenue in Q3 was €1,200,000.": UNDECIDED,
        "Revenue in Q5 was $1 million.": UNDECIDED,
        "Profit in Q3 was $300,000.": UNDECIDED,
        "Q3 revenue will be $1.2 million.": UNDECIDED,
        "Average headcount was 13.": UNDECIDED,
        "Was revenue in Q3 $1,200,000?": UNDECIDED,
        "Costs in Q2 and Q3 were $1,750,000.": UNDECIDED,
    },
    SALES: {
        "Bob sold 95 units.": TRUE,
        "Bob sold 96 units.": FALSE,
        "Bob didn't sell 95 units.": FALSE,
        "Bob sold the most units.": FALSE,
        "Bob and Carol both sold 95 units.": TRUE,
        "Bob and Carol sold the same number of units.": UNDECIDED,
        "Bob sold more units than Carol.": FALSE,
        "Bob sold at least 95 units.": UNDECIDED,
        "Bob sold 95 units in the North.": FALSE,
        "Carol's start date is 29 February 2020.": UNDECIDED,
        "Carol's start date is March 1, 2020.": UNDECIDED,
        "Bob started before Carol.": TRUE,
        "Bob has the earliest start date.": TRUE,
        "Two people are from the North.": TRUE,
        "Three people are from the North.": FALSE,
        "Only Bob is in the South.": UNDECIDED,
        # Alice stands in two rows: the most of one of them, or of both together.
        "Alice sold the most.": UNDECIDED,
        "Alice sold 130 units.": UNDECIDED,
        "Alice sold more units than Bob.": UNDECIDED,
    },
    COUNTRIES: {
        "The capital of France is Paris.": TRUE,
        "The capital of France is Berlin.": FALSE,
        "France's capital isn't Berlin.": TRUE,
        "Germany's population is 84.5 million.": TRUE,
        "Germany has a population of 85.5 million.": FALSE,
        "France's area is 551,696 km2.": FALSE,
        "Growth in Spain was 1.2 percent.": TRUE,
        "Italy's growth was 0.1%.": FALSE,
        "Only Germany has a population above 70 million.": UNDECIDED,
        "The highest growth was 1.3% in Spain.": UNDECIDED,
        "The lowest growth was in Spain.": FALSE,
        "The total population is 260.2 million.": UNDECIDED,
        "There are four countries.": TRUE,
        "Madrid is the capital of Germany and Paris is the capital of France.": FALSE,
        "Madrid is the capital of Spain and Paris is the capital of France.": TRUE,
        "Germany has a population of 85 million.": UNDECIDED,
        "Italy has a population above 50.": UNDECIDED,
        "Germany has the second largest area.": UNDECIDED,
        "Portugal has a population of 10 million.": UNDECIDED,
        "France and Germany have a population of 152.7 million.": UNDECIDED,
        "Paris may be the capital of France.": UNDECIDED,
    },
    ORDERS: {
        "Order 1002 is open.": TRUE,
        "Order 1002 is shipped.": FALSE,
        "Bob's order is shipped.": FALSE,
        "Order 1003 has the status shipped.": TRUE,
        "Two orders are shipped.": TRUE,
        "Alice has 2 orders.": FALSE,
        "There are two different customers.": UNDECIDED,
        "The only open order is 1003.": UNDECIDED,
        "Order 1005 is open.": UNDECIDED,
        "Order 1004 was returned on time.": UNDECIDED,
        "Alice's amount is $160.": UNDECIDED,
        "50% of the orders are shipped.": UNDECIDED,
    },
    STAFF: {
        "Alice's manager is Bob.": UNDECIDED,
        "Alice's manager is Boss.": UNDECIDED,
        "Cook has the same salary as Waiter.": UNDECIDED,
        "Cook was hired after Waiter.": TRUE,
        "Alice was hired in 2018.": FALSE,
        "Alice's salary is between 55,000 and 60,000.": UNDECIDED,
        "Cook and Alice both earn 64,000.": FALSE,
        "Three employees have Boss as their manager.": TRUE,
        "No employee has a salary below 50,000.": UNDECIDED,
        "The lowest salary is 64,000.": UNDECIDED,
        # Who is whose manager, whose salary it is, and what a year is of.
        "Alice is the manager of Bob.": UNDECIDED,
        "Bob's manager is Alice.": UNDECIDED,
        "Kitchen has a salary of 128,000.": UNDECIDED,
        "Alice earned 52,000 in 2019.": UNDECIDED,
        "Alice's salary rose to 52,000.": UNDECIDED,
        "Bob met Alice.": UNDECIDED,
    },
    RUNS: {
        "The search test passed.": FALSE,
        "Two tests failed.": TRUE,
        "Login took 120 ms.": TRUE,
        "Login took 130 ms.": FALSE,
        "Search had 3 retries.": FALSE,
        "Search and login failed.": FALSE,
        "Search and export failed.": TRUE,
        "No test failed.": UNDECIDED,
        "Checkout failed with 1 retry.": FALSE,
        "Export took 1.2 seconds.": UNDECIDED,
        "Half of the tests failed.": UNDECIDED,
    },
    GAMES: {
        "The Reds were the home team in m1.": TRUE,
        "The Blues were the home team in m1.": FALSE,
        "m3 has the highest away score.": TRUE,
        "m2 has a home score of 2 and an away score of 3.": FALSE,
        "The Reds scored 4.": UNDECIDED,
        "The Reds won m1.": UNDECIDED,
    },
}


def table_of(rows: list[list[str]], title: str) -> SourceTable:
    """Return a table of texts, the header first, whose rows may be too short or too long."""
    width = len(rows[0])
    cells = [tuple(TableCell(each) for each in [*row, *[""] * width][:width]) for row in rows]
    return SourceTable(cells[0], tuple(cells[1:]), title)


def read(text: str) -> SourceTable:
    (table,) = tables_in(TrustedSource("table", text))
    return table


@pytest.mark.parametrize(
    ("text", "statement", "expected"),
    [(text, statement, expected) for text, cases in CASES.items() for statement, expected in cases.items()],
)
def test_statements_come_out_as_the_table_has_it(text: str, statement: str, expected: str | None) -> None:
    ruling = table_ruling(statement, read(text))
    assert (ruling and ruling.status) == expected, ruling


def test_a_ruling_names_the_cells_that_decide_it() -> None:
    ruling = table_ruling("Bob sold 96 units.", read(SALES))
    assert ruling is not None
    assert "'Bob'" in ruling.reason
    assert [SALES[cell.start : cell.end] for cell in ruling.cells] == ["Bob"]


@pytest.mark.parametrize(
    "text",
    [
        'name,note\nAlice,"a, b"\nBob,c\n',
        "name\tnote\nAlice\ta, b\nBob\tc\n",
        "name;note\nAlice;a, b\nBob;c\n",
        "Sales:\n\n| name | note |\n|:--|--:|\n| Alice | a, b |\n| Bob | c |\n\nEnd.",
        "name | note\n--- | ---\nAlice | a, b\nBob | c | lost",
        '[{"name": "Alice", "note": "a, b"}, {"name": "Bob", "note": "c"}]',
    ],
)
def test_tables_are_found_with_the_places_of_their_cells(text: str) -> None:
    table = read(text)
    assert [[cell.text for cell in row] for row in (table.header, *table.rows)] == [
        ["name", "note"],
        ["Alice", "a, b"],
        ["Bob", "c"],
    ]
    assert [text[cell.start : cell.end].strip('"') for row in table.rows for cell in row] == [
        "Alice",
        "a, b",
        "Bob",
        "c",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Alice sold more than Bob, who was ill.\nCarol, too, was ill.",
        "a,b\n1,2,3\n",
        'a,b\n"1,2\n',
        "[1, 2]",
        "[[1, 2], [3, 4]]",
        '[{"a": {"b": 1}}]',
        '[{"a": 1',
        '[{"a": 1, "a": 2, "b": 3}]',
        "| a | b |\n| 1 | 2 |",
        "<table><tr><td>alone</table>",
        "<p>a, b</p>\n<p>c, d</p>",
        "[" * 5_000,
        ",".join("abc" * 100) + "\n" + ",".join("1" * 300),
        "a,b\n" + "1,2\n" * MAX_CELLS,
    ],
)
def test_what_is_no_table_gives_none(text: str) -> None:
    assert tables_in(TrustedSource("text", text)) == ()


def test_rows_that_are_not_full_are_filled_in_markdown() -> None:
    table = read("|a|b|\n|-|-|\n|1|\n|2|3|")
    assert [[cell.text for cell in row] for row in table.rows] == [["1", ""], ["2", "3"]]


def test_signs_that_are_not_seen_change_nothing() -> None:
    table = read(SALES.replace("Bob", "B\u200bo\u202eb"))
    ruling = table_ruling("B\u200dob sold \u206695\u2069 units.", table)
    assert ruling is not None
    assert ruling.status == TRUE


@pytest.mark.parametrize(
    ("cells", "statement"),
    [
        (("5 km", "300 m"), "Bob has the highest score."),
        (("$5", "€4"), "Alice has a higher score than Bob."),
        (("5", "6 (7)"), "Bob has the highest score."),
        (("5", "5"), "Bob has the highest score."),
        (("5-6", "7"), "Bob has a higher score than Alice."),
        (("1st", "2nd"), "Bob has a higher score than Alice."),
    ],
)
def test_numbers_that_can_be_read_in_two_ways_decide_nothing(cells: tuple[str, str], statement: str) -> None:
    assert table_ruling(statement, read(f"name;score\nAlice;{cells[0]}\nBob;{cells[1]}\n")) is None


def test_rows_of_totals_and_repeated_headers_are_no_rows() -> None:
    table = read("name,score\nAlice,5\nname,score\nBob,6\nTotal,11\n")
    for statement in ("Bob has the highest score.", "There are 2 rows with score above 4."):
        ruling = table_ruling(statement, table)
        assert ruling is not None
        assert ruling.status == TRUE


def test_other_scripts_are_read_as_they_are() -> None:
    table = read("שם,עיר\nדנה,חיפה\nיוסי,אילת\n")
    ruling = table_ruling("דנה חיפה", table)
    assert ruling is not None
    assert ruling.status == TRUE


@pytest.mark.parametrize(
    "statement",
    [
        " and ".join(["Alice sold 95 units"] * 30),
        "sold " * 100,
        "Alice and " * 50,
        "units units units units units units units 95",
        "9" * 600,
        "\ud800",
    ],
)
def test_statements_that_make_no_sense_are_left_undecided(statement: str) -> None:
    assert table_ruling(statement, read(SALES)) is None


def test_a_large_table_is_read() -> None:
    table = read("name,city,score\n" + "".join(f"p{at},London,{at}\n" for at in range(9_000)))
    ruling = table_ruling("p7 of London has a score of 8 and London has the highest score", table)
    assert ruling is None or ruling.status == FALSE
    assert table_ruling("There are 9,000 rows with city London.", table) is not None


_WORDS = st.sampled_from(
    [
        "Alice",
        "Bob",
        "North",
        "units",
        "sold",
        "most",
        "more",
        "than",
        "not",
        "only",
        "95",
        "120",
        "and",
        "average",
        "2",
        "rows",
    ]
)


@given(st.lists(_WORDS, max_size=12).map(" ".join))
def test_any_words_give_an_answer_or_none(statement: str) -> None:
    ruling = table_ruling(statement, read(SALES))
    assert ruling is None or ruling.cells is not None
    assert ruling == table_ruling(statement, read(SALES))


@given(st.text(max_size=200))
def test_any_text_has_tables_or_none(text: str) -> None:
    for table in tables_in(TrustedSource("text", text)):
        assert all(len(row) == len(table.header) for row in table.rows)
        table_ruling(text, table)


@pytest.mark.parametrize(("name", "score"), [("Bob", 95), ("Carol", 95)])
@given(number=st.integers(0, 200))
def test_a_number_is_right_where_it_is_the_one_of_the_cell(name: str, score: int, number: int) -> None:
    ruling = table_ruling(f"{name} sold {number} units.", read(SALES))
    assert ruling is not None
    assert (ruling.status == TRUE) is (number == score)


@pytest.mark.skipif(
    not (SUITES / "tabfact-val-1500.jsonl").is_file(), reason="PROBATUM_SUITES names no folder with the suites"
)
def test_statements_on_published_tables_are_decided_rightly() -> None:
    rows = [json.loads(line) for line in (SUITES / "tabfact-val-1500.jsonl").read_text("utf-8").splitlines()]
    told = [
        (ruling.status == TRUE) is bool(row["label"])
        for row in rows
        if (ruling := table_ruling(row["claim"], table_of(row["table"], row["title"]))) is not None
    ]
    assert len(told) >= 250
    assert sum(told) / len(told) >= 0.97
