"""What is decided of every odd file, and which contracts are refused."""

import pytest
from probatum_csv import CsvKind
from probatum_csv.contract import contract_of

from probatum.core.command import NOTHING
from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.events import ignore
from probatum.core.shape import ShapeError
from probatum.verification.kind import RequestLine

ID = {"name": "id", "type": "whole", "required": True}
NOTE = {"name": "note", "type": "text"}
CONTRACT = {"columns": [ID, NOTE], "unique": ["id"]}
KIND = CsvKind()


def seen(text, contract=CONTRACT):
    request = KIND.request(RequestLine("a", {"id": "a", "kind": "csv", "text": text, "header": contract}))
    return KIND.open(NOTHING, None).observe(request, ignore)


@pytest.mark.parametrize(
    "text",
    ["id,note\n1,a\n", "\ufeffid,note\r\n1,a\r\n", "id,note\r1,\r", 'id,note\n1,"a ""b"",\nc"\n', "id,note\n1,\0\n"],
)
def test_these_files_are_as_demanded(text):
    assert seen(text).decide().outcome is Outcome.PROVED
    assert seen(text).proof() == seen(text).proof()


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("id,id\n1,a\n", 1, "header: "),
        ("note,id\na,1\n", 1, "header: "),
        ("\n1,a\n", 1, "header: "),
        ("id,note\n1\n", 2, "width: expected 2 values, got 1"),
        ("id,note\n1,a,b\n", 2, "width: expected 2 values, got 3"),
        ("id,note\n\n1,a\n", 2, "width: "),
        ('id,note\n1,"a"b\n', 2, "form: "),
        ('id,note\n1,a\n2,"b', 3, "form: "),
        ('id,note\n1,"a\n\n"\nx,b\n', 5, "column id: expected a whole number"),
        ("id,note\n,a\n", 2, "column id: expected a whole number, got ''"),
        ("id,note\n١,a\n", 2, "column id: "),
        ("id,note\n1,a\n1,b\n", 3, "unique id: "),
    ],
)
def test_these_files_are_refuted_with_the_line(text, line, said):
    observed = seen(text)
    assert observed.decide().outcome is Outcome.REFUTED
    assert any(each.location.line == line and each.message.startswith(said) for each in observed.findings())


@pytest.mark.parametrize("text", ["", "\ufeff", "id,note\n"])
def test_without_rows_nothing_is_decided(text):
    assert seen(text).decide().outcome is Outcome.UNDECIDED


def test_a_contract_that_demands_nothing_of_values_decides_nothing():
    assert seen("note\na\n", {"columns": [NOTE]}).decide().outcome is Outcome.UNDECIDED
    assert seen("n\n\n", {"columns": [{"name": "n", "type": "number"}]}).decide().outcome is Outcome.UNDECIDED


def test_beyond_the_budgets_nothing_is_decided_and_odd_bytes_are_not_judged():
    for text in ("x" * 16_000_001, "id,note\n1," + "x" * 100_001, "id,note\n" + "1,\n" * 200_001):
        with pytest.raises(BudgetError):
            seen(text)
    request = KIND.request(RequestLine("a", {"id": "a", "kind": "csv", "text": "", "header": CONTRACT}))
    with pytest.raises(NotAttemptedError):
        KIND.open(NOTHING, None).observe(type(request)(b"\xff", "a", request.contract), ignore)


@pytest.mark.parametrize(
    ("column", "right", "wrong"),
    [
        (
            {"type": "number", "least": 0.1, "most": 2},
            ["0.1", "+2", "2.000"],
            ["0.09999999999999999999", "1e1", ".5", "x"],
        ),
        ({"type": "whole"}, ["-0", "9" * 9000], ["1.0", "1_0", " 1", "--1"]),
        ({"type": "date"}, ["2024-02-29"], ["2023-02-29", "20240229", "2024-2-9", "0000-01-01"]),
        ({"type": "flag"}, ["true", "false"], ["True", "1"]),
        ({"type": "text", "least": 2, "most": 3}, ["ab", "abc"], ["a", "abcd"]),
        ({"type": "text", "choices": ["a", "b"]}, ["a"], ["A", "c"]),
    ],
)
def test_types_and_limits(column, right, wrong):
    contract = {"columns": [{"name": "x", **column}]}
    assert all(seen(f"x\n{value}\n", contract).decide().outcome is Outcome.PROVED for value in right)
    assert all(seen(f"x\n{value}\n", contract).decide().outcome is Outcome.REFUTED for value in wrong)


@pytest.mark.parametrize(
    "contract",
    [
        {},
        {"columns": []},
        {"columns": [ID, ID]},
        {"columns": [ID], "uniqe": []},
        {"columns": [ID], "unique": ["no"]},
        {"columns": [{**ID, "requird": True}]},
        {"columns": [{"name": "a", "type": "int"}]},
        {"columns": "id"},
        [],
        None,
        {"columns": [{"name": "a", "type": "flag", "least": 1}]},
        {"columns": [{**ID, "choices": ["x"]}]},
        {"columns": [ID, NOTE], "rules": [["id", "<", "note"]]},
        {"columns": [ID], "rules": [["id", "~", "id"]]},
        {"columns": [ID], "rules": [["id", "<"]]},
    ],
)
def test_these_contracts_are_refused(contract):
    with pytest.raises(ShapeError):
        contract_of(contract)
