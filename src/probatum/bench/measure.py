"""Counts what came out of a labelled set: pure functions from labels and answers to tables.

A VERIFIED program that is wrong counts against precision; a right one that is refuted is a false alarm; a fault counts
as found with its twin spared when the wrong version is refuted and the right one is not. Where a set names the verdict
that each program deserves, those that got another one are listed. Refuses to give a share of nothing: it is shown as a
dash and is null in JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from probatum.app.bench_port import BenchReport, Table
from probatum.bench.calibration import Rated, Reliability, reliability
from probatum.bench.labelled import Labelled
from probatum.bench.sets import LabelledSet
from probatum.core.canonical import JsonValue
from probatum.core.decision import Outcome
from probatum.core.shape import Shape

_ROW_FIELDS = ("constraint", "noticed", "planted", "aside", "idle")
VERIFIED = frozenset({Outcome.TESTED, Outcome.PROVED})
_COLUMNS: tuple[tuple[str, frozenset[Outcome]], ...] = (
    ("refuted", frozenset({Outcome.REFUTED})),
    ("VERIFIED", VERIFIED),
    ("undecided", frozenset({Outcome.UNDECIDED})),
    ("not attempted", frozenset({Outcome.NOT_ATTEMPTED})),
)


@dataclass(frozen=True, slots=True)
class ReadCounts:
    """What readings did for one program, as far as it is counted."""

    # Statements of its documentation, and those of them that nothing vouches for.
    statements: int = 0
    open: int = 0
    # Proposed readings that were tried because they would count, and the codes of why some of them do not.
    tried: int = 0
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """One labelled program with what the product said of it."""

    program: Labelled
    outcome: Outcome
    seconds: float | None
    constraint: str = ""
    noticed: int = 0
    planted: int = 0
    # Planted faults that do not count.
    aside: int = 0
    # Statements that could be left out without any check noticing.
    idle: int = 0
    read: ReadCounts = ReadCounts()
    # Of a refuted program what its first failing check rests on, of a VERIFIED one what its checks and statements do.
    decided_by: tuple[str, ...] = ()
    # What the product makes of the evidence, and that evidence in numbers; None and nothing where there is none.
    confidence: float | None = None
    confidence_from: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        return f"{self.program.task} ({self.program.label})"

    def to_json(self) -> dict[str, JsonValue]:
        """Return the row as JSON: everything that a rule about strength could ask for."""
        head = {"task": self.program.task, "label": self.program.label, "outcome": self.outcome.value}
        row: dict[str, JsonValue] = {name: getattr(self, name) for name in _ROW_FIELDS}
        told: dict[str, JsonValue] = {"confidence": self.confidence, "confidence_from": dict(self.confidence_from)}
        return {**head, **row, "decided_by": list(self.decided_by), **told}

    @property
    def stated(self) -> float | None:
        """The confidence; nothing speaks for a program that is refuted or not attempted. None where none is stated."""
        return 0.0 if self.outcome in {Outcome.REFUTED, Outcome.NOT_ATTEMPTED} else self.confidence

    @property
    def is_as_expected(self) -> bool:
        """Whether the verdict is the one that the set names, or better than VERIFIED on checks that were run."""
        expected = self.program.expected
        return self.outcome is expected or (expected in VERIFIED and self.outcome in VERIFIED)


@dataclass(frozen=True, slots=True)
class LabelledRun:
    """One run over a labelled set, for its counts."""

    chosen: LabelledSet
    rows: Sequence[Measured]

    @property
    def right(self) -> list[Measured]:
        """The programs that are right."""
        return [row for row in self.rows if row.program.label in self.chosen.right]

    @property
    def wrong(self) -> list[Measured]:
        """The programs that are wrong."""
        return [row for row in self.rows if row.program.label not in self.chosen.right]

    @property
    def found(self) -> list[Measured]:
        """The wrong programs that are refuted; of pairs, where the right twin is not."""
        alarmed = {row.program.task for row in self.right if row.outcome is Outcome.REFUTED}
        spares = self.chosen.is_paired
        refuted = (row for row in self.wrong if row.outcome is Outcome.REFUTED)
        return [row for row in refuted if not (spares and row.program.task in alarmed)]


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, None of nothing."""
        return self.count / self.of if self.of else None

    def __str__(self) -> str:
        return f"{self.count} of {self.of}" + (f" ({self.count / self.of:.1%})" if self.of else " (-)")

    def to_json(self) -> dict[str, JsonValue]:
        """Return the share as JSON."""
        return {"count": self.count, "of": self.of, "share": self.value}


