"""Writes the JSON Schemas of what an audit is given and gives into docs/reference/audit.

They follow from the models. Refuses to add anything that these do not check.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from probatum.audit import EvidenceBundle, PromptSpec, ReasoningTrace, VerificationResult

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference" / "audit"
MODELS: dict[str, type[BaseModel]] = {
    "prompt-spec": PromptSpec,
    "evidence-bundle": EvidenceBundle,
    "reasoning-trace": ReasoningTrace,
    "audit-verification": VerificationResult,
}


def schemas() -> Iterator[tuple[Path, str]]:
    """Yield each file with its text."""
    for name, model in MODELS.items():
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
        yield FOLDER / f"{name}.schema.json", json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for path, text in schemas():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
