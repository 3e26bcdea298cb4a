"""Programs that read code and say what they find, such as linters and type checkers: found, run on a copy, bounded.

A tool works in a folder of its own that holds the code and nothing else, so that it hears no settings of strangers; it
reads the code and never runs it. Refuses to take silence, a wrong exit code or a flood for an answer.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from probatum.workers.process import ProcessLimits, run_program

Found = TypeVar("Found")
MOST_ANSWER: Final = 16 << 20
NO_ANSWER: Final = (OSError, RuntimeError, ValueError)
"""What a tool that gives no answer, or one that makes no sense, raises."""


def beside_us(name: str) -> tuple[str, ...]:
    """Return how a tool is called that is installed in the environment of this package."""
    # -I: nothing of the current folder or the user is imported in the place of the tool.
    return (sys.executable, "-I", "-m", name)


def tool_found(name: str) -> tuple[str, ...] | None:
    """Return how a tool is called: the one beside this package, else the one on the path; None where there is none."""
    if find_spec(name) is not None:
        return beside_us(name)
    found = shutil.which(name)
    # A relative entry of the path would be a folder of whoever wrote the code.
    return (found,) if found is not None and os.path.isabs(found) else None


def found_by(
    command: Sequence[str], files: Mapping[str, bytes], limits: ProcessLimits, read: Callable[[bytes], Iterable[Found]]
) -> list[Found]:
    """Return what a tool finds in these files, by their paths; ``read`` makes it of what the tool prints.

    Raises `NO_ANSWER` unless the tool ends with 0, or with 1 and finds something: what cannot even start ends with 1.
    """
    with TemporaryDirectory(prefix="probatum-") as folder:
        for name, content in files.items():
            place = Path(folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        ended = run_program(command, limits, max_output_bytes=MOST_ANSWER, folder=folder)
    printed = ended.captured[0]
    if ended.is_late:
        raise ValueError(f"it took more than {limits.seconds:g} seconds")
    if printed.total > MOST_ANSWER:
        raise ValueError(f"it printed more than {MOST_ANSWER:,} bytes")
    found = list(read(printed.head)) if ended.exit_code in {0, 1} else []
    if ended.exit_code != 0 and not found:
        raise ValueError(f"it ended with {ended.exit_code}")
    return found
