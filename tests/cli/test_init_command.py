"""`probatum init`: three repositories of different make, set up twice and taken back; files that nothing may touch."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from probatum.app import agent_setup
from probatum.app.agent_files import PARAGRAPH, SIGNS
from tests.cli.command import Commands

BEGIN, *_, END = PARAGRAPH.splitlines()
SERVER = """\
{
  "mcpServers": {
    "probatum": {
      "command": "probatum",
      "args": [
        "mcp"
      ]
    }
  }
}
"""
OWN_HOOKS = """\
{
    "permissions": {"allow": ["Bash(make:*)"]},
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "make lint"}]}
        ],
        "PostToolUse": []
    }
}"""
WITH_COMMENTS = """\
{
\t// Servers of the team.
\t"servers": {
\t\t"files": { "type": "stdio", "command": "files" }, // keep
\t},
\t"inputs": [],
}
"""
REPOSITORIES: Mapping[str, Mapping[str, str]] = {
    "claude": {
        ".git/HEAD": "ref: refs/heads/main\n",
        "CLAUDE.md": "# Rules\r\n\r\nBe brief.\r\n",
        ".claude/settings.json": OWN_HOOKS,
    },
    "cursor and vscode": {
        ".git/HEAD": "ref: refs/heads/main\n",
        "AGENTS.md": "\ufeff# Rules\n\nNo line break at the end.",
        "CLAUDE.md": "@AGENTS.md\n",
        ".cursor/rules/style.mdc": "---\nalwaysApply: true\n---\n",
        ".cursor/mcp.json": '{"mcpServers": {"other": {}}}',
        ".vscode/mcp.json": WITH_COMMENTS,
        ".vscode/settings.json": "{}",
    },
    "empty": {},
}
WRITTEN: Mapping[str, set[str]] = {
    "claude": {"CLAUDE.md", ".mcp.json", ".claude/settings.json"},
    "cursor and vscode": {"AGENTS.md", ".mcp.json", ".cursor/mcp.json", ".cursor/hooks.json", ".vscode/mcp.json"},
    "empty": {"AGENTS.md", ".mcp.json"},
}


@pytest.fixture
def repository(commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(agent_setup.shutil, "which", lambda name: f"/usr/bin/{name}")
    folder = tmp_path / "repository"
    folder.mkdir()
    return folder


def made(folder: Path, contents: Mapping[str, str]) -> dict[str, bytes | None]:
    for name, text in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return tree(folder)


def tree(folder: Path) -> dict[str, bytes | None]:
    """Return every file with its bytes, and every folder."""
    found = sorted(folder.rglob("*"))
    return {each.relative_to(folder).as_posix(): each.read_bytes() if each.is_file() else None for each in found}


def actions(stdout: str) -> dict[str, str]:
    return {each["path"]: each["action"] for each in json.loads(stdout)["files"]}


@pytest.mark.parametrize("name", REPOSITORIES)
def test_a_repository_is_set_up_once_and_taken_back(name: str, commands: Commands, repository: Path) -> None:
    before = made(repository, REPOSITORIES[name])
    ended = commands.run("init", str(repository))
    assert (ended.code, tree(repository)) == (0, before)
    assert "Nothing was written." in ended.stdout
    assert "--yes" in ended.stdout
    assert f"+{BEGIN}" in ended.stdout

    ended = commands.run("init", str(repository), "--yes", "--json")
    document, after = json.loads(ended.stdout), tree(repository)
    assert (ended.code, document["written"]) == (0, True)
    assert {path for path in after if after[path] is not None and after[path] != before.get(path)} == WRITTEN[name]
    assert {each["path"]: each["text"].encode() for each in document["files"]} == {
        path: after[path] for path in WRITTEN[name]
    }

    ended = commands.run("init", str(repository), "--yes")
    assert (ended.code, tree(repository)) == (0, after)
    assert "Nothing to do." in ended.stdout

    ended = commands.run("init", str(repository), "--remove", "--yes")
    assert (ended.code, tree(repository)) == (0, before)
    ended = commands.run("init", str(repository), "--remove", "--yes", "--json")
    assert (ended.code, json.loads(ended.stdout)["files"]) == (0, [])


def test_what_is_written_says_what_clients_read(commands: Commands, repository: Path) -> None:
    every = [word for client in SIGNS for word in ("--client", client)]
    assert commands.run("init", str(repository), "--yes", *every).code == 0
    found = tree(repository)
    assert found[".mcp.json"] == found[".cursor/mcp.json"] == found[".gemini/settings.json"] == SERVER.encode()
    typed = {"type": "stdio", "command": "probatum", "args": ["mcp"]}
    assert json.loads(found[".vscode/mcp.json"] or b"") == {"servers": {"probatum": typed}}
    run = {"command": "probatum stop-hook"}
    group = {"hooks": [{"type": "command", **run}]}
    assert json.loads(found[".claude/settings.json"] or b"") == {"hooks": {"Stop": [group]}}
    assert json.loads(found[".cursor/hooks.json"] or b"") == {"version": 1, "hooks": {"stop": [run]}}
    assert b'[mcp_servers.probatum]\ncommand = "probatum"\nargs = ["mcp"]\n' in (found[".codex/config.toml"] or b"")
    assert len(PARAGRAPH.splitlines()) <= 14
    assert commands.run("init", str(repository), "--remove", "--yes").code == 0
    assert tree(repository) == {}


@pytest.mark.parametrize(
    ("there", "options", "written"),
    [
        ([".claude"], [], "CLAUDE.md"),
        ([".mcp.json"], [], "CLAUDE.md"),
        ([], ["--client", "claude"], "CLAUDE.md"),
        ([".claude", ".cursor"], [], "AGENTS.md"),
        ([".claude", "GEMINI.md"], [], "GEMINI.md"),
        ([".cursor"], [], "AGENTS.md"),
    ],
)
def test_a_paragraph_goes_where_the_client_reads_it(
    there: list[str], options: list[str], written: str, commands: Commands, repository: Path
) -> None:
    before = made(repository, {name if "." in name[1:] else f"{name}/x": "{}" for name in there})
    assert commands.run("init", str(repository), "--yes", *options).code == 0
    assert {name for name in tree(repository) if name.endswith(".md")} == {written}
    assert commands.run("init", str(repository), "--remove", "--yes").code == 0
    assert tree(repository) == before


def test_a_folder_that_is_then_empty_is_removed_with_the_last_file(commands: Commands, repository: Path) -> None:
    made(repository, {".claude/own.md": "# Mine\n", ".mcp.json": '{\n  "mcpServers": {}\n}\n'})
    (repository / ".cursor").mkdir()
    assert commands.run("init", str(repository), "--yes").code == 0
    assert commands.run("init", str(repository), "--remove", "--yes").code == 0
    assert tree(repository) == {".claude": None, ".claude/own.md": b"# Mine\n"}


def test_hooks_are_left_out_where_they_are_not_wanted(commands: Commands, repository: Path) -> None:
    made(repository, REPOSITORIES["claude"])
    assert commands.run("init", str(repository), "--yes", "--no-hook").code == 0
    assert (repository / ".claude/settings.json").read_text() == OWN_HOOKS


REFUSED: Mapping[str, tuple[str, str | bytes, str]] = {
    "an entry of somebody": (".mcp.json", '{"mcpServers": {"probatum": {"command": "mine"}}}', "another entry"),
    "a hook of somebody": (
        ".claude/settings.json",
        '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "probatum stop-hook", "timeout": 9}]}]}}',
        "another entry",
    ),
    "broken JSON": (".mcp.json", '{"mcpServers": }', "not valid JSON"),
    "an empty file": (".mcp.json", "", "not valid JSON"),
    "comments where none are read": (".mcp.json", '{} // "probatum"', "not valid JSON"),
    "another shape": (".mcp.json", '{"mcpServers": []}', "'mcpServers' is not an object"),
    "a list of another shape": (".claude/settings.json", '{"hooks": {"Stop": {}}}', "'Stop' is not a list"),
    "another version": (".cursor/hooks.json", '{"version": 2}', '"version": 1'),
    "broken TOML": (".codex/config.toml", "[", "not valid TOML with the entry"),
    "a table of somebody": (".codex/config.toml", "[mcp_servers.probatum]\nurl = ''\n", "twice"),
    "a table in one line": (".codex/config.toml", "mcp_servers = {}\n", "not valid TOML with the entry"),
    "half a mark": ("CLAUDE.md", f"{BEGIN}\n", "not one pair"),
    "no UTF-8": ("CLAUDE.md", b"\xff\xfeR\x00", "not UTF-8"),
    "5 MB": ("CLAUDE.md", b"a\n" * 2_500_000, "at most"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_edited_is_refused_by_name_and_the_rest_is_written(
    name: str, commands: Commands, repository: Path
) -> None:
    path, content, reason = REFUSED[name]
    made(repository, {".claude/x": "", ".cursor/x": "", ".codex/x": ""})
    (repository / path).write_bytes(content.encode() if isinstance(content, str) else content)
    before = tree(repository)
    ended = commands.run("init", str(repository), "--yes", "--json")
    told = {each["path"]: each for each in json.loads(ended.stdout)["files"]}
    assert (ended.code, told[path]["action"], tree(repository)[path]) == (4, "refused", before[path])
    assert reason in told[path]["reason"]
    assert "probatum" in told[path]["paste"]
    assert {each["action"] for each in told.values()} == {"new", "refused"}
    assert f"refused    {path}: " in commands.run("init", str(repository)).stdout
    ended = commands.run("init", str(repository), "--remove", "--yes")
    is_foreign = b"probatum" not in (before[path] or b"") and name != "5 MB"
    assert (ended.code, tree(repository)) == (0 if is_foreign else 4, before)


def test_what_is_no_file_of_the_repository_is_refused(commands: Commands, repository: Path, tmp_path: Path) -> None:
    made(repository, {".gemini": "a file", ".codex/config.toml": "# read-only\n"})
    (repository / "AGENTS.md").mkdir()
    outside = tmp_path / "outside.md"
    outside.write_text("outside\n")
    (repository / "CLAUDE.md").symlink_to(outside)
    (repository / "GEMINI.md").symlink_to("nowhere.md")
    (repository / ".codex/config.toml").chmod(0o444)
    before = tree(repository)
    ended = commands.run("init", str(repository), "--yes", "--json")
    assert ended.code == 4
    refused = {
        each["path"]: each["reason"] for each in json.loads(ended.stdout)["files"] if each["action"] == "refused"
    }
    assert {path: reason.split()[-1] for path, reason in refused.items()} == {
        "AGENTS.md": "bytes",
        "CLAUDE.md": "folder",
        "nowhere.md": "folder",
        ".gemini/settings.json": "directory",
        ".codex/config.toml": "read-only",
    }
    assert outside.read_text() == "outside\n"
    commands.run("init", str(repository), "--remove", "--yes")
    assert tree(repository) == before


def test_a_link_within_the_repository_is_followed_once(commands: Commands, repository: Path) -> None:
    made(repository, {"AGENTS.md": "# Rules\n"})
    (repository / "CLAUDE.md").symlink_to("AGENTS.md")
    (repository / "AGENTS.md").chmod(0o640)
    ended = commands.run("init", str(repository), "--yes", "--json")
    assert (ended.code, actions(ended.stdout)) == (0, {"AGENTS.md": "changed", ".mcp.json": "new"})
    assert (repository / "CLAUDE.md").is_symlink()
    assert (repository / "AGENTS.md").stat().st_mode & 0o777 == 0o640
    assert commands.run("init", str(repository), "--remove", "--yes").code == 0
    assert (repository / "CLAUDE.md").read_text() == "# Rules\n"


def test_an_older_paragraph_is_replaced_where_it_stands(commands: Commands, repository: Path) -> None:
    made(repository, {"AGENTS.md": f"# One\n\n{BEGIN}\nold\n{END}\n\n# Two\n"})
    assert commands.run("init", str(repository), "--yes").code == 0
    assert (repository / "AGENTS.md").read_text() == f"# One\n\n{PARAGRAPH}\n\n# Two\n"


def test_without_probatum_on_the_path_this_python_is_named(
    commands: Commands, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(repository, {".claude/x": "", ".codex/config.toml": "# mine\n"})
    before = tree(repository)
    monkeypatch.setattr(agent_setup.shutil, "which", lambda _: None)
    monkeypatch.setattr(agent_setup.sys, "executable", "/opt/my python/bin/python")
    ended = commands.run("init", str(repository), "--yes")
    assert ended.code == 0
    assert "for this machine alone" in ended.stderr
    server = json.loads((repository / ".mcp.json").read_text())["mcpServers"]["probatum"]
    assert server == {"command": "/opt/my python/bin/python", "args": ["-m", "probatum", "mcp"]}
    assert "'/opt/my python/bin/python' -m probatum stop-hook" in (repository / ".claude/settings.json").read_text()

    # On another machine it is ours all the same, and one that has the command writes what holds everywhere.
    monkeypatch.setattr(agent_setup.shutil, "which", lambda name: name)
    ended = commands.run("init", str(repository), "--yes", "--json")
    assert (ended.code, json.loads(ended.stdout).get("warning")) == (0, None)
    assert (repository / ".mcp.json").read_text() == SERVER
    after = tree(repository)
    monkeypatch.setattr(agent_setup.shutil, "which", lambda _: None)
    assert commands.run("init", str(repository), "--yes").code == 0
    assert tree(repository) == after
    assert commands.run("init", str(repository), "--remove", "--yes").code == 0
    assert tree(repository) == before


def test_a_file_that_cannot_be_written_does_not_stop_the_others(
    commands: Commands, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(repository, {"AGENTS.md": "# Rules\n"})
    written = agent_setup.written

    def after_a_change(folder: Path, edits: tuple[agent_setup.FileEdit, ...]) -> tuple[agent_setup.FileEdit, ...]:
        (repository / "AGENTS.md").write_text("# Newer rules\n")
        return written(folder, edits)

    monkeypatch.setattr(agent_setup, "written", after_a_change)
    ended = commands.run("init", str(repository), "--yes", "--json")
    assert (ended.code, actions(ended.stdout)) == (4, {"AGENTS.md": "refused", ".mcp.json": "new"})
    assert (repository / "AGENTS.md").read_text() == "# Newer rules\n"


def test_wrong_usage(commands: Commands, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(repository))
    for arguments, code in (
        (["nowhere"], "init.no_folder"),
        ([str(repository), "--client", "claud"], "init.no_client"),
        ([str(repository)], "init.home"),
    ):
        ended = commands.run("init", *arguments, "--yes")
        assert (ended.code, f"error[{code}]" in ended.stderr) == (2, True)
    assert tree(repository) == {}


@pytest.mark.parametrize(("answer", "is_written"), [("y\n", True), ("\n", False)])
def test_on_a_terminal_it_asks(answer: str, is_written: bool, repository: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "probatum", "init", str(repository)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        close_fds=True,
    )
    os.close(theirs)
    os.write(ours, answer.encode())
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:
        pass
    os.close(ours)
    assert process.wait(60) == 0
    assert b"Write this? [y/N]" in shown
    assert (repository / "AGENTS.md").exists() is is_written
