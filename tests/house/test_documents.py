"""The documents are true: commands print what is shown, Python blocks run, help texts are those of the program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house.documents import Block, Page, blocks_of, documents, matches, normal, reader_environment, shown_in
from tests.house.sources import ROOT
from tests.house.warm import Warm

_COMMANDS = ROOT / "docs" / "reference" / "commands.md"
_LINK = re.compile(r"\]\((?!https?://|#|mailto:)([^)#\s]+)(#[^)]*)?\)")


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# README runs as a reader runs it, each command a process from scratch. The other documents run warm.
_README = ROOT / "README.md"
_ALWAYS = {_README, _COMMANDS, ROOT / "docs" / "tutorial" / "first-verdict.md"}
_BLOCKS = [
    pytest.param(
        document,
        block.line,
        id=f"{_shown(document)}:{block.line}",
        marks=[] if document in _ALWAYS else pytest.mark.long,
    )
    for document in documents()
    for block in blocks_of(document)
    if block.is_run
]


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    server = Warm(reader_environment())
    yield server
    server.close()


@pytest.fixture(scope="session")
def pages(warm: Warm, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Page]:
    """Each document in its folder, opened when its first block is asked for."""

    @cache
    def page(document: Path) -> Page:
        return Page(document, tmp_path_factory.mktemp(document.stem), None if document == _README else warm)

    return page


@pytest.mark.parametrize(("document", "line"), _BLOCKS)
def test_a_block_runs_and_prints_what_is_shown(document: Path, line: int, pages: Callable[[Path], Page]) -> None:
    wrong = [
        f"{_shown(document)}:{shown.line}: $ {shown.command}\n" + "\n".join(printed)
        for shown, printed in pages(document).differences_in(line)
    ]
    assert not wrong, "\n\n".join(wrong) + "\n\n(python -m tests.house.documents writes the outputs again)"


def test_every_command_has_its_help_in_the_reference() -> None:
    shown = {each.command for block in blocks_of(_COMMANDS) if block.language == "console" for each in shown_in(block)}
    assert {f"{command} --help" for command in _commands()} <= shown


def _commands() -> set[str]:
    """Every command of the program, read from the help texts that the reference shows, which are checked above."""
    found = {"probatum"}
    for block in blocks_of(_COMMANDS):
        if block.language != "console":
            continue
        for each in shown_in(block):
            if each.command.endswith(" --help"):
                parent = each.command.removesuffix(" --help")
                found |= {f"{parent} {name}" for name in _listed_commands(each.expected)}
    return found


def _listed_commands(lines: tuple[str, ...]) -> list[str]:
    """The names below the heading Commands of a help text."""
    names: list[str] = []
    inside = False
    for line in lines:
        bare = line.strip("│ ╭╮─╰╯")
        if bare.rstrip(":") == "Commands":
            inside = True
        elif inside and not bare:
            break
        elif inside and (match := re.match(r"^[│ ]{1,4}([a-z][a-z-]*)\s", line)):
            names.append(match.group(1))
    return names


def test_links_lead_somewhere() -> None:
    others = [ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md", ROOT / "benchmarks" / "README.md"]
    missing = [
        f"{_shown(document)}: {target}"
        for document in [*documents(), *others]
        for target, _ in _LINK.findall(document.read_text(encoding="utf-8"))
        if not (document.parent / target).exists()
    ]
    assert not missing


def test_every_benchmark_is_listed() -> None:
    listed = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in (ROOT / "benchmarks").glob("*.py") if f"`{path.name}`" not in listed] == []


def test_every_document_can_be_found() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / target).resolve() for target, _ in _LINK.findall(index.read_text(encoding="utf-8"))}
    decisions = ROOT / "docs" / "adr" / "README.md"
    linked |= {
        (decisions.parent / target).resolve() for target, _ in _LINK.findall(decisions.read_text(encoding="utf-8"))
    }
    assert [_shown(path) for path in documents() if path not in linked | {index, ROOT / "README.md"}] == []


def test_documented_make_targets_exist() -> None:
    rules = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        target
        for document in documents()
        for target in re.findall(r"`make ([a-z-]+)`", document.read_text(encoding="utf-8"))
    }
    assert named <= rules


@pytest.mark.parametrize(
    ("expected", "printed", "agree"),
    [
        pytest.param(("a", "b"), ("a", "b"), True, id="the same lines"),
        pytest.param(("a",), ("a", "b"), False, id="a line too many"),
        pytest.param(("a", "...", "d"), ("a", "b", "c", "d"), True, id="dots stand for lines"),
        pytest.param(("a", "...", "d"), ("a", "d"), True, id="dots stand for no line"),
        pytest.param(("...", "d"), ("a", "b"), False, id="what follows the dots counts"),
        pytest.param(("took 1.2 s",), ("took 17 s",), True, id="times are alike"),
        pytest.param(("sha256:" + "a" * 64,), ("sha256:" + "b" * 64,), True, id="digests are alike"),
        pytest.param(("7 of 9",), ("8 of 9",), False, id="counts are not"),
    ],
)
def test_comparison_of_outputs(expected: tuple[str, ...], printed: tuple[str, ...], agree: bool) -> None:
    assert matches(expected, printed) is agree


def test_a_block_knows_its_commands() -> None:
    block = Block(10, "console", ("$ one \\", "    --more", "printed", "$ two", "$ echo $?", "3"))
    found = [(each.line, each.command, each.expected) for each in shown_in(block)]
    assert found == [(10, "one \\\n    --more", ("printed",)), (13, "two", ()), (14, "echo $?", ("3",))]
    assert normal("done in 12 ms  ") == "done in TIME"
