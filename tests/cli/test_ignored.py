"""Functions that their author leaves out of `probatum verify` by a comment, for a reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import programs
from tests.cli.command import Commands
from tests.cli.folders import closing, quick, right, warm, words, write, wrong

# What a gate is asked about: the whole file, what is left out, and what is not.
NAMED: tuple[list[str], ...] = ([], ["--name", "g"], ["--name", "net_price"])


@pytest.fixture(autouse=True)
def _warm(commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(monkeypatch, tmp_path_factory)


@pytest.mark.parametrize(
    "source",
    [
        wrong("g", comment="  # probatum: ignore[it prints]"),
        "import functools\n\n\n@functools.cache  # probatum: ignore[it prints]\n" + wrong("g"),
        "@staticmethod\n# probatum: ignore[it prints]\n" + wrong("g"),
        "class g:  # probatum: ignore[it prints]\n" + "".join(f"    {line}\n" for line in wrong("f").splitlines()),
    ],
)
def test_a_function_is_left_out_for_a_reason(source: str, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"shop/a.py": f"{right('f')}\n\n{source}"})
    ended = quick(commands, "shop", "--fail-on", "refuted")
    assert (ended.code, words(ended)) == (0, {"shop/a.py::f": "UNDECIDED", "shop/a.py::g": "IGNORED"})
    assert "IGNORED    shop/a.py::g: it prints\n" in ended.stdout
    assert closing(ended).startswith("1 undecided, 1 ignored")
    assert "IGNORED" not in quick(commands, "shop", "-q").stdout


def test_a_function_that_is_left_out_is_no_part_of_what_is_proved(commands: Commands, tmp_path: Path) -> None:
    left_out = wrong("g", comment="  # probatum: ignore[it prints]")
    write(tmp_path, {"app.py": f"{programs.HOLDING.decode()}\n\n{left_out}"})
    ended = commands.run("verify", "app.py", "--output-file", "json=v.json", "-q", "-j", "1")
    assert (ended.code, closing(ended).partition(", 1 from")[0]) == (0, "1 verified, 1 ignored")
    assert "g(1)" not in Path("v.json").read_text()
    admitted = [commands.run("gate", "v.json", "--subject", "app.py", *name).code for name in NAMED]
    assert admitted == [1, 1, 0]


def test_a_file_of_which_all_is_left_out_is_not_verified(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"app.py": wrong("g", comment="  # probatum: ignore[it prints]")})
    ended = quick(commands, "app.py")
    assert (ended.code, words(ended)) == (0, {"app.py::g": "IGNORED"})
    assert closing(ended) == "nothing to verify in 1 file, 1 ignored"
    assert json.loads(quick(commands, "app.py", "--json").stdout)["verdict"] is None


@pytest.mark.parametrize("comment", ["  # probatum: ignore", "  # probatum: ignore[]", "  # probatum: ignore[ ]"])
def test_nothing_is_left_out_without_a_reason(comment: str, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"shop/a.py": right("f") + "\n\n" + wrong("g", comment=comment)})
    ended = quick(commands, "shop")
    assert (ended.code, "shop/a.py, line 9" in ended.stderr) == (2, True)
    assert "# probatum: ignore[why it is left out]" in ended.stderr


@pytest.mark.parametrize(
    "source",
    [
        wrong("g").replace("    >>>", "    # probatum: ignore[no]\n    >>>", 1),
        "NAME = '# probatum: ignore[no]'\n\n\n" + wrong("g"),
        "# probatum: ignore[no]\n\n\n" + wrong("g"),
        wrong("g").replace("    return", "    # probatum: ignore[no]\n    return"),
    ],
)
def test_words_elsewhere_leave_nothing_out(source: str, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"app.py": source})
    assert quick(commands, "app.py").code == 1
