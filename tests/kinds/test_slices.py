"""What a slice of a program notices, and what it does not: pairs of programs in two tables beside this file.

Nothing is verified here. Where a slice stayed the same, an earlier answer is taken for that of the program as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from probatum.app.kinds import built_in_kinds
from probatum.app.sources import Sources
from probatum.core.command import Given
from probatum.kinds.program.slices import slices_of
from tests.services import ProgramRequest

_MARKS = re.compile("«([^»]*)»«([^»]*)»")
_FILE = "=== "
# What a file says beside its functions is told with the first of them: its slice holds more than those of others.
_FIRST = "def first() -> int:\n    return 1\n"
_MUST_BE_FIRST = re.compile(r'(=== \S+\n)?(«»«)?("""|from __future__|# -\*-|__all__)')


def _pairs(name: str) -> dict[str, str]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    sections = (section.partition("\n") for section in text.split("\n##### ")[1:])
    return {title: content.strip("\n") + "\n" for title, _, content in sections}


DIFFER = _pairs("slices_differ.txt")
SAME = _pairs("slices_same.txt")


def _digest(pair: str, version: int) -> str:
    """Return the digest of f, or of the class K, or of what no definition makes, in one version of a pair."""
    text = _MARKS.sub(lambda match: match[version], pair)
    files = [part.partition("\n") for part in text.split(_FILE)[1:]] or [("m.py", "", text)]
    for number, (name, _, content) in enumerate(files):
        path = Path(str(version), name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_FIRST + content if not number and not _MUST_BE_FIRST.match(pair) else content)
    return _digests(Path(str(version)), files[0][0])[0]


def _digests(root: Path, name: str) -> tuple[str, ...]:
    """Return the digests of the slice that is asked about, and of what no definition makes."""
    request = _request(root / name)
    found = {each.name: each.digest for each in slices_of(replace(request, name=name), b"")}
    return found.get("f", found.get("K", found[""])), found[""]


def _request(path: Path) -> ProgramRequest:
    request = next(iter(built_in_kinds()["program"].requests(Given(str(path)), Sources(None))))
    assert isinstance(request, ProgramRequest)
    return request


@pytest.mark.parametrize("pair", DIFFER.values(), ids=DIFFER)
def test_a_slice_notices(pair: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert _digest(pair, 1) != _digest(pair, 2)


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_a_slice_stays(pair: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert _digest(pair, 1) == _digest(pair, 2)


LETTERS = {
    "a file in latin-1": b"# -*- coding: latin-1 -*-\ndef f() -> str:\n    return '%b'\n",
    "a file in another encoding": b"# -*- coding: koi8-r -*-\ndef f() -> str:\n    return '%b'\n",
}


@pytest.mark.parametrize("content", LETTERS.values(), ids=LETTERS)
def test_letters_that_are_not_utf_8_are_told_apart(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, letter in (("one", b"\xe8"), ("two", b"\xe9")):
        Path(folder).mkdir()
        Path(folder, "m.py").write_bytes(content % letter)
    assert _digests(Path("one"), "m.py") != _digests(Path("two"), "m.py")


SEPARATORS = {"form feed": b"\x0c", "unit": b"'\x1f'", "group": b"'\x1d'", "next line": "'\x85'".encode()}


@pytest.mark.parametrize("between", SEPARATORS.values(), ids=SEPARATORS)
def test_what_ends_no_line_of_python_moves_no_text(
    between: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, step in (("one", b"1"), ("two", b"2")):
        Path(folder).mkdir()
        content = b"def first():\n    return 1\n%b\ndef f():\n    return g()\ndef g():\n    return %b\n" % (
            between,
            step,
        )
        Path(folder, "m.py").write_bytes(content)
    assert _digests(Path("one"), "m.py")[0] != _digests(Path("two"), "m.py")[0]


@pytest.mark.parametrize("ending", [b"\r\n", b"\r"])
def test_ends_of_lines_are_no_part_of_a_slice(ending: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content = b"def f():\n    return g()\n\n\ndef g():\n    return 1\n"
    for folder, each in (("one", content), ("two", content.replace(b"\n", ending))):
        Path(folder).mkdir()
        Path(folder, "m.py").write_bytes(each)
    assert _digests(Path("one"), "m.py") == _digests(Path("two"), "m.py")


def test_what_is_no_python_has_no_slices(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f(:\n")
    assert slices_of(_request(tmp_path / "m.py"), b"") == ()


def test_a_module_that_is_no_python_leaves_no_slices(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("import tools\ndef f():\n    return 1\n")
    (tmp_path / "tools.py").write_text("def g(:\n")
    assert slices_of(_request(tmp_path / "m.py"), b"") == ()


def test_a_slice_tells_where_its_lines_are(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "import math\n\n\n# Doubles.\ndef f(x):\n    return g(x)\n\n\ndef g(x):\n    return x\n"
    )
    found = {each.name: each.lines for each in slices_of(_request(tmp_path / "m.py"), b"")}
    assert found == {"": (), "f": ((1, 1), (4, 3), (9, 2)), "g": ((1, 1), (9, 2))}
