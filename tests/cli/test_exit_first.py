"""`probatum verify -x`: what is refuted is looked for first, with the least work; all else is as without it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import Commands
from tests.cli.folders import closing, committed, document, names, right, warm, words, write, wrong


@pytest.fixture(autouse=True)
def _warm(commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(monkeypatch, tmp_path_factory)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_example_of_another_function_that_notices_comes_first(commands: Commands, tmp_path: Path, jobs: str) -> None:
    uses = "\n\n".join(right(name, code="base(x)") for name in ("first", "last"))
    write(tmp_path, {"a.py": f"def base(x: int) -> int:\n    return x + 1\n\n\n{uses}", "b.py": right("b")})
    committed(tmp_path)
    write(tmp_path, {"a.py": f"def base(x: int) -> int:\n    return x + 1\n\n\n{uses.replace('last(1)', 'last(2)')}"})
    ended = commands.run("verify", ".", "--changed", "-x", "-j", jobs)
    assert (ended.code, words(ended)) == (1, {"a.py::last": "REFUTED"})
    assert closing(ended).endswith("stopped with 1 file left")


def test_what_does_not_parse_comes_first(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": right("a"), "b.py": "def b(:\n"})
    ended = commands.run("verify", ".", "-x")
    assert (ended.code, words(ended)) == (1, {"b.py": "REFUTED"})


def test_one_function_has_its_page(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": wrong("a")})
    ended, told = commands.run("verify", "a.py", "-x"), commands.run("verify", "a.py::a", "-x", "--json")
    assert (ended.code, told.code) == (1, 1)
    assert ended.stdout.startswith("REFUTED  a.py::a\na does not do what its documentation says.")
    assert document(told)["verdict"]["developer_fields"]["constraint_id"] == "program.counterexample"


def test_where_nothing_is_refuted_the_run_is_as_without_it(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": f"{right('a')}\n\n{right('b')}"})
    first = commands.run("verify", "a.py", "-x", "--fail-on", "refuted")
    again = commands.run("verify", "a.py", "--fail-on", "refuted")
    assert (first.code, names(first), first.stdout) == (again.code, names(again), again.stdout)
    assert commands.run("verify", "a.py", "-x").code == 0


def test_what_is_known_ends_nothing(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": wrong("a"), "b.py": right("b")})
    assert commands.run("baseline", ".").code == 0
    ended = commands.run("verify", ".", "-x")
    assert (ended.code, closing(ended).startswith("1 refuted, 1 of them known, 1 verified")) == (0, True)


def test_what_is_known_is_known_although_less_work_leaves_more_open(commands: Commands, tmp_path: Path) -> None:
    back = right("back", code="y - 5").replace("back(1)", "back(7)").replace("x: int", "y: int")
    f = 'def f(x: int) -> int:\n    """\n    post: back(__return__) == x\n    post: 10 // x > -100\n\n'
    write(tmp_path, {"a.py": f'{back}\n\n{f}    >>> f(0)\n    4\n    """\n    return x + 4\n', "b.py": right("b")})
    assert commands.run("baseline", ".").code == 0
    ended = commands.run("verify", ".", "-x")
    assert (ended.code, closing(ended).startswith("1 refuted, 1 of them known, 2 verified")) == (0, True)


@pytest.mark.parametrize(
    ("words_given", "code", "said"),
    [
        (["a.py", "--level", "most"], 2, "level.unknown"),
        ([f"{'a' * 300}.py"], 2, "path.missing"),
        (["a.py::b"], 2, "program.no_such_name"),
        (["a.py", "--changed=nowhere"], 2, "changed.no_revision"),
    ],
)
def test_wrong_usage_stays_wrong(
    commands: Commands, tmp_path: Path, words_given: list[str], code: int, said: str
) -> None:
    write(tmp_path, {"a.py": wrong("a")})
    committed(tmp_path)
    told = [commands.run("verify", *words_given, *more) for more in ([], ["-x"])]
    assert [(each.code, said in each.stderr) for each in told] == [(code, True)] * 2


def test_refutations_come_first_at_every_level(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": right("a"), "b.py": wrong("b")})
    assert words(commands.run("verify", ".", "-x", "--level", "quick")) == {"b.py::b": "REFUTED"}


def test_every_verdict_is_recorded_once(commands: Commands, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": right("a"), "b.py": wrong("b")})
    ended = commands.run("verify", ".", "-x", "--ledger", "l.sqlite", "--fail-on", "refuted")
    assert (ended.code, names(ended)) == (1, ["a.py::a", "b.py::b"])
    assert len(commands.run("ledger", "export", "--ledger", "l.sqlite").stdout.splitlines()) == 2


def test_a_pipe_is_read_once(commands: Commands, tmp_path: Path) -> None:
    ended = commands.run("verify", "-", "-x", stdin=wrong("a").encode())
    assert (ended.code, "a does not do" in ended.stdout) == (1, True)
    write(tmp_path, {"a.py": wrong("a")})
    os.mkfifo("pipe")
    with subprocess.Popen(["sh", "-c", "cat a.py > pipe"], cwd=tmp_path):
        assert commands.run("verify", "pipe", "-x").code == 1
