"""`probatum verify --changed`: which functions count as changed, and what is printed where none is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Commands
from tests.cli.folders import closing, committed, git, names, quick, right, warm, write, wrong


@pytest.fixture(autouse=True)
def _warm(commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(monkeypatch, tmp_path_factory)


@pytest.fixture
def shop(tmp_path: Path, commands: Commands) -> Path:
    """A repository with two committed files; one imports from the other."""
    uses = f"from rates import rate\n\n\n{right('g', code='rate(x)')}"
    write(tmp_path, {"shop/rates.py": f"{right('rate')}\n\n{wrong('f')}", "shop/app.py": f"{uses}\n\n{right('h')}"})
    committed(tmp_path)
    return tmp_path / "shop"


def test_nothing_changed(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "--changed", "shop", "--output-file", "junit=a.xml")
    assert (ended.code, closing(ended)) == (0, "no function changed since HEAD in 2 files")
    assert 'tests="0"' in Path("a.xml").read_text()
    told = quick(commands, "--changed", "shop", "--json")
    assert (told.code, json.loads(told.stdout)["files"]) == (0, {})


def test_what_changed_and_what_uses_it_is_verified(shop: Path, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"shop/rates.py": f"{right('rate', code='1 + x')}\n\n{wrong('f')}"})
    ended = quick(commands, "shop", "--changed")
    assert (ended.code, names(ended)) == (3, ["shop/rates.py::rate", "shop/app.py::g"])
    assert names(quick(commands, "shop/app.py", "--changed", "-q")) == ["shop/app.py::g"]


def test_what_was_edited_comes_first_and_each_file_once(shop: Path, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"shop/rates.py": f"{right('rate', code='2 + x')}\n\n{wrong('f')}"})
    write(
        tmp_path,
        {"shop/app.py": f"{right('h', code='1 + x')}\n\nfrom rates import rate\n\n\n{right('g', code='rate(x)')}"},
    )
    ended = quick(commands, "shop", "--changed", "--output-file", "json=a.json")
    lines = [line.split("::")[1].partition(":")[0] for line in ended.stdout.splitlines() if "D  " in line]
    assert lines == ["h", "rate", "g"]
    files = json.loads(Path("a.json").read_text())["files"]
    assert [(name, list(each.get("functions", ()))) for name, each in files.items()] == [
        ("shop/app.py", ["h", "g"]),
        ("shop/rates.py", []),
    ]


def test_the_first_failure_ends_a_run_on_request(shop: Path, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"shop/rates.py": f"{right('rate', code='2 + x')}\n\n{wrong('f')}"})
    ended = quick(commands, "shop", "--changed", "--fail-on", "refuted", "-x")
    assert (ended.code, names(ended)) == (1, ["shop/rates.py::rate"])
    assert "stopped with 1 file left" in closing(ended)
    assert names(quick(commands, "shop", "--exitfirst")) == ["shop/app.py::g"]


def test_a_comment_or_a_moved_function_is_no_change(shop: Path, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"shop/rates.py": f"# A word.\n\n\n{right('rate')}\n\n\n\n{wrong('f')}"})
    assert names(quick(commands, "shop", "--changed")) == []


def test_a_new_file_is_changed(shop: Path, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"shop/new.py": wrong("n")})
    assert names(quick(commands, "shop", "--changed")) == ["shop/new.py::n"]


def test_since_another_revision(shop: Path, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"shop/rates.py": f"{right('rate')}\n\n{wrong('f').replace('x + 2', '2 + x')}"})
    git(tmp_path, "commit", "-aqm", "second")
    assert quick(commands, "shop", "--changed").code == 0
    ended = quick(commands, "shop", "--changed=HEAD~1")
    assert (ended.code, names(ended)) == (1, ["shop/rates.py::f"])
    assert names(quick(commands, "--changed=HEAD~1", "shop")) == ["shop/rates.py::f"]
    assert closing(quick(commands, "shop/app.py", "--changed=HEAD~1")) == ("no function changed since HEAD~1 in 1 file")


def test_a_function_that_changed_and_is_left_out(shop: Path, commands: Commands, tmp_path: Path) -> None:
    left_out = wrong("f", comment="  # probatum: ignore[it prints]").replace("x + 2", "2 + x")
    write(tmp_path, {"shop/rates.py": f"{right('rate')}\n\n{left_out}"})
    ended = quick(commands, "shop", "--changed")
    assert "IGNORED    shop/rates.py::f: it prints" in ended.stdout
    assert "shop/rates.py::f" not in names(ended)


@pytest.mark.parametrize("revision", ["nowhere", "HEAD~7", "--all"])
def test_a_revision_that_is_not_there(revision: str, shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop", f"--changed={revision}")
    assert (ended.code, ended.stdout, f"{revision}'" in ended.stderr) == (2, "", True)


def test_without_a_repository(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"app.py": right("f")})
    ended = quick(commands, "app.py", "--changed")
    assert (ended.code, "lies in no git repository" in ended.stderr) == (2, True)
