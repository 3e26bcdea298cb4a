"""Makes the scorecard of confidence from labelled runs, and prints how far it can be relied on.

Usage: python -m benchmarks.confidence_calibration count COUNTS.csv NAME=RUN.json...
       python -m benchmarks.confidence_calibration fit COUNTS.csv [SCORECARD.json [PLOT.svg]]

Each RUN is what `probatum bench … --json --rows` printed; the NAME of one with readings says so: SET+readings. `count`
asks every question about every program and keeps how many were right and wrong by family, fold and answers; all
programs for one task are in one fold. `fit` makes the scorecard of them, and prints what it gives for folds and
families that it was made without. Right and wrong weigh alike in each run. Refuses runs without rows, and counts that
were made with other questions.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import exp
from pathlib import Path
from zlib import crc32

from benchmarks.reliability_plot import drawn
from probatum.bench.calibration import Bin, Rated, bins_by_width, evened, reliability
from probatum.bench.sets import set_named
from probatum.core.decision import Outcome
from probatum.core.shape import Shape
from probatum.programs.triangulate import capped
from probatum.programs.worth import Scorecard, ScoredQuestion

AT_LEAST = {
    "strength": (0.5, 0.6, 0.7, 0.8, 0.9),
    "examples": (1, 2, 3, 4, 6),
    "readings": (1, 2, 4, 6),
    "references": (1, 2),
    "readers": (2,),
}
AT_MOST = {
    "open_statements": (0, 1, 2, 4, 6, 10),
    "undecided_checks": (0,),
    "unreached_branches": (0,),
    "idle_statements": (0,),
    "survivors": (0,),
    "oddities": (0,),
}
ASKED = (
    *(ScoredQuestion(name, at_least=bound) for name, bounds in AT_LEAST.items() for bound in bounds),
    *(ScoredQuestion(name, at_most=bound) for name, bounds in AT_MOST.items() for bound in bounds),
)
COUNTS = Path(__file__).with_name("confidence_counts.csv")
"""Those that the packaged scorecard was made of."""
FOLDS = 10
RIDGE = 3.0
"""Of the square of each weight: how many programs it takes to move one."""
UNIT = 0.25
"""How much of a logit one point is."""
APPROVAL = 0.85
READINGS = "+readings"
"""How the names of runs end that had some."""


@dataclass(frozen=True, slots=True)
class Row:
    """So many programs of one run and fold with the same answers."""

    run: str
    family: str
    fold: int
    outcome: Outcome
    executed: bool
    answers: str
    """One digit for each question: 1 for yes."""
    right: float
    wrong: float

    @property
    def is_rated(self) -> bool:
        """Whether its confidence comes from the scorecard alone, caps aside."""
        return self.executed and self.outcome not in {Outcome.REFUTED, Outcome.NOT_ATTEMPTED}


def counted(runs: Mapping[str, Path]) -> list[Row]:
    """Return the counts of runs; raises ValueError where one has no rows."""
    counts: Counter[tuple[str, str, int, Outcome, bool, str, bool]] = Counter()
    for name, path in runs.items():
        document = json.loads(path.read_text(encoding="utf-8"))
        right = set_named(document["set"]).right
        for row in Shape(document).items("rows", least=1):
            # The same tasks are called otherwise in other sets: HumanEval/3, HumanEvalFix/3, and by whom.
            task = row.text("task").partition(" by ")[0].rpartition("/")[2]
            evidence = row.member("confidence_from")
            numbers = {key: evidence.number(key) for key in evidence.raw_object()}
            answers = "".join("01"[each.holds(numbers)] for each in ASKED) if numbers else ""
            fold = crc32(task.encode()) % FOLDS
            is_executed = numbers.get("checks", 0) + numbers.get("undecided_checks", 0) > 0
            outcome = Outcome(row.text("outcome"))
            counts[name, document["set"], fold, outcome, is_executed, answers, row.text("label") in right] += 1
    found = {key[:-1] for key in counts}
    return [Row(*key, counts[*key, True], counts[*key, False]) for key in sorted(found)]


def written(rows: Iterable[Row]) -> str:
    """Return counts as text; the first line names the questions."""
    asked = " ".join(_named(each) for each in ASKED)
    lines = [
        f"{row.run},{row.family},{row.fold},{row.outcome.value},{row.executed:d},{row.answers},{row.right},{row.wrong}"
        for row in rows
    ]
    return "\n".join([asked, *lines, ""])


def _named(question: ScoredQuestion) -> str:
    if question.at_least is not None:
        return f"{question.name}>={question.at_least:g}"
    return f"{question.name}<={question.at_most:g}"


def read(path: Path) -> list[Row]:
    """Read counts back; raises ValueError where other questions were asked."""
    with path.open(encoding="utf-8", newline="") as file:
        if next(file).split() != [_named(each) for each in ASKED]:
            raise ValueError(f"{path} was made with other questions")
        return [
            Row(run, family, int(fold), Outcome(outcome), executed == "1", answers, float(right), float(wrong))
            for run, family, fold, outcome, executed, answers, right, wrong in csv.reader(file)
        ]


def weighed(rows: Sequence[Row]) -> list[Row]:
    """Return the counts of each run with weights by which its right programs weigh as much as its wrong ones."""
    runs = {row.run for row in rows}
    right = {run: sum(row.right for row in rows if row.run == run) for run in runs}
    wrong = {run: sum(row.wrong for row in rows if row.run == run) for run in runs}
    half = {run: (right[run] + wrong[run]) / 2 for run in runs}
    return [
        replace(row, right=row.right * half[row.run] / right[row.run], wrong=row.wrong * half[row.run] / wrong[row.run])
        for row in rows
    ]


def fitted(rows: Sequence[Row]) -> Scorecard:
    """Return the scorecard of weighed counts: logistic regression, no weight below zero, in whole points."""
    judged = [row for row in rows if row.is_rated]
    members = [[number for number, row in enumerate(judged) if row.answers[each] == "1"] for each in range(len(ASKED))]
    weights = _regression(judged, members)
    points = [round(weight / UNIT) for weight in weights]
    asked = tuple(replace(each, points=mine) for each, mine in zip(ASKED, points, strict=True) if mine)
    sums = [sum(mine for mine, said in zip(points, row.answers, strict=True) if said == "1") for row in judged]
    base, slope = _line(judged, sums)
    highest = sum(points)
    return Scorecard(asked, tuple(round(_logistic(base + slope * total), 2) for total in range(highest + 1)))


def _regression(rows: Sequence[Row], members: Sequence[Sequence[int]]) -> list[float]:
    # One weight after the other takes a step of Newton's method, and none goes below zero.
    logits, weights = [0.0] * len(rows), [0.0] * len(members)
    everywhere = range(len(rows))
    for _ in range(60):
        _moved(logits, rows, everywhere, 0.0, 0.0, least=None)
        for each, within in enumerate(members):
            weights[each] += _moved(logits, rows, within, weights[each], RIDGE, least=0.0)
    return weights


def _moved(
    logits: list[float], rows: Sequence[Row], within: Iterable[int], weight: float, ridge: float, *, least: float | None
) -> float:
    slope, bend = -ridge * weight, ridge + 1e-9
    for number in within:
        row, share = rows[number], _logistic(logits[number])
        slope += row.right - (row.right + row.wrong) * share
        bend += (row.right + row.wrong) * share * (1 - share)
    step = max(-1.0, min(1.0, slope / bend))
    if least is not None:
        step = max(step, least - weight)
    for number in within:
        logits[number] += step
    return step


def _line(rows: Sequence[Row], sums: Sequence[int]) -> tuple[float, float]:
    # The logit as a line over the sums of points, by Newton's method.
    base, slope = 0.0, UNIT
    for _ in range(50):
        first = second = both = bend = curve = 1e-9
        for row, total in zip(rows, sums, strict=True):
            share, weight = _logistic(base + slope * total), row.right + row.wrong
            miss, spread = row.right - weight * share, weight * share * (1 - share)
            first, second = first + miss, second + miss * total
            bend, both, curve = bend + spread, both + spread * total, curve + spread * total * total
        divisor = bend * curve - both * both
        base += (first * curve - second * both) / divisor
        slope += (second * bend - first * both) / divisor
    return base, max(0.0, slope)


def _logistic(logit: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, logit))))


def rated(rows: Iterable[Row], scorecard: Scorecard) -> list[Rated]:
    """Return what a scorecard states for counts."""
    points = {_named(each): each.points for each in scorecard.questions}
    worth = [points.get(_named(each), 0) for each in ASKED]
    found = []
    for row in rows:
        total = sum(mine for mine, said in zip(worth, row.answers, strict=False) if said == "1")
        stated = capped(scorecard.confidences[total], row.outcome, executed=row.executed)
        found += [
            Rated(stated, is_right, count) for is_right, count in ((True, row.right), (False, row.wrong)) if count
        ]
    return found


def held_out(rows: Sequence[Row], by: str) -> list[tuple[Row, Scorecard]]:
    """Return each row with the scorecard that was made without its fold or family."""
    cards = {
        value: fitted(weighed([row for row in rows if getattr(row, by) != value]))
        for value in sorted({getattr(row, by) for row in rows})
    }
    return [(row, cards[getattr(row, by)]) for row in rows]


def stated(pairs: Iterable[tuple[Row, Scorecard]]) -> list[Rated]:
    """Return what was stated for rows, each by its own scorecard, with right and wrong weighing alike in each run."""
    by_run: dict[str, list[Rated]] = {}
    for row, card in pairs:
        by_run.setdefault(row.run, []).extend(rated([row], card))
    return [each for some in by_run.values() for each in evened(some)]


def figures(name: str, found: Sequence[Rated], count: float) -> tuple[str, ...]:
    """Return one row of the table of figures."""
    told = reliability(found)
    if told is None:
        return (name, f"{count:.0f}", *["-"] * 6)
    whole = sum(each.weight for each in found)
    sure = [each for each in found if each.confidence >= APPROVAL]
    above = sum(each.weight for each in sure)
    right = sum(each.weight for each in sure if each.is_right)
    numbers = (told.auc, told.by_width, told.by_count, told.brier)
    shares = (f"{right / above:.1%}" if above else "-", f"{above / whole:.1%}")
    return (name, f"{count:.0f}", *(f"{each:.3f}" for each in numbers), *shares)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows)) + "\n"


def report(rows: Sequence[Row]) -> tuple[str, str]:
    """Return the tables and the plot of what is stated for folds and families that a scorecard was made without."""
    by_fold, by_family = held_out(rows, "fold"), held_out(rows, "family")
    chosen = {
        "all": {row.run for row in rows},
        "without readings": {row.run for row in rows if READINGS not in row.run},
        "with readings": {row.run for row in rows if READINGS in row.run},
        **{run: {run} for run in dict.fromkeys(row.run for row in rows)},
    }
    lines = []
    for name, runs in chosen.items():
        count = sum(row.right + row.wrong for row in rows if row.run in runs)
        for how, pairs in (("fold", by_fold), ("family", by_family)):
            some = stated(pair for pair in pairs if pair[0].run in runs)
            lines.append(figures(f"{name}, {how} left out", some, count))
    heads = ("programs of", "number", "AUC", "ECE, by width", "ECE, by number", "Brier", "right from 0.85", "from 0.85")
    series = {
        name: bins_by_width(stated(pair for pair in by_fold if pair[0].run in chosen[name]))
        for name in ("without readings", "with readings")
    }
    tenths = [
        (f"{number / 10:.1f} to {(number + 1) / 10:.1f}", *(_shown(bins[number]) for bins in series.values()))
        for number in range(10)
    ]
    return _table(heads, lines) + "\n" + _table(("confidence", *series), tenths), drawn(series)


def _shown(found: Bin | None) -> str:
    return f"{found.programs}: stated {found.stated:.1%}, right {found.right:.1%}" if found else "-"


def main(what: str, counts: str, *further: str) -> None:
    """Count runs, or make and judge a scorecard."""
    if what == "count":
        runs = {name: Path(file) for name, _, file in (each.partition("=") for each in further)}
        Path(counts).write_text(written(counted(runs)), encoding="utf-8")
        return
    rows = read(Path(counts))
    card = fitted(weighed(rows))
    print(_table(("question", "points"), [(_named(each), str(each.points)) for each in card.questions]))
    print(
        _table(("points", "confidence"), [(str(total), f"{each:.2f}") for total, each in enumerate(card.confidences)])
    )
    tables, plot = report(rows)
    print(tables)
    for path, text in zip(further, (document_of(card), plot), strict=False):
        Path(path).write_text(text, encoding="utf-8")


def document_of(scorecard: Scorecard) -> str:
    """Return a scorecard as the text of its file."""
    return json.dumps(asdict(scorecard), indent=1) + "\n"


if __name__ == "__main__":
    main(*sys.argv[1:])
