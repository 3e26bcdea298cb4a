"""A small kind of proof for the tests: sums that were checked, and the re-checker that adds them up again."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Decision, DiagnosticStatus, Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.subject import Subject
from probatum.proof.artifact import Account, Described, VerifierVersion, build_artifact
from probatum.proof.ledger import Ledger

SUBJECT = Subject(b"def add(a, b):\n    return a + b\n", "text/x-python", "add.py::add")
VERIFIERS = (VerifierVersion("sums", "1"),)


def observed(*sums: tuple[int, int, int]) -> list[dict[str, JsonValue]]:
    return [{"a": a, "b": b, "sum": total} for a, b, total in sums]


def decision_on(observations: Sequence[Mapping[str, object]]) -> Decision:
    for row in observations:
        if row["a"] + row["b"] != row["sum"]:
            return decide(Outcome.REFUTED, "program.counterexample", {"name": "add"}, {"a": row["a"], "b": row["b"]})
    counts = {"checks": len(observations), "noticed": 3, "planted": 4}
    return decide(Outcome.TESTED, "program.tested", {"name": "add", **counts}, {"executed_checks": len(observations)})


def sample_artifact(**changes: object) -> dict[str, JsonValue]:
    """Build the sample, with some of what it tells replaced."""
    observations = observed((1, 2, 3), (4, 5, 9))
    decision = decision_on(observations)
    kind, subject = changes.pop("kind", "program"), changes.pop("subject", SUBJECT)
    arguments: dict[str, object] = {
        "claim": decision.agent_message,
        "contract": Described("docstring", ["add(1, 2) == 3"]),
        "policy": Described("sums/standard", {"min_strength": 0.7}),
        "verifiers": VERIFIERS,
        "seed": 0,
        "decision": decision,
        "observations": observations,
        "assumptions": ("integers only",),
        "media_type": SUBJECT.media_type,
    }
    return build_artifact(kind, Account(**{**arguments, **changes}), subject)


def sample_bytes(**changes: object) -> bytes:
    return canonical_bytes(sample_artifact(**changes))


@dataclass
class SumsRechecker:
    """Adds up again; a replay asks `answer`, which a test may replace by another program."""

    here: dict[str, str] = field(default_factory=lambda: {"sums": "1"})
    offset: int = 0
    floor: float = 0.7

    def decision_of(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> Decision:
        return decision_on(artifact["observations"])

    def claim_of(self, artifact: Mapping[str, object], decision: Decision) -> str:
        return decision.agent_message

    def shortfalls(self, artifact: Mapping[str, object], _subject: bytes) -> tuple[str, ...]:
        demanded = artifact["policy"]["content"]["min_strength"]
        return () if demanded >= self.floor else (f"min_strength is {demanded}; {self.floor} is required",)

    def versions(self) -> Mapping[str, str]:
        return self.here

    def replay(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> tuple[str, ...]:
        return tuple(
            f"add({row['a']}, {row['b']}) gave {row['sum']} then, {row['a'] + row['b'] + self.offset} now"
            for row in artifact["observations"]
            if row["a"] + row["b"] + self.offset != row["sum"]
        )


RECHECKERS = {"program": SumsRechecker()}


def verdict_of(artifact: dict[str, object]) -> DiagnosticResult:
    """Return the verdict that rests on an artifact."""
    decision = artifact["decision"]
    return DiagnosticResult(
        DiagnosticStatus.VERIFIED,
        decision["agent_message"],
        decision["developer_fields"],
        digest_of(canonical_bytes(artifact)),
    )


def altered(ledger: Ledger, *statements: str) -> None:
    """Change a ledger as somebody does who has its file."""
    ledger.close()
    connection = sqlite3.connect(ledger.path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
