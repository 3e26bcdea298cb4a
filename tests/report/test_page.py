"""Pages: what is shown first, what may be left out, and what each layer may read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer
from probatum.core.sheet import Entry, Mark, Page, Section, Sheet
from probatum.report.page import page_of, summary_page, verdict_word
from probatum.report.text import plain_text

EVIDENCE = {"observed": 1}


def verdict_of(outcome: Outcome) -> DiagnosticResult:
    constraint = {"tested": "program.tested", "refuted": "program.counterexample"}.get(outcome, "program.flaky")
    decision = decide(outcome, constraint, {"name": "mean", "checks": 4, "noticed": 9, "planted": 10})
    fields = decision.developer_fields()
    if outcome is Outcome.TESTED:
        return DiagnosticResult.verified(decision.agent_message, fields, EVIDENCE)
    build = DiagnosticResult.blocked if outcome is Outcome.NOT_ATTEMPTED else DiagnosticResult.unverifiable
    return build(decision.agent_message, fields)


def sheet_of(outcome: Outcome, subject: str = "app.py::mean") -> Sheet:
    clauses = Section("Clauses", (Entry(Mark.HOLDS, "mean([1]) == 1", 3),))
    empty = Section("Nothing here", ())
    return Sheet(subject, verdict_of(outcome), "", (clauses, empty), "probatum verify app.py::mean", "Ship it.")


WORDS = {
    Outcome.TESTED: "VERIFIED",
    Outcome.REFUTED: "REFUTED",
    Outcome.UNDECIDED: "UNDECIDED",
    Outcome.NOT_ATTEMPTED: "BLOCKED",
}


@pytest.mark.parametrize("outcome", WORDS, ids=lambda outcome: outcome.value)
def test_every_outcome_has_its_word_and_never_the_word_correct(outcome: Outcome) -> None:
    page = page_of(sheet_of(outcome))
    assert page.word == WORDS[outcome]
    assert "correct" not in " ".join((page.word, *page.sentences)).lower()


def test_a_verdict_without_an_outcome_shows_its_status() -> None:
    assert verdict_word(DiagnosticResult.unverifiable("Nothing was found.", {})) == "UNVERIFIABLE"


def test_empty_sections_are_left_out() -> None:
    assert [section.title for section in page_of(sheet_of(Outcome.TESTED)).sections] == ["Clauses"]


def test_the_agent_reads_the_sentence_alone() -> None:
    page = page_of(sheet_of(Outcome.REFUTED), layer=Layer.AGENT, verbose=True)
    assert (page.sections, page.closing) == ((), ())
    assert page.sentences == ("mean does not do what its documentation says.",)


def test_the_developer_reads_everything_but_the_proof_reference() -> None:
    labels = {layer: [label for label, _ in page_of(sheet_of(Outcome.TESTED), layer=layer).closing] for layer in Layer}
    assert labels[Layer.PROOF] == ["Proof", "Next", "Repeat"]
    assert labels[Layer.DEVELOPER] == ["Next", "Repeat"]


def test_an_undecided_page_begins_with_the_command_that_gets_it_decided() -> None:
    sheet = sheet_of(Outcome.UNDECIDED)
    assert page_of(sheet).sections[0] == step("probatum verify app.py::mean", "Ship it.")
    sheet = replace(sheet, next_command="probatum read app.py::mean --ask")
    assert page_of(sheet).sections[0] == step("probatum read app.py::mean --ask", "Ship it.")
    assert [label for label, _ in page_of(sheet).closing] == ["Repeat"]


MOST_LINES = 25


def step(command: str, told: str) -> Section:
    return Section("Next", (Entry(Mark.NOTE, command, detail=(told,)),), whole=True)


def lines_of(page: Page) -> int:
    return len(plain_text(page).splitlines())


def many(mark: Mark, count: int, *detail: str) -> tuple[Entry, ...]:
    return tuple(Entry(mark, f"{mark} {number}", detail=detail) for number in range(count))


@pytest.mark.parametrize("outcome", WORDS, ids=lambda outcome: outcome.value)
@pytest.mark.parametrize("count", [1, 5, 6, 7, 40])
def test_a_short_page_has_25_lines(outcome: Outcome, count: int) -> None:
    sections = tuple(Section(f"{mark}", many(mark, count, "detail")) for mark in Mark)
    sheet = replace(sheet_of(outcome), sections=sections, most_lines=MOST_LINES)
    page = page_of(sheet)
    assert lines_of(page) <= MOST_LINES
    whole = lines_of(page_of(sheet, verbose=True))
    more = dict(page.closing).get("More", "")
    shown = sum(1 + len(entry.detail) for section in page.sections for entry in section.entries)
    every = sum(1 + len(e.detail) for section in page_of(sheet, verbose=True).sections for e in section.entries)
    assert more == (f"{every - shown} lines; --verbose shows them" if whole > MOST_LINES else "")


def test_what_fails_stays_before_what_is_open_and_that_before_what_holds() -> None:
    entries = (*many(Mark.HOLDS, 30), *many(Mark.UNDECIDED, 2), *many(Mark.FAILS, 2))
    page = page_of(replace(sheet_of(Outcome.REFUTED), sections=(Section("Many", entries),), most_lines=MOST_LINES))
    kept = [entry.mark for entry in page.sections[0].entries]
    assert kept[:4] == [Mark.FAILS, Mark.FAILS, Mark.UNDECIDED, Mark.UNDECIDED]
    assert set(kept[4:]) == {Mark.HOLDS}


def test_every_section_keeps_its_first_lines() -> None:
    sections = tuple(Section(title, many(Mark.HOLDS, 30)) for title in ("A", "B", "C"))
    page = page_of(replace(sheet_of(Outcome.TESTED), sections=sections, most_lines=MOST_LINES))
    assert [section.title for section in page.sections] == ["A", "B", "C"]


def test_a_whole_section_stays_and_of_a_long_entry_its_first_lines() -> None:
    long = Entry(Mark.FAILS, "\n".join(map(str, range(30))), detail=("got 1",))
    sections = (Section("Others", many(Mark.FAILS, 30)), Section("Counterexample", (long,), whole=True))
    page = page_of(replace(sheet_of(Outcome.REFUTED), sections=sections, most_lines=MOST_LINES))
    assert lines_of(page) <= MOST_LINES
    [entry] = page.sections[1].entries
    assert entry.text.splitlines() == [*map(str, range(11)), "11 …"]


def test_a_verbose_page_leaves_nothing_out() -> None:
    section = Section("Many", tuple(Entry(Mark.HOLDS, str(number)) for number in range(100)))
    sheet = Sheet("app.py", verdict_of(Outcome.TESTED), "", (section,))
    assert page_of(sheet, verbose=True).sections == (section,)


def test_the_summary_counts_every_word_and_takes_the_weakest() -> None:
    sheets = [sheet_of(Outcome.TESTED, "a.py"), sheet_of(Outcome.TESTED, "b.py"), sheet_of(Outcome.REFUTED, "c.py")]
    page = summary_page("app", sheets, verdict_of(Outcome.REFUTED))
    assert page.word == "REFUTED"
    assert page.sentences == ("2 VERIFIED, 1 REFUTED.",)
    assert len(page.sections[0].entries) == 3


def test_the_summary_of_undecided_files_begins_with_what_the_first_needs() -> None:
    sheets = [sheet_of(Outcome.TESTED, "a.py"), sheet_of(Outcome.UNDECIDED, "b.py")]
    page = summary_page("app", sheets, verdict_of(Outcome.UNDECIDED))
    assert page.sections[0] == step("probatum verify app.py::mean", "Ship it.")
    assert page.closing == ()
    sheets[1] = replace(sheets[1], next_command="probatum read b.py --ask")
    page = summary_page("app", sheets, verdict_of(Outcome.UNDECIDED))
    assert page.sections[0] == step("probatum read b.py --ask", "Ship it.")
    assert page.closing == (("Details", "probatum verify app.py::mean"),)
    assert summary_page("app", sheets, verdict_of(Outcome.UNDECIDED), layer=Layer.AGENT).closing == ()
