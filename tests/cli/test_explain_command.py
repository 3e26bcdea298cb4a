"""`probatum explain` on the command line; and its examples are real: what they run gives the code that they explain."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from probatum.app.explaining import EXAMPLE_FILE, Meaning, built_in_meanings
from probatum.core.messages import built_in_sentences
from tests.cli.command import Commands
from tests.house.documents import reader_environment
from tests.house.sources import ROOT
from tests.house.warm import Warm

_RUN = [each for each in built_in_meanings().values() if each.command]
_PATIENCE_SECONDS = 600
"""Against a command that hangs for ever; no example comes near it."""


def test_one_code_is_told_with_its_example(commands: Commands) -> None:
    ended = commands.run("explain", "path.missing")
    assert ended.code == 0
    assert ended.stdout.startswith("CODE  path.missing\nThere is no such file.\n")
    assert "wrong usage: exit code 2" in ended.stdout
    assert "error[path.missing]: There is no file" in ended.stdout


def test_a_program_of_an_example_keeps_its_lines(commands: Commands) -> None:
    assert "         def late_fee(days: int) -> int:\n             " in commands.run("explain", "weak_checks").stdout


def test_without_a_code_all_are_listed_by_area(commands: Commands) -> None:
    ended = commands.run("explain")
    assert ended.code == 0
    assert [code for code in built_in_meanings() if f"  {code}  " not in ended.stdout] == []
    assert "\npath\n" in ended.stdout


def test_a_last_part_of_several_lists_them(commands: Commands) -> None:
    ended = commands.run("explain", "out_of_budget", "--json")
    assert [each["code"] for each in json.loads(ended.stdout)["codes"]] == [
        "engine.out_of_budget",
        "program.out_of_budget",
        "verifier.out_of_budget",
    ]


def test_json_has_one_document_for_one_code(commands: Commands) -> None:
    document = json.loads(commands.run("explain", "option.twice", "--json").stdout)
    assert list(document) == ["code", "means", "ends", "example", "do"]
    assert document["ends"] == [{"with": "wrong usage", "exit_code": 2}]


def test_an_unknown_code_is_wrong_usage(commands: Commands) -> None:
    ended = commands.run("explain", "path.mising")
    assert ended.code == 2
    assert "Did you mean 'path.missing'?" in ended.stderr


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    """What a reader has, with commands that run warm."""
    server = Warm(reader_environment())
    yield {**reader_environment(), "PATH": f"{server.programs}{os.pathsep}{reader_environment()['PATH']}"}
    server.close()


@pytest.mark.sampled(25)
@pytest.mark.parametrize("meaning", _RUN, ids=[each.code for each in _RUN])
def test_an_example_gives_what_it_explains(meaning: Meaning, environment: dict[str, str], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    if meaning.program:
        (tmp_path / EXAMPLE_FILE).write_text(f"{meaning.program}\n", encoding="utf-8")
    is_constraint = meaning.code in built_in_sentences()
    told = _told(meaning.command, environment, tmp_path)
    if is_constraint and not told.startswith("error["):
        told = _told(f"{meaning.command} --json", environment, tmp_path)
        codes = re.findall(r'"constraint_id": "([\w.]+)"', told)
        # Its sentence may have parts more.
        assert any(code.startswith(meaning.code) for code in codes), told[:2000]
    else:
        assert f"error[{meaning.code}]: " in told, told[:2000]


def _told(command: str, environment: dict[str, str], folder: Path) -> str:
    """Return what a command line prints, errors first."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**environment, "HOME": str(folder), "PROBATUM_STORE": "proofs"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_SECONDS,
        check=False,
    )
    return done.stderr + done.stdout
