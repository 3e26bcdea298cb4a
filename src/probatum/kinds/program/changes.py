"""Which definitions of files are not as they were at a revision: by their slices, so that what they use counts as well.

A file that the revision does not hold is new, and all of it changed. Where a module or a data file is gone whose name a
file says, all of the file counts as changed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Final

from probatum.changes.versions.repository import GIT, Revision, revision_at
from probatum.core.limits import MAX_READINGS_BYTES, MAX_SOURCE_BYTES
from probatum.kinds.program.acceptance import BY_AUTHOR
from probatum.kinds.program.readings_file import notebook_of
from probatum.kinds.program.request import ProgramRequest
from probatum.kinds.program.slices import slices_of
from probatum.programs.projects.project import PACKAGE_FILE
from probatum.readings.notebook import read_notebook
from probatum.verification.files import Changed

OPTION: Final = "changed"


class Changes:
    """What changed since a revision; of each repository it lists the revision once."""

    def __init__(self, revision: str, about: bytes = b"") -> None:
        """Compare with this revision; ``about`` is what else slices tell, see `Files.slices`."""
        self._revision = GIT + revision.removeprefix(GIT)
        self._about = about
        self._known: dict[Path, _Comparing] = {}

    def of(self, request: ProgramRequest) -> Changed | None:
        """Return which definitions of a program are not as they were, None for all; raises as `revision_at`."""
        place = Path(os.path.realpath(request.name))
        root = next((each for each in place.parents if os.path.lexists(each / ".git")), place.parent)
        if root not in self._known:
            self._known[root] = _Comparing(revision_at(self._revision, place, OPTION), self._about)
        return self._known[root].changed(request, place)


class _Comparing:
    """Files now, and as a revision of their repository holds them."""

    def __init__(self, then: Revision, about: bytes) -> None:
        self.then = then
        self.about = about
        # Files import each other's modules again.
        self._differing: dict[Path, bool] = {}

    @cached_property
    def _gone(self) -> frozenset[str]:
        """The names of modules that the revision holds and that are not there now."""
        python = (Path(each) for each in self.then.names if each.endswith(".py"))
        gone = [each for each in python if not (self.then.root / each).exists()]
        return frozenset(each.parent.name if each.stem == PACKAGE_FILE else each.stem for each in gone)

    @cached_property
    def _gone_data(self) -> frozenset[bytes]:
        """The names of all other files that the revision holds and that are not there now."""
        others = (each for each in self.then.names if not each.endswith(".py"))
        return frozenset(os.fsencode(Path(each).name) for each in others if not (self.then.root / each).exists())

    def changed(self, request: ProgramRequest, place: Path) -> Changed | None:
        told = re.findall(r"[^\W\d]\w*", request.content.decode("utf-8", "replace")) if self._gone else ()
        if not self._gone.isdisjoint(told) or not self.then.holds(place):
            return None
        texts = [request.content, *(content for _, content in request.siblings)]
        if any(name in text for name in self._gone_data for text in texts):
            return None
        paths = [Path(os.path.realpath(each)) for each, _ in request.read_from]
        differing = {str(each) for each in paths if self._differs(each)}
        if not differing:
            return Changed(frozenset(), frozenset())
        now = slices_of(request, self.about, is_compared=True)
        earlier = slices_of(self._earlier(request, place, paths, differing), self.about, is_compared=True)
        old = {each.name: each for each in earlier}
        if not now or not old:
            return None
        changed = {each.name for each in now if each.name not in old or old[each.name].digest != each.digest}
        edited = {each.name for each in now if each.name not in old or old[each.name].own != each.own}
        # What no definition makes depends on everything: it is judged with the rest.
        edited |= changed & {""} if edited else set()
        return Changed(frozenset(edited), frozenset(changed - edited))

    def _differs(self, place: Path) -> bool:
        if place not in self._differing:
            self._differing[place] = self.then.differs(place)
        return self._differing[place]

    def _earlier(
        self, request: ProgramRequest, place: Path, paths: Sequence[Path], differing: set[str]
    ) -> ProgramRequest:
        def then(named: Mapping[str, bytes], ending: str) -> tuple[tuple[str, bytes], ...]:
            found = []
            for name, content in named.items():
                inner = "/" + name.replace(".", "/") + ending if ending else f"/{name}"
                path = next((each for each in paths if str(each).endswith(inner) and str(each) in differing), None)
                found.append((name, content if path is None else self.then.content(path, MAX_SOURCE_BYTES) or b""))
            return tuple(found)

        readings = request.readings
        notebook = notebook_of(str(place))
        if str(notebook) in differing:
            content = self.then.content(notebook, MAX_READINGS_BYTES)
            try:
                readings = BY_AUTHOR.of(read_notebook(content) if content else (), None).records
            except ValueError:
                readings = ()
        return replace(
            request,
            content=self.then.content(place, MAX_SOURCE_BYTES) or b"",
            siblings=then(dict(request.siblings), ".py"),
            files=then(dict(request.files), ""),
            readings=readings,
            tree=None,
        )
