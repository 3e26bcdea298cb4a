"""What exact claims offer in Python: one call from a statement to a verdict.

Refuses to make a verdict itself, except that a claim cannot be read: whoever gives this its service retains the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from probatum.core.arguments import TEXT, require_types
from probatum.core.canonical import JsonValue
from probatum.core.decision import blocked_by
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import NotAttemptedError
from probatum.core.ports import Store
from probatum.kinds.claim.request import ClaimRequest
from probatum.kinds.claim.wire import claim_named


@dataclass(frozen=True, slots=True)
class CheckClaim:
    """`probatum.check_claim`: decides an exact claim."""

    # What answers a request of a kind, with the store where its proof is kept.
    ask: Callable[[str, ClaimRequest, Store | None], DiagnosticResult]

    def __call__(
        self,
        engine: str,
        statement: str,
        given: Mapping[str, JsonValue] | None = None,
        *,
        store: Store | None = None,
    ) -> DiagnosticResult:
        """Decide a claim and return the verdict; one that cannot be read, as with NaN in it, is BLOCKED.

        Args:
            engine: which engine decides it, such as ``math``.
            statement: what is claimed, in the words of the engine.
            given: what the engine is given with it, by name; the reference of claims lists it for each engine.
            store: where the proof of a VERIFIED verdict is kept; None means the default store of this user.

        Raises:
            UsageError: no engine has that name, it does not take what is given, or something is no JSON.
            BudgetError: the claim is too large to be kept whole in a proof.
        """
        require_types({"engine": engine, "statement": statement}, {"engine": TEXT, "statement": TEXT})
        try:
            request = claim_named(engine, statement, given or {})
        except NotAttemptedError as error:
            reason = blocked_by(error)
            return DiagnosticResult.blocked(reason.agent_message, reason.developer_fields())
        return self.ask("claim", request, store)
