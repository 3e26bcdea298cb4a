"""The command line as a whole: its commands, and how their errors become one line, a hint and an exit code.

Every kind of subject brings one command that judges, and may bring tools; the others work for all kinds. Refuses to
print a traceback or to exit by itself: `run` returns the exit code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

import typer

from probatum.app.bench_port import BenchRunner
from probatum.app.editor_port import EditorRunner
from probatum.app.kinds import AnyKind, every_kind, kind_of_command
from probatum.app.mcp_port import McpRunner
from probatum.app.service_port import ServiceRunner
from probatum.app.settings import read_settings
from probatum.cli.declared import bare_values, joined_values, with_declared
from probatum.cli.output import note
from probatum.core.command import Command, Option, merged
from probatum.core.errors import UsageError, nearest

END_OF_OPTIONS = "--"
BASELINE = "baseline"
"""The command that a kind brings whose subjects are files that people edit."""
_KNOWN = "Note what is known, so that only what is new fails."


@dataclass(frozen=True, slots=True)
class _Shared:
    """A command that works for every kind; most of a short run would be spent on loading the others."""

    name: str
    module: str
    defined: str
    question: str
    declared: tuple[str, ...] = ()
    """Under which names the kinds declare options that they add to it."""

    def options(self, commands: Sequence[Command]) -> tuple[Option, ...]:
        return merged(getattr(each, name) for name in self.declared for each in commands)


_SHARED = (
    _Shared("batch", "batch_command", "batch", "Answer many requests; resumable.", ("batch",)),
    _Shared("gate", "gate_command", "gate", "May this verdict be acted on?", ("demands", "replay")),
    _Shared("proof", "proof_command", "proof_commands", "Look at a proof, check it again, hand it on.", ("replay",)),
    _Shared("key", "key_command", "key_commands", "Keys that verdicts are signed with."),
    _Shared("ledger", "ledger_command", "ledger_commands", "The append-only log of verdicts."),
    _Shared("bench", "bench_command", "bench_command", "Measure on labelled programs."),
    _Shared("serve", "serve_command", "serve_command", "Answer every kind of question over HTTP."),
    _Shared("mcp", "mcp_command", "mcp_command", "Serve tools to an agent, over MCP.", ("agents",)),
    _Shared("server", "server_command", "server_command", "Show verdicts in an editor.", ("batch",)),
    _Shared("stop-hook", "stop_hook_command", "stop_hook", "What an agent should know before it stops."),
    _Shared("demo", "demo_command", "demo", "Write example programs to try probatum on."),
    _Shared("explain", "explain_command", "explain", "What does a code mean, and what to do?"),
    _Shared("doctor", "doctor_command", "doctor", "What can this machine do?"),
    _Shared("init", "init_command", "init", "Set up a repository for coding agents."),
    _Shared("config", "config_command", "config", "What counts here, and where each value comes from."),
    _Shared("completion", "completion_command", "completion", "Complete commands and options in a shell."),
)
_INTERRUPTED = 130
"""What the option parser makes of Ctrl-C; the caller hears of it as the interruption that it is."""
_PARSER_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""Every complaint of the option parser; typer exports only its subclass."""


