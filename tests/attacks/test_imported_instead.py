"""Whatever an import would load instead of the source that was judged is named, by `verify` and by the gate."""

from __future__ import annotations

import importlib.util
import marshal
import os
import py_compile
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from probatum.app.gating import GateWishes, ask_gate
from probatum.app.kinds import built_in_kinds
from probatum.app.received import ReceivedVerdict
from probatum.app.sources import Sources
from probatum.core.command import Given
from probatum.core.diagnostics import DiagnosticResult
from probatum.programs.projects.instead import instead_of, needed_with
from tests.cli.programs import HOLDING
from tests.services import Service

RATES = b"import json\n\nBASE = 100\n\n\ndef named(n):\n    return n in {'x', 'yz', 'w'}\n"
FILES: Mapping[str, bytes] = {
    "main.py": b"import rates\n" + HOLDING.replace(b"(100 +", b"(rates.BASE +"),
    "rates.py": RATES,
    "typing_of_ours.py": b"",
}
EVIL = b"BASE = 90\n\n\ndef net_price(*given):\n    return 0\n"
EVIL_SIZED = RATES.replace(b"100", b"900")
TAG = sys.implementation.cache_tag


def cached(name: str, flags: int = 1, evil: bytes = EVIL, ending: str = "") -> None:
    """Write a cache with other code, that Python takes for the source."""
    source, code = Path(f"{name}.py"), marshal.dumps(compile(evil, f"{name}.py", "exec"))
    state = source.stat()
    by_time = int(state.st_mtime).to_bytes(4, "little") + state.st_size.to_bytes(4, "little")
    told = (by_time, bytes(8), b"", importlib.util.source_hash(source.read_bytes()))[flags]
    Path("__pycache__").mkdir(exist_ok=True)
    place = Path("__pycache__", f"{name}.{TAG}{ending}.pyc")
    place.write_bytes(importlib.util.MAGIC_NUMBER + flags.to_bytes(4, "little") + told + code)


def written(path: str, content: bytes = EVIL) -> None:
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_bytes(content)


def compiled(path: str) -> None:
    written("evil.py")
    Path(path).parent.mkdir(exist_ok=True)
    py_compile.compile("evil.py", path)
    Path("evil.py").unlink()


# What is put beside the program, and what is said of it.
ATTACKS: Mapping[str, tuple[Callable[[], object], str]] = {
    "a cache of the program, by time and size": (lambda: cached("main", 0), f"__pycache__/main.{TAG}.pyc is imported"),
    "a cache of the program, by no hash": (lambda: cached("main", 1), "is imported instead of main.py"),
    "a cache of the program, by its hash": (lambda: cached("main", 3), "is imported instead of main.py"),
    "a cache of a sibling, by time and size": (lambda: cached("rates", 0), "is imported instead of rates.py"),
    "a cache of a sibling, by no hash": (lambda: cached("rates", 1), "is imported instead of rates.py"),
    "a cache of a sibling, by its hash": (lambda: cached("rates", 3), "is imported instead of rates.py"),
    "a cache in which one number differs": (lambda: cached("rates", 1, EVIL_SIZED), "instead of rates.py"),
    "a cache for -O": (lambda: cached("rates", 1, ending=".opt-1"), f"rates.{TAG}.opt-1.pyc is imported"),
    "a cache that cannot be read": (
        lambda: (
            cached("rates"),
            written(f"__pycache__/rates.{TAG}.pyc", Path(f"__pycache__/rates.{TAG}.pyc").read_bytes()[:40]),
        ),
        "is imported instead of rates.py",
    ),
    "a package folder of the program": (
        lambda: written("main/__init__.py"),
        "main/__init__.py is imported instead of main.py",
    ),
    "a compiled package of the program": (lambda: compiled("main/__init__.pyc"), "main/__init__.pyc is imported"),
    "a compiled package of a sibling": (
        lambda: compiled("rates/__init__.pyc"),
        "rates/__init__.pyc is imported instead",
    ),
    "an extension of the program": (
        lambda: written(f"main{EXTENSION_SUFFIXES[0]}", b""),
        "is imported instead of main.py",
    ),
    "an extension of a sibling": (lambda: written(f"rates{EXTENSION_SUFFIXES[-1]}", b""), "instead of rates.py"),
    "a module of Python that a sibling imports": (
        lambda: written("json.py"),
        "json.py is imported instead of the standard",
    ),
    "a module of Python that those import": (lambda: written("re.py"), "instead of the standard library's re"),
    "a package of that name": (lambda: written("re/__init__.py"), "re/__init__.py is imported instead"),
    "a compiled module of that name": (lambda: compiled("json.pyc"), "json.pyc is imported instead of the standard"),
}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory, service: Service) -> tuple[Path, DiagnosticResult]:
    """A program beside which nothing hides anything, and its verdict."""
    folder = tmp_path_factory.mktemp("honest")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        verdict = verified(service)
    assert verdict.is_verified, verdict
    return folder, verdict


