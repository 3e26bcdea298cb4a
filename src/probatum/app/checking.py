"""What `check` is asked and how it is answered: one output from a file, with its contract and its input.

Refuses by name what is no file, and a contract that nobody knows; a contract that is there and cannot be used is an
answer, because a script shall meet one shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from probatum.app.named_verifiers import named_verifiers
from probatum.app.output_answers import OutputAnswer, OutputRequest
from probatum.app.output_service import OutputService, not_judged_by_contract
from probatum.app.output_sources import STANDARD_INPUT, named_contract, read_bounded, shown_path
from probatum.contracts.specification import ContractSpec
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.events import Listener
from probatum.core.ports import Recorder, Store


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What one command asks for."""

    output: str
    """Path of the output; ``-`` for standard input."""
    contract: str
    """Name or path."""
    input: str | None
    """Path of the input."""
    store: Store
    ledger: Path | None = None
    """Where verdicts are recorded; None for nowhere."""
    ledger_each: bool = False
    verifiers: tuple[str, ...] = ()
    """Ids of verifiers that may run beside the built-in ones, where the contract asks for them."""

    def __post_init__(self) -> None:
        if self.output == STANDARD_INPUT and self.input == STANDARD_INPUT:
            raise UsageError("path.twice", "Output and input cannot both come from standard input.")

    @property
    def repeated_with(self) -> tuple[str, ...]:
        """The words after the output's name that repeat the check."""
        given = () if self.input is None else ("--input", self.input)
        named = (word for each in self.verifiers for word in ("--verifier", each))
        return ("--contract", self.contract, *given, *named)


def run_check(request: CheckRequest, standard_input: BinaryIO, listener: Listener) -> OutputAnswer:
    """Judge the output of one file.

    Raises:
        UsageError: a file is missing or none, or nobody knows the contract or a verifier.
        NotAttemptedError: a verdict about an unusable contract could not be recorded, or a verifier does not load.
    """
    spec = usable_contract(request.contract)
    content = read_bounded(request.output, standard_input)
    given = None if request.input is None else read_bounded(request.input, standard_input)
    name = shown_path(request.output)
    recorder = recorder_of(request.ledger)
    if isinstance(spec, NotAttemptedError):
        answer = not_judged_by_contract(name, request.contract, spec)
        if recorder is not None:
            recorder.record(name, content, answer.verdict)
        return answer
    with named_verifiers(request.verifiers, request.store) as named:
        service = OutputService(request.store, recorder=recorder, registry=named.registry, executor=named.executor)
        return service.verify_output(OutputRequest(content, name, spec, given, request.repeated_with), listener)


def usable_contract(named: str) -> ContractSpec | NotAttemptedError:
    """Return the contract of this name or path, or why the one that is there cannot be used.

    Raises:
        UsageError: nobody knows it.
    """
    try:
        return named_contract(named)
    except NotAttemptedError as error:
        return error


def recorder_of(ledger: Path | None) -> Recorder | None:
    """Return what writes into the ledger of this file; None for none."""
    if ledger is None:
        return None
    # Deferred, because most checks are not recorded and need none of what a ledger loads.
    from probatum.app.ledger import recorder_at

    return recorder_at(ledger)
