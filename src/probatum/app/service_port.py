"""What a service is asked for: the values between the command line and `probatum.web`.

The values are not checked here: `probatum.web` raises UsageError where they do not fit together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from probatum.core.command import NOTHING, Given


@dataclass(frozen=True, slots=True)
class ServiceRequest:
    """Where a service listens, for whom, and within which limits."""

    host: str
    port: int
    store: Path
    ledger: Path | None
    # Tokens by their hashes; None for one that is made when the service starts.
    tokens: Path | None
    # A line for that file, as ROLE:NAME; empty for none. Nothing is served then.
    add_token: str
    # Public keys of whoever signs tokens for callers, with the issuer and the audience that they must name.
    caller_keys: Path | None
    caller_issuer: str
    caller_audience: str
    # Anybody may ask without a token.
    no_auth: bool
    # Who signs verdicts, with which key of the user's folder; empty for a new one in memory.
    issuer: str
    sign: str
    most_bytes: int
    queue: int
    workers: int
    timeout: float
    # Requests of one caller; 0 for any number.
    per_minute: int
    # Options of the kinds.
    given: Given = NOTHING
    # Whether spans are sent where OpenTelemetry's variables say.
    traces: bool = False


# Serves until a signal comes and returns the exit code; raises UsageError where the request does not fit together.
ServiceRunner = Callable[[ServiceRequest], int]
