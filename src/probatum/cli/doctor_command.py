"""`probatum doctor`: what this machine can do for a verification, and what is missing.

Refuses to call a machine fit that has no isolation: exit code 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from probatum.app.settings import read_settings
from probatum.cli.options import JsonOption, StoreOption
from probatum.cli.output import tell
from probatum.core.sheet import Entry, Mark, Page, Section

if TYPE_CHECKING:
    from probatum.app.doctor import Part


def doctor(json: JsonOption = False, store: StoreOption = None) -> int:
    """Say what this machine can do: Python, sandbox tiers, the store of proofs, optional parts.

    Exit codes: 0 when at least one isolating sandbox tier works, 4 when none does.
    """
    # Deferred, so that the other commands need not load what the examination looks at.
    from probatum.app.doctor import examine

    report = examine(read_settings().store_path(store))
    sections = (
        Section("Here", (Entry(Mark.NOTE, report.python), Entry(Mark.NOTE, report.platform))),
        Section("Sandbox", tuple(_entry(part) for part in report.tiers)),
        Section("Proofs", (_entry(report.store),)),
        Section("Parts", tuple(_entry(part, needed=False) for part in report.parts)),
    )
    word, mark = ("READY", Mark.HOLDS) if report.is_ready else ("NOT READY", Mark.FAILS)
    sentence = (
        "Programs can be verified in a sandbox here."
        if report.is_ready
        else "No sandbox works here: programs are not run, and every verdict is BLOCKED."
    )
    tell(report.to_dict(), Page(word, mark, f"probatum {report.version}", (sentence,), sections), as_json=json)
    return 0 if report.is_ready else 4


def _entry(part: Part, *, needed: bool = True) -> Entry:
    mark = Mark.HOLDS if part.works else Mark.FAILS if needed else Mark.NOTE
    return Entry(mark, f"{part.name}: {part.state}", detail=(part.hint,) if part.hint and not part.works else ())
