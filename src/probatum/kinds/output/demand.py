"""The contract that somebody demands of an output, and in which ways a proof falls short of it.

Every contract is as strong as whoever wrote it made it. So VERIFIED says nothing about an output until its reader says
which contract it had to satisfy. Refuses a proof of another contract of the same name, and one of another input.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from probatum.contracts.specification import ContractSpec
from probatum.core.canonical import canonical_bytes
from probatum.core.command import Given
from probatum.core.digest import digest_of
from probatum.core.errors import UsageError
from probatum.core.ports import SourceReader
from probatum.kinds.output.content import contract_content
from probatum.kinds.output.naming import named_contract
from probatum.readers.json_schema.parsing import MAX_BYTES

NONE_DEMANDED = (
    "say with --contract ID|FILE which contract an output had to satisfy: anybody can write one that asks less"
)


@dataclass(frozen=True, slots=True)
class DemandedContract:
    """What an output must have been judged by."""

    spec: ContractSpec
    # What it must have been judged with, and with nothing where this is None.
    input: bytes | None = None
    # Task, version and the digest that tells it from others of the name; raises NotAttemptedError as a proof would.
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", contract_name(self.spec))

    def unmet(self, judged_by: ContractSpec, input_digest: str | None) -> Iterator[str]:
        """Yield a sentence for each way in which a proof is about something else."""
        found = contract_name(judged_by)
        if found != self.name:
            yield f"it was judged by the contract {found}; {self.name} is demanded"
        if self.input is None:
            if input_digest is not None:
                yield f"it was judged with {input_digest}, an input of somebody's choice: name yours with --input"
        elif input_digest != digest_of(self.input):
            judged_with = "without an input" if input_digest is None else f"with the input {input_digest}"
            yield f"it was judged {judged_with}; the input at hand is {digest_of(self.input)}"


def contract_name(spec: ContractSpec) -> str:
    """Return task, version and the digest of the whole content, as a claim tells them."""
    return f"{spec.task_id} {spec.version} ({digest_of(canonical_bytes(contract_content(spec)))})"


def demanded_contract(demands: Given, sources: SourceReader) -> DemandedContract | None:
    """Return the contract that a gate demands, None where it demands none; raises UsageError for an unusable one."""
    named, given = demands.text("contract"), demands.text("input")
    if named is None:
        if given is not None:
            raise UsageError("input.without_contract", "--input needs --contract: it is the input of an output.")
        return None
    content = None if given is None else sources.read_whole(given, MAX_BYTES, "input")
    return DemandedContract(named_contract(named, sources), content)
