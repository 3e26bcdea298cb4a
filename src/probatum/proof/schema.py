"""The JSON Schema of the proof artifact, for readers that are not probatum; the parser in `artifact` is stricter."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

SCHEMA_FILE: Final = "proof-artifact-v1.schema.json"


def artifact_schema() -> str:
    """Return the text of the JSON Schema (2020-12) of version 1."""
    return files("probatum.proof").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")
