"""The proof of a change: what it tells, how a re-check decides again, and how a replay runs everything again.

It holds the digests of both trees, every test that counted with all of its ends, every fault and what noticed it. A
replay needs the repository at hand to hold both versions. Refuses observations that no run would have written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from probatum.changes.claims.facts import claims_of
from probatum.changes.observing import observe_change
from probatum.changes.project import ProjectSetup, python_of
from probatum.changes.record import ChangePolicy, ChangeRecord
from probatum.changes.ruling import decide_change
from probatum.changes.versions.trees import trees_of
from probatum.core.canonical import JsonValue
from probatum.core.command import Given
from probatum.core.decision import Decision
from probatum.core.errors import NotAttemptedError
from probatum.core.events import ignore
from probatum.core.frozen import thaw
from probatum.core.messages import sentences_of
from probatum.core.shape import Shape, json_of
from probatum.core.version import __version__
from probatum.kinds.change.request import MEDIA_TYPE, ChangeRequest, subject_of
from probatum.proof.account import Account, AccountRechecker, Document
from probatum.proof.artifact import Described, VerifierVersion

POLICY_ID: Final = "change/v1"
CONTRACT_KIND: Final = "change"
VERIFIER: Final = "changes"
_LISTS: Final = (
    "rows",
    "units",
    "faults",
    "compared",
    "differences",
    "weakenings",
    "means",
    "special_cases",
    "unjudged",
    *("claims", "documented"),
)
_WHOLE: Final = "change"
_ASSUMPTIONS: Final = (
    "the tests of the base say what was meant before",
    "the code of the change does not reach the process that reports its tests, beyond the means that are looked for",
)
_SENTENCES: Final = sentences_of(__package__)


def decision_on(record: ChangeRecord, policy: ChangePolicy) -> Decision:
    """Return the decision on a change, in the words of this kind."""
    return decide_change(record, policy, _SENTENCES)


def contract_of(request: ChangeRequest) -> dict[str, JsonValue]:
    """Return what a change is called and what is claimed of it."""
    trees = request.trees
    return {"base_commit": trees.base_commit, "head_commit": trees.head_commit, "claims": request.claims}


def change_account(record: ChangeRecord, policy: ChangePolicy, contract: Mapping[str, JsonValue]) -> Account:
    """Return what the proof of a change tells."""
    whole = json_of(record)
    rows: list[dict[str, JsonValue]] = [
        {"form": _WHOLE, **{key: value for key, value in whole.items() if key not in _LISTS}}
    ]
    for name in _LISTS:
        items = whole[name]
        assert isinstance(items, list)
        rows += [{"form": name, "told": each} for each in items]
    return Account(
        decision=decision_on(record, policy),
        claim=f"The change from {record.base} to {record.head} keeps what was tested, and tests notice it.",
        contract=Described(CONTRACT_KIND, dict(contract)),
        policy=Described(POLICY_ID, json_of(policy)),
        observations=rows,
        verifiers=(VerifierVersion(VERIFIER, __version__),),
        media_type=MEDIA_TYPE,
        assumptions=_ASSUMPTIONS,
    )


def record_of(artifact: Document) -> ChangeRecord:
    """Read a record back; raises ValueError for what `change_account` does not write."""
    first, *rest = Shape(artifact).items("observations", 1)
    whole = {key: thaw(value) for key, value in first.raw_object().items()}
    if whole.pop("form", None) != _WHOLE or not whole.keys().isdisjoint(_LISTS):
        raise ValueError("the first observation is about the whole change")
    lists: dict[str, list[object]] = {name: [] for name in _LISTS}
    for row in rest:
        form = row.exactly("form", "told").text("form")
        if form not in lists:
            row.refuse(f"expected one of {', '.join(_LISTS)}", "form")
        lists[form].append(thaw(row.raw("told")))
    return Shape({**whole, **lists}, "observations").into(ChangeRecord)


def policy_of(artifact: Document) -> ChangePolicy:
    """Return by what a recorded change was judged; raises ValueError where nothing is recorded."""
    return Shape(artifact).member("policy").member("content").into(ChangePolicy)


def change_rechecker(demands: Given, given: Given) -> AccountRechecker:
    """Return what re-checks and replays proofs of changes, and holds them against what a gate demands.

    ``given`` says with which Python a replay runs the tests.
    """

    def restored(artifact: Document) -> Account:
        record = record_of(artifact)
        told = Shape(artifact)
        if told.member("contract").text("kind") != CONTRACT_KIND:
            raise ValueError("a change has no other contract")
        content = told.member("contract").member("content").exactly("base_commit", "head_commit", "claims")
        return change_account(record, policy_of(artifact), thaw(content.raw_object()))  # type: ignore[arg-type]  # JSON

    def unmet(artifact: Document, subject: bytes) -> tuple[str, ...]:
        record, policy = record_of(artifact), policy_of(artifact)
        found = []
        if subject != subject_of(record.base, record.head):
            found.append("it is about another change")
        least = demands.number("min-strength", policy.min_strength)
        if policy.min_strength < least:
            found.append(f"it demands that {policy.min_strength:g} of the faults are noticed, not {least:g}")
        return tuple(found)

    return AccountRechecker(restored, unmet, _again(given), lambda: {VERIFIER: __version__})


def _again(asked: Given) -> Callable[[Document, bytes, Mapping[str, bytes]], Account]:
    def again(artifact: Document, content: bytes, _parts: Mapping[str, bytes]) -> Account:
        told = Shape(artifact).member("contract").member("content")
        base, head = told.text("base_commit"), told.text("head_commit")
        trees = trees_of(f"{base}..{head}" if head else base, Path.cwd())
        if subject_of(trees.base.digest, trees.head.digest) != content:
            sentence = "The repository at hand does not hold what was judged."
            raise NotAttemptedError("change.other_trees", sentence, "Run it in the repository, as it was then.")
        python = python_of(trees.root, asked.text("python"), trees.base.files.keys() | trees.head.files.keys())
        project = ProjectSetup(
            str(trees.root),
            python,
            has_network=asked.flag("allow-network"),
            takes_all_tests=asked.flag("all-tests"),
        )
        claims = told.raw("claims")
        given = claims if isinstance(claims, str) else None
        record = observe_change(trees, project, claims_of(given, trees.messages), ignore).record
        contract: dict[str, JsonValue] = {"base_commit": base, "head_commit": head, "claims": given}
        return change_account(record, policy_of(artifact), contract)

    return again
