"""Does what changed still do what its documentation shows? Cases side by side, on small repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.changes.documented.looking import documented
from probatum.changes.documented.values import BROKEN, HOLDS, LAPSED, MOST_DOCUMENTED, UNKNOWN, DocumentedUnit
from probatum.changes.syntax.definitions import differences_of
from probatum.changes.versions.trees import trees_of
from probatum.core.events import ignore
from probatum.programs.loading import read_source
from probatum.programs.source import Source
from probatum.programs.statements.documented import documents_of
from probatum.programs.units import units_of
from probatum.readings.lapses import noted
from probatum.readings.notebook import write_notebook
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing
from probatum.sandbox import Program
from probatum.sandbox.environment import own_environment
from tests.changes.repositories import GONE, Files, committed

_PLAIN = '''
def double(n):
    """Return twice the number.

    >>> double(2)
    4
    >>> double(0)
    0
    """
    return n * 2
'''
_UNSHOWN = '''
def double(n):
    """Return twice the number."""
    return n * 2
'''
_CLASS = '''
class Box:
    """A box.

    >>> Box(2).size()
    2
    """

    def __init__(self, n):
        self.n = n

    def size(self):
        return self.n

    def twice(self):
        """Return twice the size.

        >>> Box(3).twice()
        6
        """
        return self.n * 2
'''
_RELATIVE = "from .factors import FACTOR\n" + _PLAIN.replace("n * 2", "n + n")
_BY_FACTOR = _RELATIVE.replace("n + n", "n * FACTOR")
_READ = '''
def share(part: int, whole: int) -> float:
    """Return which part of the whole it is.

    The result is never more than one.

    >>> share(1, 2)
    0.5
    """
    return min(part / whole, 1.0)
'''
_WORDS = "The result is never more than one."


def _told(folder: Path, base: Files, head: Files) -> tuple[DocumentedUnit, ...]:
    trees = trees_of("HEAD~1..HEAD", committed(folder, base, head))
    differences = differences_of(trees.base.contents, trees.head.contents)
    return documented(trees, differences.units, own_environment(), ignore, differences.documentation)


def _standings(rows: tuple[DocumentedUnit, ...]) -> list[tuple[str, str]]:
    return [(row.name, row.standing) for row in rows]


def _notebook(source: str, *, clause: str = "result <= 1", standing: Standing = Standing.ACCEPTED) -> str:
    """Return a readings file about the last words of `share`."""
    read = read_source(Program(source.encode(), "shares"))
    assert isinstance(read, Source)
    reading = Reading(_WORDS, ReadingKind.RESULT, clause)
    if standing is Standing.ACCEPTED:
        reading = Reading(_WORDS, ReadingKind.RESULT, clause, standing=standing, by="Ann", on="2026-01-02")
    documentation = documents_of(read.module, units_of(read.module, None, None)).about("share")
    assert documentation is not None
    record = ReadingRecord("share", (reading,), "a reader", inputs=("(1, 2)", "(3, 2)", "(5, 4)"))
    return write_notebook([noted(record, documentation)])


@pytest.mark.parametrize(
    ("then", "now", "standing"),
    [
        pytest.param("n * 2", "n + n", HOLDS, id="still-holds"),
        pytest.param("n * 2", "n * 3", BROKEN, id="broken-by-the-change"),
        pytest.param("n * 3", "n * 5", UNKNOWN, id="broken-before-and-after"),
        pytest.param("n * 3", "n * 2", HOLDS, id="repaired"),
        pytest.param("    4\n", "    5\n", BROKEN, id="the-example-is-made-wrong"),
        pytest.param("double(2)\n    4\n", "double(3)\n    6\n", HOLDS, id="another-example"),
        pytest.param("n * 2", "n * 2 if n else __import__('random').random()", UNKNOWN, id="flaky"),
    ],
)
def test_an_example_and_a_change(tmp_path: Path, then: str, now: str, standing: str) -> None:
    base = _PLAIN.replace("n * 2", then) if then.startswith("n ") else _PLAIN
    head = _PLAIN.replace("n * 2" if then.startswith("n ") else then, now)
    assert _standings(_told(tmp_path, {"doubles.py": base}, {"doubles.py": head})) == [("double", standing)]


def test_a_broken_example_is_told_with_its_line_and_counterexample(tmp_path: Path) -> None:
    (row,) = _told(tmp_path, {"doubles.py": _PLAIN}, {"doubles.py": _PLAIN.replace("n * 2", "n * 3")})
    assert (row.path, row.line, row.name, row.held_before) == ("doubles.py", 4, "double", True)
    assert row.sentence == "an example is broken, '>>> double(2) 4': double(2) got 6"


def test_a_wrong_example_that_is_new_is_broken_and_never_held(tmp_path: Path) -> None:
    (row,) = _told(tmp_path, {"doubles.py": ""}, {"doubles.py": _PLAIN.replace("n * 2", "n * 3")})
    assert (row.name, row.standing, row.held_before) == ("double", BROKEN, False)


def test_of_two_broken_examples_the_one_that_held_is_told(tmp_path: Path) -> None:
    (row,) = _told(
        tmp_path,
        {"doubles.py": _PLAIN.replace("n * 2", "n * 3")},
        {"doubles.py": _PLAIN.replace("n * 2", "n * 3 + 1")},
    )
    assert (row.line, row.standing) == (6, BROKEN)
    assert "double(0) got 1" in row.sentence


def test_without_examples_and_readings_nothing_is_told(tmp_path: Path) -> None:
    assert _told(tmp_path, {"doubles.py": _UNSHOWN}, {"doubles.py": _UNSHOWN.replace("n * 2", "n * 3")}) == ()


def test_a_function_that_did_not_change_is_not_checked(tmp_path: Path) -> None:
    wrong, other = _PLAIN.replace("n * 2", "n * 3"), _UNSHOWN.replace("double", "twice")
    head = wrong + other.replace("n * 2", "n + n")
    assert _told(tmp_path, {"doubles.py": wrong + other}, {"doubles.py": head}) == ()


@pytest.mark.parametrize(
    ("old", "new", "standing", "line"),
    [
        pytest.param("self.n * 2", "self.n + self.n", HOLDS, 1, id="holds"),
        pytest.param("self.n * 2", "self.n * 3", BROKEN, 17, id="example-of-the-method"),
        pytest.param("self.n = n", "self.n = n + 1", BROKEN, 4, id="example-of-the-class"),
    ],
)
def test_a_method_is_checked_with_its_class(tmp_path: Path, old: str, new: str, standing: str, line: int) -> None:
    (row,) = _told(tmp_path, {"boxes.py": _CLASS}, {"boxes.py": _CLASS.replace(old, new)})
    assert (row.name, row.standing, row.line) == ("Box", standing, line)


@pytest.mark.parametrize("folder", ["shop", "src/shop"])
@pytest.mark.parametrize(("factor", "standing"), [("2", HOLDS), ("3", BROKEN)])
def test_imports_come_from_the_same_version(tmp_path: Path, folder: str, factor: str, standing: str) -> None:
    base = {
        "pyproject.toml": "",
        f"{folder}/__init__.py": "",
        f"{folder}/factors.py": "FACTOR = 2\n",
        f"{folder}/doubles.py": _RELATIVE,
    }
    head = {f"{folder}/factors.py": f"FACTOR = {factor}\n", f"{folder}/doubles.py": _BY_FACTOR}
    rows = _told(tmp_path, base, head)
    assert [(row.path, row.name, row.standing) for row in rows] == [(f"{folder}/doubles.py", "double", standing)]


def test_absolute_imports_of_a_src_layout(tmp_path: Path) -> None:
    base = {
        "pyproject.toml": "",
        "src/shop/__init__.py": "",
        "src/shop/factors.py": "FACTOR = 2\n",
        "src/shop/doubles.py": _RELATIVE.replace("from .", "from shop."),
    }
    head = {"src/shop/doubles.py": _BY_FACTOR.replace("from .", "from shop.")}
    assert _standings(_told(tmp_path, base, head)) == [("double", HOLDS)]


@pytest.mark.parametrize("first", ["import nowhere_at_all\n", "1 / 0\n"])
def test_what_cannot_be_imported_is_unknown(tmp_path: Path, first: str) -> None:
    head = first + _PLAIN.replace("n * 2", "n * 3")
    (row,) = _told(tmp_path, {"doubles.py": _PLAIN}, {"doubles.py": head})
    assert (row.name, row.standing) == ("double", UNKNOWN)
    assert "Error" in row.sentence


def test_what_could_not_be_imported_on_the_base_cannot_be_compared(tmp_path: Path) -> None:
    base = "import nowhere_at_all\n" + _PLAIN
    (row,) = _told(tmp_path, {"doubles.py": base}, {"doubles.py": _PLAIN.replace("n * 2", "n * 3")})
    assert (row.name, row.standing) == ("double", UNKNOWN)
    assert "the base" in row.sentence


def test_a_function_of_a_renamed_file_is_compared_with_where_it_was(tmp_path: Path) -> None:
    others = (_UNSHOWN.replace("double", name) for name in ("twice", "again"))
    wrong = "\n".join((_PLAIN.replace("n * 2", "n * 3"), *others))
    head = {"doubles.py": GONE, "pairs.py": wrong.replace("n * 3", "n * 5")}
    assert _standings(_told(tmp_path, {"doubles.py": wrong}, head)) == [("double", UNKNOWN)]


def test_beyond_the_budget_is_told_as_not_tried(tmp_path: Path) -> None:
    count = MOST_DOCUMENTED + 2
    base = "\n".join(_PLAIN.replace("double", f"double{number:02}") for number in range(count))
    rows = _told(tmp_path, {"doubles.py": base}, {"doubles.py": base.replace("n * 2", "n + n")})
    assert [row.standing for row in rows] == [HOLDS] * MOST_DOCUMENTED + [UNKNOWN]
    assert rows[-1].name == f"double{MOST_DOCUMENTED}"
    assert rows[-1].sentence.endswith("and not tried; 1 more is")


@pytest.mark.parametrize(
    ("now", "standing"),
    [
        pytest.param("part / whole if part < whole else 1.0", HOLDS, id="holds"),
        pytest.param("part / whole", BROKEN, id="broken"),
    ],
)
def test_an_accepted_reading_is_checked(tmp_path: Path, now: str, standing: str) -> None:
    base = {"shares.py": _READ, "shares.readings.toml": _notebook(_READ)}
    rows = _told(tmp_path, base, {"shares.py": _READ.replace("min(part / whole, 1.0)", now)})
    assert _standings(rows) == [("share", standing)]
    assert "reading" in rows[0].sentence


def test_a_proposed_reading_refutes_nothing(tmp_path: Path) -> None:
    base = {"shares.py": _READ, "shares.readings.toml": _notebook(_READ, standing=Standing.PROPOSED)}
    head = {"shares.py": _READ.replace("min(part / whole, 1.0)", "part / whole")}
    assert _standings(_told(tmp_path, base, head)) == [("share", HOLDS)]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        pytest.param("never more than one", "never more than two", "not in the documentation any more", id="words"),
        pytest.param("more than one.", "more than one, or it is two.", "", id="statement"),
        pytest.param("whole: int", "whole: float", "the signature has changed", id="signature"),
    ],
)
def test_a_reading_lapses_with_the_text_that_it_rests_on(tmp_path: Path, old: str, new: str, reason: str) -> None:
    base = {"shares.py": _READ, "shares.readings.toml": _notebook(_READ)}
    rows = _told(tmp_path, base, {"shares.py": _READ.replace(old, new)})
    lapsed = [row for row in rows if row.standing == LAPSED]
    assert [(row.path, row.line, row.name) for row in lapsed] == [("shares.py", 1, "share")]
    assert _WORDS in lapsed[0].sentence
    assert reason in lapsed[0].sentence
    assert not [row for row in rows if row.standing == BROKEN]


def test_a_reading_that_had_lapsed_before_is_not_told(tmp_path: Path) -> None:
    base = {"shares.py": _READ.replace("one.", "two."), "shares.readings.toml": _notebook(_READ)}
    rows = _told(tmp_path, base, {"shares.py": _READ.replace("one.", "three.")})
    assert LAPSED not in {row.standing for row in rows}


def test_a_reading_that_is_taken_out_is_told_unless_the_words_are_read_anew(tmp_path: Path) -> None:
    base = {"shares.py": _READ, "shares.readings.toml": _notebook(_READ)}
    out = _told(tmp_path / "out", base, {"shares.readings.toml": GONE})
    anew = _told(tmp_path / "anew", base, {"shares.readings.toml": _notebook(_READ, clause="result < 1.5")})
    assert _standings(out) == [("share", LAPSED)]
    assert anew == ()


def test_a_readings_file_that_cannot_be_read_is_unknown(tmp_path: Path) -> None:
    base = {"shares.py": _READ, "shares.readings.toml": _notebook(_READ)}
    rows = _told(tmp_path, base, {"shares.py": _READ.replace("min(", "max("), "shares.readings.toml": "no = readings"})
    assert {row.standing for row in rows} == {UNKNOWN}
    assert all("readings file cannot be read" in row.sentence for row in rows)


def test_readings_go_with_a_file_that_is_renamed(tmp_path: Path) -> None:
    base = {"shares.py": _READ, "shares.readings.toml": _notebook(_READ)}
    text = _READ.replace("min(part / whole, 1.0)", "min(1.0, part / whole)")
    gone = {"shares.py": GONE, "shares.readings.toml": GONE}
    assert _standings(_told(tmp_path, base, {**gone, "parts.py": text, "parts.readings.toml": _notebook(_READ)})) == [
        ("share", HOLDS)
    ]


def test_a_function_that_moves_takes_no_reading_of_others_with_it(tmp_path: Path) -> None:
    base = {"shares.py": _READ + _PLAIN, "shares.readings.toml": _notebook(_READ), "doubles.py": "FACTOR = 2\n"}
    head = {"shares.py": _READ, "doubles.py": "FACTOR = 2\n" + _PLAIN.replace("n * 2", "n + n")}
    rows = _told(tmp_path, base, head)
    assert _standings(rows) == [("double", HOLDS)]
