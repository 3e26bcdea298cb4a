"""Public names: what a package lists exists, and the lazy door opens on every name that it shows."""

from __future__ import annotations

import importlib
import tomllib

import pytest

import probatum
from tests.house.sources import PACKAGE, ROOT, package_modules, repository_files

_INSIDE = "probatum.sandbox.inside"
_IMPORTABLE = [
    module for module in package_modules() if not module.name.startswith(_INSIDE) and module.part != "__main__"
]


def test_listed_names_exist() -> None:
    missing = []
    for module in _IMPORTABLE:
        loaded = importlib.import_module(module.name)
        listed = getattr(loaded, "__all__", ())
        assert len(set(listed)) == len(listed), f"{module.name} lists a name twice"
        missing += [f"{module.name}.{name}" for name in listed if not hasattr(loaded, name)]
    assert not missing


def test_the_door_lists_what_it_opens_on() -> None:
    assert probatum.__all__
    assert [name for name in probatum.__all__ if getattr(probatum, name, None) is None] == []
    assert set(probatum.__all__) <= set(dir(probatum))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(probatum, "no_such_name")  # noqa: B009


def test_the_version_is_the_one_of_the_installed_package() -> None:
    from importlib.metadata import version

    assert probatum.__version__ == version("probatum")


def test_every_folder_with_code_is_a_package_and_so_part_of_a_wheel() -> None:
    folders = {module.path.parent for module in package_modules()}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_every_other_file_of_the_package_is_part_of_a_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["probatum"]
    packed = {path for pattern in patterns for path in PACKAGE.glob(pattern)}
    others = (path for path in repository_files() if path.is_relative_to(PACKAGE) and path.suffix != ".py")
    assert [path for path in others if path not in packed] == []
