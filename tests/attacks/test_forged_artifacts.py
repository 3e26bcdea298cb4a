"""Forged proofs from which everything follows: a re-check cannot tell them from true ones, a replay refuses every one.

A generator changes one thing in a true artifact: a check, a planted fault, a count, a sentence, what was asked. Then it
derives decision, claim and digests again, as the maker of a forgery would. What a first verification gives is made once
for each program and compared with all of its forgeries; some go all the way through a sandbox.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from probatum.core.canonical import canonical_bytes
from probatum.core.digest import digest_of
from probatum.core.subject import PYTHON, Subject
from probatum.kinds.output.proof import output_rechecker
from probatum.kinds.program.proof import program_account
from probatum.kinds.program.rechecking import program_rechecker
from probatum.programs.decide import ProgramPolicy
from probatum.programs.rejudge import decide_again, records_of
from probatum.proof.account import Account, proof_of
from probatum.proof.recheck import TITLES, recheck
from probatum.proof.stores import MemoryStore
from probatum.sandbox import own_environment
from probatum.verification.registry import default_registry
from tests.cli.programs import HOLDING
from tests.kinds.outputs import GOOD, GOOD_INPUT, judged
from tests.programs.test_replay import PODIUM, VECTOR
from tests.services import ProgramRequest, Service

Row = dict[str, Any]
WANTED = 500
ONE_OF = 31
# An earlier version gives a hundred checks, which are all alike.
MOST_CHECKS = 12
TESTS = b"from artifact import net_price\n\n\ndef test_it():\n    assert net_price(238, 19) == 200\n"
HALF = b'''def half(number: int) -> int:
    """
    pre: number >= 0
    post: 2 * result <= number < 2 * result + 2

    >>> half(8)
    4
    >>> half(9)
    4
    >>> half(0)
    0
    >>> half(101)
    50
    """
    return number // 2
'''
OLD = HOLDING.replace(b"gross * 100 //", b"100 * gross //")
SHOP = b"from rates import BASE\n" + HOLDING.replace(b"(100 +", b"(BASE +")
REQUESTS: Mapping[str, ProgramRequest] = {
    "examples": ProgramRequest(HOLDING, "app.py"),
    "an order": ProgramRequest(PODIUM.encode(), "podium.py"),
    "a session": ProgramRequest(VECTOR.encode(), "vector.py"),
    "a condition": ProgramRequest(HALF, "half.py"),
    "tests": ProgramRequest(HOLDING, "app.py", tests=TESTS),
    "an earlier version": ProgramRequest(HOLDING, "app.py", against=OLD),
    "a module beside it": ProgramRequest(SHOP, "app.py", siblings=(("rates", b"BASE = 100\n"),)),
    "a contract": ProgramRequest(HOLDING, "app.py", contract="net_price(238, 19) == 200"),
}


def in_checks(record: Row, index: int) -> Iterator[tuple[str, Callable[[Row], object]]]:
    """Yield changes of one check of a record."""
    check = record["checks"][index]
    own = check["id"]

    def change(**fields: object) -> Callable[[Row], object]:
        return lambda told: told["checks"][index].update(fields)

    def renamed(told: Row) -> None:
        told["checks"][index]["id"] = f"{own}x"
        for mutant in told["mutants"]:
            mutant["noticed_by"] = f"{own}x" if mutant["noticed_by"] == own else mutant["noticed_by"]

    def without(told: Row) -> None:
        left = [each["id"] for each in told["checks"] if each["id"] != own]
        told["checks"].pop(index)
        for mutant in told["mutants"]:
            mutant["noticed_by"] = left[0] if left and mutant["noticed_by"] == own else mutant["noticed_by"]

    def alike(told: Row) -> None:
        told["checks"][index].update(expected={"value": 1}, observed={"output": "", "value": 1})

    yield "left out", without
    yield "renamed", renamed
    yield "another value on both sides", alike
    yield "another line", change(line=check["line"] + 1)
    yield "another text", change(text="it is right")
    yield "another reproduction", change(reproduction="True")
    yield "a note", change(note="it was looked at")
    yield (
        "said by another",
        change(origin="derived" if check["origin"] != "derived" else "ground_truth"),
    )
    yield "of another kind", change(kind="law" if check["kind"] != "law" else "property")
    yield "resistance", change(forge_resistant=not check["forge_resistant"])
    yield "other inputs", change(inputs={"form": "call", "target": record["qualname"], "args": [7], "kwargs": []})
    yield "twice", lambda told: told["checks"].append({**told["checks"][index], "id": f"{own}y"})


def in_faults(record: Row, index: int) -> Iterator[tuple[str, Callable[[Row], object]]]:
    """Yield changes of one planted fault of a record."""
    fault, checks = record["mutants"][index], record["checks"]
    call = f"{record['qualname']}(77)"

    def change(**fields: object) -> Callable[[Row], object]:
        return lambda told: told["mutants"][index].update(fields)

    yield "left out", lambda told: told["mutants"].pop(index)
    yield (
        "noticed",
        change(noticed_by=checks[0]["id"], told_apart_by=call, state="noticed", settled_by=""),
    )
    yield "noticed by another", change(noticed_by=checks[-1]["id"])
    yield "survived", change(noticed_by="", told_apart_by=call, state="survived")
    yield "equivalent", change(noticed_by="", told_apart_by="", state="equivalent")
    yield "told apart by another call", change(told_apart_by=call)
    yield "at a limit", change(at_limit=not fault["at_limit"])
    yield "another line", change(line=fault["line"] + 1)
    yield "another sentence", change(sentence="nothing changes")
    yield "another operator", change(operator="comparison_swapped")
    yield "renamed", change(id=f"{fault['id']}x")
    yield "settled elsewhere", change(settled_by="other")
    yield "invented beside it", lambda told: told["mutants"].append({**fault, "id": f"{fault['id']}y"})


def in_records(record: Row) -> Iterator[tuple[str, Callable[[Row], object]]]:
    """Yield changes of what a record says of the whole function."""

    def change(**fields: object) -> Callable[[Row], object]:
        return lambda told: told.update(fields)

    yield "fewer inputs", change(generated_inputs=max(1, record["generated_inputs"] - 1))
    yield "one input", change(generated_inputs=1)
    yield "another line", change(line=record["line"] + 1)
    yield "something unread", change(unread=["line 3: more (not read)"])
    yield "nothing unread", change(unread=[], documents_more=False)
    yield "it documents more", change(documents_more=True)
    yield "a suspicion", change(suspicions=["f(1) raises ValueError"])
    yield "no suspicion", change(suspicions=[])
    yield "a cause", change(causes=["clock"])
    yield "an unreached branch", change(unreached=["nothing that was run reaches line 9"])
    yield "no unreached branch", change(unreached=[])
    yield "another name", change(qualname=f"{record['qualname']}_")
    yield "no fault", change(mutants=[each for each in record["mutants"] if each["state"] == "noticed"][:2])
    yield "the first check alone", change(checks=record["checks"][:1])
    for name in ("checks", "mutants"):
        yield f"{name} in another order", change(**{name: record[name][::-1]})


def in_artifacts(document: Row) -> Iterator[tuple[str, Callable[[Row], object]]]:
    """Yield changes of what an artifact says was asked, and of who took part."""
    stranger = {"$part": digest_of(b"x = 1\n")}

    def asked(**fields: object) -> Callable[[Row], object]:
        return lambda told: told["contract"]["content"].update(fields)

    def policy(**fields: object) -> Callable[[Row], object]:
        return lambda told: told["policy"]["content"].update(fields)

    def further(**parts: object) -> Callable[[Row], object]:
        return lambda told: told["contract"]["content"]["further"].update(parts)

    yield "another contract", asked(text="net_price(1, 0) == 1")
    yield "no contract", asked(text=None)
    yield "another module", asked(module="other")
    yield "another name asked about", asked(function=document["observations"][0]["qualname"])
    yield "a module that takes no part", further(**{"module unused": stranger})
    yield "tests that were not given", further(tests=stranger)
    yield "an earlier version that was not given", further(**{"earlier version": stranger})
    for name in document["contract"]["content"]["further"]:
        yield f"another {name}", further(**{name: stranger})
        yield f"without {name}", lambda told, name=name: told["contract"]["content"]["further"].pop(name)
    yield "another seed", policy(seed=5)
    yield "more planted faults allowed", policy(mutants=61)
    yield "more inputs allowed", policy(generated_inputs=101)
    yield "fewer inputs for a statement", policy(stated_inputs=49)
    yield "another level", policy(level="thorough")
    yield "a smaller share", policy(min_strength=0.5)
    yield "a package", lambda told: told["verifiers"].append({"id": "package leftpad", "version": "1.0"})


def changes(document: Row) -> Iterator[tuple[str, Callable[[Row], object]]]:
    """Yield every change of one artifact, by name."""
    yield from in_artifacts(document)
    for number, record in enumerate(document["observations"]):
        found = [(f"record: {name}", change) for name, change in in_records(record)]
        for index in range(min(MOST_CHECKS, len(record["checks"]))):
            found += [(f"check {index}: {name}", change) for name, change in in_checks(record, index)]
        for index in range(len(record["mutants"])):
            found += [(f"fault {index}: {name}", change) for name, change in in_faults(record, index)]
        for name, change in found:
            yield name, lambda told, change=change, number=number: change(told["observations"][number])


@dataclass(frozen=True, slots=True)
class Made:
    """A true proof with everything beside it, and what a verification of today tells."""

    content: bytes
    store: MemoryStore
    account: Account


def consistent(document: Row, content: bytes) -> bytes | None:
    """Return the artifact with everything derived again from what it says; None where it is not VERIFIED any more."""
    rows, policy = document["observations"], document["policy"]["content"]
    try:
        decision = decide_again(rows, policy)
        versions = {each["id"]: each["version"] for each in document["verifiers"]}
        told = program_account(
            document["contract"]["content"], records_of(rows), ProgramPolicy.from_json(policy), decision, versions
        )
        return proof_of("program", told, Subject(content, PYTHON, document["subject"]["name"]))
    except ValueError:
        return None


def no_sandbox() -> Any:
    raise AssertionError("the verification of today is made already")


@pytest.fixture(scope="module")
def made(service: Service) -> Callable[[str], Made]:
    """Verify a program of the table, once."""

    @cache
    def make(name: str) -> Made:
        store = MemoryStore()
        observed = service.bench(_program()).observe(REQUESTS[name], lambda _event: None)
        proof = observed.proof()
        store.retain_all([*proof.beside.values(), b"x = 1\n"])
        return Made(proof.artifact, store, observed.account())

    return make


def _program() -> Any:
    from probatum.app.kinds import built_in_kinds

    return built_in_kinds()["program"]


def refused(proof: Made, artifact: bytes) -> bool:
    """True where the forgery passes a re-check and fails the replay alone."""
    rechecker = program_rechecker(no_sandbox, own_environment(), lambda _artifact, _subject: ())
    rechecker = replace(rechecker, again=lambda _artifact, _content, _parts: proof.account)
    reference = proof.store.retain(artifact)
    cheap = recheck(reference, proof.store, {"program": rechecker})
    assert cheap.holds, cheap.failure
    failure = recheck(reference, proof.store, {"program": rechecker}, replay=True).failure
    return failure is not None and failure.number == len(TITLES)


def forgeries(proof: Made, content: bytes, one_of: int = 1, only: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield one of so many forgeries of a proof that everything follows from, or those of one name."""
    true = json.loads(proof.content)
    for number, (name, change) in enumerate(changes(true)):
        if name != only if only else number % one_of:
            continue
        document = deepcopy(true)
        change(document)
        artifact = consistent(document, content)
        if artifact is not None and artifact != proof.content:
            yield name, artifact


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", REQUESTS)
def test_a_true_proof_passes(name: str, made: Callable[[str], Made]) -> None:
    assert not refused(made(name), made(name).content)


