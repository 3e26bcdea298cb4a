"""Counts what came of recorded runs: verdicts by label, records by model, and the shares that follow.

Refuses to give a share of nothing: it is shown as a dash and is null in JSON. Outputs without a label count in no
share that needs one.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from probatum.app.bench_port import BenchReport, Table
from probatum.bench.contract_records import NO_OUTPUT, STATUSES, BenchmarkRecord
from probatum.bench.measure import Share, percentile, shown
from probatum.core.canonical import JsonValue
from probatum.core.decision import STATUS_OF, DiagnosticStatus, Outcome

_GOOD: Final = "good"
_BAD: Final = "bad"
_LABELS: Final = (_GOOD, _BAD, "no label")
_COLUMNS: Final = ("refuted", "VERIFIED", "undecided", "not attempted", NO_OUTPUT)
_MAX_LISTED: Final = 1000


class _OfModel:
    """What the records of one model and task add up to."""

    def __init__(self) -> None:
        self.cases = 0
        self.answered = 0
        self.attempts = 0
        self.statuses: Counter[str] = Counter()
        self.seconds: list[float] = []

    def add(self, record: BenchmarkRecord) -> None:
        self.cases += 1
        self.answered += record.case.output is not None
        self.attempts += record.case.attempts
        self.statuses[record.status] += 1
        if record.case.elapsed_seconds is not None:
            self.seconds.append(record.case.elapsed_seconds)

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "cases": self.cases,
            "ok": self.answered,
            **{status: self.statuses[status] for status in STATUSES},
            "mean_attempts": round(self.attempts / self.cases, 4),
            "elapsed_seconds": {"p50": percentile(self.seconds, 50), "p95": percentile(self.seconds, 95)},
        }


class ContractSummary:
    """Adds records up; complete when every case was added."""

    def __init__(self, *, keep_records: bool, raw_outputs: bool) -> None:
        """Start with nothing; keep the records themselves only where they are asked for."""
        self._kept: list[JsonValue] | None = [] if keep_records else None
        self._raw_outputs = raw_outputs
        self._verdicts: Counter[tuple[str, str]] = Counter()
        self._models: dict[tuple[str, str], _OfModel] = {}
        self._judging: list[float] = []
        self._lists: dict[str, list[str]] = {"False alarms": [], "VERIFIED but bad": [], "Bad and not refuted": []}

    @property
    def cases(self) -> int:
        """How many were added."""
        return self._verdicts.total()

    def add(self, record: BenchmarkRecord, seconds: float) -> None:
        """Count one record, and the seconds that judging its output took."""
        label = "no label" if record.case.is_good is None else _GOOD if record.case.is_good else _BAD
        self._verdicts[label, _column(record.outcome)] += 1
        key = record.case.model_id or "-", f"{record.case.task_id} {record.case.contract_version}"
        self._models.setdefault(key, _OfModel()).add(record)
        if record.outcome is not None:
            self._judging.append(seconds)
            self._list(record, label, record.outcome)
        if self._kept is not None:
            self._kept.append(record.to_json(raw_output=self._raw_outputs))

    def _list(self, record: BenchmarkRecord, label: str, outcome: Outcome) -> None:
        is_verified = STATUS_OF[outcome] is DiagnosticStatus.VERIFIED
        listed = {
            "False alarms": label == _GOOD and outcome is Outcome.REFUTED,
            "VERIFIED but bad": label == _BAD and is_verified,
            "Bad and not refuted": label == _BAD and outcome is not Outcome.REFUTED,
        }
        for title, belongs in listed.items():
            if belongs and len(self._lists[title]) < _MAX_LISTED:
                self._lists[title].append(record.case.case_id)

    def report(self, name: str) -> BenchReport:
        """Return the tables, and the same as JSON."""
        shares = self._shares()
        tasks = sorted({task for _, task in self._models})
        document: dict[str, JsonValue] = {
            "set": name,
            "cases": self.cases,
            "outcomes": {
                label: {column.lower().replace(" ", "_"): self._verdicts[label, column] for column in _COLUMNS}
                for label in _LABELS
            },
            **{key: share.to_json() for key, _, share in shares},
            "judging_seconds": {"p50": percentile(self._judging, 50), "p95": percentile(self._judging, 95)},
            "models": [
                {"model_id": model, "task": task, **of.to_json()} for (model, task), of in sorted(self._models.items())
            ],
            "lists": {title.lower().replace(" ", "_"): list(ids) for title, ids in self._lists.items()},
        }
        if self._kept is not None:
            document["rows"] = self._kept
        return BenchReport(
            title=f"{name}, {self.cases:,} recorded runs, {', '.join(tasks[:3])}{' and more' if tasks[3:] else ''}",
            tables=(self._verdict_table(), self._model_table(), self._measure_table(shares)),
            lists=tuple((title, tuple(ids)) for title, ids in self._lists.items()),
            document=document,
        )

    def _shares(self) -> list[tuple[str, str, Share]]:
        good, bad = self._of(_GOOD), self._of(_BAD)
        sound = self._verdicts[_GOOD, "VERIFIED"]
        verified = sound + self._verdicts[_BAD, "VERIFIED"]
        every = sum(self._verdicts[label, "VERIFIED"] for label in _LABELS)
        return [
            ("bad_refuted", "bad outputs refuted", Share(self._verdicts[_BAD, "refuted"], bad)),
            ("false_alarms", "good outputs refuted (false alarms)", Share(self._verdicts[_GOOD, "refuted"], good)),
            ("verified_precision", "VERIFIED outputs with a label that are good", Share(sound, verified)),
            ("verified_coverage", "outputs VERIFIED", Share(every, len(self._judging))),
        ]

    def _of(self, label: str) -> int:
        """How many outputs with this label were judged."""
        return sum(self._verdicts[label, column] for column in _COLUMNS if column != NO_OUTPUT)

    def _verdict_table(self) -> Table:
        rows = []
        for label in _LABELS:
            counts = [self._verdicts[label, column] for column in _COLUMNS]
            if sum(counts):
                rows.append((label, *map(str, counts), str(sum(counts))))
        return Table(("label", *_COLUMNS, "cases"), tuple(rows))

    def _model_table(self) -> Table:
        rows = []
        for (model, task), of in sorted(self._models.items()):
            counts = [of.cases, of.answered, *(of.statuses[status] for status in STATUSES)]
            speed = [shown(percentile(of.seconds, percent), "s") for percent in (50, 95)]
            rows.append((model, task, *map(str, counts), f"{of.attempts / of.cases:.2f}", *speed))
        return Table(("model", "task", "cases", "ok", *STATUSES, "attempts", "p50", "p95"), tuple(rows))

    def _measure_table(self, shares: list[tuple[str, str, Share]]) -> Table:
        lines = [(text, str(share)) for _, text, share in shares]
        for percent in (50, 95):
            value = percentile([seconds * 1000 for seconds in self._judging], percent)
            lines.append((f"milliseconds to judge one, p{percent}", shown(value, "ms")))
        return Table(("measure", "value"), tuple(lines))


def _column(outcome: Outcome | None) -> str:
    if outcome is None:
        return NO_OUTPUT
    if STATUS_OF[outcome] is DiagnosticStatus.VERIFIED:
        return "VERIFIED"
    return outcome.value.replace("_", " ")
