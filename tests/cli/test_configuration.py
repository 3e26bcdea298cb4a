"""``[tool.probatum]`` on the command line: what it changes, and that what is typed counts more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Commands
from tests.cli.folders import QUICK, closing, names, quick, right, warm, write, wrong


@pytest.fixture(autouse=True)
def _warm(commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(monkeypatch, tmp_path_factory)


def configure(folder: Path, *lines: str) -> None:
    rows = "\n".join(lines)
    write(folder, {"pyproject.toml": f"[tool.probatum]\n{rows}\n"})


@pytest.fixture
def shop(tmp_path: Path, commands: Commands) -> Path:
    write(tmp_path, {"shop/a.py": right("f"), "shop/gen/b.py": wrong("g"), "shop/c.py": right("h")})
    return tmp_path / "shop"


def test_what_is_typed_counts_more(shop: Path, commands: Commands, tmp_path: Path) -> None:
    configure(tmp_path, 'level = "quick"', "jobs = 1", 'fail-on = "refuted"', 'output-format = "json"')
    ended = commands.run("verify", "shop/a.py")
    assert (ended.code, json.loads(ended.stdout)["result"]["passed"]) == (0, False)
    typed = commands.run("verify", "shop/a.py", "--fail-on", "undecided", "--format", "text", "-q")
    assert (typed.code, names(typed)) == (3, ["shop/a.py::f"])
    assert json.loads(commands.run("verify", "shop/a.py", "--json").stdout)
    assert commands.run("verify", "shop/a.py", "--format", "sarif").stdout.startswith('{\n  "$schema"')


@pytest.mark.parametrize("pattern", ["gen", "shop/gen", "shop/gen/*.py", "**/b.py"])
def test_configured_and_typed_patterns_count_together(
    pattern: str, shop: Path, commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(tmp_path, f'exclude = ["{pattern}"]')
    assert names(quick(commands, "shop")) == ["shop/a.py::f", "shop/c.py::h"]
    assert names(quick(commands, "shop", "--exclude", "a.py", "-q")) == ["shop/c.py::h"]
    monkeypatch.chdir(shop)
    assert names(quick(commands, ".")) == ["a.py::f", "c.py::h"]


def test_force_exclude_can_be_configured(shop: Path, commands: Commands, tmp_path: Path) -> None:
    configure(tmp_path, 'exclude = ["gen"]', "force-exclude = true")
    assert quick(commands, "shop/gen/b.py").code == 0


def test_the_nearest_table_above_what_is_asked_about_counts(shop: Path, commands: Commands, tmp_path: Path) -> None:
    configure(tmp_path, 'exclude = ["a.py"]')
    write(shop, {"pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n'})
    assert names(quick(commands, "shop")) == ["shop/c.py::h", "shop/gen/b.py::g"]
    configure(shop, 'exclude = ["c.py"]')
    assert names(quick(commands, "shop")) == ["shop/a.py::f", "shop/gen/b.py::g"]
    told = quick(commands, "-", "--stdin-filename", "shop/c.py", "--force-exclude", stdin=wrong("h").encode())
    assert told.code == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('levl = "quick"', "Did you mean 'level'?"),
        ('python = "/usr/bin/python3"', "Only a command line can say it: --python"),
        ("level = 3", "'level' is a text, got '3'."),
        ('level = "quik"', "'quik'"),
        ('fail-on = "nothing"', "'nothing'"),
        ("jobs = 0", "'jobs' is a whole number from 1, got 0."),
        ("jobs = 1.5", "'jobs' is a whole number from 1, got 1.5."),
        ('output-format = "yaml"', "'yaml'"),
        ("level = ", "is not TOML"),
        ('baseline = "none.txt"', "none.txt"),
    ],
)
def test_a_configuration_that_cannot_be_used(
    line: str, told: str, shop: Path, commands: Commands, tmp_path: Path
) -> None:
    configure(tmp_path, line)
    ended = commands.run("verify", "shop")
    assert (ended.code, ended.stdout, told in ended.stderr) == (2, "", True), ended.stderr


def test_a_baseline_beside_the_configuration_is_found_from_everywhere(
    shop: Path, commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(tmp_path)
    assert commands.run("baseline", "shop", *QUICK).code == 0
    assert (tmp_path / "probatum-baseline.txt").is_file()
    monkeypatch.chdir(shop / "gen")
    ended = quick(commands, "b.py")
    assert (ended.code, closing(ended).startswith("1 refuted, 1 of them known")) == (0, True)
    configure(tmp_path, 'baseline = "other.txt"')
    assert commands.run("baseline", "..", *QUICK).code == 0
    assert quick(commands, "b.py").code == 0
    assert "\nshop/gen/b.py::g " in (tmp_path / "other.txt").read_text()


def test_where_nothing_is_kept(shop: Path, commands: Commands, tmp_path: Path) -> None:
    quick(commands, "shop")
    assert closing(quick(commands, "shop")).endswith("3 from the cache")
    configure(tmp_path, "no-cache = true")
    assert "cache" not in closing(quick(commands, "shop"))
    # Answers that a repository brought along would be answers of whoever made it.
    configure(tmp_path, 'cache-dir = "kept"')
    ended = quick(commands, "shop")
    assert (ended.code, "--cache-dir" in ended.stderr) == (2, True)
