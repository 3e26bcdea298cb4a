"""What a coding agent needs in a repository, as data: a paragraph, entries of an MCP server, stop hooks; and the plan.

`planned` is a pure function of the files that are there. Refuses to change what somebody else wrote: a file that cannot
be edited is refused by name, with what to paste, and the others go on.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.app.json_edits import JsonEntry, JsonText, Keys
from probatum.app.text_edits import EditError, MarkedBlock, with_block, without_block

Launch = tuple[str, ...]
"""The words that start probatum."""
INSTALLED: Final = ("probatum",)
_MODULE: Final = ("-m", "probatum")
_ANY: Final = "ANY"
_ANOTHER: Final = "it has another entry for probatum"

_PARAGRAPH: Final = """\
## Check Python functions with probatum

After you change Python functions, before you say that you are done:

1. Call the MCP tool `ask` with the changed paths, or run `probatum read PATHS --ask`.
2. Answer by sentence id with the tool `answer`, or run `probatum read PATHS --answer FILE`.
   It tries the readings and gives the verdicts, with a counterexample.
3. REFUTED: mend the code. If the documentation is wrong, mend that and say so.
4. Never weaken a docstring to get a pass.
5. UNDECIDED: say what is listed as open.
6. Accepting readings is for a person: `probatum read PATH --accept --all --by NAME`."""
_RULE_HEAD: Final = "---\ndescription: Check changed Python functions with probatum\nalwaysApply: true\n---\n\n"
PARAGRAPH: Final = MarkedBlock("<!-- probatum: begin -->", _PARAGRAPH, "<!-- probatum: end -->")
_RULE: Final = MarkedBlock(PARAGRAPH.begin, PARAGRAPH.lines, PARAGRAPH.end, _RULE_HEAD)

FIRST_CHOICE: Final = "AGENTS.md"
AGENT_FILES: Final = (FIRST_CHOICE, "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md")
RULES_FOLDER: Final = ".cursor/rules"
RULE_FILE: Final = f"{RULES_FOLDER}/probatum.mdc"
_IMPORTS_FIRST_CHOICE: Final = re.compile(rf"(?:^|\s)@(?:\./)?{re.escape(FIRST_CHOICE)}\b")


def _server(launch: Launch) -> object:
    return {"command": launch[0], "args": [*launch[1:], "mcp"]}


def _typed_server(launch: Launch) -> object:
    return {"type": "stdio", "command": launch[0], "args": [*launch[1:], "mcp"]}


def _hook(launch: Launch) -> object:
    return {"command": shlex.join([*launch, "stop-hook"])}


def _hook_group(launch: Launch) -> object:
    return {"hooks": [{"type": "command", "command": shlex.join([*launch, "stop-hook"])}]}


@dataclass(frozen=True, slots=True)
class ClientFile:
    """A file of a client, and the entry that goes into it; without keys it is a block of TOML."""

    path: str
    keys: Keys
    value: Callable[[Launch], object]
    comments: bool = False
    """Whether the client reads comments in it."""
    is_hook: bool = False
    beside: tuple[tuple[str, object], ...] = ()
    """What the file has to hold besides, and holds where it is made."""

    def entry(self, launch: Launch) -> JsonEntry:
        """Return the entry that starts probatum with these words."""
        return self.holding(self.value(launch))

    def holding(self, value: object) -> JsonEntry:
        """Return the entry with this value."""
        return JsonEntry(self.keys, value, self.beside)

    def is_ours(self, value: object) -> bool:
        """Return whether an entry of this value starts probatum with whatever Python, and does nothing else."""
        found = json.dumps(value, sort_keys=True)
        known = (json.dumps(self.value(each), sort_keys=True) for each in (INSTALLED, (_ANY, *_MODULE)))
        return any(re.fullmatch(re.escape(each).replace(_ANY, r'(?:[^"\\]|\\.)+'), found) for each in known)


@dataclass(frozen=True, slots=True)
class AgentClient:
    """A client: its name, what a repository has in which it is used, its files."""

    name: str
    signs: tuple[str, ...]
    files: tuple[ClientFile, ...]


_SERVERS: Final = ("mcpServers", "probatum")
CLIENTS: Final = (
    AgentClient(
        "claude",
        (".mcp.json", ".claude", "CLAUDE.md"),
        (
            ClientFile(".mcp.json", _SERVERS, _server),
            ClientFile(".claude/settings.json", ("hooks", "Stop", 0), _hook_group, is_hook=True),
        ),
    ),
    AgentClient(
        "cursor",
        (".cursor", ".cursorrules"),
        (
            ClientFile(".cursor/mcp.json", _SERVERS, _server),
            ClientFile(".cursor/hooks.json", ("hooks", "stop", 0), _hook, is_hook=True, beside=(("version", 1),)),
        ),
    ),
    AgentClient(
        "vscode",
        (".vscode", ".github/copilot-instructions.md"),
        (ClientFile(".vscode/mcp.json", ("servers", "probatum"), _typed_server, comments=True),),
    ),
    AgentClient(
        "gemini",
        (".gemini", "GEMINI.md"),
        (ClientFile(".gemini/settings.json", _SERVERS, _server, comments=True),),
    ),
    AgentClient("codex", (".codex",), (ClientFile(".codex/config.toml", (), _server),)),
)
"""Where clients look for what belongs to a project, as their documentation says."""
NAMES: Final = (
    *AGENT_FILES,
    RULE_FILE,
    *(file.path for client in CLIENTS for file in client.files),
)
"""Every file that can be written."""


@dataclass(frozen=True, slots=True)
class FileThere:
    """What stands at one place of a repository."""

    path: str
    """Where it is, behind links."""
    content: bytes | None = None
    refusal: str = ""
    """Why it cannot be edited."""
    is_alone: bool = False
    """Whether it would be the first file in a folder that is there."""


@dataclass(frozen=True, slots=True)
class RepositoryView:
    """The files that matter, by name, and the names that are there, folders too."""

    files: Mapping[str, FileThere]
    there: frozenset[str]


@dataclass(frozen=True, slots=True)
class SetupWish:
    """What was asked for; without clients those that the repository shows signs of."""

    launch: Launch
    clients: tuple[str, ...] = ()
    hooks: bool = True
    remove: bool = False


@dataclass(frozen=True, slots=True)
class FileEdit:
    """What is done with one file: new, changed, deleted, unchanged or refused."""

    path: str
    before: bytes | None
    after: bytes | None
    refusal: str = ""
    paste: str = ""
    """What somebody can put there by hand."""

    @property
    def action(self) -> str:
        """One word for it."""
        if self.refusal or self.before == self.after:
            return "refused" if self.refusal else "unchanged"
        return "new" if self.before is None else "deleted" if self.after is None else "changed"

    @property
    def changes(self) -> bool:
        """Whether something is to be written."""
        return self.action in {"new", "changed", "deleted"}


def planned(view: RepositoryView, wish: SetupWish) -> tuple[FileEdit, ...]:
    """Return what is to be done, one edit a file that is there or is to be made."""
    edits: dict[str, FileEdit] = {}
    for name, file in _wanted(view, wish):
        there = view.files[name]
        edit = _planned_text(there, name, wish) if file is None else _planned_entry(there, file, wish)
        edits.setdefault(there.path, edit)
    return tuple(each for each in edits.values() if each.action != "unchanged" or not wish.remove)


def _wanted(view: RepositoryView, wish: SetupWish) -> Iterator[tuple[str, ClientFile | None]]:
    for name in _agent_files(view, remove=wish.remove):
        yield name, None
    shown = {client.name for client in CLIENTS if view.there.intersection(client.signs)} or {CLIENTS[0].name}
    chosen = set(wish.clients) or ({client.name for client in CLIENTS} if wish.remove else shown)
    for client in CLIENTS:
        for file in client.files if client.name in chosen else ():
            has_place = wish.remove or wish.clients or file.path.partition("/")[0] in view.there
            if not file.is_hook or (wish.hooks and has_place):
                yield file.path, file


def _agent_files(view: RepositoryView, *, remove: bool) -> Collection[str]:
    if remove:
        return (*AGENT_FILES, RULE_FILE)
    # What imports the first choice says the paragraph with it.
    named: list[str] = [
        FIRST_CHOICE
        if _IMPORTS_FIRST_CHOICE.search((view.files[name].content or b"").decode(errors="replace"))
        else name
        for name in AGENT_FILES
        if name in view.there
    ]
    if RULES_FOLDER in view.there and FIRST_CHOICE not in named:
        named.append(RULE_FILE)
    return dict.fromkeys(named or [FIRST_CHOICE])


def _planned_text(there: FileThere, name: str, wish: SetupWish) -> FileEdit:
    block = _RULE if name == RULE_FILE else PARAGRAPH
    return _planned(there, wish, block.text, lambda text: _edited_block(text, block, wish))


def _planned_entry(there: FileThere, file: ClientFile, wish: SetupWish) -> FileEdit:
    if not file.keys:
        block = _toml_block(wish.launch)
        return _planned(there, wish, block.text, lambda text: _edited_toml(text, block, wish))
    paste = file.entry(wish.launch).new_file.rstrip()
    return _planned(there, wish, paste, lambda text: _edited_json(text, file, wish))


def _planned(there: FileThere, wish: SetupWish, paste: str, edited: Callable[[str | None], str | None]) -> FileEdit:
    before, after, refusal = there.content, there.content, there.refusal
    if wish.remove and before is not None and b"probatum" not in before:
        return FileEdit(there.path, before, before)
    if before is not None or not refusal:
        try:
            text = edited(None if before is None else before.decode())
            # Without a last line break it says that the folder was there, and is not removed with the file.
            text = text.rstrip("\n") if before is None and text and there.is_alone else text
            after = None if text is None else text.encode()
        except UnicodeDecodeError:
            refusal = "it is not UTF-8"
        except EditError as error:
            refusal = str(error)
        refusal = "" if refusal == there.refusal and after == before else refusal
    return FileEdit(there.path, before, after, refusal, "" if wish.remove else paste)


def _edited_block(text: str | None, block: MarkedBlock, wish: SetupWish) -> str | None:
    if wish.remove:
        return None if text is None else without_block(text, block)
    if text is None:
        return f"{block.head}{block.text}\n"
    return with_block(text, block)


def _toml_block(launch: Launch) -> MarkedBlock:
    command, arguments = (json.dumps(each, ensure_ascii=False) for each in (launch[0], [*launch[1:], "mcp"]))
    lines = f"[mcp_servers.probatum]\ncommand = {command}\nargs = {arguments}"
    return MarkedBlock("# probatum: begin", lines, "# probatum: end")


def _edited_toml(text: str | None, block: MarkedBlock, wish: SetupWish) -> str | None:
    if not wish.remove and _toml_block(INSTALLED).text in (text or "").replace("\r\n", "\n"):
        return text
    bare = None if text is None else without_block(text, block)
    if "probatum" in _servers_of(bare, "it is not valid TOML"):
        raise EditError(_ANOTHER)
    changed = bare if wish.remove else _edited_block(text, block, wish)
    _servers_of(changed, "it has other entries that this one does not go with")
    return changed


def _servers_of(text: str | None, otherwise: str) -> Collection[str]:
    try:
        servers = tomllib.loads((text or "").removeprefix("\ufeff")).get("mcp_servers")
    except tomllib.TOMLDecodeError as error:
        raise EditError(f"{otherwise}: {error}") from None
    return servers if isinstance(servers, dict) else ()


def _edited_json(text: str | None, file: ClientFile, wish: SetupWish) -> str | None:
    entry = file.entry(wish.launch)
    if text is None:
        return None if wish.remove else entry.new_file
    document = JsonText(text, comments=file.comments)
    found = _found(document, file.keys)
    if found is not None and not file.is_ours(found):
        raise EditError(_ANOTHER)
    if wish.remove or found in (entry.value, file.value(INSTALLED)):
        return document.without_entry(file.holding(found)) if wish.remove and found is not None else text
    if any(document.value.get(key) != value for key, value in file.beside):
        raise EditError(f"it does not say {json.dumps(dict(file.beside))[1:-1]}")
    bare = text if found is None else document.without_entry(file.holding(found))
    if bare is None:
        return entry.new_file.rstrip() + text[len(text.rstrip()) :]
    return JsonText(bare, comments=file.comments).with_entry(entry)


def _found(document: JsonText, keys: Keys) -> object:
    """Return the entry for probatum, whoever wrote it: the one of this name, or what runs the hook in a list."""
    beside = document.beside(keys)
    if isinstance(beside, dict):
        return beside.get(str(keys[-1]))
    return next((each for each in beside if "probatum stop-hook" in json.dumps(each)), None)
