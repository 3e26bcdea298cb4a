"""The command `probatum verify`: its words and options as data, and what it adds to the commands that kinds share."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from probatum.core.approval import APPROVE_AT
from probatum.core.command import Command, Form, Option
from probatum.core.ports import SourceReader
from probatum.kinds.program.read_tool import CONTRACT
from probatum.programs.decide import DEFAULT_MIN_STRENGTH, EvidencePolicy, Level
from probatum.readings.acceptances import FORMS as ACCEPTANCES
from probatum.readings.acceptances import SELF
from probatum.readings.policies import ACCEPTED, FORMS, PROPOSED

DEFAULT_FOLDER = "tests/generated"

_LEVEL = Option(
    "level",
    "How much work to do; work is counted, not timed.",
    metavar="quick|standard|thorough",
    default=Level.STANDARD.value,
    is_configurable=True,
)
_MIN_STRENGTH = Option(
    "min-strength",
    "Share of mutants, 0 to 1, that the checks must kill.",
    Form.NUMBER,
    metavar="X",
    default=DEFAULT_MIN_STRENGTH,
    is_configurable=True,
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
    is_configurable=True,
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
    is_configurable=True,
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
    is_configurable=True,
)
_PYTHON = Option(
    "python",
    "Run programs with this Python and the packages installed for it: an interpreter of 3.11 or later, or the"
    " folder of a virtual environment. Default: the Python that runs probatum.",
    metavar="INTERPRETER",
)
COMMAND: Final = Command(
    position=10,
    name="verify",
    question="Do the functions of a Python file do what they should?",
    help="""Verify that the functions of a Python file do what their documentation says.

    The code runs in a sandbox: the examples in its documentation, inputs made from its type hints, and small
    mutations of it, to see whether the checks are strong enough. A counterexample can be pasted into Python.""",
    subject="PATH[::NAME]",
    subject_help="Python files, names in them, folders, patterns, or '-' for standard input.",
    takes_many=True,
    options=(
        Option(
            "exclude",
            "Leave out files and folders by name, or by path where it holds a slash; may be repeated.",
            Form.TEXTS,
            metavar="GLOB",
            is_configurable=True,
        ),
        Option(
            "force-exclude", "Leave them out also where they are named, and tests too.", Form.FLAG, is_configurable=True
        ),
        Option(
            "changed",
            "Only functions that changed since a revision, by default HEAD: their text, their documentation and"
            " readings, or something that they use.",
            metavar="REV",
            bare="HEAD",
            is_joined=True,
        ),
        Option("stdin-filename", "Where the program on standard input belongs.", metavar="PATH"),
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
        Option(
            "gate",
            "Gates that the file has to pass before it is verified; the last of them is the verification itself. Ruff"
            " and mypy are run where they are installed, with their own defaults.",
            Form.TEXTS,
            metavar="syntax,lint,type,import,semantic",
        ),
        Option(
            "approve-at",
            "Say whether it may be acted on without a person: where all is VERIFIED with a confidence of at least X,"
            f" 0.5 to 1, such as {APPROVE_AT}; anything else needs review, and is never 0.",
            Form.NUMBER,
            metavar="X",
        ),
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
