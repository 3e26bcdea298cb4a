"""A question about one structured output, as a plain frozen value."""

from __future__ import annotations

from dataclasses import dataclass

from probatum.contracts.specification import ContractSpec


@dataclass(frozen=True, slots=True)
class OutputRequest:
    """One output to judge."""

    # What was written, byte for byte.
    content: bytes
    # What to call it in reports and in the command that repeats the run.
    name: str
    contract: ContractSpec
    # What the task was given, as JSON; without it the output is judged alone.
    input: bytes | None = None
    # The words of the command that repeats the run, after the output's name.
    repeated_with: tuple[str, ...] = ()

    @property
    def recorded_name(self) -> str:
        """What a ledger calls it: its name."""
        return self.name
