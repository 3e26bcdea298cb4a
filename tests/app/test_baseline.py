"""The file of a baseline: what is written is read again, and anything else is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.app.baseline import HEADER, known_name, read_baseline, write_baseline
from probatum.core.errors import NotAttemptedError, UsageError

WORD = st.text("abc.:_/é", min_size=1)
NAME = st.text("abc :_/é", min_size=1).filter(lambda text: text.strip() == text and not text.startswith("#"))


@given(lines=st.frozensets(st.tuples(NAME, WORD, WORD)))
def test_what_is_written_is_read_again(
    lines: frozenset[tuple[str, str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "known.txt"
    write_baseline(path, lines)
    assert read_baseline(path) == lines
    rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert rows[0] == HEADER
    assert rows[1:] == [f"{' '.join(line)}\n" for line in sorted(lines)]


def test_empty_lines_and_comments_say_nothing(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text("# words\n\na.py::f program.x 12\r\n   \n")
    assert read_baseline(path) == {("a.py::f", "program.x", "12")}


@pytest.mark.parametrize("row", ["<<<<<<< HEAD", "=======", ">>>>>>> topic", "a.py::f program.x", "a.py"])
def test_other_lines_are_refused(row: str, tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text(f"{HEADER}a.py::f program.x 12\n{row}\n")
    with pytest.raises(UsageError, match="line 3") as raised:
        read_baseline(path)
    assert raised.value.code == "baseline.invalid"


def test_what_is_no_text_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_bytes(b"\xff")
    with pytest.raises(NotAttemptedError, match="not UTF-8"):
        read_baseline(path)


def test_a_file_is_named_from_the_folder_of_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert known_name("shop/./a.py", Path()) == "shop/a.py"
    assert known_name("shop/a.py", Path("shop")) == "a.py"
    assert known_name(str(tmp_path / "a.py"), Path("shop")) == "../a.py"
