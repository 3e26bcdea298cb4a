"""Evidence about an event as a kind of subject: what does it establish, and does it agree?

Refuses by name what is not a file. A question or a bundle that is there and cannot be read is an answer, so that
scripts meet one shape.
"""

from __future__ import annotations

from collections.abc import Iterator

from probatum.core.command import Command, Given, Option
from probatum.core.endpoint import Endpoint
from probatum.core.messages import sentences_of
from probatum.core.ports import SourceReader
from probatum.core.subject import shown_path
from probatum.kinds.audit.request import MAX_BUNDLE_BYTES, MAX_PROMPT_BYTES, AuditRequest
from probatum.verification.kind import Host, PlainKind, RequestLine, Workbench
from probatum.verification.observed import Refusal

COMMAND = Command(
    position=30,
    name="audit",
    question="Does the evidence establish whether an event happened?",
    help="""Audit a bundle of evidence against a question: what it claims, whether it agrees, and what it establishes.

    VERIFIED says that the evidence settles whether the event was observed, either way; the result says which. Reading
    and weighing are deterministic; nothing is fetched and no model is asked.""",
    subject="BUNDLE",
    subject_help="A file with the evidence as JSON, or '-' for standard input.",
    subject_option="evidence",
    options=(Option("prompt", "The question with its rules, as JSON.", metavar="SPEC", is_required=True),),
    demands=(
        Option(
            "prompt", "The question that evidence must have answered; without it, no audit is admitted.", metavar="SPEC"
        ),
    ),
)


class AuditKind(PlainKind[AuditRequest]):
    """Evidence about an event."""

    name = "audit"
    command = COMMAND
    too_large = "audit.too_large"
    sentences = sentences_of(__package__)

    def endpoint(self) -> Endpoint:
        """Return its place in a service."""
        from probatum.kinds.audit.endpoint import ENDPOINT

        return ENDPOINT

    def requests(self, given: Given, sources: SourceReader) -> Iterator[AuditRequest | Refusal]:
        """Yield the one audit that a command names; raises as `Kind.requests` does."""
        named = given.text("prompt") or ""
        prompt = sources.read(named, MAX_PROMPT_BYTES, "prompt")
        content = sources.read(given.subject, MAX_BUNDLE_BYTES)
        yield AuditRequest(content, shown_path(given.subject), prompt, ("--prompt", named))

    def request(self, line: RequestLine) -> AuditRequest | Refusal:
        """Return what a line asks for; raises as `audit_request` does."""
        from probatum.kinds.audit.wire import audit_request

        return audit_request(line)

    def open(self, given: Given, host: Host) -> Workbench[AuditRequest]:
        """Return a workbench."""
        from probatum.kinds.audit.workbench import AuditWorkbench

        return AuditWorkbench()
