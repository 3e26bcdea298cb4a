"""Which modules of its own project travel with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.app import imports
from probatum.app.imports import import_closure
from probatum.core.errors import BudgetError

PROJECTS: dict[str, tuple[dict[str, str], str, list[str]]] = {
    "nothing imported": ({"app.py": "x = 1", "other.py": ""}, "app.py", []),
    "a module beside the file": ({"app.py": "import tax", "tax.py": "", "other.py": ""}, "app.py", ["tax"]),
    "modules of modules": ({"app.py": "import a", "a.py": "from b import x", "b.py": ""}, "app.py", ["a", "b"]),
    "two that import each other": (
        {"app.py": "import a", "a.py": "import b", "b.py": "import a"},
        "app.py",
        ["a", "b"],
    ),
    "the file itself, imported back": ({"app.py": "import a", "a.py": "import app"}, "app.py", ["a", "app"]),
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
    "nothing there": ({"app.py": "import nowhere, no.such.part"}, "app.py", []),
}


def make(project: dict[str, str], folder: Path) -> None:
    for name, text in project.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(("project", "start", "expected"), PROJECTS.values(), ids=PROJECTS)
def test_the_import_closure(project: dict[str, str], start: str, expected: list[str], tmp_path: Path) -> None:
    make(project, tmp_path)
    found = import_closure(tmp_path / start, project[start].encode())
    assert [name for name, _ in found] == expected


def test_a_module_comes_with_its_bytes(tmp_path: Path) -> None:
    make({"app.py": "import tax", "tax.py": "RATE = 2\n"}, tmp_path)
    assert import_closure(tmp_path / "app.py", b"import tax") == (("tax", b"RATE = 2\n"),)


BEYOND = {
    "too many modules": ("MAX_MODULES", 2),
    "too many bytes": ("MAX_BYTES", 20),
    "one too large": ("MAX_SOURCE_BYTES", 8),
}


@pytest.mark.parametrize(("limit", "value"), BEYOND.values(), ids=BEYOND)
def test_more_than_the_budget_is_named(limit: str, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make({"app.py": "import a, b, c", "a.py": "x = 12345", "b.py": "y = 12345", "c.py": "z = 12345"}, tmp_path)
    monkeypatch.setattr(imports, limit, value)
    with pytest.raises(BudgetError) as caught:
        import_closure(tmp_path / "app.py", b"import a, b, c")
    assert caught.value.code == "program.imports_too_large"


def test_nothing_is_imported_or_run(tmp_path: Path) -> None:
    make({"app.py": "import boom", "boom.py": "raise SystemExit('this must not run')"}, tmp_path)
    assert [name for name, _ in import_closure(tmp_path / "app.py", b"import boom")] == ["boom"]
