"""Whatever was edited in the document that a verdict came in, the gate names the place and refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from probatum.app.answers import Answer
from probatum.app.documents import answer_document, answer_line, difference, files_document
from probatum.app.gating import GateWishes, ask_gate
from probatum.app.kinds import built_in_kinds
from probatum.app.received import read_verdict
from probatum.app.sources import Sources
from probatum.core.command import Given
from probatum.core.errors import IntegrityError
from probatum.core.outside import json_text
from probatum.proof.artifact import parse_artifact
from probatum.proof.recheck import checked_parts
from probatum.proof.stores import MemoryStore
from tests.audit.bundles import made
from tests.cli.programs import HOLDING
from tests.services import Service

Document = dict[str, Any]
ONE = HOLDING
TWO = HOLDING + HOLDING.replace(b"net_price", b"gross_price").replace(b'"""Prices."""', b"")
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
REQUEST = {
    "output": {"a": 1},
    "validation_types": ["schema", "criteria"],
    "expected_schema": SCHEMA,
    "acceptance_criteria": ["python: output['a'] == 1"],
}
AUDITED = made(4)


@dataclass(frozen=True, slots=True)
class Case:
    """One subject, what is asked about it, and what the gate demands."""

    kind: str
    subject: str
    content: bytes
    options: Mapping[str, object]
    demands: Mapping[str, object]


CASES = {
    "one function": Case("program", "one.py", ONE, {}, {}),
    "two functions": Case("program", "two.py", TWO, {}, {}),
    "one of two": Case("program", "two.py::net_price", TWO, {}, {"name": "net_price"}),
    "an output": Case(
        "output",
        "out.txt",
        b'```json\n{"a": 1, "b": 12345678901234567890123, "c": {"$int": "1"}}\n```',
        {"contract": "schema.json"},
        {"contract": "schema.json"},
    ),
    "evidence": Case(
        "audit", "bundle.json", json.dumps(AUDITED.evidence).encode(), {"prompt": "spec.json"}, {"prompt": "spec.json"}
    ),
    "a claim": Case("claim", "2+2 = 4", b"2+2 = 4", {"engine": "math"}, {}),
    "an output under judgement": Case("judge", "request.json", b'{"a":1}', {}, {"request": "request.json"}),
}
GONE = object()
UNBOUND = {"duration_ms", "elapsed_seconds"}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Service, Mapping[str, Answer]]]:
    folder = tmp_path_factory.mktemp("documents")
    for name, value in {"schema.json": SCHEMA, "spec.json": AUDITED.prompt, "request.json": REQUEST}.items():
        (folder / name).write_text(json.dumps(value))
    with pytest.MonkeyPatch.context() as patch, Service(MemoryStore()) as service:
        patch.chdir(folder)
        answers = {}
        for name, case in CASES.items():
            if case.kind not in ("judge", "claim"):
                Path(case.subject.partition("::")[0]).write_bytes(case.content)
            kind = built_in_kinds()[case.kind]
            [request] = kind.requests(Given(case.subject, case.options), Sources(None))
            answers[name] = service.answer(kind, request)
            assert answers[name].verdict.is_verified, (name, answers[name].verdict)
        yield folder, service, answers


@pytest.fixture
def refusal(
    judged: tuple[Path, Service, Mapping[str, Answer]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[[str, object], str]:
    """Return what says why the gate refuses a document of a case; empty where it admits."""
    folder, service, _ = judged
    monkeypatch.chdir(folder)

    def asked(name: str, document: object) -> str:
        case, came = CASES[name], tmp_path / "came.json"
        came.write_text(json_text(document))
        subject = case.subject.partition("::")[0]
        try:
            received = read_verdict(came, Sources(None), subject)
        except IntegrityError as error:
            return error.sentence
        wishes = GateWishes(demands=Given(subject, case.demands))
        checked = ask_gate(received, case.content, wishes, service._store, sources=Sources(None))
        failed = [f"{step['title']}: {step['detail']}" for step in checked.document["steps"] if step["holds"] is False]
        return failed[0] if failed else ""

    return asked


def edits(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield copies of a document in which one thing is another, gone or there besides; first with its place."""
    pending: list[tuple[str | int, ...]] = [()]
    while pending:
        path = pending.pop()
        value = document
        for key in path:
            value = value[key]
        keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
        pending += [(*path, key) for key in keys]
        if not path or UNBOUND & {*path}:
            continue
        match value:
            case dict():
                other: object = {**value, "more": 1}
            case list():
                other = [*value, 0]
            case bool():
                other = not value
            case _:
                other = f"{value}0"
        for new in (other, GONE):
            edited = deepcopy(document)
            holder = edited
            for key in path[:-1]:
                holder = holder[key]
            if new is GONE:
                del holder[path[-1]]
            else:
                holder[path[-1]] = new
            yield ".".join(map(str, path)), edited