def measured(program: Labelled, answer: Mapping[str, object]) -> Measured:
    """Read one answer line; raises ValueError where it is not one."""
    verdict, result = answer.get("verdict"), answer.get("result")
    fields = verdict.get("developer_fields") if isinstance(verdict, dict) else None
    if not isinstance(fields, dict):
        raise ValueError("an answer without a verdict")
    found = result if isinstance(result, dict) else {}
    strength = found.get("strength")
    counts = strength if isinstance(strength, dict) else {}
    duration, bases = found.get("duration_ms"), found.get("decided_by")
    stated, told = found.get("confidence"), found.get("confidence_from")
    return Measured(
        program,
        Outcome(str(fields.get("outcome"))),
        duration / 1000 if isinstance(duration, int | float) else None,
        str(fields.get("constraint_id", "")),
        _count(counts.get("noticed")),
        _count(counts.get("total")),
        _count(counts.get("equivalent")),
        _count(counts.get("idle")),
        _read_counts(found),
        tuple(str(each) for each in bases) if isinstance(bases, list) else (),
        stated if isinstance(stated, int | float) else None,
        tuple((str(key), Shape(told).number(key)) for key in told) if isinstance(told, dict) else (),
    )


def _read_counts(result: Mapping[str, object]) -> ReadCounts:
    stated, read = (result.get(name) for name in ("statements", "readings"))
    of, told = (each if isinstance(each, dict) else {} for each in (stated, read))
    refused = told.get("refused")
    why = (each.get("why") for each in refused if isinstance(each, dict)) if isinstance(refused, list) else ()
    return ReadCounts(_count(of.get("total")), _count(of.get("open")), _count(told.get("tried")), tuple(map(str, why)))


def report(chosen: LabelledSet, rows: Sequence[Measured], title: str) -> BenchReport:
    """Return the tables of one run."""
    run = LabelledRun(chosen, rows)
    right, wrong = run.right, run.wrong
    verified = [row for row in rows if row.outcome in VERIFIED]
    shares: list[tuple[str, str, Share]] = []
    missed = [row for row in wrong if row.outcome is not Outcome.REFUTED]
    if chosen.is_paired:
        shares.append(("refuted_twin_spared", "refuted with the twin spared", Share(len(run.found), len(wrong))))
    else:
        shares += [_refuted(label, wrong) for label in chosen.labels if label not in chosen.right]
    alarms = [row for row in right if row.outcome is Outcome.REFUTED]
    sound = [row for row in verified if row.program.label in chosen.right]
    shares += [
        ("false_alarms", "right programs refuted (false alarms)", Share(len(alarms), len(right))),
        ("verified_precision", "VERIFIED programs that are right", Share(len(sound), len(verified))),
        ("verified_coverage", "programs VERIFIED", Share(len(verified), len(rows))),
    ]
    unsound = [row for row in verified if row.program.label not in chosen.right]
    lists = [
        ("False alarms", tuple(map(str, alarms))),
        ("VERIFIED but wrong", tuple(map(str, unsound))),
        ("Wrong and not refuted", tuple(map(str, missed))),
    ]
    if judged := [row for row in rows if row.program.expected is not None]:
        surprises = [row for row in judged if not row.is_as_expected]
        shares += [
            ("verified_right", "right programs VERIFIED", Share(len(sound), len(right))),
            ("as_expected", "programs with the expected verdict", Share(len(judged) - len(surprises), len(judged))),
        ]
        lists.append(("Another verdict than expected", tuple(map(_surprise, surprises))))
    rated = [(row.stated, row.program.label in chosen.right) for row in rows]
    trust = reliability([Rated(stated, is_right) for stated, is_right in rated if stated is not None])
    return BenchReport(
        title=title,
        tables=(_outcome_table(chosen, rows), _measure_table(shares, rows, trust)),
        lists=tuple(lists),
        document={**_document(chosen, rows, shares, lists), "confidence": asdict(trust) if trust else None},
    )


