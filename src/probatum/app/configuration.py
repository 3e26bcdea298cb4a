"""What a repository says of its checks: ``[tool.probatum]`` in the nearest pyproject.toml above what is asked about.

What is typed counts more than what stands there, and that more than the defaults. A value of it is what the option of
the same name takes. Refuses by name: an unknown key, with the nearest one; a value of another form; and whatever would
weaken the sandbox, run something outside of it, or bring answers along, which only a command line may ask for.
"""

from __future__ import annotations

import glob
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from probatum.advisors.configured import ConfiguredModel, model_of
from probatum.core.command import FORM_TYPES, STANDARD_INPUT, Form, Given, Option
from probatum.core.errors import NotAttemptedError, UsageError, nearest, reason_of
from probatum.core.limits import MEBIBYTE

FILE: Final = "pyproject.toml"
_TABLE: Final = "probatum"
_MOST_BYTES: Final = MEBIBYTE
DEFAULT_BASELINE: Final = "probatum-baseline.txt"
FAIL_ON: Final = ("refuted", "blocked", "undecided")
"""The least that fails; what is worse fails too."""
FORMAT: Final = "output-format"
RUN: Final = (
    Option(
        FORMAT,
        "What to print on standard output.",
        metavar="FORMAT",
        default="text",
        also=("--format",),
        is_configurable=True,
    ),
    Option(
        "jobs",
        "How many files are verified at the same time. Default: one per processor.",
        Form.NUMBER,
        metavar="N",
        also=("-j",),
        is_configurable=True,
    ),
    Option(
        "fail-on",
        "The least that fails: refutations alone, also what could not be attempted, or all that is not verified.",
        metavar="|".join(FAIL_ON),
        default=FAIL_ON[-1],
        is_configurable=True,
    ),
    Option(
        "baseline",
        f"What is known and does not fail, as 'probatum baseline' wrote it. Default: {DEFAULT_BASELINE}, where there is"
        " one.",
        metavar="FILE",
        is_configurable=True,
    ),
    Option("no-baseline", "Nothing is known: everything counts.", Form.FLAG),
    Option("no-cache", "Verify everything anew, and keep nothing.", Form.FLAG, is_configurable=True),
    Option(
        "cache-dir",
        "Where answers about unchanged functions are kept. Default: $PROBATUM_CACHE_DIR, else the user's cache folder.",
        metavar="DIR",
    ),
)
"""Options of a run over files, beside those of the kind."""
MODELS: Final = "models"
"""The table of models that readings and advice may be asked of, where a command names one."""
_ON_THE_COMMAND_LINE: Final = frozenset({"python", "unsafe-no-isolation", "acceptance", "store", "ledger", "cache-dir"})


@dataclass(frozen=True, slots=True)
class Configuration:
    """What was found; without a file, nothing."""

    values: Mapping[str, object] = field(default_factory=dict)
    file: Path | None = None
    models: Mapping[str, ConfiguredModel] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        """The folder that paths in it count from: the file's, else the current one."""
        return Path() if self.file is None else self.file.parent


def configurable(options: Iterable[Option]) -> tuple[Option, ...]:
    """Return what a configuration file may say, of a kind with these options."""
    return tuple(each for each in dict.fromkeys((*options, *RUN)) if each.is_configurable)


def read_configuration(start: str, options: Iterable[Option]) -> Configuration:
    """Return the configuration for a path.

    Raises UsageError where a table cannot be used, NotAttemptedError where its file cannot be read.
    """
    place = Path() if start == STANDARD_INPUT else Path(start.partition("::")[0])
    known = {each.name: each for each in configurable(options)}
    for folder in (place.absolute(), *place.absolute().parents):
        file = folder / FILE
        # A path that the system refuses leads to none; whoever reads it says so.
        if os.path.isfile(file) and (table := _table_of(file)) is not None:
            values = {name: _checked(name, each, known, file) for name, each in table.items() if name != MODELS}
            return Configuration(values, file, _models(table.get(MODELS, {}), file))
    return Configuration()


def configured(given: Given, options: Sequence[Option], start: str = "") -> tuple[Given, Configuration]:
    """Return what was given with what is configured for it, and the configuration; raises as `read_configuration`.

    What leaves files out adds up; of anything else, what was given counts.
    """
    found = read_configuration(start or given.subject, options)
    known = {option.name: option for option in options}
    of_kind = {name: value for name, value in found.values.items() if name in known}
    both = {name for name in of_kind.keys() & given.options.keys() if known[name].form is Form.TEXTS}
    added = {name: [*given.texts(name), *Given(options=of_kind).texts(name)] for name in both}
    return replace(given, options={**of_kind, **given.options, **added}), found


def _table_of(file: Path) -> Mapping[str, object] | None:
    try:
        with file.open("rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except OSError as error:
        sentence = f"The configuration {str(file)!r} could not be read: {reason_of(error)}."
        raise NotAttemptedError("configuration.unreadable", sentence) from error
    if b"probatum" not in content:
        return None
    try:
        tool = tomllib.loads(content[:_MOST_BYTES].decode()).get("tool")
    except (ValueError, RecursionError) as error:
        raise UsageError("configuration.not_toml", f"{str(file)!r} is not TOML: {error}.") from error
    table = tool.get(_TABLE) if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError("configuration.invalid", f"In {str(file)!r}, tool.{_TABLE} is not a table.")
    return table


def _models(table: object, file: Path) -> Mapping[str, ConfiguredModel]:
    if not isinstance(table, dict):
        sentence = f"In {str(file)!r}, [tool.{_TABLE}] {MODELS!r} is a table of tables."
        raise UsageError("configuration.invalid", sentence)
    return {name: model_of(name, each) for name, each in table.items()}


def _checked(name: str, value: object, known: Mapping[str, Option], file: Path) -> object:
    where = f"In {str(file)!r}, [tool.{_TABLE}]"
    if name not in known:
        hint = nearest(name, known) or "See all of them with: probatum config"
        if name in _ON_THE_COMMAND_LINE:
            hint = f"Only a command line can say it: --{name}"
        raise UsageError("configuration.unknown", f"{where} has an unknown key {name!r}.", hint)
    form = known[name].form
    is_right = isinstance(value, FORM_TYPES[form]) and (form is Form.FLAG or not isinstance(value, bool))
    if form is Form.TEXTS:
        is_right = isinstance(value, list) and all(isinstance(each, str) for each in value)
    if not is_right:
        sentence = f"{where} {name!r} is a {form.value}, got {str(value)[:60]!r}."
        raise UsageError("configuration.invalid", sentence)
    if name == "exclude" and isinstance(value, list):
        return [f"{glob.escape(str(file.parent))}/{each}" if "/" in each else each for each in value]
    return str(file.parent / value) if name == "baseline" and isinstance(value, str) else value
