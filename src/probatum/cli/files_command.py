"""The commands of a kind whose subjects are files that people edit: `verify`, and `baseline`, which notes what is so.

Refuses to end with 0 where something is not VERIFIED, unless the caller asked for less or a baseline knows it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from probatum.app.configuration import DEFAULT_BASELINE, FAIL_ON, FORMAT, RUN, configured
from probatum.app.proofs import user_store
from probatum.app.settings import processors, read_settings
from probatum.cli.declared import with_declared
from probatum.cli.kind_command import EXIT_CODES, FORMATS_OFFERED, TEXT, form_of
from probatum.cli.options import EventsOption, JsonOption, LayerOption, RecordOption, StoreOption, path_of
from probatum.cli.reading_first import ReadOption, read_first
from probatum.core.choice import chosen
from probatum.core.command import STANDARD_INPUT, Command, Given
from probatum.core.disclosure import Layer, parse_layer
from probatum.core.errors import UsageError

if TYPE_CHECKING:
    from probatum.app.asking import Asked
    from probatum.app.baseline import Line
    from probatum.app.checking import Checking
    from probatum.app.kinds import AnyKind
    from probatum.app.standing import RunStanding
    from probatum.cli.files_display import Display

VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Show a page for everything, and every line.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Show what fails alone, and the counts.")]
OutputFileOption = Annotated[
    list[str] | None,
    typer.Option(
        "--output-file",
        metavar="FORMAT=FILE",
        help="Write this format into a file as well; may be repeated.",
        show_default=False,
    ),
]
ExitFirstOption = Annotated[
    bool, typer.Option("--exitfirst", "-x", help="Stop at the first failure; refutations come first.")
]
WatchOption = Annotated[bool, typer.Option("--watch", help="Verify again whenever a file changes, until Ctrl-C.")]
PruneOption = Annotated[bool, typer.Option("--prune", help="Only take out what is no longer so; add nothing.")]


_ABOUT_FAILING: Final = frozenset({FORMAT, "fail-on", "no-baseline"})
"""Options of a run that mean nothing to whoever only notes what is so."""
_GATE, _APPROVE_AT = "gate", "approve-at"
_BEYOND_VERDICTS: Final = frozenset({_GATE, _APPROVE_AT})
"""Options of a kind that ask for more than verdicts."""
_OF_A_RUN: Final = tuple(
    replace(each, metavar="|".join(FORMATS_OFFERED)) if each.name == FORMAT else each for each in RUN
)


@dataclass(frozen=True, slots=True)
class _FilesRun:
    """What a command line and the configuration say of a run, beside the options of the kind."""

    given: Given
    jobs: int
    cache: Path | None
    fail_on: str
    baseline: Path | None
    # The folder that a baseline's paths count from.
    root: Path
    form: str


def files_command(kind: AnyKind) -> Callable[..., int]:
    """Return the command that verifies files of a kind."""
    subjects = _subjects(kind.command)

    def command(
        subject: list[str],
        given: Given,
        verbose: VerboseOption = False,
        quiet: QuietOption = False,
        output_file: OutputFileOption = None,
        json: JsonOption = False,
        events: EventsOption = False,
        exitfirst: ExitFirstOption = False,
        watch: WatchOption = False,
        store: StoreOption = None,
        ledger: RecordOption = None,
        layer: LayerOption = Layer.PROOF.value,
        read: ReadOption = None,
    ) -> int:
        # Deferred, so that help need not load what asks.
        from probatum.app.asking import Asked
        from probatum.cli.files_display import Display, saved_forms
        from probatum.cli.watching import again_and_again

        if verbose and quiet:
            raise UsageError("option.contradiction", "--verbose and --quiet do not go together.")
        if watch and STANDARD_INPUT in (given.subject, *given.others):
            raise UsageError("option.contradiction", "--watch needs files: standard input is read once.")
        run = _chosen(kind.command, given)
        form = run.form if FORMAT in given.options or not (json or events) else TEXT
        repeated = run.given if store is None else _with_store(run.given, store)
        asked = Asked(kind, repeated, user_store(store), read_settings().recording_path(ledger))
        form = form_of(form, as_json=json, events=events)
        display = Display(
            kind.command, form, parse_layer(layer), verbose, quiet, events, exitfirst, saved_forms(output_file)
        )

        if read is not None:
            read_first(kind, run.given, read)

        def once() -> int:
            tries = exitfirst and not events and _BEYOND_VERDICTS.isdisjoint(given.options)
            failed = _failed_quickly(asked, run, display) if tries else None
            return failed or _checked(asked, run, display)[1].exit_code

        return again_and_again(once, (given.subject, *given.others)) if watch else once()

    command.__annotations__["subject"] = subjects
    command.__name__ = kind.command.name
    command.__doc__ = kind.command.help + EXIT_CODES
    return with_declared(command, (*kind.command.options, *_OF_A_RUN))


def baseline_command(kind: AnyKind) -> Callable[..., int]:
    """Return the command that notes what is known of files of a kind."""

    def command(
        subject: list[str],
        given: Given,
        prune: PruneOption = False,
        quiet: QuietOption = False,
        json: JsonOption = False,
        store: StoreOption = None,
    ) -> int:
        from probatum.app.asking import Asked
        from probatum.cli.files_display import Display

        run = _chosen(kind.command, given)
        path = run.baseline or run.root / DEFAULT_BASELINE
        known = path if prune or path.exists() else None
        asked = Asked(kind, run.given, user_store(store))
        display = Display(kind.command, form_of(TEXT, as_json=json, events=False), Layer.PROOF, False, quiet)
        noted = replace(run, fail_on=FAIL_ON[-1], baseline=known, root=path.parent)
        return _note(asked, noted, path, display, prunes=prune)

    command.__annotations__["subject"] = _subjects(kind.command)
    command.__name__ = "baseline"
    command.__doc__ = """Verify files, and note what is not VERIFIED as known: then only what is new or worse fails.

    The baseline is a text file with one sorted line for each function and statement, to be committed. Lines about files
    that are not asked for stay as they are.

    Exit codes: 0 the baseline is written, 2 wrong usage, 4 it could not be written.
    """
    own = [each for each in kind.command.options if each.is_configurable]
    return with_declared(command, (*own, *(each for each in _OF_A_RUN if each.name not in _ABOUT_FAILING)))


def _subjects(command: Command) -> object:
    told = typer.Argument(metavar=f"{command.subject}...", help=command.subject_help, show_default=False)
    return Annotated[list[str], told]


def _chosen(command: Command, given: Given) -> _FilesRun:
    """Return what counts: what was typed, else what the configuration says, else the defaults."""
    told, found = configured(given, (*command.options, *RUN), given.text("stdin-filename") or "")
    jobs, cache, named = told.number("jobs", processors()), told.text("cache-dir"), told.text("baseline")
    if jobs < 1 or jobs != int(jobs):
        raise UsageError("configuration.invalid", f"'jobs' is a whole number from 1, got {jobs:g}.")
    usual = found.root / DEFAULT_BASELINE
    baseline = path_of(named) if named is not None else usual if usual.is_file() else None
    return _FilesRun(
        told.only(command.options),
        int(jobs),
        None if told.flag("no-cache") else read_settings().cache_path(None if cache is None else path_of(cache)),
        chosen(told.text("fail-on") or FAIL_ON[-1], FAIL_ON, "fail-on"),
        None if told.flag("no-baseline") else baseline,
        (baseline or usual).parent,
        chosen(told.text(FORMAT) or TEXT, FORMATS_OFFERED, "format"),
    )


def _with_store(given: Given, store: Path) -> Given:
    return replace(given, options={**given.options, "store": str(store)})


def _checked(asked: Asked, run: _FilesRun, display: Display) -> tuple[Checking, RunStanding]:
    """Verify files, show what comes, and return what was looked at and how it stands."""
    from probatum.app.baseline import read_baseline
    from probatum.app.checking import Checking, How, RunReport
    from probatum.app.sources import Sources
    from probatum.app.standing import RunStanding
    from probatum.core.approval import require_bar

    known: frozenset[Line] = frozenset() if run.baseline is None else read_baseline(run.baseline)
    bar = asked.given.options.get(_APPROVE_AT)
    standing = RunStanding(run.fail_on, known, run.root, approve_at=None if bar is None else require_bar(bar))
    report = RunReport()
    checking = Checking(asked, Sources(sys.stdin.buffer), How(run.jobs, run.cache), report)
    if _GATE in asked.given.options:
        standing.gated += checking.gated()
    display.show(asked, checking, report, standing)
    return checking, standing


def _failed_quickly(asked: Asked, run: _FilesRun, display: Display) -> int | None:
    """Look for the first thing that is refuted with the least work; return its exit code, None where nothing is."""
    files = asked.kind.files
    assert files is not None, "only such kinds are asked so"
    # A ledger records every verdict once; a pipe can be read once, also one that an option names.
    if asked.ledger is not None or files.about(asked.given) is None:
        return None
    if not all(os.path.isfile(each.path) for each in files.paths(asked.given)):
        return None
    least = replace(run, fail_on=FAIL_ON[0])
    quick = replace(asked, given=files.quickly(asked.given))
    return _checked(quick, least, replace(display, tries=True))[1].exit_code or None


def _note(asked: Asked, run: _FilesRun, path: Path, display: Display, *, prunes: bool) -> int:
    """Verify files, and write what is known of them into a baseline."""
    from probatum.app.baseline import known_name, write_baseline

    checking, standing = _checked(asked, run, display)
    before, root = standing.known, run.root
    looked_at = {(known_name(each.path, root), each.name) for each in checking.paths}
    others = {line for line in before if _exists(line[0], root) and not _is_looked_at(line[0], looked_at)}
    now = others | (standing.lines & before if prunes else standing.lines)
    write_baseline(path, now)
    display.noted(path, len(now), len(now - before), len(before - now))
    return 0


def _is_looked_at(name: str, looked_at: Collection[tuple[str, str]]) -> bool:
    """Return whether a name of a baseline lies in what was asked for: files, each with one name in it or with none."""
    path, _, inner = name.partition("::")
    return any((path, each) in looked_at for each in ("", inner, inner.partition(".")[0]))


def _exists(name: str, root: Path) -> bool:
    return (root / name.partition("::")[0]).exists()
