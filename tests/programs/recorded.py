"""Records of readings as Hypothesis makes them, for laws about the forms in which they are kept."""

from __future__ import annotations

from hypothesis import strategies as some

from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing

# Among them what looks like a key of many parts, and quotes in each other.
_LIKE_CODE = some.text("a1.\"'\\\n# =", max_size=30)
_TEXT = some.text(some.characters(exclude_categories=["Cs"]), max_size=30) | _LIKE_CODE
_WORDS = _TEXT.filter(bool)
_DATES = some.dates().map(lambda day: day.isoformat())


@some.composite
def readings(draw: some.DrawFn) -> Reading:
    standing = draw(some.sampled_from(Standing))
    judged = standing is not Standing.PROPOSED
    kind = draw(some.sampled_from(ReadingKind))
    return Reading(
        draw(_WORDS),
        kind,
        draw(_TEXT),
        draw(_TEXT),
        draw(some.floats(0, 1)),
        standing,
        draw(_WORDS) if judged else "",
        draw(_DATES) if judged else "",
        draw(_TEXT),
    )


def records() -> some.SearchStrategy[ReadingRecord]:
    """Return records of any texts that a file can hold."""
    several = some.lists(readings(), max_size=4).map(tuple)
    inputs = some.lists(_TEXT, max_size=3).map(tuple)
    return some.builds(ReadingRecord, _WORDS, several, _TEXT, _TEXT, _TEXT, inputs, _TEXT)
