"""`probatum verify`: does this program do what it is documented to do?

Refuses options that belong to one file (``--contract``, ``--tests``, ``--against``) together with a folder.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from probatum.app.answers import DEFAULT_MIN_STRENGTH, Level, ProgramAnswer, ProgramRequest, parse_level
from probatum.app.documents import files_document, program_document, weakest_answer
from probatum.app.proofs import open_store_at
from probatum.app.refusals import refuse_for
from probatum.app.sandboxes import begin_to_open, environment
from probatum.app.saved_tests import save_tests, saved_file
from probatum.app.settings import read_settings
from probatum.app.sources import (
    STANDARD_INPUT,
    Blank,
    Source,
    Target,
    Unread,
    parse_target,
    read_companion,
    read_programs,
)
from probatum.cli.options import (
    EventsOption,
    JsonOption,
    LayerOption,
    LevelOption,
    PythonOption,
    RecordOption,
    StoreOption,
)
from probatum.cli.output import Mode, Output
from probatum.cli.progress import shown_progress
from probatum.cli.verify_options import (
    AgainstOption,
    ContractOption,
    MinStrengthOption,
    PathArgument,
    SaveTestsOption,
    SuggestOption,
    TestsOption,
    UnsafeOption,
    VerboseOption,
)
from probatum.core.disclosure import Layer, parse_layer
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError
from probatum.core.events import Event, Listener
from probatum.core.ports import Recorder, Store
from probatum.core.sheet import Section
from probatum.report.page import Page, page_of, summary_entry, summary_page

if TYPE_CHECKING:
    from probatum.app.service import Service


@dataclass(frozen=True, slots=True)
class _Wishes:
    """What the command line asked for, checked."""

    target: Target
    contract: str | None
    tests: bytes | None
    against: bytes | None
    level: Level
    min_strength: float
    save_to: Path | None
    suggest: bool
    layer: Layer
    verbose: bool
    repeated_with: tuple[str, ...]

    @property
    def is_folder(self) -> bool:
        return self.target.path != STANDARD_INPUT and Path(self.target.path).is_dir()


def verify(
    path: PathArgument,
    *,
    contract: ContractOption = None,
    against: AgainstOption = None,
    tests: TestsOption = None,
    level: LevelOption = Level.STANDARD.value,
    save_tests: SaveTestsOption = None,
    min_strength: MinStrengthOption = DEFAULT_MIN_STRENGTH,
    python: PythonOption = None,
    suggest: SuggestOption = False,
    verbose: VerboseOption = False,
    json: JsonOption = False,
    events: EventsOption = False,
    store: StoreOption = None,
    ledger: RecordOption = None,
    layer: LayerOption = Layer.PROOF.value,
    unsafe_no_isolation: UnsafeOption = False,
) -> int:
    """Verify that the functions of a Python file do what their documentation says.

    The code runs in a sandbox: the examples in its documentation, inputs made from its type hints, and small faults
    planted in it, to see whether the checks would notice them. A counterexample can be pasted into Python.

    Exit codes: 0 verified, 1 refuted, 2 wrong usage, 3 undecided, 4 could not be attempted. Of several, the weakest
    counts: refuted, not attempted, undecided, verified.
    """
    target = parse_target(path)
    wishes = _Wishes(
        target=target,
        contract=_contract_text(contract),
        tests=None if tests is None else read_companion(tests, "--tests"),
        against=None if against is None else read_companion(against, "--against"),
        level=parse_level(level),
        min_strength=min_strength,
        save_to=None if save_tests is None else Path(save_tests),
        suggest=suggest,
        layer=parse_layer(layer),
        verbose=verbose,
        repeated_with=_repeated_with(
            {"--contract": contract, "--against": against, "--tests": tests, "--python": python, "--store": store},
            min_strength,
        ),
    )
    _refuse_for_folder(wishes)
    output = Output(Mode.of(as_json=json, events=events))
    settings = read_settings()
    proofs, recording = open_store_at(settings.store_path(store)), settings.recording_path(ledger)
    with shown_progress("starting"):
        service = _service(proofs, python, recording, unsafe_no_isolation=unsafe_no_isolation)
    with service:
        answers, blank = _answers(service, wishes, output)
    return _finish(answers, blank, wishes, output)


def _answers(service: Service, wishes: _Wishes, output: Output) -> tuple[list[tuple[str, ProgramAnswer]], list[str]]:
    """Return an answer for every program of the target, and the names of files that define nothing to verify."""
    answers: list[tuple[str, ProgramAnswer]] = []
    blank: list[str] = []
    for source in read_programs(wishes.target, sys.stdin.buffer):
        if isinstance(source, Blank):
            blank.append(source.name)
        else:
            answers.append(_answer(service, source, wishes, output))
    return answers, blank


def _repeated_with(given: dict[str, str | Path | None], min_strength: float) -> tuple[str, ...]:
    words = [word for option, value in given.items() if value is not None for word in (option, str(value))]
    return tuple(words if min_strength == DEFAULT_MIN_STRENGTH else [*words, "--min-strength", f"{min_strength:g}"])


def _service(store: Store, python: str | None, recording: Path | None, *, unsafe_no_isolation: bool) -> Service:
    recorder = _recorder(recording)
    opening = begin_to_open(environment(python), unsafe_no_isolation=unsafe_no_isolation)
    # Deferred, so that the sandboxes start meanwhile, and help and complaints need not load what verifies programs.
    from probatum.app.service import Service

    return Service(store, unsafe_no_isolation=unsafe_no_isolation, recorder=recorder, opening=opening)


def _recorder(recording: Path | None) -> Recorder | None:
    if recording is None:
        return None
    from probatum.app.ledger import recorder_at

    return recorder_at(recording)


def _contract_text(contract: str | None) -> str | None:
    if contract is None or not contract.startswith("@"):
        return contract
    try:
        return read_companion(Path(contract[1:]), "--contract").decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError("contract.not_text", f"the contract {contract[1:]!r} is not UTF-8 text.") from None


def _refuse_for_folder(wishes: _Wishes) -> None:
    given = {"--contract": wishes.contract, "--tests": wishes.tests, "--against": wishes.against}
    options = [option for option, value in given.items() if value is not None]
    if wishes.is_folder and options:
        sentence = f"{options[0]} belongs to one file, but {wishes.target.path!r} is a folder."
        raise UsageError("path.folder", sentence, "Point at one file.")


def _answer(service: Service, source: Source | Unread, wishes: _Wishes, output: Output) -> tuple[str, ProgramAnswer]:
    """Answer for one program and print its pages, so that a long run shows its results as they come."""
    saved = _saved_file(source.name, wishes)
    if isinstance(source, Unread):
        answer = source.answer
    else:
        with shown_progress(source.name) as progress:
            answer = _verified(service, source, wishes, _both(progress, output, wishes.layer))
    first, *others = _pages(answer, wishes)
    if saved is not None and answer.saved_tests:
        save_tests(answer.saved_tests, saved)
        closing = () if wishes.layer is Layer.AGENT else (("Tests", str(saved)),)
        first = replace(first, closing=(*first.closing, *closing))
    for page in (first, *others):
        output.page(page)
    return source.name, answer


def _verified(service: Service, source: Source, wishes: _Wishes, listener: Listener) -> ProgramAnswer:
    request = ProgramRequest(
        source=source.content,
        name=source.name,
        function=wishes.target.function,
        contract=wishes.contract,
        tests=wishes.tests,
        against=wishes.against,
        level=wishes.level,
        min_strength=wishes.min_strength,
        siblings=source.siblings,
        module=source.module,
        repeated_with=wishes.repeated_with,
        suggest=wishes.suggest,
        tree=source.tree,
    )
    try:
        return service.verify_program(request, listener)
    except (BudgetError, NotAttemptedError) as error:
        return refuse_for(source.name, error)


def _both(progress: Listener, output: Output, layer: Layer) -> Listener:
    def listen(event: Event) -> None:
        progress(event)
        # A run may have many programs; the stage `complete` belongs to the line that carries the document.
        output.event(replace(event, stage="verdict") if event.stage == "complete" else event, layer)

    return listen


def _saved_file(name: str, wishes: _Wishes) -> Path | None:
    if wishes.save_to is None:
        return None
    if name == STANDARD_INPUT:
        return saved_file("stdin", wishes.save_to)
    below = Path(name).relative_to(wishes.target.path) if wishes.is_folder else Path(Path(name).name)
    return saved_file("_".join(below.with_suffix("").parts), wishes.save_to)


def _pages(answer: ProgramAnswer, wishes: _Wishes) -> list[Page]:
    """One function: its page. Several: the file's page with a line for each, then whatever is not VERIFIED."""
    if len(answer.functions) == 1:
        return [page_of(answer.functions[0].sheet, layer=wishes.layer, verbose=wishes.verbose)]
    if not answer.functions:
        return [page_of(answer.sheet, layer=wishes.layer, verbose=wishes.verbose)]
    overview = Section("Functions", tuple(summary_entry(each.sheet, with_subject=False) for each in answer.functions))
    sheet = replace(answer.sheet, sections=(overview, *answer.sheet.sections))
    head = page_of(sheet, layer=wishes.layer, verbose=True)
    shown = [each for each in answer.functions if wishes.verbose or not each.verdict.is_verified]
    return [head, *(page_of(each.sheet, layer=wishes.layer, verbose=wishes.verbose) for each in shown)]


def _finish(answers: list[tuple[str, ProgramAnswer]], blank: list[str], wishes: _Wishes, output: Output) -> int:
    weakest = weakest_answer([answer for _, answer in answers])
    if wishes.is_folder:
        output.document(files_document(answers, wishes.layer, blank))
        sheets = [answer.functions[0].sheet if len(answer.functions) == 1 else answer.sheet for _, answer in answers]
        output.page(summary_page(wishes.target.path, sheets, weakest.verdict, blank))
    else:
        output.document(program_document(weakest, wishes.layer))
    return weakest.exit_code
