"""Runs strangers' code: it cannot harm, it cannot forge a result, and it costs a few milliseconds.

Refuses to run anything without isolation unless that is asked for by its unsafe name.
"""

from __future__ import annotations

from probatum.sandbox.environment import PACKAGE_FOLDERS, Environment, environment_named, own_environment
from probatum.sandbox.jobs import Candidate, Program
from probatum.sandbox.oracle import THE_FILE, Clerk, OneProcess, answering
from probatum.sandbox.outcome import (
    OPTIONAL,
    Declared,
    Derived,
    GivenTest,
    Handle,
    Lost,
    LostReason,
    NotPlain,
    Raised,
    Reply,
    Returned,
    SourceArgument,
    TestOutcome,
    plain,
    refused,
)
from probatum.sandbox.tiers import Tier, TierReport
from probatum.sandbox.zygote import Opening, Sandbox, describe_tiers

__all__ = [
    "OPTIONAL", "PACKAGE_FOLDERS", "THE_FILE", "Candidate", "Clerk", "Declared", "Derived", "Environment", "GivenTest",
    "Handle", "Lost", "LostReason", "NotPlain", "OneProcess", "Opening", "Program", "Raised", "Reply", "Returned",
    "Sandbox", "SourceArgument", "TestOutcome", "Tier", "TierReport", "answering", "describe_tiers",
    "environment_named", "own_environment", "plain", "refused",
]  # fmt: skip
