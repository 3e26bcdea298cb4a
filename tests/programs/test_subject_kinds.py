"""Every kind of subject works whole: the right program is VERIFIED, the wrong one refuted with something to paste."""

from __future__ import annotations

import pytest

from tests.programs.subject_kinds import SUBJECTS
from tests.services import ProgramRequest, Service, tolerant


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", SUBJECTS)
def test_right_one_is_verified(kind: str, service: Service) -> None:
    subject = SUBJECTS[kind]
    request = tolerant(subject.right.encode(), "subject.py", subject.name)
    answer = service.verify_program(request)
    assert answer.verdict.outcome == "tested", answer.verdict.developer_fields


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", SUBJECTS)
def test_wrong_one_is_refuted_by_something_to_paste(kind: str, service: Service) -> None:
    subject = SUBJECTS[kind]
    answer = service.verify_program(ProgramRequest(subject.wrong.encode(), "subject.py", subject.name))
    assert answer.verdict.outcome == "refuted"
    shown = str(answer.verdict.developer_fields["counterexample"])
    compile(shown, "shown", "exec", 0x2000)
