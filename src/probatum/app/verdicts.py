"""Verdicts that a service gave: by the reference of their proof from the store, else by their id for a while.

Also what signs a verdict for another service. Refuses to give under an id the verdict of another caller than the one
that first used it, unless to an auditor.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from datetime import UTC, datetime
from typing import Final

from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import is_digest
from probatum.core.errors import IntegrityError, ProbatumError
from probatum.core.ports import Store
from probatum.proof.artifact import parse_artifact
from probatum.proof.bundle import verdict_of
from probatum.proof.keys import PrivateKey
from probatum.proof.store_errors import fetched_sound
from probatum.proof.token_claims import require_party
from probatum.proof.tokens import SigningKey, TokenIssuer

MOST_REMEMBERED: Final = 4096
_MOST_BYTES: Final = 16 * 1024
"""Of a verdict without a proof; a larger one is not remembered."""
_PROBE: Final = b"A service asks whether this store can be written.\n"


class Verdicts:
    """What can be asked again."""

    def __init__(self, store: Store, issuer: str, key: PrivateKey | None) -> None:
        """Look in this store; sign as this issuer, with this key, else with one that lives as long as this object."""
        self._store = store
        signing = None if key is None else SigningKey.named(key)
        self._issuer = TokenIssuer(issuer, store, lambda: datetime.now(UTC), key=signing)
        self._recent: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def remember(self, request_id: str, caller: str, verdict: object) -> None:
        """Keep a verdict, or the reference of its proof, under the id of its request."""
        text = verdict if isinstance(verdict, str) else json.dumps(verdict)
        known = self._recent.get(request_id)
        if len(text) > _MOST_BYTES or (known is not None and known[0] != caller):
            return
        self._recent[request_id] = caller, text
        self._recent.move_to_end(request_id)
        if len(self._recent) > MOST_REMEMBERED:
            self._recent.popitem(last=False)

    def find(self, reference: str, caller: str, sees_all: bool) -> DiagnosticResult | None:
        """Return the verdict of a proof, or of a request; None where there is none. Raises NotAttemptedError."""
        if not is_digest(reference):
            owner, text = self._recent.get(reference, ("", ""))
            if not text or (owner != caller and not sees_all):
                return None
            if not is_digest(text):
                return DiagnosticResult.from_dict(json.loads(text))
            reference = text
        try:
            return verdict_of(parse_artifact(fetched_sound(self._store, reference)), reference)
        except (IntegrityError, ValueError):
            return None

    def require_audience(self, audience: str) -> None:
        """Raise UsageError where this cannot be the audience of a token."""
        require_party(audience, "audience")

    def issue(self, reference: str, audience: str) -> str:
        """Return a token for a verdict; raises UsageError for an audience that is none."""
        verdict = verdict_of(parse_artifact(fetched_sound(self._store, reference)), reference)
        return self._issuer.issue(verdict, audience)

    def key_set(self) -> dict[str, list[dict[str, str]]]:
        """Return the public keys that verify the tokens, as a JSON Web Key Set."""
        return self._issuer.key_set()

    def can_keep(self) -> bool:
        """Whether the store takes what it is given; always the same few bytes."""
        try:
            return bool(self._store.retain(_PROBE))
        except ProbatumError:
            return False

    def close(self) -> None:
        """Forget the key."""
        self._issuer.close()
