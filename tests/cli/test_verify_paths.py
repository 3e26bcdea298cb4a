"""`probatum verify PATH…`: which files it means, what it leaves out, how it ends, and what it writes."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli import programs
from tests.cli.command import Commands
from tests.cli.folders import BLOCKED, closing, document, names, quick, right, warm, words, write, wrong


@pytest.fixture(autouse=True)
def _warm(commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(monkeypatch, tmp_path_factory)


@pytest.fixture
def shop(tmp_path: Path, commands: Commands) -> Path:
    """A folder with a file in it and one below it; a test and a text file are no sources."""
    files = {"a.py": right("f"), "sub/b.py": wrong("g"), "sub/notes.txt": "no", "tests/test_a.py": "def test_a(): ..."}
    write(tmp_path / "shop", files)
    return tmp_path / "shop"


# which files


def test_files_and_folders_come_in_the_order_of_the_command_line(
    shop: Path, commands: Commands, tmp_path: Path
) -> None:
    write(tmp_path, {"z.py": right("z"), "k/y.py": right("y"), "k/x.py": right("x")})
    ended = quick(commands, "z.py", "shop", "k")
    assert names(ended) == ["z.py::z", "shop/a.py::f", "shop/sub/b.py::g", "k/x.py::x", "k/y.py::y"]
    assert ended.code == 1


@pytest.mark.parametrize(
    "paths",
    [
        ["shop/a.py", "shop/a.py", "shop/sub/b.py"],
        ["shop", "shop"],
        ["shop", "shop/a.py"],
        ["./shop/a.py", "shop/../shop/a.py", "shop/sub"],
        ["shop/*.py", "shop/**/*.py"],
    ],
)
def test_a_file_that_is_asked_for_twice_counts_once(paths: list[str], shop: Path, commands: Commands) -> None:
    ended = quick(commands, *paths)
    assert [name.rpartition("::")[2] for name in names(ended)] == ["f", "g"]
    assert closing(ended).startswith("1 refuted, 1 undecided")


def test_two_names_of_one_file(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"app.py": "\n\n".join(map(right, "fgh"))})
    ended = quick(commands, "app.py::h", "app.py::f")
    assert names(ended) == ["app.py::h", "app.py::f"]


def test_a_name_that_is_not_there_ends_the_run(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop/sub/b.py", "shop/a.py::ff")
    assert (ended.code, "'ff'" in ended.stderr) == (2, True)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("shop/*.py", ["shop/a.py::f"]),
        ("shop/**/*.py", ["shop/a.py::f", "shop/sub/b.py::g"]),
        ("sh?p", ["shop/a.py::f", "shop/sub/b.py::g"]),
        ("*/[ab].py", ["shop/a.py::f"]),
    ],
)
def test_patterns_are_for_shells_that_leave_them(
    pattern: str, found: list[str], shop: Path, commands: Commands
) -> None:
    assert names(quick(commands, pattern, "-q")) == found


def test_a_pattern_that_matches_nothing_is_refused(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop", "*.pyy")
    assert (ended.code, ended.stdout) == (2, "")
    assert "No file matches '*.pyy'." in ended.stderr


def test_a_file_whose_name_is_a_pattern_is_that_file(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"[x]/a.py": right("f"), "x/a.py": right("g")})
    assert names(quick(commands, "[x]")) == ["[x]/a.py::f"]


def test_what_is_no_python_file_is_refused_where_it_is_named(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop/a.py", "shop/sub/notes.txt")
    assert (ended.code, ended.stdout) == (2, "")
    assert "'shop/sub/notes.txt' is not a Python file" in ended.stderr
    assert "notes" not in quick(commands, "shop").stdout


def test_a_missing_file_ends_the_run(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop/aa.py", "shop/a.py")
    assert (ended.code, "There is no file 'shop/aa.py'." in ended.stderr) == (2, True)


def test_one_option_that_belongs_to_one_file_is_refused_for_several(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop/a.py", "shop/sub/b.py", "--contract", "f(1) == 2")
    assert (ended.code, "--contract belongs to one file" in ended.stderr) == (2, True)


def test_a_loop_of_links_ends(shop: Path, commands: Commands) -> None:
    (shop / "again").symlink_to(shop, target_is_directory=True)
    (shop / "same.py").symlink_to(shop / "a.py")
    assert len(names(quick(commands, "shop"))) == 2


def test_a_path_with_spaces_can_be_pasted_from_what_is_printed(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"my shop/net price.py": wrong("f")})
    ended = quick(commands, "my shop")
    assert names(ended) == ["my shop/net price.py::f"]
    assert "Details: probatum verify 'my shop/net price.py::f' --level quick" in ended.stdout


def test_a_name_that_is_no_utf_8(commands: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    with open(os.path.join(os.fsencode(folder), b"caf\xe9.py"), "w", encoding="utf-8") as file:
        file.write(wrong("f"))
    for arguments in (["shop"], ["shop", "--json"], ["shop", "--output-format", "sarif"]):
        assert quick(commands, *arguments).code == 1


# standard input


def test_standard_input_belongs_where_its_name_says(commands: Commands, tmp_path: Path) -> None:
    files = {"shop/__init__.py": "", "shop/rates.py": "RATE = 2\n", "shop/app.py": "the text on disk does not count"}
    write(tmp_path, files)
    source = "from shop.rates import RATE\n\n\n" + wrong("f").replace("x + 2", "x + RATE")
    ended = quick(commands, "-", "--stdin-filename", "shop/app.py", "-q", stdin=source.encode())
    assert (ended.code, words(ended)) == (1, {"shop/app.py::f": "REFUTED"})
    assert "f(1) got 3" in ended.stdout


def test_readings_beside_the_name_of_standard_input_count(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.readings.toml").write_bytes(programs.READINGS)
    broken = programs.READ.replace(b"    >>> fee(50)\n    2\n", b"").replace(b"return 2 if", b"return 1 if")
    ended = quick(commands, "-", "--stdin-filename", "app.py", "-q", stdin=broken)
    assert (ended.code, words(ended)) == (1, {"app.py::fee": "REFUTED"})


def test_standard_input_beside_files(shop: Path, commands: Commands) -> None:
    assert names(quick(commands, "shop/a.py", "-", stdin=wrong("h").encode())) == ["shop/a.py::f", "-::h"]


# what is left out


@pytest.mark.parametrize(
    ("left_out", "found"),
    [
        (["b.py"], ["a.py::f"]),
        (["sub"], ["a.py::f"]),
        (["sub/"], ["a.py::f"]),
        (["shop/sub"], ["a.py::f"]),
        (["shop/sub/*.py"], ["a.py::f"]),
        (["./shop/sub/b.py"], ["a.py::f"]),
        (["**/a.py"], ["sub/b.py::g"]),
        (["shop/**/a.py"], ["sub/b.py::g"]),
        (["[a]*"], ["sub/b.py::g"]),
        (["c.py", "b.*"], ["a.py::f"]),
        (["su", "b", "op/sub"], ["a.py::f", "sub/b.py::g"]),
    ],
)
def test_files_are_left_out_by_name_and_by_path(
    left_out: Sequence[str], found: list[str], shop: Path, commands: Commands
) -> None:
    ended = quick(commands, "shop", *(word for each in left_out for word in ("--exclude", each)))
    assert names(ended) == [f"shop/{each}" for each in found]


def test_paths_are_left_out_below_a_folder_whose_name_is_a_pattern(
    commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"[1]/k/a.py": right("f"), "[1]/k/b.py": right("g")})
    monkeypatch.chdir(tmp_path / "[1]")
    assert names(quick(commands, "k", "--exclude", "k/b.py")) == ["k/a.py::f"]


def test_what_is_left_out_counts_still_where_it_is_named(shop: Path, commands: Commands) -> None:
    assert quick(commands, "shop/a.py", "--exclude", "a.py").code == 3


def test_a_run_that_leaves_everything_out_says_why(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop", "--exclude", "*.py")
    assert (ended.code, "There is nothing to judge in 'shop'." in ended.stderr) == (2, True)
    assert "--exclude" in ended.stderr


def test_named_files_are_left_out_too_where_that_is_forced(shop: Path, commands: Commands) -> None:
    forced = ("--force-exclude", "--exclude", "b.py")
    ended = quick(commands, "shop/a.py", "shop/sub/b.py", "shop/tests/test_a.py", *forced, "-q")
    assert (ended.code, names(ended)) == (3, ["shop/a.py::f"])
    nothing = quick(commands, "shop/sub/b.py", "shop/tests/test_a.py", *forced)
    assert (nothing.code, closing(nothing)) == (0, "nothing to verify: every file is left out")
    written = quick(commands, "shop/sub/b.py", *forced, "--json", "--output-file", "sarif=a.sarif")
    assert (written.code, json.loads(written.stdout)["verdict"]) == (0, None)
    assert json.loads(Path("a.sarif").read_text())["runs"][0]["results"] == []


def test_standard_input_is_left_out_by_its_name_where_that_is_forced(shop: Path, commands: Commands) -> None:
    told = ("-", "--stdin-filename", "shop/sub/b.py", "--exclude", "sub")
    assert quick(commands, *told, stdin=wrong("g").encode()).code == 1
    assert quick(commands, *told, "--force-exclude", stdin=wrong("g").encode()).code == 0


def test_a_folder_in_which_nothing_can_be_verified(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"shop/notes.txt": "", "names/a.py": "X = 1\n", "names/b.py": "Y = 2\n"})
    assert quick(commands, "shop").code == 2
    ended = quick(commands, "names")
    assert (ended.code, set(words(ended).values())) == (3, {"UNDECIDED"})


# how it ends


@pytest.mark.parametrize(
    ("file", "codes"),
    [
        ("refuted.py", {"refuted": 1, "blocked": 1, "undecided": 1}),
        ("blocked.py", {"refuted": 0, "blocked": 4, "undecided": 4}),
        ("undecided.py", {"refuted": 0, "blocked": 0, "undecided": 3}),
    ],
)
def test_the_least_that_fails(file: str, codes: dict[str, int], commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"refuted.py": wrong("f"), "blocked.py": BLOCKED, "undecided.py": right("f")})
    assert {least: quick(commands, file, "--fail-on", least).code for least in codes} == codes


def test_what_is_verified_never_fails(commands: Commands, app: Path) -> None:
    codes = [commands.run("verify", "app.py", "--fail-on", e).code for e in ("refuted", "blocked", "undecided")]
    assert codes == [0, 0, 0]


def test_of_several_the_weakest_that_fails_counts(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": right("f"), "b.py": BLOCKED, "c.py": wrong("f")})
    assert quick(commands, "a.py", "b.py").code == 4
    assert quick(commands, "a.py", "b.py", "c.py").code == 1


def test_what_is_blocked_says_why(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": right("f"), "b.py": BLOCKED})
    assert "a_package_that_is_nowhere" in quick(commands, "a.py", "b.py").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["-q", "-v"],
        ["--fail-on", "nothing"],
        ["-j", "0"],
        ["--output-format", "yaml"],
        ["--output-file", "sarif"],
        ["--output-file", "sarif="],
        ["--output-file", "text=a.txt"],
        ["--output-file", "json=a.json", "--output-file", "json=b.json"],
    ],
)
def test_wrong_usage_ends_before_anything_is_verified(arguments: list[str], shop: Path, commands: Commands) -> None:
    ended = commands.run("verify", "shop", "--level", "quick", *arguments)
    assert (ended.code, ended.stdout, ended.stderr.startswith("error[")) == (2, "", True)


def test_two_formats_for_standard_output_are_refused(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop", "--output-format", "sarif", "--json")
    assert (ended.code, json.loads(ended.stdout)["error"]["code"]) == (2, "format.twice")


# what it prints


def test_quiet_shows_what_fails(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop", "-q", "--fail-on", "refuted")
    first, why, *_, last = ended.stdout.splitlines()
    assert first == "REFUTED    shop/sub/b.py::g: does not do what its documentation says."
    assert why.strip() == "line 3: g(1) got 3"
    assert last.startswith("==== 1 refuted, 1 undecided")


def test_quiet_shows_one_file_in_the_same_form(shop: Path, commands: Commands) -> None:
    assert words(quick(commands, "shop/sub/b.py", "-q")) == {"shop/sub/b.py::g": "REFUTED"}


def test_verbose_shows_a_page_for_everything(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop", "-v")
    assert "UNDECIDED  shop/a.py::f\n" in ended.stdout
    assert "REFUTED  shop/sub/b.py::g\n" in ended.stdout
    assert closing(ended).startswith("1 refuted, 1 undecided")


def test_one_file_with_many_functions_ends_with_the_same_lines(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"app.py": "\n\n".join([*map(right, "abc"), wrong("d")])})
    ended = quick(commands, "app.py")
    assert names(ended) == [f"app.py::{each}" for each in "abcd"]
    assert "Details: probatum verify app.py::d --level quick\n" in ended.stdout
    assert closing(ended).startswith("1 refuted, 3 undecided")


@pytest.mark.parametrize("form", ["text", "json", "junit", "sarif", "html", "markdown"])
def test_every_format_ends_alike(form: str, shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop", "--output-format", form)
    assert (ended.code, ended.stderr) == (1, "")
    assert "sub/b.py" in ended.stdout
    if form in {"json", "sarif"}:
        json.loads(ended.stdout)
    if form == "junit":
        ElementTree.fromstring(ended.stdout)


def test_formats_are_written_into_files_beside_what_is_printed(shop: Path, commands: Commands) -> None:
    forms = ("sarif", "junit", "json", "html", "markdown")
    told = [word for form in forms for word in ("--output-file", f"{form}=out/{form}.txt")]
    ended = quick(commands, "shop", *told)
    assert ended.code == 1
    assert words(ended)["shop/sub/b.py::g"] == "REFUTED"
    printed = {form: quick(commands, "shop", "--format", form).stdout for form in forms}
    assert {form: Path(f"out/{form}.txt").read_text() for form in forms} == printed


def test_a_file_that_cannot_be_written_is_told(shop: Path, commands: Commands) -> None:
    ended = quick(commands, "shop/a.py", "--output-file", "sarif=shop")
    assert (ended.code, "'shop' could not be written" in ended.stderr) == (4, True)


# how it runs


def test_more_processes_give_the_same_document(shop: Path, commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"shop/c.py": "\n\n".join(map(right, "fgh")), "shop/d.py": BLOCKED})
    told = [
        commands.run("verify", "shop", "--level", "quick", "--no-cache", "--json", "-j", jobs) for jobs in ("1", "2")
    ]
    assert document(told[0]) == document(told[1])
    assert [each.code for each in told] == [1, 1]


def test_a_second_run_is_the_same_and_comes_from_the_cache(
    shop: Path, commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBATUM_CACHE_DIR", str(tmp_path / "cache"))
    first, second = quick(commands, "shop"), quick(commands, "shop")
    assert closing(first) == "1 refuted, 1 undecided"
    assert closing(second) == "1 refuted, 1 undecided, 2 from the cache"
    assert first.stdout.splitlines()[:-1] == second.stdout.splitlines()[:-1]
    assert first.code == second.code == 1
    kept, anew = (quick(commands, "shop", "--json", *more) for more in ([], ["--no-cache"]))
    assert document(kept) == document(anew)
    assert closing(quick(commands, "shop", "--no-cache")) == "1 refuted, 1 undecided"
    assert closing(quick(commands, "shop", "--cache-dir", "other")) == "1 refuted, 1 undecided"
    assert Path("other").is_dir()


def test_one_function_that_changed_is_verified_anew(
    commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBATUM_CACHE_DIR", str(tmp_path / "cache"))
    write(tmp_path, {"shop/a.py": "\n\n".join(map(right, "fgh"))})
    quick(commands, "shop")
    write(tmp_path, {"shop/a.py": "\n\n".join([right("f"), wrong("g"), right("h")])})
    assert closing(quick(commands, "shop")) == "1 refuted, 2 undecided, 2 from the cache"


def test_a_named_store_changes_nothing_about_what_is_kept(shop: Path, commands: Commands, tmp_path: Path) -> None:
    quick(commands, "shop", "--store", str(tmp_path / "elsewhere"))
    again = quick(commands, "shop", "--store", str(tmp_path / "elsewhere"))
    assert " from the cache" in again.stdout.splitlines()[-1]
