"""Python programs as a kind of subject: do they do what their documentation says?

Refuses options that belong to one file (``--contract``, ``--tests``, ``--against``) together with a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from probatum.core.command import STANDARD_INPUT, Command, Form, Given, Option
from probatum.core.decision import Decision
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.endpoint import Endpoint
from probatum.core.errors import UsageError
from probatum.core.messages import sentences_of
from probatum.core.ports import SourceReader
from probatum.kinds.program.comparing import CompareTool
from probatum.kinds.program.loop_tools import AGENT_TOOLS
from probatum.kinds.program.read_tool import CONTRACT, ReadTool
from probatum.kinds.program.request import VERIFIER_ID, ProgramRequest, evidence_of, level_of, readings_policy_of
from probatum.programs.decide import DEFAULT_MIN_STRENGTH, EvidencePolicy, Level
from probatum.readings.acceptances import FORMS as ACCEPTANCES
from probatum.readings.acceptances import SELF
from probatum.readings.policies import ACCEPTED, FORMS, PROPOSED
from probatum.verification.kind import Blank, Host, Observed, PlainKind, Refusal, RequestLine, Workbench
from probatum.verification.verifier import Verifier

if TYPE_CHECKING:
    from probatum.kinds.program.sources import ProgramPath

PATIENCE_SECONDS = {Level.QUICK: 120.0, Level.STANDARD: 300.0, Level.THOROUGH: 1200.0}
DEFAULT_FOLDER = "tests/generated"
_OF_ONE_FILE = ("contract", "tests", "against", "readings")

_LEVEL = Option(
    "level",
    "How much work to do; work is counted, not timed.",
    metavar="quick|standard|thorough",
    default=Level.STANDARD.value,
)
_MIN_STRENGTH = Option(
    "min-strength",
    "Share of mutants, 0 to 1, that the checks must kill.",
    Form.NUMBER,
    metavar="X",
    default=DEFAULT_MIN_STRENGTH,
)
_TESTS = Option("tests", "A pytest file that imports the program as 'artifact'.", metavar="FILE")
_AGAINST = Option("against", "An earlier version, to ask about every result that changed.", metavar="FILE|git:REV")
_REFACTOR = Option(
    "refactor", "Nothing may change: another result than the earlier version's refutes. With --against.", Form.FLAG
)
_EVIDENCE = Option(
    "evidence",
    "Whether checks count that have to run in the program's own process: 'shared' unless it uses means by which it"
    " could forge them, 'split' never, for programs that may be hostile.",
    metavar="|".join(EvidencePolicy),
    default=EvidencePolicy.SHARED.value,
)
_READINGS = Option(
    "readings",
    "The readings of its documentation. Default: the file beside it, such as shop.readings.toml for shop.py.",
    metavar="FILE",
)
_READINGS_POLICY = Option(
    "readings-policy",
    "Which readings of the documentation count: those that somebody accepted, those too that N readers agree on,"
    " all of them, or none.",
    metavar=FORMS,
    default=ACCEPTED,
)


def _acceptance_for_all(text: str, sources: SourceReader) -> str:
    # Deferred: the command line is made from these options long before one of them is used.
    from probatum.kinds.program.acceptance import with_keys

    return with_keys(text, sources)


_ACCEPTANCE = Option(
    "acceptance",
    "Whose acceptance of a reading counts: anybody's, and the verdict says 'accepted by its author'; what is in the"
    " readings file at a revision; or what is signed by a key of this file.",
    metavar=ACCEPTANCES,
    default=SELF,
    for_all=_acceptance_for_all,
)
_ALLOW_UNCHECKED = Option(
    "allow-unchecked",
    "Tolerate statements of the documentation that nothing checks; the verdict counts them.",
    Form.FLAG,
)
_PYTHON = Option(
    "python",
    "Run programs with this Python and the packages installed for it: an interpreter of 3.11 or later, or the"
    " folder of a virtual environment. Default: the Python that runs probatum.",
    metavar="INTERPRETER",
)
COMMAND = Command(
    position=10,
    name="verify",
    question="Do the functions of a Python file do what they should?",
    help="""Verify that the functions of a Python file do what their documentation says.

    The code runs in a sandbox: the examples in its documentation, inputs made from its type hints, and small
    mutations of it, to see whether the checks are strong enough. A counterexample can be pasted into Python.""",
    subject="PATH[::NAME]",
    subject_help="A Python file, one name in it, a folder, or '-'.",
    options=(
        CONTRACT,
        _AGAINST,
        _REFACTOR,
        _TESTS,
        _EVIDENCE,
        _LEVEL,
        Option(
            "save-tests",
            "Save the checks that were run as a pytest file; without DIR in tests/generated.",
            metavar="[DIR]",
            bare=DEFAULT_FOLDER,
        ),
        _MIN_STRENGTH,
        _READINGS,
        _READINGS_POLICY,
        _ACCEPTANCE,
        _ALLOW_UNCHECKED,
        _PYTHON,
        Option("suggest", "Print examples to add that kill more mutants; their values are left open.", Form.FLAG),
        Option(
            "unsafe-no-isolation",
            "Run the program WITHOUT a sandbox: it can do all that you can do.",
            Form.FLAG,
        ),
    ),
    batch=(_LEVEL, _EVIDENCE, _REFACTOR, _READINGS_POLICY, _ACCEPTANCE, _ALLOW_UNCHECKED, _PYTHON),
    agents=(
        replace(_READINGS_POLICY, default=PROPOSED),
        _EVIDENCE,
        _ACCEPTANCE,
        _ALLOW_UNCHECKED,
        _PYTHON,
    ),
    demands=(
        Option("name", "The one name of the file that is about to be used; without it, all are.", metavar="NAME"),
        Option(
            "contract",
            "The contract that it must have been judged by: of a program its text, of an output its name or file;"
            " without it, no output is admitted.",
            metavar="TEXT|@FILE|ID|FILE",
        ),
        replace(_TESTS, help="The pytest file that a program must have been verified with."),
        replace(_AGAINST, help="The earlier version that it must have been compared with.", metavar="OLD"),
        replace(_REFACTOR, help="It must have been verified as a refactoring, by the answers of its earlier version."),
        replace(_LEVEL, help="The least level that a program must have been verified at."),
        replace(
            _MIN_STRENGTH,
            help="Share of mutants that the verification must have demanded to be killed, at least.",
        ),
        Option(
            "any-version",
            "Admit what other versions of probatum, of Python or of a package verified than those that are here.",
            Form.FLAG,
        ),
        replace(
            _READINGS,
            help="The readings that it must have been judged by. Default: the file beside the program, if any.",
        ),
        replace(_READINGS_POLICY, help="Admit a verdict whose policy lets these readings count."),
        replace(
            _ACCEPTANCE,
            help="Whose acceptance of a reading counts; without it, no verdict that rests on one is admitted.",
            default=None,
        ),
        replace(
            _ALLOW_UNCHECKED,
            help="Admit a verdict that tolerates statements of the documentation which nothing checks.",
        ),
        replace(_EVIDENCE, help="With 'split', it must rest on nothing that ran in the program's own process."),
    ),
    replay=(_PYTHON,),
)


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

    def endpoint(self) -> Endpoint:
        """Return its place in a service."""
        from probatum.kinds.program.endpoint import ENDPOINT

        return ENDPOINT

    def requests(self, given: Given, sources: SourceReader) -> Iterator[ProgramRequest | Refusal | Blank]:
        """Yield every program of the path; raises as `Kind.requests` does."""
        from probatum.kinds.program.acceptance import acceptance_named
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
        if target.is_folder and (named := [each for each in _OF_ONE_FILE if each in given.options]):
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
        if readings is not None or target.path == STANDARD_INPUT:
            wanted = with_readings(wanted, readings_of(target.path, readings, sources, acceptance))
        folder = given.text("save-tests")
        if folder == "":
            raise UsageError("path.empty", "An empty path was given.", "Name the folder of the tests.")
        for found in read_programs(target, wanted, sources, acceptance):
            if folder is None or not isinstance(found, ProgramRequest):
                yield found
            else:
                path = _saved_file(found.name, target, Path(folder))
                sources.claim(path)
                yield replace(found, save_to=path)

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


def _saved_file(name: str, target: ProgramPath, folder: Path) -> Path:
    """Return the file for the tests of one program, ``test_<name>.py``."""
    if name == STANDARD_INPUT:
        return folder / "test_stdin.py"
    below = Path(name).relative_to(target.path) if target.is_folder else Path(Path(name).name)
    return folder / f"test_{'_'.join(below.with_suffix('').parts)}.py"
