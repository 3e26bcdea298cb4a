"""The command line as a whole: its commands, and how their errors become one line, a hint and an exit code.

Refuses to print a traceback or to exit by itself: `run` returns the exit code.
"""

from __future__ import annotations

from collections.abc import Sequence

import typer

from probatum.app.bench_port import BenchRunner
from probatum.app.saved_tests import DEFAULT_FOLDER
from probatum.cli.arguments import with_optional_values
from probatum.cli.batch_command import batch
from probatum.cli.bench_command import bench_command
from probatum.cli.check_command import check
from probatum.cli.doctor_command import doctor
from probatum.cli.gate_command import gate
from probatum.cli.key_command import key_commands
from probatum.cli.ledger_command import ledger_commands
from probatum.cli.proof_command import proof_commands
from probatum.cli.verify_command import verify
from probatum.core.errors import UsageError

_OPTIONAL_VALUES = {"--save-tests": DEFAULT_FOLDER}
_INTERRUPTED = 130
"""What the option parser makes of Ctrl-C; the caller shall hear of it as the interruption that it is."""
_PARSER_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""Every complaint of the option parser; typer exports only its subclass."""


def build(run_bench: BenchRunner) -> typer.Typer:
    """Return the command line, with this runner behind ``bench``."""
    application = typer.Typer(
        name="probatum",
        help="Decide whether something that an AI produced may be acted on, and leave a proof.",
        epilog="Run 'probatum COMMAND --help' for one command.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    application.callback()(_entry)
    application.command(short_help="Do the functions of a Python file do what they should?")(verify)
    application.command(short_help="Does an output satisfy its contract?")(check)
    application.command(short_help="Answer many requests; resumable.")(batch)
    application.command(short_help="May this verdict be acted on?")(gate)
    application.add_typer(proof_commands(), name="proof", short_help="Look at a proof, check it again, hand it on.")
    application.add_typer(key_commands(), name="key", short_help="Keys that verdicts are signed with.")
    application.add_typer(ledger_commands(), name="ledger", short_help="The append-only log of verdicts.")
    application.command(name="bench", short_help="Measure on labelled programs.")(bench_command(run_bench))
    application.command(short_help="What can this machine do?")(doctor)
    return application


def run(arguments: Sequence[str], run_bench: BenchRunner) -> int:
    """Run one command line and return its exit code.

    Raises:
        UsageError: the arguments are not a command line of probatum.
        ProbatumError: whatever named error the command ended with.
        KeyboardInterrupt: the command was interrupted.
    """
    command = typer.main.get_command(build(run_bench))
    words = with_optional_values(arguments, _OPTIONAL_VALUES)
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
    known = {"verify", "check", "batch", "gate", "proof", "key", "ledger", "bench", "doctor"}
    named = [word for word in words[:1] if word in known]
    return f"Run '{' '.join(['probatum', *named, '--help'])}'."
