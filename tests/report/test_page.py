"""Pages: what is shown first, what may be left out, and what each layer may read."""

from __future__ import annotations

import pytest

from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.report.page import SHOWN_LINES, page_of, shortened, summary_page, verdict_word

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


def test_a_long_section_keeps_every_line_that_matters() -> None:
    entries = [Entry(Mark.HOLDS, f"holds {number}") for number in range(100)]
    entries[50:50] = [Entry(Mark.FAILS, "fails"), Entry(Mark.UNDECIDED, "open")]
    kept = shortened(Section("Many", tuple(entries))).entries
    assert [entry.text for entry in kept if entry.mark in {Mark.FAILS, Mark.UNDECIDED}] == ["fails", "open"]
    assert len(kept) == SHOWN_LINES + 1
    assert kept[-1].text == "and 82 more; --verbose shows them"


def test_a_section_of_failures_is_never_shortened() -> None:
    section = Section("Bad", tuple(Entry(Mark.FAILS, str(number)) for number in range(SHOWN_LINES * 3)))
    assert shortened(section) == section


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
