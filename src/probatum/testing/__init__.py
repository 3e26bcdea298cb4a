"""For authors of verifiers: a suite that says what one does wrong, stand-ins, and strategies for our values.

A verifier that was never seen to refuse anything is not called good.
"""

from __future__ import annotations

from probatum.testing.conformance import ConformanceError, broken_rules, check_verifier
from probatum.testing.fakes import FakeContract, FakeVerifier, hanging, passing, raising, refuting

__all__ = [
    "ConformanceError",
    "FakeContract",
    "FakeVerifier",
    "broken_rules",
    "check_verifier",
    "hanging",
    "passing",
    "raising",
    "refuting",
]
