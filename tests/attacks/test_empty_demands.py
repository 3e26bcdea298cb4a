"""What was demanded and gives nothing to check never ends VERIFIED; its siblings, which give something, do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from probatum.app.kinds import built_in_kinds
from probatum.core.errors import UsageError
from probatum.verification.kind import RequestLine
from tests.cli.command import Commands
from tests.cli.conftest import commands as _commands
from tests.cli.programs import HOLDING
from tests.services import ProgramRequest, Service, tolerant

commands = _commands
NAME = "program.contract_gives_nothing"
GIVES = "net_price(238, 19) == 200"
SESSION = ">>> net_price(238, 19)\n200\n"
STUB = 'def net_price(gross, percent):\n    """The price.\n\n    {}\n    """\n'
EMPTY: Mapping[str, tuple[str, str]] = {
    "nothing": ("", "the contract is empty"),
    "blanks": ("   ", "the contract is empty"),
    "blank lines": ("\n\n \t\n", "the contract is empty"),
    "comments": ("# as agreed with sales\n# more to come\n", "no clause about net_price"),
    "a byte order mark": ("\ufeff", "no clause about net_price"),
    "a blank that no eye sees": ("\u200b\n", "no clause about net_price"),
    "a heading": ("Requirements:\n", "no clause about net_price"),
    "prose": ("It returns the price without tax.", "no clause about net_price"),
    "a demand in words": ("The price must be fair.", "line 1 of the contract gives no clause: The price must be fair."),
    "a condition on nothing": ("1 + 1 == 2", "line 1 of the contract gives no clause: 1 + 1 == 2"),
    "a condition on the result alone": ("result >= 0", "no clause: result >= 0"),
    "a call without a value": ("net_price(238, 19)", "no clause: net_price(238, 19)"),
    "a session without an answer": (">>> net_price(238, 19)\n", "no clause: >>> net_price(238, 19)"),
    "what is no value": ("net_price(238, 19) -> two hundred", "what follows is not a value"),
    "a stub that says nothing": (STUB.format("It is fair."), "no clause about net_price"),
    "a path without its @": ("contract.txt", "no clause about net_price"),
    "a number": ("7", "no clause about net_price"),
    "a comparison of nothing": (">>> 1 == 1\nTrue\n", "it uses nothing that the program defines"),
    "an assertion of nothing": ("assert True", "it uses nothing that the program defines"),
    "a session of built-ins": (">>> xs = [3, 1]\n>>> sorted(xs)\n[1, 3]\n", "it uses nothing that the program defines"),
    "what takes the name alone": (">>> net_price = 3\n>>> net_price\n3\n", "nothing that the program defines"),
    "one line of two": (f"{GIVES}\nnet_price(5) = many", "line 2 of the contract gives no clause"),
    "one line of three": (f"{GIVES}\n\nresult <= gross\nIt is fair.", "line 3 of the contract gives no clause"),
    "a demand in words beside a clause": (f"{GIVES}\nIt is never negative.", "line 2 of the contract gives no clause"),
    "a session that breaks off": (f"{SESSION}>>> net_price(1, 0)\n", "line 3 of the contract gives no clause"),
    "an unknown name": (f"{GIVES}\nnet_price(RATE, 0) == 1", "line 2 of the contract gives no clause"),
}
GIVING: Mapping[str, str] = {
    "a clause": GIVES,
    "a session": SESSION,
    "a session that shows more": f">>> gross = 238\n>>> gross\n238\n{SESSION}",
    "clauses with what explains them": f"Prices are whole.\n\n# as agreed\n{GIVES}\nnet_price(100, 0) == 100\n",
    "a heading and a clause": f"The price must be right:\n{GIVES}\n",
    "lines ended as elsewhere": f"As agreed.\r\n{GIVES}\r\n",
    "bullets": f"- {GIVES}\n- net_price(100, 0) == 100\n",
    "a stub": STUB.format(">>> net_price(238, 19)\n    200"),
    "a promise": f"{GIVES}\nDoes not modify its arguments.",
    "an exception": f"{GIVES}\nRaises ZeroDivisionError if percent == -100.",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", EMPTY)
def test_what_gives_nothing_is_undecided_and_named(name: str, service: Service) -> None:
    contract, told = EMPTY[name]
    answer = service.verify_program(ProgramRequest(HOLDING, "app.py", contract=contract))
    assert (answer.verdict.constraint_id, answer.exit_code) == (NAME, 3)
    assert told in str(answer.verdict.developer_fields["reasons"])
    assert "Say each demand as an example" in answer.sheet.next_step


@pytest.mark.parametrize("name", GIVING)
def test_what_gives_something_is_verified(name: str, service: Service) -> None:
    request = tolerant(HOLDING, "app.py", contract=GIVING[name])
    verdict = service.verify_program(request).verdict
    assert verdict.is_verified, verdict


def test_words_beside_clauses_are_statements_like_any_other(service: Service) -> None:
    contract = GIVING["clauses with what explains them"]
    verdict = service.verify_program(ProgramRequest(HOLDING, "app.py", contract=contract)).verdict
    assert verdict.constraint_id == "program.statement_unchecked"
    assert "line 3 of the contract: # as agreed" in str(verdict.developer_fields["reasons"])


def test_a_wrong_program_stays_refuted(service: Service) -> None:
    wrong = HOLDING.replace(b"(100 + percent)", b"(101 + percent)")
    assert service.verify_program(ProgramRequest(wrong, "app.py", contract="")).verdict.outcome == "refuted"


def test_an_earlier_version_that_is_the_program_itself_shows_nothing(service: Service) -> None:
    verdict = service.verify_program(ProgramRequest(HOLDING, "app.py", against=HOLDING)).verdict
    assert verdict.constraint_id == NAME
    earlier = HOLDING + b"\n# before\n"
    assert service.verify_program(ProgramRequest(HOLDING, "app.py", against=earlier)).verdict.is_verified


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "tests",
    [
        b"",
        b"  \n",
        b"# none\n",
        b"x = 1\n",
        b"def check_it():\n    assert True\n",
        b"def test_it():\n    assert True\n",
    ],
)
def test_a_file_without_a_test_is_undecided(tests: bytes, service: Service) -> None:
    verdict = service.verify_program(ProgramRequest(HOLDING, "app.py", tests=tests)).verdict
    assert verdict.outcome == "undecided"


@pytest.mark.parametrize(
    ("contract", "outcome"),
    [("", "undecided"), ("   ", "undecided"), (7, None), ([], None), ({}, None), (False, None), (None, "tested")],
)
def test_a_line_of_a_batch_is_asked_the_same(contract: object, outcome: str | None, service: Service) -> None:
    kind = built_in_kinds()["program"]
    line = RequestLine("1", {"id": "1", "kind": "program", "source": HOLDING.decode(), "contract": contract})
    if outcome is None:
        with pytest.raises(UsageError, match="'contract' must be text"):
            kind.request(line)
        return
    assert service.answer(kind, kind.request(line)).verdict.outcome == outcome


def test_every_door_of_the_command(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(HOLDING)
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "blank.txt").write_bytes(b"\n \n")
    (tmp_path / "folder").mkdir()
    for words in (["--contract="], ["--contract", ""], ["--contract", "@empty.txt"], ["--contract", "@blank.txt"]):
        ended = commands.run("verify", "app.py", *words)
        assert (ended.code, "the contract is empty" in ended.stdout) == (3, True), words
    for words, told in (
        (["--contract", "@none.txt"], "none.txt"),
        (["--contract", "@folder"], "folder"),
        (["--contract", "@"], "An empty path was given"),
        (["--contract", GIVES, "--contract", SESSION], "--contract was given twice"),
        (["--contract=x", "--level", "quick", "--contract=y"], "--contract was given twice"),
        (["--tests", "empty.txt", "--tests=blank.txt"], "--tests was given twice"),
    ):
        ended = commands.run("verify", "app.py", *words)
        assert (ended.code, told in ended.stderr) == (2, True), (words, ended)


@pytest.mark.parametrize(
    "contract", ["def gross(x):\n    '''\n    >>> gross(1)\n    1\n    '''\n", "subtract(5, 3) == 2"]
)
def test_a_contract_about_what_the_program_does_not_define_is_undecided(contract: str, service: Service) -> None:
    answer = service.verify_program(ProgramRequest(HOLDING, "app.py", contract=contract))
    assert (answer.verdict.constraint_id, answer.exit_code) == ("program.doubtful_document", 3)
    assert "the program does not define it" in str(answer.verdict.developer_fields["reasons"])
