"""Exact claims through the whole service: verdicts, proofs that a stranger checks, and forged ones."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from probatum import check_claim
from probatum.app.kinds import built_in_kinds
from probatum.app.request_lines import answer_to, identify
from probatum.core.canonical import canonical_bytes
from probatum.core.command import NOTHING
from probatum.core.digest import digest_of
from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError, UsageError
from probatum.exact.claim import ExactClaim, proved, refuted, undecided
from probatum.exact.evaluation import evaluate
from probatum.kinds.claim.request import MAX_CLAIM_BYTES
from probatum.kinds.claim.wire import claim_named
from probatum.kinds.claim.workbench import ClaimWorkbench
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from tests.services import Answer, Service

Document = dict[str, object]
DECLARED = {"declare": ["p, q: bool"], "premise": ["p -> q", "p"]}


class InThisProcess:
    """An executor that evaluates here, so that a test sees what happens."""

    def evaluate(self, question: bytes) -> bytes:
        return evaluate(question)

    def close(self) -> None:
        pass


class Fails(InThisProcess):
    """An executor whose process never answers."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def evaluate(self, question: bytes) -> bytes:
        raise self.error


class Claims(Service):
    """A service whose engines run as a test chooses."""

    def __init__(self, store: MemoryStore, executor: InThisProcess | None = None) -> None:
        super().__init__(store)
        self.claims = ClaimWorkbench(executor or InThisProcess())

    def bench(self, kind):  # type: ignore[no-untyped-def]  # as the service's
        return self.claims if kind.name == "claim" else super().bench(kind)


def judged(engine: str, statement: str, service: Service | None = None, **given: object) -> Answer:
    service = service or Claims(MemoryStore())
    return service.verify(built_in_kinds()["claim"], claim_named(engine, statement, given))


def fields(answer: Answer) -> tuple[str, str, str]:
    verdict = answer.verdict
    return verdict.status.value, verdict.constraint_id or "", str(verdict.developer_fields["outcome"])


@pytest.mark.parametrize(
    ("engine", "statement", "given", "expected"),
    [
        ("math", "0.1 + 0.2 = 0.3", {}, ("VERIFIED", "math.holds", "proved")),
        ("math", "0.1 + 0.2 = 0.30000001", {}, ("UNVERIFIABLE", "math.fails", "refuted")),
        ("math", "", {}, ("BLOCKED", "math.no_claim", "not_attempted")),
        ("math", "hello", {}, ("BLOCKED", "math.no_claim", "not_attempted")),
        ("math", "1 +", {}, ("BLOCKED", "math.syntax", "not_attempted")),
        ("logic", "q", DECLARED, ("VERIFIED", "logic.holds", "proved")),
        ("logic", "not q", DECLARED, ("UNVERIFIABLE", "logic.fails", "refuted")),
        ("logic", "p", {"premise": ["p"]}, ("BLOCKED", "logic.missing_declarations", "not_attempted")),
    ],
)
def test_a_ruling_becomes_a_verdict(
    engine: str, statement: str, given: dict[str, object], expected: tuple[str, str, str]
) -> None:
    answer = judged(engine, statement, **given)
    assert fields(answer) == expected
    assert (answer.verdict.proof_ref is not None) is (expected[0] == "VERIFIED")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (BudgetError("engine.out_of_budget", "It took too long."), ("UNVERIFIABLE", "engine.out_of_budget")),
        (NotAttemptedError("verifier.fault", "No process."), ("BLOCKED", "verifier.fault")),
        (RuntimeError("the process ended"), ("BLOCKED", "verifier.fault")),
        (MemoryError(), ("UNVERIFIABLE", "engine.too_large")),
    ],
)
def test_an_engine_that_gives_no_answer_is_never_a_pass(error: Exception, expected: tuple[str, str]) -> None:
    answer = judged("math", "1 = 1", Claims(MemoryStore(), Fails(error)))
    assert fields(answer)[:2] == expected
    assert answer.verdict.proof_ref is None


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"null",
        b"{}",
        b'{"ruling": "proved"}',
        json.dumps({"ruling": {"outcome": "proved", "constraint": "", "detail": "", "evidence": {}}}).encode(),
        json.dumps({"ruling": {"outcome": "tested", "constraint": "a.b", "detail": "", "evidence": {"a": 1}}}).encode(),
    ],
)
def test_an_answer_that_is_no_ruling_is_never_a_pass(said: bytes) -> None:
    class Says(InThisProcess):
        def evaluate(self, question: bytes) -> bytes:
            return said

    answer = judged("math", "1 = 1", Claims(MemoryStore(), Says()))
    assert answer.verdict.status.value == "BLOCKED"


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        (("maths", "1 = 1", {}), "engine.engine"),
        (("math", "1 = 1", {"premise": ["p"]}), "engine.input"),
        (("logic", "p", {"declare": [{1}]}), "request.invalid"),
        (("math", "1 = 1 " * 10_000, {}), "engine.too_large"),
        (("logic", "p", {"declare": float("nan")}), "engine.non_finite"),
        (("logic", "p", {"declare": ["x" * MAX_CLAIM_BYTES]}), "engine.too_large"),
    ],
)
def test_what_is_no_claim_is_refused_at_the_door(claim: tuple[str, str, dict[str, object]], code: str) -> None:
    with pytest.raises(ProbatumError) as caught:
        claim_named(*claim)
    assert caught.value.code == code


def test_a_proof_holds_for_a_stranger_and_on_replay() -> None:
    store = MemoryStore()
    reference = judged("logic", "q", Claims(store), **DECLARED).verdict.proof_ref
    assert reference is not None
    with Claims(store) as service:
        assert recheck(reference, store, service.recheckers(), replay=True).holds


