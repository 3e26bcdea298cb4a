"""`probatum baseline`, and how a run of `verify` stands beside what a baseline knows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.command import Commands, Ended
from tests.cli.folders import closing, names, quick, right, warm, write, wrong

FILE = Path("probatum-baseline.txt")


@pytest.fixture(autouse=True)
def _warm(commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(monkeypatch, tmp_path_factory)


@pytest.fixture
def shop(tmp_path: Path, commands: Commands) -> Path:
    write(tmp_path / "shop", {"a.py": f"{right('f')}\n\n{wrong('g')}", "b.py": wrong("h")})
    return tmp_path / "shop"


def baseline(commands: Commands, *arguments: str) -> Ended:
    return commands.run("baseline", *arguments, "--level", "quick", "-j", "1")


def known() -> list[str]:
    """Return what a baseline names, each once."""
    rows = [row for row in FILE.read_text().splitlines() if not row.startswith("#")]
    assert rows == sorted(rows)
    return sorted({row.split(" ")[0] for row in rows})


def test_what_is_known_does_not_fail(shop: Path, commands: Commands) -> None:
    assert quick(commands, "shop").code == 1
    ended = baseline(commands, "shop")
    assert (ended.code, known()) == (0, ["shop/a.py::f", "shop/a.py::g", "shop/b.py::h"])
    assert ended.stdout.splitlines()[-1] == f"{FILE}: 3 lines, 3 new, 0 taken out."
    after = quick(commands, "shop")
    assert (after.code, names(after)) == (0, [])
    assert closing(after).startswith("2 refuted, 1 undecided, 3 of them known")
    assert quick(commands, "shop", "--no-baseline").code == 1


def test_one_file_that_is_known_says_why_it_does_not_fail(shop: Path, commands: Commands) -> None:
    baseline(commands, "shop")
    ended = quick(commands, "shop/b.py")
    assert (ended.code, closing(ended).startswith("1 refuted, 1 of them known")) == (0, True)


def test_what_is_new_fails(shop: Path, commands: Commands, tmp_path: Path) -> None:
    baseline(commands, "shop")
    write(tmp_path, {"shop/c.py": wrong("new")})
    ended = quick(commands, "shop")
    assert (ended.code, names(ended)) == (1, ["shop/c.py::new"])


def test_what_is_known_and_gets_worse_fails(shop: Path, commands: Commands, tmp_path: Path) -> None:
    baseline(commands, "shop")
    write(tmp_path, {"shop/a.py": f"{wrong('f')}\n\n{wrong('g')}"})
    ended = quick(commands, "shop")
    assert (ended.code, names(ended)) == (1, ["shop/a.py::f"])


def test_what_is_known_and_edited_does_not_fail(shop: Path, commands: Commands, tmp_path: Path) -> None:
    baseline(commands, "shop")
    edited = "# A line above.\n\n\n" + wrong("h").replace("x + 2", "3 + x - 1 if x else 2")
    write(tmp_path, {"shop/b.py": edited})
    assert quick(commands, "shop").code == 0


def test_a_statement_of_its_documentation_that_is_broken_since_fails(
    shop: Path, commands: Commands, tmp_path: Path
) -> None:
    baseline(commands, "shop")
    write(tmp_path, {"shop/b.py": wrong("h").replace("    >>> h(1)", "    >>> h(5)\n    6\n    >>> h(1)")})
    assert quick(commands, "shop").code == 1


def test_prune_takes_out_what_is_no_longer_so_and_adds_nothing(shop: Path, commands: Commands, tmp_path: Path) -> None:
    baseline(commands, "shop/b.py")
    baseline(commands, "shop/a.py")
    write(tmp_path, {"shop/b.py": right("other"), "shop/c.py": wrong("new")})
    ended = baseline(commands, "shop", "--prune")
    assert (ended.code, known()) == (0, ["shop/a.py::f", "shop/a.py::g"])
    assert ended.stdout.splitlines()[-1] == f"{FILE}: 2 lines, 0 new, 1 taken out."


def test_prune_without_a_baseline(shop: Path, commands: Commands) -> None:
    ended = baseline(commands, "shop", "--prune")
    assert (ended.code, f"There is no baseline '{FILE}'." in ended.stderr) == (2, True)


def test_lines_about_what_is_not_asked_for_stay(shop: Path, commands: Commands, tmp_path: Path) -> None:
    baseline(commands, "shop")
    write(tmp_path, {"shop/a.py": f"{right('f')}\n\n{right('g')}", "shop/b.py": right("h")})
    before = FILE.read_text()
    assert baseline(commands, "shop/a.py::f").code == 0
    assert FILE.read_text() == before
    baseline(commands, "shop/a.py")
    assert "shop/b.py::h program.counterexample" in FILE.read_text()
    assert "shop/a.py::g program.counterexample" not in FILE.read_text()


def test_lines_about_files_that_are_gone_are_taken_out(shop: Path, commands: Commands) -> None:
    baseline(commands, "shop")
    (shop / "b.py").unlink()
    baseline(commands, "shop")
    assert known() == ["shop/a.py::f", "shop/a.py::g"]


def test_lines_about_what_is_left_out_since_are_taken_out(shop: Path, commands: Commands, tmp_path: Path) -> None:
    baseline(commands, "shop")
    write(tmp_path, {"shop/b.py": wrong("h", comment="  # probatum: ignore[it prints]")})
    assert baseline(commands, "shop").code == 0
    assert known() == ["shop/a.py::f", "shop/a.py::g"]


def test_the_same_baseline_is_written_again(shop: Path, commands: Commands) -> None:
    baseline(commands, "shop")
    before = FILE.read_bytes()
    assert baseline(commands, "shop").stdout.splitlines()[-1] == f"{FILE}: 3 lines, 0 new, 0 taken out."
    assert FILE.read_bytes() == before


def test_marks_of_a_merge_are_named(shop: Path, commands: Commands) -> None:
    baseline(commands, "shop")
    rows = FILE.read_text().splitlines()
    FILE.write_text("\n".join([*rows[:2], "<<<<<<< HEAD", rows[2], "=======", rows[3], ">>>>>>> topic", ""]))
    for ended in (quick(commands, "shop"), baseline(commands, "shop")):
        assert (ended.code, f"'{FILE}', line 3: " in ended.stderr) == (2, True)
        assert "'<<<<<<< HEAD'" in ended.stderr
        assert "Resolve conflicts" in ended.stderr


def test_paths_count_from_the_folder_of_the_baseline(
    shop: Path, commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert baseline(commands, "shop", "--baseline", "shop/known.txt").code == 0
    assert not FILE.exists()
    assert "\nb.py::h " in (shop / "known.txt").read_text()
    assert quick(commands, "shop").code == 1
    assert quick(commands, "shop", "--baseline", "shop/known.txt").code == 0
    monkeypatch.chdir(shop)
    assert quick(commands, ".", "--baseline", "known.txt").code == 0
    assert quick(commands, str(shop / "a.py"), "--baseline", os.path.join("..", "shop", "known.txt")).code == 0
    (tmp_path / "other").mkdir()
    (shop / "known.txt").rename(tmp_path / "other" / "known.txt")
    assert quick(commands, ".", "--baseline", "../other/known.txt").code == 1


def test_a_baseline_that_is_not_there_is_refused(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop", "--baseline", "known.txt")
    assert (ended.code, "There is no baseline 'known.txt'." in ended.stderr) == (2, True)
    assert "probatum baseline PATH" in ended.stderr


def test_a_baseline_that_cannot_be_written(shop: Path, commands: Commands) -> None:
    ended = baseline(commands, "shop", "--baseline", "shop/a.py/known.txt")
    assert (ended.code, "known.txt" in ended.stderr) == (4, True)


def test_what_is_written_does_not_depend_on_what_fails_here(shop: Path, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": '[tool.probatum]\nfail-on = "refuted"\n'})
    baseline(commands, "shop")
    assert known() == ["shop/a.py::f", "shop/a.py::g", "shop/b.py::h"]
