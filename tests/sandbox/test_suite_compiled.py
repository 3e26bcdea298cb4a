"""Sources are compiled once, before anything of the tree runs, and later runs of the same sources take that code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from probatum.changes.suite import CompiledSource, RunOfTests, Suite
from probatum.sandbox.suites import PlantedFault
from tests.sandbox.trees import need_namespaces, small_environment, suite_of

FILES = {
    "lib.py": "def one():\n    return 1\n",
    "warns.py": "TEXT = '\\d'\n",
    "broken.py": "def (\n",
    "test_lib.py": "import lib\n\n\ndef test_one():\n    assert lib.one() == 1\n",
}
OTHER = b"def one():\n    return 2\n"
ONE = "test_lib.py::test_one"


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    folder = tmp_path_factory.mktemp("compiled")
    need_namespaces(folder / "probe")
    return suite_of(folder / "tree", FILES, small_environment(folder / "python"))


def with_code(suite: Suite, run: RunOfTests) -> Suite:
    compiled = {(path, suite.files[path].content): code for path, code in run.compiled.items()}
    return replace(suite, compiled=compiled)


def test_what_compiles_without_a_warning_is_told(suite: Suite) -> None:
    run = suite.run()
    assert set(run.compiled) == {"lib.py", "test_lib.py"}
    assert "-pytest-" in run.compiled["test_lib.py"].path
    assert "-pytest-" not in run.compiled["lib.py"].path
    again = with_code(suite, run).run()
    assert again.compiled == {}
    assert again.ends == run.ends


def test_later_runs_take_the_code_that_was_told(suite: Suite) -> None:
    """Shown by code of something else, as nobody but the judge can give it."""
    other = replace(suite, files={**suite.files, "lib.py": replace(suite.files["lib.py"], content=OTHER)}).run()
    assert other.outcome(ONE) == "failed"
    code: CompiledSource = other.compiled["lib.py"]
    run = replace(suite, compiled={("lib.py", suite.files["lib.py"].content): code}).run()
    assert run.outcome(ONE) == "failed"
    # Other content has other code.
    run = replace(suite, compiled={("lib.py", OTHER): code}).run()
    assert run.outcome(ONE) == "passed"


@pytest.mark.parametrize("is_run_at_import", [False, True])
def test_a_fault_is_noticed_where_the_code_is_known(suite: Suite, is_run_at_import: bool) -> None:
    fault = PlantedFault("f", "lib.py", OTHER, (ONE,), is_run_at_import)
    run = with_code(suite, suite.run()).faults([fault])
    assert run.is_sound
    assert [each.end for each in run.ends] == ["noticed"]


def test_assertions_show_their_values(suite: Suite) -> None:
    wrong = FILES["test_lib.py"].replace("== 1", "== 3").encode()
    failing = replace(suite, files={**suite.files, "test_lib.py": replace(suite.files["test_lib.py"], content=wrong)})
    first = failing.run()
    again = with_code(failing, first).run()
    assert "where 1 = <function one" in first.ends[ONE].said
    assert first.ends[ONE].said.partition(" at 0x")[0] == again.ends[ONE].said.partition(" at 0x")[0]


def test_what_the_tree_writes_is_not_what_is_told(suite: Suite, tmp_path: Path) -> None:
    conftest = "import pathlib\nfor each in pathlib.Path('__pycache__').iterdir():\n    each.write_bytes(b'forged')\n"
    forging = suite_of(tmp_path, {**FILES, "conftest.py": conftest}, suite.project.python)
    run = forging.run()
    assert run.compiled["lib.py"].code != b"forged"
    assert all(len(each.code) > len(b"forged") for each in run.compiled.values())


def test_a_configuration_that_changes_how_assertions_are_made_keeps_tests_as_they_are(
    suite: Suite, tmp_path: Path
) -> None:
    files = {**FILES, "pytest.ini": "[pytest]\nenable_assertion_pass_hook = true\n"}
    assert set(suite_of(tmp_path, files, suite.project.python).run().compiled) == {"lib.py"}
