"""The JSON Schema of the proof artifact, as it is shipped with the package: for readers that are not probatum.

The parser in `artifact` refuses everything that the schema refuses, and more. Refuses nothing itself.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

SCHEMA_FILE: Final = "proof-artifact-v1.schema.json"


def artifact_schema() -> str:
    """Return the text of the JSON Schema (2020-12) of version 1."""
    return files("probatum.proof").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")
