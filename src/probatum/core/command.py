"""What a kind of subject declares of its command: words and options as data, which every interface renders.

The command line, batches, the gate and services make their options from these values, for built-in kinds and those of
installed packages alike. Refuses names that no command line could show or that a command has already, and to read an
option in another form than it was given in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from probatum.core.errors import UsageError
from probatum.core.frozen import FrozenDict, frozen_dict

if TYPE_CHECKING:
    from probatum.core.ports import SourceReader

# The subject that is read from standard input.
STANDARD_INPUT: Final = "-"
# The error code for something that exists but cannot be read.
UNREADABLE: Final = "path.unreadable"
# The options of the commands that every kind shares, its own command among them.
SHARED_OPTIONS: Final = frozenset(
    {
        *("events", "format", "help", "json", "layer", "ledger-each", "lines", "verbose", "workers"),
        *("baseline", "cache-dir", "fail-on", "jobs", "no-baseline", "no-cache", "output-file", "output-format"),
        *("exitfirst", "quiet", "read", "watch"),
        *("checkpoint", "ledger", "max-age", "origin", "recorded", "require", "trust", "trust-log"),
        *("http", "recheck", "replay", "root", "store", "subject"),
    }
)
# What a kind is called, in proofs and request lines.
KIND: Final = re.compile(r"[a-z][a-z0-9_.-]{0,63}", re.ASCII)
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)


class Form(Enum):
    """What an option takes."""

    TEXT = "text"
    # Text, and the option may be repeated.
    TEXTS = "list of texts"
    NUMBER = "number"
    FLAG = "flag"


FORM_TYPES: Final[Mapping[Form, tuple[type, ...]]] = {
    Form.TEXT: (str,),
    Form.TEXTS: (list, tuple),
    Form.NUMBER: (int, float),
    Form.FLAG: (bool,),
}


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
    # Further ways to write it, such as ``-j``.
    also: tuple[str, ...] = ()
    # Whether its value must be joined to it, as in ``--changed=REV``: the next word never is the value.
    is_joined: bool = False
    # Whether a configuration file may say it.
    is_configurable: bool = False
    # What a batch makes of its text once for all requests, such as the content of a file that it names.
    for_all: Callable[[str, SourceReader], str] | None = None

    def __post_init__(self) -> None:
        _require_name("an option", self.name)
        if type(self.form) is not Form:
            raise ValueError(f"an option has a Form, got {self.form!r}")


DRY_RUN: Final = Option("dry-run", "Print what would be sent to the models, and send nothing.", Form.FLAG)


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
    # Whether it takes several subjects.
    takes_many: bool = False
    # Whether ``--lines`` can judge each line of one stream.
    takes_lines: bool = False
    # Whether what it observes is kept, so that the next run about the same observes nothing.
    is_kept: bool = False
    # What ``batch`` offers for request lines that do not say it themselves.
    batch: tuple[Option, ...] = ()
    # What a server of tools offers for calls that do not say it themselves.
    agents: tuple[Option, ...] = ()
    # What ``gate`` can demand of a proof of this kind.
    demands: tuple[Option, ...] = ()
    # What a replay of such a proof may need.
    replay: tuple[Option, ...] = ()
    # Its place in the list of commands: the lower, the earlier.
    position: int = 100
    # The option that names the subject, where it is no argument.
    subject_option: str = ""
    # What the subject is where none is named; None where one has to be.
    subject_default: str | None = None
    # An argument before the subject, such as what kind of question it is; `Given` knows it as an option.
    leading: Option | None = None

    def __post_init__(self) -> None:
        _require_name("a command", self.name)
        if any(option.is_required for option in self.shared):
            raise ValueError(f"the command {self.name!r} requires an option of a command that other kinds share")
        groups = (self.options, self.batch, self.agents, (*self.demands, *self.replay))
        own, *others = ([option.name for option in group] for group in groups)
        own += [self.leading.name] if self.leading else []
        if self.subject_option:
            _require_name("an option", self.subject_option)
            own.append(self.subject_option)
        for names in (own, *others):
            for name in names:
                if name in SHARED_OPTIONS or names.count(name) > 1:
                    raise ValueError(f"the command {self.name!r} has an option --{name} already")

    @property
    def shared(self) -> tuple[Option, ...]:
        """What it adds to the commands that all kinds share."""
        return (*self.batch, *self.agents, *self.demands, *self.replay)


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody asked for: a subject, and by name what was given; read in another form it is a UsageError."""

    subject: str = ""
    options: Mapping[str, object] = field(default_factory=FrozenDict)
    # Further subjects, where a command takes several.
    others: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", frozen_dict(self.options))

    def text(self, name: str) -> str | None:
        """Return the text of an option; None where it was not given."""
        value = self._value(name, Form.TEXT)
        return value if isinstance(value, str) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """Return every text of an option that may be repeated."""
        value = self._value(name, Form.TEXTS)
        return tuple(str(each) for each in value) if isinstance(value, list | tuple) else ()

    def number(self, name: str, default: float) -> float:
        """Return the number of an option, or ``default`` where it was not given."""
        value = self._value(name, Form.NUMBER)
        return value if isinstance(value, int | float) else default

    def flag(self, name: str) -> bool:
        """Return whether a flag was given."""
        return self._value(name, Form.FLAG) is True

    def _value(self, name: str, form: Form) -> object:
        value = self.options.get(name)
        # A flag is not a number, though bool is a subclass of int.
        fits = isinstance(value, FORM_TYPES[form]) and (form is Form.FLAG or not isinstance(value, bool))
        if value is None or fits:
            return value
        raise UsageError(
            "option.form", f"The option --{name} is a {form.value} for this kind of subject, got {value!r}."
        )

    def only(self, options: Iterable[Option]) -> Given:
        """Return what was given for these options."""
        names = {option.name for option in options}
        return Given(self.subject, {name: value for name, value in self.options.items() if name in names}, self.others)


# Nothing was given: every option has its default.
NOTHING: Final = Given()


def merged(groups: Iterable[Iterable[Option]]) -> tuple[Option, ...]:
    """Return the options of several kinds, each name once: the first to declare it explains it."""
    found: dict[str, Option] = {}
    for group in groups:
        for option in group:
            found.setdefault(option.name, option)
    return tuple(found.values())
