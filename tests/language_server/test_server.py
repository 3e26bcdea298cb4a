"""An editor's day with the server: a wrong function, an edit, a save, what is offered, a crash, and the end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from lsprotocol.types import (
    CodeAction,
    DiagnosticSeverity,
    DidChangeWatchedFilesParams,
    FileChangeType,
    FileEvent,
    TextEdit,
)

from probatum.core.limits import MAX_SOURCE_BYTES
from tests.language_server.editors import Diagnostics, Editor, editing
from tests.workers.outside import all_end, descendants

WRONG = '''\
def double(x: int) -> int:
    """>>> double(2)
    4
    >>> double(-3)
    -6
    """
    return x * x
'''
WEAK = '''\
def fee(total: int) -> int:
    """>>> fee(50)
    5
    """
    if total >= 100:
        return 0
    return 5
'''
OPEN = '''\
def fee(total: int) -> int:
    """Return what an order costs: a tenth of it.

    >>> fee(55)
    5
    >>> fee(-20)
    -2
    """
    return total // 10
'''
ENDLESS = '''\
def spin(amount: int) -> int:
    """Return the amount.

    >>> spin(3)
    3
    """
    while amount > 2:
        pass
    return amount
'''


def run(folder: Path, body: Callable[[Editor], Awaitable[None]], **settings: object) -> None:
    """Let an editor do something in a folder."""

    async def day() -> None:
        async with editing(folder, **settings) as editor:
            await body(editor)

    asyncio.run(day())


def errors(found: Diagnostics) -> list[str]:
    """Return the messages of the errors."""
    return [each.message for each in found if each.severity is DiagnosticSeverity.Error]


def applied(text: str, action: CodeAction, uri: str) -> str:
    """Return a text with the one insertion of an action."""
    assert action.edit is not None
    assert action.edit.changes is not None
    [edit] = action.edit.changes[uri]
    assert isinstance(edit, TextEdit)
    lines = text.splitlines(keepends=True)
    place = edit.range.start
    assert edit.range.end == place
    lines[place.line] = lines[place.line][: place.character] + edit.new_text + lines[place.line][place.character :]
    return "".join(lines)


def test_a_wrong_function_is_an_error_at_its_line_until_it_is_mended(tmp_path: Path) -> None:
    async def day(editor: Editor) -> None:
        # The text in the editor counts: there is no such file.
        editor.open("shop.py", WRONG)
        found = await editor.diagnostics("shop.py", errors)
        [error] = [each for each in found if each.severity is DiagnosticSeverity.Error]
        assert "double(-3)" in error.message
        assert "got 9" in error.message
        assert error.source == "probatum"
        assert error.code == "program.example"
        assert WRONG.splitlines()[error.range.start.line].strip() == ">>> double(-3)"
        mended = WRONG.replace("x * x", "x * 2")
        editor.change("shop.py", mended)
        await editor.diagnostics("shop.py", lambda now: not now)
        editor.save("shop.py")
        await editor.until(lambda: editor.steps.count("end") == 2)
        [verdict] = await editor.verify("shop.py")
        assert verdict["outcome"] == "tested"
        assert not await editor.diagnostics("shop.py", lambda _now: True)

    run(tmp_path, day)


def test_an_example_that_is_offered_kills_a_mutant_and_its_hint_goes(tmp_path: Path) -> None:
    async def day(editor: Editor) -> None:
        editor.open("shop.py", WEAK)
        found = await editor.diagnostics("shop.py", lambda now: now)
        hints = [each for each in found if each.severity is DiagnosticSeverity.Hint]
        assert hints
        assert all(each.code == "program.survivor" for each in hints)
        [weak] = [each for each in found if each.severity is DiagnosticSeverity.Warning]
        assert weak.range.start.line == 0
        assert "Next: probatum verify" in weak.message
        text = WEAK
        while adding := [each for each in await editor.actions("shop.py", 4) if "Add an example" in each.title]:
            text = applied(text, adding[0], editor.uri("shop.py"))
            call = adding[0].title.rpartition(": ")[2]
            assert f">>> {call}\n    ?\n" in text
            right = 0 if int(call[len("fee(") : -1]) >= 100 else 5
            text = text.replace("    ?\n", f"    {right}\n")
            editor.change("shop.py", text)
            await editor.verify("shop.py")
        await editor.diagnostics("shop.py", lambda now: not now)

    run(tmp_path, day)


def test_functions_that_did_not_change_keep_what_is_shown_where_they_stand_now(tmp_path: Path) -> None:
    async def day(editor: Editor) -> None:
        editor.open("shop.py", WRONG + "\n\n" + WRONG.replace("double", "twice"))
        both = await editor.diagnostics("shop.py", lambda now: len(errors(now)) == 2)
        editor.change("shop.py", "# New.\n\n" + WRONG + "\n\n" + WRONG.replace("double", "triple"))
        [kept] = [
            each
            for each in await editor.diagnostics("shop.py", lambda now: len(errors(now)) == 1)
            if each.severity is DiagnosticSeverity.Error
        ]
        was = next(each for each in both if "double(-3)" in each.message)
        assert "double(-3)" in kept.message
        assert kept.range.start.line == was.range.start.line + 2

    run(tmp_path, day)


def test_text_that_is_not_python_is_an_error_and_what_changes_is_verified_where_that_is_asked_for(
    tmp_path: Path,
) -> None:
    async def day(editor: Editor) -> None:
        editor.open("shop.py", "x = 1\n\ndef f(:\n")
        [found] = await editor.diagnostics("shop.py", errors)
        assert found.range.start.line == 2
        assert found.code == "program.does_not_parse"
        editor.change("shop.py", WRONG)
        await editor.diagnostics("shop.py", errors)

    run(tmp_path, day, verifyOnChange=True)


def test_open_words_can_be_read_and_a_reading_is_accepted(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text(OPEN)
    read = [sys.executable, "-m", "probatum", "read", "shop.py"]

    async def day(editor: Editor) -> None:
        editor.open("shop.py", OPEN)
        found = await editor.diagnostics("shop.py", lambda now: now)
        [statement] = [each for each in found if each.code == "program.open_statement"]
        assert statement.severity is DiagnosticSeverity.Information
        assert statement.range.start.line == 1
        [creating] = [each for each in await editor.actions("shop.py", 1) if "Create" in each.title]
        assert creating.edit is not None
        assert creating.command is not None
        await editor.run(creating.command)
        assert editor.shown[0].uri == editor.uri("shop.readings.toml")
        cards = subprocess.run([*read, "--ask"], cwd=tmp_path, capture_output=True, check=True).stdout
        [sentence] = json.loads(cards)["shop.py::fee"]["say"]
        told = json.dumps({"shop.py::fee": {sentence: "result == total // 10"}}).encode()
        subprocess.run([*read, "--answer", "-"], cwd=tmp_path, input=told, capture_output=True, check=False)
        file_event = FileEvent(editor.uri("shop.readings.toml"), FileChangeType.Created)
        editor.client.workspace_did_change_watched_files(DidChangeWatchedFilesParams([file_event]))
        await editor.until(lambda: editor.steps.count("end") == 2)
        [accepting] = [each for each in await editor.actions("shop.py", 1) if "Accept" in each.title]
        assert accepting.command is not None
        await editor.run(accepting.command)
        await editor.diagnostics("shop.py", lambda now: not now)

    run(tmp_path, day, by="An Editor")
    assert 'by = "An Editor"' in (tmp_path / "shop.readings.toml").read_text()


def test_a_process_that_dies_is_told_and_the_next_one_answers(tmp_path: Path) -> None:
    async def day(editor: Editor) -> None:
        def kill() -> None:
            for worker in filter(is_worker, descendants(editor.process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)

        editor.on_step = kill
        editor.open("spin.py", ENDLESS)
        [found] = await editor.diagnostics("spin.py", lambda now: now)
        assert found.severity is DiagnosticSeverity.Warning
        assert found.code == "verifier.fault"
        assert found.message.startswith("The process that verifies ended without an answer.")
        editor.on_step = lambda: None
        editor.change("spin.py", WRONG)
        editor.save("spin.py")
        await editor.diagnostics("spin.py", errors)

    run(tmp_path, day)


def is_worker(number: int) -> bool:
    """Tell whether a process is the one that verifies."""
    try:
        return b"probatum.app.editor_worker" in Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False


def test_the_server_answers_while_it_verifies_and_leaves_nothing_behind(tmp_path: Path) -> None:
    below: list[int] = []

    async def day(editor: Editor) -> None:
        editor.open("spin.py", ENDLESS)
        await editor.until(lambda: "report" in editor.steps)
        assert await editor.actions("spin.py", 0) == []
        below.extend(descendants(editor.process.pid))

    run(tmp_path, day)
    assert below
    assert all_end(below)


def test_files_of_elsewhere_and_those_that_are_too_large_are_not_verified(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()

    async def day(editor: Editor) -> None:
        editor.open("../other.py", WRONG)
        await editor.until(lambda: any("other.py" in each for each in editor.messages))
        editor.open("large.py", "#" * MAX_SOURCE_BYTES + "\n")
        [found] = await editor.diagnostics("large.py", lambda now: now)
        assert found.code == "program.too_large"
        assert not descendants(editor.process.pid)

    run(work, day)


def test_one_function_is_verified_by_itself(tmp_path: Path) -> None:
    async def day(editor: Editor) -> None:
        editor.open("shop.py", WRONG + "\n\n" + WEAK)
        found = await editor.diagnostics("shop.py", errors)
        [verify] = [each for each in await editor.actions("shop.py", 0) if each.title == "Verify double"]
        assert verify.command is not None
        [told] = await editor.run(verify.command)
        assert (told["name"], told["outcome"]) == ("double", "refuted")
        again = await editor.diagnostics("shop.py", errors)
        assert sorted(map(repr, again)) == sorted(map(repr, found))

    run(tmp_path, day)


def test_without_its_package_the_command_names_what_to_install() -> None:
    code = "import sys; sys.modules['pygls'] = None; from probatum.__main__ import main; sys.exit(main(['server']))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 4
    assert "server.not_installed" in ended.stderr
    assert "pip install 'probatum[editor]'" in ended.stderr
