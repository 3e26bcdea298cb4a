"""Judges outputs that were recorded before, each by the contract that it names, for benches.

Proofs are kept in groups; `close` keeps the last ones, and nothing that was judged counts before it. Refuses a contract
that nobody knows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from probatum.app.output_answers import OutputAnswer, OutputRequest
from probatum.app.output_service import OutputService, not_judged_by_contract
from probatum.app.output_sources import contract_by_id
from probatum.app.output_summary import output_summary
from probatum.app.proofs import open_store_at
from probatum.contracts.specification import ContractSpec
from probatum.core.errors import NotAttemptedError
from probatum.proof.group_store import GroupStore

_GROUP: Final = 1000
_GROUP_BYTES: Final = 32 * 1024 * 1024


class RecordedRuns:
    """Answers about one recorded output after the other."""

    def __init__(self, store: Path, contracts: Path | None) -> None:
        """Open the store of proofs; contracts are the built-in ones where no folder of them is named."""
        self._store = GroupStore(open_store_at(store))
        self._service = OutputService(self._store)
        self._contracts = contracts
        self._known: dict[str, ContractSpec | NotAttemptedError] = {}
        self._held = 0

    def answer(self, content: bytes, name: str, contract: str, given: bytes | None) -> tuple[OutputAnswer, str]:
        """Return the answer about one output, and what kind of value the output is.

        Raises:
            UsageError: nobody knows the contract.
            NotAttemptedError: proofs could not be kept.
        """
        spec = self._spec(contract)
        if isinstance(spec, NotAttemptedError):
            return not_judged_by_contract(name, contract, spec), output_summary(content)
        answer = self._service.verify_output(OutputRequest(content, name, spec, given))
        self._held += 1
        if self._held >= _GROUP or self._store.size >= _GROUP_BYTES:
            self.close()
        return answer, output_summary(content)

    def close(self) -> None:
        """Keep the proofs of everything that was answered; raises NotAttemptedError where that fails."""
        self._store.flush()
        self._held = 0

    def _spec(self, contract: str) -> ContractSpec | NotAttemptedError:
        if contract not in self._known:
            try:
                self._known[contract] = contract_by_id(contract, self._contracts)
            except NotAttemptedError as error:
                self._known[contract] = error
        return self._known[contract]
