"""Proofs of programs, checked again: what the records lead to, and the whole verification from the seed.

A replay asks what was asked the first time and lets the same function answer it; of the observations it reads nothing
but which functions they are about. Refuses a contract or a part that no verification of a program writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from probatum.core.canonical import JsonValue
from probatum.core.errors import NotAttemptedError
from probatum.core.events import ignore
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.core.subject import PYTHON, Subject
from probatum.kinds.program.observed import RecordedProgram, VerifiedProgram
from probatum.kinds.program.observing import observe_program
from probatum.kinds.program.proof import (
    EARLIER,
    FILE,
    MODULE,
    PACKAGE,
    READINGS,
    TESTS,
    VERIFIERS,
    contract_of,
    is_about_installed,
    program_account,
    references_of,
    versions_of,
)
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.decide import EvidencePolicy, Level, ProgramPolicy, decide_function
from probatum.programs.projects.project import imported_of
from probatum.programs.rejudge import decide_again, records_of
from probatum.programs.running.execute import Benches
from probatum.proof.account import Account, AccountRechecker, Document
from probatum.readings.recorded import reading_records
from probatum.sandbox import Environment


def program_rechecker(
    open_benches: Callable[[], Benches], python: Environment, unmet: Callable[[Document, bytes], tuple[str, ...]]
) -> AccountRechecker:
    """Return what re-checks proofs of programs; sandboxes are opened for a replay alone.

    ``unmet`` gives a sentence for each way in which a proof is about less, or something else, than is required.
    """

    def again(artifact: Document, content: bytes, parts: Mapping[str, bytes]) -> Account:
        names = {record.qualname for record in records_of(artifact["observations"])}
        request = _asked_in(artifact, content, parts)
        observed = observe_program(request, python, open_benches, ignore, only=names)
        if not isinstance(observed, VerifiedProgram):
            decision = observed.decide()
            raise NotAttemptedError(decision.constraint_id, decision.agent_message)
        return observed.account()

    return AccountRechecker(_restored, unmet, again, lambda: versions_of(python))


def recorded_program(artifact: Document, content: bytes) -> RecordedProgram:
    """Return what an artifact records; raises ValueError where it is none of a program."""
    subject = Subject(content, PYTHON, Shape(artifact).member("subject").text("name"))
    policy, whole = Shape(artifact).member("policy").raw("content"), _restored(artifact)
    versions = {each.id: each.version for each in whole.verifiers}
    contract = contract_of(artifact).raw_object()
    demanded = ProgramPolicy.from_json(policy)
    parts = []
    for record in records_of(artifact["observations"]):
        account = program_account(contract, [record], demanded, decide_function(record, demanded), versions)
        parts.append(RecordedProgram(subject, account, record))
    return RecordedProgram(subject, whole, parts=parts)


def _restored(artifact: Document) -> Account:
    told = Shape(artifact)
    policy = told.member("policy").raw_object("content")
    recorded = {each.text("id"): each.text("version") for each in told.items("verifiers")}
    packages = {name: number for name, number in recorded.items() if name.startswith(f"{PACKAGE} ")}
    versions = {name: recorded.get(name, "") for name in VERIFIERS} | packages
    decision = decide_again(artifact["observations"], policy)
    contract: dict[str, JsonValue] = contract_of(artifact).raw_object()
    records = records_of(artifact["observations"])
    return program_account(contract, records, ProgramPolicy.from_json(policy), decision, versions)


def _asked_in(artifact: Document, content: bytes, parts: Mapping[str, bytes]) -> ProgramRequest:
    """Return the request that an artifact answers."""
    contract, policy = contract_of(artifact), Shape(artifact).member("policy").member("content")
    further = {name: parts[digest] for name, digest in sorted(references_of(artifact).items())}
    module = contract.text("module")
    modules = [(name.removeprefix(MODULE), each) for name, each in further.items() if name.startswith(MODULE)]
    return ProgramRequest(
        content,
        Shape(artifact).member("subject").text("name"),
        contract.optional(Shape.text, "function"),
        contract.optional(Shape.text, "text"),
        tests=further.get(TESTS),
        against=further.get(EARLIER),
        level=policy.choice(Level, "level"),
        min_strength=policy.number("min_strength", 0, 1),
        evidence=policy.choice(EvidencePolicy, "evidence"),
        readings=() if (told := further.get(READINGS)) is None else reading_records(read_json(told)),
        readings_policy=policy.text("readings"),
        acceptance=policy.text("acceptance"),
        allow_unchecked=policy.flag("allow_unchecked"),
        refactor=policy.flag("refactor"),
        siblings=imported_of(module, content, modules),
        files=tuple((name.removeprefix(FILE), each) for name, each in further.items() if name.startswith(FILE)),
        installed_in=PACKAGE if is_about_installed(artifact) else "",
        module=module,
    )
