"""``--read MODEL``: configured models read what nobody has read yet, before files are verified.

What they say is proposed, and the policy of the run decides whether it counts. What comes of it is told on standard
error, so that the report stays what it is. Refuses a kind of files that models do not read; where nothing is left to
read, files are verified all the same.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

from probatum.app.kinds import AnyKind
from probatum.cli.output import note
from probatum.core.command import Given
from probatum.core.errors import UsageError

ReadOption = Annotated[
    str | None,
    typer.Option(
        "--read",
        metavar="MODEL[,MODEL]",
        help="Before, have these models of [tool.probatum.models] read what they have not; what they say is proposed.",
        show_default=False,
    ),
]
_TOOL: Final = "read"
_NOTHING: Final = "read.nothing_open"


def read_first(kind: AnyKind, given: Given, models: str) -> None:
    """Ask models about these files; raises UsageError as the command `read` does."""
    # Deferred: most runs ask no model.
    from probatum.app.desk import ServiceDesk
    from probatum.app.proofs import user_store
    from probatum.app.service import Service
    from probatum.app.sources import NO_SOURCES

    tool = next((each for each in kind.tools if each.command.name == _TOOL), None)
    if tool is None:
        raise UsageError("models.not_here", f"{kind.command.name} has nothing that models read.")
    own = given.only(tool.command.options)
    asked = Given(given.subject, {**own.options, "with": models}, given.others)
    with Service(user_store(None), given=asked) as service:
        try:
            told = tool.act(asked, ServiceDesk(service, kind, NO_SOURCES))
        except UsageError as error:
            if error.code != _NOTHING:
                raise
            note(error.sentence)
            return
    for page in told.pages:
        for sentence in page.sentences:
            note(sentence)
        for section in page.sections:
            for entry in section.entries:
                note(f"{section.title}: {entry.text}")
