"""Outputs with acceptance criteria as a kind of subject: may this be accepted?

Refuses a request that makes no sense, by the name of its field: a layer that could not run would pass in silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from probatum.core.command import DRY_RUN, Command, Form, Given, Option
from probatum.core.decision import decision_of
from probatum.core.endpoint import Endpoint
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.messages import sentences_of
from probatum.core.ports import SourceReader
from probatum.kinds.judge.request import JudgeRequest
from probatum.verification.desk import Told, ToolDesk, rehearsed
from probatum.verification.kind import Host, PlainKind, RequestLine, Workbench
from probatum.verification.observed import NotJudged, Refusal

if TYPE_CHECKING:
    from probatum.kinds.judge.observed import JudgedValidation

_ALLOW: Final = Option(
    "allow-source",
    "A beginning of addresses, such as https://docs.example.org/, or a file: folder, that sources may be read from.",
    Form.TEXTS,
    "PREFIX",
)
_LINTER: Final = Option(
    "linter",
    "A linter that looks at code in the quality layer, ruff or bandit; without it, ruff where it is installed.",
    Form.TEXTS,
    "NAME",
)
_WITH: Final = Option(
    "with",
    "Models of [tool.probatum.models] that read what is open and give an opinion; neither decides anything.",
    metavar="MODEL[,MODEL]",
)

COMMAND: Final = Command(
    position=35,
    name="judge",
    question="May an output be accepted?",
    help="""Judge an output layer by layer: schema, facts, criteria, hallucination, quality.

    VERIFIED means that evidence, or a reading that counts, decides everything that was asked. An output can be valid,
    with no error found, and still be undecided. REQUEST is the JSON that the service takes at POST /validate.""",
    subject="REQUEST",
    subject_help="A file with the request as JSON, or '-' for standard input.",
    options=(
        Option("source", "A file or folder of trusted text, beside those of the request.", Form.TEXTS, "PATH"),
        _ALLOW,
        _LINTER,
        _WITH,
        DRY_RUN,
    ),
    demands=(
        Option(
            "request",
            "The request that the output must have been judged by; without it, no judged output is admitted.",
            metavar="FILE",
        ),
    ),
)


class JudgeKind(PlainKind[JudgeRequest]):
    """Outputs under judgement."""

    name = "judge"
    command = COMMAND
    too_large = "judge.too_large"
    unbound = (("metadata", "duration_ms"), ("metadata", "model"), ("models",))
    sentences = sentences_of(__package__)

    def endpoint(self) -> Endpoint:
        """Return its place in a service."""
        from probatum.kinds.judge.endpoint import ENDPOINT

        return ENDPOINT

    def requests(self, given: Given, sources: SourceReader) -> Iterator[JudgeRequest | Refusal]:
        """Yield the one request that a command names; raises as `Kind.requests` does."""
        from probatum.kinds.judge.wire import commanded

        try:
            yield commanded(given, sources)
        except (NotAttemptedError, BudgetError) as error:
            yield Refusal(NotJudged(given.subject, decision_of(error, self.too_large)))

    def request(self, line: RequestLine) -> JudgeRequest | Refusal:
        """Return what a line asks for; raises as `requested` does."""
        from probatum.kinds.judge.wire import requested

        return requested(line)

    def patience(self, _defaults: Given) -> float:
        """Return how long program criteria may take together."""
        return 600.0

    def open(self, given: Given, host: Host) -> Workbench[JudgeRequest]:
        """Return a workbench."""
        from probatum.kinds.judge.workbench import JudgeWorkbench

        named = () if given.flag(DRY_RUN.name) else _named(given)
        models = [host.advisor(name, given.subject) for name in named]
        return JudgeWorkbench(host, given.texts(_ALLOW.name), given.texts(_LINTER.name), models)

    def rehearsed(self, given: Given, desk: ToolDesk) -> Told:
        """Return what would be sent first to the models that a command names; raises as `commanded` does."""
        from probatum.judge.criteria.layer import NO_TOOLS
        from probatum.kinds.judge.model_reading import said_by
        from probatum.kinds.judge.wire import commanded

        models = {name: desk.rehearsal(name, given.subject) for name in _named(given)}
        seen: JudgedValidation = desk.bench().observe(commanded(given, desk.sources), desk.listener)
        for model in models.values():
            said_by(model, seen.request.asked, seen.reports, NO_TOOLS)
        return rehearsed([{"model": name, **each} for name, model in models.items() for each in model.noted])


def _named(given: Given) -> tuple[str, ...]:
    """Return the models that a command names, each once."""
    return tuple(dict.fromkeys(filter(None, map(str.strip, (given.text(_WITH.name) or "").split(",")))))
