"""Hypothesis strategies for our values: JSON, findings, results and policies.

What they draw is valid; values that are refused have to be written by hand.
"""

from __future__ import annotations

from hypothesis import strategies as st

from probatum.core.finding import Finding, Location, Severity
from probatum.core.frozen import frozen_dict
from probatum.verification.policy import AtLeast, Slot, VerificationPolicy
from probatum.verification.results import Fault, VerificationResult, VerificationStatus

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_SENTENCES = _TEXTS.filter(str.strip)
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXTS


def json_values() -> st.SearchStrategy[object]:
    """Draw JSON: what a task may be given or answer."""
    return st.recursive(
        _SCALARS,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
        max_leaves=6,
    )


def findings() -> st.SearchStrategy[Finding]:
    """Draw a finding of any severity."""
    return st.builds(
        Finding,
        st.sampled_from(list(Severity)),
        _TEXTS,
        _SENTENCES,
        st.none() | st.builds(Location, st.integers(1, 999), st.integers(0, 120), _TEXTS),
        _TEXTS,
        st.dictionaries(_TEXTS, json_values(), max_size=3).map(frozen_dict),
    )


@st.composite
def results(draw: st.DrawFn, verifier_id: str = "drawn") -> VerificationResult:
    """Draw the answer of a verifier under an id."""
    status = draw(st.sampled_from(list(VerificationStatus)))
    is_fail = status is VerificationStatus.FAIL
    return VerificationResult(
        status,
        verifier_id,
        draw(_TEXTS),
        draw(st.dictionaries(_TEXTS, json_values(), max_size=3)),
        tuple(draw(st.lists(_SENTENCES, min_size=1 if is_fail else 0, max_size=3))),
        tuple(draw(st.lists(_SENTENCES, max_size=3))),
        draw(st.none() | st.floats(0, 100)),
        draw(st.sampled_from(list(Fault))) if is_fail else None,
        draw(st.booleans()),
        tuple(draw(st.lists(findings(), max_size=2))),
    )


@st.composite
def policies(draw: st.DrawFn, verifier_ids: list[str]) -> VerificationPolicy:
    """Draw a policy over some of these ids, with optional slots, repeated ones and groups."""
    ids = draw(st.lists(st.sampled_from(verifier_ids), min_size=1, max_size=6))
    slots = tuple(Slot(each, draw(st.booleans())) for each in ids)
    group = tuple(sorted(draw(st.sets(st.sampled_from(ids), max_size=3))))
    groups = (AtLeast(draw(st.integers(1, len(group))), group),) if group else ()
    return VerificationPolicy(slots, groups)
