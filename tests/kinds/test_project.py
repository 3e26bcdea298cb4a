"""Which modules of its own project travel with a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from probatum.core.errors import BudgetError
from probatum.programs.projects import project as projects
from probatum.programs.projects.project import Project, project_of
from probatum.programs.source import module_or_none

PROJECTS: dict[str, tuple[dict[str, str], str, list[str]]] = {
    "nothing imported": ({"app.py": "x = 1", "other.py": ""}, "app.py", []),
    "a module beside the file": ({"app.py": "import tax", "tax.py": "", "other.py": ""}, "app.py", ["tax"]),
    "modules of modules": ({"app.py": "import a", "a.py": "from b import x", "b.py": ""}, "app.py", ["a", "b"]),
    "two that import each other": (
        {"app.py": "import a", "a.py": "import b", "b.py": "import a"},
        "app.py",
        ["a", "b"],
    ),
    "the file itself, imported back": ({"app.py": "import a", "a.py": "import app"}, "app.py", ["a"]),
    "a package and its part": (
        {"app.py": "from shop.tax import rate", "shop/__init__.py": "", "shop/tax.py": "", "shop/other.py": ""},
        "app.py",
        ["shop.__init__", "shop.tax"],
    ),
    "a name that is a module": (
        {"app.py": "from shop import tax", "shop/__init__.py": "", "shop/tax.py": ""},
        "app.py",
        ["shop.__init__", "shop.tax"],
    ),
    "a folder without an __init__ file": (
        {"app.py": "import shop.tax", "shop/tax.py": ""},
        "app.py",
        ["shop.tax"],
    ),
    "relative imports in a package": (
        {
            "app.py": "import shop",
            "shop/__init__.py": "from . import tax",
            "shop/tax.py": "from .rates import r",
            "shop/rates.py": "",
        },
        "app.py",
        ["shop.__init__", "shop.rates", "shop.tax"],
    ),
    "a file inside a package names it from the top": (
        {"shop/__init__.py": "", "shop/app.py": "from shop.tax import r", "shop/tax.py": ""},
        "shop/app.py",
        ["shop.__init__", "shop.tax"],
    ),
    "a relative import of the file itself": (
        {"shop/__init__.py": "", "shop/app.py": "from .tax import r", "shop/tax.py": ""},
        "shop/app.py",
        ["shop.__init__", "shop.tax"],
    ),
    "the standard library stays what it is": ({"app.py": "import random", "random.py": ""}, "app.py", []),
    "inside a function": ({"app.py": "def f():\n    import tax", "tax.py": ""}, "app.py", ["tax"]),
    "a file that does not parse": ({"app.py": "import tax\n(", "tax.py": ""}, "app.py", []),
    "a module that does not parse": ({"app.py": "import tax", "tax.py": "("}, "app.py", ["tax"]),
    "relative imports without an __init__ file": (
        {"a/b/app.py": "from .tax import r\nfrom ..rates import s", "a/b/tax.py": "", "a/rates.py": ""},
        "a/b/app.py",
        ["a.b.tax", "a.rates"],
    ),
    "its own folder by name, without an __init__ file": (
        {"town/shop/app.py": "import town.shop.tax", "town/shop/tax.py": "from town import rates", "town/rates.py": ""},
        "town/shop/app.py",
        ["town.rates", "town.shop.tax"],
    ),
    "a module that names the folder of the file": (
        {"shop/app.py": "import tax", "shop/tax.py": "from shop import rates", "shop/rates.py": ""},
        "shop/app.py",
        ["shop.rates", "tax"],
    ),
    "a package in a folder without an __init__ file": (
        {"town/shop/__init__.py": "", "town/shop/app.py": "import town.rates", "town/rates.py": ""},
        "town/shop/app.py",
        ["town.rates", "town.shop.__init__"],
    ),
    "the packages around it, which it does not import": (
        {"town/__init__.py": "import rates", "town/shop/__init__.py": "", "town/shop/app.py": "", "rates.py": ""},
        "town/shop/app.py",
        ["rates", "town.__init__", "town.shop.__init__"],
    ),
    "the file of a package": (
        {"shop/__init__.py": "from .tax import r", "shop/tax.py": "import shop"},
        "shop/__init__.py",
        ["shop.tax"],
    ),
    "a module of the project folder": (
        {"pyproject.toml": "", "scripts/app.py": "import shop, rates", "src/shop/__init__.py": "", "rates.py": ""},
        "scripts/app.py",
        ["rates", "shop.__init__"],
    ),
    "a folder of that name that holds no modules": (
        {"setup.py": "", "scripts/app.py": "import shop", "scripts/shop/notes.txt": "", "src/shop.py": ""},
        "scripts/app.py",
        ["shop"],
    ),
    "by name in a call": (
        {
            "shop/__init__.py": "",
            "shop/app.py": "import importlib\nimportlib.import_module('.tax', __package__)\n__import__('rates')",
            "shop/tax.py": "",
            "rates.py": "",
            "shop/other.py": "",
        },
        "shop/app.py",
        ["rates", "shop.__init__", "shop.tax"],
    ),
    "by a computed name": (
        {
            "shop/__init__.py": "import importlib\ndef __getattr__(n): return importlib.import_module(f'shop.{n}')",
            "shop/app.py": "",
            "shop/tax.py": "import rates",
            "shop/inner/more.py": "",
            "shop/tests/test_app.py": "",
            "shop/test_tax.py": "",
            "rates.py": "",
        },
        "shop/app.py",
        ["rates", "shop.__init__", "shop.inner.more", "shop.tax"],
    ),
    "in a session of the documentation": (
        {
            "shop/__init__.py": "",
            "shop/app.py": '"""\n    >>> from shop.tax import r\n    >>> import (\n"""',
            "shop/tax.py": "",
        },
        "shop/app.py",
        ["shop.__init__", "shop.tax"],
    ),
    "nothing there": ({"app.py": "import nowhere, no.such.part"}, "app.py", []),
}


def project_at(path: Path, content: bytes) -> Project:
    return project_of(path, content, module_or_none(content))


def make(project: dict[str, str], folder: Path) -> None:
    for name, text in project.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(("project", "start", "expected"), PROJECTS.values(), ids=PROJECTS)
def test_the_import_closure(project: dict[str, str], start: str, expected: list[str], tmp_path: Path) -> None:
    make(project, tmp_path)
    found = project_at(tmp_path / start, project[start].encode()).modules
    assert [name for name, _ in found] == expected


NAMES = {
    "a script": ({"app.py": ""}, "app.py", "app"),
    "a name with a dash": ({"my-app.py": ""}, "my-app.py", "artifact"),
    "a name with a dash in a package": (
        {"shop/__init__.py": "", "shop/my-app.py": ""},
        "shop/my-app.py",
        "shop.artifact",
    ),
    "in packages": ({"a/__init__.py": "", "a/b/__init__.py": "", "a/b/c.py": ""}, "a/b/c.py", "a.b.c"),
    "a package": ({"a/__init__.py": "", "a/b/__init__.py": ""}, "a/b/__init__.py", "a.b.__init__"),
    "a folder with a dash is no package": ({"a-b/__init__.py": "", "a-b/c.py": ""}, "a-b/c.py", "c"),
    "the __init__ of such a folder": ({"a-b/__init__.py": ""}, "a-b/__init__.py", "artifact"),
    "a __main__ file": ({"a/__init__.py": "", "a/__main__.py": ""}, "a/__main__.py", "a.__main__"),
    "folders without an __init__": ({"a/b/c.py": "from ..d import e"}, "a/b/c.py", "a.b.c"),
    "a folder that nothing names": ({"a/c.py": "import d", "a/d.py": ""}, "a/c.py", "c"),
}


@pytest.mark.parametrize(("project", "start", "expected"), NAMES.values(), ids=NAMES)
def test_what_a_file_is_called(
    project: dict[str, str], start: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(project, tmp_path)
    content = project[start].encode()
    assert project_at(tmp_path / start, content).module == expected
    for folder in (tmp_path, (tmp_path / start).parent):
        monkeypatch.chdir(folder)
        assert project_at(Path(os.path.relpath(tmp_path / start)), content).module == expected


def test_a_whole_package_that_is_too_large_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = "import importlib\ndef __getattr__(n): return importlib.import_module(n)\n"
    make({"shop/__init__.py": lazy, "shop/app.py": "", **{f"shop/m{n}.py": "" for n in range(4)}}, tmp_path)
    monkeypatch.setattr(projects, "MAX_MODULES", 3)
    assert [name for name, _ in project_at(tmp_path / "shop" / "app.py", b"").modules] == ["shop.__init__"]


def test_a_module_comes_with_its_bytes(tmp_path: Path) -> None:
    make({"app.py": "import tax", "tax.py": "RATE = 2\n"}, tmp_path)
    assert project_at(tmp_path / "app.py", b"import tax").modules == (("tax", b"RATE = 2\n"),)


BEYOND = {
    "too many modules": ("MAX_MODULES", 2),
    "too many bytes": ("MAX_BYTES", 20),
    "one too large": ("MAX_SOURCE_BYTES", 8),
}


@pytest.mark.parametrize(("limit", "value"), BEYOND.values(), ids=BEYOND)
def test_more_than_the_budget_is_named(limit: str, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make({"app.py": "import a, b, c", "a.py": "x = 12345", "b.py": "y = 12345", "c.py": "z = 12345"}, tmp_path)
    monkeypatch.setattr(projects, limit, value)
    with pytest.raises(BudgetError) as caught:
        project_at(tmp_path / "app.py", b"import a, b, c")
    assert caught.value.code == "program.imports_too_large"


def test_nothing_is_imported_or_run(tmp_path: Path) -> None:
    make({"app.py": "import boom", "boom.py": "raise SystemExit('this must not run')"}, tmp_path)
    assert [name for name, _ in project_at(tmp_path / "app.py", b"import boom").modules] == ["boom"]
