"""The formats of a report, by name: one row for each, and what it is made of.

A format's module is loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Final

from probatum.core.disclosure import Layer
from probatum.core.sheet import Page
from probatum.report.judged import Judged


@dataclass(frozen=True, slots=True)
class CommandReport:
    """Everything that one command has to report."""

    title: str
    judged: Sequence[Judged]
    pages: Sequence[Page]
    exit_code: int
    layer: Layer


FORMATS: Final[Mapping[str, Callable[[CommandReport], str]]] = {
    "junit": lambda told: _module("junit").junit_xml(told.title, told.judged, told.layer),
    "sarif": lambda told: _module("sarif").sarif_log(told.judged, told.exit_code, told.layer),
    "html": lambda told: _module("html").html_document(told.title, told.pages),
    "markdown": lambda told: _module("markdown").markdown_document(told.pages),
}


def _module(name: str) -> ModuleType:
    return import_module(f"probatum.report.{name}")
