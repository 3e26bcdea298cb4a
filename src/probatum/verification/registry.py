"""The registry: which verifier answers to which id.

`default_registry` has the built-in verifiers that are safe for any input, found through the entry points of
probatum's own distribution and of no other; everything else is registered by hand or loaded explicitly. Refuses an id
that is blank or taken, and an object without ``verify``.
"""

from __future__ import annotations

from typing import Final

from probatum.core.errors import nearest
from probatum.verification.plugins import built_in_verifiers
from probatum.verification.verifier import Verifier

DEFAULT_IDS: Final = ("contract.schema", "json.object")


class VerifierRegistry:
    """Verifiers by id."""

    def __init__(self) -> None:
        self._verifiers: dict[str, Verifier] = {}
        self._bounded: set[str] = set()

    def register(self, verifier_id: str, verifier: Verifier) -> None:
        """Let a verifier answer to an id.

        Raises ValueError where the id is blank, no text or taken, or the object has no ``verify``.
        """
        if type(verifier_id) is not str or not verifier_id.strip():
            raise ValueError(f"a verifier's id is text that is not blank, got {verifier_id!r}")
        if verifier_id in self._verifiers:
            raise ValueError(f"the id {verifier_id!r} is taken; one id, one verifier")
        if not callable(getattr(verifier, "verify", None)) or isinstance(verifier, type):
            shown = getattr(verifier, "__name__", type(verifier).__name__)
            raise ValueError(f"a verifier is an object with a method 'verify', got {shown}")
        self._verifiers[verifier_id] = verifier

    def get(self, verifier_id: str) -> Verifier | None:
        """Return the verifier that answers to exactly this id; None where there is none."""
        return self._verifiers.get(verifier_id) if isinstance(verifier_id, str) else None

    def list_ids(self) -> list[str]:
        """Return the registered ids in order."""
        return sorted(self._verifiers)

    def is_bounded(self, verifier_id: str) -> bool:
        """True for a built-in verifier, which keeps its own budget and changes nothing that it is given."""
        return verifier_id in self._bounded

    def hint_for(self, verifier_id: str) -> str:
        """Return the nearest registered id as a hint, or an empty text."""
        return nearest(verifier_id, self.list_ids())

    def add_built_in(self) -> None:
        """Let the built-in verifiers answer to their ids, which must be free; raises as `default_registry` does."""
        for verifier_id, verifier in built_in_verifiers(DEFAULT_IDS):
            self.register(verifier_id, verifier)
            self._bounded.add(verifier_id)


def default_registry() -> VerifierRegistry:
    """Return a new registry with ``contract.schema`` and ``json.object`` alone.

    Raises NotAttemptedError where probatum's own entry points are missing, so that nothing could be verified.
    """
    registry = VerifierRegistry()
    registry.add_built_in()
    return registry
