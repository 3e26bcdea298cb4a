"""Exact claims as a kind of subject: is it true?

Refuses by name an engine that does not exist and what it is not given. What cannot be read as a claim is an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from probatum.core.command import Command, Form, Given, Option
from probatum.core.decision import Decision, decision_of
from probatum.core.endpoint import Endpoint
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.messages import sentences_of
from probatum.core.ports import SourceReader
from probatum.exact.engines import ENGINES
from probatum.kinds.claim.request import ClaimRequest
from probatum.verification.kind import Host, PlainKind, RequestLine, Workbench
from probatum.verification.observed import NotJudged, Observed, Refusal


def _inputs() -> tuple[Option, ...]:
    """Return one option for each thing that some engine is given; engines that share one say so in its help."""
    found: dict[str, Option] = {}
    for entry in ENGINES.values():
        for each in entry.inputs:
            known = found.get(each.name)
            if known is None:
                form = Form.TEXTS if each.is_repeated else Form.TEXT
                metavar = "FILE" if each.is_binary else "TEXT|@FILE"
                found[each.name] = Option(each.name, f"{entry.name}: {each.help}", form, metavar)
            elif each.help not in known.help:
                found[each.name] = Option(
                    each.name, f"{known.help} {entry.name}: {each.help}", known.form, known.metavar
                )
            else:
                told = known.help.replace(f": {each.help}", f", {entry.name}: {each.help}")
                found[each.name] = Option(each.name, told, known.form, known.metavar)
    return tuple(found.values())


COMMAND: Final = Command(
    position=40,
    name="claim",
    question="Is an exact claim true?",
    help=f"""Decide a claim exactly.

    VERIFIED means proved, with a certificate that was checked by other means; a false claim is refuted with what
    contradicts it. The engines are {", ".join(ENGINES)}. @FILE means the text of that file.""",
    subject="STATEMENT",
    subject_help="What is claimed: text, @FILE, or '-' for standard input; '--' goes before one that begins with '-'.",
    leading=Option("engine", "Which engine decides it.", metavar="ENGINE"),
    options=_inputs(),
    demands=(
        Option(
            "claim",
            "The claim that must have been proved, as JSON; needed where more is given than the statement.",
            metavar="FILE",
        ),
    ),
)


class ClaimKind(PlainKind[ClaimRequest]):
    """Exact claims."""

    name = "claim"
    command = COMMAND
    too_large = "engine.too_large"
    sentences = sentences_of(__package__)

    def endpoint(self) -> Endpoint:
        """Return its place in a service."""
        from probatum.kinds.claim.endpoint import ENDPOINT

        return ENDPOINT

    def requests(self, given: Given, sources: SourceReader) -> Iterator[ClaimRequest | Refusal]:
        """Yield the one claim of a command line; raises as `Kind.requests` does."""
        from probatum.kinds.claim.wire import commanded

        try:
            yield commanded(given, sources)
        except (NotAttemptedError, BudgetError) as error:
            yield Refusal(NotJudged("claim", decision_of(error, self.too_large)))

    def request(self, line: RequestLine) -> ClaimRequest | Refusal:
        """Return what a line asks for; raises as `requested` does."""
        from probatum.kinds.claim.wire import requested

        return requested(line)

    def not_judged(self, request: ClaimRequest, decision: Decision) -> Observed:
        """Return the reason, with the engine's name."""
        return NotJudged(request.name, decision, by=request.claim.engine)

    def open(self, given: Given, host: Host) -> Workbench[ClaimRequest]:
        """Return a workbench."""
        from probatum.kinds.claim.workbench import ClaimWorkbench

        return ClaimWorkbench()
