"""A page: one report without layout, the same for a pipe and a terminal.

Most important first: the verdict's word, the sentence, of an undecided subject the command that gets it decided, marked
lines by section, then where the proof is and the command that repeats the run. A short page is as long as its sheet
says: it leaves out what holds before what is open, and that before what fails, and says how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probatum.core.decision import Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer, named
from probatum.core.messages import counted
from probatum.core.outside import lines_of
from probatum.core.sheet import Entry, Mark, Page, Section, Sheet

# Lines of one entry on a short page.
MOST_ENTRY_LINES = 12
# Labels of closing lines; those that are no sentences are there to be copied.
NEXT, MORE, DETAILS, PROOF, REPEAT = "Next", "More", "Details", "Proof", "Repeat"
SENTENCES = frozenset({NEXT, MORE})

WORD_OF = {
    **dict.fromkeys((Outcome.PROVED, Outcome.TESTED), "VERIFIED"),
    Outcome.REFUTED: "REFUTED",
    Outcome.UNDECIDED: "UNDECIDED",
    Outcome.NOT_ATTEMPTED: "BLOCKED",
}
_ORDER = {Mark.FAILS: 0, Mark.UNDECIDED: 1, Mark.HOLDS: 2}
MARK_OF = {"VERIFIED": Mark.HOLDS, "REFUTED": Mark.FAILS, "UNDECIDED": Mark.UNDECIDED, "BLOCKED": Mark.UNDECIDED}


def verdict_word(verdict: DiagnosticResult) -> str:
    """Return the word for a verdict."""
    return WORD_OF[Outcome(verdict.outcome)] if verdict.outcome else verdict.status.value


def page_of(
    sheet: Sheet,
    *,
    layer: Layer = Layer.PROOF,
    verbose: bool = False,
    further: Sequence[tuple[str, str]] = (),
) -> Page:
    """Return the page of a sheet as far as this layer may read it, with ``further`` closing lines.

    The agent's layer has the sentence alone, the developer's leaves out the proof reference.
    """
    word = verdict_word(sheet.verdict)
    message = sheet.verdict.agent_message
    mark = _mark(sheet)
    if layer is Layer.AGENT:
        return Page(word, mark, named(sheet.subject, layer), (message,))
    more = () if sheet.headline in {"", message} else (sheet.headline,)
    sections = tuple(section for section in sheet.sections if section.entries)
    closing = [(REPEAT, sheet.repeat), *further]
    if step := _next(sheet) if word == "UNDECIDED" else None:
        sections = (step, *sections)
    else:
        closing.insert(0, (NEXT, sheet.next_command or sheet.next_step))
    if layer is Layer.PROOF:
        closing.insert(0, (PROOF, sheet.verdict.proof_ref or ""))
    kept = tuple((label, value) for label, value in closing if value)
    page = Page(word, mark, sheet.subject, (message, *more), sections, kept, sheet.timeline, sheet.diagram)
    return page if verbose else shortened(page, sheet.most_lines)


def _next(sheet: Sheet) -> Section | None:
    """Return what an undecided report begins with."""
    told = [each for each in (sheet.next_command or sheet.repeat, sheet.next_step) if each]
    return Section(NEXT, (Entry(Mark.NOTE, told[0], detail=tuple(told[1:])),), whole=True) if told else None


def shortened(page: Page, most: int) -> Page:
    """Return the page with at most ``most`` lines, and one of them that counts the others.

    Whole sections stay; then comes what fails, then the first lines of every section, and so on.
    """
    sections = [replace(each, entries=_failing_first(each.entries)) for each in page.sections]
    ends = len(page.closing) + bool(page.closing)
    length = sum(2 + sum(map(_lines, each.entries)) for each in sections)
    if 1 + len(page.sentences) + length + ends <= most:
        return replace(page, sections=tuple(sections))
    room = most - 1 - len(page.sentences) - max(ends, 1) - 1
    ranked = [
        (_rank(section, entry, index), number, index)
        for number, section in enumerate(sections)
        for index, entry in enumerate(section.entries)
    ]
    shown: dict[int, dict[int, Entry]] = {}
    for rank, number, index in sorted(ranked):
        entry = _clipped(sections[number].entries[index])
        cost = _lines(entry) + (0 if number in shown else 2)
        if rank == _ALWAYS or cost <= room:
            shown.setdefault(number, {})[index] = entry
            room -= cost
    kept = tuple(
        replace(section, entries=tuple(entry for _, entry in sorted(shown[number].items())))
        for number, section in enumerate(sections)
        if number in shown
    )
    left_out = length - 2 * len(sections) - sum(_lines(entry) for section in kept for entry in section.entries)
    more = (MORE, f"{counted(left_out, 'line')}; --verbose shows {'it' if left_out == 1 else 'them'}")
    return replace(page, sections=kept, closing=(more, *page.closing) if left_out else page.closing)


_ALWAYS = -1
# How many undecided lines, or others, of one section come before those of the next.
_IN_TURN = {Mark.UNDECIDED: 5}
_OTHERS_IN_TURN = 3


def _rank(section: Section, entry: Entry, index: int) -> int:
    """Return when an entry is chosen for a short page; the least comes first."""
    if section.whole:
        return _ALWAYS
    return 0 if entry.mark is Mark.FAILS else 1 + index // _IN_TURN.get(entry.mark, _OTHERS_IN_TURN)


def _failing_first(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return entries in which what holds comes after what does not; notes stay where they are."""
    marked = iter(sorted((each for each in entries if each.mark is not Mark.NOTE), key=lambda each: _ORDER[each.mark]))
    return tuple(each if each.mark is Mark.NOTE else next(marked) for each in entries)


