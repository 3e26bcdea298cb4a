"""What a coding agent needs in a repository, as data: a paragraph, entries of an MCP server, stop hooks.

Here is what becomes of the text of one such file. Refuses, as `EditError`, to change what somebody else wrote.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.app.json_edits import JsonEntry, JsonText
from probatum.app.text_edits import EditError, with_block, without_block

Launch = tuple[str, ...]
"""The words that start probatum."""
INSTALLED: Final = ("probatum",)
_ANY: Final = "ANY"
PARAGRAPH: Final = """\
<!-- probatum: begin -->
## Check Python functions with probatum

After you change Python functions, before you say that you are done:

1. Call the MCP tool `ask` with the changed paths (on the command line: `probatum read PATHS --ask`).
2. Answer by card and sentence id with the tool `answer` (`probatum read --answer FILE`).
   It tries the readings and gives the verdicts.
3. refuted: mend the code, or the documentation if it is wrong, and say so.
   Then `verify` (`probatum verify PATH --readings-policy proposed`). Never weaken a docstring to get a pass.
4. undecided: 'do' says what is missing.
5. Accepting readings is for a person: `probatum read PATH --accept --all --by NAME`.
<!-- probatum: end -->"""


def _server(launch: Launch) -> dict[str, object]:
    return {"command": launch[0], "args": [*launch[1:], "mcp"]}


def _typed_server(launch: Launch) -> dict[str, object]:
    return {"type": "stdio", **_server(launch)}


def _hook(launch: Launch) -> dict[str, object]:
    return {"command": shlex.join([*launch, "stop-hook"])}


def _hook_group(launch: Launch) -> dict[str, object]:
    return {"hooks": [{"type": "command", **_hook(launch)}]}


@dataclass(frozen=True, slots=True)
class AgentFile:
    """A file for agents, and what goes into it: a client's entry, without keys a table of TOML, else the paragraph."""

    path: str
    client: str = ""
    value: Callable[[Launch], Mapping[str, object]] = _server
    keys: tuple[str, ...] = ()
    is_hook: bool = False
    comments: bool = False
    """Whether the client reads comments in it."""
    also: tuple[tuple[str, object], ...] = ()
    """What the file has to hold besides, and holds where it is made."""

    def edited(self, text: str | None, launch: Launch, *, remove: bool) -> str | None:
        """Return the text with what starts probatum so, or the one that is there without it; None for no file."""
        if self.keys:
            return self._edited_json(text, launch, remove=remove)
        shared = self.to_paste(INSTALLED)
        block = shared if text and shared in text.replace("\r\n", "\n") else self.to_paste(launch)
        changed = with_block(text, block)
        if self.client:
            try:
                tomllib.loads(changed.removeprefix("\ufeff"))
            except tomllib.TOMLDecodeError as error:
                raise EditError(f"it is not valid TOML with the entry: {error}") from None
        return without_block(text, block) if text and remove else changed

    def to_paste(self, launch: Launch) -> str:
        """Return what somebody can put there by hand."""
        if self.keys:
            return self._entry(self.value(launch)).new_file.rstrip()
        lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in self.value(launch).items()]
        table = ("# probatum: begin", "[mcp_servers.probatum]", *lines, "# probatum: end")
        return "\n".join(table) if self.client else PARAGRAPH

    def _entry(self, value: object) -> JsonEntry:
        return JsonEntry(self.keys, value, self.is_hook, self.also)

    def _edited_json(self, text: str | None, launch: Launch, *, remove: bool) -> str | None:
        entry = self._entry(self.value(launch))
        if text is None:
            return entry.new_file
        document = JsonText(text, comments=self.comments)
        found = document.found(entry)
        if found is not None and not self._is_ours(found):
            raise EditError("it has another entry for probatum")
        bare = text if found is None else document.without_entry(entry)
        if remove:
            return None if found is not None and text == self._entry(found).new_file else bare
        if found in (entry.value, self.value(INSTALLED)):
            return text
        if any(document.value.get(key) != value for key, value in self.also):
            raise EditError(f"it does not say {json.dumps(dict(self.also))[1:-1]}")
        return JsonText(bare, comments=self.comments).with_entry(entry)

    def _is_ours(self, value: object) -> bool:
        """Return whether an entry of this value starts probatum, with whatever Python, and does nothing else."""
        ours = re.escape(json.dumps(self.value((_ANY, "-m", "probatum")), sort_keys=True))
        found = re.fullmatch(ours.replace(_ANY, r'(?:[^"\\]|\\.)+'), json.dumps(value, sort_keys=True))
        return value == self.value(INSTALLED) or found is not None


TEXT_FILES: Final = tuple(map(AgentFile, ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md")))
_SERVERS: Final = ("mcpServers", "probatum")
_RUN: Final = "probatum stop-hook"
CLIENT_FILES: Final = (
    AgentFile(".mcp.json", "claude", _server, _SERVERS),
    AgentFile(".claude/settings.json", "claude", _hook_group, ("hooks", "Stop", _RUN), is_hook=True),
    AgentFile(".cursor/mcp.json", "cursor", _server, _SERVERS),
    AgentFile(".cursor/hooks.json", "cursor", _hook, ("hooks", "stop", _RUN), is_hook=True, also=(("version", 1),)),
    AgentFile(".vscode/mcp.json", "vscode", _typed_server, ("servers", "probatum"), comments=True),
    AgentFile(".gemini/settings.json", "gemini", _server, _SERVERS, comments=True),
    AgentFile(".codex/config.toml", "codex"),
)
"""Where clients look for what belongs to a project, as their documentation says."""
SIGNS: Final = {
    "claude": (".mcp.json", ".claude", "CLAUDE.md"),
    "cursor": (".cursor", ".cursorrules"),
    "vscode": (".vscode", ".github/copilot-instructions.md"),
    "gemini": (".gemini", "GEMINI.md"),
    "codex": (".codex",),
}
"""The clients, and what a repository has in which they are used."""
