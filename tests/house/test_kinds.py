"""The application works for every kind of subject and names none: no import of one, no text that is the name of one.

Likewise the kind of exact claims and its engines. A command loads the kind that brings it, and no other.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from probatum.app.kinds import built_in_kinds
from probatum.exact.engines import ENGINES
from tests.house.sources import ROOT, Module, imports_of, package_modules

_OF_ONE_KIND = {"kinds", "programs", "contracts", "audit", "judge"}


def _application() -> list[Module]:
    return [module for module in package_modules() if module.part == "app"]


def _offered(group: str) -> dict[str, str]:
    offered: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"][group]
    return offered


def _kind_names() -> set[str]:
    return set(_offered("probatum.kinds"))


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


def test_every_command_names_the_kind_that_brings_it() -> None:
    values = _offered("probatum.kinds")
    brought = {
        command.name: values[name]
        for name, kind in built_in_kinds().items()
        for command in (kind.command, *(tool.command for tool in kind.tools))
    }
    # A kind of files that people edit brings this one as well.
    brought |= dict.fromkeys(
        ["baseline"], *(values[name] for name, kind in built_in_kinds().items() if kind.files is not None)
    )
    assert _offered("probatum.commands") == brought


def test_a_command_loads_its_kind_and_no_other(tmp_path: Path) -> None:
    run = "import sys; from probatum.__main__ import main; code = main(sys.argv[1:])"
    show = "print(code, *sorted({name.split('.')[2] for name in sys.modules if name.startswith('probatum.kinds.')}))"
    words = ["claim", "math", "1+1=2", "--store", str(tmp_path)]
    ended = subprocess.run([sys.executable, "-c", f"{run}; {show}", *words], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "0 claim"


def test_no_text_in_the_kind_of_claims_is_the_name_of_an_engine() -> None:
    # What is run is the input of this name, whichever engine leaves the claim open until it has run.
    names = set(ENGINES) - {"code"}
    modules = [module for module in package_modules() if module.name.startswith("probatum.kinds.claim")]
    constants = (node for module in modules for node in ast.walk(module.tree) if isinstance(node, ast.Constant))
    assert modules
    assert [node.value for node in constants if isinstance(node.value, str) and node.value in names] == []
