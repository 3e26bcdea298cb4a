"""The command ``read`` from a question to an acceptance, and what its file holds after each step."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from probatum.app.sources import save
from probatum.core.errors import UsageError
from probatum.programs import observing
from probatum.programs.record import FunctionRecord
from probatum.programs.running.question import FunctionQuestion
from probatum.readings.notebook import write_notebook
from probatum.readings.recorded import record_of
from probatum.verification.desk import SavedFile
from tests.cli import programs
from tests.cli.command import Commands

FILE = "app.readings.toml"


def _cards(commands: Commands, *words: str, stdin: bytes = b"") -> dict[str, dict[str, Any]]:
    """Ask, and return the cards by name."""
    asked = commands.run("read", *words, "--ask", stdin=stdin)
    assert asked.code == 0
    return {key.partition("::")[2]: card for key, card in json.loads(asked.stdout).items() if "::" in key}


def _answered(cards: dict[str, dict[str, Any]]) -> bytes:
    """Answer a card as a reader would: from what it is told, every sentence once."""
    [(name, card)] = cards.items()
    clauses = ["result >= 2", "amount > 100 or result == 2"]
    said = {**dict(zip(card["say"], clauses, strict=True)), "inputs": ["(100,)"]}
    return json.dumps({f"app.py::{name}": said}).encode()


def test_from_a_question_to_an_acceptance(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(programs.READ)
    answer = _answered(_cards(commands, "app.py::fee"))
    added = commands.run("read", "--answer", "-", "--reader", "a model", stdin=answer)
    assert added.code == 3
    assert json.loads(added.stdout)["app.py::fee"]["added"] == 2
    listed = json.loads(commands.run("read", "app.py", "--json").stdout)
    first, second = (each["id"] for each in listed["functions"][0]["readings"])
    assert commands.run("read", "app.py", "--accept", f"{first},{second}", "--by", "Ada").code == 0
    [record] = tomllib.loads((tmp_path / FILE).read_text())["readings"]
    assert record["reader"] == "a model"
    assert [each["accepted"]["by"] for each in record["statements"]] == ["Ada", "Ada"]
    listed = json.loads(commands.run("read", "app.py", "--json").stdout)
    assert [each["standing"] for each in listed["functions"][0]["statements"]] == ["accepted", "accepted"]


def test_what_changes_nothing_writes_nothing(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(programs.READ)
    (tmp_path / FILE).write_bytes(programs.READINGS)
    assert commands.run("read", "app.py").code == 0
    assert commands.run("read", "app.py", "--add", "-", stdin=b"[]").code == 0
    assert (tmp_path / FILE).read_bytes() == programs.READINGS


def test_another_file_of_readings(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_bytes(programs.READINGS)
    ended = commands.run("read", "-", "--readings", "other.toml", "--accept", "--by", "Ada", stdin=programs.READ)
    assert ended.code == 0
    assert (tmp_path / "other.toml").read_text().count('by = "Ada"') == 2


def test_a_readings_file_that_somebody_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_bytes(b"newer")
    with pytest.raises(UsageError, match="was changed meanwhile"):
        save(SavedFile("Readings", path, "mine", replaces=b"older"))
    assert path.read_bytes() == b"newer"


AT_RUN_TIME = b'''def with_note(function):
    function.__doc__ += " It is never below 2."
    return function


@with_note
def fee(amount: int) -> int:
    """Return the fee of a transfer."""
    return 2 if amount <= 100 else amount // 50
'''


def test_text_that_code_adds_at_import_is_asked_and_accepted(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(AT_RUN_TIME)
    cards = _cards(commands, "app.py::fee")
    assert list(cards["fee"]["say"].values())[-1] == "It is never below 2."
    added = commands.run("read", "--answer", "-", "--reader", "m", stdin=_answered(cards))
    assert json.loads(added.stdout)["app.py::fee"]["added"] == 2
    listed = json.loads(commands.run("read", "app.py", "--json").stdout)
    [fee] = [each for each in listed["functions"] if each["function"] == "fee"]
    ids = ",".join(each["id"] for each in fee["readings"])
    assert commands.run("read", "app.py", "--accept", ids, "--by", "Ada").code == 0
    listed = json.loads(commands.run("read", "app.py", "--json").stdout)
    [fee] = [each for each in listed["functions"] if each["function"] == "fee"]
    assert [each["standing"] for each in fee["statements"]] == ["accepted", "accepted"]


def test_of_what_cannot_be_loaded_it_is_said_why_no_reader_can_help(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(programs.READ + b"raise RuntimeError\n")
    asked = json.loads(commands.run("read", "app.py::fee", "--ask").stdout)
    assert "RuntimeError" in asked["skip"]["app.py"]


SUM = b'''def total(xs: list[int]) -> int:
    """Return the sum of the numbers.

    An empty list gives 0.
    """
    found = 0
    for each in xs:
        found += each
    return found
'''
HEDGED = {
    "function": "total",
    "statements": [
        {"text": "Return the sum of the numbers.", "kind": "result", "clause": "len(xs) != 3 or result == sum(xs)"},
        {"text": "An empty list gives 0.", "kind": "result", "clause": "bool(xs) or result == 0"},
        {"text": "Return the sum of the numbers.", "kind": "result", "clause": "isinstance(result, int)"},
    ],
    "inputs": ["([1, 2, 3],)", "([],)", "([5, 6],)"],
}


def test_all_leaves_out_what_may_say_too_little_and_an_id_accepts_it(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(SUM)
    answer = json.dumps(HEDGED).encode()
    added = commands.run("read", "app.py", "--add", "-", "--reader", "m", "--json", stdin=answer)
    hedge, conditional, _ = json.loads(added.stdout)["added"]
    listed = json.loads(commands.run("read", "app.py", "--json").stdout)["functions"][0]["readings"]
    assert {each["id"] for each in listed if "legal calls" in each.get("flag", "")} == {hedge, conditional}
    told = commands.run("read", "app.py", "--accept", "--all", "--by", "Ada B")
    assert told.code == 0
    assert "1 reading accepted by Ada B.\n2 readings left out" in told.stdout
    assert f"probatum read app.py --accept {hedge},{conditional} --by 'Ada B'" in told.stdout
    assert (tmp_path / FILE).read_text().count("accepted = ") == 1
    ended = commands.run("read", "app.py", "--accept", "--all", "--by", "Ada", "--json")
    again = json.loads(ended.stdout)
    assert ended.code == 3
    assert (again["accepted"], set(again["left_out"])) == ([], {hedge, conditional})
    assert commands.run("read", "app.py", "--accept", f"{hedge},{conditional}", "--by", "Ada").code == 0
    assert (tmp_path / FILE).read_text().count("accepted = ") == 3


SHOWN = SUM.replace(b"gives 0.\n", b"gives 0.\n\n    >>> total([])\n    0\n")
BROKEN = SHOWN.replace(b"found = 0", b"found = 1")
SAID = {"text": "An empty list gives 0.", "kind": "narrative"}
EMPTY = {"text": "An empty list gives 0.", "kind": "session", "clause": "assert total([]) == 0"}
NUMBERS = {"text": "Return the sum of the numbers.", "kind": "result", "clause": "result == sum(xs)"}
# the program, its function, a proposal, and why it is left out; empty where it is accepted
LEFT_OUT: dict[str, tuple[bytes, str, dict[str, str], str]] = {
    "all checks hold": (SHOWN, "total", NUMBERS, ""),
    "a check fails": (BROKEN, "total", NUMBERS, "could not be tried: total does not do what its documentation says."),
    "it breaks the reading": (BROKEN.replace(b">>>", b"-"), "total", NUMBERS, "total breaks a statement of its"),
    "it cannot be loaded": (SUM + b"raise ValueError\n", "total", NUMBERS, "fails while it is being loaded"),
    "it answers otherwise each time": (
        b"import random\n" + SUM.replace(b"found = 0", b"found = random.random()"),
        "total",
        NUMBERS,
        "could not be tried: total",
    ),
    "nobody judges it": (SUM.replace(b"total", b"_total"), "_total", NUMBERS, "it is not judged with its file."),
    "its code shows it all": (BROKEN, "total", EMPTY, "it repeats documented examples"),
    "it says nothing": (BROKEN, "total", SAID, ""),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_all_leaves_out_what_could_not_be_tried(name: str, commands: Commands, tmp_path: Path) -> None:
    source, function, proposal, why = LEFT_OUT[name]
    (tmp_path / "app.py").write_bytes(source)
    record = {"function": function, "reader": "m", "statements": [proposal], "inputs": ["([1, 2],)", "([],)"]}
    (tmp_path / FILE).write_text(write_notebook([record_of(record)]))
    told = commands.run("read", "app.py", "--accept", "--all", "--by", "Ada", "--json")
    assert told.code == (3 if why else 0)
    [reason] = json.loads(told.stdout).get("left_out", {"": ""}).values()
    assert why in reason
    assert bool(why) == bool(reason)
    assert ("accepted = " in (tmp_path / FILE).read_text()) == (not why)
    again = commands.run("read", "app.py", "--accept", *json.loads(told.stdout).get("left_out", ()), "--by", "Ada")
    assert again.code == (0 if why else 2)


# what is proposed of `total`, and the functions that are run to try it
RUN = {"a result": (NUMBERS, ["total"]), "words that say nothing": (SAID, [])}


@pytest.mark.parametrize("name", RUN)
def test_only_what_a_proposal_is_about_is_run(
    name: str, commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal, due = RUN[name]
    (tmp_path / "app.py").write_bytes(SHOWN + SHOWN.replace(b"total", b"other"))
    record = {"function": "total", "reader": "m", "statements": [proposal], "inputs": ["([1, 2],)"]}
    (tmp_path / FILE).write_text(write_notebook([record_of(record)]))
    run, verify = list[str](), observing.verify_function

    def noting(question: FunctionQuestion, *others: Any) -> FunctionRecord:
        run.append(question.function.qualname)
        return verify(question, *others)

    monkeypatch.setattr(observing, "verify_function", noting)
    assert commands.run("read", "app.py").code == 0
    assert run == due


BOUND = b'def half(n):\n    return n // 2\n\n\nnet = lambda gross: gross\nnet.__doc__ = "Net."\n'


def test_what_is_never_judged_needs_no_reader(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(BOUND)
    asked = json.loads(commands.run("read", "app.py", "--ask").stdout)
    assert asked["skip"] == {"app.py::net": "net is not judged: a lambda is assigned to it"}


def test_a_contract_is_asked_added_and_accepted(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(BOUND)
    contract = ("--contract", "Rounds down.")
    assert list(_cards(commands, "app.py::half", *contract)["half"]["say"].values()) == ["Rounds down."]
    said = [{"text": "Rounds down.", "kind": "result", "clause": "2 * result <= n"}]
    answer = json.dumps({"function": "half", "statements": said}).encode()
    added = commands.run("read", "app.py::half", "--add", "-", "--reader", "me", "--json", *contract, stdin=answer)
    [name] = json.loads(added.stdout)["added"]
    # Nothing shows an input that it could be tried on.
    left = commands.run("read", "app.py::half", "--accept", "--by", "Ada", *contract)
    assert left.code == 3
    assert f"--accept {name} --by Ada --contract 'Rounds down.'" in left.stdout
    assert commands.run("read", "app.py::half", "--accept", name, "--by", "Ada", *contract).code == 0
    listed = json.loads(commands.run("read", "app.py::half", "--json", *contract).stdout)
    assert [each["standing"] for each in listed["functions"][0]["statements"]] == ["accepted"]


def test_a_name_in_standard_input_is_asked(commands: Commands) -> None:
    assert list(_cards(commands, "-::half", "--contract", "Rounds down.", stdin=BOUND)) == ["half"]
