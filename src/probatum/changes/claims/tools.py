"""Runs the linters and type checkers that claims speak of: those of the project's own Python, on both versions.

Each runs in the sandbox with the project's own configuration. Refuses to take a tool that is not installed, or that
ends in another way than clean or not clean, for one that has run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

from probatum.changes.claims.claim_table import ChangeClaimKind
from probatum.changes.claims.reading import ChangeClaim
from probatum.changes.suite import Suite
from probatum.sandbox.suites import run_suite

_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "bandit": ("bandit", "--quiet", "--recursive", "."),
    "black": ("black", "--check", "--quiet", "."),
    "flake8": ("flake8",),
    "isort": ("isort", "--check-only", "--quiet", "."),
    "mypy": ("mypy", "--cache-dir", "/tmp/mypy", "."),  # noqa: S108  a file system of its own
    "pycodestyle": ("pycodestyle", "."),
    "pydocstyle": ("pydocstyle", "."),
    "ruff": ("ruff", "check", "--no-cache", "."),
    "ruff format": ("ruff", "format", "--check", "--no-cache", "."),
}
"""By what a claim calls it: the module, and what it is given."""
_USUAL: Final = {ChangeClaimKind.LINT_CLEAN: "ruff", ChangeClaimKind.TYPES_CLEAN: "mypy"}
"""What is meant where no tool is named."""
_CLEAN, _NOT_CLEAN = 0, 1


def tools_claimed(claims: Iterable[Sequence[ChangeClaim]]) -> tuple[str, ...]:
    """Return which tools claims speak of, as they call them, as far as it is known how to run them."""
    named = (
        each.names[0] if each.names else _USUAL[each.kind] for group in claims for each in group if each.kind in _USUAL
    )
    return tuple(dict.fromkeys(name for name in named if name in _WORDS))


def results_of(
    tools: Sequence[str], base: Suite, head: Suite, threads: ThreadPoolExecutor
) -> tuple[dict[str, bool], dict[str, bool]]:
    """Return by tool whether the base and the head are clean, without those that did not run; raises as `run_suite`."""
    runs = [(tool, [threads.submit(_is_clean, suite, tool) for suite in (base, head)]) for tool in tools]
    ended = [(tool, [each.result() for each in both]) for tool, both in runs]
    before, now = ({tool: both[at] for tool, both in ended} for at in (0, 1))
    return {name: told for name, told in before.items() if told is not None}, {
        name: told for name, told in now.items() if told is not None
    }


def _is_clean(suite: Suite, tool: str) -> bool | None:
    told = run_suite(replace(suite.order(), tool=_WORDS[tool]))
    codes = [each.whole("code", -1) for each in told.records if each.text("kind") == "tool"]
    return codes[0] == _CLEAN if codes and codes[0] in {_CLEAN, _NOT_CLEAN} else None
