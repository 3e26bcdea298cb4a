"""A run over a folder as terminals of several widths show it, and without a terminal.

To accept changed screens, run with PROBATUM_UPDATE_SNAPSHOTS=1 and review the difference of the files.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli import programs
from tests.cli.command import Commands
from tests.cli.folders import warm, write, wrong

SNAPSHOTS = Path(__file__).parent / "snapshots" / "widths"
IGNORED = wrong("printed", comment="  # probatum: ignore[it talks to the printer of the shop]")
FILES = {
    "shop/orders/pricing.py": programs.HOLDING.decode(),
    "shop/orders/recent.py": programs.WRONG.decode(),
    "shop/transfers.py": f"{programs.WEAK.decode()}\n\n{IGNORED}",
    "shop/blocked.py": "import a_package_that_is_nowhere\n\n\n" + programs.NO_SPECIFICATION.decode(),
}
_COLOUR = re.compile(r"\x1b\[([\d;]*)m")


@pytest.fixture
def shop(
    commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    warm(monkeypatch, tmp_path_factory)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)
    write(tmp_path, FILES)


def require_snapshot(name: str, screen: str) -> None:
    screen = re.sub(r"(, \d from the cache)? in \d+\.\d\d s ====", " in <time> s ====", screen)
    snapshot = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("PROBATUM_UPDATE_SNAPSHOTS") == "1":
        snapshot.write_text(screen)
    assert screen == snapshot.read_text()


@pytest.mark.parametrize("width", [60, 100, 200])
def test_a_terminal(width: int, shop: None, commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    ended = commands.run("verify", "shop", "-j", "1")
    assert (ended.code, ended.stderr) == (1, "")
    require_snapshot(f"columns_{width}", _COLOUR.sub(r"<\1>", ended.stdout).replace("<0>", "</>"))


@pytest.mark.parametrize("arguments", [[], ["-q"]])
def test_without_a_terminal(arguments: list[str], shop: None, commands: Commands) -> None:
    ended = commands.run("verify", "shop", "-j", "1", *arguments)
    assert (ended.code, ended.stderr) == (1, "")
    require_snapshot("quiet" if arguments else "plain", ended.stdout)


def test_colours_change_no_word(shop: None, commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = commands.run("verify", "shop", "-j", "1").stdout
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = commands.run("verify", "shop", "-j", "1").stdout
    assert _COLOUR.sub("", coloured).splitlines()[:-1] == plain.splitlines()[:-1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert commands.run("verify", "shop", "-j", "1").stdout.splitlines()[:-1] == plain.splitlines()[:-1]
