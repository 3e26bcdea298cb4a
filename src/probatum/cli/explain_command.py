"""`probatum explain CODE`: what a code means, with an example, and what to do; without a code, all of them.

Refuses to guess: an unknown code is an error that names the nearest one, a last part of several codes lists these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from probatum.cli.options import JsonOption
from probatum.cli.output import tell
from probatum.core.messages import counted
from probatum.core.sheet import Entry, Mark, Page, Section

if TYPE_CHECKING:
    from probatum.app.explaining import Meaning

_EXPLAIN_ONE = "For one of them: probatum explain CODE"


def explain(
    code: Annotated[
        str,
        typer.Argument(
            metavar="[CODE]",
            help="The code of a verdict or an error, its last part, or an area such as 'path'. Default: all.",
            show_default=False,
        ),
    ] = "",
    json: JsonOption = False,
) -> int:
    """Say what a code means, with an example, and what to do.

    A verdict has its code as 'constraint_id', an error in brackets, an answer to an agent as 'why'.

    Exit codes: 0 told, 2 there is no such code.
    """
    # Deferred: a command line is built without the texts.
    from probatum.app.explaining import meanings_of

    found = meanings_of(code)
    page = _page_of_one(found[0]) if len(found) == 1 else _page_of_many(code, found)
    document = found[0].to_dict() if len(found) == 1 else {"codes": [each.to_dict() for each in found]}
    tell(document, page, as_json=json)
    return 0


def _page_of_one(meaning: Meaning) -> Page:
    titled = {
        "Comes with": meaning.how_it_ends,
        "Example": ("\n".join(meaning.example),) if meaning.example else (),
        "What to do": (meaning.do,) if meaning.do else (),
    }
    sections = tuple(
        Section(title, tuple(Entry(Mark.NOTE, text) for text in texts)) for title, texts in titled.items() if texts
    )
    return Page("CODE", Mark.NOTE, meaning.code, (meaning.means,), sections)


def _page_of_many(code: str, found: Sequence[Meaning]) -> Page:
    areas: dict[str, list[Entry]] = {}
    for each in found:
        areas.setdefault(each.area, []).append(Entry(Mark.NOTE, f"{each.code}  {each.in_short}"))
    sections = tuple(Section(area, tuple(entries), whole=True) for area, entries in areas.items())
    return Page("CODES", Mark.NOTE, code or counted(len(found), "code"), (_EXPLAIN_ONE,), sections)
