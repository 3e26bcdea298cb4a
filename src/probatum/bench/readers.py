"""Measures readers: the same labelled programs without and with their readings, and what the readings changed.

Counts what the trial refuses, the statements that stay open, the bugs found, and what it costs: right programs that are
refuted or no longer VERIFIED, wrong ones that are VERIFIED, time. Refuses to call a change the work of readings where
one of the two runs has no verdict: such programs are counted as not attempted alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set

from probatum.app.bench_port import BenchReport, Table
from probatum.bench.asking import AskedReader
from probatum.bench.measure import VERIFIED, LabelledRun, Measured, Share, percentile, shown
from probatum.bench.sets import LabelledSet
from probatum.core.canonical import JsonValue
from probatum.core.decision import Outcome

_REFUTED = frozenset({Outcome.REFUTED})
_NOT_ATTEMPTED = frozenset({Outcome.NOT_ATTEMPTED})


class ReaderRun(LabelledRun):
    """One run over a labelled set, for what two of them are compared by."""

    __slots__ = ()

    def shares(self) -> Iterator[tuple[str, str, Share]]:
        """Yield key, text and share of everything that both runs are compared by."""
        right, wrong = self.right, self.wrong
        yield "open_statements", "statements of right programs that are open", _open(right)
        found = "bugs found (refuted, the twin spared)" if self.chosen.is_paired else "bugs found (refuted)"
        yield "bugs_found", found, Share(len(self.found), len(wrong))
        yield "right_refuted", "right programs refuted", _of(right, _REFUTED)
        yield "right_verified", "right programs VERIFIED", _of(right, VERIFIED)
        yield "wrong_verified", "wrong programs VERIFIED", _of(wrong, VERIFIED)
        yield "not_attempted", "programs not attempted", _of(self.rows, _NOT_ATTEMPTED)

    def trial(self) -> Iterator[tuple[str, str, Share]]:
        """Yield how many of the readings that were tried are refused, on right and on wrong programs."""
        for key, rows in (("right", self.right), ("wrong", self.wrong)):
            refused = sum(len(row.read.refused) for row in rows)
            yield f"refused_on_{key}", f"refused on {key} programs", Share(refused, sum(r.read.tried for r in rows))

    @property
    def reasons(self) -> list[tuple[str, int]]:
        """The codes of why readings were refused, the most frequent first."""
        codes = Counter(code for row in self.rows for code in row.read.refused)
        return sorted(codes.items(), key=lambda each: (-each[1], each[0]))


def readers_report(
    chosen: LabelledSet,
    without: Sequence[Measured],
    rows: Sequence[Measured],
    title: str,
    asked: AskedReader | None = None,
) -> BenchReport:
    """Return what readings changed, from the same programs measured without and with them, in the same order.

    Where a model was asked for them, it stands first with what it cost.
    """
    before, after = ReaderRun(chosen, without), ReaderRun(chosen, rows)
    pairs = list(zip(before.shares(), after.shares(), strict=True))
    times = [[row.seconds for row in each if row.seconds is not None] for each in (without, rows)]
    lines = [(text, str(first), str(second)) for (_, text, first), (_, _, second) in pairs]
    for percent in (50, 95):
        name = f"seconds per function, p{percent}"
        old, new = (shown(percentile(each, percent), "s") for each in times)
        lines.append((name, old, new))
    read = sum(bool(row.program.readings) for row in rows)
    trial = [] if asked is None else list(asked.rows())
    trial.append(("programs with readings", str(Share(read, len(rows)))))
    trial += [(text, str(share)) for _, text, share in after.trial()]
    trial += [(f"  because of {code}", str(count)) for code, count in after.reasons]
    lists = _changes(before, after)
    document: dict[str, JsonValue] = {"set": chosen.name, "programs": len(rows), "programs_with_readings": read}
    document["without"] = {key: share.to_json() for (key, _, share), _ in pairs}
    document["with"] = {key: share.to_json() for _, (key, _, share) in pairs}
    document["trial"] = {key: share.to_json() for key, _, share in after.trial()}
    document["reasons"] = dict(after.reasons)
    if asked is not None:
        document["asked"] = asked.to_json()
    names = ("without", "with")
    document["seconds"] = {
        name: {"p50": percentile(each, 50), "p95": percentile(each, 95)}
        for name, each in zip(names, times, strict=True)
    }
    document["lists"] = {name.lower().replace(" ", "_"): list(some) for name, some in lists}
    tables = (Table(("readings", "value"), tuple(trial)), Table(("measure", *names), tuple(lines)))
    return BenchReport(title, tables, lists, document)


def _changes(before: ReaderRun, after: ReaderRun) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return by title the programs that a reading gave another verdict, for better and for worse."""
    become: tuple[tuple[str, Callable[[ReaderRun], list[Measured]], ReaderRun, ReaderRun], ...] = (
        ("Right programs refuted by readings", lambda run: _with(run.right, _REFUTED), before, after),
        ("Right programs no longer VERIFIED", lambda run: _with(run.right, VERIFIED), after, before),
        ("Wrong programs VERIFIED by readings", lambda run: _with(run.wrong, VERIFIED), before, after),
        ("Bugs found by readings", lambda run: run.found, before, after),
        ("Bugs no longer found", lambda run: run.found, after, before),
    )
    lost = {str(row) for run in (before, after) for row in _with(run.rows, _NOT_ATTEMPTED)}
    return tuple((title, _beyond(some(new), some(old), lost)) for title, some, old, new in become)


def _beyond(new: Sequence[Measured], old: Sequence[Measured], lost: Set[str]) -> tuple[str, ...]:
    known = {str(row) for row in old} | lost
    return tuple(str(row) for row in new if str(row) not in known)


def _with(rows: Sequence[Measured], outcomes: frozenset[Outcome]) -> list[Measured]:
    return [row for row in rows if row.outcome in outcomes]


def _of(rows: Sequence[Measured], outcomes: frozenset[Outcome]) -> Share:
    return Share(len(_with(rows, outcomes)), len(rows))


def _open(rows: Sequence[Measured]) -> Share:
    return Share(sum(row.read.open for row in rows), sum(row.read.statements for row in rows))