def verified(service: Service) -> DiagnosticResult:
    kind = built_in_kinds()["program"]
    [found] = kind.requests(Given("main.py"), Sources(None))
    return service.answer(kind, found).verdict


@pytest.fixture
def place(judged: tuple[Path, DiagnosticResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(judged[0], tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def refusal(verdict: DiagnosticResult, service: Service, *, replay: bool = False) -> str:
    """Return why the gate refuses; empty where it admits."""
    wishes = GateWishes(demands=Given("main.py"), replay=replay)
    checked = ask_gate(ReceivedVerdict(verdict), FILES["main.py"], wishes, service._store, sources=Sources(None))
    failed = [str(step["detail"]) for step in checked.document["steps"] if step["holds"] is False]
    return failed[0] if failed else ""


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_imported_instead_is_named_and_nothing_is_verified(
    name: str, judged: tuple[Path, DiagnosticResult], service: Service
) -> None:
    attack, sentence = ATTACKS[name]
    attack()
    found = verified(service)
    assert found.constraint_id == "program.imported_instead"
    assert sentence in str(found.developer_fields["reason"])
    assert sentence in refusal(judged[1], service)
    assert sentence in refusal(judged[1], service, replay=True)


@pytest.mark.usefixtures("place")
def test_what_may_be_imported_later_instead_is_named_at_the_gate(
    judged: tuple[Path, DiagnosticResult], service: Service
) -> None:
    written("calendar.py")
    assert verified(service).is_verified
    assert refusal(judged[1], service) == "calendar.py is loaded by an import, and was not judged"


@pytest.mark.usefixtures("place")
def test_caches_of_the_sources_themselves_and_what_hides_nothing_are_admitted(
    judged: tuple[Path, DiagnosticResult], service: Service
) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    for level in ([], ["-O"], ["-OO"]):
        subprocess.run([sys.executable, *level, "-c", "import main, rates"], check=True, env=environment)
    Path("__pycache__", "rates.cpython-27.pyc").write_bytes(b"of another Python")
    Path("main").mkdir()
    written("os.py")
    assert len(list(Path("__pycache__").glob("*.opt-*"))) == 4
    assert verified(service).is_verified
    assert refusal(judged[1], service) == ""


@pytest.mark.usefixtures("place")
def test_a_cache_that_python_would_not_take_is_none() -> None:
    cached("rates", 0)
    os.utime("rates.py", (1, 1))
    assert list(instead_of({Path("rates.py"): RATES})) == []


@pytest.mark.usefixtures("place")
def test_of_another_python_every_cache_that_it_takes_is_named() -> None:
    cached("rates", 1)
    os.rename(f"__pycache__/rates.{TAG}.pyc", "__pycache__/rates.cpython-399.pyc")
    found = list(instead_of({Path("rates.py"): RATES}, "cpython-399"))
    assert found == ["__pycache__/rates.cpython-399.pyc is imported instead of rates.py"]


def test_every_form_of_constant_and_table_of_a_cache_is_read(tmp_path: Path) -> None:
    for number, source in enumerate(sorted(Path(os.__file__).parent.glob("[a-f]*.py"))):
        copy = tmp_path / f"module_{number}.py"
        copy.write_bytes(source.read_bytes())
        environment = {"PYTHONHASHSEED": str(number)}
        if number % 10 == 0:
            subprocess.run([sys.executable, "-m", "py_compile", str(copy)], check=True, env=environment)
        else:
            py_compile.compile(str(copy), tmp_path / "__pycache__" / f"{copy.stem}.{TAG}.pyc")
        assert list(instead_of({copy: copy.read_bytes()})) == []
        assert len(list((tmp_path / "__pycache__").iterdir())) == number + 1


def test_what_an_import_needs_at_once_and_what_later() -> None:
    needed = needed_with({"json"})
    assert {"json", "re", "enum", "functools"} <= needed
    assert "calendar" not in needed