def sealed(entry: Document) -> None:
    entry["digest"] = digest_of(canonical_bytes(entry["content"]))


def another_statement(document: Document) -> None:
    document["contract"]["content"]["statement"] = "not q"
    sealed(document["contract"])


def another_statement_and_subject(document: Document) -> None:
    another_statement(document)
    document["subject"]["digest"] = digest_of(b"not q")


def stronger_premises(document: Document) -> None:
    document["contract"]["content"]["given"]["premise"] = ["p -> q"]
    sealed(document["contract"])


def another_engine(document: Document) -> None:
    document["contract"]["content"]["engine"] = "math"
    sealed(document["contract"])


def unknown_engine(document: Document) -> None:
    document["contract"]["content"]["engine"] = "magic"
    sealed(document["contract"])


def another_constraint(document: Document) -> None:
    document["observations"][0]["constraint"] = "math.holds"


def no_certificate(document: Document) -> None:
    document["observations"][0]["certificate"] = {}


def no_observation(document: Document) -> None:
    document["observations"] = []


def two_observations(document: Document) -> None:
    document["observations"] *= 2


def more_in_the_certificate(document: Document) -> None:
    document["observations"][0]["certificate"]["sure"] = True


def another_policy(document: Document) -> None:
    document["policy"]["content"]["certificate"] = "taken as it is"
    sealed(document["policy"])


def another_message(document: Document) -> None:
    document["decision"]["agent_message"] = "All is well."


FORGERIES: tuple[Callable[[Document], None], ...] = (
    another_statement,
    another_statement_and_subject,
    stronger_premises,
    another_engine,
    unknown_engine,
    another_constraint,
    no_certificate,
    no_observation,
    two_observations,
    more_in_the_certificate,
    another_policy,
    another_message,
)


@pytest.fixture(scope="module")
def kept() -> tuple[MemoryStore, Document]:
    store = MemoryStore()
    reference = judged("logic", "q", Claims(store), **DECLARED).verdict.proof_ref
    assert reference is not None
    return store, json.loads(store.fetch(reference))


@pytest.mark.parametrize("change", FORGERIES, ids=lambda change: change.__name__)
def test_a_forged_proof_fails(kept: tuple[MemoryStore, Document], change: Callable[[Document], None]) -> None:
    store, document = kept
    changed = json.loads(json.dumps(document))
    change(changed)
    reference = store.retain(canonical_bytes(changed))
    with Claims(store) as service:
        assert not recheck(reference, store, service.recheckers()).holds


def test_a_proof_whose_engine_lied_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probatum.exact.evaluation.decide", lambda claim: proved("math.holds", {"form": "trust me"}))
    answer = judged("math", "1 = 2")
    assert fields(answer)[:2] == ("BLOCKED", "verifier.fault")


@pytest.mark.parametrize(
    "ruling", [refuted("math.fails", "No.", {"left": "1"}), undecided("math.beyond", "Perhaps.", {"left": "1"})]
)
def test_only_a_proof_has_an_account(ruling: object) -> None:
    from probatum.kinds.claim.decision import claim_account

    with pytest.raises(ValueError, match="only a proved claim"):
        claim_account(ExactClaim("math", "1 = 1"), ruling)  # type: ignore[arg-type]  # a ruling


@pytest.mark.parametrize(
    ("line", "status", "constraint"),
    [
        ({"engine": "math", "statement": "1/3 * 3 = 1"}, "VERIFIED", "math.holds"),
        ({"engine": "logic", "statement": "q", **DECLARED}, "VERIFIED", "logic.holds"),
        ({"engine": "math", "statement": ""}, "BLOCKED", "math.no_claim"),
        ({"engine": "math"}, "BLOCKED", "request.invalid"),
        ({"engine": 1, "statement": "1 = 1"}, "BLOCKED", "request.invalid"),
        ({"statement": "1 = 1"}, "BLOCKED", "request.invalid"),
        ({"engine": "math", "statement": "1 = 1", "steps": 3}, "BLOCKED", "request.invalid"),
        ({"engine": "math", "statement": "1 = 1" * 9_999}, "UNVERIFIABLE", "engine.too_large"),
    ],
)
def test_a_request_line(line: dict[str, object], status: str, constraint: str) -> None:
    written = json.dumps({"id": "a", "kind": "claim", **line}).encode()
    answer = answer_to(Claims(MemoryStore()), identify(written, 1, "lines"), NOTHING)
    assert fields(answer)[:2] == (status, constraint)


def test_a_number_that_reading_would_change_is_refused_in_a_line() -> None:
    written = b'{"id": "a", "kind": "claim", "engine": "logic", "statement": "x", "declare": 0.12345678901234567890123}'
    answer = answer_to(Claims(MemoryStore()), identify(written, 1, "lines"), NOTHING)
    assert fields(answer)[:2] == ("BLOCKED", "request.invalid")
    assert "as text" in str(answer.verdict.developer_fields)


def test_the_public_door() -> None:
    store = MemoryStore()
    verdict = check_claim("logic", "q", {"declare": ["p, q: bool"], "premise": ["p -> q", "p"]}, store=store)
    assert verdict.status.value == "VERIFIED"
    assert verdict.proof_ref is not None
    assert store.fetch(verdict.proof_ref)
    with pytest.raises(UsageError, match="'engine' must be text"):
        check_claim(1, "1 = 1")  # type: ignore[arg-type]  # what a careless caller writes
