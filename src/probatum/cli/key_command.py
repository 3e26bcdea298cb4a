"""`probatum key`: the keys that verdicts are signed with.

Refuses to print a private key, and to replace one.
"""

from __future__ import annotations

from typing import Annotated

import typer

from probatum.cli.options import JsonOption
from probatum.cli.output import Mode, Output, tell
from probatum.core.sheet import Entry, Mark, Page, Section

KeyName = Annotated[str, typer.Argument(metavar="NAME", help="What the key is called.", show_default=False)]


def key_commands() -> typer.Typer:
    """Return the group of commands about keys."""
    group = typer.Typer(help="Keys that verdicts are signed with.", rich_markup_mode=None)
    group.command(short_help="Make a new key.")(generate)
    group.command(name="list", short_help="List the keys.")(list_keys)
    group.command(short_help="Print a public key.")(public)
    return group


def generate(name: KeyName, json: JsonOption = False) -> int:
    """Make a new Ed25519 key, in a file that only you may read. There is no default key.

    Exit codes: 0 made, 2 the name is taken or no name, 4 the folder cannot be written.
    """
    from probatum.app.gating import user_keys

    made = user_keys().generate(name)
    closing = (
        ("Give away", f"probatum key public {name}"),
        ("Sign with it", f"probatum proof export REF --sign {name}"),
    )
    document = {"name": name, "id": made.public.id, "public": made.public.pem}
    tell(document, Page("KEY", Mark.NOTE, name, (f"id {made.public.id}",), (), closing), as_json=json)
    return 0


def list_keys(json: JsonOption = False) -> int:
    """List your keys: names and ids.

    Exit codes: 0 listed, 2 a key's file is damaged or may be read by others.
    """
    from probatum.app.gating import user_keys

    keys = list(user_keys().named())
    document = {"keys": [{"name": key.name, "id": key.public.id} for key in keys]}
    lines = tuple(Entry(Mark.NOTE, key.name, detail=(key.public.id,)) for key in keys)
    sentence = "Each id is the SHA-256 of the public key." if keys else "No keys yet."
    closing = () if keys else (("Make one", "probatum key generate NAME"),)
    sections = (Section("Keys", lines),) if keys else ()
    tell(document, Page("KEYS", Mark.NOTE, f"{len(keys)}", (sentence,), sections, closing), as_json=json)
    return 0


def public(name: KeyName, json: JsonOption = False) -> int:
    """Print the public half of a key as PEM text, to give away.

    Exit codes: 0 printed, 2 no such key.
    """
    from probatum.app.gating import user_keys

    key = user_keys().load(name).public
    output = Output(Mode.of(as_json=json))
    output.document({"name": name, "id": key.id, "public": key.pem})
    output.text(key.pem)
    return 0
