"""Changes to a repository as a kind of subject: may it be merged?

Refuses by name what is no repository, what names no revision, and a Python that cannot run tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from probatum.core.command import Command, Form, Given, Option
from probatum.core.endpoint import Endpoint
from probatum.core.messages import sentences_of
from probatum.core.ports import SourceReader
from probatum.kinds.change.agent_tool import CHANGE
from probatum.kinds.change.request import ChangeRequest
from probatum.verification.kind import Host, PlainKind, RequestLine, Workbench
from probatum.verification.observed import Refusal

_MIN_STRENGTH: Final = 0.7
_PYTHON: Final = Option(
    "python",
    "Run the tests with this Python: an interpreter of 3.11 or later, or the folder of a virtual environment."
    " Default: .venv or venv of the repository, else the Python that runs probatum.",
    metavar="INTERPRETER",
)
_NETWORK: Final = Option("allow-network", "Let the tests use the network.", Form.FLAG)
_ALL_TESTS: Final = Option(
    "all-tests", "Run all tests in each way, not only those that run something changed.", Form.FLAG
)
COMMAND: Final = Command(
    position=12,
    name="change",
    question="May a change to a repository be merged?",
    help="""Decide whether a change may be merged: do the tests hold, would they notice, was anything weakened?

    Both versions are laid out in memory and their tests run in a sandbox: the old and the new tests on the old and the
    new sources. Parts of the change are undone and faults are planted on its lines, to see whether a test notices.
    Without revisions the work tree is compared with where it left the default branch. Your files and index stay as
    they are.""",
    subject="BASE[..HEAD]",
    subject_help="Two revisions, or one to compare the work tree with.",
    subject_default="",
    is_kept=True,
    options=(
        Option("repository", "The repository, or a folder in it.", metavar="DIR", default="."),
        _PYTHON,
        Option(
            "claims",
            "A text that says what the change does, such as an agent's last message; '-' for standard input. Default:"
            " the commit messages.",
            metavar="FILE|-",
        ),
        Option(
            "accept",
            "Accept that a test, or all of a class or file, expects something else or checks less, or that a function"
            " or file changes as it is told; may be repeated.",
            Form.TEXTS,
            metavar="TEST",
        ),
        Option(
            "min-strength",
            "Share of planted faults, 0 to 1, that the tests must notice.",
            Form.NUMBER,
            metavar="X",
            default=_MIN_STRENGTH,
        ),
        Option(
            "refactor",
            "Nothing may change what anything does: a call of a changed function that comes to something else refutes.",
            Form.FLAG,
        ),
        _ALL_TESTS,
        _NETWORK,
    ),
    replay=(_PYTHON, _ALL_TESTS, _NETWORK),
    demands=(
        Option(
            "min-strength",
            "Share of planted faults that the tests must have had to notice, at least.",
            Form.NUMBER,
            "X",
        ),
    ),
)


class ChangeKind(PlainKind[ChangeRequest]):
    """Changes to a repository."""

    name = "change"
    command = COMMAND
    too_large = "change.too_large"
    sentences = sentences_of(__package__)
    agent_tools = (CHANGE,)

    def endpoint(self) -> Endpoint:
        """Return its place in a service."""
        from probatum.kinds.change.endpoint import ENDPOINT

        return ENDPOINT

    def requests(self, given: Given, sources: SourceReader) -> Iterator[ChangeRequest | Refusal]:
        """Yield the one change that a command names; raises as `trees_of` and `python_of` do."""
        from probatum.kinds.change.wire import commanded

        yield commanded(given, sources)

    def request(self, line: RequestLine) -> ChangeRequest | Refusal:
        """Return what a line asks for; raises as `requested` does."""
        from probatum.kinds.change.wire import requested

        return requested(line)

    def subject_in(self, folder: str, artifact: Mapping[str, object]) -> bytes | None:
        """Return the digests of the base and of the files that a repository holds now; raises as `trees_of` does."""
        from probatum.kinds.change.wire import subject_at_hand

        return subject_at_hand(folder, artifact)

    def patience(self, _defaults: Given) -> float:
        """Return an hour: the tests of a project take as long as they take."""
        return 3600.0

    def open(self, given: Given, host: Host) -> Workbench[ChangeRequest]:
        """Return a workbench."""
        from probatum.kinds.change.workbench import ChangeWorkbench

        return ChangeWorkbench(given, host)
