"""`probatum proof`: look at a proof, check it again, hand it on in one file, erase it.

Refuses to end with 0 unless every numbered step of a re-check holds.
"""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from probatum.app.proofs import artifact_schema, existing_store, show_proof, user_store
from probatum.app.sources import Sources
from probatum.cli.declared import with_declared
from probatum.cli.erase_command import erase, list_, prune
from probatum.cli.options import (
    ORIGIN,
    JsonOption,
    OriginOption,
    StoreOption,
    TrustOption,
    option,
    path_of,
    path_option,
)
from probatum.cli.output import tell
from probatum.cli.progress import shown_progress
from probatum.core.command import Given, Option
from probatum.core.events import Event
from probatum.core.sheet import Mark, Page

Reference = Annotated[str, typer.Argument(metavar="REF", help="The proof reference: 'sha256:' and 64 digits.")]


def proof_commands(replay: Sequence[Option]) -> typer.Typer:
    """Return the group of commands about proofs; ``replay`` are options that replays of the kinds may need."""
    group = typer.Typer(help="Look at a proof, check it again, hand it on, erase it.", rich_markup_mode=None)
    group.command(short_help="Show what a proof says.")(show)
    group.command(short_help="Check a proof again, step by step.")(with_declared(recheck, replay))
    group.command(short_help="Write a proof into one file.")(export)
    group.command(name="import", short_help="Keep the proof of such a file.")(import_)
    group.command(name="list", short_help="List the proofs that are kept.")(list_)
    group.command(short_help="Erase the proofs about some subjects for good.")(prune)
    group.command(short_help="Erase a proof for good.")(erase)
    group.command(short_help="Print the form of a proof.")(schema)
    return group


def show(ref: Reference, json: JsonOption = False, store: StoreOption = None) -> int:
    """Show what a proof says: its claim, decision, subject, policy and verifiers. Nothing is checked again.

    Exit codes: 0 shown, 1 the store has no such proof or what it has is not one, 2 no such store, 4 the store cannot
    be used.
    """
    proof = show_proof(ref, existing_store(store))
    closing = (("Check", f"probatum proof recheck {ref}"),)
    tell(proof.document, Page("PROOF", Mark.NOTE, ref, (proof.claim,), proof.sections, closing), as_json=json)
    return 0


def recheck(
    ref: Annotated[
        str,
        typer.Argument(metavar="REF|BUNDLE", help="The proof reference, or the file of a bundle.", show_default=False),
    ],
    *,
    replay: Annotated[
        bool, typer.Option("--replay", help="Also verify it again from the seed and compare the proofs.")
    ] = False,
    given: Given,
    trust: TrustOption = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> int:
    """Check a proof again in numbered steps, from its bytes alone: one of the store, or a bundle.

    Exit codes: 0 every step holds, 1 a step does not.
    """
    # Deferred, so that help and `proof show` need not load what verifies programs.
    from probatum.app.gating import recheck_asked

    with shown_progress(ref) as progress:
        progress(Event("recheck", "checking the proof again"))
        checked = recheck_asked(ref, store, trust or [], given, Sources(sys.stdin.buffer), replay=replay)
    word, mark = ("HOLDS", Mark.HOLDS) if checked.holds else ("FAILS", Mark.FAILS)
    tell(checked.document, Page(word, mark, ref, (checked.sentence,), (checked.steps,)), as_json=json)
    return 0 if checked.holds else 1


def export(
    ref: Reference,
    out: Annotated[Path, path_option("--out", "FILE", "The file to write.")],
    sign: Annotated[list[str] | None, option("--sign", "KEY", "Sign with this key of yours; may be repeated.")] = None,
    ledger: Annotated[
        Path | None,
        path_option(
            "--ledger",
            "FILE",
            "Add the entry of this ledger about the verdict, and the proof that it is there; needs --sign.",
        ),
    ] = None,
    origin: OriginOption = ORIGIN,
    json: JsonOption = False,
    store: StoreOption = None,
) -> int:
    """Write a proof, its verdict and all that is needed to check it into one file, signed where asked.

    Exit codes: 0 written, 1 the store lacks a part of the proof or has it altered, or the ledger has no entry about
    it, 2 no such key or store, 4 the store cannot be used.
    """
    from probatum.app.gating import export_bundle, write_bundle
    from probatum.app.ledger import existing_ledger

    recorded = None if ledger is None else existing_ledger(ledger)
    content = export_bundle(ref, existing_store(store), sign or [], recorded, origin)
    write_bundle(content, out)
    document = {"proof_ref": ref, "file": str(out), "bytes": len(content), "signed_by": sign or []}
    document["recorded"] = recorded is not None
    told = f"{len(content)} bytes" + (f", signed by {', '.join(sign)}" if sign else ", not signed")
    told += ", with its entry in the ledger." if recorded else "."
    closing = (("Check", f"probatum proof recheck {out}"),)
    tell(document, Page("EXPORTED", Mark.NOTE, str(out), (told,), (), closing), as_json=json)
    return 0


def import_(
    bundle: Annotated[
        Path,
        typer.Argument(metavar="BUNDLE", help="A file of 'proof export'.", show_default=False, parser=path_of),
    ],
    json: JsonOption = False,
    store: StoreOption = None,
) -> int:
    """Keep the proof of a bundle in your store. Only its digests are compared; re-check it before you rely on it.

    Exit codes: 0 kept, 1 it is not a bundle or not whole; then nothing is kept.
    """
    from probatum.app.gating import import_bundle

    reference = import_bundle(bundle, user_store(store), Sources(sys.stdin.buffer))
    closing = (("Check", f"probatum proof recheck {reference}"),)
    page = Page("IMPORTED", Mark.NOTE, str(bundle), (reference,), (), closing)
    tell({"proof_ref": reference}, page, as_json=json)
    return 0


def schema(json: JsonOption = False) -> int:
    """Print the JSON Schema of proofs, for programs that read them without probatum.

    Exit codes: 0 printed.
    """
    text = artifact_schema()
    tell(json_text.loads(text), text, as_json=json)
    return 0
