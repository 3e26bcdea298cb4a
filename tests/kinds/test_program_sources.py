"""What can be pointed at, and what a path that cannot be read becomes."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from probatum.app.service import Service
from probatum.app.sources import NO_SOURCES, Sources
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.kinds.program import sources
from probatum.kinds.program.sources import ProgramPath, parse_path, python_files, read_companion, read_programs
from probatum.proof.stores import MemoryStore
from probatum.verification.observed import Blank, Refusal
from tests.services import Answer, ProgramRequest

TARGETS = {
    "a file": ("app.py", ProgramPath("app.py")),
    "a name in a file": ("app.py::mean", ProgramPath("app.py", "mean")),
    "a method": ("pkg/app.py::Stack.push", ProgramPath("pkg/app.py", "Stack.push")),
    "standard input": ("-", ProgramPath("-")),
    "a name in standard input": ("-::mean", ProgramPath("-", "mean")),
}
NOT_TARGETS = {"empty": "", "no name": "app.py::", "no path": "::mean"}


def read_all(target: str, standard_input: bytes = b"") -> list[ProgramRequest | Refusal | Blank]:
    found = parse_path(target)
    wanted = ProgramRequest(b"", found.path, found.function)
    return list(read_programs(found, wanted, Sources(io.BytesIO(standard_input))))


def answered(refused: ProgramRequest | Refusal | Blank) -> Answer:
    assert isinstance(refused, Refusal)
    with Service(MemoryStore()) as service:
        return service.answer_refusal(refused)


def refuse_to_open(_path: str, _flags: int) -> int:
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize(("text", "target"), TARGETS.values(), ids=TARGETS)
def test_targets_are_read(text: str, target: ProgramPath) -> None:
    assert parse_path(text) == target


@pytest.mark.parametrize("text", NOT_TARGETS.values(), ids=NOT_TARGETS)
def test_what_is_no_target_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        parse_path(text)


def test_a_file_whose_own_name_holds_colons_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odd::name.py").write_text("x = 1\n")
    assert parse_path("odd::name.py") == ProgramPath("odd::name.py")


def test_a_file_is_read_as_bytes(tmp_path: Path) -> None:
    path = tmp_path / "app.py"
    path.write_bytes(b"\xff\xfe not even text")
    [source] = read_all(str(path))
    assert source == ProgramRequest(b"\xff\xfe not even text", str(path), module="app")


def test_a_name_that_does_not_exist_is_a_usage_error_with_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "pricing.py").write_text("")
    with pytest.raises(UsageError, match=r"Did you mean 'pricing\.py'") as caught:
        read_all(str(tmp_path / "prcing.py"))
    assert (caught.value.code, caught.value.exit_code) == ("path.missing", 2)


def test_a_folder_beside_a_missing_one_is_no_reason_to_fail() -> None:
    with pytest.raises(UsageError, match="There is no file"):
        read_all("/no/such/folder/app.py")


def test_a_path_with_a_null_character_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        read_all("a\0b.py")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(UsageError, match="a pipe into which nobody writes"):
        read_all(str(tmp_path / "pipe.py"))


def test_a_file_that_may_not_be_read_is_blocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.py"
    path.write_text("x = 1\n")

    monkeypatch.setattr(os, "open", refuse_to_open)
    [unread] = read_all(str(path))
    assert answered(unread).exit_code == 4
    assert answered(unread).verdict.constraint_id == "program.unreadable"


@pytest.mark.parametrize("origin", ["a file", "standard input"])
def test_more_than_the_budget_is_undecided(origin: str, tmp_path: Path) -> None:
    content = b"#" * (MAX_SOURCE_BYTES + 1)
    (tmp_path / "big.py").write_bytes(content)
    [unread] = read_all(str(tmp_path / "big.py")) if origin == "a file" else read_all("-", content)
    assert answered(unread).exit_code == 3
    assert answered(unread).verdict.constraint_id == "program.too_large"


def test_exactly_the_budget_is_read(tmp_path: Path) -> None:
    (tmp_path / "big.py").write_bytes(b"#" * MAX_SOURCE_BYTES)
    [source] = read_all(str(tmp_path / "big.py"))
    assert isinstance(source, ProgramRequest)


def test_standard_input_is_read() -> None:
    assert read_all("-::mean", b"x = 1\n") == [ProgramRequest(b"x = 1\n", "-", "mean")]


def test_a_folder_gives_every_program_and_nothing_else(tmp_path: Path) -> None:
    wanted = ["a.py", "pkg/__init__.py", "pkg/b.py", "pkg/deep/c.py"]
    left_out = [
        ".hidden.py",
        ".git/hook.py",
        "__pycache__/a.py",
        "conftest.py",
        "setup.py",
        "node_modules/x.py",
        "notes.txt",
        "pkg/b_test.py",
        "test_a.py",
        "tests/helper.py",
        "venv/lib/x.py",
    ]
    for name in (*wanted, *left_out, "venv/pyvenv.cfg"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n" if name.endswith("__init__.py") else "def f(): ...\n")
    assert [path.relative_to(tmp_path).as_posix() for path in python_files(tmp_path)] == wanted
    read = read_all(str(tmp_path))
    assert [Path(source.name).relative_to(tmp_path).as_posix() for source in read] == [
        *wanted[:1],
        *wanted[2:],
        wanted[1],
    ]
    assert [isinstance(source, Blank) for source in read] == [False, False, False, True]


def test_a_folder_that_contains_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert [path.name for path in python_files(tmp_path)] == ["a.py"]


def test_an_empty_folder_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no Python file"):
        read_all(str(tmp_path))


def test_a_folder_with_too_many_files_is_a_usage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_FILES", 2)
    for number in range(3):
        (tmp_path / f"a{number}.py").write_text("")
    with pytest.raises(UsageError, match="more than 2"):
        python_files(tmp_path)


def test_a_name_in_a_folder_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="only be looked up in a file"):
        read_all(f"{tmp_path}::mean")


def test_one_unreadable_file_does_not_hide_the_rest(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"#" * (MAX_SOURCE_BYTES + 1))
    (tmp_path / "b.py").write_text("def f(): ...\n")
    assert [type(each) for each in read_all(str(tmp_path))] == [Refusal, ProgramRequest]


def test_a_pipe_or_a_broken_link_in_a_folder_is_blocked_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.py")
    (tmp_path / "b.py").symlink_to("nowhere.py")
    assert [answered(unread).exit_code for unread in read_all(str(tmp_path))] == [4, 4]


def test_a_part_that_cannot_be_listed_is_never_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "locked").mkdir()
    listed = os.scandir

    def scan(path: str) -> object:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scan)
    with pytest.raises(NotAttemptedError, match=r"locked' cannot be listed: permission denied"):
        python_files(tmp_path)


def test_a_file_name_that_is_no_text_is_written_as_text(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.py")).write_text("x = 1\n")
    [source] = read_all(str(tmp_path))
    assert isinstance(source, ProgramRequest)
    assert source.name == f"{tmp_path}/caf\\xe9.py"


def test_a_companion_is_read_or_named(tmp_path: Path) -> None:
    path = tmp_path / "old.py"
    with pytest.raises(UsageError):
        read_companion(str(path), "--against", NO_SOURCES)
    path.write_bytes(b"x = 1\n")
    assert read_companion(str(path), "--against", NO_SOURCES) == b"x = 1\n"
    path.write_bytes(b"#" * (MAX_SOURCE_BYTES + 1))
    with pytest.raises(BudgetError):
        read_companion(str(path), "--against", NO_SOURCES)


def test_a_companion_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old.py"
    path.write_bytes(b"x = 1\n")
    monkeypatch.setattr(os, "open", refuse_to_open)
    with pytest.raises(NotAttemptedError, match="could not be read: permission denied"):
        read_companion(str(path), "--against", NO_SOURCES)


def test_two_programs_are_never_saved_as_one_file(tmp_path: Path) -> None:
    source = Sources(None)
    source.claim(tmp_path / "test_a_b_c.py")
    source.claim(tmp_path / "test_a_b_d.py")
    with pytest.raises(UsageError, match="Two subjects would be saved"):
        source.claim(tmp_path / "test_a_b_c.py")


def test_a_folder_into_which_nobody_can_look_is_no_defect(tmp_path: Path) -> None:
    """A path may have 4,095 bytes, so nothing can be asked about a file in this folder."""
    (tmp_path / "a.py").write_text("")
    folder = tmp_path
    while (room := 4_090 - len(str(folder))) > 1:
        folder /= "d" * min(200, room - 1)
    folder.mkdir(parents=True)
    assert python_files(tmp_path) == [tmp_path / "a.py"]
