"""What is printed last after a failed run: every step and every test by name, in no more lines than a screen has."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import failures


def _reported(folder: Path, step: str, *cases: str) -> None:
    (folder / f"{step}.xml").write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")


def _case(file: str, name: str, inside: str = "") -> str:
    return f'<testcase classname="tests.{file}" name="{name}">{inside}</testcase>'


def _failed(message: str) -> str:
    return f'<failure message="{message}">whatever</failure>'


def test_each_failed_test_has_a_line_with_its_first_line_of_error(tmp_path: Path) -> None:
    broken = '<error message="collection failure">\n&gt; import no\nE   ImportError: no\nE   more</error>'
    _reported(
        tmp_path,
        "test",
        _case("a.test_x", "test_good"),
        _case("a.test_x", "test_bad[row 1]", _failed("AssertionError: assert 1 == 2&#10;  + where")),
        _case("b.test_y", "", broken),
    )
    assert failures.report_of(tmp_path, "test", is_brief=False)[1:] == [
        "  tests/a/test_x::test_bad[row 1]: AssertionError: assert 1 == 2",
        "  tests/b/test_y::: ImportError: no",
    ]


def test_a_step_that_is_no_test_says_its_telling_lines(tmp_path: Path) -> None:
    (tmp_path / "types.log").write_text(
        "src/a.py:3: error: Incompatible types\nFound 1 error\nmake: *** [types] Error 1\n"
    )
    assert failures.report_of(tmp_path, "types", is_brief=False)[1:3] == [
        "  src/a.py:3: error: Incompatible types",
        "  Found 1 error",
    ]
    (tmp_path / "demo.log").write_text("one\n\ntwo\n")
    assert failures.report_of(tmp_path, "demo", is_brief=False)[1:] == ["  one", "  two"]
    assert failures.report_of(tmp_path, "house", is_brief=False)[1:] == ["  it printed nothing"]


def test_many_failures_name_every_test_all_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [_case(f"f.test_{file}", f"test_{row}", _failed("no")) for file in range(10) for row in range(20)]
    _reported(tmp_path, "test", *cases)
    (tmp_path / "lint.log").write_text("a.py:1:1: F401\n")
    failures.main(tmp_path, ["lint", "test"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 60
    assert all(any(f"tests/f/test_{file}: " in line for line in lines) for file in range(10))
    assert all(sum(f"test_{row}," in line or f"test_{row}:" in line for line in lines) >= 10 for row in range(10, 20))


def test_a_report_that_ends_in_its_middle_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "test.xml").write_text("<testsuites><testsuite>")
    assert "ends in its middle" in failures.report_of(tmp_path, "test", is_brief=False)[1]
