"""`probatum completion`: prints what makes a shell complete commands and options."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from probatum.cli.output import write_data
from probatum.core.choice import chosen

SHELLS: Final = ("bash", "zsh", "fish", "powershell")
VARIABLE: Final = "_PROBATUM_COMPLETE"
"""Set by the script when a shell asks for completions."""


def completion(
    shell: Annotated[str, typer.Argument(metavar="|".join(SHELLS), help="The shell to complete in.")],
) -> int:
    """Print the script that makes a shell complete probatum's commands and options.

    bash: eval "$(probatum completion bash)" in ~/.bashrc. zsh: the same in ~/.zshrc, after compinit. fish: probatum
    completion fish > ~/.config/fish/completions/probatum.fish. PowerShell: add it to $PROFILE.

    Exit codes: 0 printed, 2 no such shell.
    """
    # Deferred: no other command needs it.
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # public, and not marked so

    named = chosen(shell, SHELLS, "shell")
    write_data(get_completion_script(prog_name="probatum", complete_var=VARIABLE, shell=named) + "\n")
    return 0
