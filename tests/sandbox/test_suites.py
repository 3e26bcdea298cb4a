"""A suite of tests runs in the sandbox as it runs outside: every outcome, every line, every thing that tests may do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from probatum.changes.suite import RunOfTests
from probatum.core.errors import NotAttemptedError
from probatum.sandbox.environment import environment_named
from tests.sandbox.trees import need_namespaces, newer_interpreter, small_environment, suite_of

Place = SimpleNamespace

OUTCOMES = {
    "pytest.ini": "[pytest]\naddopts = --doctest-modules\n",
    "lib.py": '''
        def add(a, b):
            """Add.

            >>> add(1, 2)
            3
            """
            return a + b


        def sub(a, b):
            """Subtract.

            >>> sub(1, 2)
            7
            """
            return a - b
    ''',
    "conftest.py": """
        import pytest


        def pytest_collection_modifyitems(config, items):
            left = [each for each in items if "left_out" in each.name]
            config.hook.pytest_deselected(items=left)
            items[:] = [each for each in items if "left_out" not in each.name]


        @pytest.fixture
        def broken():
            raise ValueError("no fixture today")


        @pytest.fixture
        def broken_after():
            yield 1
            raise ValueError("no end today")
    """,
    "test_broken_file.py": "import not_there_at_all\n\ndef test_never():\n    pass\n",
    "test_skipped_file.py": "import pytest\n\npytest.skip('not here', allow_module_level=True)\n",
    "test_plain.py": """
        import unittest

        import pytest


        def test_passed():
            assert 1 + 1 == 2


        def test_failed():
            assert 1 + 1 == 3


        def test_raised():
            raise FileNotFoundError("gone")


        def test_skipped():
            pytest.skip("not today")


        @pytest.mark.skipif(True, reason="never")
        def test_skipped_by_mark():
            assert False


        @pytest.mark.xfail
        def test_xfailed():
            assert False


        @pytest.mark.xfail
        def test_xpassed():
            pass


        @pytest.mark.xfail(strict=True)
        def test_xpassed_strictly():
            pass


        @pytest.mark.xfail(raises=KeyError)
        def test_xfail_of_another_class():
            raise ValueError


        def test_setup_error(broken):
            pass


        def test_teardown_error(broken_after):
            pass


        def test_failed_and_teardown_error(broken_after):
            assert False


        def test_ends_with_exit():
            raise SystemExit(0)


        def test_left_out():
            assert False


        async def test_async_without_plugin():
            assert False


        def test_fixture_that_is_not_there(nobody_made_this):
            pass


        @pytest.mark.parametrize("text", ["", "a b", "::", "[x]", "\\n", "é", "🙂", "a/b", "\\udc80", "'\\""])
        def test_odd(text):
            assert text != "::"


        class TestClass:
            @pytest.fixture(autouse=True)
            def made(self):
                self.value = 1

            @pytest.fixture(scope="class")
            def shared(self):
                return []

            def test_first(self, shared):
                shared.append(self.value)

            def test_second(self, shared):
                assert shared == [1]


        class CaseTest(unittest.TestCase):
            def test_right(self):
                self.assertEqual(1, 1)

            def test_wrong(self):
                self.assertEqual(1, 2)

            def test_skipped(self):
                self.skipTest("no")

            @unittest.expectedFailure
            def test_expected(self):
                self.fail()

            @unittest.expectedFailure
            def test_unexpected(self):
                pass

            def test_one_part_fails(self):
                for number in range(3):
                    with self.subTest(number=number):
                        self.assertNotEqual(number, 1)

            def test_all_parts_pass(self):
                for number in range(3):
                    with self.subTest(number=number):
                        self.assertLess(number, 3)


        if hasattr(pytest, "Subtests"):

            def test_parts(subtests):
                for number in range(3):
                    with subtests.test(number=number):
                        assert number != 1

            def test_good_parts(subtests):
                with subtests.test("one"):
                    assert True
    """,
}

EXPECTED = {
    "lib.py::lib.add": "passed",
    "lib.py::lib.sub": "failed",
    **{
        f"test_plain.py::test_{name}": outcome
        for name, outcome in {
            "passed": "passed",
            "failed": "failed",
            "raised": "failed",
            "skipped": "skipped",
            "skipped_by_mark": "skipped",
            "xfailed": "xfailed",
            "xpassed": "xpassed",
            "xpassed_strictly": "failed",
            "xfail_of_another_class": "failed",
            "setup_error": "error",
            "teardown_error": "error",
            "failed_and_teardown_error": "failed",
            "ends_with_exit": "failed",
            "left_out": "",
            "async_without_plugin": "failed",
            "fixture_that_is_not_there": "error",
            "parts": "failed",
            "good_parts": "passed",
            "not_there": "",
        }.items()
    },
    "test_plain.py::TestClass::test_first": "passed",
    "test_plain.py::TestClass::test_second": "passed",
    "test_plain.py::CaseTest::test_right": "passed",
    "test_plain.py::CaseTest::test_wrong": "failed",
    "test_plain.py::CaseTest::test_skipped": "skipped",
    "test_plain.py::CaseTest::test_expected": "xfailed",
    "test_plain.py::CaseTest::test_unexpected": "failed",
    "test_plain.py::CaseTest::test_one_part_fails": "failed",
    "test_plain.py::CaseTest::test_all_parts_pass": "passed",
    "test_broken_file.py::test_never": "uncollected",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """An environment with pytest in it, and folders for trees; skips where no suite can be run."""
    folder = tmp_path_factory.mktemp("suites").resolve()
    need_namespaces(folder / "nothing")
    return SimpleNamespace(folder=folder, python=small_environment(folder / "environment"))


@pytest.fixture(scope="module")
def outcomes(place: Place) -> RunOfTests:
    return suite_of(place.folder / "outcomes", OUTCOMES, place.python).run()


@pytest.mark.parametrize("name", EXPECTED)
def test_every_outcome_is_told(name: str, outcomes: RunOfTests) -> None:
    if name.endswith("parts") and "CaseTest" not in name and not hasattr(pytest, "Subtests"):
        pytest.skip("this pytest has no parts of tests")
    assert outcomes.outcome(name) == EXPECTED[name]


def test_the_run_with_every_outcome_is_whole(outcomes: RunOfTests) -> None:
    assert outcomes.trouble == ""
    assert list(outcomes.uncollected) == ["test_broken_file.py"]
    assert "not_there_at_all" in outcomes.uncollected["test_broken_file.py"]
    assert set(outcomes.ends) == set(outcomes.planned)
    odd = [name for name in outcomes.planned if "test_odd" in name]
    assert len(odd) == 10
    assert [name for name in odd if outcomes.outcome(name) != "passed"] == ["test_plain.py::test_odd[::]"]


def test_the_classes_of_an_exception_are_told(outcomes: RunOfTests) -> None:
    raised = outcomes.ends["test_plain.py::test_raised"]
    assert raised.errors[:2] == ("FileNotFoundError", "OSError")
    assert "gone" in raised.said
    assert outcomes.ends["test_plain.py::test_failed"].errors[0] == "AssertionError"
    assert outcomes.ends["test_plain.py::test_passed"].errors == ()


LINES = {
    "lib.py": """
        import sys


        def loop(n):
            total = 0
            for each in range(n):
                total += each
            return total


        def branch(x):
            if x:
                return 1
            return 2


        KEPT = branch(0)
    """,
    "other.py": "def other():\n    return 1\n",
    "test_lines.py": """
        import sys
        import threading

        import lib
        import other


        def test_loop():
            assert lib.loop(3) == 3


        def test_takes_over_tracing():
            sys.settrace(lambda *_: None)
            sys.settrace(None)


        def test_branch_after_it():
            assert lib.branch(1) == 1
            assert other.other() == 1


        def test_once_more():
            assert lib.branch(1) == 1


        def test_loop_of_none():
            assert lib.loop(0) == 0


        def test_in_a_thread():
            thread = threading.Thread(target=lib.branch, args=(0,))
            thread.start()
            thread.join()


        def test_nothing():
            pass
    """,
}
RAN = {
    "loop": {6, 7, 8, 9},
    "takes_over_tracing": set(),
    "branch_after_it": {13, 14},
    "once_more": {13, 14},
    "loop_of_none": {6, 7, 9},
    "in_a_thread": {13, 15},
    "nothing": set(),
}


def _told_lines(run: RunOfTests) -> dict[str, set[int]]:
    assert run.trouble == ""
    names = {name: f"test_lines.py::test_{name}" for name in RAN}
    return {name: set(run.ends[test].lines.get("lib.py", ())) for name, test in names.items()}


def test_lines_are_told_by_test_and_at_import(place: Place) -> None:
    suite = suite_of(place.folder / "lines", LINES, place.python)
    run = suite.run(traced=["lib.py"])
    assert _told_lines(run) == RAN
    assert set(run.at_import["lib.py"]) == {2, 5, 12, 13, 15, 18}
    assert {path for end in run.ends.values() for path in end.lines} == {"lib.py"}
    back = suite.run(traced=["lib.py"], is_reversed=True)
    assert list(back.ends) == list(run.ends)[::-1]
    assert _told_lines(back) == RAN


def test_only_what_is_wanted_runs(place: Place) -> None:
    suite = suite_of(place.folder / "lines", LINES, place.python)
    wanted = ["test_lines.py::test_nothing", "test_lines.py::test_loop", "test_lines.py::test_not_there"]
    run = suite.run(wanted=wanted)
    assert {name: end.outcome for name, end in run.ends.items()} == dict.fromkeys(wanted[:2], "passed")
    assert run.trouble == ""


@pytest.fixture(scope="module")
def newer(place: Place) -> Place:
    return SimpleNamespace(folder=place.folder, python=small_environment(place.folder / "newer", newer_interpreter()))


def test_a_newer_python_tells_the_same_lines(newer: Place) -> None:
    run = suite_of(newer.folder / "newer-lines", LINES, newer.python).run(traced=["lib.py"])
    assert _told_lines(run) == RAN
    assert set(run.at_import["lib.py"]) == {2, 5, 12, 13, 15, 18}


def test_a_newer_python_tells_the_same_outcomes(newer: Place, outcomes: RunOfTests) -> None:
    run = suite_of(newer.folder / "newer-outcomes", OUTCOMES, newer.python).run()
    # A name is spelled by the Python that has it: escapes of newer characters differ.
    assert {name: end.outcome for name, end in run.ends.items()} == {
        name: end.outcome for name, end in outcomes.ends.items()
    }
    assert run.trouble == ""


ORDINARY = {
    "src/mine/__init__.py": "VALUE = 'of the tree'\n",
    "src/mine/__main__.py": "import mine\n\nprint(mine.VALUE)\n",
    "data/table.txt": "one\n",
    "beside.py": "VALUE = 'beside'\n",
    "test_ordinary.py": """
        import getpass
        import multiprocessing
        import os
        import shutil
        import socket
        import stat
        import subprocess
        import sys
        import tempfile
        import threading
        from multiprocessing import shared_memory
        from pathlib import Path

        import pytest


        def double(number):
            return number * 2


        def test_installed_package_in_another_process():
            asked = [sys.executable, "-c", "import pytest, installed; print(installed.NAME)"]
            assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout == "installed\\n"


        def test_own_package_in_another_process():
            asked = [sys.executable, "-m", "mine"]
            assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout == "of the tree\\n"


        def test_module_that_is_not_installed_in_a_program_elsewhere(tmp_path):
            (tmp_path / "program.py").write_text("import beside\\n\\nprint(beside.VALUE)\\n")
            asked = [sys.executable, tmp_path / "program.py"]
            assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout == "beside\\n"


        def test_own_package():
            import mine

            assert mine.VALUE == "of the tree"
            assert Path(mine.__file__) == Path(__file__).parent / "src" / "mine" / "__init__.py"


        def test_shell():
            assert subprocess.run("echo $((1 + 1)) | cat", shell=True, capture_output=True).stdout == b"2\\n"


        @pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
        def test_server(host):
            with socket.create_server((host, 0)) as server:
                thread = threading.Thread(target=lambda: server.accept()[0].sendall(b"hello"))
                thread.start()
                with socket.create_connection((host, server.getsockname()[1])) as client:
                    assert client.recv(5) == b"hello"
                thread.join()


        def test_unix_server(tmp_path):
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(str(tmp_path / "socket"))


        def test_tmp_path(tmp_path):
            (tmp_path / "file").write_text("x")
            assert tempfile.gettempdir() == "/tmp"
            with tempfile.TemporaryFile() as file:
                file.write(b"x")


        @pytest.mark.parametrize("way", ["fork", "spawn"])
        def test_processes(way):
            with multiprocessing.get_context(way).Pool(1) as pool:
                assert pool.map(double, [1, 2]) == [2, 4]


        def test_shared_memory():
            shared = shared_memory.SharedMemory(create=True, size=16)
            shared.close()
            shared.unlink()


        def test_links_and_modes(tmp_path):
            file = tmp_path / "file"
            file.write_text("x")
            link = tmp_path / "link"
            link.symlink_to(file)
            os.link(file, tmp_path / "hard")
            file.chmod(0o700)
            os.mkfifo(tmp_path / "pipe")
            os.utime(file, (1, 1))
            assert link.resolve() == file
            assert stat.S_IMODE(link.stat().st_mode) == 0o700


        def test_user():
            assert getpass.getuser() == "user"
            assert os.access(Path.home(), os.W_OK)


        def test_tree_can_be_written():
            here = Path(__file__).parent
            assert Path.cwd() == here
            (here / "data" / "table.txt").write_text("two\\n")
            (here / "made").mkdir()
            shutil.rmtree(here / "made")


        def test_terminal():
            master, slave = os.openpty()
            os.write(slave, b"x")


        def test_environment_is_kept_from_writing():
            import installed

            with pytest.raises(OSError):
                Path(installed.__file__).write_text("NAME = 'changed'")


        def test_frozen_clock_and_number(monkeypatch):
            import hashlib
            import json

            monkeypatch.setattr(os, "getpid", lambda: 1)
            monkeypatch.setattr(json, "dumps", lambda *_, **__: "{}")
            monkeypatch.setattr(hashlib, "blake2b", None)
    """,
}


@pytest.fixture(scope="module")
def ordinary(place: Place) -> RunOfTests:
    """The tests of a project with its environment in its own folder, into which it is installed to be edited."""
    root = place.folder / "ordinary"
    python = small_environment(root / ".venv")
    packages = Path(python.packages[0])
    (packages / "installed.py").write_text("NAME = 'installed'\n")
    (packages / "__editable__.mine.pth").write_text(f"{root / 'src'}\n")
    run = suite_of(root, ORDINARY, python).run()
    assert sorted(path.name for path in root.iterdir()) == [".venv"]
    assert (packages / "installed.py").read_text() == "NAME = 'installed'\n"
    return run


def test_what_tests_do_with_good_reason_works(ordinary: RunOfTests) -> None:
    assert ordinary.trouble == ""
    assert {name: end.said for name, end in ordinary.ends.items() if end.outcome != "passed"} == {}
    assert set(ordinary.ends) == set(ordinary.planned) != set()


def test_an_editable_installation_beside_the_tree_is_found(place: Place) -> None:
    python = small_environment(place.folder / "beside")
    elsewhere = place.folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "theirs.py").write_text("VALUE = 1\n")
    Path(python.packages[0], "theirs.pth").write_text(f"{elsewhere}\n")
    test = "import theirs\n\ndef test_value():\n    assert theirs.VALUE == 1\n"
    run = suite_of(place.folder / "user", {"test_theirs.py": test}, python).run()
    assert run.outcome("test_theirs.py::test_value") == "passed"


def test_a_tree_cannot_offer_modules_of_the_runner(place: Place) -> None:
    files = {
        **dict.fromkeys(("pytest.py", "sitecustomize.py", "usercustomize.py", "unittest.py"), "raise SystemExit(0)\n"),
        "test_it.py": "def test_fails():\n    assert False\n",
    }
    run = suite_of(place.folder / "shadows", files, place.python).run()
    assert run.outcome("test_it.py::test_fails") in {"failed", "uncollected"}


def test_no_tests_are_told_as_trouble_or_nothing(place: Place) -> None:
    run = suite_of(place.folder / "empty", {"readme.txt": "x"}, place.python).run()
    assert run.planned == ()
    assert run.ends == {}
    refused = suite_of(
        place.folder / "refused", {"pytest.ini": "[pytest]\naddopts = --no-such-option\n"}, place.python
    ).run()
    assert "no-such-option" in refused.trouble


def test_a_python_without_pytest_is_refused(place: Place) -> None:
    folder = place.folder / "bare"
    packages = folder / "lib" / "python{}.{}".format(*sys.version_info[:2]) / "site-packages"
    packages.mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
    (folder / "pyvenv.cfg").write_text("include-system-site-packages = false\n")
    with pytest.raises(NotAttemptedError) as caught:
        suite_of(place.folder / "for-nobody", {}, environment_named(str(folder))).run()
    assert caught.value.code == "change.no_pytest"


def test_packages_that_tests_cannot_read_are_not_replaced_by_others(place: Place) -> None:
    python = small_environment(place.folder / "closed")
    Path(python.packages[0]).chmod(0)
    with pytest.raises(NotAttemptedError, match="is closed to other users") as caught:
        suite_of(place.folder / "for-others", {"test_it.py": "def test_it():\n    pass\n"}, python).run()
    Path(python.packages[0]).chmod(0o755)
    assert caught.value.code == "change.no_pytest"


def test_the_seed_of_hashes_is_the_one_that_is_ordered(place: Place) -> None:
    asked = [sys.executable, "-c", "print(hash('text'))"]
    done = subprocess.run(asked, env={"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True)
    test = f"def test_seed():\n    assert hash('text') == {done.stdout}"
    run = suite_of(place.folder / "seeds", {"test_it.py": test}, place.python).run(hash_seed=7)
    assert run.outcome("test_it.py::test_seed") == "passed"
