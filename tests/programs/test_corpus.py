"""The corpus: every program gets the verdict that an honest user would want.

`tests/corpus/README.md` says what a case is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.app.documents import answer_line
from probatum.app.request_lines import identify
from probatum.bench.corpus import read_corpus
from probatum.bench.labelled import Labelled
from probatum.bench.measure import measured
from probatum.bench.runner import request_line
from probatum.core.command import Given
from tests.kinds.lines import request_of
from tests.services import ProgramRequest, Service

CORPUS = read_corpus(Path(__file__).resolve().parents[1] / "corpus", limit=None)


# Cases are about one feature each, and whether that is honoured: what else they say, and who accepts readings, is for
# other tests.
TOLERANT = Given(options={"allow-unchecked": True, "readings-policy": "proposed"})


def _name(program: Labelled) -> str:
    return f"{program.task} {program.label}"


@pytest.mark.sampled(9)
@pytest.mark.parametrize("program", CORPUS, ids=map(_name, CORPUS))
def test_the_verdict_is_the_expected_one(program: Labelled, service: Service) -> None:
    request = request_of(identify(request_line(0, program), 0, "the corpus"), TOLERANT)
    assert isinstance(request, ProgramRequest), "the case is no request"
    answer = service.verify_program(request)
    row = measured(program, answer_line("0", answer))
    assert row.is_as_expected, f"expected {program.expected}, got {row.outcome}: {answer.verdict.developer_fields}"