def _lines(entry: Entry) -> int:
    return max(len(lines_of(entry.text)), 1) + sum(len(lines_of(each)) for each in entry.detail)


def _clipped(entry: Entry) -> Entry:
    """Return an entry with its first lines alone where it is long."""
    if _lines(entry) <= MOST_ENTRY_LINES:
        return entry
    text = lines_of(entry.text)
    *kept, last = [*text, *(line for each in entry.detail for line in lines_of(each))][:MOST_ENTRY_LINES]
    told = [*kept, f"{last} …"]
    return replace(entry, text="\n".join(told[: len(text)]), detail=tuple(told[len(text) :]))


def summary_page(
    subject: str,
    sheets: Sequence[Sheet],
    weakest: DiagnosticResult,
    blank: Sequence[str] = (),
    layer: Layer = Layer.PROOF,
) -> Page:
    """Return the page that closes a run over several files: one line each, the counts, and what to run next.

    ``blank`` are files without anything to verify; they are named, not counted.
    """
    word = verdict_word(weakest)
    entries = tuple(summary_entry(replace(sheet, subject=named(sheet.subject, layer))) for sheet in sheets)
    nothing = "It defines no function and no class."
    entries += tuple(Entry(Mark.NOTE, f"{named(name, layer)}: {nothing}") for name in blank)
    words = [verdict_word(sheet.verdict) for sheet in sheets]
    counts = ", ".join(f"{words.count(each)} {each}" for each in dict.fromkeys(WORD_OF.values()) if each in words)
    sections: tuple[Section, ...] = (Section("Summary", entries),)
    closing: tuple[tuple[str, str], ...] = ()
    if layer is not Layer.AGENT:
        steps = (_next(sheet) for sheet in sheets if verdict_word(sheet.verdict) == "UNDECIDED")
        sections = (*filter(None, [next(steps, None)]), *sections)
        closing = details(sheets, sections)
    return Page(word, MARK_OF.get(word, Mark.UNDECIDED), named(subject, layer), (f"{counts}.",), sections, closing)


def details(sheets: Sequence[Sheet], shown: Sequence[Section]) -> tuple[tuple[str, str], ...]:
    """Return the closing line with the command that says more about the weakest of several.

    There is none where all hold, or where the command is shown as what is next.
    """
    told = [each for each in sheets if each.repeat and not each.verdict.is_verified]
    known = {entry.text for section in shown if section.title == NEXT for entry in section.entries}
    command = min(told, key=weakness).repeat if told else ""
    return ((DETAILS, command),) if command and command not in known else ()


def weakness(sheet: Sheet) -> int:
    """Return by what sheets are sorted, those that say most against their subject first."""
    return _ORDER[_mark(sheet)]


def _mark(sheet: Sheet) -> Mark:
    return MARK_OF.get(verdict_word(sheet.verdict), Mark.UNDECIDED)


def summary_entry(sheet: Sheet, *, with_subject: bool = True, with_reason: bool = False) -> Entry:
    """Return the one line that stands for a whole sheet, and below it the line of the sheet that says why."""
    word = verdict_word(sheet.verdict)
    subject = f"{sheet.subject}: " if with_subject else ""
    reason = _reason(sheet) if with_reason else ()
    return Entry(_mark(sheet), f"{subject}{sheet.verdict.agent_message}", None, reason, word=word)


def _reason(sheet: Sheet) -> tuple[str, ...]:
    entries = [entry for section in sheet.sections for entry in section.entries]
    told = next((entry for mark in (Mark.FAILS, Mark.UNDECIDED) for entry in entries if entry.mark is mark), None)
    if told is None:
        return ()
    place = f"line {told.line}: " if told.line else ""
    what_came = told.detail[:1] if told.mark is Mark.FAILS else ()
    return (" ".join((place + lines_of(told.text)[0], *what_came)),)
