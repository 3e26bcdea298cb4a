"""`probatum proof erase`: take away for good what a proof was about.

Refuses to erase anything that nobody confirmed: on a terminal it asks, elsewhere it needs ``--yes``.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from probatum.app.settings import read_settings
from probatum.cli.options import JsonOption, StoreOption
from probatum.cli.output import note, tell
from probatum.core.errors import UsageError
from probatum.core.sheet import Mark
from probatum.report.page import Page
from probatum.report.text import plain_text


def erase(
    digest: Annotated[
        str,
        typer.Argument(metavar="DIGEST", help="A proof reference, or the digest of other content.", show_default=False),
    ],
    subject: Annotated[
        bool, typer.Option("--subject", help="Erase only what was judged; the proof stays and fails its re-check.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Erase what was judged, and every proof about it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: JsonOption = False,
    store: StoreOption = None,
) -> int:
    """Erase a proof for good, with everything that only it refers to. The digests stay.

    Copies are not reached: exported bundles, backups, other stores. A ledger keeps digests and names of files.

    Exit codes: 0 erased, 1 the store never had it, 2 nobody confirmed it, 4 the store cannot be written.
    """
    from probatum.app import erasing
    from probatum.app.proofs import user_store

    path = read_settings().store_path(store)
    extent = erasing.extent_of(subject=subject, everything=everything)
    kept = user_store(path)
    plan = erasing.plan_erasure(digest, kept, extent)
    number = "one content" if len(plan.erased) == 1 else f"{len(plan.erased)} contents"
    if not yes:
        note(plain_text(Page("ERASE", Mark.NOTE, str(path), (f"This erases {number} for good.",), plan.sections)))
        _require_confirmed()
    erasing.erase(plan, kept)
    kept.close()
    page = Page("ERASED", Mark.NOTE, str(path), (f"{number.capitalize()} erased for good.",), plan.sections)
    tell(plan.document, page, as_json=json)
    return 0


def _require_confirmed() -> None:
    can_answer = sys.stdin.isatty() and sys.stderr.isatty()
    if not (can_answer and typer.confirm("Erase?", err=True)):
        hint = "Use --yes where nobody can answer."
        raise UsageError("erase.not_confirmed", "Nothing was erased: nobody confirmed it.", hint)
