"""What the service makes of a kind that a package got wrong: never more than a verdict without a proof."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import typer

from probatum.app import asking, pool, service
from probatum.app import kinds as registry
from probatum.app.bench_port import BenchRunner
from probatum.app.documents import answer_document, answer_line
from probatum.app.pool import PATIENCE_SECONDS, PoolOptions, require_usable
from probatum.app.service import Service
from probatum.cli.application import run
from probatum.core.command import Command, Given, Option
from probatum.core.decision import Decision, Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError, UsageError
from probatum.core.sheet import Sheet
from probatum.core.subject import Subject
from probatum.proof.account import Account, proof_of
from probatum.proof.artifact import Described, VerifierVersion
from probatum.proof.stores import MemoryStore
from probatum.verification.kind import PlainKind
from probatum.verification.observed import Observed, Proof, Whole

SENTENCES = {
    "line.kept": "All {lines:count} lines are right.",
    "line.open": "It is open.",
    "line.too_large": "The file is larger than the budget allows.",
    "line.column": "The column {column} is missing.",
}


@dataclass(frozen=True, slots=True)
class LineRequest:
    name: str = "a.txt"
    content: bytes = b"a line"

    @property
    def recorded_name(self) -> str:
        return self.name


def kept() -> Decision:
    return decide(Outcome.PROVED, "line.kept", {"lines": 1}, catalogue=SENTENCES)


def undecided() -> Decision:
    return decide(Outcome.UNDECIDED, "line.open", catalogue=SENTENCES)


@dataclass(frozen=True)
class Line(Whole):
    decision: Decision = field(default_factory=kept)
    parts: Sequence[Observed] = ()
    told: Mapping[str, object] = field(default_factory=dict)
    name: str = "a.txt"
    kind: str = "line"
    proved: bytes = b"a line"
    proved_decision: Decision | None = None
    bytes_of_proof: bytes = b""

    def decide(self) -> Decision:
        return self.decision

    def proof(self) -> Proof:
        subject = Subject(self.proved, "text/plain", self.name)
        account = Account(
            decision=self.proved_decision or self.decision,
            claim="The line is right.",
            contract=Described("line", {}),
            policy=Described("line/v1", {"every": True}),
            observations=[{"line": 1}],
            verifiers=(VerifierVersion("line", "1"),),
            media_type="text/plain",
        )
        artifact = self.bytes_of_proof or proof_of(self.kind, account, subject)
        return Proof(artifact, {subject.digest: self.proved})

    def document(self) -> Mapping[str, object]:
        return self.told

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        return Sheet(self.name, verdict, verdict.agent_message, ())


@dataclass
class Bench:
    seen: Line | Exception = field(default_factory=Line)
    closed: list[str] = field(default_factory=list)
    ends: Exception | None = None

    def observe(self, request: LineRequest, _listener: object) -> Line:
        if isinstance(self.seen, Exception):
            raise self.seen
        return replace(self.seen, name=request.name)

    def close(self) -> None:
        self.closed.append("closed")
        if self.ends is not None:
            raise self.ends


@dataclass
class LineKind(PlainKind[LineRequest]):
    bench: Bench = field(default_factory=Bench)
    name: str = "line"
    too_large: str = "line.too_large"
    sentences: Mapping[str, str] = field(default_factory=lambda: SENTENCES)
    command: Command = field(
        default_factory=lambda: Command(
            "line", "Right?", "Say so.", "FILE", "A file.", batch=(Option("width", "How wide."),)
        )
    )
    found: Sequence[LineRequest] = ()
    patient: list[Given] = field(default_factory=list)

    def requests(self, _given: Given, _sources: object) -> Sequence[LineRequest]:
        return self.found

    def request(self, _line: object) -> LineRequest:
        return LineRequest()

    def open(self, given: Given, _host: object) -> Bench:
        if given.text("width") == "none":
            raise UsageError("width.invalid", "A width is a number.")
        return self.bench

    def patience(self, defaults: Given) -> float:
        self.patient.append(defaults)
        return float(defaults.text("width") or 1)


def run_command(arguments: Sequence[str], run_bench: BenchRunner) -> int:
    return run(arguments, run_bench, lambda _: pytest.fail("a service"), *[lambda _: pytest.fail("tools")] * 2)


def verdict_document(seen: Line | Exception) -> dict[str, object]:
    with Service(MemoryStore()) as asked:
        answer = asked.verify(LineKind(Bench(seen)), LineRequest())
    document = answer_document(answer)
    assert answer_line("1", answer)["verdict"] == document["verdict"]
    assert isinstance(document["verdict"], dict)
    assert (document["verdict"]["status"] == "VERIFIED") is (answer.exit_code == 0)
    return document


def test_a_whole_that_is_weaker_than_its_only_part_is_shown_as_the_whole() -> None:
    document = verdict_document(Line(undecided(), parts=(Line(),)))
    assert isinstance(document["verdict"], dict)
    assert document["verdict"]["status"] == "UNVERIFIABLE"


def test_a_whole_that_is_stronger_than_its_only_part_is_shown_as_the_part() -> None:
    document = verdict_document(Line(kept(), parts=(Line(undecided()),)))
    assert isinstance(document["verdict"], dict)
    assert document["verdict"]["status"] == "UNVERIFIABLE"


def test_what_a_kind_tells_never_takes_the_place_of_the_verdict() -> None:
    document = verdict_document(Line(undecided(), told={"verdict": {"status": "VERIFIED"}, "result": 1}))
    assert isinstance(document["verdict"], dict)
    assert document["verdict"]["status"] == "UNVERIFIABLE"
    assert document["result"] == 1


UNTELLABLE: dict[str, Exception] = {
    "a sentence that repeats what developers are told": BudgetError("line.too_large", SENTENCES["line.too_large"]),
    "a sentence with a slot that an error cannot fill": NotAttemptedError("line.column", "No such column."),
    "a defect": RuntimeError("no"),
}


@pytest.mark.parametrize("case", UNTELLABLE)
def test_a_kind_that_cannot_tell_its_error_is_blocked(case: str) -> None:
    document = verdict_document(UNTELLABLE[case])
    assert isinstance(document["verdict"], dict)
    assert document["verdict"]["status"] == "BLOCKED"


class LyingKind(LineKind):
    """Makes its usual observation of an error."""

    def not_judged(self, _request: LineRequest, _decision: Decision) -> Observed:
        return Line()


def test_a_kind_that_passes_what_it_could_not_observe_is_blocked() -> None:
    with Service(MemoryStore()) as asked:
        answer = asked.verify(LyingKind(Bench(RuntimeError("no"))), LineRequest())
    assert answer.verdict.status.value == "BLOCKED"


BENT: dict[str, Line] = {
    "bytes that are no artifact": Line(bytes_of_proof=b"{}"),
    "a proof of another kind": Line(kind="other"),
    "a proof about another subject": Line(proved=b"aline"),
    "a proof of another decision": Line(
        proved_decision=decide(Outcome.TESTED, "line.kept", {"lines": 1}, catalogue=SENTENCES)
    ),
    "a document that is not JSON": Line(told={"when": object()}),
    "a document with a number that JSON does not have": Line(told={"share": float("nan")}),
}


@pytest.mark.parametrize("case", BENT)
def test_what_a_package_gives_for_a_pass_is_looked_at_before_it_is_one(case: str) -> None:
    kept = MemoryStore()
    with Service(kept) as asked:
        answer = asked.verify(LineKind(Bench(BENT[case])), LineRequest())
        part = asked.verify(LineKind(Bench(Line(undecided(), parts=(Line(), BENT[case])))), LineRequest())
    assert answer.verdict.status.value == part.verdict.status.value == "BLOCKED"
    assert not list(kept.digests())


def test_every_workbench_is_closed_though_one_fails() -> None:
    first, second = Bench(ends=RuntimeError("no")), Bench(ends=RuntimeError("neither"))
    asked = Service(MemoryStore())
    asked.bench(LineKind(first))
    asked.bench(LineKind(second, name="other"))
    with pytest.raises(RuntimeError):
        asked.close()
    assert (first.closed, second.closed) == (["closed"], ["closed"])


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> LineKind:
    """A kind that is registered beside the built-in ones."""
    made = LineKind()
    every = [*registry.built_in_kinds().values(), made]
    for module in (service, pool):
        monkeypatch.setattr(module, "every_kind", lambda: iter(every))
    monkeypatch.setattr(pool, "kind_named", {each.name: each for each in every}.get)
    monkeypatch.setattr("probatum.cli.application.every_kind", lambda _tell: iter(every))
    return made


def test_an_option_of_a_package_is_found_unusable_before_any_work(kind: LineKind, tmp_path: Path) -> None:
    require_usable(PoolOptions(tmp_path, 1))
    assert not kind.patient
    with pytest.raises(UsageError, match="A width is a number"):
        require_usable(PoolOptions(tmp_path, 1, given=Given(options={"width": "none"})))


def test_the_patience_is_that_of_what_the_line_says(kind: LineKind) -> None:
    def patience(**fields: object) -> float:
        return pool._kind_and_patience(json.dumps({"id": "1", **fields}).encode(), Given(options={"width": "7"}))[1]

    assert patience(kind="line") == 7
    assert patience(kind="line", width="9") == 9
    assert patience(kind="line", width=[]) == PATIENCE_SECONDS
    assert patience(kind="nobody's") == PATIENCE_SECONDS
    assert patience(kind="program", level="thorough", source="") == 1200


def test_a_verifier_that_a_package_offers_is_found_and_takes_no_place(kind: LineKind) -> None:
    with Service(MemoryStore()) as asked:
        kind.verifier_id = "line.verifier"  # type: ignore[misc]  # what a package's class says
        assert set(asked.verifier_ids()) == {"program.deep", "line.verifier"}
        kind.verifier_id = "program.deep"  # type: ignore[misc]  # what a package's class says
        assert asked._kinds_by_verifier()["program.deep"].name == "program"


def test_several_answers_are_all_shown(
    kind: LineKind, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    kind.found = [LineRequest("a.txt"), LineRequest("b.txt")]
    kind.bench = Bench(Line(undecided()))
    arguments = ("line", "both.zip", "--json", "--store", "proofs.sqlite")
    assert run_command(arguments, lambda *_: pytest.fail("a bench")) == 3
    assert set(json.loads(capsys.readouterr().out)["files"]) == {"a.txt", "b.txt"}


def test_two_answers_of_one_name_are_both_shown(
    kind: LineKind, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    kind.found = [LineRequest("a.txt"), LineRequest("a.txt")]
    run_command(("line", "both.zip", "--json", "--store", "proofs.sqlite"), lambda *_: pytest.fail("a bench"))
    assert set(json.loads(capsys.readouterr().out)["files"]) == {"a.txt", "a.txt (1)"}


@pytest.mark.parametrize("leaves", [SystemExit(0), typer.Exit(0), GeneratorExit()])
def test_a_kind_that_exits_does_not_give_the_exit_code(
    kind: LineKind, leaves: BaseException, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def exits(*_: object) -> Sequence[LineRequest]:
        raise leaves

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kind, "requests", exits)
    with pytest.raises(RuntimeError, match="ended the command from within"):
        run_command(("line", "a.txt", "--store", "proofs.sqlite"), lambda *_: pytest.fail("a bench"))


def test_a_line_that_was_not_read_whole_is_never_judged(kind: LineKind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MAX_LINE", 5)
    judge = asking.GroupJudge(kind, MemoryStore())
    assert judge.answer(LineRequest(content=b"a line")).verdict.outcome == "undecided"
    assert judge.answer(LineRequest(content=b"aline")).verdict.status.value == "BLOCKED", "its proof is about another"


def test_no_answer_is_wrong_usage(kind: LineKind, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert not kind.found
    with pytest.raises(ProbatumError, match=r"There is nothing to judge in 'empty\.zip'"):
        run_command(("line", "empty.zip", "--store", "proofs.sqlite"), lambda *_: pytest.fail("a bench"))


@pytest.mark.parametrize("option", ["contract", "python", "min-strength"])
def test_an_option_of_a_built_in_kind_is_taken(option: str) -> None:
    command = Command("line", "Right?", "Say so.", "FILE", "A file.", demands=(Option(option, "Mine."),))
    assert f"its own name for --{option}" in registry._missing(replace(LineKind(), command=command), "line")


@pytest.mark.parametrize("patience", [float("inf"), -1, None, "long"])
def test_a_patience_that_is_none_ends_no_batch(
    kind: LineKind, patience: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "patience", lambda _given: patience)
    assert 1 <= pool._kind_and_patience(b'{"id": "1", "kind": "line"}', Given())[1] <= pool.LONGEST_SECONDS


@pytest.mark.parametrize("name", ["CSV", "", "1st", "a b"])
def test_a_name_that_no_proof_can_carry_is_refused_when_it_is_loaded(name: str) -> None:
    assert "a name in lower case" in registry._missing(replace(LineKind(), name=name), name)
