"""Python programs as a kind of subject: do they do what their documentation says?

Refuses options that belong to one file (``--contract``, ``--tests``, ``--against``) together with a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from probatum.core.command import STANDARD_INPUT, Given
from probatum.core.decision import Decision
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.endpoint import Endpoint
from probatum.core.errors import UsageError
from probatum.core.messages import sentences_of
from probatum.core.ports import SourceReader
from probatum.kinds.program.command import COMMAND
from probatum.kinds.program.comparing import CompareTool
from probatum.kinds.program.loop_tools import AGENT_TOOLS
from probatum.kinds.program.read_tool import ReadTool
from probatum.kinds.program.request import VERIFIER_ID, ProgramRequest, evidence_of, level_of, readings_policy_of
from probatum.programs.decide import DEFAULT_MIN_STRENGTH, Level
from probatum.verification.kind import Host, PlainKind, RequestLine, Workbench
from probatum.verification.observed import Blank, Observed, Refusal
from probatum.verification.verifier import Verifier

if TYPE_CHECKING:
    from probatum.kinds.program.files import ProgramFiles

PATIENCE_SECONDS = {Level.QUICK: 120.0, Level.STANDARD: 300.0, Level.THOROUGH: 1200.0}


class ProgramKind(PlainKind[ProgramRequest]):
    """Python programs."""

    name = "program"
    command = COMMAND
    parts = "functions"
    too_large = "program.too_large"
    unbound = (("duration_ms",), ("suggestions",), ("not_counted",))
    sentences = sentences_of(__package__)
    verifier_id = VERIFIER_ID
    tools = (ReadTool(), CompareTool())
    agent_tools = AGENT_TOOLS

    @property
    def files(self) -> ProgramFiles:  # type: ignore[override]  # what is read-only there is asked for here
        """Return what programs are as files."""
        from probatum.kinds.program.files import ProgramFiles

        return ProgramFiles(self.requests)

    def endpoint(self) -> Endpoint:
        """Return its place in a service."""
        from probatum.kinds.program.endpoint import ENDPOINT

        return ENDPOINT

    def requests(self, given: Given, sources: SourceReader) -> Iterator[ProgramRequest | Refusal | Blank]:
        """Yield every program of the path; raises as `Kind.requests` does."""
        from probatum.kinds.program.acceptance import acceptance_named
        from probatum.kinds.program.files import OF_ONE_FILE, SAVES, saved_to
        from probatum.kinds.program.readings_file import readings_of
        from probatum.kinds.program.revisions import read_earlier
        from probatum.kinds.program.sources import (
            contract_text,
            parse_path,
            read_companion,
            read_programs,
            with_readings,
        )

        target = parse_path(given.subject)
        if target.is_folder and (named := [each for each in OF_ONE_FILE if each in given.options]):
            sentence = f"--{named[0]} belongs to one file, but {target.path!r} is a folder."
            raise UsageError("path.folder", sentence, "Point at one file.")
        tests, against, readings = given.text("tests"), given.text("against"), given.text("readings")
        acceptance = acceptance_named(given.text("acceptance"), sources)
        wanted = ProgramRequest(
            b"",
            target.path,
            target.function,
            contract=contract_text(given.text("contract"), sources),
            tests=None if tests is None else read_companion(tests, "--tests", sources),
            against=None if against is None else read_earlier(against, target.path, sources),
            level=level_of(given),
            min_strength=given.number("min-strength", DEFAULT_MIN_STRENGTH),
            evidence=evidence_of(given),
            refactor=given.flag("refactor"),
            readings_policy=readings_policy_of(given),
            allow_unchecked=given.flag("allow-unchecked"),
            repeated_with=_repeated_with(given),
            suggest=given.flag("suggest"),
        )
        stands_for = given.text("stdin-filename") or ""
        if readings is not None or (target.path == STANDARD_INPUT and not stands_for):
            wanted = with_readings(wanted, readings_of(target.path, readings, sources, acceptance))
        root, folder = target.path if target.is_folder else "", given.text(SAVES)
        for found in read_programs(target, wanted, sources, acceptance, stands_for=stands_for):
            if folder is None or not isinstance(found, ProgramRequest):
                yield found
            else:
                yield saved_to(found, root, folder, sources)

    def request(self, line: RequestLine) -> ProgramRequest | Refusal:
        """Return what a line asks for; raises as `program_request` does."""
        from probatum.kinds.program.lines import program_request

        return program_request(line)

    def not_judged(self, request: ProgramRequest, decision: Decision) -> Observed:
        """Return the reason, with the command that repeats the run."""
        from probatum.kinds.program.observed import program_not_judged

        return program_not_judged(request, decision)

    def patience(self, defaults: Given) -> float:
        """Return how long the level may take at most."""
        return PATIENCE_SECONDS[level_of(defaults)]

    def open(self, given: Given, _host: Host) -> Workbench[ProgramRequest]:
        """Return a workbench for the Python that was named; raises UsageError where an option cannot be used."""
        from probatum.kinds.program.workbench import ProgramWorkbench

        evidence_of(given)
        readings_policy_of(given)
        return ProgramWorkbench(given.text("python"), unsafe_no_isolation=given.flag("unsafe-no-isolation"))

    def as_verifier(self, ask: Callable[[ProgramRequest], DiagnosticResult]) -> Verifier:
        """Return deep verification as a verifier of outputs that are programs."""
        from probatum.kinds.program.deep import DeepProgramVerifier

        return DeepProgramVerifier(ask)


def _repeated_with(given: Given) -> tuple[str, ...]:
    named = ("contract", "against", "tests", "readings", "readings-policy", "acceptance", "evidence", "python", "store")
    words = [word for name in named if (value := given.text(name)) is not None for word in (f"--{name}", value)]
    if "min-strength" in given.options:
        words += ["--min-strength", f"{given.number('min-strength', DEFAULT_MIN_STRENGTH):g}"]
    return (*words, *(f"--{name}" for name in ("refactor", "allow-unchecked") if given.flag(name)))
