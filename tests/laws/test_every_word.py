"""Every word of a documentation is code, quoted or open: none gets lost, and no layout makes one of them code.

``PROBATUM_LAYOUTS`` says how many layouts are tried; 5,000 take a minute.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.decision import DiagnosticStatus
from probatum.programs.extract import extract_module
from probatum.programs.specification import FunctionSpec, StatementKind
from probatum.proof.stores import MemoryStore
from probatum.readings.markup import is_markup
from tests.laws.layouts import LAYOUTS, MARK, SENTENCES, documents
from tests.services import Level, ProgramRequest, Service

_TRIED = int(os.environ.get("PROBATUM_LAYOUTS", "300"))
_WHOLE = 6
BODY = """
    return sum(xs)
"""


def program(document: str) -> str:
    """Return a program with this documentation, escaped so that every character of it arrives."""
    return f"def total(xs):\n    {document!r}\n{BODY}"


def documented(document: str) -> FunctionSpec:
    return extract_module(program(document)).functions[0]


def signs(text: str) -> str:
    """Return what is neither white space nor markup."""
    return "".join(sign for sign in text if not is_markup(sign))


SNIPPETS = st.sampled_from([
    *(layout.replace(MARK, "wörter") for layout in LAYOUTS),
    *("Args:", "Returns:", "Raises:", "xs", "int", "ValueError", ">>> total([1])", "1", "```", "----", "| a | b |"),
    *("pre: len(xs) > 0", "len(xs) > 0", ":param xs:", ":rtype: int", "\t", "    ", "total([1]) == 1", "\u00ad", "①"),
])  # fmt: skip
DOCUMENTS = st.lists(SNIPPETS | st.text(max_size=12), max_size=8).flatmap(
    lambda parts: st.sampled_from(["\n", "\n\n", " ", ""]).map(lambda joint: joint.join(parts))
)


@given(DOCUMENTS)
def test_every_word_stands_in_exactly_one_piece(document: str) -> None:
    function = documented(document)
    # As they are read: the first string is the documentation whatever it says, and ends of lines are one sign.
    assert signs("".join(each.text for each in function.statements)) == signs(document)


def test_there_are_many_layouts_and_languages() -> None:
    assert len(set(LAYOUTS)) >= 60
    assert len(SENTENCES) >= 6


@pytest.mark.parametrize("seed", range(3))
def test_no_layout_hides_a_sentence(seed: int) -> None:
    for document, sentence in documents(seed, _TRIED // 3 + 1):
        function = documented(document)
        words = signs("".join(each.text for each in function.words if each.kind is not StatementKind.CONDITION))
        assert signs(sentence) in words, document


@pytest.mark.parametrize(("document", "sentence"), documents(99, _WHOLE))
def test_a_program_with_a_hidden_sentence_is_not_verified(document: str, sentence: str) -> None:
    asked = ProgramRequest(program(document).encode(), "total.py", "total", level=Level.STANDARD)
    with Service(MemoryStore()) as service:
        answer = service.verify_program(asked)
    assert answer.verdict.status is not DiagnosticStatus.VERIFIED, sentence
