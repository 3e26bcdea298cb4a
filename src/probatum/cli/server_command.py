"""`probatum server`: verdicts in an editor, over the Language Server Protocol.

Refuses to print anything but the protocol on standard output.
"""

from __future__ import annotations

from collections.abc import Callable

from probatum.app.editor_port import EditorRequest, EditorRunner
from probatum.app.pool import for_all
from probatum.app.settings import read_settings
from probatum.cli.options import StoreOption
from probatum.core.command import Given


def server_command(run_editor: EditorRunner) -> Callable[..., int]:
    """Return the command, with what serves behind it."""

    def server(*, given: Given, store: StoreOption = None) -> int:
        """Show verdicts in an editor: refuted, open and weak functions at their lines, and what to do about them.

        The editor starts it and speaks over standard input and output, until it goes.

        Exit codes: 0 the editor has gone, 2 wrong usage, 4 a package is missing.
        """
        kept = read_settings().store_path(store).absolute()
        return run_editor(EditorRequest(kept, for_all(given)))

    return server
