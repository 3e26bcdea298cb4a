"""Judges changes, one after the other. Everything that runs, runs in the sandbox; the repository is only read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from probatum.changes.observing import observe_change
from probatum.changes.project import ProjectSetup
from probatum.changes.stating import claims_of
from probatum.changes.trees import ChangeTrees, Tree
from probatum.core.command import Given
from probatum.core.events import Listener
from probatum.core.ports import Rechecker, SourceReader
from probatum.core.shape import Shape
from probatum.kinds.change.observed import JudgedChange
from probatum.kinds.change.proof import change_rechecker, policy_of, record_of
from probatum.kinds.change.request import ChangeRequest
from probatum.proof.account import Document
from probatum.sandbox.environment import own_environment
from probatum.verification.observed import Observed


class ChangeWorkbench:
    """Judges changes."""

    def __init__(self, given: Given) -> None:
        """Keep with which Python a replay runs the tests, and whether they may use the network."""
        self._given = given

    def observe(self, request: ChangeRequest, listener: Listener) -> Observed:
        """Run the tests of both versions and plant faults; raises as `Workbench.observe` does."""
        claims = claims_of(request.claims, request.trees.messages)
        observed = observe_change(request.trees, request.project, claims, listener)
        return JudgedChange(request, observed.record, observed.said)

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
