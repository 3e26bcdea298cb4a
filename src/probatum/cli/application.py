"""The command line as a whole: its commands, and how their errors become one line, a hint and an exit code.

Refuses to print a traceback or to exit by itself: `run` returns the exit code.
"""

from __future__ import annotations

from collections.abc import Sequence

import typer

from probatum.app.bench_port import BenchRunner
from probatum.app.kinds import AnyKind, built_in_kinds, every_kind
from probatum.cli.arguments import with_optional_values
from probatum.cli.batch_command import batch
from probatum.cli.bench_command import bench_command
from probatum.cli.declared import bare_values, with_declared
from probatum.cli.doctor_command import doctor
from probatum.cli.gate_command import gate
from probatum.cli.key_command import key_commands
from probatum.cli.kind_command import kind_command
from probatum.cli.ledger_command import ledger_commands
from probatum.cli.output import note
from probatum.cli.proof_command import proof_commands
from probatum.core.command import merged
from probatum.core.errors import UsageError

_ABOUT_NO_KIND = {"key", "ledger", "bench", "doctor"}
"""Commands that take no option of a kind."""
_INTERRUPTED = 130
"""What the option parser makes of Ctrl-C; the caller shall hear of it as the interruption that it is."""
_PARSER_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""Every complaint of the option parser; typer exports only its subclass."""


def build(run_bench: BenchRunner, kinds: Sequence[AnyKind]) -> typer.Typer:
    """Return the command line with the commands of these kinds, and with this runner behind ``bench``."""
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
    for kind in kinds:
        application.command(name=kind.command.name, short_help=kind.command.question)(kind_command(kind))
    defaults = merged(each.batch for each in commands)
    replay = merged(each.replay for each in commands)
    demands = merged([*(each.demands for each in commands), replay])
    application.command(short_help="Answer many requests; resumable.")(with_declared(batch, defaults))
    application.command(short_help="May this verdict be acted on?")(with_declared(gate, demands))
    application.add_typer(
        proof_commands(replay), name="proof", short_help="Look at a proof, check it again, hand it on."
    )
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
    kinds = _kinds_for(arguments)
    command = typer.main.get_command(build(run_bench, kinds))
    words = with_optional_values(arguments, bare_values(option for kind in kinds for option in kind.command.options))
    if not words:
        command.main(args=["--help"], prog_name="probatum", standalone_mode=False)
        return UsageError.exit_code
    try:
        outcome = command.main(args=words, prog_name="probatum", standalone_mode=False)
    except _PARSER_ERROR as error:
        raise UsageError("command.usage", _complaint(error), _help_for(words, kinds)) from error
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


def _kinds_for(arguments: Sequence[str]) -> list[AnyKind]:
    """Return the kinds that a command line may be about; those of packages only where it can be about them."""
    built_in = list(built_in_kinds().values())
    known = {kind.command.name for kind in built_in} | _ABOUT_NO_KIND
    if arguments and arguments[0] in known:
        return built_in
    return list(every_kind(lambda error: note(f"warning: {error.sentence}")))


def _help_for(words: Sequence[str], kinds: Sequence[AnyKind]) -> str:
    known = {*(kind.command.name for kind in kinds), *_ABOUT_NO_KIND, "batch", "gate", "proof"}
    named = [word for word in words[:1] if word in known]
    return f"Run '{' '.join(['probatum', *named, '--help'])}'."
