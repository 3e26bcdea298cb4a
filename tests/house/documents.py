"""Runs what the documents show: every command with its output, every Python block; can write the outputs again.

A document's blocks share one scratch folder, which holds the examples, and run in their order. One that is asked for
alone comes after those before it, which are run but not compared:

- ``console``: lines that begin with ``$ `` are commands, the lines below each are what it prints. A line ``...`` stands
  for any lines. ``$ echo $?`` shows the exit code of the command before.
- ``file=NAME`` behind the language: the block is written to this file of the scratch folder.
- ``python`` with ``>>>``: a session, checked line by line; any other ``python`` block must run without an exception.

``probatum`` and Python blocks run in forks of a warm process (`warm`); where none is given, each is a process from
scratch. Differences that mean nothing (digests, times, sizes of proofs) are made alike by `normal`, and only there.
Lines of progress, which only slow runs print, are left out.
Refuses to run installations.
Run as a module it writes the outputs that differ in all documents again: python -m tests.house.documents
With documents named, it writes all their outputs, so that digests and keys of one page agree.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.house.sources import ROOT
from tests.house.warm import SCRIPT, SESSION, Warm
from tests.sandbox.trees import small_environment

_FENCE = re.compile(r"^```(?P<info>.*)$")
_ANY_LINES = "..."
_PATIENCE_SECONDS = 600
"""Against a command that hangs for ever; no command comes near it, however busy the machine is."""
_NOT_RUN = ("pip install ",)
"""Commands that change the reader's machine rather than show the program."""

_NOISE = (
    (re.compile(r"\bsha256:[0-9a-f]{8,64}…?"), "sha256:DIGEST"),
    (re.compile(r" +\d+(\.\d+)? (s|ms|seconds?)\b"), " TIME"),
    (re.compile(r"\b\d+ bytes\b"), "SIZE"),
    (re.compile(r"\b[0-9a-f]{16}\b"), "KEY"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT[\d:]+\+00:00"), "MOMENT"),
    (re.compile(r"\b3\.1\d\.\d+\b"), "PYTHON"),
)
_PROGRESS = re.compile(
    r"(\[\d+/\d+\] |[^\s:]+\.py: "
    r"|[^\s:]+: (Starting deep|Reading the spec|\d+ clauses? in |\w+: (planting|running|\d+ documented) ))"
)
"""What a run over many files prints every ten seconds: a slow machine shows lines that a fast one does not."""
_SESSION = """\
import doctest, sys
sys.exit(doctest.testfile(sys.argv[1], module_relative=False, optionflags=doctest.ELLIPSIS).failed > 0)
"""


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block; ``line`` is the 1-based line of its first line of content."""

    line: int
    info: str
    lines: tuple[str, ...]

    @property
    def language(self) -> str:
        """The first word after the fence."""
        return self.info.split(" ")[0]

    @property
    def text(self) -> str:
        """What stands in it."""
        return "\n".join(self.lines) + "\n"

    @property
    def file_name(self) -> str:
        """The file that the block is written to, or nothing."""
        match = re.search(r"\bfile=(\S+)", self.info)
        return match.group(1) if match else ""

    @property
    def is_run(self) -> bool:
        """True where there is something to compare: commands, or Python that is not merely written to a file."""
        return self.language == "console" or (self.language == "python" and not self.file_name)

    @property
    def is_help(self) -> bool:
        """True where nothing but help is asked for, which no later block can depend on."""
        return self.language == "console" and all(each.command.endswith(" --help") for each in shown_in(self))


@dataclass(frozen=True, slots=True)
class Shown:
    """One command with the output that the document shows."""

    line: int
    command: str
    expected: tuple[str, ...]


Difference = tuple[Shown, tuple[str, ...]]
"""What a document shows, and the lines that were printed instead."""


def documents() -> list[Path]:
    """Return every document whose blocks are run."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(document: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a document; raises ValueError where one is not closed."""
    info: str | None = None
    start = 0
    lines: list[str] = []
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        match = _FENCE.match(line)
        if info is None and match:
            info, start, lines = match["info"].strip(), number + 1, []
        elif info is not None and match:
            yield Block(start, info, tuple(lines))
            info = None
        elif info is not None:
            lines.append(line)
    if info is not None:
        raise ValueError(f"{document}: the block at line {start} is not closed")


def shown_in(block: Block) -> list[Shown]:
    """Return the commands of a console block; a backslash at the end continues a command on the next line."""
    found: list[Shown] = []
    for number, line in enumerate(block.lines, block.line):
        last = found[-1] if found else None
        if line.startswith("$ "):
            found.append(Shown(number, line[2:], ()))
        elif last is None:
            raise ValueError(f"line {number}: output without a command")
        elif last.command.endswith("\\") and not last.expected:
            found[-1] = Shown(last.line, f"{last.command}\n{line}", ())
        else:
            found[-1] = Shown(last.line, last.command, (*last.expected, line))
    return found


def normal(line: str) -> str:
    """Return a line of output without what differs between runs and means nothing."""
    for pattern, replacement in _NOISE:
        line = pattern.sub(replacement, line)
    return line.rstrip()


def matches(expected: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    """True when the printed lines are the expected ones, where ``...`` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == _ANY_LINES else re.escape(normal(line)) + r"\n" for line in expected
    )
    return re.fullmatch(pattern, "".join(normal(line) + "\n" for line in printed)) is not None


def reader_environment() -> dict[str, str]:
    """Return the environment that a reader of the documents has, as far as it is the same for all documents."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PROBATUM_", "XDG_", "PYTHON"))}
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**kept, "PATH": programs, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8"}


