"""`probatum bench`: labelled programs or outputs on the path that users take, and the table that comes out.

Refuses to know how a set is measured: the runner is given.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from probatum.app.bench_port import STANDARD, BenchReport, BenchRequest, BenchRunner
from probatum.app.settings import processors, read_settings
from probatum.cli.options import JsonOption, LevelOption, StoreOption, WorkersOption, option, path_option
from probatum.cli.output import Mode, Output
from probatum.cli.progress import shown_progress
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.report.text import aligned_table

SetArgument = Annotated[
    str,
    typer.Argument(
        metavar="humanevalfix|llm-programs|workcode|corpus|contracts|readers",
        help="Which labelled set; readers compares the programs of --set without and with readings.",
    ),
]
ProgramsOption = Annotated[
    str | None, option("--set", "NAME", "For readers: the set whose programs --data holds, such as workcode.")
]
DataOption = Annotated[Path, path_option("--data", "PATH", "The set: a file, or the folder of a corpus.")]
WithoutExamplesOption = Annotated[
    bool,
    typer.Option(
        "--without-examples", help="Use the prompts whose examples were removed; rows without one are left out."
    ),
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N rows or cases of the set.")
]
PythonOption = Annotated[str | None, option("--python", "INTERPRETER", "Run programs with this Python.")]
VerboseOption = Annotated[
    bool,
    typer.Option(
        "--verbose",
        help="List false alarms, what was wrongly VERIFIED, faults missed, and verdicts that a corpus does not expect.",
    ),
]
RowsOption = Annotated[bool, typer.Option("--rows", help="With --json: one row for each program or output.")]
ReadingsOption = Annotated[
    list[Path] | None,
    path_option("--readings", "FILE", "Recorded readings, as JSON lines; once for each reader."),
]
ReaderOption = Annotated[
    str | None, option("--with", "MODEL", "For readers: ask this model of [tool.probatum.models] for readings.")
]
ReadingsPolicyOption = Annotated[
    str | None,
    option(
        "--readings-policy",
        "accepted|consensus:N|proposed|none",
        "Which readings count. Default: accepted; for readers, proposed.",
    ),
]
EvidenceOption = Annotated[
    str, option("--evidence", "split|shared", "Whether checks count that ran in the program's own process.")
]
AllowUncheckedOption = Annotated[
    bool, typer.Option("--allow-unchecked", help="Tolerate statements of the documentation that nothing checks.")
]
ContractsOption = Annotated[
    Path | None,
    path_option(
        "--contracts",
        "FOLDER",
        "For contracts: where they lie, as TASK/VERSION/contract.json. Default: the built-in ones.",
    ),
]
RecordsOption = Annotated[
    Path | None,
    path_option("--records", "FILE", "For contracts: write one record for each run of a task, as JSON lines."),
]
RawOutputsOption = Annotated[
    bool, typer.Option("--raw-outputs", help="For contracts: repeat in each record what the model wrote.")
]


def bench_command(run_bench: BenchRunner) -> Callable[..., int]:
    """Return the command, with this runner behind it."""

    def bench(
        name: SetArgument,
        *,
        data: DataOption,
        programs: ProgramsOption = None,
        without_examples: WithoutExamplesOption = False,
        level: LevelOption = STANDARD,
        python: PythonOption = None,
        workers: WorkersOption = None,
        limit: LimitOption = None,
        verbose: VerboseOption = False,
        rows: RowsOption = False,
        readings: ReadingsOption = None,
        reader: ReaderOption = None,
        readings_policy: ReadingsPolicyOption = None,
        evidence: EvidenceOption = "shared",
        allow_unchecked: AllowUncheckedOption = False,
        contracts: ContractsOption = None,
        records: RecordsOption = None,
        raw_outputs: RawOutputsOption = False,
        json: JsonOption = False,
        store: StoreOption = None,
    ) -> int:
        """Measure probatum on labelled programs, on readings of these, or on recorded outputs by their contracts.

        It sees each program or output alone, never its label, its tests or its twin.

        Exit codes: 0 measured, 2 the data cannot be used.
        """
        request = BenchRequest(
            name=name,
            data=data,
            store=read_settings().store_path(store),
            without_examples=without_examples,
            level=level,
            workers=workers or processors(),
            limit=limit,
            python=python,
            rows=rows,
            readings=tuple(readings or ()),
            reader=reader,
            readings_policy=readings_policy,
            programs=programs,
            evidence=evidence,
            allow_unchecked=allow_unchecked,
            contracts=contracts,
            records=records,
            raw_outputs=raw_outputs,
        )
        with shown_progress(name, counted=True) as progress:
            report = run_bench(request, progress)
        _print(report, name, Output(Mode.of(as_json=json)), verbose=verbose)
        return 0

    return bench


def _print(report: BenchReport, name: str, output: Output, *, verbose: bool) -> None:
    tables = "\n".join(aligned_table(table.headings, table.rows) for table in report.tables)
    output.document(report.document)
    output.text(f"{report.title}\n\n{tables}\n")
    if verbose:
        output.page(_page(report, name))


def _page(report: BenchReport, name: str) -> Page:
    sections = tuple(
        Section(f"{title} ({len(ids)})", tuple(Entry(Mark.NOTE, each) for each in ids))
        for title, ids in report.lists
        if ids
    )
    sentence = "These rows deserve a look." if sections else "No row deserves a look."
    return Page("ROWS", Mark.NOTE, name, (sentence,), sections)
