"""The application works for every kind of subject and names none: no import of one, no text that is the name of one."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator

import pytest

from tests.house.sources import ROOT, Module, imports_of, package_modules

_OF_ONE_KIND = {"kinds", "programs", "contracts", "audit", "judge"}


def _application() -> list[Module]:
    return [module for module in package_modules() if module.part == "app"]


def _kind_names() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return set(project["entry-points"]["probatum.kinds"])


def _foreign(module: Module) -> Iterator[tuple[str, str]]:
    for each in imports_of(module):
        steps = each.target.split(".")
        if steps[0] == "probatum" and len(steps) > 1 and steps[1] in _OF_ONE_KIND:
            yield module.name, each.target


def test_the_built_in_kinds_come_through_the_door_of_all_kinds() -> None:
    assert _kind_names() >= {"program", "output"}


def test_the_application_imports_no_kind_and_nothing_that_only_one_kind_needs() -> None:
    assert {found for module in _application() for found in _foreign(module)} == set()


@pytest.mark.parametrize("name", sorted(_kind_names()))
def test_no_text_in_the_application_is_the_name_of_a_kind(name: str) -> None:
    named = [
        f"{module.shown}:{node.lineno}"
        for module in _application()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and node.value == name
    ]
    assert named == []
