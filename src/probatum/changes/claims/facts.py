"""What the evidence about a change says of the claims that are made of it: the facts that rulings rest on."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from probatum.changes.calls import ComparedFunction
from probatum.changes.claims.reading import ChangeClaim, claims_in
from probatum.changes.claims.rulings import ChangeClaimRuling, ChangeFacts, rulings_on
from probatum.changes.record import UnitEvidence
from probatum.changes.suite import FAILING, PASSED
from probatum.changes.syntax.definitions import ChangedUnit, Differences, UnitChange, UnitPlace
from probatum.changes.syntax.file_syntax import UnitKind
from probatum.changes.table import FourRuns
from probatum.changes.versions.trees import ChangeTrees
from probatum.programs.source import UNPARSABLE, parsed

_VERSION: Final = re.compile(rb"""^__version__\s*(?::[^=\n]*)?=\s*["']([^"'\n]{1,80})["']""", re.MULTILINE)
_NAME: Final = re.compile(rb"[^\W\d]\w*")
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def claims_of(given: str | None, messages: Sequence[str]) -> tuple[tuple[ChangeClaim, ...], ...]:
    """Return the claims of a text that was given, or of each commit message where none was."""
    return tuple(map(_of_message, messages)) if given is None else (claims_in(given),)


def _of_message(message: str) -> tuple[ChangeClaim, ...]:
    # The subject says what was done; it announces nothing about what follows.
    subject, gap, body = message.partition("\n\n")
    below = (replace(each, start=each.start + len(subject) + len(gap)) for each in claims_in(body))
    return (*claims_in(subject), *below)


def ruled(claims: Sequence[Sequence[ChangeClaim]], facts: ChangeFacts) -> tuple[ChangeClaimRuling, ...]:
    """Return a ruling on each claim; what one of several commits says of itself is not held against the whole."""
    is_whole = len(claims) == 1
    return tuple(each for group in claims for each in rulings_on(group, facts, about_whole_change=is_whole))


def facts_of(
    trees: ChangeTrees,
    differences: Differences,
    runs: FourRuns,
    units: Sequence[UnitEvidence],
    compared: Sequence[ComparedFunction],
    clean: tuple[Mapping[str, bool], Mapping[str, bool]],
) -> ChangeFacts:
    """Return the facts that were observed of a change; ``clean`` is what tools said of the base and the head."""
    base, head = runs.base_on_base, runs.head_on_head
    failed = [name for name, end in head.ends.items() if end.outcome in FAILING] + list(head.uncollected)
    before = [name for name in failed if base.outcome(name) in FAILING or name in base.uncollected]
    contents = trees.head.contents
    defined, identifiers = _names_in(contents)
    return ChangeFacts(
        tests_passed=sum(end.outcome == PASSED for end in head.ends.values()),
        tests_failed=len(failed),
        tests_failed_before=len(before),
        suite_was_run=not head.trouble,
        tests_added=frozenset(differences.tests.added),
        tests_removed=frozenset(differences.tests.removed),
        cases_added=len(set(head.planned) - set(base.planned)),
        examples_added=bool(differences.documentation),
        changed_paths=_changed_paths(trees),
        added=_named(differences.units, UnitChange.ADDED),
        removed=_named(differences.units, UnitChange.REMOVED),
        changed=_named(differences.units, UnitChange.CHANGED),
        renamed={_name(each.base): _name(each.head) for each in differences.units if each.kind is UnitChange.MOVED},
        defined=defined,
        identifiers=identifiers,
        public_api_changed=differences.api,
        differs=tuple(each.unit for each in compared if each.differing),
        compared=frozenset(each.unit for each in compared),
        witnessed=frozenset(each.name for each in units if each.undone is not None and each.undone.is_noticed),
        versions=dict(_versions(contents)),
        tool_results=clean[1],
        tool_results_before=clean[0],
    )


def _named(units: Sequence[ChangedUnit], kind: UnitChange) -> frozenset[str]:
    return frozenset(each.name for each in units if each.kind is kind and each.of is not UnitKind.MODULE)


def _name(place: UnitPlace | None) -> str:
    return f"{place.path}::{place.qualname}" if place is not None else ""


def _changed_paths(trees: ChangeTrees) -> frozenset[str]:
    base, head = trees.base.files, trees.head.files
    return frozenset(path for path in base.keys() | head.keys() if base.get(path) != head.get(path))


def _names_in(contents: Mapping[str, bytes]) -> tuple[frozenset[str] | None, frozenset[str] | None]:
    """Return every definition and every identifier of the Python files; None where one cannot be read."""
    defined: set[str] = set()
    identifiers: set[bytes] = set()
    for path, content in contents.items():
        if not path.endswith(".py"):
            continue
        try:
            tree = parsed(content)
        except UNPARSABLE:
            return None, None
        defined |= {f"{path}::{name}" for name in _definitions(tree.body, "")}
        identifiers.update(_NAME.findall(content))
    return frozenset(defined), frozenset(each.decode("utf-8", "replace") for each in identifiers)


def _definitions(body: Sequence[ast.stmt], prefix: str) -> Iterator[str]:
    for each in body:
        if isinstance(each, _Definition):
            yield prefix + each.name
            yield from _definitions(each.body, f"{prefix}{each.name}.")
        elif isinstance(each, ast.If | ast.Try | ast.With):
            yield from _definitions([*each.body, *getattr(each, "orelse", ())], prefix)


def _versions(contents: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    with suppress(ValueError, RecursionError, AttributeError):
        told: dict[str, dict[str, object]] = tomllib.loads(contents.get("pyproject.toml", b"").decode())
        version = told.get("project", {}).get("version")
        if isinstance(version, str):
            yield "pyproject.toml", version
    for path, content in contents.items():
        if path.endswith(".py") and (match := _VERSION.search(content)):
            yield path, match[1].decode("utf-8", "replace")
