"""`probatum ledger`: the append-only log of verdicts.

Refuses to end an audit with 0 where anything contradicts anything.
"""

from __future__ import annotations

import base64
import sys
from typing import Annotated

import typer

from probatum.app.sources import Sources
from probatum.cli.options import ORIGIN, CheckpointOption, JsonOption, LedgerOption, OriginOption, TrustOption, option
from probatum.cli.output import tell, write_data
from probatum.core.choice import chosen
from probatum.core.messages import counted
from probatum.core.sheet import Entry, Mark, Page, Section

SignOption = Annotated[str | None, option("--sign", "KEY", "Sign the head with this key of yours.")]


def ledger_commands() -> typer.Typer:
    """Return the group of commands about the ledger."""
    group = typer.Typer(help="The append-only log of verdicts.", rich_markup_mode=None)
    group.command(short_help="Print its head, to be kept elsewhere.")(head)
    group.command(short_help="Prove that an entry is in it.")(prove)
    group.command(short_help="Read it all again, against heads kept elsewhere.")(audit)
    group.command(short_help="Print its entries for auditors.")(export)
    return group


def head(
    ledger: LedgerOption = None, origin: OriginOption = ORIGIN, sign: SignOption = None, json: JsonOption = False
) -> int:
    """Print the head of the ledger: its size and Merkle root, signed as a checkpoint with --sign. Keep it elsewhere.

    Exit codes: 0 printed, 1 the file is not a sound ledger, 2 no such ledger or key.
    """
    from probatum.app.gating import user_keys
    from probatum.app.ledger import existing_ledger, head_of

    found, text = head_of(existing_ledger(ledger), origin, user_keys(), sign)
    root = base64.b64encode(found.root).decode()
    tell({"origin": origin, "size": found.size, "root": root, "checkpoint": text}, text, as_json=json)
    return 0


def prove(
    position: Annotated[
        int, typer.Argument(metavar="POSITION", help="Which entry; the first is 0.", show_default=False)
    ],
    ledger: LedgerOption = None,
    origin: OriginOption = ORIGIN,
    sign: SignOption = None,
    json: JsonOption = False,
) -> int:
    """Prove that an entry is in the ledger: the hashes that lead from it to the root of the head.

    Exit codes: 0 proved, 1 the file is not a sound ledger, 2 no such ledger or entry.
    """
    from probatum.app.gating import user_keys
    from probatum.app.ledger import existing_ledger, inclusion_document

    kept = existing_ledger(ledger)
    document = inclusion_document(kept, position, origin, user_keys(), sign)
    entry = base64.b64decode(str(document["entry"])).decode("utf-8", "replace")
    path = document["path"]
    assert isinstance(path, list)
    steps = Section("Path, from the entry upwards", tuple(Entry(Mark.NOTE, str(step)) for step in path))
    sentences = (f"Entry {position} of {document['size']} is under the root {document['root']}.", entry)
    tell(document, Page("INCLUDED", Mark.HOLDS, str(kept.path), sentences, (steps,) if path else ()), as_json=json)
    return 0


def audit(
    ledger: LedgerOption = None,
    checkpoint: CheckpointOption = None,
    trust: TrustOption = None,
    json: JsonOption = False,
) -> int:
    """Read every entry again and compare it with the log's hashes and with heads that were kept elsewhere.

    Without a kept head nobody can see that the newest entries are gone or that all of it was written anew.

    Exit codes: 0 nothing contradicts anything, 1 something does, or a head is not signed by a trusted key.
    """
    from probatum.app.ledger import audit as audit_of
    from probatum.app.ledger import existing_ledger

    kept = existing_ledger(ledger)
    report = audit_of(kept, checkpoint or [], trust or [], Sources(sys.stdin.buffer))
    document = {
        "holds": report.holds,
        "size": report.size,
        "root": base64.b64encode(report.root).decode(),
        "checkpoints": report.checkpoints,
        "problems": list(report.problems),
    }
    kept_heads = "one kept head" if report.checkpoints == 1 else f"{report.checkpoints} kept heads"
    compared = kept_heads if report.checkpoints else "no kept head"
    sentence = f"{counted(report.size, 'entry', 'entries')}, compared with {compared}."
    problems = tuple(Entry(Mark.FAILS, problem) for problem in report.problems)
    word, mark = ("HOLDS", Mark.HOLDS) if report.holds else ("FAILS", Mark.FAILS)
    sections = (Section("Found", problems),) if problems else ()
    tell(document, Page(word, mark, str(kept.path), (sentence,), sections), as_json=json)
    return 0 if report.holds else 1


def export(
    ledger: LedgerOption = None,
    form: Annotated[str, typer.Option("--format", metavar="ndjson|csv", help="What to print.")] = "ndjson",
) -> int:
    """Print every entry of the ledger, oldest first, as JSON lines or as a table for a spreadsheet.

    Exit codes: 0 printed, 1 the file is not a sound ledger, 2 no such ledger or format.
    """
    from probatum.app.ledger import ExportFormat, existing_ledger, exported

    asked = chosen(form, ExportFormat, "format")
    for line in exported(existing_ledger(ledger), asked):
        write_data(line)
    return 0
