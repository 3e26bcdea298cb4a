"""Questions about one structured output and the answers to them: plain frozen values, the same for every interface.

Refuses nothing; an output that cannot be read is an answer like any other.
"""

from __future__ import annotations

from dataclasses import dataclass

from probatum.contracts.specification import ContractSpec
from probatum.core.canonical import JsonValue
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.finding import Finding
from probatum.verification.results import VerificationResult


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


@dataclass(frozen=True, slots=True)
class OutputAnswer:
    """The verdict about one output, with everything that was found."""

    name: str
    contract: str
    """Task and version of the contract."""
    verdict: DiagnosticResult
    exit_code: int
    findings: tuple[Finding, ...] = ()
    """Of the reading, the contract and the verifiers, errors first."""
    results: tuple[VerificationResult, ...] = ()
    """One for each slot of the policy; none where the output could not be read."""
    repeated_with: tuple[str, ...] = ()
    repaired: tuple[JsonValue, ...] = ()
    """The value that was judged, where it is not what the bytes say as they are."""
