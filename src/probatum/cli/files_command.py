"""The commands of a kind whose subjects are files that people edit: `verify`, and `baseline`, which notes what is so.

Refuses to end with 0 where something is not VERIFIED, unless the caller asked for less or a baseline knows it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probatum.app.configuration import DEFAULT_BASELINE, FAIL_ON, Configuration, configured
from probatum.app.proofs import user_store
from probatum.app.settings import read_settings
from probatum.cli.declared import with_declared
from probatum.cli.kind_command import EXIT_CODES, FORMATS_OFFERED, TEXT, form_of
from probatum.cli.options import EventsOption, JsonOption, LayerOption, RecordOption, StoreOption, path_option
from probatum.core.choice import chosen
from probatum.core.command import STANDARD_INPUT, Command, Given
from probatum.core.disclosure import Layer, parse_layer
from probatum.core.errors import UsageError

if TYPE_CHECKING:
    from probatum.app.asking import Asked
    from probatum.app.baseline import Line
    from probatum.app.kinds import AnyKind
    from probatum.cli.files_display import Display

VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Show a page for everything, and every line.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Show what fails alone, and the counts.")]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--output-format",
        "--format",
        metavar="|".join(FORMATS_OFFERED),
        help="What to print on standard output. Default: text.",
        show_default=False,
    ),
]
OutputFileOption = Annotated[
    list[str] | None,
    typer.Option(
        "--output-file",
        metavar="FORMAT=FILE",
        help="Write this format into a file as well; may be repeated.",
        show_default=False,
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=1,
        help="How many files are verified at the same time. Default: one per processor.",
        show_default=False,
    ),
]
FailOnOption = Annotated[
    str | None,
    typer.Option(
        "--fail-on",
        metavar="|".join(FAIL_ON),
        help="The least that fails: refutations alone, also what could not be attempted, or (default) all that is not"
        " verified.",
        show_default=False,
    ),
]
NoCacheOption = Annotated[bool, typer.Option("--no-cache", help="Verify everything anew, and keep nothing.")]
CacheOption = Annotated[
    Path | None,
    path_option(
        "--cache-dir",
        "DIR",
        "Where answers about unchanged functions are kept. Default: $PROBATUM_CACHE_DIR, else the user's cache folder.",
    ),
]
BaselineOption = Annotated[
    Path | None,
    path_option(
        "--baseline",
        "FILE",
        f"What is known and does not fail, as 'probatum baseline' wrote it. Default: {DEFAULT_BASELINE}, where there"
        " is one.",
    ),
]
NoBaselineOption = Annotated[bool, typer.Option("--no-baseline", help="Nothing is known: everything counts.")]
WatchOption = Annotated[bool, typer.Option("--watch", help="Verify again whenever a file changes, until Ctrl-C.")]
PruneOption = Annotated[bool, typer.Option("--prune", help="Only take out what is no longer so; add nothing.")]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What a command line and the configuration say of a run, beside the options of the kind."""

    given: Given
    jobs: int
    cache: Path | None
    fail_on: str
    baseline: Path | None
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
        output_format: FormatOption = None,
        output_file: OutputFileOption = None,
        json: JsonOption = False,
        events: EventsOption = False,
        jobs: JobsOption = None,
        fail_on: FailOnOption = None,
        baseline: BaselineOption = None,
        no_baseline: NoBaselineOption = False,
        no_cache: NoCacheOption = False,
        cache_dir: CacheOption = None,
        watch: WatchOption = False,
        store: StoreOption = None,
        ledger: RecordOption = None,
        layer: LayerOption = Layer.PROOF.value,
    ) -> int:
        # Deferred, so that help need not load what asks.
        from probatum.app.asking import Asked
        from probatum.cli.files_display import Display, saved_forms
        from probatum.cli.watching import again_and_again

        if verbose and quiet:
            raise UsageError("option.contradiction", "--verbose and --quiet do not go together.")
        if watch and STANDARD_INPUT in (given.subject, *given.others):
            raise UsageError("option.contradiction", "--watch needs files: standard input is read once.")
        run = {"output-format": output_format, "fail-on": fail_on, "jobs": jobs, "cache-dir": cache_dir}
        told = {**run, "baseline": baseline, "no-cache": no_cache or None}
        chosen_ones = _chosen(kind.command, given, {name: each for name, each in told.items() if each is not None})
        form = form_of(chosen_ones.form if output_format or not (json or events) else TEXT, as_json=json, events=events)
        asked = Asked(
            kind,
            chosen_ones.given if store is None else _with_store(chosen_ones.given, store),
            user_store(store),
            read_settings().recording_path(ledger),
        )
        known = None if no_baseline else chosen_ones.baseline
        display = Display(kind.command, form, parse_layer(layer), verbose, quiet, events, saved_forms(output_file))
        once = partial(_run, asked, chosen_ones, known, display)
        return again_and_again(once, (given.subject, *given.others)) if watch else once()

    command.__annotations__["subject"] = subjects
    command.__name__ = kind.command.name
    command.__doc__ = kind.command.help + EXIT_CODES
    return with_declared(command, kind.command.options)