def _all_refused(made: Callable[[str], Made], one_of: int) -> int:
    count = 0
    for name, request in REQUESTS.items():
        for what, artifact in forgeries(made(name), request.content, one_of):
            assert refused(made(name), artifact), (name, what)
            count += 1
    return count


def test_forgeries_are_refused(made: Callable[[str], Made]) -> None:
    assert _all_refused(made, ONE_OF) >= WANTED // ONE_OF


@pytest.mark.long
def test_every_forgery_is_refused(made: Callable[[str], Made]) -> None:
    assert _all_refused(made, 1) >= WANTED


END_TO_END: Mapping[str, tuple[str, str]] = {
    "an example left out": ("examples", "check 3: left out"),
    "a condition left out": ("a condition", "check 4: left out"),
    "an invented noticed fault": ("examples", "fault 0: invented beside it"),
    "a module that takes no part": ("a module beside it", "a module that takes no part"),
    "an invented package": ("examples", "a package"),
    "tests exchanged": ("tests", "another tests"),
    "fewer inputs": ("a condition", "record: fewer inputs"),
    "a contract left out": ("a contract", "no contract"),
}


@pytest.mark.parametrize("name", END_TO_END)
def test_a_forgery_does_not_survive_a_sandbox(name: str, made: Callable[[str], Made], service: Service) -> None:
    program, change = END_TO_END[name]
    proof = made(program)
    [(_, artifact)] = forgeries(proof, REQUESTS[program].content, only=change)
    reference = proof.store.retain(artifact)
    assert recheck(reference, proof.store, service.recheckers()).holds
    failure = recheck(reference, proof.store, service.recheckers(), replay=True).failure
    assert failure is not None
    assert failure.number == len(TITLES)


