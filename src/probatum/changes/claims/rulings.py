"""Decides each claim of a change by evidence: supported, contradicted or unproven, with the evidence in one sentence.

Refuses to contradict on a doubt. A claim is contradicted only if its words leave no other reading
(`ChangeClaim.exact`), the evidence covers what they speak about, and the change holds no file that could not be
read for it. A fix is never contradicted: what was wrong stands in no diff.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePosixPath

from probatum.changes.claims.claim_table import LINTERS, TYPE_CHECKERS
from probatum.changes.claims.reading import ChangeClaim, ChangeClaimKind

__all__ = ["ChangeClaimRuling", "ChangeFacts", "ClaimStanding", "rulings_on"]


class ClaimStanding(StrEnum):
    """What the evidence says of a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True)
class ChangeFacts:
    """What the evidence says. Functions and classes are named `path::qualname`; what was not looked at stays None.

    `tests_failed` counts the head's tests on the head, `tests_failed_before` those of them that fail on the base too.
    `tests_added` holds test ids without parameters, `cases_added` counts them with their parameters; `examples_added`
    tells that documentation examples changed, which may be called tests. `defined` is every function and class of the
    head, `identifiers` every identifier that occurs in its Python files. `compared`, `differs` and `witnessed` speak of
    changed functions: behaviour compared on both versions, a difference observed, a test that fails on the base and
    passes on the head. `versions` says where a version stands and its text. `tool_results` holds whether the tools that
    were run are clean on the head, `tool_results_before` on the base.
    """

    tests_passed: int = 0
    tests_failed: int = 0
    tests_failed_before: int = 0
    suite_was_run: bool = False
    tests_added: frozenset[str] = frozenset()
    tests_removed: frozenset[str] = frozenset()
    cases_added: int | None = None
    examples_added: bool = False
    changed_paths: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)
    defined: frozenset[str] | None = None
    identifiers: frozenset[str] | None = None
    public_api_changed: tuple[str, ...] | None = None
    differs: tuple[str, ...] = ()
    compared: frozenset[str] = frozenset()
    witnessed: frozenset[str] = frozenset()
    versions: Mapping[str, str] = field(default_factory=dict)
    tool_results: Mapping[str, bool] = field(default_factory=dict)
    tool_results_before: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChangeClaimRuling:
    """One claim, whether it holds, and why, in one sentence for a person."""

    claim: ChangeClaim
    standing: ClaimStanding
    evidence: str


def rulings_on(
    claims: Iterable[ChangeClaim], facts: ChangeFacts, *, about_whole_change: bool = True
) -> tuple[ChangeClaimRuling, ...]:
    """A ruling on each claim, in order.

    Pass `about_whole_change=False` for the message of one commit among several: it speaks of its own commit, so that
    evidence about the whole change contradicts nothing that it says.
    """
    rulings = []
    for claim in claims:
        standing, evidence = _DECIDED_BY[claim.kind](claim, facts)
        if standing is _CONTRADICTED and not (claim.exact and about_whole_change):
            standing = _UNPROVEN
        rulings.append(ChangeClaimRuling(claim, standing, evidence))
    return tuple(rulings)


_SUPPORTED, _CONTRADICTED, _UNPROVEN = ClaimStanding.SUPPORTED, ClaimStanding.CONTRADICTED, ClaimStanding.UNPROVEN
_Ruled = tuple[ClaimStanding, str]
# Files that hold no function and no test, and Python, which is read.
_READABLE = frozenset(
    {".py", ".pyi", ".md", ".rst", ".txt", ".toml", ".cfg", ".ini", ".yml", ".yaml", ".json", ".lock", ".typed"}
)
_MAY_HOLD_TESTS = re.compile(r"test|spec|example|fixture|feature|snap|golden|data|doc|case", re.IGNORECASE)
_SHOWN = 3


