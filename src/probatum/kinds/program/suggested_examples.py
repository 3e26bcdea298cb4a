"""Examples to add, as people and programs read them: in doctest form, with the value left open.

Refuses to show what the program answers today: it may be wrong, and would be confirmed rather than thought about.
"""

from __future__ import annotations

from dataclasses import replace

from probatum.core.canonical import JsonValue
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.programs.judging.suggestions import OPEN_VALUE, Suggested

TITLE = "Examples to add to the docstring"
MOST_NAMED = 3
_NOTHING_MORE = "no generated input would notice more than the checks do"
_NOT_MEASURED = "none yet: what the checks notice is measured once all of them hold, from level standard on"


def with_suggestions(sheet: Sheet, suggested: Suggested) -> Sheet:
    """Return the sheet with a section of examples to add, which takes the place of its advice."""
    if not suggested.examples:
        sentence = _NOTHING_MORE if suggested.measured else _NOT_MEASURED
        return replace(sheet, sections=(*sheet.sections, Section(TITLE, (Entry(Mark.NOTE, sentence),))))
    entries = [Entry(Mark.NOTE, each.example, detail=_named(each.notices)) for each in suggested.examples]
    total = f"together they would notice {suggested.covered} of the {suggested.faults} faults that no check notices"
    step = f"Add the examples, and write for each {OPEN_VALUE} the result that is right, not the one that comes out."
    sections = (*sheet.sections, Section(TITLE, (*entries, Entry(Mark.NOTE, total))))
    return replace(sheet, sections=sections, next_step=step)


def _named(notices: tuple[str, ...]) -> tuple[str, ...]:
    more = len(notices) - MOST_NAMED
    count = f"would notice {len(notices)} more fault{'s' if len(notices) > 1 else ''}:"
    return (count, *(f"  {each}" for each in notices[:MOST_NAMED]), *((f"  and {more} more",) if more > 0 else ()))


def suggestions_json(suggested: Suggested) -> JsonValue:
    """Return the examples as JSON."""
    return {
        "examples": [{"example": each.example, "notices": list(each.notices)} for each in suggested.examples],
        "covered": suggested.covered,
        "not_noticed": suggested.faults,
        "measured": suggested.measured,
    }