class Scratch:
    """A folder with the examples, in which the blocks of one document run."""

    def __init__(self, folder: Path, warm: Warm | None = None) -> None:
        self.folder = folder / "reader"
        self.folder.mkdir()
        shutil.copytree(ROOT / "examples", self.folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        self._status = 0
        self._environment = {**reader_environment(), "HOME": str(folder)}
        self._script, self._session = [sys.executable], [sys.executable, "-c", _SESSION]
        if warm is not None:
            self._environment["PATH"] = f"{warm.programs}{os.pathsep}{self._environment['PATH']}"
            self._script, self._session = [str(warm.programs / SCRIPT)], [str(warm.programs / SESSION)]

    def print_of(self, command: str) -> tuple[str, ...]:
        """Run a command and return the lines that it prints; ``$?`` is the exit code of the one before."""
        if "probatum change" in command:
            self._give_environments()
        script = f"(exit {self._status})\n{command}"
        done = self._run(["bash", "-c", script])
        self._status = done.returncode
        return tuple(line.rstrip() for line in done.stdout.rstrip().splitlines() if not _PROGRESS.match(line))

    def _give_environments(self) -> None:
        """Give each repository here an environment with pytest alone: with all that is ours, each start takes long."""
        for place in self.folder.glob("*/.git"):
            environment = place.parent / ".venv"
            if not environment.exists():
                small_environment(environment)
                (place / "info" / "exclude").write_text(f"{environment.name}\n")

    def write(self, block: Block) -> None:
        """Write a block to its file."""
        path = self.folder / block.file_name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def run_python(self, block: Block) -> str:
        """Run a Python block; return what went wrong, or nothing."""
        path = self.folder / f"block-{block.line}.txt"
        path.write_text(block.text, encoding="utf-8")
        is_session = any(line.startswith(">>> ") for line in block.lines)
        done = self._run([*(self._session if is_session else self._script), str(path)])
        return done.stdout if done.returncode else ""

    def _run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_PATIENCE_SECONDS,
            check=False,
        )


class Page:
    """One document in a folder of its own; its blocks run in their order, each at most once."""

    def __init__(self, document: Path, folder: Path, warm: Warm | None = None, *, literally: bool = False) -> None:
        self.blocks = tuple(blocks_of(document))
        self._literally = literally
        self._scratch = Scratch(folder, warm)
        self._found: dict[int, list[Difference]] = {}

    def differences_in(self, line: int) -> list[Difference]:
        """Return what the block at this line shows wrongly, with what was printed instead."""
        for block in self.blocks:
            if block.line <= line and block.line not in self._found and (block.line == line or not block.is_help):
                self._found[block.line] = list(self._differences(block))
        return self._found[line]

    def _differences(self, block: Block) -> Iterator[Difference]:
        if block.language == "console":
            for shown in shown_in(block):
                if shown.command.startswith(_NOT_RUN):
                    continue
                printed = self._scratch.print_of(shown.command)
                if not matches(shown.expected, printed) or (self._literally and shown.expected != printed):
                    yield shown, printed
        elif block.file_name:
            self._scratch.write(block)
        elif block.language == "python" and (wrong := self._scratch.run_python(block)):
            yield Shown(block.line, "python", block.lines), tuple(wrong.splitlines())


def write_again(document: Path, warm: Warm, *, literally: bool) -> int:
    """Write what the document's commands print now; return how many outputs changed. Elided outputs stay.

    ``literally`` also writes what differs by its digests, times and keys alone.
    """
    lines = document.read_text(encoding="utf-8").splitlines()
    changed = 0
    with tempfile.TemporaryDirectory() as folder:
        page = Page(document, Path(folder), warm, literally=literally)
        found = [each for block in page.blocks for each in page.differences_in(block.line)]
    for shown, printed in sorted(found, key=lambda each: -each[0].line):
        elided = any(line.strip() == _ANY_LINES for line in shown.expected)
        if elided and matches(shown.expected, printed):
            continue
        if shown.command == "python" or elided:
            print(f"{document.relative_to(ROOT)}:{shown.line}: to be mended by hand: {shown.command}")
            print("\n".join(printed))
            continue
        first = shown.line + shown.command.count("\n")
        lines[first : first + len(shown.expected)] = printed
        changed += 1
    document.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return changed


def main() -> None:
    """Write all outputs of the named documents again, or those of every document that differ."""
    named = [Path(name).resolve() for name in sys.argv[1:]]
    warm = Warm(reader_environment())
    for document in named or documents():
        count = write_again(document, warm, literally=bool(named))
        print(f"{document.relative_to(ROOT)}: {count} outputs written")
    warm.close()


if __name__ == "__main__":
    main()
