"""What a kind of subject declares of its command: words and options as data, which every interface renders.

The command line, batches, the gate and services make their options from these values, for built-in kinds and those of
installed packages alike. Refuses names that no command line could show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from probatum.core.frozen import FrozenDict, frozen_dict

# The subject that is read from standard input.
STANDARD_INPUT: Final = "-"
# The error code for something that exists but cannot be read.
UNREADABLE: Final = "path.unreadable"
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)


class Form(Enum):
    """What an option takes."""

    TEXT = "text"
    # Text, and the option may be repeated.
    TEXTS = "texts"
    NUMBER = "number"
    FLAG = "flag"


def _require_name(what: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{what} is named in lower case, with dashes between words, got {name!r}")


@dataclass(frozen=True, slots=True)
class Option:
    """One option: ``--name``, which `Given` knows under the same name."""

    name: str
    help: str
    form: Form = Form.TEXT
    metavar: str = ""
    default: str | float | None = None
    is_required: bool = False
    # What the option means where its value is left out; empty where it needs one.
    bare: str = ""

    def __post_init__(self) -> None:
        _require_name("an option", self.name)


@dataclass(frozen=True, slots=True)
class Command:
    """The command of one kind, and what it adds to the commands that all kinds share."""

    name: str
    # One line for the list of commands.
    question: str
    help: str
    # The metavar of what is judged, such as ``PATH``.
    subject: str
    subject_help: str
    options: tuple[Option, ...] = ()
    # Whether ``--lines`` can judge each line of one stream.
    takes_lines: bool = False
    # What ``batch`` offers for request lines that do not say it themselves.
    batch: tuple[Option, ...] = ()
    # What ``gate`` can demand of a proof of this kind.
    demands: tuple[Option, ...] = ()
    # What a replay of such a proof may need.
    replay: tuple[Option, ...] = ()
    # Its place in the list of commands: the lower, the earlier.
    position: int = 100

    def __post_init__(self) -> None:
        _require_name("a command", self.name)


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody asked for: a subject, and by name the options whose value is not the declared default."""

    subject: str = ""
    options: Mapping[str, object] = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", frozen_dict(self.options))

    def text(self, name: str) -> str | None:
        """Return the text of an option; None where it was not given."""
        value = self.options.get(name)
        return value if isinstance(value, str) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """Return every text of an option that may be repeated."""
        value = self.options.get(name)
        return tuple(str(each) for each in value) if isinstance(value, list | tuple) else ()

    def number(self, name: str, default: float) -> float:
        """Return the number of an option, or ``default`` where it was not given."""
        # A flag is not a number, though bool is a subclass of int.
        value = self.options.get(name)
        return default if isinstance(value, bool) or not isinstance(value, int | float) else value

    def flag(self, name: str) -> bool:
        """Return whether a flag was given."""
        return self.options.get(name) is True

    def split(self, names: Iterable[str]) -> tuple[Given, Given]:
        """Return what was given for options of these names, and what was given for others."""
        others = dict(self.options)
        named = {name: others.pop(name) for name in names if name in others}
        return Given(self.subject, named), Given(self.subject, others)


# Nothing was given: every option has its default.
NOTHING: Final = Given()


def merged(groups: Iterable[Iterable[Option]]) -> tuple[Option, ...]:
    """Return the options of several kinds, each name once: the first to declare it explains it."""
    found: dict[str, Option] = {}
    for group in groups:
        for option in group:
            found.setdefault(option.name, option)
    return tuple(found.values())
