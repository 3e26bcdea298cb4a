"""A kept proof and the verdict that rests on it, for the tests that ask the gate."""

from __future__ import annotations

import pytest

from probatum.core.canonical import canonical_bytes
from probatum.core.diagnostics import DiagnosticResult
from probatum.proof.stores import MemoryStore
from tests.proof.sample import SUBJECT, sample_artifact, verdict_of


@pytest.fixture
def store() -> MemoryStore:
    kept = MemoryStore()
    kept.retain(canonical_bytes(sample_artifact()))
    kept.retain(SUBJECT.content)
    return kept


@pytest.fixture
def verdict() -> DiagnosticResult:
    return verdict_of(sample_artifact())