def _tests_pass(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    new_failures = facts.tests_failed - facts.tests_failed_before
    if new_failures > 0:
        return _CONTRADICTED, f"{_counted(new_failures, 'test')} {'fails' if new_failures == 1 else 'fail'}."
    if facts.tests_failed:
        return _UNPROVEN, f"{_counted(facts.tests_failed, 'test')} failed here, on the base as well."
    if not facts.tests_passed:
        return _UNPROVEN, "No test passed here."
    if not facts.suite_was_run:
        return _UNPROVEN, f"Only a part of the suite was run: {_counted(facts.tests_passed, 'test')} passed."
    if claim.count not in {None, facts.tests_passed}:
        return _UNPROVEN, f"{_counted(facts.tests_passed, 'test')} passed, none failed; {claim.count} are claimed."
    return _SUPPORTED, f"{_counted(facts.tests_passed, 'test')} passed, none failed."


def _tests_added(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    functions = len(facts.tests_added)
    cases = functions if facts.cases_added is None else facts.cases_added
    evidence = f"{_counted(functions, 'test function')} {'was' if functions == 1 else 'were'} added"
    evidence += "." if facts.cases_added in {None, functions} else f", {_counted(cases, 'case')}."
    elsewhere = facts.examples_added or not _all_readable(facts)
    if claim.count is None:
        if functions or cases:
            return _SUPPORTED, evidence
        touched = elsewhere or any(_MAY_HOLD_TESTS.search(path) for path in facts.changed_paths)
        return (_UNPROVEN if touched else _CONTRADICTED), "No test was added."
    if claim.count in {functions, cases}:
        return _SUPPORTED, evidence
    sure = claim.count > max(functions, cases) and facts.cases_added is not None and not elsewhere
    return (_CONTRADICTED if sure else _UNPROVEN), f"{evidence[:-1]}; {claim.count} are claimed."


def _only_files(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    others = sorted(path for path in facts.changed_paths if not any(_is_path(name, path) for name in claim.names))
    missing = [name for name in claim.names if not any(_is_path(name, path) for path in facts.changed_paths)]
    if others:
        return _CONTRADICTED, f"Other files changed: {_listed(others)}."
    if missing:
        return _UNPROVEN, f"No other file changed, and neither did {_listed(missing)}."
    return _SUPPORTED, "No other file changed."


def _nothing_else(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    others = sorted(path for path in facts.changed_paths if not any(_is_path(name, path) for name in claim.names))
    if others:
        return _UNPROVEN, f"Files changed that the text does not name: {_listed(others)}."
    return _SUPPORTED, "Every changed file is named in the text."


def _added(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    name = claim.names[0]
    found = _matching(name, facts.added | frozenset(facts.renamed.values()) | facts.tests_added)
    if found:
        return _SUPPORTED, f"{found[0]} was added."
    if _nowhere(name, facts):
        return _CONTRADICTED, f"{_last(name)} occurs nowhere in the sources."
    return _UNPROVEN, f"No function or class {_last(name)} was added."


def _removed(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    name = claim.names[0]
    found = _matching(name, facts.removed | frozenset(facts.renamed) | facts.tests_removed)
    if found:
        return _SUPPORTED, f"{found[0]} was removed."
    still = _matching(name, facts.defined or frozenset())
    if len(still) == 1 and still[0] not in facts.added | facts.changed and _all_readable(facts):
        return _CONTRADICTED, f"{still[0]} is still there."
    return _UNPROVEN, f"No function or class {_last(name)} was removed."


def _renamed(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    old, new = claim.names
    for before, after in sorted(facts.renamed.items()):
        if _matching(old, [before]) and _matching(new, [after]):
            return _SUPPORTED, f"{before} was renamed to {after}."
    if _matching(old, facts.removed) and _matching(new, facts.added):
        return _SUPPORTED, f"{_last(old)} was removed and {_last(new)} was added."
    if _nowhere(new, facts) and _matching(old, facts.defined or frozenset()):
        return _CONTRADICTED, f"{_last(old)} is still there, and {_last(new)} occurs nowhere in the sources."
    return _UNPROVEN, f"No function or class was renamed from {_last(old)} to {_last(new)}."


def _no_api_change(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    if facts.public_api_changed is None:
        return _UNPROVEN, "The public API was not compared."
    if facts.public_api_changed:
        return _CONTRADICTED, facts.public_api_changed[0]
    return _SUPPORTED, "No public name or signature changed."


def _refactoring(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    if facts.differs:
        return _CONTRADICTED, f"Behaviour differs: {_listed(facts.differs)}."
    left = sorted(facts.changed - facts.compared)
    if left:
        return _UNPROVEN, f"Not compared: {_listed(left)}."
    if not facts.changed:
        return _UNPROVEN, "No changed function was compared."
    return _SUPPORTED, f"{_counted(len(facts.changed), 'changed function')} compared, no difference."


def _fixes(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    found = sorted(facts.witnessed)
    if claim.names:
        found = [witness for witness in found if _runs_through(claim.names[0], witness)]
    if found:
        return _SUPPORTED, f"A test of {found[0]} fails on the base and passes on the head."
    what = f" of {claim.names[0]}" if claim.names else ""
    return _UNPROVEN, f"No test{what} fails on the base and passes on the head."


def _version(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    wanted = claim.names[0]
    same = sorted(where for where, text in facts.versions.items() if _release(text) == _release(wanted))
    if same:
        return _SUPPORTED, f"{same[0]} has version {facts.versions[same[0]]}."
    # A version that a tool fills in at build time says nothing.
    stated = sorted((where, text) for where, text in facts.versions.items() if _release(text) not in {"", "0"})
    if not stated:
        return _UNPROVEN, "No version is stated in the sources."
    return _CONTRADICTED, f"{stated[0][0]} has version {stated[0][1]}."


def _clean(claim: ChangeClaim, facts: ChangeFacts) -> _Ruled:
    tools = [tool for tool in sorted(facts.tool_results) if _is_meant(claim, tool)]
    if not tools:
        return _UNPROVEN, f"{claim.names[0]} was not run." if claim.names else "No such tool was run."
    dirty = [tool for tool in tools if not facts.tool_results[tool]]
    if not dirty:
        return _SUPPORTED, f"{_listed(tools)}: no errors."
    if all(facts.tool_results_before.get(tool, True) is False for tool in dirty):
        return _UNPROVEN, f"{dirty[0]} reports errors, on the base as well."
    return _CONTRADICTED, f"{dirty[0]} reports errors."


_DECIDED_BY: Mapping[ChangeClaimKind, Callable[[ChangeClaim, ChangeFacts], _Ruled]] = {
    ChangeClaimKind.TESTS_PASS: _tests_pass,
    ChangeClaimKind.TESTS_ADDED: _tests_added,
    ChangeClaimKind.ONLY_FILES: _only_files,
    ChangeClaimKind.NOTHING_ELSE: _nothing_else,
    ChangeClaimKind.ADDED: _added,
    ChangeClaimKind.REMOVED: _removed,
    ChangeClaimKind.RENAMED: _renamed,
    ChangeClaimKind.NO_API_CHANGE: _no_api_change,
    ChangeClaimKind.REFACTORING: _refactoring,
    ChangeClaimKind.FIXES: _fixes,
    ChangeClaimKind.VERSION: _version,
    ChangeClaimKind.LINT_CLEAN: _clean,
    ChangeClaimKind.TYPES_CLEAN: _clean,
}


def _is_meant(claim: ChangeClaim, tool: str) -> bool:
    if claim.names:
        return tool == claim.names[0]
    return tool in (LINTERS if claim.kind is ChangeClaimKind.LINT_CLEAN else TYPE_CHECKERS)


def _pieces(name: str) -> list[str]:
    """`path/to/x.py::Foo.bar()` as path, to, x, Foo, bar."""
    path, _, inside = name.strip("`").replace("()", "").rpartition("::")
    pieces = re.split(r"[./]+", f"{path.removesuffix('.pyi').removesuffix('.py')}/{inside.replace('::', '.')}")
    return [piece for piece in pieces if piece and piece not in {"<locals>", "__init__.py"}]


def _last(name: str) -> str:
    return (_pieces(name) or [name])[-1]


def _matching(name: str, candidates: Iterable[str]) -> list[str]:
    wanted = _pieces(name)
    return sorted(each for each in candidates if wanted and _pieces(each)[-len(wanted) :] == wanted)


def _runs_through(name: str, function: str) -> bool:
    wanted, pieces = _pieces(name), _pieces(function)
    return any(pieces[at : at + len(wanted)] == wanted for at in range(len(pieces))) and bool(wanted)


def _nowhere(name: str, facts: ChangeFacts) -> bool:
    return facts.identifiers is not None and _last(name) not in facts.identifiers and _all_readable(facts)


def _all_readable(facts: ChangeFacts) -> bool:
    return all(PurePosixPath(path).suffix.lower() in _READABLE for path in facts.changed_paths)


def _is_path(name: str, path: str) -> bool:
    wanted, whole = name.strip("`").removeprefix("./"), f"/{path}"
    return whole.endswith(f"/{wanted}") or (wanted.endswith("/") and f"/{wanted}" in whole)


def _release(text: str) -> str:
    """The version without what spelling leaves open: `v1.2.0-beta.1` and `1.2b1` are one."""
    spelt = text.strip().lower().removeprefix("v").replace("alpha", "a").replace("beta", "b")
    numbers = re.match(r"\d+(?:\.\d+)*", spelt)
    if numbers is None:
        return ""
    return re.sub(r"(?:\.0+)+\Z", "", numbers.group()) + re.sub(r"[-._]", "", spelt[numbers.end() :])


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + more
