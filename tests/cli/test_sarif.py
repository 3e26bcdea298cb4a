"""SARIF of a folder with real verdicts: places of functions, also of those whose answers were kept, and paths."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Commands

PROGRAM = '''def triple(x: int) -> int:
    """
    >>> triple(2)
    6
    """
    return x * 2


def bare(x: int) -> int:
    return x


def double(x: int) -> int:
    """
    >>> double(2)
    4
    >>> double(-5)
    -10
    """
    return x * 2
'''
COMMENT = "# Further down.\n\n\n"


def run_of(commands: Commands, *words: str) -> dict[str, Any]:
    log = json.loads(commands.run("verify", *words, "--format", "sarif").stdout)
    [run] = log["runs"]
    return dict(run)


def places_of(results: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    told = []
    for result in results:
        [place] = result["locations"]
        [name] = place["logicalLocations"]
        physical = place["physicalLocation"]
        told.append((physical["artifactLocation"]["uri"], name["fullyQualifiedName"], physical["region"]["startLine"]))
    return told


def marks_of(run: dict[str, Any]) -> list[dict[str, str]]:
    return [result["partialFingerprints"] for result in run["results"]]


def test_every_function_has_its_place_wherever_it_moves(commands: Commands) -> None:
    Path("shop.py").write_text(PROGRAM)
    first = run_of(commands, "./shop.py")
    assert places_of(first["results"]) == [("shop.py", "triple", 1), ("shop.py", "triple", 3), ("shop.py", "bare", 9)]
    assert [(each["kind"], each["level"]) for each in first["results"] if "kind" in each] == [
        ("fail", "error"),
        ("open", "none"),
    ]
    assert places_of(first["properties"]["established"]) == [("shop.py", "double", 13)]
    kept = run_of(commands, "./shop.py")
    assert kept == first
    Path("shop.py").write_text(COMMENT + PROGRAM)
    moved = run_of(commands, "shop.py")
    assert [line for *_, line in places_of(moved["results"])] == [4, 6, 12]
    assert marks_of(moved) == marks_of(first)


def test_paths_begin_at_the_current_folder(commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    for place in (tmp_path / "shop.py", tmp_path / "inner" / "shop.py"):
        place.write_text(PROGRAM)
    monkeypatch.chdir(tmp_path / "inner")
    for given, uri in [("../shop.py", (tmp_path / "shop.py").as_uri()), (f"{tmp_path}/inner/shop.py", "shop.py")]:
        assert {path for path, *_ in places_of(run_of(commands, f"{given}::bare")["results"])} == {uri}
