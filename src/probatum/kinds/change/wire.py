"""How a command line, or a request line, becomes a change.

A request line holds both versions whole: it reads no repository. Refuses by name unknown fields and paths that would
leave the tree.
"""

from __future__ import annotations

import base64
import binascii
import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from probatum.changes.project import ProjectSetup, python_of
from probatum.changes.record import DEFAULT_BAR, ChangePolicy
from probatum.changes.versions.trees import ChangeTrees, Tree, TreeFile, trees_of
from probatum.core.command import STANDARD_INPUT, Given
from probatum.core.errors import UsageError, nearest
from probatum.core.ports import SourceReader
from probatum.core.shape import Shape
from probatum.kinds.change.request import ChangeRequest, subject_of
from probatum.sandbox.environment import own_environment
from probatum.verification.kind import RequestLine

MAX_CLAIMS_BYTES: Final = 1_000_000
_FIELDS: Final = ("id", "kind", "base", "head", "claims", "accept", "min_strength", "refactor")
_ROOT: Final = "/probatum-change"


def commanded(given: Given, sources: SourceReader) -> ChangeRequest:
    """Return the change that a command names; raises as `trees_of` and `python_of` do."""
    place = Path(given.text("repository") or ".")
    if not place.is_dir():
        raise UsageError(
            "change.no_folder", f"{str(place)!r} is not a folder.", "Name the repository, or a folder in it."
        )
    trees = trees_of(given.subject, place)
    named = given.text("claims")
    claims = None if named is None else sources.read_whole(named, MAX_CLAIMS_BYTES, "claims").decode("utf-8", "replace")
    bar = _bar(given.number("min-strength", DEFAULT_BAR))
    policy = ChangePolicy(bar, given.flag("refactor"), given.texts("accept"))
    python = python_of(trees.root, given.text("python"), trees.base.files.keys() | trees.head.files.keys())
    project = ProjectSetup(
        str(trees.root),
        python,
        has_network=given.flag("allow-network"),
        takes_all_tests=given.flag("all-tests"),
    )
    return ChangeRequest(
        trees,
        policy,
        project,
        f"{trees.base_name}..{trees.head_name}",
        subject_of(trees.base.digest, trees.head.digest),
        claims,
        _words(given),
    )


def subject_at_hand(folder: str, artifact: Mapping[str, object]) -> bytes:
    """Return what a proof of a change would be about here: its base, and the work tree; raises as `trees_of` does."""
    base = Shape(artifact).member("contract").member("content").text("base_commit")
    trees = trees_of(base, Path(folder))
    return subject_of(trees.base.digest, trees.head.digest)


def _words(given: Given) -> tuple[str, ...]:
    words = [given.subject] if given.subject else []
    for name in ("repository", "python", "claims"):
        value = given.text(name)
        words += ["--" + name, value] if value is not None and value != STANDARD_INPUT else []
    for each in given.texts("accept"):
        words += ["--accept", each]
    bar = given.number("min-strength", DEFAULT_BAR)
    words += ["--min-strength", f"{bar:g}"] if bar != DEFAULT_BAR else []
    return (*words, *(f"--{name}" for name in ("refactor", "all-tests", "allow-network") if given.flag(name)))


def _bar(value: float) -> float:
    if not 0 <= value <= 1:
        raise UsageError("change.min_strength", f"A share is a number from 0 to 1, got {value!r}.")
    return float(value)


def requested(line: RequestLine) -> ChangeRequest:
    """Return what a line asks for: both versions as ``{path: text}``, or ``{path: {"base64": …}}`` for other bytes.

    Raises UsageError where it makes no sense.
    """
    for key in line.fields:
        if key not in _FIELDS:
            raise UsageError("request.invalid", f"Unknown field {key!r}.", nearest(key, _FIELDS))
    base, head = (_tree(line.fields.get(side), side) for side in ("base", "head"))
    claims, accepted = line.fields.get("claims", ""), line.fields.get("accept", [])
    bar = line.fields.get("min_strength", DEFAULT_BAR)
    if not isinstance(claims, str):
        raise UsageError("request.invalid", f"'claims' is a text, got {str(claims)[:80]!r}.")
    if not isinstance(accepted, list) or not all(isinstance(each, str) for each in accepted):
        raise UsageError("request.invalid", "'accept' is a list of names of tests.")
    if type(bar) not in {int, float}:
        raise UsageError("request.invalid", f"'min_strength' is a number from 0 to 1, got {str(bar)[:80]!r}.")
    is_refactoring = line.fields.get("refactor", False)
    if not isinstance(is_refactoring, bool):
        raise UsageError("request.invalid", f"'refactor' is true or false, got {str(is_refactoring)[:80]!r}.")
    policy = ChangePolicy(_bar(float(str(bar))), is_refactoring, tuple(map(str, accepted)))
    trees = ChangeTrees(Path(_ROOT), base, head, "", "", "base", "head", ())
    project = ProjectSetup(_ROOT, own_environment())
    return ChangeRequest(trees, policy, project, line.id, subject_of(base.digest, head.digest), claims)


def _tree(told: object, side: str) -> Tree:
    if not isinstance(told, Mapping):
        raise UsageError(
            "request.invalid", f"A request of kind 'change' needs {side!r}: an object of path and content."
        )
    return Tree({path: TreeFile(_content(path, each)) for path, each in sorted(told.items()) if _is_path(path)})


def _is_path(path: object) -> bool:
    parts = path.split("/") if isinstance(path, str) else [""]
    plain = all(each not in {"", ".", ".."} and "\0" not in each for each in parts)
    if not plain or posixpath.isabs(str(path)):
        raise UsageError("request.invalid", f"{str(path)[:80]!r} is no path of a file in a tree.")
    return parts[-1].rpartition(".")[2] not in {"pyc", "pyo"} and "__pycache__" not in parts


def _content(path: str, told: object) -> bytes:
    if isinstance(told, str):
        return told.encode("utf-8", "surrogatepass")
    coded = told.get("base64") if isinstance(told, Mapping) and len(told) == 1 else None
    try:
        return base64.b64decode(coded, validate=True) if isinstance(coded, str) else _refused(path)
    except binascii.Error:
        return _refused(path)


def _refused(path: str) -> bytes:
    raise UsageError("request.invalid", f"The content of {path[:80]!r} is neither a text nor base64.")
