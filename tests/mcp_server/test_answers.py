"""Whatever an agent answers, it hears what came of each part; nothing is lost, and no file is half written."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probatum.app.agent_tools import offered_tools
from probatum.app.desk import ServiceDesk
from probatum.app.explaining import meanings_of
from probatum.app.service import Service
from probatum.app.sources import Sources
from probatum.core.disclosure import Layer
from probatum.core.errors import UsageError
from probatum.core.limits import MAX_READINGS_BYTES
from probatum.proof.stores import MemoryStore
from probatum.readings.notebook import read_notebook, write_notebook
from probatum.readings.values import ReadingRecord, Standing
from tests.mcp_server.agents import SHOP

KEY, READINGS = "shop.py::fee", "shop.readings.toml"
CLAUSE = "result == amount * rate"
INPUTS = ["(1, 2)", "(0, 5)"]
STACK = '''
class Stack:
    """The newest comes first."""

    def __init__(self):
        self._things = []

    def push(self, thing):
        """Put a thing on top."""
        self._things.append(thing)

    def pop(self):
        """Take the newest off."""
        return self._things.pop()
'''
TWICE = '''
def same(x):
    """Return x.

    The result is x. It never raises. The result is x.
    """
    return x
'''


class Desk:
    """The desk of an agent: one folder, and the tools that it can call."""

    def __init__(self, service: Service, folder: Path) -> None:
        self._service, self.folder = service, folder
        self._tools = offered_tools(Layer.AGENT, folder / "store")

    def call(self, tool: str, **arguments: Any) -> Any:
        offered, lent = self._tools[tool], (self.folder,)
        desk = ServiceDesk(self._service, offered.kind, Sources(None, lent), lent)
        return json.loads(json.dumps(offered.tool.act(arguments, desk)))

    def answer(self, key: str, answer: Any, **more: Any) -> Any:
        """Return what comes of an answer to one card; ``s2`` stands for the id of its second sentence."""
        if isinstance(answer, dict):
            answer = {self.ids(key).get(name, name): value for name, value in answer.items()}
        return self.call("answer", answers={key: answer}, verify=False, **more)[key]

    def ids(self, key: str) -> dict[str, str]:
        """Return the ids of the sentences of a card, whoever has read them."""
        path, _, _ = key.rpartition("::")
        notebook = (self.folder / path).with_suffix(".readings.toml")
        kept = notebook.read_bytes() if notebook.is_file() else None
        notebook.unlink() if kept is not None else None
        say = self.call("ask", paths=[key]).get(key, {}).get("say", {})
        notebook.write_bytes(kept) if kept is not None else None
        return {each.rpartition("-")[0]: each for each in say}

    def records(self, name: str = READINGS) -> tuple[ReadingRecord, ...]:
        """Return what the readings file holds, which has to be one."""
        path = self.folder / name
        return read_notebook(path.read_bytes()) if path.exists() else ()

    def clauses(self, name: str = READINGS) -> list[tuple[str, str]]:
        """Return the readers and clauses of a readings file."""
        return [(each.reader, reading.clause) for each in self.records(name) for reading in each.readings]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with Service(MemoryStore()) as found:
        yield found


@pytest.fixture
def desk(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.py").write_text(SHOP)
    return Desk(service, tmp_path)


CYCLE = "def f(x):\n    return g(x)\ndef g(x):\n    return f(x)\n"
ENDLESS = "def f(x):\n    while True:\n        pass\n"
REFUSED: dict[str, tuple[Any, str, str]] = {
    # An answer to the card, under which name something is refused, and why.
    "a sentence that has changed": ({"s1-0000": "-"}, "s1-0000", "stale"),
    "a sentence that there is not": ({"s9-0000": "-"}, "s9-0000", "unknown_id"),
    "no id": ({"": "-"}, "", "unknown_id"),
    "an unknown member": ({"clauses": "-"}, "clauses", "unknown_id"),
    "an id with a space": ({" s1-0000": "-"}, " s1-0000", "unknown_id"),
    "a list in place of a card": ([], "", "wrong_shape"),
    "a text in place of a card": ("-", "", "wrong_shape"),
    "nothing in place of a card": (None, "", "wrong_shape"),
    "a number": ({"s1": 3}, "s1", "wrong_shape"),
    "null": ({"s1": None}, "s1", "wrong_shape"),
    "true": ({"s1": True}, "s1", "wrong_shape"),
    "an empty clause": ({"s1": ""}, "s1", "wrong_shape"),
    "white space": ({"s1": " \n "}, "s1", "wrong_shape"),
    "an empty list": ({"s1": []}, "s1", "wrong_shape"),
    "an empty object": ({"s1": {}}, "s1", "wrong_shape"),
    "a list with an empty clause": ({"s1": [CLAUSE, ""]}, "s1", "wrong_shape"),
    "a list in a list": ({"s1": [[CLAUSE]]}, "s1", "wrong_shape"),
    "an object in an object": ({"s1": {"the fee": {"the fee": CLAUSE}}}, "s1", "wrong_shape"),
    "an empty list for some words": ({"s1": {"the fee": []}}, "s1", "wrong_shape"),
    "a prefix alone": ({"s1": "effect: "}, "s1", "wrong_shape"),
    "an exception that is none": ({"s1": "raises 3: amount < 0"}, "s1", "wrong_exception"),
    "a null character": ({"s1": "result == '\0' or \0"}, "s1", "syntax_error"),
    "a lone surrogate": ({"s1": "result == '\ud800'"}, "s1", "wrong_shape"),
    "too long": ({"s1": "result == " + "1 + " * 10_000 + "1"}, "s1", "wrong_shape"),
    "too many brackets": ({"s1": "(" * 500 + "result" + ")" * 500}, "s1", "syntax_error"),
    "no Python": ({"s1": "the result is the fee"}, "s1", "syntax_error"),
    "words that are not there": ({"s1": {"the price": CLAUSE}}, "s1", "not_quoted"),
    "words of another sentence": ({"s1": {"the amount times the rate": CLAUSE}}, "s1", "not_quoted"),
    "no words": ({"s1": {"": CLAUSE}}, "s1", "not_quoted"),
    "words with a null character": ({"s1": {"the\0fee": CLAUSE}}, "s1", "not_quoted"),
    "a clause beside words that cannot be said": ({"s1": [CLAUSE, "?"]}, "s1", "part_open"),
    "a clause beside words that say nothing": ({"s1": ["-", CLAUSE]}, "s1", "part_open"),
    "helpers that call each other": (
        {"s1": "f(amount) == f(result)", "helpers": CYCLE, "inputs": INPUTS},
        "s1",
        "no_truth_value",
    ),
    "helpers as a list": ({"s1": CLAUSE, "helpers": ["import math"]}, "fee", "wrong_shape"),
    "helpers that open files": ({"s1": "open('x')", "helpers": "import os"}, "helpers", "module_not_allowed"),
    "inputs as text": ({"s1": CLAUSE, "inputs": "(1, 2)"}, "fee", "wrong_shape"),
    "inputs as numbers": ({"s1": CLAUSE, "inputs": [1, 2]}, "fee", "wrong_shape"),
    "a lone surrogate in an input": ({"s1": CLAUSE, "inputs": ["('\ud800', 1)"]}, "fee", "wrong_shape"),
    "too many inputs": ({"s1": CLAUSE, "inputs": ["(1, 2)"] * 2_000}, "fee", "wrong_shape"),
    "inputs of a method": ({"s1": CLAUSE, "inputs": {"pay": ["(1, 2)"]}}, "inputs", "no_such_name"),
}


def _why(desk: Desk, answer: Any, name: str) -> str:
    """Return the code that is told of a name; nothing else may have been added than what is there."""
    told = desk.answer(KEY, answer)
    found = told["no"][desk.ids(KEY).get(name, name)]
    why: str = (found[0] if isinstance(found, list) else found)["why"]
    assert meanings_of(why)
    assert told["added"] == len(desk.clauses())
    return why


@pytest.mark.parametrize(("answer", "name", "why"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_told_by_name_with_a_code(answer: Any, name: str, why: str, desk: Desk) -> None:
    assert _why(desk, answer, name) == why


@pytest.mark.long
def test_helpers_that_never_end_are_ended(desk: Desk) -> None:
    answer = {"s1": "f(amount) == f(result)", "helpers": ENDLESS, "inputs": INPUTS}
    assert _why(desk, answer, "s1") == "no_truth_value"


def test_what_is_refused_takes_nothing_else_with_it(desk: Desk) -> None:
    told = desk.answer(
        KEY, {"s1": {"the fee": CLAUSE, "the price": "-"}, "s2": CLAUSE, "s7": "-", "inputs": [*INPUTS, "(1"]}
    )
    assert told["added"] == 2
    assert sorted(told["no"]) == sorted([desk.ids(KEY)["s1"], "s7", "inputs"])
    assert desk.clauses() == [("an agent", CLAUSE), ("an agent", CLAUSE)]


NOT_CARDS: dict[str, tuple[Any, str]] = {
    "a list": ([], "answers.wrong"),
    "a number": (3, "answers.wrong"),
    "nothing": (None, "answers.wrong"),
    "no card": ({}, "answers.wrong"),
    "a key without a name": ({"shop.py": {}}, "answers.key"),
}


@pytest.mark.parametrize(("answers", "code"), NOT_CARDS.values(), ids=NOT_CARDS)
def test_answers_in_another_shape_are_wrong_usage(answers: Any, code: str, desk: Desk) -> None:
    with pytest.raises(UsageError) as refused:
        desk.call("answer", answers=answers)
    assert refused.value.code == code


ARGUMENTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "an unknown one": ("ask", {"paths": ["shop.py"], "only": "open"}, "arguments.unknown"),
    "a level that there is not": ("verify", {"paths": ["shop.py"], "level": "huge"}, "level.unknown"),
    "a level as a number": ("verify", {"paths": ["shop.py"], "level": 3}, "arguments.wrong"),
    "a reader as a list": ("answer", {"answers": {KEY: {}}, "reader": ["me"]}, "arguments.wrong"),
    "no path": ("ask", {"paths": []}, "paths.wrong"),
    "a path as an object": ("ask", {"paths": {"shop.py": 1}}, "paths.wrong"),
    "paths as numbers": ("ask", {"paths": [1]}, "paths.wrong"),
    "too many paths": ("ask", {"paths": ["shop.py"] * 501}, "paths.too_many"),
    "an empty path": ("ask", {"paths": [""]}, "paths.wrong"),
    "a file that is gone": ("ask", {"paths": ["gone.py"]}, "path.missing"),
    "a name that is none": ("ask", {"paths": ["shop.py::"]}, "path.incomplete"),
    "a name in a folder": ("ask", {"paths": [".::fee"]}, "path.name_in_folder"),
    "a path with a null character": ("ask", {"paths": ["shop\0.py"]}, "path.outside"),
    "a path with a lone surrogate": ("ask", {"paths": ["\ud800.py"]}, "path.outside"),
    "standard input": ("ask", {"paths": ["-"]}, "path.outside"),
    "a path that is too long": ("ask", {"paths": ["x" * 5_000]}, "path.missing"),
    "a folder above": ("ask", {"paths": [".."]}, "path.outside"),
    "after a card that there is not": ("ask", {"paths": ["shop.py"], "after": "shop.py::gone"}, "ask.after"),
}


@pytest.mark.parametrize(("tool", "arguments", "code"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments_that_make_no_sense_are_wrong_usage(
    tool: str, arguments: dict[str, Any], code: str, desk: Desk
) -> None:
    with pytest.raises(UsageError) as refused:
        desk.call(tool, **arguments)
    assert refused.value.code == code


GONE: dict[str, tuple[str, str]] = {
    "a function": ("shop.py::gone", "no_such_name"),
    "no name": ("shop.py::", "no_such_name"),
    "a file": ("gone.py::fee", "missing"),
    "a file outside": ("../x.py::fee", "outside"),
    "a file with a null character": ("\0.py::fee", "outside"),
    "a file that does not parse": ("bad.py::fee", "not_read"),
}


@pytest.mark.parametrize(("key", "why"), GONE.values(), ids=GONE)
def test_an_answer_about_what_is_gone_is_refused_alone(key: str, why: str, desk: Desk) -> None:
    (desk.folder / "bad.py").write_text("def fee(:\n")
    sentence = desk.ids(KEY)["s2"]
    told = desk.call("answer", answers={key: {"s1-0000": "-"}, KEY: {sentence: CLAUSE, "inputs": INPUTS}}, verify=False)
    assert told[key]["why"] == why
    assert told[KEY] == {"added": 1, "inputs": 2}
    assert desk.clauses() == [("an agent", CLAUSE)]


NAMES = ["my shop/a b.py", "über.py", "a::b.py", "a::b::c.py", "-x.py", "--ask.py", "a\nb.py", "./x/../shop.py"]


@pytest.mark.parametrize("name", NAMES)
def test_a_card_of_any_file_can_be_answered_and_verified(name: str, desk: Desk) -> None:
    (desk.folder / "x").mkdir()
    file = desk.folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(SHOP)
    key = f"{name}::fee"
    assert list(desk.call("ask", paths=[name])) == [key]
    answer = {desk.ids(key)["s2"]: CLAUSE, "inputs": INPUTS}
    told = desk.call("answer", answers={key: answer}, level="quick")[key]
    assert (told["added"], told["verdict"]) == (1, "refuted")
    assert desk.call("verify", paths=[key], level="quick")[key]["verdict"] == "refuted"
    assert file.with_suffix(".readings.toml").is_file()


def _folder(path: Path) -> None:
    path.mkdir()


def _no_toml(path: Path) -> None:
    path.write_text("no toml [")


def _bytes(path: Path) -> None:
    path.write_bytes(b"\xff\xfe")


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _link_outside(path: Path) -> None:
    outside = path.parent.parent / f"{path.parent.name} outside.toml"
    outside.write_text("secret = 'hidden")
    path.symlink_to(outside)


BROKEN: dict[str, Callable[[Path], None]] = {
    "a folder": _folder,
    "no TOML": _no_toml,
    "no text": _bytes,
    "a pipe": _pipe,
    "a link to outside": _link_outside,
}


@pytest.mark.parametrize("make", BROKEN.values(), ids=BROKEN)
def test_a_readings_file_that_is_none_hides_no_other_and_is_left_alone(
    make: Callable[[Path], None], desk: Desk
) -> None:
    (desk.folder / "broken.py").write_text(SHOP)
    make(desk.folder / "broken.readings.toml")
    before = (desk.folder / "broken.readings.toml").lstat()
    asked = desk.call("ask", paths=["."])
    assert asked[KEY]["say"]
    assert "broken.py" in asked["skip"]
    assert "secret" not in json.dumps(asked)
    sentence = desk.ids(KEY)["s2"]
    answer = {sentence: CLAUSE, "inputs": INPUTS}
    told = desk.call("answer", answers={"broken.py::fee": answer, KEY: answer}, verify=False)
    assert told["broken.py::fee"]["why"]
    assert "hidden" not in json.dumps(told)
    assert told[KEY] == {"added": 1, "inputs": 2}
    after = (desk.folder / "broken.readings.toml").lstat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_folder_with_a_file_that_does_not_parse_is_asked_about(desk: Desk) -> None:
    (desk.folder / "bad.py").write_text("def fee(:\n")
    asked = desk.call("ask", paths=["."])
    assert "SyntaxError" in asked["skip"]["bad.py"]
    assert asked[KEY]["say"]


def test_a_readings_file_that_would_grow_too_large_is_left_as_it_is(desk: Desk) -> None:
    (desk.folder / READINGS).write_text("# " + "x" * (MAX_READINGS_BYTES - 1_000) + "\n")
    before = (desk.folder / READINGS).read_bytes()
    clauses = [f"{CLAUSE} + {number} - {number}" for number in range(400)]
    told = desk.answer(KEY, {"s2": clauses, "inputs": INPUTS})
    # What a person wrote as a comment is not kept, so that it fits.
    assert told == {"added": 400, "inputs": 2}
    assert len((desk.folder / READINGS).read_bytes()) < len(before)
    long = [f"{CLAUSE} + {number} - {number}  # {'x' * 19_000}" for number in range(MAX_READINGS_BYTES // 19_000 + 1)]
    before = (desk.folder / READINGS).read_bytes()
    assert desk.answer(KEY, {"s1": long, "inputs": INPUTS})["why"] == "too_large"
    assert (desk.folder / READINGS).read_bytes() == before


def test_500_readings_of_one_card_are_added(desk: Desk) -> None:
    clauses = [f"{CLAUSE} + {number} - {number}" for number in range(500)]
    assert desk.answer(KEY, {"s2": clauses, "inputs": INPUTS}) == {"added": 500, "inputs": 2}
    assert len(desk.clauses()) == 500


def test_the_same_answer_twice_adds_nothing_twice(desk: Desk) -> None:
    answer = {"s1": "-", "s2": CLAUSE, "inputs": INPUTS}
    assert desk.answer(KEY, answer) == {"added": 2, "inputs": 2}
    before = (desk.folder / READINGS).read_bytes()
    assert desk.answer(KEY, answer) == {"added": 0, "there_before": 2}
    assert (desk.folder / READINGS).read_bytes() == before


AGAIN: dict[str, dict[str, Any]] = {
    "alone": {"inputs": ["(3, 3)"]},
    "with the same clause": {"s2": CLAUSE, "inputs": ["(3, 3)"]},
}


@pytest.mark.parametrize("answer", AGAIN.values(), ids=AGAIN)
def test_other_inputs_are_taken_with_what_was_said_before(answer: dict[str, Any], desk: Desk) -> None:
    """An agent that hears 'give inputs' does no more than that."""
    assert desk.answer(KEY, {"s1": "-", "s2": CLAUSE}) == {"added": 2}
    told = desk.answer(KEY, answer)
    assert (told["added"], told["inputs"], told.get("no")) == (0, 1, None)
    assert ("(3, 3)",) in [each.inputs for each in desk.records()]
    assert sorted(desk.clauses()) == [("an agent", ""), ("an agent", CLAUSE)]
    assert desk.call("verify", paths=[KEY], level="quick")[KEY]["verdict"] == "refuted"


UNUSED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "inputs": ({"inputs": INPUTS}, ["inputs"]),
    "helpers": ({"helpers": "import math"}, ["helpers"]),
    "both": ({"inputs": INPUTS, "helpers": "import math"}, ["inputs", "helpers"]),
}


@pytest.mark.parametrize(("answer", "unused"), UNUSED.values(), ids=UNUSED)
def test_what_no_clause_is_there_for_is_said_to_be_unused(
    answer: dict[str, Any], unused: list[str], desk: Desk
) -> None:
    assert desk.answer(KEY, answer) == {"added": 0, "unused": unused}
    assert desk.clauses() == []


def test_who_gave_no_inputs_hears_that_they_are_missing(desk: Desk) -> None:
    (desk.folder / "shop.py").write_text(
        "def fee(amount, rate):\n    '''Return the amount times the rate.'''\n    return 1\n"
    )
    told = desk.call("answer", answers={KEY: {desk.ids(KEY)["s1"]: CLAUSE}}, level="quick")[KEY]
    assert told["verdict"] == "undecided"
    assert "inputs" in told["do"]


def test_inputs_alone_change_no_helper_and_no_other_reader(desk: Desk) -> None:
    helped = {"s2": "result == times(amount, rate)", "helpers": "def times(a, b):\n    return a * b", "inputs": INPUTS}
    desk.answer(KEY, helped)
    desk.answer(KEY, {"s2": CLAUSE, "inputs": INPUTS}, reader="another")
    assert desk.answer(KEY, {"inputs": ["(3, 3)"]}) == {"added": 0, "inputs": 1}
    found = {each.reader: (each.inputs, each.helpers != "") for each in desk.records()}
    assert found == {"an agent": ((*INPUTS, "(3, 3)"), True), "another": (tuple(INPUTS), False)}


def test_a_clause_gives_way_to_the_next_one_of_the_same_reader_alone(desk: Desk) -> None:
    desk.answer(KEY, {"s2": "result == amount * rate + 0", "inputs": INPUTS}, reader="a person's model")
    desk.answer(KEY, {"s1": "-", "s2": "result == 0 + amount * rate", "inputs": INPUTS}, reader="another")
    desk.answer(KEY, {"s2": "result >= amount * rate", "inputs": INPUTS})
    _accept(desk, "result == 0 + amount * rate")
    assert desk.answer(KEY, {"s2": CLAUSE, "inputs": INPUTS}) == {"added": 1}
    assert desk.answer(KEY, {"s2": "result <= amount * rate", "inputs": INPUTS}, reader="another") == {"added": 1}
    assert sorted(desk.clauses()) == [
        ("a person's model", "result == amount * rate + 0"),
        ("an agent", CLAUSE),
        ("another", ""),
        ("another", "result <= amount * rate"),
        ("another", "result == 0 + amount * rate"),
    ]


def _accept(desk: Desk, clause: str) -> None:
    def one(record: ReadingRecord) -> ReadingRecord:
        accepted = {"standing": Standing.ACCEPTED, "by": "a person", "on": "2026-01-31"}
        return replace(
            record,
            readings=tuple(replace(each, **accepted) if each.clause == clause else each for each in record.readings),
        )

    (desk.folder / READINGS).write_text(write_notebook(map(one, desk.records())))


def test_two_sentences_with_the_same_words_are_both_read(desk: Desk) -> None:
    (desk.folder / "twice.py").write_text(TWICE)
    key = "twice.py::same"
    ids = desk.ids(key)
    assert ids["s2"] != ids["s4"]
    told = desk.answer(key, {"s2": "result == x", "s4": "result is x", "inputs": ["(1,)"]})
    assert told == {"added": 2, "inputs": 1}
    assert list(desk.call("ask", paths=[key])[key]["say"]) == [ids["s1"], ids["s3"]]
    assert desk.answer(key, {"s4": "not (result != x)"}) == {"added": 1}
    assert desk.clauses("twice.readings.toml") == [("an agent", "not (result != x)")]


def test_a_part_of_a_sentence_leaves_the_rest_open(desk: Desk) -> None:
    told = desk.answer(KEY, {"s2": {"the amount times\n the rate": CLAUSE, "The fee": "?"}, "inputs": INPUTS})
    assert told == {"added": 1, "inputs": 2}
    assert "The fee is" in desk.call("ask", paths=[KEY])[KEY]["say"].values()


def test_inputs_of_methods_go_with_clauses_about_them(desk: Desk) -> None:
    (desk.folder / "stack.py").write_text(STACK)
    key = "stack.py::Stack"
    session = "session: stack = Stack()\nstack.push(1)\nassert stack.pop() == 1"
    told = desk.answer(
        key, {"pop.s1": session, "push.s1": "result is None", "inputs": {"push": ["(Stack(), 1)"], "peek": []}}
    )
    assert told["added"] == 2
    assert told["no"] == {"inputs": {"why": "no_such_name", "name": "peek"}}
    found = {each.function: each.inputs for each in desk.records("stack.readings.toml")}
    assert found == {"Stack": (), "Stack.push": ("(Stack(), 1)",)}


def test_every_file_that_was_written_is_one(desk: Desk) -> None:
    signs = "\"'''\\\t\x7f\u2028\u202e\ud7ff\U0010ffff\0"
    told = desk.answer(KEY, {"s2": f"{CLAUSE}  # {signs}", "inputs": INPUTS}, reader=f"me {signs}")
    assert told["added"] + len(told.get("no", {})) == 1
    if (desk.folder / READINGS).exists():
        tomllib.loads((desk.folder / READINGS).read_text())
        assert desk.records()
