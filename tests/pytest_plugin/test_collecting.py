"""What becomes an item: documented public names of sources, found without importing or running any of them."""

from __future__ import annotations

import pytest

from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.pytest_plugin.documented import documented_names
from tests.pytest_plugin.conftest import GOOD, VAGUE, Project

MANY = '''\
"""A module."""
import sys
__all__ = ["_exported"]
if sys.version_info > (3,):
    def inside(n):
        """Documented."""
else:
    try:
        pass
    except ValueError:
        async def handled(n):
            """Documented."""
def bare(n):
    return n
def blank(n):
    """   """
def _private(n):
    """Documented."""
def _exported(n):
    """Documented."""
class Documented:
    """Documented."""
class ByItsMethod:
    def method(self):
        """Documented."""
class Bare:
    def method(self):
        return 1
def outer():
    def inner():
        """Documented."""
'''


def test_documented_public_names_are_found_where_they_are_defined(project: Project) -> None:
    project.write({"many.py": MANY})
    found = documented_names(project.folder / "many.py")
    assert found == {"inside": 5, "handled": 11, "_exported": 19, "Documented": 21, "ByItsMethod": 23}


@pytest.mark.parametrize(
    "content",
    [
        b"def f(:\n",
        b"\xff\xfe\x00",
        b"x = 1\n\x00",
        b"(" * 100_000,
        b"# coding: nothing\n",
        b"#" * (MAX_SOURCE_BYTES + 1),
    ],
)
def test_a_file_without_readable_names_says_so(project: Project, content: bytes) -> None:
    project.write({"odd.py": content})
    with pytest.raises(ValueError, match=r"the file|null bytes"):
        documented_names(project.folder / "odd.py")


def test_sources_are_collected_and_tests_stay_tests(project: Project) -> None:
    project.write(
        {
            "src/shop/__init__.py": "raise RuntimeError('imported')\n",
            "src/shop/prices.py": GOOD + "raise RuntimeError('imported')\n",
            "src/shop/bare.py": "def bare(n):\n    return n\n",
            "src/setup.py": GOOD,
            "src/prices_test.py": "def test_source(): pass\n",
            "tests/conftest.py": '"""Set-up."""\n',
            "tests/assistance.py": GOOD,
            "tests/test_shop.py": "def test_shop():\n    '''Documented.'''\n",
        }
    )
    ran = project.run("--probatum", "--collect-only", "-q")
    assert ran.text.splitlines()[:3] == [
        "src/prices_test.py::test_source",
        "src/shop/prices.py::clamp",
        "tests/test_shop.py::test_shop",
    ]
    assert "3 tests collected" in ran.last_line
    assert "store" not in {path.name for path in project.folder.iterdir()}


def test_a_file_or_a_name_can_be_named(project: Project) -> None:
    project.write({"shop/__init__.py": "", "shop/prices.py": f"{GOOD}\n\n{VAGUE}raise RuntimeError('imported')\n"})
    named = project.run("--probatum", "--collect-only", "-q", "shop/prices.py")
    assert named.text.splitlines()[:2] == ["shop/prices.py::clamp", "shop/prices.py::vague"]
    one = project.run("--probatum", "--collect-only", "-q", "shop/prices.py::vague")
    assert one.text.splitlines()[0] == "shop/prices.py::vague"
    missing = project.run("--probatum", "-q", "shop/prices.py::nothing")
    assert missing.code == pytest.ExitCode.USAGE_ERROR


def test_nothing_to_verify_is_no_success(project: Project) -> None:
    (project.folder / "empty").mkdir()
    assert project.run("--probatum", "empty").code == pytest.ExitCode.NO_TESTS_COLLECTED
    project.write({"bare.py": "def bare(n):\n    return n\n"})
    assert project.run("--probatum", "bare.py").code == pytest.ExitCode.NO_TESTS_COLLECTED


ONLY_DECLARED = """\
import sys

def test_what_is_imported():
    ours = {name for name in sys.modules if name.partition(".")[0] == "probatum"}
    assert ours == {"probatum", "probatum.pytest_plugin", "probatum.pytest_plugin.choices"}
"""


def test_without_the_option_nothing_of_it_is_imported(project: Project) -> None:
    project.write({"prices.py": GOOD, "test_it.py": ONLY_DECLARED})
    ran = project.run("-q")
    assert (ran.code, ran.last_line.split(" in ")[0]) == (0, "1 passed")


@pytest.mark.parametrize("line", ["probatum_level = fast", "probatum_fail_on = nothing"])
def test_a_setting_that_means_nothing_is_wrong_usage(project: Project, line: str) -> None:
    project.write({"pytest.ini": f"[pytest]\n{line}\n", "prices.py": GOOD})
    ran = project.run("--probatum")
    assert ran.code == pytest.ExitCode.USAGE_ERROR
    assert "is one of" in ran.text
