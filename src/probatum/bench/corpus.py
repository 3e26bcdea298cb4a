"""Reads a corpus: a folder ``<group>/<feature>/`` for every case, each with one right and one wrong program.

Refuses a case with an unknown key, a missing file, or an expectation that is weaker than it could be and gives no
reason. The folder's names never become part of the program.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from probatum.app.kinds import built_in_kinds
from probatum.app.sources import NO_SOURCES
from probatum.bench.labelled import Labelled
from probatum.core.command import Given
from probatum.core.decision import Outcome
from probatum.core.errors import UsageError, reason_of
from probatum.core.json_text import read_json
from probatum.core.shape import Shape

CASE_FILE = "case.toml"
RIGHT, WRONG = "right", "wrong"
_COMPANIONS = ("contract", "tests", "against")
_READINGS = "readings"
_OPTIONAL = ("why", "function", "path", _READINGS, *_COMPANIONS)
_USUAL = {RIGHT: Outcome.TESTED, WRONG: Outcome.REFUTED}
_HONEST = {label: (usual, Outcome.UNDECIDED, Outcome.NOT_ATTEMPTED) for label, usual in _USUAL.items()}

Case = Mapping[str, str]


def read_corpus(folder: Path, *, limit: int | None) -> list[Labelled]:
    """Return the programs of the first ``limit`` cases in order of name, the right one of each before the wrong one.

    Raises UsageError where there is no case, or one of them cannot be used; the sentence names it.
    """
    if not folder.is_dir():
        raise UsageError("bench.unreadable", f"{str(folder)!r} is not a folder of cases.")
    files = sorted(folder.glob(f"*/*/{CASE_FILE}"))
    return [program for file in files[:limit] for program in _programs_of(file.parent)]


def _programs_of(folder: Path) -> Iterator[Labelled]:
    name = f"{folder.parent.name}/{folder.name}"
    try:
        case = _case(folder / CASE_FILE)
        for label in (RIGHT, WRONG):
            yield _program(folder, case, label, name)
    except OSError as error:
        sentence = f"The case {name} cannot be used: {error.filename!r}: {reason_of(error)}."
        raise UsageError("bench.malformed", sentence) from error
    except ValueError as error:
        raise UsageError("bench.malformed", f"The case {name} cannot be used: {error}.") from error


def _case(file: Path) -> Case:
    """Return the keys of a case; raises ValueError where they are not as `tests/corpus/README.md` says."""
    case = Shape(tomllib.loads(file.read_text(encoding="utf-8"))).exactly("feature", RIGHT, WRONG, may=_OPTIONAL)
    found = {key: case.text(key, least=1) for key in case.raw_object()}
    for label, honest in _HONEST.items():
        if found[label] not in honest:
            raise ValueError(f"{label!r} is one of {', '.join(honest)}, not {found[label]!r}")
        if found[label] != _USUAL[label] and "why" not in found:
            raise ValueError(f"{label!r} is {found[label]!r} and 'why' is missing")
    return found


def _program(folder: Path, case: Case, label: str, name: str) -> Labelled:
    path = case.get("path")
    file = folder / f"{label}.py" if path is None else folder / label / path
    if not file.is_file():
        raise ValueError(f"there is no file {str(file)!r}")
    companions = {key: (folder / case[key]).read_text(encoding="utf-8") for key in _COMPANIONS if key in case}
    return Labelled(
        task=name,
        label=label,
        source=file.read_text(encoding="utf-8"),
        function=case.get("function"),
        contract=companions.get("contract"),
        tests=companions.get("tests"),
        against=companions.get("against"),
        module=None if path is None else ".".join(Path(path).with_suffix("").parts),
        siblings=() if path is None else _siblings(file),
        readings=_readings(folder / case[_READINGS]) if _READINGS in case else (),
        expected=Outcome(case[label]),
    )


def _readings(file: Path) -> tuple[Mapping[str, object], ...]:
    """Return the record of readings of a file, or those of its list; whether they can be used is asked later."""
    records = read_json(file.read_bytes())
    return tuple(Shape(each, str(file)).raw_object() for each in (records if isinstance(records, list) else [records]))


def _siblings(file: Path) -> tuple[tuple[str, str], ...]:
    """Return the modules of its project that a file imports, by dotted name, as `probatum verify` finds them."""
    [read] = built_in_kinds()["program"].requests(Given(str(file)), NO_SOURCES)
    if not hasattr(read, "siblings"):
        raise ValueError(f"{str(file)!r} cannot be read")
    return tuple((module, content.decode("utf-8")) for module, content in read.siblings)
