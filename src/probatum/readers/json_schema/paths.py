"""Places in a JSON value, as text: ``$.rows[2]["first name"]``, with long keys shortened."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_SHOWN_KEY: Final = 60
_SHOWN_STEPS: Final = 40


def path_text(steps: Sequence[str | int]) -> str:
    """Return the place that these steps lead to."""
    told = [_step(step) for step in steps]
    if len(told) > _SHOWN_STEPS:
        half = _SHOWN_STEPS // 2
        told[half:-half] = ["…"]
    return "".join(("$", *told))


def _step(step: str | int) -> str:
    if not isinstance(step, str):
        return f"[{step}]"
    if _PLAIN.fullmatch(step) and len(step) <= _SHOWN_KEY:
        return f".{step}"
    shown = step if len(step) <= _SHOWN_KEY else step[:_SHOWN_KEY] + "…"
    return f"[{json.dumps(shown.encode('utf-8', errors='replace').decode(), ensure_ascii=False)}]"
