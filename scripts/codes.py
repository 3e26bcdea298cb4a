"""Writes docs/reference/codes.md: what every code means, from the same data as `probatum explain`.

Refuses to add anything that the command does not tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from probatum.app.explaining import Meaning, meanings_of

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "codes.md"
_INTRODUCTION = """\
# Codes

What `probatum explain CODE` says of every code: the constraint of a verdict (`constraint_id`), the code of an error (in
brackets), and why an answer of a reader is refused (`why`). The last part of a code is enough where it is the only one.
How outcomes and exit codes go together: [verdicts](../verdicts.md).
"""


def page() -> str:
    """Return the text of the page; each code has an anchor of its own."""
    return "\n".join([_INTRODUCTION, *_lines()])


def _lines() -> Iterator[str]:
    for area, codes in groupby(meanings_of(""), key=lambda each: each.area):
        yield f"## {area}\n"
        for each in codes:
            yield from _entry(each)


def _entry(meaning: Meaning) -> Iterator[str]:
    yield f'### <a id="{meaning.code}"></a>`{meaning.code}`\n'
    ends = f" *{'; '.join(meaning.how_it_ends)}*" if meaning.ends else ""
    yield f"{meaning.means}{ends}\n"
    if meaning.case:
        yield f"For example: {meaning.case}\n"
    elif meaning.example:
        yield "\n".join(["```text", *meaning.example, "```", ""])
    if meaning.do:
        yield f"{meaning.do}\n"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
