"""`probatum proof list`, `prune` and `erase`: what is kept, and taking it away for good.

Refuses to erase anything that nobody confirmed: on a terminal it asks, elsewhere it needs ``--yes``.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probatum.app.settings import read_settings
from probatum.cli.options import JsonOption, StoreOption
from probatum.cli.output import note, tell
from probatum.core.errors import UsageError
from probatum.core.messages import counted
from probatum.core.outside import clipped
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.report.text import plain_text

if TYPE_CHECKING:
    from probatum.app.erasing import ErasurePlan
    from probatum.core.ports import Store


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

    Exit codes: 0 erased, 1 the store never had it, 2 nobody confirmed it or no such store, 4 the store cannot be
    used.
    """
    from probatum.app import erasing
    from probatum.app.proofs import existing_store

    extent = erasing.extent_of(subject=subject, everything=everything)
    kept = existing_store(store, read_only=False)
    return _erased(erasing.plan_erasure(digest, kept, extent), kept, yes=yes, as_json=json, store=store)


def prune(
    about: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="What the subjects are called, or a pattern, as in 'outputs.jsonl:*' or '*'.",
            show_default=False,
        ),
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: JsonOption = False,
    store: StoreOption = None,
) -> int:
    """Erase every proof about subjects of this name for good, with everything that only they refer to.

    A name that a subject has is not a pattern. The lines of a stream are called FILE:LINE; 'proof list' shows the
    names. What a ledger says stays.

    Exit codes: 0 erased, 2 there is none, no such store, or nobody confirmed it, 4 the store cannot be used.
    """
    from probatum.app import erasing
    from probatum.app.proofs import existing_store

    kept = existing_store(store, read_only=False)
    return _erased(erasing.plan_pruning(about, kept), kept, yes=yes, as_json=json, store=store)


def list_(
    about: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Only of subjects that are called so.", show_default=False)
    ] = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> int:
    """List the proofs that are kept: reference, size and what the subject is called.

    Exit codes: 0 listed, also where there is none, 2 no such store, 4 the store cannot be used.
    """
    from probatum.app.erasing import listed_proofs
    from probatum.app.proofs import existing_store

    found = listed_proofs(existing_store(store), about)
    size = sum(proof.bytes for proof in found)
    entries = tuple(Entry(Mark.NOTE, f"{each.proof_ref}  {each.bytes:>9,}  {clipped(each.subject)}") for each in found)
    sections = (Section("Proofs", entries),) if entries else ()
    told = f"{counted(len(found), 'proof')}, {size:,} bytes without their parts."
    page = Page("KEPT", Mark.NOTE, about or "*", (told,), sections)
    tell({"proofs": [asdict(each) for each in found], "bytes": size}, page, as_json=json)
    return 0


def _erased(plan: ErasurePlan, kept: Store, *, yes: bool, as_json: bool, store: Path | None) -> int:
    from probatum.app import erasing

    path = read_settings().store_path(store)
    size = erasing.size_of(plan, kept)
    number = "one content" if len(plan.erased) == 1 else f"{len(plan.erased):,} contents"
    number += f" of {size} bytes"
    if not yes:
        note(plain_text(Page("ERASE", Mark.NOTE, str(path), (f"This erases {number} for good.",), plan.sections)))
        _require_confirmed()
    erasing.erase(plan, kept)
    kept.close()
    page = Page("ERASED", Mark.NOTE, str(path), (f"{number.capitalize()} erased for good.",), plan.sections)
    tell({**plan.document, "bytes": size}, page, as_json=as_json)
    return 0


def _require_confirmed() -> None:
    can_answer = sys.stdin.isatty() and sys.stderr.isatty()
    if not (can_answer and typer.confirm("Erase?", err=True)):
        hint = "Use --yes where nobody can answer."
        raise UsageError("erase.not_confirmed", "Nothing was erased: nobody confirmed it.", hint)
