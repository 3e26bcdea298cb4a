"""A page: one report without layout, the same for a pipe and a terminal.

Most important first: the verdict's word, the sentence, marked lines by section, then where the proof is and the command
that repeats the run. A short page leaves out only lines that hold or note something, and says how many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probatum.core.decision import Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer, named
from probatum.core.outside import lines_of
from probatum.core.sheet import Entry, Mark, Page, Section, Sheet

# Lines of one section that a short page shows.
SHOWN_LINES = 20
# Label of the one closing line that is a sentence; the others are there to be copied.
NEXT, REPEAT = "Next", "Repeat"

WORD_OF = {
    **dict.fromkeys((Outcome.PROVED, Outcome.TESTED), "VERIFIED"),
    Outcome.REFUTED: "REFUTED",
    Outcome.UNDECIDED: "UNDECIDED",
    Outcome.NOT_ATTEMPTED: "BLOCKED",
}
MARK_OF = {"VERIFIED": Mark.HOLDS, "REFUTED": Mark.FAILS, "UNDECIDED": Mark.UNDECIDED, "BLOCKED": Mark.UNDECIDED}


def verdict_word(verdict: DiagnosticResult) -> str:
    """Return the word for a verdict."""
    return WORD_OF[Outcome(verdict.outcome)] if verdict.outcome else verdict.status.value


def page_of(sheet: Sheet, *, layer: Layer = Layer.PROOF, verbose: bool = False) -> Page:
    """Return the page of a sheet as far as this layer may read it.

    The agent's layer has the sentence alone, the developer's leaves out the proof reference.
    """
    word = verdict_word(sheet.verdict)
    message = sheet.verdict.agent_message
    mark = MARK_OF.get(word, Mark.UNDECIDED)
    if layer is Layer.AGENT:
        return Page(word, mark, named(sheet.subject, layer), (message,))
    more = () if sheet.headline in {"", message} else (sheet.headline,)
    sections = tuple(section if verbose else shortened(section) for section in sheet.sections if section.entries)
    closing = [(NEXT, sheet.next_step), (REPEAT, sheet.repeat)]
    if layer is Layer.PROOF:
        closing.insert(0, ("Proof", sheet.verdict.proof_ref or ""))
    kept = tuple((label, value) for label, value in closing if value)
    return Page(word, mark, sheet.subject, (message, *more), sections, kept, sheet.timeline, sheet.diagram)


def shortened(section: Section, most: int = SHOWN_LINES) -> Section:
    """Return the section with at most ``most`` lines, keeping every line that fails or is undecided."""
    if len(section.entries) <= most:
        return section
    spare = most - sum(_weighs(entry) for entry in section.entries)
    kept: list[Entry] = []
    for entry in section.entries:
        if _weighs(entry) or spare > 0:
            kept.append(entry)
            spare -= not _weighs(entry)
    left_out = len(section.entries) - len(kept)
    if left_out:
        kept.append(Entry(Mark.NOTE, f"and {left_out:,} more; --verbose shows them"))
    return Section(section.title, tuple(kept))


def _weighs(entry: Entry) -> bool:
    return entry.mark in {Mark.FAILS, Mark.UNDECIDED}


def summary_page(
    subject: str,
    sheets: Sequence[Sheet],
    weakest: DiagnosticResult,
    blank: Sequence[str] = (),
    layer: Layer = Layer.PROOF,
) -> Page:
    """Return the page that closes a run over several files or functions: one line each and the counts.

    ``blank`` are files without anything to verify; they are named, not counted.
    """
    word = verdict_word(weakest)
    entries = tuple(summary_entry(replace(sheet, subject=named(sheet.subject, layer))) for sheet in sheets)
    nothing = "It defines no function and no class."
    entries += tuple(Entry(Mark.NOTE, f"{named(name, layer)}: {nothing}") for name in blank)
    words = [verdict_word(sheet.verdict) for sheet in sheets]
    counts = ", ".join(f"{words.count(each)} {each}" for each in dict.fromkeys(WORD_OF.values()) if each in words)
    sections = (Section("Summary", entries),)
    return Page(word, MARK_OF.get(word, Mark.UNDECIDED), named(subject, layer), (f"{counts}.",), sections)


def summary_entry(sheet: Sheet, *, with_subject: bool = True, with_reason: bool = False) -> Entry:
    """Return the one line that stands for a whole sheet, and below it the line of the sheet that says why."""
    word = verdict_word(sheet.verdict)
    subject = f"{sheet.subject}: " if with_subject else ""
    reason = _reason(sheet) if with_reason else ()
    return Entry(MARK_OF.get(word, Mark.UNDECIDED), f"{subject}{sheet.verdict.agent_message}", None, reason, word=word)


def _reason(sheet: Sheet) -> tuple[str, ...]:
    entries = [entry for section in sheet.sections for entry in section.entries]
    told = next((entry for mark in (Mark.FAILS, Mark.UNDECIDED) for entry in entries if entry.mark is mark), None)
    if told is None:
        return ()
    place = f"line {told.line}: " if told.line else ""
    return (" ".join((place + lines_of(told.text)[0], *told.detail[:1])),)
