"""What the files of a repository are for, told by their paths alone: source, test, what tests rest on, and the rest.

Refuses to look into a file: a path has one role, whoever asks. Test names come first, because pytest collects them
wherever they are. Python below a folder of documentation, examples or benchmarks at the top is not judged; scripts and
tools are source.
"""

from __future__ import annotations

from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final


class FileRole(StrEnum):
    """What a file of a repository is for."""

    SOURCE = "source"
    TEST = "test"
    SUPPORT = "support"
    CHECKS = "checks"
    DEPENDENCIES = "dependencies"
    OTHER = "other"


_TESTS: Final = ("test_*.py", "*_test.py", "tests.py")
# Python reads the last ones before any test runs.
_SUPPORT: Final = (
    *("conftest.py", "*.ambr", "*.snap", "sitecustomize.py", "usercustomize.py", "*.pth"),
    # What only tests use by its name, wherever it is.
    *("testing.py", "_testing.py", "testutils.py", "testhelpers.py", "testing_utils.py", "testing_helpers.py"),
)
_SUPPORT_FOLDERS: Final = frozenset(
    {"__snapshots__", "test_utils", "test_helpers", "test_support", "testutils", "testhelpers", "_testing"}
)
_CHECKS: Final = (
    *("pyproject.toml", "setup.cfg", "tox.ini", "tox.toml", "pytest.ini", ".pytest.ini", "pytest.toml", "hatch.toml"),
    *(".coveragerc", "codecov.yml", ".codecov.yml", "mypy.ini", ".mypy.ini", "pyrightconfig.json", "pyrefly.toml"),
    *(
        "ruff.toml",
        ".ruff.toml",
        ".flake8",
        ".pylintrc",
        "pylintrc",
        ".isort.cfg",
        ".bandit",
        ".pre-commit-config.yaml",
    ),
    *(".pre-commit-hooks.yaml", "typos.toml", ".typos.toml", "noxfile.py", "makefile", "gnumakefile", "*.mk"),
    *("justfile", ".justfile", "taskfile.yml", "taskfile.yaml", "jenkinsfile", ".gitlab-ci.yml", ".travis.yml"),
    *("appveyor.yml", ".appveyor.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", ".cirrus.yml", "dodo.py"),
    *("zuul.yaml", ".zuul.yaml", ".drone.yml", "cloudbuild.yaml", ".gitattributes"),
)
# Whatever is below one of these, from the top.
_CHECKS_FOLDERS: Final = frozenset(
    {".github", ".circleci", ".buildkite", ".ci", "ci", ".gitlab", ".azure-pipelines", ".woodpecker"}
)
_DEPENDENCIES: Final = (
    *("requirements*.txt", "requirements*.in", "*-requirements.txt", "*_requirements.txt", "constraints*.txt"),
    *("setup.py", "*.lock", "pipfile", "pipfile.lock", "pylock*.toml", "environment*.yml", "environment*.yaml"),
    *("conda-lock.yml", "pixi.toml", ".python-version", "manifest.in", "dependabot.yml"),
)
# Elsewhere a file of this name is a module like any other.
_AT_TOP: Final = frozenset({"setup.py", "noxfile.py", "dodo.py"})
_DEPENDENCIES_FOLDER: Final = "requirements"
# A package may have a folder `test` of its own inside, so this name counts at the top alone.
_TEST_FOLDERS_AT_TOP: Final = frozenset({"test", "testing", "unittests"})
_TEST_FOLDERS: Final = frozenset({"tests"})
_NOT_JUDGED_FOLDERS: Final = frozenset(
    {"docs", "doc", "documentation", "examples", "example", "samples", "demo", "demos", "benchmarks", "benchmark"}
    | {"bench", "asv_bench", "changelog.d", "news", "newsfragments"}
)
_DOCUMENTATION: Final = (
    *("*.md", "*.rst", "*.pyi", "py.typed", "license*", "copying*", "notice*", "authors*", "changelog*", "readme*"),
    *(".gitignore", ".gitkeep", "*.pyc", "*.svg"),
)


def role_of(path: str) -> FileRole:
    """Return what the file at a path of a repository, written with `/`, is for."""
    *folders, name = path.lower().split("/")
    if _is_one_of(name, _TESTS):
        return FileRole.TEST
    if _is_one_of(name, _SUPPORT) or not _SUPPORT_FOLDERS.isdisjoint(folders):
        return FileRole.SUPPORT
    if not _NOT_JUDGED_FOLDERS.isdisjoint(folders[:1]):
        return FileRole.OTHER
    if folders and name in _AT_TOP and not _test_folder(folders):
        return FileRole.SOURCE
    test_folder = _test_folder(folders)
    # What lies deeper below the tests, such as whole projects that are input of tests, configures nothing here.
    if test_folder and folders != test_folder:
        return FileRole.SUPPORT
    if _is_one_of(name, _DEPENDENCIES) or folders[:1] == [_DEPENDENCIES_FOLDER]:
        return FileRole.DEPENDENCIES
    if _is_one_of(name, _CHECKS) or not _CHECKS_FOLDERS.isdisjoint(folders[:1]):
        return FileRole.CHECKS
    if test_folder:
        return FileRole.SUPPORT
    return FileRole.SOURCE if name.endswith(".py") else FileRole.OTHER


def is_data(path: str, packages: frozenset[str]) -> bool:
    """Return whether a file that is not judged may be read by a package: it is below a folder of ``packages``.

    Documentation, type stubs and compiled files are not; sources in another language are.
    """
    *folders, name = path.split("/")
    below = any("/".join(folders[:length]) in packages for length in range(1, len(folders) + 1))
    return below and role_of(path) is FileRole.OTHER and not _is_one_of(name.lower(), _DOCUMENTATION)


def in_test_folder(path: str) -> bool:
    """Return whether a file is below a folder of tests."""
    return bool(_test_folder(path.lower().split("/")[:-1]))


def is_documentation(path: str) -> bool:
    """Return whether a file is for people alone, by its name or since it is below a folder of documentation."""
    *folders, name = path.lower().split("/")
    return _is_one_of(name, _DOCUMENTATION) or not _NOT_JUDGED_FOLDERS.isdisjoint(folders[:1])


def _test_folder(folders: list[str]) -> list[str]:
    """Return the folders down to the first one that holds tests, nothing where there is none."""
    for index, folder in enumerate(folders):
        if folder in _TEST_FOLDERS or (index == 0 and folder in _TEST_FOLDERS_AT_TOP):
            return folders[: index + 1]
    return []


def _is_one_of(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
