"""Values for property tests: JSON, plain Python data, and verdicts."""

from __future__ import annotations

from datetime import timedelta, timezone

from hypothesis import strategies as st

from probatum.core.diagnostics import AdvisoryCheck, DiagnosticResult

ENCODABLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
ANY_TEXT = st.text(max_size=8)
SAFE_INTEGERS = st.integers(-(2**53) + 1, 2**53 - 1)
JSON_SCALARS = st.none() | st.booleans() | SAFE_INTEGERS | st.floats(allow_nan=False, allow_infinity=False) | ENCODABLE
JSON = st.recursive(
    JSON_SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ENCODABLE, inner, max_size=4),
    max_leaves=12,
)
JSON_OBJECTS = st.dictionaries(ENCODABLE, JSON, max_size=4)

FIXED_ZONES = st.none() | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
HASHABLE_SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | st.text("$ab", max_size=4)
    | st.binary(max_size=8) | st.decimals(allow_nan=False) | st.fractions()
    | st.dates() | st.timedeltas() | st.complex_numbers()
    | st.datetimes(timezones=FIXED_ZONES) | st.times(timezones=FIXED_ZONES)
    | st.builds(range, st.integers(), st.integers(), st.integers().filter(bool))
)  # fmt: skip
HASHABLE = st.recursive(
    HASHABLE_SCALARS,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=6,
)
PLAIN_DATA = st.recursive(
    HASHABLE | st.decimals(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(HASHABLE, inner, max_size=3)
        | st.dictionaries(st.text("$a", max_size=3), inner, max_size=3)
        | st.sets(HASHABLE, max_size=3)
    ),
    max_leaves=8,
)

ADVICE = st.lists(
    st.builds(
        AdvisoryCheck,
        name=st.sampled_from(["second_reader", "similarity", "reviewer"]),
        constraint_id=st.none() | st.just("advice.only"),
        details=st.dictionaries(st.sampled_from(["score", "says", "model"]), JSON_SCALARS, max_size=3),
    ),
    max_size=3,
)


@st.composite
def verdicts(draw: st.DrawFn) -> DiagnosticResult:
    """Draw a verdict of any status, with fields and advice."""
    fields = draw(st.dictionaries(st.sampled_from(["line", "seen", "wanted"]), st.integers(0, 99) | st.booleans()))
    fields["advisory_checks"] = draw(ADVICE)
    make = draw(st.sampled_from(["verified", "unverifiable", "blocked"]))
    if make == "verified":
        return DiagnosticResult.verified("Established.", fields, {"observed": draw(JSON)})
    return getattr(DiagnosticResult, make)("Not established.", fields)
