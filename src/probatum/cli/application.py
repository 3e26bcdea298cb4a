"""The command line as a whole: its commands, and how their errors become one line, a hint and an exit code.

Refuses to print a traceback or to exit by itself: `run` returns the exit code.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import typer

from probatum.app.bench_port import BenchRunner
from probatum.app.saved_tests import DEFAULT_FOLDER
from probatum.cli.arguments import with_optional_values
from probatum.core.errors import UsageError

_COMMANDS = {
    "verify": ("verify_command", "verify", "Do the functions of a Python file do what they should?"),
    "check": ("check_command", "check", "Does an output satisfy its contract?"),
    "batch": ("batch_command", "batch", "Answer many requests; resumable."),
    "gate": ("gate_command", "gate", "May this verdict be acted on?"),
    "proof": ("proof_command", "proof_commands", "Look at a proof, check it again, hand it on."),
    "key": ("key_command", "key_commands", "Keys that verdicts are signed with."),
    "ledger": ("ledger_command", "ledger_commands", "The append-only log of verdicts."),
    "bench": ("bench_command", "bench_command", "Measure on labelled programs."),
    "doctor": ("doctor_command", "doctor", "What can this machine do?"),
}
"""The commands in the order of the help: module and name of what defines them, and what they are for."""
_OPTIONAL_VALUES = {"--save-tests": DEFAULT_FOLDER}
_INTERRUPTED = 130
"""What the option parser makes of Ctrl-C; the caller shall hear of it as the interruption that it is."""
_PARSER_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""Every complaint of the option parser; typer exports only its subclass."""


def build(run_bench: BenchRunner, wanted: str = "") -> typer.Typer:
    """Return the command line, with this runner behind ``bench``; only the command that is wanted where there is one.

    Each command brings much that the others do not need, and most of a short run would be spent on loading it.
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
    for name in (wanted,) if wanted in _COMMANDS else _COMMANDS:
        module, attribute, words = _COMMANDS[name]
        found = getattr(import_module(f"probatum.cli.{module}"), attribute)
        if attribute.endswith("_commands"):
            application.add_typer(found(), name=name, short_help=words)
        else:
            application.command(name, short_help=words)(found(run_bench) if name == "bench" else found)
    return application


def run(arguments: Sequence[str], run_bench: BenchRunner) -> int:
    """Run one command line and return its exit code.

    Raises:
        UsageError: the arguments are not a command line of probatum.
        ProbatumError: whatever named error the command ended with.
        KeyboardInterrupt: the command was interrupted.
    """
    words = with_optional_values(arguments, _OPTIONAL_VALUES)
    command = typer.main.get_command(build(run_bench, *words[:1]))
    if not words:
        command.main(args=["--help"], prog_name="probatum", standalone_mode=False)
        return UsageError.exit_code
    try:
        outcome = command.main(args=words, prog_name="probatum", standalone_mode=False)
    except _PARSER_ERROR as error:
        raise UsageError("command.usage", _complaint(error), _help_for(words)) from error
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    if outcome == _INTERRUPTED:
        raise KeyboardInterrupt
    return outcome if isinstance(outcome, int) else 0


def _entry(
    version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True),
) -> None:
    """Decide whether something that an AI produced may be acted on, and leave a proof."""
    if version:
        raise typer.Exit


def _complaint(error: Exception) -> str:
    format_message = getattr(error, "format_message", None)
    return str(format_message() if callable(format_message) else error).strip()


def _help_for(words: Sequence[str]) -> str:
    named = [word for word in words[:1] if word in _COMMANDS]
    return f"Run '{' '.join(['probatum', *named, '--help'])}'."
