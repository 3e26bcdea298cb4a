"""`probatum proof`: look at a proof, and check it again.

Refuses to end with 0 unless every numbered step of a re-check holds.
"""

from __future__ import annotations

from typing import Annotated

import typer

from probatum.app.proofs import open_store_at, recheck_proof, show_proof
from probatum.app.settings import read_settings
from probatum.cli.options import JsonOption, StoreOption
from probatum.cli.output import Mode, Output
from probatum.cli.progress import shown_progress
from probatum.core.events import Event
from probatum.core.sheet import Mark
from probatum.report.page import Page

Reference = Annotated[str, typer.Argument(metavar="REF", help="The proof reference: 'sha256:' and 64 digits.")]


def proof_commands() -> typer.Typer:
    """Return the group of commands about proofs."""
    group = typer.Typer(help="Look at a proof, and check it again.", rich_markup_mode=None)
    group.command(short_help="Show what a proof says.")(show)
    group.command(short_help="Check a proof again, step by step.")(recheck)
    return group


def show(ref: Reference, json: JsonOption = False, store: StoreOption = None) -> int:
    """Show what a proof says: its claim, decision, subject, policy and verifiers. Nothing is checked again.

    Exit codes: 0 shown, 1 the store has no such proof or what it has is not one.
    """
    proof = show_proof(ref, open_store_at(read_settings().store_path(store)))
    output = Output(Mode.of(as_json=json))
    output.document(proof.document)
    closing = (("Check", f"probatum proof recheck {ref}"),)
    output.page(Page("PROOF", Mark.NOTE, ref, (proof.claim,), proof.sections, closing))
    return 0


def recheck(
    ref: Reference,
    replay: Annotated[
        bool, typer.Option("--replay", help="Also run the recorded inputs again and compare what comes out.")
    ] = False,
    json: JsonOption = False,
    store: StoreOption = None,
) -> int:
    """Check a proof again in numbered steps, from its bytes alone.

    Exit codes: 0 every step holds, 1 a step does not.
    """
    proofs = open_store_at(read_settings().store_path(store))
    # Deferred, so that help and `proof show` need not load what verifies programs.
    from probatum.app.service import Service

    with shown_progress(ref) as progress, Service(proofs) as service:
        progress(Event("recheck", "checking the proof again"))
        checked = recheck_proof(ref, proofs, service.recheckers(), replay=replay)
    output = Output(Mode.of(as_json=json))
    output.document(checked.document)
    word, mark = ("HOLDS", Mark.HOLDS) if checked.holds else ("FAILS", Mark.FAILS)
    output.page(Page(word, mark, ref, (checked.sentence,), (checked.steps,)))
    return 0 if checked.holds else 1
