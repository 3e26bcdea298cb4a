"""What an editor shows of a file: a verdict with its place, as diagnostics and as code actions.

What stands in a function whose lines changed is no longer shown; it moves with lines that only move. Refuses to show
anything but what was reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from lsprotocol import types

from probatum.app.editor_port import FileReport, JudgedFunction, Proposal
from probatum.core.decision import Outcome
from probatum.core.finding import Finding, Severity
from probatum.language_server.places import DefinedPlace, definitions_in, found_again, lines_of, places_of

SOURCE: Final = "probatum"
VERIFY_FILE: Final = "probatum.verifyFile"
VERIFY_FUNCTION: Final = "probatum.verifyFunction"
ACCEPT_READINGS: Final = "probatum.acceptReadings"
OPEN_READINGS: Final = "probatum.openReadings"
_SURVIVOR: Final = "program.survivor"
_OPEN: Final = "program.open_statement"
_SHOWN: Final = 60
_SEVERITIES: Final = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_OPEN_OUTCOMES: Final = (Outcome.UNDECIDED, Outcome.NOT_ATTEMPTED)
Units = Callable[[str], int]
"""How many units the editor counts in a text."""


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A verdict, and the definition that it is about as it stands now; None where it is about the whole file."""

    judged: JudgedFunction
    definition: DefinedPlace | None = None
    moved: int = 0
    """By how many lines it stands further down than where it was verified."""


def shown_of(report: FileReport, text: str) -> tuple[ShownVerdict, ...]:
    """Return what is shown of a report about a text."""
    known = definitions_in(text) if any(each.name for each in report.judged) else {}
    return tuple(ShownVerdict(each, known.get(each.name)) for each in report.judged)


def still_shown(shown: Iterable[ShownVerdict], text: str) -> tuple[ShownVerdict, ...]:
    """Return what is still shown once the text is another: functions with the same lines, wherever they stand."""
    lines = lines_of(text)
    places, kept = places_of(lines), list[ShownVerdict]()
    for each in shown:
        again = None if each.definition is None else found_again(each.definition, places, lines)
        if again is not None and each.definition is not None:
            moved = each.moved + again.first - each.definition.first
            kept.append(replace(each, definition=again, moved=moved))
    return tuple(kept)


def diagnostics_of(shown: Iterable[ShownVerdict], text: str, units: Units) -> list[types.Diagnostic]:
    """Return the diagnostics of a text."""
    lines = lines_of(text)
    return [
        types.Diagnostic(_line_range(line, lines, units), message, severity, code, source=SOURCE)
        for each in shown
        for line, severity, code, message in _rows(each)
    ]


def _rows(shown: ShownVerdict) -> Iterator[tuple[int, types.DiagnosticSeverity, str, str]]:
    """Yield line, severity, code and message of each diagnostic."""
    judged = shown.judged
    own = 0 if shown.definition is None else shown.definition.first
    reason = judged.line - 1 + shown.moved if judged.line and shown.definition is None else own
    is_refuted = judged.outcome == Outcome.REFUTED
    errors = [each for each in judged.findings if each.severity is Severity.ERROR]
    if is_refuted and not errors:
        yield reason, types.DiagnosticSeverity.Error, judged.constraint, judged.message
    elif judged.outcome in _OPEN_OUTCOMES:
        step = f"\nNext: {judged.next_step}" if judged.next_step else ""
        yield reason, types.DiagnosticSeverity.Warning, judged.constraint, f"{judged.message}{step}"
    for finding in judged.findings:
        line = own if finding.location is None else finding.location.line - 1 + shown.moved
        yield line, _severity(finding), finding.kind, "\n".join(filter(None, (finding.message, finding.suggestion)))


def _severity(finding: Finding) -> types.DiagnosticSeverity:
    return types.DiagnosticSeverity.Hint if finding.kind == _SURVIVOR else _SEVERITIES[finding.severity]


def _line_range(line: int, lines: Sequence[str], units: Units) -> types.Range:
    line = max(0, min(line, len(lines) - 1))
    text = lines[line]
    begin = units(text[: len(text) - len(text.lstrip())])
    return types.Range(types.Position(line, begin), types.Position(line, max(begin, units(text.rstrip()))))


@dataclass(frozen=True, slots=True)
class Actions:
    """What an editor offers at some lines of a document."""

    uri: str
    text: str
    units: Units
    can_create: bool
    """Whether the editor makes files."""

    def at(
        self,
        asked: types.CodeActionParams,
        shown: Iterable[ShownVerdict],
        readings: Path | None,
        proposals: Sequence[Proposal],
    ) -> Iterator[types.CodeAction]:
        """Yield what is offered for each function that is touched."""
        about = [each for each in asked.context.diagnostics if each.source == SOURCE]
        for each in shown:
            definition = each.definition
            if definition is None or not _touches(asked.range, definition):
                continue
            yield from self._examples(each.judged, definition, about)
            for proposal in proposals:
                if proposal.function == each.judged.name:
                    yield self._accepting(proposal)
            if readings is not None and any(finding.kind == _OPEN for finding in each.judged.findings):
                yield from self._opening(readings)
            yield self._command(
                f"Verify {each.judged.name}", types.CodeActionKind.Source, VERIFY_FUNCTION, each.judged.name
            )

    def _examples(
        self, judged: JudgedFunction, definition: DefinedPlace, about: Sequence[types.Diagnostic]
    ) -> Iterator[types.CodeAction]:
        docstring = definition.docstring
        if docstring is None:
            return
        line = lines_of(self.text)[definition.first + docstring.line]
        place = types.Position(definition.first + docstring.line, self.units(line[: docstring.column]))
        for example in judged.examples:
            if (inserted := docstring.with_example(example)) is not None:
                call = example.splitlines()[0].removeprefix(">>> ")
                edit = types.TextEdit(types.Range(place, place), inserted.replace("\n", self._line_end()))
                yield types.CodeAction(
                    f"Add an example to the docstring of {judged.name}: {_short(call)}",
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[each for each in about if each.code in {_SURVIVOR, judged.constraint}],
                    edit=types.WorkspaceEdit(changes={self.uri: [edit]}),
                )

    def _line_end(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def _accepting(self, proposal: Proposal) -> types.CodeAction:
        doubt = f" (may say too little: {proposal.flag})" if proposal.flag else ""
        title = f"Accept the reading {_short(proposal.clause)!r} of {_short(proposal.text)!r}{doubt}"
        return self._command(title, types.CodeActionKind.QuickFix, ACCEPT_READINGS, [proposal.id])

    def _opening(self, readings: Path) -> Iterator[types.CodeAction]:
        if readings.exists():
            yield self._command(f"Open {readings.name}", types.CodeActionKind.QuickFix, OPEN_READINGS)
        elif self.can_create:
            action = self._command(f"Create {readings.name}", types.CodeActionKind.QuickFix, OPEN_READINGS)
            made = types.CreateFile(readings.as_uri(), options=types.CreateFileOptions(ignore_if_exists=True))
            action.edit = types.WorkspaceEdit(document_changes=[made])
            yield action

    def _command(self, title: str, kind: types.CodeActionKind, command: str, *arguments: object) -> types.CodeAction:
        return types.CodeAction(
            title, kind=kind, command=types.Command(title, command, arguments=[self.uri, *arguments])
        )


def _touches(asked: types.Range, definition: DefinedPlace) -> bool:
    return asked.start.line <= definition.last and asked.end.line >= definition.first


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
