"""Programs as files that people edit: which are asked for, what they were read from, and what of them changed."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from probatum.core.command import STANDARD_INPUT, Given
from probatum.core.errors import UsageError
from probatum.core.ports import SourceReader
from probatum.core.subject import shown_path
from probatum.kinds.program.paths import file_paths
from probatum.kinds.program.request import ProgramRequest, level_of
from probatum.kinds.program.sources import IN_A_FOLDER, refusal
from probatum.programs.decide import Level
from probatum.programs.projects.import_names import defines_nothing
from probatum.sandbox import environment_named, own_environment
from probatum.verification.files import ChangesSince, FilePath, Gated, Ignored, Slice
from probatum.verification.observed import Blank, Refusal

if TYPE_CHECKING:
    from probatum.kinds.program.workbench import ProgramWorkbench

Requests = Callable[[Given, SourceReader], Iterator[ProgramRequest | Refusal | Blank]]
OF_ONE_FILE: Final = ("contract", "tests", "against", "readings")
SAVES: Final = "save-tests"
_OF_THE_RUN: Final = frozenset({"exclude", "force-exclude", "stdin-filename", "changed", "gate", "approve-at"})
"""Options that change no verdict."""
_KEPT_WITH: Final = frozenset(
    {
        *("level", "min-strength", "evidence", "readings-policy", "acceptance", "allow-unchecked", "python"),
        *("suggest", "store"),
        *_OF_THE_RUN,
    }
)
"""Options with which answers may be kept; others name further files, or want something done."""


def saved_to(request: ProgramRequest, root: str, folder: str, sources: SourceReader) -> ProgramRequest:
    """Return a request whose tests are saved in a folder, as ``test_<name>.py``.

    ``root`` is the folder in which the program was found, empty for none. Raises UsageError where no file can be saved.
    """
    if not folder:
        raise UsageError("path.empty", "An empty path was given.", "Name the folder of the tests.")
    below = Path(request.name).relative_to(root) if root else Path(Path(request.name).name)
    name = "stdin" if request.name == STANDARD_INPUT else "_".join(below.with_suffix("").parts)
    path = Path(folder) / f"test_{name}.py"
    sources.claim(path)
    return replace(request, save_to=path)


class ProgramFiles:
    """Python files; ``requests`` is how programs are read."""

    nothing = "program.no_specification"
    elsewhere = frozenset({"acceptance"})
    passing = frozenset({"program.out_of_budget", "program.lost", "program.unreadable"})

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def paths(self, given: Given) -> Sequence[FilePath]:
        """Return the files that are asked for; raises as `file_paths`, and for options that belong to one file."""
        found = file_paths(given)
        named = next((each for each in OF_ONE_FILE if each in given.options), None)
        several = next((each.root for each in found if each.is_found), "") or (given.others and given.others[0])
        if named is not None and several:
            what = f"{several!r} is a folder" if not given.others else f"there are {len(found)} files"
            raise UsageError("path.folder", f"--{named} belongs to one file, but {what}.", "Point at one file.")
        return found

    def about(self, given: Given) -> bytes | None:
        """Return the digest of the interpreter, of what is installed for it, and of the options."""
        if not _KEPT_WITH.issuperset(given.options):
            return None
        options = {name: value for name, value in given.options.items() if name not in _OF_THE_RUN}
        named = given.text("python")
        python = own_environment() if named is None else environment_named(named)
        digest = hashlib.sha256(f"{python.version} {sys.version} {sorted(options.items())}".encode())
        for folder in python.packages:
            try:
                # What is installed has its version in the name of a folder beside it.
                told = repr(sorted(each for each in os.listdir(folder) if not each.startswith("__")))
            except OSError as error:
                told = str(error)
            digest.update(told.encode("utf-8", "surrogateescape"))
        return digest.digest()

    def quickly(self, given: Given) -> Given:
        """Return the question at the quick level: documented examples refute at every level.

        Raises UsageError where the question names a level that does not exist.
        """
        level_of(given)
        return replace(given, options={**given.options, "level": Level.QUICK.value})

    def request(self, path: FilePath, given: Given, sources: SourceReader) -> ProgramRequest | Refusal:
        """Return what is asked about one file; raises as `ProgramKind.requests`."""
        options = {name: value for name, value in given.options.items() if name != SAVES}
        try:
            found = next(self._requests(Given(path.subject, options), sources))
        except UsageError as error:
            if not path.is_found or error.code not in IN_A_FOLDER:
                raise
            return refusal(shown_path(path.path), "program.unreadable", error.sentence)
        assert not isinstance(found, Blank), "only a folder has files that are left out"
        folder = given.text(SAVES)
        return found if folder is None or isinstance(found, Refusal) else saved_to(found, path.root, folder, sources)

    def read_from(self, request: ProgramRequest) -> Mapping[str, str]:
        """Return the digest of every file that was read for a program, the readings among them, by path."""
        return dict(request.read_from)

    def slices(self, request: ProgramRequest, about: bytes) -> Sequence[Slice]:
        """Return the slices of a program, of the one name where one is asked about."""
        # Deferred, as below: a run that knows its files asks for none of it.
        from probatum.kinds.program.slices import slices_of

        found = slices_of(request, about)
        wanted = (request.function or "").partition(".")[0]
        named = [each for each in found if each.name == wanted]
        return (named or found[:1]) if request.function else found

    def changes(self, revision: str, about: bytes) -> ChangesSince[ProgramRequest]:
        """Return what compares programs with a revision."""
        from probatum.kinds.program.changes import Changes

        return Changes(revision, about)

    def ignored(self, request: ProgramRequest) -> Sequence[Ignored]:
        """Return the definitions with a comment that leaves them out; raises as `ignored_in`."""
        from probatum.kinds.program.ignoring import ignored_in

        return ignored_in(request)

    def without(self, request: ProgramRequest, names: frozenset[str]) -> ProgramRequest:
        """Return a request that leaves these definitions out."""
        return replace(request, without=request.without | names)

    def gated(
        self, path: FilePath, given: Given, sources: SourceReader, open_bench: Callable[[], ProgramWorkbench]
    ) -> Gated:
        """Return what the gates say that were asked for; raises UsageError for an unknown one, and as `request`."""
        from probatum.kinds.program.proof import program_of
        from probatum.programs.cascade import gates_before
        from probatum.programs.gates import gates_named

        gates = gates_named(name.strip() for text in given.texts("gate") for name in text.split(","))
        options = {name: value for name, value in given.options.items() if name != SAVES}
        request = self.request(path, Given("", options), sources)
        if isinstance(request, Refusal):
            # Its verdict says it.
            return Gated(path, ())
        steps = gates_before(gates, program_of(request), request.name, lambda: open_bench().open_benches())
        return Gated(path, steps)

    def has_nothing(self, request: ProgramRequest) -> bool:
        """Return whether a file defines nothing that could be judged."""
        return defines_nothing(Path(request.name).name, request.tree)
