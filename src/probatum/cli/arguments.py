"""What the option parser cannot say: an option whose value may be left out.

``--save-tests`` alone means the default folder. Refuses to take the file under test for a folder: a following word
that is an option, names a Python file or is ``-`` is never the value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

END_OF_OPTIONS = "--"


def with_optional_values(arguments: Sequence[str], defaults: Mapping[str, str]) -> list[str]:
    """Return the arguments with ``--option`` written as ``--option=VALUE`` for every option that has a default."""
    given = list(arguments)
    written: list[str] = []
    while given:
        word = given.pop(0)
        if word == END_OF_OPTIONS:
            return [*written, word, *given]
        if word in defaults:
            takes_next = bool(given) and not (given[0].startswith("-") or given[0].endswith(".py") or "::" in given[0])
            word = f"{word}={given.pop(0) if takes_next else defaults[word]}"
        written.append(word)
    return written
