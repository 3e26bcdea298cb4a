"""What a program does not look at: where errors for all generated calls say that, and where they say nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.readings.values import Reading, ReadingKind
from tests.programs.readers import asked, record
from tests.services import Service

SECONDS = '''from typing import Any


class Response:
    def __init__(self, headers: dict[str, str]) -> None:
        self.headers = headers


def seconds(response: Any) -> int:
    """Return the seconds of the header Retry-After, 0 where it is missing."""
    return int(response.headers.get("Retry-After", 0))
'''
OF_HEADERS = Reading(
    "Return the seconds of the header Retry-After, 0 where it is missing.",
    ReadingKind.RESULT,
    "str(result) == response.headers.get('Retry-After', '0')",
)
RESPONSES = ("(Response({}),)", "(Response({'Retry-After': '7'}),)", "(Response({'Retry-After': '120', 'Age': '1'}),)")
CODE = '''def require_code(text: str) -> None:
    """Raise ValueError unless the text is a code, which has five letters."""
    raise ValueError(text)
'''
REFUSES = Reading(
    "Raise ValueError unless the text is a code, which has five letters.",
    ReadingKind.SESSION,
    "try:\n    require_code('abc')\n    refused = False\nexcept ValueError:\n    refused = True\nassert refused",
)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [(SECONDS, Outcome.TESTED), (SECONDS.replace('.get("Retry-After", 0)', '["Retry-After"]'), Outcome.REFUTED)],
)
def test_errors_for_all_but_the_objects_of_a_reader_say_nothing(service: Service, text: str, outcome: Outcome) -> None:
    request = asked(text.encode(), record(OF_HEADERS, function="seconds", inputs=RESPONSES), policy="proposed")
    verdict = service.verify_program(replace(request, function="seconds")).verdict
    assert verdict.outcome == outcome, verdict.developer_fields


def test_where_a_reader_shows_errors_alone_the_input_is_ignored(service: Service) -> None:
    request = asked(CODE.encode(), record(REFUSES, function="require_code", inputs=()), policy="proposed")
    verdict = service.verify_program(request).verdict
    assert verdict.outcome == Outcome.UNDECIDED
    assert "survives: it ignores what it is given" in str(verdict.developer_fields)
