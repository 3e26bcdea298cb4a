"""Structured output as a kind of subject: does it satisfy its contract?

Refuses by name what is not a file, and a contract that nobody knows; a contract that is there and cannot be used is an
answer, so that scripts meet one shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from probatum.contracts.specification import ContractSpec
from probatum.core.command import Command, Form, Given, Option
from probatum.core.decision import Decision
from probatum.core.endpoint import Endpoint
from probatum.core.errors import NotAttemptedError
from probatum.core.messages import sentences_of
from probatum.core.ports import SourceReader
from probatum.core.subject import shown_path
from probatum.kinds.output.request import OutputRequest
from probatum.verification.kind import Host, PlainKind, RequestLine, Workbench
from probatum.verification.observed import Observed, Refusal

_VERIFIER = Option(
    "verifier",
    "Let this verifier of an installed package, or program.deep, run where the contract asks for it; may be repeated.",
    Form.TEXTS,
    metavar="ID",
)
COMMAND = Command(
    position=20,
    name="check",
    question="Does an output satisfy its contract?",
    help="""Check that what a model answered satisfies its contract: every error with its place and the nearest fix.

    Fences and sentences around the JSON are skipped, and reported; nothing is ever fetched for a schema.""",
    subject="OUTPUT",
    subject_help="A file with what was answered, or '-' for standard input.",
    options=(
        Option(
            "contract",
            "A built-in contract, a contract.json or its folder, or a file with a JSON Schema.",
            metavar="ID[:VERSION]|FILE",
            is_required=True,
        ),
        Option(
            "input",
            "What the task was given, as JSON, to be judged with the output; without it the output is judged alone.",
            metavar="FILE",
        ),
        _VERIFIER,
    ),
    takes_lines=True,
    demands=(
        Option(
            "contract",
            "The contract that an output must have been judged by; without it, no output is admitted.",
            metavar="ID|FILE",
        ),
        Option("input", "What the output must have been judged with; needs --contract.", metavar="FILE"),
    ),
    replay=(_VERIFIER,),
)


class OutputKind(PlainKind[OutputRequest]):
    """Structured output."""

    name = "output"
    command = COMMAND
    too_large = "contract.too_large"
    unbound = (("verification_results", "*", "elapsed_seconds"),)
    sentences = sentences_of(__package__)

    def endpoint(self) -> Endpoint:
        """Return its place in a service."""
        from probatum.kinds.output.endpoint import ENDPOINT

        return ENDPOINT

    def requests(self, given: Given, sources: SourceReader) -> Iterator[OutputRequest | Refusal]:
        """Yield the one output that a command names; raises as `Kind.requests` does."""
        from probatum.readers.json_schema.parsing import MAX_BYTES

        make = self.template(given, sources)
        yield make(sources.read(given.subject, MAX_BYTES), shown_path(given.subject))

    def template(self, given: Given, sources: SourceReader) -> Callable[[bytes, str], OutputRequest | Refusal]:
        """Return what asks about each output of a stream by one contract, with one input."""
        from probatum.kinds.output.naming import named_contract
        from probatum.kinds.output.observed import unusable_contract
        from probatum.readers.json_schema.parsing import MAX_BYTES

        named, given_with = given.text("contract") or "", given.text("input")
        spec: ContractSpec | NotAttemptedError
        try:
            spec = named_contract(named, sources)
        except NotAttemptedError as error:
            spec = error
        content = None if given_with is None else sources.read(given_with, MAX_BYTES, "input")
        words = () if given_with is None else ("--input", given_with)
        verifiers = (word for each in given.texts("verifier") for word in ("--verifier", each))
        repeated_with = ("--contract", named, *words, *verifiers)

        def request(output: bytes, name: str) -> OutputRequest | Refusal:
            if isinstance(spec, NotAttemptedError):
                return unusable_contract(name, named, spec, output)
            return OutputRequest(output, name, spec, content, repeated_with)

        return request

    def request(self, line: RequestLine) -> OutputRequest | Refusal:
        """Return what a line asks for; raises as `output_request` does."""
        from probatum.kinds.output.lines import output_request

        return output_request(line)

    def not_judged(self, request: OutputRequest, decision: Decision) -> Observed:
        """Return the reason, with the contract's name."""
        from probatum.kinds.output.observed import output_not_judged

        return output_not_judged(request, decision)

    def refused(self, name: str, decision: Decision) -> Observed:
        """Return the reason; nobody knows by which contract."""
        from probatum.kinds.output.observed import not_judged_by

        return not_judged_by(name, "", decision)

    def patience(self, _defaults: Given) -> float:
        """Return how long verifiers of packages may take together."""
        return 300.0

    def open(self, given: Given, host: Host) -> Workbench[OutputRequest]:
        """Return a workbench with the verifiers that were named; raises as `named_verifiers` does."""
        from probatum.kinds.output.workbench import OutputWorkbench

        return OutputWorkbench.with_verifiers(given.texts("verifier"), host)