def build(runners: Mapping[str, object], kinds: Sequence[AnyKind], wanted: str = "") -> typer.Typer:
    """Return the command line with the commands of these kinds; ``runners`` are what some commands run, by name.

    Where ``wanted`` is a command, the others are left out.
    """
    application = typer.Typer(
        name="probatum",
        help="Decide whether something that an AI produced may be acted on, and leave a proof.",
        epilog="Run 'probatum COMMAND --help' for one command.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    application.callback()(_entry)
    commands = [kind.command for kind in kinds]
    known = _known(kinds)
    for kind in kinds:
        if kind.command.name == wanted or wanted not in known:
            application.command(kind.command.name, short_help=kind.command.question)(_command_of(kind))
        if kind.files is not None and (wanted == BASELINE or wanted not in known):
            from probatum.cli.files_command import baseline_command

            application.command(BASELINE, short_help=_KNOWN)(baseline_command(kind))
        for tool in kind.tools:
            if tool.command.name == wanted or wanted not in known:
                from probatum.cli.tool_command import tool_command

                application.command(tool.command.name, short_help=tool.command.question)(tool_command(tool, kind))
    for shared in _SHARED:
        if shared.name == wanted or wanted not in known:
            _add(application, shared, commands, runners)
    return application


def _command_of(kind: AnyKind) -> Callable[..., int]:
    if kind.files is not None:
        from probatum.cli.files_command import files_command

        return files_command(kind)
    from probatum.cli.kind_command import kind_command

    return kind_command(kind)


def _add(application: typer.Typer, shared: _Shared, commands: Sequence[Command], runners: Mapping[str, object]) -> None:
    found = getattr(import_module(f"probatum.cli.{shared.module}"), shared.defined)
    options = shared.options(commands)
    if shared.defined.endswith("_commands"):
        group = found(options) if shared.declared else found()
        application.add_typer(group, name=shared.name, short_help=shared.question)
        return
    command = found(runners[shared.name]) if shared.name in runners else found
    if shared.declared:
        command = with_declared(command, options)
    application.command(shared.name, short_help=shared.question)(command)


def run(
    arguments: Sequence[str],
    run_bench: BenchRunner,
    run_service: ServiceRunner,
    run_mcp: McpRunner,
    run_editor: EditorRunner,
) -> int:
    """Run one command line and return its exit code.

    Raises UsageError for what is not a command line of probatum, whatever named error the command ended with, and
    KeyboardInterrupt where it was interrupted.
    """
    kinds = _kinds_for(arguments)
    words = with_optional_values(arguments, bare_values(_options(kinds)), joined_values(_options(kinds)))
    runners = {"bench": run_bench, "serve": run_service, "mcp": run_mcp, "server": run_editor}
    command = typer.main.get_command(build(runners, kinds, *words[:1]))
    if read_settings().completes:
        from typer.completion import completion_init  # type: ignore[attr-defined]  # public, and not marked so

        # It prints what may follow, and exits.
        completion_init()
        command.main(args=[], prog_name="probatum", standalone_mode=False)
    if not words:
        command.main(args=["--help"], prog_name="probatum", standalone_mode=False)
        return UsageError.exit_code
    _require_once(command, words)
    try:
        outcome = command.main(args=words, prog_name="probatum", standalone_mode=False)
    except _PARSER_ERROR as error:
        raise UsageError("command.usage", _complaint(error), _help_for(words, kinds)) from error
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    if outcome == _INTERRUPTED:
        raise KeyboardInterrupt
    return outcome if isinstance(outcome, int) else 0


def _require_once(command: object, words: Sequence[str]) -> None:
    # The parser takes the last of several, and what was asked for first would be dropped without a word.
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
    for parameter in getattr(command, "params", ()):
        for name in () if parameter.multiple or getattr(parameter, "is_flag", True) else parameter.opts:
            if sum(word.partition("=")[0] == name for word in words) > 1:
                raise UsageError("option.twice", f"{name} was given twice.", "Give it once: it takes one value.")


def _entry(
    version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True),
) -> None:
    """Decide whether something that an AI produced may be acted on, and leave a proof."""
    if version:
        raise typer.Exit


def _complaint(error: Exception) -> str:
    context, hint = getattr(error, "ctx", None), ""
    if context is not None and getattr(error, "possibilities", None):
        # What the parser itself takes for similar is often far away.
        known = [word for each in context.command.params for word in each.opts]
        hint = nearest(getattr(error, "option_name", ""), known)
        error.possibilities = None  # type: ignore[attr-defined]  # it has the attribute
    format_message = getattr(error, "format_message", None)
    told = str(format_message() if callable(format_message) else error).strip()
    return f"{told.rstrip('.')}. {hint}" if hint else told


def _kinds_for(arguments: Sequence[str]) -> list[AnyKind]:
    """Return the kinds that a command line may be about; no other is loaded."""
    wanted = arguments[0] if arguments else ""
    if any(each.name == wanted and not each.declared for each in _SHARED):
        return []
    if kind := kind_of_command(wanted):
        return [kind]
    found: list[AnyKind] = []
    for kind in every_kind(lambda error: note(f"warning: {error.sentence}")):
        if twice := [name for name in _names(kind) if name in _known(found)]:
            note(f"warning: The kind {kind.name!r} is left out: there is a command {twice[0]!r} already.")
        else:
            found.append(kind)
    return found


def _options(kinds: Sequence[AnyKind]) -> Iterator[Option]:
    for kind in kinds:
        yield from kind.command.options
        for tool in kind.tools:
            yield from tool.command.options


def _names(kind: AnyKind) -> list[str]:
    own = [kind.command.name] if kind.files is None else [kind.command.name, BASELINE]
    return [*own, *(tool.command.name for tool in kind.tools)]


def _known(kinds: Sequence[AnyKind]) -> set[str]:
    """Return the names of all commands, with those of these kinds."""
    return {shared.name for shared in _SHARED}.union(*map(_names, kinds))


def _help_for(words: Sequence[str], kinds: Sequence[AnyKind]) -> str:
    known = _known(kinds)
    named = [word for word in words[:1] if word in known]
    return f"Run '{' '.join(['probatum', *named, '--help'])}'."


def with_optional_values(
    arguments: Sequence[str], defaults: Mapping[str, str], joined: Mapping[str, str] | None = None
) -> list[str]:
    """Return the arguments with ``--option`` written as ``--option=VALUE`` for every option that has a default.

    The option parser cannot say that: ``--save-tests`` alone means the default folder. A following word that is an
    option, names a Python file or is ``-`` is never the value, so that the file under test is not taken for a folder.
    Of ``joined`` options it never is.
    """
    given = list(arguments)
    written: list[str] = []
    while given:
        word = given.pop(0)
        if word == END_OF_OPTIONS:
            return [*written, word, *given]
        if joined and word in joined:
            word = f"{word}={joined[word]}"
        elif word in defaults:
            takes_next = bool(given) and not (given[0].startswith("-") or given[0].endswith(".py") or "::" in given[0])
            word = f"{word}={given.pop(0) if takes_next else defaults[word]}"
        written.append(word)
    return written