def _refuted(label: str, rows: Iterable[Measured]) -> tuple[str, str, Share]:
    outcomes = [row.outcome for row in rows if row.program.label == label]
    return f"refuted_{label}", f"{label} programs refuted", Share(outcomes.count(Outcome.REFUTED), len(outcomes))


def _outcome_table(chosen: LabelledSet, rows: Sequence[Measured]) -> Table:
    lines = []
    for label in chosen.labels:
        counts = [str(count) for _, count in _counts(label, rows)]
        lines.append((label, *counts, str(sum(row.program.label == label for row in rows))))
    return Table(("label", *(name for name, _ in _COLUMNS), "programs"), tuple(lines))


def _counts(label: str, rows: Iterable[Measured]) -> list[tuple[str, int]]:
    outcomes = [row.outcome for row in rows if row.program.label == label]
    return [(name, sum(outcome in wanted for outcome in outcomes)) for name, wanted in _COLUMNS]


def _measure_table(
    shares: Sequence[tuple[str, str, Share]], rows: Sequence[Measured], trust: Reliability | None
) -> Table:
    seconds = _seconds(rows)
    lines = [(text, str(share)) for _, text, share in shares]
    lines.append(("seconds per function, p50", shown(percentile(seconds, 50), "s")))
    lines.append(("seconds per function, p95", shown(percentile(seconds, 95), "s")))
    lines.append(("mean strength (mutants killed)", shown(_mean_strength(rows), "")))
    if trust:
        errors = f"{trust.by_width:.3f}, {trust.by_count:.3f}"
        lines.append(("confidence: AUC, Brier score", f"{trust.auc:.3f}, {trust.brier:.3f}"))
        lines.append(("confidence: ECE, ten equal widths, numbers", errors))
    return Table(("measure", "value"), tuple(lines))


def _document(
    chosen: LabelledSet,
    rows: Sequence[Measured],
    shares: Sequence[tuple[str, str, Share]],
    lists: Sequence[tuple[str, Sequence[str]]],
) -> dict[str, JsonValue]:
    seconds = _seconds(rows)
    outcomes: dict[str, JsonValue] = {
        label: {name.lower().replace(" ", "_"): count for name, count in _counts(label, rows)}
        for label in chosen.labels
    }
    document: dict[str, JsonValue] = {"set": chosen.name, "programs": len(rows), "outcomes": outcomes}
    document.update({key: share.to_json() for key, _, share in shares})
    document["seconds"] = {"p50": percentile(seconds, 50), "p95": percentile(seconds, 95)}
    document["mean_strength"] = _mean_strength(rows)
    document["lists"] = {name.lower().replace(" ", "_"): list(some) for name, some in lists}
    return document


def percentile(values: Sequence[float], percent: int) -> float | None:
    """Return the smallest value that at least this many percent of the values do not exceed; None of nothing."""
    if not values:
        return None
    rank = -(-len(values) * percent // 100)
    return sorted(values)[max(0, rank - 1)]


def _seconds(rows: Iterable[Measured]) -> list[float]:
    return [row.seconds for row in rows if row.seconds is not None]


def _mean_strength(rows: Iterable[Measured]) -> float | None:
    shares = [row.noticed / row.planted for row in rows if row.planted]
    return round(fmean(shares), 4) if shares else None


def _surprise(row: Measured) -> str:
    return f"{row}: expected {row.program.expected}, got {row.outcome}"


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def shown(value: float | None, unit: str) -> str:
    """Return a figure with its unit; a dash for none."""
    return "-" if value is None else f"{value:.2f} {unit}".rstrip()