def baseline_command(kind: AnyKind) -> Callable[..., int]:
    """Return the command that notes what is known of files of a kind."""

    def command(
        subject: list[str],
        given: Given,
        prune: PruneOption = False,
        baseline: BaselineOption = None,
        jobs: JobsOption = None,
        no_cache: NoCacheOption = False,
        cache_dir: CacheOption = None,
        quiet: QuietOption = False,
        json: JsonOption = False,
        store: StoreOption = None,
    ) -> int:
        from probatum.app.asking import Asked
        from probatum.cli.files_display import Display

        told = {"baseline": baseline, "jobs": jobs, "cache-dir": cache_dir, "no-cache": no_cache or None}
        chosen_ones = _chosen(kind.command, given, {name: each for name, each in told.items() if each is not None})
        asked = Asked(kind, chosen_ones.given, user_store(store))
        display = Display(kind.command, form_of(TEXT, as_json=json, events=False), Layer.PROOF, False, quiet, False)
        path = chosen_ones.baseline or chosen_ones.root / DEFAULT_BASELINE
        return _note(asked, replace(chosen_ones, fail_on=FAIL_ON[-1]), path, display, is_pruning=prune)

    command.__annotations__["subject"] = _subjects(kind.command)
    command.__name__ = "baseline"
    command.__doc__ = """Verify files, and note what is not VERIFIED as known: then only what is new or worse fails.

    The baseline is a text file with one sorted line for each function and statement, to be committed. Lines about files
    that are not asked for stay as they are.

    Exit codes: 0 the baseline is written, 2 wrong usage, 4 it could not be written.
    """
    return with_declared(command, [each for each in kind.command.options if each.is_configurable])


def _subjects(command: Command) -> object:
    told = typer.Argument(metavar=f"{command.subject}...", help=command.subject_help, show_default=False)
    return Annotated[list[str], told]


def _chosen(command: Command, given: Given, told: Mapping[str, object]) -> _Chosen:
    """Return what counts: what was typed, else what the configuration says, else the defaults."""
    # Deferred: it is asked how many processors there are.
    from probatum.app.pool import processors

    start = given.text("stdin-filename") or given.subject
    given, configuration = configured(given, command.options, start)
    jobs = configuration.value("jobs", told)
    if jobs is not None and (not isinstance(jobs, int | float) or jobs < 1 or jobs != int(jobs)):
        raise UsageError("configuration.invalid", f"'jobs' is a whole number from 1, got {jobs!r}.")
    cache = configuration.value("cache-dir", told)
    keeps = not configuration.value("no-cache", told)
    return _Chosen(
        given,
        processors() if jobs is None else int(jobs),
        read_settings().cache_path(None if cache is None else Path(str(cache))) if keeps else None,
        chosen(str(configuration.value("fail-on", told) or FAIL_ON[-1]), FAIL_ON, "fail-on"),
        _baseline_of(configuration, told),
        configuration.root,
        chosen(str(configuration.value("output-format", told) or TEXT), FORMATS_OFFERED, "format"),
    )


def _baseline_of(configuration: Configuration, told: Mapping[str, object]) -> Path | None:
    named = configuration.value("baseline", told)
    if named is not None:
        return Path(str(named))
    usual = configuration.root / DEFAULT_BASELINE
    return usual if usual.is_file() else None


def _with_store(given: Given, store: Path) -> Given:
    return replace(given, options={**given.options, "store": str(store)})


def _run(asked: Asked, chosen_ones: _Chosen, baseline: Path | None, display: Display) -> int:
    from probatum.app.baseline import read_baseline
    from probatum.app.checking import Checking, How, RunReport
    from probatum.app.sources import Sources
    from probatum.app.standing import RunStanding

    known: frozenset[Line] = frozenset() if baseline is None else read_baseline(baseline)
    standing = RunStanding(chosen_ones.fail_on, known, Path() if baseline is None else baseline.parent)
    report = RunReport()
    checking = Checking(asked, Sources(sys.stdin.buffer), How(chosen_ones.jobs, chosen_ones.cache), report)
    display.show(asked, checking, report, standing)
    return standing.exit_code


def _note(asked: Asked, chosen_ones: _Chosen, path: Path, display: Display, *, is_pruning: bool) -> int:
    from probatum.app.baseline import known_name, read_baseline, write_baseline
    from probatum.app.checking import Checking, How, RunReport
    from probatum.app.sources import Sources
    from probatum.app.standing import RunStanding

    root = path.parent
    before: frozenset[Line] = read_baseline(path) if path.exists() or is_pruning else frozenset()
    standing, report = RunStanding(chosen_ones.fail_on, before, root), RunReport()
    checking = Checking(asked, Sources(sys.stdin.buffer), How(chosen_ones.jobs, chosen_ones.cache), report)
    display.show(asked, checking, report, standing)
    looked_at = {(known_name(each.path, root), each.name) for each in checking.paths}
    others = {line for line in before if _exists(line[0], root) and not _is_looked_at(line[0], looked_at)}
    now = others | (standing.lines & before if is_pruning else standing.lines)
    write_baseline(path, now)
    display.noted(path, len(now), len(now - before), len(before - now))
    return 0


def _is_looked_at(name: str, looked_at: Collection[tuple[str, str]]) -> bool:
    """Return whether a name of a baseline lies in what was asked for: files, each with one name in it or with none."""
    path, _, inner = name.partition("::")
    return any((path, each) in looked_at for each in ("", inner, inner.partition(".")[0]))


def _exists(name: str, root: Path) -> bool:
    return (root / name.partition("::")[0]).exists()