@pytest.mark.parametrize("name", CASES)
def test_the_document_as_it_was_written_is_the_one_of_its_proof_and_no_edit_of_it_is(
    name: str, judged: tuple[Path, Service, Mapping[str, Answer]]
) -> None:
    _, service, answers = judged
    kind, verdict = built_in_kinds()[CASES[name].kind], answers[name].verdict
    artifact = parse_artifact(service._store.fetch(str(verdict.proof_ref)))
    again = service.answer_again(kind, verdict, artifact, checked_parts(artifact, service._store))
    document = json.loads(json_text(answer_document(answers[name])))
    assert difference(document, again, kind.unbound) is None
    # A verdict alone claims nothing besides.
    every = [(place, edited) for place, edited in edits(document) if edited.keys() != {"verdict"}]
    assert len(every) > 40
    some = every[:: len(every) // 250 + 1]
    missed = [place for place, edited in some if difference(edited, again, kind.unbound) is None]
    assert missed == []


@pytest.mark.parametrize("name", CASES)
def test_every_form_of_a_document_is_compared(
    name: str, judged: tuple[Path, Service, Mapping[str, Answer]], refusal: Callable[[str, object], str]
) -> None:
    answer = judged[2][name]
    forms: list[Document] = [answer_document(answer, line=3), answer_line("any id", answer)]
    if CASES[name].kind == "judge":
        forms.append({**forms[1]["result"], "verdict": forms[1]["verdict"]})
    for form in (json.loads(json_text(each)) for each in forms):
        assert refusal(name, form) == ""
        holder = (
            form.get("result", form) if "functions" not in form else next(iter(form["functions"].values()))["result"]
        )
        holder["passed" if "passed" in holder else "valid"] = False
        assert "passed: it says False" in (said := refusal(name, form)) or "valid: it says False" in said
    assert refusal(name, {"verdict": answer.verdict.to_dict()}) == refusal(name, answer.verdict.to_dict()) == ""


NAMED: Mapping[str, tuple[str, Callable[[Document], object], str]] = {
    "the confidence": ("one function", lambda d: d["result"].update(confidence=1.0), "result.confidence: it says 1.0"),
    "that it passed": ("one function", lambda d: d["result"].update(passed=False), "result.passed: it says False"),
    "a mutant more": ("one function", lambda d: d["result"]["strength"].update(noticed=99), "result.strength.noticed"),
    "a clause less": ("one function", lambda d: d["specification"].pop(), "it says nothing"),
    "something besides": (
        "one function",
        lambda d: d.update(note="safe"),
        "note: it says 'safe', the proof gives nothing",
    ),
    "an issue of one of two": (
        "two functions",
        lambda d: d["functions"]["gross_price"]["result"]["issues"].append({}),
        "functions.gross_price.result.issues[1]",
    ),
    "the proof of one of two": (
        "two functions",
        lambda d: d["functions"]["net_price"]["verdict"].update(proof_ref="sha256:" + "0" * 64),
        "functions.net_price.verdict.proof_ref",
    ),
    "one of two left out": (
        "two functions",
        lambda d: d["functions"].pop("net_price"),
        "functions.net_price: it says nothing",
    ),
    "the value that was judged": ("an output", lambda d: d["result"]["value"].update(a=2), "result.value.a: it says 2"),
    "a digit of a long number": (
        "an output",
        lambda d: d["result"]["value"].update(b=12345678901234567890124),
        "result.value.b",
    ),
    "what was enforced": (
        "an output",
        lambda d: d["result"]["verification_results"][0]["evidence"]["enforced"].append("input"),
        "result.verification_results[1].evidence.enforced[2]",
    ),
    "the result of an audit": (
        "evidence",
        lambda d: d["result"]["evaluation_variables"].update(event_observed=None),
        "result.evaluation_variables.event_observed",
    ),
    "a trace": ("evidence", lambda d: d["result"]["trace"].update(trace_id="trace_x"), "result.trace.trace_id"),
    "a root": ("evidence", lambda d: d["result"].update(reasoning_root="0x0"), "result.reasoning_root"),
    "the verification of an audit": (
        "evidence",
        lambda d: d["result"]["verification"].update(ok=False),
        "verification.ok",
    ),
    "what was claimed": ("a claim", lambda d: d["result"].update(stated="2 + 2 = 5"), "result.stated"),
    "the quality": ("an output under judgement", lambda d: d["result"].update(quality_score=0.99), "quality_score"),
}


@pytest.mark.parametrize("edit", NAMED)
def test_the_place_of_an_edit_is_named(
    edit: str, judged: tuple[Path, Service, Mapping[str, Answer]], refusal: Callable[[str, object], str]
) -> None:
    name, change, said = NAMED[edit]
    document = json.loads(json_text(answer_document(judged[2][name])))
    change(document)
    told = refusal(name, document)
    assert told.startswith("the document is the one that the proof gives: ")
    assert said in told


def test_a_duration_and_suggestions_are_nobodys_claim(
    judged: tuple[Path, Service, Mapping[str, Answer]], refusal: Callable[[str, object], str]
) -> None:
    document = json.loads(json_text(answer_document(judged[2]["one function"])))
    document["result"].update(duration_ms=1, suggestions={"examples": []})
    assert refusal("one function", document) == ""


def test_of_a_folder_the_file_at_hand_is_meant(
    judged: tuple[Path, Service, Mapping[str, Answer]], refusal: Callable[[str, object], str]
) -> None:
    answers = [judged[2]["one function"], judged[2]["two functions"]]
    document = json.loads(json_text(files_document(answers)))
    assert refusal("one function", document) == refusal("two functions", document) == ""
    document["files"]["two.py"]["functions"]["net_price"]["result"]["confidence"] = 0
    assert refusal("one function", document) == ""
    assert "functions.net_price.result.confidence" in refusal("two functions", document)
    del document["files"]["one.py"]
    assert refusal("one function", document).endswith("holds no verdict about one.py.")
