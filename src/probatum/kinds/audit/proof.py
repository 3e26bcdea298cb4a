"""The proof of an audit: what it tells, how a re-check concludes it again, and how a replay reads the evidence again.

It holds the question in full, every claim with its place, and the digest of every item. A re-check weighs them again;
a replay reads the bundle again too. Refuses observations that no reading would have written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from pydantic import BaseModel

from probatum.audit.auditor import Conclusion, concluded
from probatum.audit.canonical import from_hex, plain, to_hex
from probatum.audit.claims import Claim, ClaimSet
from probatum.audit.commitments import Commitment
from probatum.audit.conclusion import AuditRecord
from probatum.audit.reasoning import CheckResult, TracePolicy
from probatum.audit.schemas import EvidenceBundle, PromptSpec
from probatum.audit.units import engine
from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.frozen import thaw
from probatum.core.merkle import HASH_BYTES
from probatum.core.shape import Shape
from probatum.core.subject import JSON
from probatum.core.version import __version__, version_of
from probatum.kinds.audit.decision import decide_audit
from probatum.kinds.audit.wire import bundle_of
from probatum.proof.account import Account, AccountRechecker, Document
from probatum.proof.artifact import Described, VerifierVersion

POLICY_ID: Final = "audit/v1"
CONTRACT_KIND: Final = "prompt"
AUDITOR: Final = "auditor"
BUNDLE: Final = "bundle"
ITEM: Final = "item"
CLAIM: Final = "claim"
CHECK: Final = "check"
_ASSUMPTIONS: Final = ("items say what their sources said, at the times that they state",)


@cache
def versions() -> Mapping[str, str]:
    """Return what takes part today, with versions."""
    libraries = {name: version_of(name) for name in ("google-re2", "justhtml")}
    return {AUDITOR: __version__, **libraries, "units": engine()}


def contract_content(spec: PromptSpec) -> JsonValue:
    """Return a question as a proof keeps it: no key of it can imitate a reference to a part."""
    return _renamed(plain(spec), lambda key: f"${key}" if key.startswith("$") else key)


def question_of(artifact: Document) -> PromptSpec:
    """Return the question that an artifact answers; raises ValueError where it records none."""
    content = Shape(artifact).member("contract").raw("content")
    return PromptSpec.model_validate(_renamed(thaw(content), lambda key: key[1:] if key.startswith("$$") else key))


def _renamed(value: object, rename: Callable[[str], str]) -> JsonValue:
    if isinstance(value, dict):
        return {rename(key): _renamed(item, rename) for key, item in value.items()}
    return [_renamed(item, rename) for item in value] if isinstance(value, list) else value  # type: ignore[return-value]  # plain data


def observations_of(record: AuditRecord) -> list[dict[str, JsonValue]]:
    """Return what a proof records of a bundle: items without contents, every claim, and what was unreadable."""
    rows: list[dict[str, object]] = [{"form": BUNDLE, **_dumped(record.bundle, without="items")}]
    for item, leaf in zip(record.bundle.items, record.evidence.leaves, strict=True):
        rows.append({"form": ITEM, "leaf": to_hex(leaf), **_dumped(item)})
    rows += [{"form": CLAIM, **claim.to_json()} for claim in record.claims]
    rows += [{"form": CHECK, **_dumped(check)} for check in record.claims.checks]
    return rows  # type: ignore[return-value]  # plain data alone


def record_of(observations: object) -> AuditRecord:
    """Read a record back; raises ValueError for what `observations_of` does not write."""
    first, *rest = [thaw(each.raw_object()) for each in Shape(observations, "observations").items(least=1)]
    told: dict[str, list[dict[str, object]]] = {BUNDLE: [], ITEM: [], CLAIM: [], CHECK: []}
    for row in (first, *rest):
        assert isinstance(row, dict)
        form = row.pop("form", None)
        if not isinstance(form, str) or form not in told:
            raise ValueError(f"an observation of an audit is a {', '.join(told)}, got {form!r}")
        told[form].append(row)
    if len(told[BUNDLE]) != 1:
        raise ValueError("there is one bundle")
    leaves = tuple(from_hex(Shape(row).text("leaf")) for row in told[ITEM])
    if any(len(leaf) != HASH_BYTES for leaf in leaves):
        raise ValueError("a leaf is a SHA-256")
    items = [{key: value for key, value in row.items() if key != "leaf"} for row in told[ITEM]]
    bundle = EvidenceBundle.model_validate({**told[BUNDLE][0], "items": items})
    claims = ClaimSet(tuple(map(Claim.from_json, told[CLAIM])), tuple(map(CheckResult.model_validate, told[CHECK])))
    ids = tuple(item.evidence_id for item in bundle.items)
    return AuditRecord(bundle, Commitment("evidence_leaf", ids, leaves), claims)


def _dumped(value: BaseModel, without: str = "") -> dict[str, object]:
    dumped = plain(value)
    assert isinstance(dumped, dict)
    return {key: item for key, item in dumped.items() if key != without}


def audit_account(conclusion: Conclusion, taking_part: Mapping[str, str] | None = None) -> Account:
    """Return what the proof of an audit tells; raises ValueError where a part has no canonical form."""
    weighed = conclusion.weighed
    predicate = weighed.event.predicate
    observed = weighed.variables["event_observed"]
    claim = (
        f"The event {'' if predicate is None else predicate.text!r} was {'' if observed else 'not '}observed,"
        f" as the evidence with the root {weighed.record.evidence.root} establishes."
    )
    policy = TracePolicy()
    return Account(
        decision=decide_audit(conclusion),
        claim=claim,
        contract=Described(CONTRACT_KIND, contract_content(weighed.spec)),
        policy=Described(POLICY_ID, {"max_steps": policy.max_steps, "decoding_policy": policy.decoding_policy}),
        observations=observations_of(weighed.record),
        verifiers=tuple(VerifierVersion(*each) for each in (taking_part or versions()).items()),
        media_type=JSON,
        assumptions=_ASSUMPTIONS,
    )


def audit_rechecker(demanded: PromptSpec | None = None) -> AccountRechecker:
    """Return what re-checks proofs of audits; ``demanded`` is the question that a gate wants to be answered."""

    def restored(artifact: Document) -> Account:
        record = record_of(artifact["observations"])
        recorded = {each.text("id"): each.text("version") for each in Shape(artifact).items("verifiers")}
        if recorded.keys() != versions().keys():
            raise ValueError(f"an audit is done by {', '.join(versions())}")
        return audit_account(concluded(question_of(artifact), record), recorded)

    def unmet(artifact: Document, subject: bytes) -> tuple[str, ...]:
        content = Shape(artifact).member("contract").raw("content")
        recorded = record_of(artifact["observations"]).evidence
        challenge = recorded.challenge(Commitment.of_bundle(bundle_of(subject)))
        if challenge is not None:
            return (
                f"the item {challenge.leaf_index} of the evidence, {challenge.evidence_id!r}, is {challenge.reason}",
            )
        if demanded is None:
            return ("say with --prompt SPEC which question had to be answered: anybody can ask an easier one",)
        is_same = canonical_bytes(content) == canonical_bytes(contract_content(demanded))
        return () if is_same else ("it answers another question than the one in --prompt",)

    def again(artifact: Document, content: bytes, _parts: Mapping[str, bytes]) -> Account:
        spec = question_of(artifact)
        return audit_account(concluded(spec, AuditRecord.of(spec, bundle_of(content))))

    return AccountRechecker(restored, unmet, again, versions)
