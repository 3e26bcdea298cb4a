"""Which two versions ``BASE``, ``BASE..HEAD``, ``BASE...HEAD`` or no name means in the repository of a folder.

Refuses by name: no repository, one without a work tree or without a commit, a revision that is missing or ambiguous,
histories without one common base, and names that a repository inside another one gives.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from probatum.changes.versions.repository import (
    GIT,
    SHALLOW_HINT,
    asked,
    commit_of,
    damaged,
    is_shallow,
    is_unborn,
    repositories_around,
    require_outermost,
)
from probatum.core.errors import NotAttemptedError, UsageError

WORK_TREE: Final = "the work tree"
_OPTION: Final = "change"
_EXAMPLE: Final = "probatum change HEAD~1"
_MOST_COMMITS: Final = 1_000
_ORIGIN: Final = "refs/remotes/origin/HEAD"
_DEFAULT_BRANCHES: Final = (
    _ORIGIN,
    *(f"refs/remotes/origin/{name}" for name in ("main", "master")),
    *(f"refs/heads/{name}" for name in ("main", "master", "trunk", "develop")),
)
"""The branch that others start from: the first of these that exists."""


@dataclass(frozen=True, slots=True)
class NamedRange:
    """Two versions by their commits, with names for people."""

    root: Path
    base: str
    head: str
    """Empty for the work tree."""
    tip: str
    """The last commit of the change: of the work tree the one it stands on."""
    base_name: str
    head_name: str


def range_named(named: str, place: Path) -> NamedRange:
    """Return the versions that are meant; raises UsageError where they are not one base and one head.

    Without a name the base is what HEAD has in common with the default branch, and HEAD where there is none. Two dots
    compare with the base itself, three with what both have in common; a side that is left out is HEAD.
    """
    root = _root_of(place)
    dots = "..." if "..." in named else ".."
    if dots not in named:
        tip = commit_of("HEAD", root, _OPTION, _EXAMPLE)
        base, base_name = (_commit(named, root), named) if named else _start_of(root)
        return NamedRange(root, base, "", tip, _shown(base_name, base), WORK_TREE)
    left, right = (side or "HEAD" for side in named.split(dots, 1))
    base, head = _commit(left, root), _commit(right, root)
    if dots == "...":
        common = _merge_base(base, head, root)
        base, left = common, left if common == base else common
    return NamedRange(root, base, head, head, _shown(left, base), _shown(right, head))


def commits_between(base: str, tip: str, root: Path) -> list[str]:
    """Return the commits of a change, the oldest first; of very many the newest."""
    words = ("rev-list", "--topo-order", "--reverse", f"--max-count={_MOST_COMMITS}", tip, f"^{base}", "--")
    return _lines(root, *words)


def _root_of(place: Path) -> Path:
    folder = Path(os.path.realpath(place))
    told = asked(folder, "rev-parse", "--is-bare-repository", "--is-inside-git-dir")
    if isinstance(told, str) and "not a git repository" in told:
        hint = "A change is read from git: run this in the folder of a repository."
        raise UsageError("change.no_repository", f"{str(folder)!r} is in no git repository.", hint)
    if b"true" in told if isinstance(told, bytes) else "bareRepository" in told:
        hint = "Clone it, or add a work tree: git worktree add FOLDER"
        raise UsageError("change.no_work_tree", f"{str(folder)!r} is a git repository without a work tree.", hint)
    if isinstance(told, str):
        raise _refused(folder, told)
    root = repositories_around(folder)[0]
    if is_unborn(root):
        hint = "Commit the version to compare with, then run this again after the change."
        raise UsageError("change.no_commit", f"The repository {str(root)!r} has no commit yet.", hint)
    return root


def _commit(name: str, root: Path) -> str:
    commit = commit_of(name, root, _OPTION, _EXAMPLE)
    require_outermost(f"{GIT}{name}", commit, root, _OPTION)
    return commit


def _start_of(root: Path) -> tuple[str, str]:
    """Return where the branch at hand left the default branch, with a name for it."""
    tip = _commit("HEAD", root)
    rows = (
        row.partition(" ") for row in _lines(root, "for-each-ref", "--format=%(refname) %(symref)", *_DEFAULT_BRANCHES)
    )
    there = {name: target or name for name, _, target in rows}
    branch = next((there[name] for name in _DEFAULT_BRANCHES if name in there), "")
    if not branch:
        return tip, "HEAD"
    commit = _commit(branch, root)
    base = _merge_base(commit, tip, root)
    short = branch.removeprefix("refs/heads/").removeprefix("refs/remotes/")
    return base, short if base == commit else base


def _merge_base(one: str, other: str, root: Path) -> str:
    told = asked(root, "merge-base", "--all", one, other)
    bases = told.decode().split() if isinstance(told, bytes) else []
    if len(bases) == 1:
        return bases[0]
    hint = "Name the commit to compare with by its id, such as: probatum change " + (bases or [one])[0][:12]
    what = f"{one[:12]} and {other[:12]} have"
    if bases:
        raise UsageError("change.several_bases", f"{what} {len(bases)} merge bases, expected one.", hint)
    hint = SHALLOW_HINT if is_shallow(root) else hint
    raise UsageError("change.no_base", f"{what} no commit in common.", hint)


def _shown(name: str, commit: str) -> str:
    return commit[:12] if name == commit else name


def _lines(root: Path, *words: str) -> list[str]:
    told = asked(root, *words)
    if isinstance(told, str):
        raise damaged(f"The history of {str(root)!r} cannot be read.", f"git says: {told}")
    return os.fsdecode(told).splitlines()


def _refused(folder: Path, told: str) -> NotAttemptedError:
    return NotAttemptedError("change.git_refused", f"git refuses to read {str(folder)!r}.", f"git says: {told}")
