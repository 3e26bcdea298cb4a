"""What came of reading with models, as a page and as JSON: proposals, refusals, where readers differ, what is left out.

Refuses to leave a model that gave nothing, or a file that could not be read, out of either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace

from probatum.core.canonical import JsonValue
from probatum.core.decision import EXIT_CODE, Outcome
from probatum.core.messages import counted
from probatum.core.model_questions import NoAdvice
from probatum.core.ports import MeteredAdvisor
from probatum.core.shape import Shape
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.core.subject import shown_path
from probatum.readings.proposals import Added
from probatum.verification.desk import Told


@dataclass(frozen=True, slots=True)
class CardRead:
    """What one model said about one function or class, and what came of it."""

    key: str
    reader: str
    added: Added
    answered: frozenset[tuple[str, str]] = frozenset()
    """What it said something of: a name, and the words."""
    left_out: NoAdvice | None = None

    def followed_by(self, second: CardRead) -> CardRead:
        """Return what came of this one and of a second one, about what was refused."""
        if second.left_out is not None:
            return replace(self, left_out=second.left_out)
        refused = [each for each in self.added.refused if (each.function, each.what) not in second.answered]
        return replace(second, added=replace(self.added, refused=tuple(refused)).joined(second.added))

    def document(self) -> dict[str, JsonValue]:
        """Return it as JSON."""
        told: dict[str, JsonValue] = {"function": self.key, "reader": self.reader, **self.added.document()}
        if self.left_out is not None:
            told["left_out"] = asdict(self.left_out)
        return told


@dataclass(frozen=True, slots=True)
class ModelsReport:
    """Everything that came of one command."""

    reads: list[CardRead] = field(default_factory=list)
    records: list[JsonValue] = field(default_factory=list)
    """What these readers say of the files now, in the form of `read --add`."""
    differences: list[dict[str, JsonValue]] = field(default_factory=list)
    skipped: dict[str, JsonValue] = field(default_factory=dict)
    """Files and names that were not read, and why."""


def told_of(report: ModelsReport, models: Mapping[str, MeteredAdvisor]) -> Told:
    """Return the answer of the command; its exit code is 3 where something is left out, or nothing was proposed."""
    spent: dict[str, JsonValue] = {name: {"reader": each.name, **each.spent.to_json()} for name, each in models.items()}
    left_out = [each for each in report.reads if each.left_out is not None]
    document: dict[str, JsonValue] = {
        "reads": [each.document() for each in report.reads],
        "records": report.records,
        "differences": list[JsonValue](report.differences),
        "left_out": len(left_out),
        "skipped": report.skipped,
        "models": spent,
    }
    proposed = sum(len(each.added.ids) for each in report.reads)
    refused = sum(len(each.added.refused) for each in report.reads)
    sentences = [f"{counted(proposed, 'reading')} proposed, {refused} refused."]
    sentences += [f"{name}: {each.spent}." for name, each in models.items()]
    sections = (
        Section("Left out", tuple(_left_out_entries(report))),
        Section("Readers differ", tuple(map(_difference_entry, report.differences))),
        Section("Refused", tuple(_refused_entries(report))),
    )
    files = list(dict.fromkeys(each.key.rpartition("::")[0] for each in report.reads))
    word, mark = ("READ", Mark.HOLDS) if proposed and not left_out else ("PARTLY READ", Mark.UNDECIDED)
    closing = (("Next", f"probatum read {files[0]}"),) if proposed else ()
    shown = tuple(each for each in sections if each.entries)
    page = Page(word, mark, ", ".join(map(shown_path, files)), tuple(sentences), shown, closing)
    return Told(document, [page], exit_code=EXIT_CODE[Outcome.UNDECIDED] if left_out or not proposed else 0)


def _left_out_entries(report: ModelsReport) -> Iterator[Entry]:
    for each in report.reads:
        if each.left_out is not None:
            yield Entry(Mark.UNDECIDED, f"{each.key} by {each.reader}", detail=(each.left_out.reason,))
    for name, why in report.skipped.items():
        yield Entry(Mark.NOTE, name, detail=(str(why),))


def _difference_entry(row: Mapping[str, JsonValue]) -> Entry:
    if "input" not in row:
        return Entry(Mark.NOTE, f"{row['name']}: the readers were not compared", detail=(str(row["not_compared"]),))
    readers = list(Shape(row).items("readers"))
    lines = [
        f"{each.text('reader')}: {'; '.join(each.texts('clauses'))}  ({'true' if each.flag('holds') else 'false'})"
        for each in readers
    ]
    return Entry(Mark.UNDECIDED, f"{row['name']}: on {row['input']}", detail=(readers[0].text("text"), *lines))


def _refused_entries(report: ModelsReport) -> Iterator[Entry]:
    for each in report.reads:
        for one in each.added.refused:
            clause = (one.clause,) if one.clause else ()
            yield Entry(Mark.FAILS, f"{one.function} by {each.reader}: {one.what}", detail=(*clause, str(one.reason)))
