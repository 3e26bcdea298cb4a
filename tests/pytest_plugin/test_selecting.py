"""The rest of pytest works with the items: selection, parallel runs, repetition of what failed, stopping early."""

from __future__ import annotations

import pytest

from tests.pytest_plugin.conftest import GOOD, QUICK, VAGUE, WRONG, Project

_TEST = {"test_it.py": "def test_it():\n    pass\n"}


def test_what_is_deselected_is_not_verified(project: Project) -> None:
    project.write({"prices.py": f"{GOOD}\n\n{WRONG}", **_TEST})
    by_name = project.run("--probatum", "-q", "-k", "clamp")
    assert by_name.last_line.startswith("1 passed, 2 deselected")
    by_mark = project.run("--probatum", "-q", "-m", "not probatum")
    assert by_mark.last_line.startswith("1 passed, 2 deselected")
    marked = project.run("--probatum", "--collect-only", "-q", "-m", "probatum")
    assert marked.text.splitlines()[:2] == ["prices.py::clamp", "prices.py::double"]


def test_what_failed_last_is_verified_again(project: Project) -> None:
    project.write({"prices.py": f"{WRONG}\n\n{VAGUE}", "more.py": VAGUE.replace("vague", "other"), **_TEST})
    first = project.run("--probatum", QUICK, "--probatum-fail-on=refuted", "-q")
    assert first.last_line.startswith("2 failed, 1 passed, 2 skipped")
    again = project.run("--probatum", QUICK, "--probatum-fail-on=refuted", "-q", "--lf", "--tb=no")
    assert again.last_line.startswith("2 failed")
    assert "skipped" not in again.last_line
    project.write({"prices.py": f"{WRONG.replace('7', '6')}\n\n{VAGUE}"})
    mended = project.run("--probatum", "--probatum-fail-on=refuted", "-q", "--lf", "--tb=no")
    assert mended.code == pytest.ExitCode.OK


def test_a_parallel_run_reports_the_same(project: Project) -> None:
    project.write({"good.py": GOOD, "wrong.py": WRONG, "vague.py": VAGUE, **_TEST})
    ran = project.run("--probatum", "-q", "-p", "xdist", "-n", "2", "-rA", "--durations=2")
    assert ran.last_line.startswith("3 failed, 2 passed")
    assert "PASSED good.py::clamp" in ran.text
    assert "FAILED wrong.py::double - REFUTED: line 5: double(3) got 6" in ran.text
    assert "SUBFAILED[>>> double(3) 7] wrong.py::double" in ran.text
    assert "Repeat  probatum verify wrong.py::double" in ran.text


def test_a_run_can_stop_at_the_first_failure(project: Project) -> None:
    project.write({"prices.py": f"{WRONG}\n\n{VAGUE}"})
    ran = project.run("--probatum", QUICK, "-q", "-x")
    assert "prices.py::double" in ran.text
    assert "vague" not in ran.text
