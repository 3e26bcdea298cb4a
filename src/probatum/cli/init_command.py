"""`probatum init`: writes what coding agents need in a repository, after showing it, and takes it back.

Refuses to write what nobody confirmed: on a terminal it asks, elsewhere it needs ``--yes``.
"""

from __future__ import annotations

import difflib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from probatum.cli.options import JsonOption, path_of
from probatum.cli.output import Mode, Output, note, tell
from probatum.core.errors import UsageError, nearest
from probatum.core.messages import counted
from probatum.core.outside import lines_of, shell_command, visible
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.core.subject import shown_path

if TYPE_CHECKING:
    from probatum.app.agent_setup import FileEdit


def init(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="The repository. Default: here.", show_default=False)
    ] = ".",
    client: Annotated[
        list[str] | None,
        typer.Option(
            "--client",
            metavar="NAME",
            help="claude, cursor, vscode, gemini or codex; may be repeated. Default: those that the repository shows"
            " signs of, else claude.",
            show_default=False,
        ),
    ] = None,
    no_hook: Annotated[bool, typer.Option("--no-hook", help="Leave the stop hook out.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take back what was written, and nothing else.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: JsonOption = False,
) -> int:
    """Set up a repository for coding agents: a paragraph for them, the MCP server, a stop hook.

    Every change is shown first. On a terminal it asks; elsewhere nothing is written without --yes. What somebody else
    wrote is never changed: a file that cannot be edited is refused, with what to paste.

    Exit codes: 0 written, shown, or nothing to do, 2 no such folder or client, 4 a file could not be written.
    """
    from probatum.app import agent_files, agent_setup

    known = list(agent_files.SIGNS)
    for name in client or ():
        if name not in known:
            hint = nearest(name, known) or f"Clients: {', '.join(known)}."
            raise UsageError("init.no_client", f"There is no client {name!r}.", hint)
    launch = agent_setup.launch()
    edits = agent_setup.planned(path_of(folder), launch, client or (), hooks=not no_hook, remove=remove)
    changes = [each for each in edits if each.changes]
    warning = ""
    if launch != agent_files.INSTALLED and not remove and changes:
        warning = "probatum is not on your PATH: these files name this Python, so they are for this machine alone."
        note(f"warning: {warning}")
    screen = Output(Mode.of(as_json=json))
    for each in changes:
        screen.text(_difference(each))
    again = ""
    if changes and (yes or (not json and _is_confirmed())):
        edits = agent_setup.written(path_of(folder), edits)
    elif changes:
        options = [*(word for name in client or () for word in ("--client", name)), *["--no-hook"] * no_hook]
        words = [*[folder] * (folder != "."), *options, *["--remove"] * remove, "--yes"]
        again = shell_command(["probatum", "init", *words])
    done = 0 if again else sum(each.changes for each in edits)
    document = {"folder": folder, "written": bool(done), "files": [_file(each) for each in edits]}
    tell(document | ({"warning": warning} if warning else {}), _page(folder, edits, done, again), as_json=json)
    return 4 if any(each.refusal for each in edits) else 0


def _is_confirmed() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and typer.confirm("Write this?", err=True)


def _file(edit: FileEdit) -> dict[str, object]:
    told = {"reason": edit.refusal, "paste": edit.paste} if edit.refusal else {}
    text = None if edit.after is None or edit.refusal else edit.after.decode()
    return {"path": edit.path, "action": edit.action, "text": text, **told}


def _page(folder: str, edits: tuple[FileEdit, ...], done: int, again: str) -> Page:
    refused = any(each.refusal for each in edits)
    entries = tuple(
        Entry(
            Mark.FAILS if each.refusal else Mark.NOTE,
            f"{each.action:<9}  {shown_path(each.path)}" + (f": {each.refusal}" if each.refusal else ""),
            detail=("To paste:", *each.paste.split("\n")) if each.refusal and each.paste else (),
        )
        for each in edits
    )
    word, told = ("NOT WRITTEN", "Nothing could be written.") if refused else ("UNCHANGED", "Nothing to do.")
    if done or again:
        word, told = ("WRITTEN", f"{counted(done, 'file')}.") if done else ("SHOWN", "Nothing was written.")
    sections = (Section("Files", entries),) if entries else ()
    return Page(word, Mark.NOTE, shown_path(folder), (told,), sections, (("Write", again),) if again else ())


def _difference(edit: FileEdit) -> str:
    before, after = (lines_of((content or b"").decode()) for content in (edit.before, edit.after))
    old, new = ("/dev/null" if side is None else edit.path for side in (edit.before, edit.after))
    lines = difflib.unified_diff(before, after, old, new, lineterm="")
    return "".join(f"{visible(line.removesuffix(chr(13)))}\n" for line in lines) + "\n"
