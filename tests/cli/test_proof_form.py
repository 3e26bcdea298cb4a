"""The form of a proof on the command line: its schema, and a proof of a later version."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from probatum.app.proofs import artifact_schema
from probatum.core.canonical import canonical_bytes
from probatum.proof.stores import open_store
from tests.cli.command import Commands
from tests.proof.sample import sample_artifact


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_the_schema_is_printed(options: list[str], commands: Commands) -> None:
    ended = commands.run("proof", "schema", *options)
    assert (ended.code, ended.stderr) == (0, "")
    assert json.loads(ended.stdout) == json.loads(artifact_schema())


@pytest.mark.parametrize("verb", ["show", "recheck"])
def test_a_proof_of_a_later_version_names_what_helps(verb: str, commands: Commands) -> None:
    later = {**sample_artifact(), "format": "probatum/proof-artifact/v2"}
    reference = open_store(Path("proofs")).retain(canonical_bytes(later))
    ended = commands.run("proof", verb, reference, "--store", "proofs")
    assert ended.code == 1
    assert "Install a newer probatum" in ended.stdout + ended.stderr
