"""`probatum stop-hook` in a repository: what it tells each client, and that it holds an agent up once alone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import Commands, Ended

RIGHT = b'''def half(n: int) -> int:
    """Return half of n, rounded down.

    >>> half(5)
    2
    """
    return n // 2
'''
WRONG = RIGHT.replace(b"n // 2", b"n / 2")
OTHER = b'\n\ndef name() -> str:\n    """Return the name."""\n    return "a"\n'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_bytes(RIGHT + OTHER)
    identity = ("-c", "user.email=a@example.org", "-c", "user.name=a")
    for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def _ended(commands: Commands, event: object) -> Ended:
    return commands.run("stop-hook", stdin=json.dumps(event).encode())


def test_nothing_changed_says_nothing(commands: Commands, repository: Path) -> None:
    ended = _ended(commands, {"cwd": str(repository), "stop_hook_active": False})
    assert (ended.code, ended.stdout) == (0, "")


def test_a_refuted_change_holds_an_agent_up_once(commands: Commands, repository: Path) -> None:
    (repository / "app.py").write_bytes(WRONG + OTHER)
    told = json.loads(_ended(commands, {"cwd": str(repository)}).stdout)
    assert told["decision"] == "block"
    assert "half(5)" in told["reason"]
    assert "name" not in told["reason"]
    again = _ended(commands, {"cwd": str(repository), "stop_hook_active": True})
    assert (again.code, again.stdout) == (0, "")


def test_a_client_that_counts_its_loops_is_asked_to_go_on(commands: Commands, repository: Path) -> None:
    (repository / "app.py").write_bytes(WRONG + OTHER)
    event = {"workspace_roots": [str(repository)], "status": "completed", "loop_count": 0}
    assert list(json.loads(_ended(commands, event).stdout)) == ["followup_message"]
    assert _ended(commands, {**event, "loop_count": 1}).stdout == ""


def test_unread_sentences_are_named_with_the_tools_that_help(commands: Commands, repository: Path) -> None:
    (repository / "app.py").write_bytes(RIGHT + OTHER.replace(b'"a"', b'"b"'))
    reason = json.loads(_ended(commands, {"cwd": str(repository)}).stdout)["reason"]
    assert "app.py::name" in reason
    assert "'ask'" in reason
    assert "half" not in reason


@pytest.mark.parametrize("event", [b"", b"no JSON", b"[]", b'{"cwd": 3}'])
def test_an_event_in_another_form_is_one_of_the_current_folder(event: bytes, commands: Commands) -> None:
    ended = commands.run("stop-hook", stdin=event)
    assert (ended.code, ended.stdout) == (0, "")


def test_a_folder_without_a_repository_is_said_and_holds_up_nobody(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(WRONG)
    ended = _ended(commands, {"cwd": str(tmp_path)})
    assert ended.code == 1
    assert "lies in no git repository" in ended.stderr


def test_a_folder_that_is_gone_is_said_and_holds_up_nobody(commands: Commands) -> None:
    ended = _ended(commands, {"cwd": "/nowhere"})
    assert (ended.code, ended.stdout) == (1, "")
