"""`--python` and folders on whole command lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import programs
from tests.cli.command import Commands
from tests.sandbox.environments import make_environment

USES_PARCEL = b"import parcel\n" + programs.HOLDING.replace(b"100 + percent", b"parcel.WHOLE + percent")
NOT_INTERPRETERS = {
    "nothing there": ("nowhere/python", "python.missing"),
    "not executable": ("app.py", "python.not_executable"),
    "another program": ("/bin/true", "python.not_an_interpreter"),
    "a folder": (".", "python.not_an_interpreter"),
}


@pytest.fixture
def interpreter(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_bytes(USES_PARCEL)
    return make_environment(tmp_path / ".venv", {"parcel.py": "WHOLE = 100\n"}, ("parcel", "1.2"))


@pytest.mark.parametrize("asked", [".venv/bin/python", ".venv"])
def test_an_environment_makes_a_program_verifiable(asked: str, commands: Commands, interpreter: Path) -> None:
    blocked = commands.run("verify", "app.py")
    assert (blocked.code, "--python INTERPRETER" in blocked.stdout) == (4, True)
    ended = commands.run("verify", "app.py", "--python", asked)
    assert ended.code == 0
    assert f"Repeat  probatum verify app.py::net_price --python {asked}" in ended.stdout
    reference = ended.stdout.split("Proof   ")[1].split()[0]
    assert commands.run("proof", "recheck", reference, "--replay", "--python", asked).code == 0
    assert "package parcel 1.2" in commands.run("proof", "show", reference).stdout
    assert commands.run("proof", "recheck", reference).code == 0


@pytest.mark.parametrize(("asked", "code"), NOT_INTERPRETERS.values(), ids=NOT_INTERPRETERS)
@pytest.mark.parametrize("command", ["verify", "batch"])
def test_what_is_no_interpreter_is_wrong_usage(command: str, asked: str, code: str, commands: Commands) -> None:
    Path("app.py").write_bytes(programs.HOLDING)
    Path("in.jsonl").write_text('{"id": "a", "kind": "program", "source": ""}\n')
    files = ["app.py"] if command == "verify" else ["in.jsonl", "out.jsonl"]
    ended = commands.run(command, *files, "--python", asked)
    assert ended.code == 2
    assert ended.stderr.startswith(f"error[{code}]: ")


def test_a_batch_runs_under_the_named_interpreter(commands: Commands, interpreter: Path, tmp_path: Path) -> None:
    request = {"id": "a", "kind": "program", "source": USES_PARCEL.decode()}
    (tmp_path / "in.jsonl").write_text(json.dumps(request) + "\n")
    assert commands.run("batch", "in.jsonl", "out.jsonl", "--python", str(interpreter)).code == 0
    assert json.loads((tmp_path / "out.jsonl").read_text())["verdict"]["status"] == "VERIFIED"


def test_a_package_folder_is_one_table_without_what_has_nothing_to_verify(commands: Commands, tmp_path: Path) -> None:
    files = {
        "__init__.py": b"from .pricing import net_price\n",
        "__main__.py": b"from . import net_price\nprint(net_price(119, 19))\n",
        "pricing.py": b"from . import inner\n" + programs.HOLDING,
        "inner/__init__.py": b"",
        "test_pricing.py": b"def test_it(): assert False\n",
    }
    for name, content in files.items():
        (tmp_path / "shop" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "shop" / name).write_bytes(content)
    ended = commands.run("verify", "shop")
    assert ended.code == 0, ended.stdout
    first, closing = ended.stdout.splitlines()
    assert first.startswith("VERIFIED   shop/pricing.py::net_price: ")
    assert closing.startswith("==== 1 verified in ")
    document = json.loads(commands.run("verify", "shop", "--json").stdout)
    assert list(document["files"]) == ["shop/pricing.py"]
    assert document["nothing_to_verify"] == ["shop/__init__.py", "shop/__main__.py", "shop/inner/__init__.py"]
