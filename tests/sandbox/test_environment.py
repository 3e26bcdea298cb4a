"""Which Python runs candidates, what it can import, and what is refused as an interpreter."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

import pytest

from probatum.core.errors import NotAttemptedError, UsageError
from probatum.sandbox import Program, Raised, Returned, Sandbox, Tier, environment_named, own_environment
from probatum.sandbox.tiers import ISOLATING_TIERS
from tests.sandbox.environments import VERSION, make_environment

ANSWER = '{{"implementation": "{}", "version": "{}", "numbers": [{}], "executable": "", "standard": [], "library": ""}}'
SCRIPTS = {
    "another program": ("exit 0", "python.not_an_interpreter"),
    "a program that fails": ("exit 3", "python.not_an_interpreter"),
    "prints something else": ("echo '[1, 2]'", "python.not_an_interpreter"),
    "prints half of an answer": ("echo '{}'", "python.not_an_interpreter"),
    "a broken interpreter": ("echo 'Fatal Python error: init_fs_encoding' >&2; exit 1", "python.cannot_start"),
    "too old to be asked": (
        "echo 'Unknown option: -I' >&2; echo 'usage: python [option]' >&2; exit 2",
        "python.cannot_start",
    ),
    "too old": (f"echo '{ANSWER.format('CPython', '3.10.13', '3, 10')}'", "python.too_old"),
    "another implementation": (f"echo '{ANSWER.format('PyPy', '3.11.13', '3, 11')}'", "python.not_cpython"),
}


def refused(name: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        environment_named(name)
    assert caught.value.exit_code == 2
    return caught.value


@pytest.mark.parametrize(("script", "code"), SCRIPTS.values(), ids=SCRIPTS)
def test_what_is_no_interpreter_is_named(script: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    assert refused(str(path)).code == code


def test_a_file_that_may_not_be_executed_is_named(tmp_path: Path) -> None:
    path = tmp_path / "python"
    path.write_text("")
    path.chmod(0o644)
    assert refused(str(path)).code == "python.not_executable"


def test_a_file_that_cannot_be_executed_is_named(tmp_path: Path) -> None:
    path = tmp_path / "python"
    path.write_bytes(b"\x7fELF nothing more")
    path.chmod(0o755)
    assert refused(str(path)).code == "python.not_an_interpreter"


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").write_text("")
    (tmp_path / "bin" / "gone").symlink_to("/nowhere/python")
    assert refused("").code == "python.missing"
    assert refused("a-command-that-is-nowhere").code == "python.missing"
    assert refused(str(tmp_path / "bin" / "pyhton3")).hint == "Did you mean 'python3'?"
    assert "/nowhere/python" in refused(str(tmp_path / "bin" / "gone")).hint
    assert refused(str(tmp_path)).code == "python.not_an_interpreter"


def test_an_interpreter_that_never_answers_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "python"
    path.write_text("#!/bin/sh\nexec sleep 600\n")
    path.chmod(0o755)
    monkeypatch.setattr("probatum.sandbox.environment._ANSWER_SECONDS", 0.05)
    assert refused(str(path)).code == "python.cannot_start"


def test_the_running_python_describes_itself_as_when_it_is_asked() -> None:
    own, asked = own_environment(), environment_named(sys.executable)
    assert own.version == asked.version == f"CPython {platform.python_version()}"
    assert own.executable == asked.executable == os.path.realpath(sys.executable)
    assert own.is_own_version
    assert asked.is_own_version


def test_an_environment_is_its_own_packages_and_no_others(tmp_path: Path) -> None:
    interpreter = make_environment(tmp_path / "env", {"parcel.py": "", "crate/__init__.py": ""}, ("Parcel", "1.2"))
    for name in (str(interpreter), str(tmp_path / "env")):
        environment = environment_named(name)
        assert environment.packages == (str(tmp_path / "env" / "lib" / VERSION / "site-packages"),)
        assert environment.installed() == {"parcel": "1.2"}
        assert environment.providers() == {"parcel": ("parcel",), "crate": ("parcel",)}


def test_nothing_of_an_environment_runs_when_it_is_asked(tmp_path: Path) -> None:
    trap = f"import pathlib; pathlib.Path({str(tmp_path / 'ran')!r}).touch()\n"
    files = {"trap.pth": trap, "sitecustomize.py": trap, "usercustomize.py": trap, "json.py": trap}
    environment_named(str(make_environment(tmp_path / "env", files)))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("tier", ISOLATING_TIERS, ids=str)
def test_programs_import_what_is_installed_there_and_nothing_else(tier: Tier, tmp_path: Path) -> None:
    interpreter = make_environment(tmp_path / "env", {"parcel/__init__.py": "def weigh(): return 7\n"})
    source = b"import sys\ndef weigh():\n    import parcel\n    return parcel.weigh()\n"
    source += b"def ours():\n    import hypothesis\ndef version(): return sys.version\n"
    try:
        sandbox = Sandbox.open(tier=tier, python=environment_named(str(interpreter)))
    except NotAttemptedError as error:
        pytest.skip(f"not run on this machine: {error}")
    with sandbox, sandbox.candidate(Program(source)) as job:
        job.load()
        assert job.call("weigh") == Returned(7)
        assert job.call("version") == Returned(sys.version)
        ours = job.call("ours")
        assert isinstance(ours, Raised)
        assert ours.type_name == "ModuleNotFoundError"


def test_packages_can_be_read_but_not_written(tmp_path: Path) -> None:
    interpreter = make_environment(tmp_path / "env", {"parcel.py": ""})
    source = b"import parcel\ndef spoil():\n    open(parcel.__file__, 'a').write('spoilt')\n"
    with Sandbox.open(python=environment_named(str(interpreter))) as sandbox, sandbox.candidate(Program(source)) as job:
        job.load()
        reply = job.call("spoil")
    assert isinstance(reply, Raised)
    assert "OSError" in reply.bases
    assert (tmp_path / "env" / "lib" / VERSION / "site-packages" / "parcel.py").read_text() == ""
