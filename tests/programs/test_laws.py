"""Laws of equality, hashing and order: a broken one refutes, and no class is refuted for what it means to do."""

from __future__ import annotations

import pytest

from tests.programs.law_subjects import LAW_SUBJECTS, LAWFUL
from tests.services import Answer, ProgramRequest, Service


def verify(source: str, service: Service) -> Answer:
    return service.verify_program(ProgramRequest(source.encode(), "subject.py", allow_unchecked=True))


@pytest.mark.parametrize("case", LAW_SUBJECTS)
def test_broken_law_refutes(case: str, service: Service) -> None:
    verdict = verify(LAW_SUBJECTS[case].wrong, service).verdict
    assert (verdict.outcome, verdict.constraint_id) == ("refuted", "program.law_broken")
    shown = str(verdict.developer_fields["counterexample"])
    assert shown.startswith("a = ")
    compile(shown, "shown", "exec")


RIGHT = {subject.right: None for subject in LAW_SUBJECTS.values()}


@pytest.mark.parametrize("source", RIGHT, ids=range(len(RIGHT)))
def test_class_that_keeps_its_laws_is_verified(source: str, service: Service) -> None:
    answer = verify(source, service)
    assert answer.verdict.outcome == "tested", answer.verdict.developer_fields
    [function] = answer.parts
    kept = [
        row for row in function.details["result"]["test_results"]["test_results"] if row["test_id"].startswith("law")
    ]
    assert kept
    assert all(row["passed"] for row in kept)


@pytest.mark.parametrize("case", LAWFUL)
def test_class_that_means_it_is_not_refuted(case: str, service: Service) -> None:
    assert verify(LAWFUL[case], service).verdict.outcome != "refuted"


def test_laws_alone_do_not_verify(service: Service) -> None:
    source = LAW_SUBJECTS["equal objects with different hashes"].right
    head, _, rest = source.partition('    """A label')
    bare = head + rest.partition('"""\n')[2]
    verdict = verify(bare, service).verdict
    assert (verdict.outcome, verdict.constraint_id) == ("undecided", "program.no_specification")


def test_broken_law_refutes_without_any_document(service: Service) -> None:
    source = LAW_SUBJECTS["equal objects with different hashes"].wrong
    head, _, rest = source.partition('    """A label')
    verdict = verify(head + rest.partition('"""\n')[2], service).verdict
    assert verdict.constraint_id == "program.law_broken"
