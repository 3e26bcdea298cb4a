"""Where the readings file of a program is: beside it, with the same name and an ending of its own."""

from __future__ import annotations

from typing import Final

from probatum.readings.notebook import ENDING

_PYTHON: Final = ".py"


def notebook_beside(path: str) -> str:
    """Return the path of the readings file that belongs to a Python file."""
    return f"{path.removesuffix(_PYTHON)}{ENDING}"
