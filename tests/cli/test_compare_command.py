"""`probatum compare` and `verify --against`: exit codes first, then what a person and a program read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Commands

HALF = "def half(n):\n    return n // 2\n"
SAME = "def half(number):\n    return (number - number % 2) // 2\n"
OTHER = "def half(n):\n    return n / 2\n\n\ndef _hidden():\n    pass\n"
NOISY = "import os\n\n\ndef half(n):\n    os._exit(0)\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    programs = {"half": HALF, "same": SAME, "other": OTHER, "noisy": NOISY, "broken": "def half(:\n", "empty": ""}
    for name, source in programs.items():
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")


# arguments, exit code, a word of the answer or the code of the error
COMMANDS = {
    "they differ": (("half.py", "same.py", "other.py"), 1, "DIFFERENT"),
    "they agree": (("half.py", "same.py"), 3, "NO DIFFERENCE FOUND"),
    "one name for all": (("half.py::half", "same.py"), 3, "NO DIFFERENCE FOUND"),
    "nothing could be compared": (("half.py", "noisy.py"), 3, "NOT COMPARED"),
    "only one": (("half.py",), 2, "compare.count"),
    "no such name": (("half.py::whole", "same.py"), 2, "program.no_such_name"),
    "nothing in common": (("half.py", "empty.py"), 2, "compare.nothing"),
    "a folder": (("half.py", "."), 2, "path.folder"),
    "no file": (("half.py", "none.py"), 2, "path.missing"),
    "not Python": (("half.py", "broken.py"), 4, "program.does_not_parse"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_exit_code_and_answer(name: str, commands: Commands) -> None:
    arguments, code, said = COMMANDS[name]
    ended = commands.run("compare", *arguments)
    assert (ended.code, said in ended.stdout + ended.stderr) == (code, True), ended


def test_groups_and_the_telling_input_are_one_document(commands: Commands) -> None:
    ended = commands.run("compare", "half.py", "same.py", "other.py", "--json")
    [found] = json.loads(ended.stdout)["functions"]
    assert found["groups"] == [["half.py::half", "same.py::half"], ["other.py::half"]]
    [telling] = found["telling"]
    assert telling["input"].startswith("half(")
    assert len(telling["answers"]) == 3
    assert found["compared"] > 0


def test_a_change_is_asked_about_and_a_refactoring_has_none(commands: Commands) -> None:
    typed = HALF.replace("(n)", "(n: int) -> float")
    Path("old.py").write_text(typed, encoding="utf-8")
    Path("new.py").write_text(typed.replace("//", "/"), encoding="utf-8")
    asked = commands.run("verify", "new.py", "--against", "old.py")
    assert asked.code == 3
    assert "is that meant?" in asked.stdout
    refuted = commands.run("verify", "new.py", "--against", "old.py", "--refactor")
    assert refuted.code == 1
    assert "behaves differently from its earlier version" in refuted.stdout
    assert commands.run("verify", "new.py", "--refactor").code == 2
