"""A question about one structured output, as a plain frozen value."""

from __future__ import annotations

from dataclasses import dataclass

from probatum.contracts.specification import ContractSpec


@dataclass(frozen=True, slots=True)
class OutputRequest:
    """One output to judge."""

    content: bytes
    """What was written, byte for byte."""
    name: str
    """What to call it in reports and in the command that repeats the run."""
    contract: ContractSpec
    input: bytes | None = None
    """What the task was given, as JSON; without it the output is judged alone."""
    repeated_with: tuple[str, ...] = ()
    """The words of the command that repeats the run, after the output's name."""

    @property
    def recorded_name(self) -> str:
        """What a ledger calls it: its name."""
        return self.name
