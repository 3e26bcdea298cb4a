"""Judges changes, one after the other. Everything that runs, runs in the sandbox; the repository is only read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from probatum.changes.claims.facts import claims_of
from probatum.changes.observing import observe_change
from probatum.changes.project import ProjectSetup
from probatum.changes.record import ChangeRecord
from probatum.changes.versions.trees import ChangeTrees, Tree
from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.command import Given
from probatum.core.events import Listener
from probatum.core.json_text import read_json
from probatum.core.ports import Rechecker, SourceReader
from probatum.core.shape import Shape, json_of
from probatum.kinds.change.observed import JudgedChange
from probatum.kinds.change.proof import change_rechecker, policy_of, record_of
from probatum.kinds.change.request import ChangeRequest
from probatum.proof.account import Document
from probatum.sandbox.environment import fingerprint_of, own_environment
from probatum.verification.kind import Host
from probatum.verification.observed import Observed


class ChangeWorkbench:
    """Judges changes."""

    def __init__(self, given: Given, host: Host) -> None:
        """Keep with which Python a replay runs the tests, whether they may use the network, and where to look first."""
        self._given = given
        self._host = host

    def observe(self, request: ChangeRequest, listener: Listener) -> Observed:
        """Run the tests of both versions and plant faults; raises as `Workbench.observe` does.

        What an earlier run observed of the same trees with the same Python, and came to its end, is not run again: what
        somebody accepts or demands changes the verdict alone.
        """
        key = _key(request)
        if (known := self._kept(key)) is not None:
            return JudgedChange(request, *known)
        claims = claims_of(request.claims, request.trees.messages)
        observed = observe_change(request.trees, request.project, claims, listener)
        if observed.is_lasting:
            told = {"record": json_of(observed.record), "said": dict(observed.said)}
            self._host.keep(key, canonical_bytes(told))
        return JudgedChange(request, observed.record, observed.said)

    def _kept(self, key: bytes) -> tuple[ChangeRecord, Mapping[str, str]] | None:
        content = self._host.kept(key)
        try:
            told = Shape(read_json(content)) if content is not None else None
            if told is None:
                return None
            said = told.member("said")
            return told.member("record").into(ChangeRecord), {name: said.text(name) for name in said.raw_object()}
        except (ValueError, RecursionError):
            return None

    def rechecker(self, demands: Given, sources: SourceReader) -> Rechecker:
        """Return what re-checks proofs of changes."""
        return change_rechecker(demands, self._given)

    def observed_again(self, artifact: Document, parts: Mapping[str, bytes]) -> Observed:
        """Return what is recorded: nothing is run."""
        named = Shape(artifact).member("subject")
        nothing = ChangeTrees(Path("/"), Tree({}), Tree({}), "", "", "", "", ())
        project = ProjectSetup("/", own_environment())
        content = parts[named.text("digest")]
        request = ChangeRequest(nothing, policy_of(artifact), project, named.text("name"), content)
        return JudgedChange(request, record_of(artifact), {})

    def close(self) -> None:
        """Nothing is open."""


def _key(request: ChangeRequest) -> bytes:
    """Return what names all that observing a change depends on."""
    project = request.project
    told: dict[str, JsonValue] = {
        "subject": request.content.hex(),
        "root": project.root,
        "network": project.has_network,
        "all": project.takes_all_tests,
        "python": [project.python.executable, project.python.version, *fingerprint_of(project.python)],
        "claims": [request.claims, *request.trees.messages],
    }
    return canonical_bytes(told)
