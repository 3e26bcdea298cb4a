"""Files saved beside an answer: written where asked, never over somebody else's file."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from probatum.app import sources
from probatum.app.sources import SAVED, require_free, save
from probatum.core.errors import UsageError
from probatum.verification.desk import SavedFile
from tests.full_disk import full_disk


def test_tests_are_saved_under_a_marker_in_a_folder_that_is_made(tmp_path: Path) -> None:
    path = tmp_path / "tests" / "generated" / "test_app.py"
    require_free(path)
    save(SavedFile("Tests", path, "def test_a():\n    assert True\n\n"))
    assert path.read_text() == f"{SAVED}\ndef test_a():\n    assert True\n"


def test_saving_again_replaces_what_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "test_app.py"
    for tests in ("a = 1", "b = 2"):
        require_free(path)
        save(SavedFile("Tests", path, tests))
    assert path.read_text() == f"{SAVED}\nb = 2\n"


FOREIGN = {
    "a file of the user": "def test_mine(): ...\n",
    "an empty file": "",
    "a marker that is not first": f"\n{SAVED}\n",
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_a_file_of_somebody_else_is_left_as_it_is(content: str, tmp_path: Path) -> None:
    path = tmp_path / "test_app.py"
    path.write_text(content)
    with pytest.raises(UsageError, match="left as it is") as caught:
        require_free(path)
    assert caught.value.code == "tests.not_ours"
    assert path.read_text() == content


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "test_app.py"
    save(SavedFile("Tests", path, "a = 1"))
    with full_disk(), pytest.raises(UsageError, match="could not be written"):
        save(SavedFile("Tests", path, "b = 2\n" * 100))
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == {path.name: f"{SAVED}\na = 1\n"}
    save(SavedFile("Tests", path, "b = 2"))


def test_a_saved_file_is_as_readable_as_other_files_of_its_user(tmp_path: Path) -> None:
    save(SavedFile("Tests", tmp_path / "test_app.py", "a = 1"))
    (tmp_path / "other").touch()
    assert (tmp_path / "test_app.py").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("")
    with pytest.raises(UsageError, match="could not be written"):
        save(SavedFile("Tests", tmp_path / "folder" / "test_app.py", "a = 1"))


def test_a_test_file_that_is_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_app.py").mkdir()
    with pytest.raises(UsageError, match="could not be written"):
        require_free(tmp_path / "test_app.py")


COUNTING = """
import sys
from pathlib import Path
from probatum.app.sources import save
from probatum.core.errors import UsageError
from probatum.verification.desk import SavedFile

path, left = Path(sys.argv[1]), 100
while left:
    was = path.read_bytes() if path.exists() else b""
    try:
        save(SavedFile("A number", path, str(int(was or b"0") + 1), replaces=was))
    except UsageError as error:
        assert error.code == "file.changed", error
    else:
        left -= 1
"""


def test_what_several_processes_replace_is_replaced_one_after_the_other(tmp_path: Path) -> None:
    """Each counts on from what it read: nobody's number is written over that was not read."""
    path = tmp_path / "folder" / "number"
    counting = [subprocess.Popen([sys.executable, "-c", COUNTING, str(path)]) for _ in range(3)]
    assert [each.wait(120) for each in counting] == [0, 0, 0]
    assert path.read_text() == "300"
    assert [each.name for each in path.parent.iterdir()] == ["number"]


def test_a_folder_that_somebody_keeps_locked_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "LOCK_SECONDS", 0.0)
    held = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(UsageError, match="keeps its folder locked"):
            save(SavedFile("A number", tmp_path / "number", "1", replaces=b""))
    finally:
        os.close(held)
    assert list(tmp_path.iterdir()) == []
