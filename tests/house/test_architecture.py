"""ARCHITECTURE.md shows every package and what it may import, as the tested data say."""

from __future__ import annotations

from tests.house.architecture import PAGE, rows, written_again
from tests.house.sources import package_modules
from tests.house.test_import_table import MAY_IMPORT


def test_the_page_shows_the_imports_that_are_tested() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written_again(page), "write it again: make docs"


def test_every_package_has_a_row_on_the_page() -> None:
    existing = {module.part for module in package_modules()} - {"__init__", "__main__"}
    assert sorted(rows(PAGE.read_text(encoding="utf-8"))) == sorted(existing & set(MAY_IMPORT))