WRONG_HALF = HALF.replace(b"return number // 2", b"return number // 2 + (number % 3 == 1)")


def test_a_wrong_program_with_a_proof_without_the_failing_checks_is_refused(
    made: Callable[[str], Made], service: Service
) -> None:
    """The proof of the right program is moved to a wrong one of which every example holds, and no condition told."""
    assert service.verify_program(ProgramRequest(WRONG_HALF, "half.py")).verdict.outcome == "refuted"
    store, document = MemoryStore(), json.loads(made("a condition").content)
    document["subject"]["digest"] = store.retain(WRONG_HALF)
    [record] = document["observations"]
    record["checks"] = [each for each in record["checks"] if each["kind"] != "property"]
    known = {each["id"] for each in record["checks"]}
    record["mutants"] = [each for each in record["mutants"] if each["noticed_by"] in known]
    artifact = consistent(document, WRONG_HALF)
    assert artifact is not None
    reference = store.retain(artifact)
    assert recheck(reference, store, service.recheckers()).holds
    failure = recheck(reference, store, service.recheckers(), replay=True).failure
    assert failure is not None
    assert "refuted" in failure.detail


def _in_outputs(document: Row) -> Iterator[tuple[str, Callable[[Row], object]]]:
    for index in range(1, len(document["observations"])):
        for key, value in (
            ("warnings", ["looked odd"]),
            ("about", ["output"]),
            ("could_have_failed", False),
            ("best", "proved"),
            ("best", "tested"),
        ):
            yield f"{index} {key} {value}", lambda told, i=index, k=key, v=value: told["observations"][i].update({k: v})
        yield f"{index} left out", lambda told, i=index: told["observations"].pop(i)
        yield f"{index} twice", lambda told, i=index: told["observations"].append(told["observations"][i])
    remark = {"severity": "warning", "kind": "output.fence", "message": "the JSON stands in a fence"}
    yield "a remark", lambda told: told["observations"][0].update(findings=[remark])
    yield "no remark", lambda told: told["observations"][0].update(findings=[])


@pytest.mark.parametrize("content", [GOOD, b"```\n" + GOOD + b"\n```"])
@pytest.mark.parametrize("given", [None, GOOD_INPUT])
def test_forged_proofs_of_outputs_are_refused(content: bytes, given: bytes | None) -> None:
    store = MemoryStore()
    reference = judged(content, given=given, service=Service(store)).verdict.proof_ref
    true = json.loads(store.fetch(str(reference)))
    rechecker = {"output": output_rechecker(default_registry())}
    assert recheck(str(reference), store, rechecker, replay=True).holds
    for name, change in _in_outputs(true):
        document = deepcopy(true)
        change(document)
        if document == true:
            continue
        forged = store.retain(canonical_bytes(document))
        assert not recheck(forged, store, rechecker, replay=True).holds, name
