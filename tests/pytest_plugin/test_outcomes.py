"""How a verdict ends in pytest: only VERIFIED passes, and whatever breaks has a report with its reason."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.pytest_plugin.conftest import GOOD, NEEDS, QUICK, VAGUE, WRONG, Project

DENIED = Path(__file__).parents[1] / "sandbox" / "denied.py"
EXAMPLES = Path(__file__).parents[2] / "examples"
_FOUR = {"good.py": GOOD, "wrong.py": WRONG, "vague.py": VAGUE, "needs.py": NEEDS}


def test_each_outcome_has_its_report(project: Project) -> None:
    project.write(_FOUR)
    ran = project.run("--probatum", "--junitxml=junit.xml", "-rA")
    assert ran.code == pytest.ExitCode.TESTS_FAILED
    assert "PASSED good.py::clamp" in ran.text
    assert "FAILED wrong.py::double - REFUTED: line 5: double(3) got 6" in ran.text
    assert "FAILED vague.py::vague - UNDECIDED: vague has nothing to check" in ran.text
    assert "FAILED needs.py::needs - BLOCKED: raises ModuleNotFoundError" in ran.text
    assert "Repeat  probatum verify wrong.py::double" in ran.text
    assert "probatum read vague.py::vague --ask" in ran.text
    cases = {case.get("name"): case for case in ET.parse(project.folder / "junit.xml").iter("testcase")}
    told = {
        name: {each.get("name"): each.get("value") for each in case.iter("property")} for name, case in cases.items()
    }
    proof = told["clamp"].pop("probatum.proof_ref")
    assert proof is not None
    assert proof.startswith("sha256:")
    assert told == {
        "clamp": {"probatum.outcome": "tested", "probatum.constraint": "program.tested"},
        "double": {"probatum.outcome": "refuted", "probatum.constraint": "program.counterexample"},
        "vague": {"probatum.outcome": "undecided", "probatum.constraint": "program.no_specification"},
        "needs": {"probatum.outcome": "not_attempted", "probatum.constraint": "program.missing_package"},
    }
    assert cases["clamp"].find("failure") is None
    assert all(cases[name].find("failure") is not None for name in ("double", "vague", "needs"))


@pytest.mark.parametrize(
    ("fail_on", "failing", "skipped"),
    [("refuted", {"double"}, {"vague", "needs"}), ("blocked", {"double", "needs"}, {"vague"})],
)
def test_what_does_not_fail_is_skipped_with_its_reason(
    project: Project, fail_on: str, failing: set[str], skipped: set[str]
) -> None:
    project.write({name: text for name, text in _FOUR.items() if name != "good.py"})
    ran = project.run("--probatum", QUICK, f"--probatum-fail-on={fail_on}", "-rfs", "-q")
    assert ran.code == pytest.ExitCode.TESTS_FAILED
    ended = [line for line in ran.text.splitlines() if line.startswith(("FAILED", "SKIPPED"))]
    assert {line.split("::")[1].split(" ")[0] for line in ended if line.startswith("FAILED")} == failing
    reasons = {"vague": "vague.py:1: UNDECIDED: vague has nothing", "needs": "needs.py:4: BLOCKED: raises Module"}
    assert all(any(reasons[name] in line for line in ended) for name in skipped)
    assert " passed" not in ran.last_line.replace("subtests passed", "")


def test_checks_are_subtests(project: Project) -> None:
    project.write({"wrong.py": WRONG, "pytest.ini": "[pytest]\nverbosity_subtests = 1\n"})
    ran = project.run("--probatum", QUICK, "-q")
    assert "SUBFAILED[>>> double(3) 7] wrong.py::double - double(3): got 6" in ran.text
    assert ran.last_line.startswith("2 failed, 1 subtests passed")


def test_a_pytest_without_subtests_shows_the_checks_in_the_report(project: Project) -> None:
    project.write({"wrong.py": WRONG})
    ran = project.run("--probatum", QUICK, "-p", "no:subtests", "-q")
    assert "passed  >>> double(2) 4\nfailed  >>> double(3) 7\n" in ran.text
    assert ran.last_line.startswith("1 failed in")


def test_readings_beside_the_file_count_once_they_are_accepted(project: Project) -> None:
    for name in ("late_fee.py", "late_fee.answers.jsonl"):
        project.write({name: (EXAMPLES / name).read_bytes()})
    ask = [sys.executable, "-m", "probatum", "read", "late_fee.py"]
    subprocess.run([*ask, "--with", "replay:late_fee.answers.jsonl"], cwd=project.folder, check=True)
    proposed = project.run("--probatum", "-q", "--tb=no")
    assert "FAILED late_fee.py::late_fee - UNDECIDED" in proposed.text
    subprocess.run([*ask, "--accept", "--all", "--by", "somebody"], cwd=project.folder, check=True)
    accepted = project.run("--probatum", "-v")
    assert accepted.code == pytest.ExitCode.OK
    # Three examples and two readings that speak of results.
    assert accepted.last_line.strip("= ").startswith("1 passed, 5 subtests passed")


BAD = {
    "broken.py": ("def broken(:\n", "REFUTED: line 1: SyntaxError"),
    "binary.py": (b"\xff\xfe\x00", "BLOCKED: the file holds a null byte"),
    "raises.py": (f"{GOOD}\n1 / 0\n", "REFUTED: raises ZeroDivisionError"),
    "hangs.py": (
        'def hangs(n: int) -> int:\n    """\n    >>> hangs(1)\n    1\n    """\n    while True:\n        pass\n',
        "never ends",
    ),
}


def test_bad_input_has_a_report_with_its_reason(project: Project) -> None:
    project.write({name: content for name, (content, _) in BAD.items()})
    ran = project.run("--probatum", QUICK, "-q", "-rf", "--tb=no")
    lines = {line.split("::")[0].removeprefix("FAILED "): line for line in ran.text.splitlines() if "FAILED" in line}
    assert {name: reason in lines.get(name, "") for name, (_, reason) in BAD.items()} == dict.fromkeys(BAD, True)
    assert " passed" not in ran.last_line


def test_readings_that_cannot_be_read_fail_the_item(project: Project) -> None:
    project.write({"good.py": GOOD, "good.readings.toml": "this is not TOML"})
    ran = project.run("--probatum", "--probatum-fail-on=refuted", "-q")
    assert ran.code == pytest.ExitCode.TESTS_FAILED
    assert "good.readings.toml" in ran.text
    assert "Traceback" not in ran.text


def test_without_a_sandbox_nothing_passes(project: Project) -> None:
    project.write({"good.py": GOOD})
    denied = (str(DENIED), "namespaces,landlock")
    ran = project.run("--probatum", "-q", before=denied)
    assert ran.code == pytest.ExitCode.TESTS_FAILED
    assert "BLOCKED" in ran.text
    assert "the kernel offers" in ran.text
    tolerant = project.run("--probatum", "-q", "--probatum-fail-on=refuted", before=denied)
    assert tolerant.last_line.startswith("1 skipped")


def test_a_store_that_cannot_be_one_fails_the_item(project: Project) -> None:
    project.write({"good.py": GOOD})
    (project.folder / "store").write_text("not a store")
    ran = project.run("--probatum", "-q")
    assert ran.code == pytest.ExitCode.TESTS_FAILED
    assert "store" in ran.text
