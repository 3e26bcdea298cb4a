"""Judges outputs, one after the other; opens a sandbox for the first criterion that needs one.

Reads sources only where the operator allows their addresses; one that is not read is named in the result.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final

from probatum.core.command import Given
from probatum.core.digest import digest_of
from probatum.core.errors import NotAttemptedError, ProbatumError
from probatum.core.events import Event, Listener
from probatum.core.json_text import read_json
from probatum.core.ports import Advisor, Rechecker, SourceReader
from probatum.core.shape import Shape
from probatum.core.version import __version__
from probatum.exact.evaluation import TASK
from probatum.judge.judging import judged
from probatum.judge.layers import LayerReport
from probatum.judge.request import TrustedSource, ValidationRequest, ValidationType, validation_request, with_sources
from probatum.judge.scoring import result_of
from probatum.kinds.judge.linters import installed_linters, linters_named
from probatum.kinds.judge.observed import JudgedValidation
from probatum.kinds.judge.proof import asked_digest, linters_in, restored
from probatum.kinds.judge.request import TEXT, JudgeRequest, asked_bytes
from probatum.kinds.judge.running import SandboxRunner, criteria_tools
from probatum.kinds.judge.wire import asked_in, fetched_source
from probatum.proof.account import Account, AccountRechecker, Document
from probatum.verification.kind import Host
from probatum.verification.observed import Observed
from probatum.workers.warm import WarmExecutor

if TYPE_CHECKING:
    from probatum.kinds.judge.model_reading import ModelSaid

_REQUEST: Final = "request"


class JudgeWorkbench:
    """Judges outputs."""

    def __init__(
        self, host: Host, allowed: Sequence[str], linters: Sequence[str], models: Sequence[Advisor] = ()
    ) -> None:
        """Keep who reads addresses and offers other verifiers, which addresses are allowed, linters, and models.

        Raises UsageError for a linter that is unknown or not installed.
        """
        self._host = host
        self._allowed = tuple(allowed)
        self._linters = linters_named(linters or installed_linters())
        self._models = tuple(models)
        self._runner = SandboxRunner()
        self._engines = WarmExecutor(TASK)
        self._tools = criteria_tools(self._runner, host, self._engines)

    def observe(self, request: JudgeRequest, listener: Listener) -> Observed:
        """Run every layer that is asked for; raises as `Workbench.observe` does."""
        started = perf_counter()
        asked = with_sources(request.asked, self._read)
        known = JudgeRequest(asked, request.name, request.content, request.repeated_with)
        reports = tuple(
            judged(asked, self._tools, lambda layer: listener(Event("layer", f"Judging {layer}")), self._linters)
        )
        result = result_of(reports, (perf_counter() - started) * 1000)
        is_asked = ValidationType.QUALITY in asked.validation_types
        linters = tuple(each.name for each in self._linters) if is_asked else ()
        said = tuple(self._said(asked, reports, listener))
        return JudgedValidation(known, reports, result, linters, said)

    def _said(
        self, asked: ValidationRequest, reports: Sequence[LayerReport], listener: Listener
    ) -> Iterator[ModelSaid]:
        for each in self._models:
            # Deferred: most judgements ask no model.
            from probatum.kinds.judge.model_reading import said_by

            listener(Event("model", f"Asking {each.name}"))
            yield said_by(each, asked, reports, self._tools)

    def rechecker(self, demands: Given, sources: SourceReader) -> Rechecker:
        """Return what re-checks proofs of judgements; for a gate, with the request that it demands."""
        named = demands.text(_REQUEST)
        demanded = None if named is None else validation_request(asked_in(named, sources))
        versions = {f"validation.{each.value}": __version__ for each in ValidationType}
        return AccountRechecker(restored, lambda each, _: _unmet(each, demanded), self._again, lambda: versions)

    def observed_again(self, artifact: Document, parts: Mapping[str, bytes]) -> JudgedValidation:
        """Run every layer again; raises NotAttemptedError for an output of which a source was not read."""
        named = Shape(artifact).member("subject")
        asked = _asked_again(artifact, parts[named.text("digest")], parts)
        linters = linters_in(artifact)
        reports = tuple(judged(asked, self._tools, linters=linters_named(linters)))
        request = JudgeRequest.of(asked, named.text("name"))
        return JudgedValidation(request, reports, result_of(reports, 0.0), linters)

    def close(self) -> None:
        """Close the sandbox, and end the process of the engines."""
        self._runner.close()
        self._engines.close()

    def _read(self, address: str) -> TrustedSource:
        try:
            return fetched_source(address, self._host.fetched(address, self._allowed))
        except (ProbatumError, ValueError) as error:
            raise LookupError(str(error)) from error

    def _again(self, artifact: Document, _content: bytes, parts: Mapping[str, bytes]) -> Account:
        return self.observed_again(artifact, parts).account()


def _asked_again(artifact: Document, content: bytes, parts: Mapping[str, bytes]) -> ValidationRequest:
    """Return what was asked about an output; raises ValueError where the store does not keep it."""
    digest = asked_digest(artifact)
    if digest not in parts:
        raise ValueError("the store does not keep what was asked, so it cannot be judged again")
    asked = Shape(read_json(parts[digest])).raw_object()
    is_text = Shape(artifact).member("subject").text("media_type") == TEXT
    asked["output"] = content.decode() if is_text else json.loads(content)
    unread = asked.pop("unread_sources", [])
    if unread:
        raise NotAttemptedError("judge.unreadable", "A source was not read when the output was judged.")
    return validation_request(asked)


def _unmet(artifact: Document, demanded: ValidationRequest | None) -> tuple[str, ...]:
    """Return in which ways less was asked than is demanded; without a demand every proof falls short."""
    if demanded is None:
        return ("say with --request FILE what the output had to be judged by: anybody can ask for less",)
    if asked_digest(artifact) != digest_of(asked_bytes(demanded)):
        return ("it was judged by another request than the one in --request",)
    layers = [each.value for each in demanded.validation_types]
    recorded = Shape(artifact).member("policy").member("content").texts("layers")
    return () if list(recorded) == layers else ("its layers are not those of the request in --request",)
