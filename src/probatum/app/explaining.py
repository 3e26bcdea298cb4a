"""What every code means: constraints of verdicts, codes of errors, and reasons of refusals; with an example each.

The texts are data: ``meanings.json`` of each kind for its own constraints, the one beside this file for everything
else. A constraint without a text means its sentence in the catalogue. Refuses a code that nobody knows, with the
nearest one that there is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from probatum.app.kinds import every_kind
from probatum.core.canonical import JsonValue
from probatum.core.decision import EXIT_CODE, Outcome
from probatum.core.errors import BudgetError, IntegrityError, NotAttemptedError, ProbatumError, UsageError, nearest
from probatum.core.messages import built_in_sentences

MEANINGS_FILE: Final = "meanings.json"
REFUSALS: Final = "refusals"
"""The area of the codes without a dot: why something of a reader is refused."""
EXAMPLE_FILE: Final = "shop.py"
"""What the program of an example is called."""

ERRORS: Final[Mapping[str, type[ProbatumError]]] = {
    "wrong usage": UsageError,
    "over budget": BudgetError,
    "not sound": IntegrityError,
    "cannot be attempted": NotAttemptedError,
    "a defect of probatum": ProbatumError,
}
"""What an error is, in words, by its class."""
_EXIT_CODES: Final = {each.value: EXIT_CODE[each] for each in Outcome} | {
    words: error.exit_code for words, error in ERRORS.items()
}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one code means.

    ``ends`` are the outcomes of verdicts with this constraint, or what the error is; empty for a refusal. ``program``
    is the text of a file, ``run`` a command line, ``came`` the line that it printed, ``case`` an example in words.
    """

    code: str
    means: str
    ends: tuple[str, ...] = ()
    program: str = ""
    run: str = ""
    came: str = ""
    case: str = ""
    do: str = ""

    @property
    def area(self) -> str:
        """What the code belongs to: its first part."""
        return self.code.partition(".")[0] if "." in self.code else REFUSALS

    @property
    def in_short(self) -> str:
        """What it means, in one sentence."""
        return self.means.partition(". ")[0].rstrip(".") + "."

    @property
    def how_it_ends(self) -> tuple[str, ...]:
        """What it comes with, each with its exit code."""
        return tuple(f"{each.replace('_', ' ')}: exit code {_EXIT_CODES[each]}" for each in self.ends)

    @property
    def example(self) -> tuple[str, ...]:
        """The lines of the example, as they would be seen; empty where none makes sense."""
        program = (f"# {EXAMPLE_FILE}", *self.program.splitlines()) if self.program else ()
        return (*program, *(f"$ {line}" for line in self.command.splitlines()), *filter(None, (self.came, self.case)))

    @property
    def command(self) -> str:
        """The command line of the example: the one of a program that names none is that which verifies it."""
        return self.run or (f"probatum verify {EXAMPLE_FILE}" if self.program else "")

    def to_dict(self) -> dict[str, JsonValue]:
        """Return it for programs."""
        return {
            "code": self.code,
            "means": self.means,
            "ends": [{"with": each, "exit_code": _EXIT_CODES[each]} for each in self.ends],
            "example": list(self.example),
            "do": self.do,
        }


@cache
def built_in_meanings() -> Mapping[str, Meaning]:
    """Return what every code of probatum means, in the order of its files."""
    ours = files("probatum")
    places = (ours / "app", *sorted((ours / "kinds").iterdir(), key=lambda folder: folder.name))
    found: dict[str, Meaning] = {}
    for place in places:
        if (place / MEANINGS_FILE).is_file():
            rows: dict[str, dict[str, str]] = json.loads((place / MEANINGS_FILE).read_text(encoding="utf-8"))
            found |= {code: _meaning(code, row) for code, row in rows.items()}
    return found


def _meaning(code: str, row: Mapping[str, str]) -> Meaning:
    texts = {name: text for name, text in row.items() if name not in {"ends", "means"}}
    ends = tuple(each.strip() for each in row.get("ends", "").split(",") if each)
    return Meaning(code, row.get("means") or _plain(built_in_sentences()[code]), ends, **texts)


def _plain(sentence: str) -> str:
    return sentence.replace("{name}", "It")


def every_meaning() -> Mapping[str, Meaning]:
    """Return what every code means, those of installed packages too; a constraint of these means its sentence."""
    theirs = {code: _plain(text) for kind in every_kind() for code, text in kind.sentences.items()}
    others = {code: Meaning(code, text) for code, text in theirs.items() if "{" not in text}
    return {**others, **built_in_meanings()}


def meanings_of(asked: str) -> tuple[Meaning, ...]:
    """Return what a code means; of its last part, as agents read it, what every code means that ends so.

    An area gives all of its codes, and nothing gives all codes, in order. Raises UsageError for a code that there is
    not.
    """
    ours = built_in_meanings()
    if found := _asked_for(asked, ours) if asked else ():
        return found
    known = every_meaning()
    if found := _asked_for(asked, known):
        return found
    hint = nearest(asked, known) or nearest(asked, {each.rpartition(".")[2] for each in known})
    raise UsageError("explain.unknown", f"There is no code {asked[:80]!r}.", hint or "List them: probatum explain")


def _asked_for(asked: str, known: Mapping[str, Meaning]) -> tuple[Meaning, ...]:
    if whole := known.get(asked):
        return (whole,)
    if asked in built_in_sentences():
        # Its sentence has further parts, which change nothing of what it means.
        return (max((each for each in known.values() if asked.startswith(each.code)), key=lambda each: len(each.code)),)
    found = [each for each in known.values() if each.code.endswith(f".{asked}") or each.area == asked or not asked]
    return tuple(sorted(found, key=lambda each: (each.area, each.code)))
