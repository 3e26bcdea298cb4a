"""A run over files: what is known of them already, what is left to do, by how many processes, and answers in order.

    path → what was kept of the file → request → what was kept of its definitions → jobs → answer

A job is a whole file, or one definition of a file whose others are known. The answers come in the order of the files;
since a revision, what was edited comes first, and what it may reach in a second answer about the same file.
Refuses to let a file drop out: one that no process answers is not attempted.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from probatum.app.answers import Answer
from probatum.app.asking import Asked
from probatum.app.cache import Cache, build
from probatum.app.kept import KeptAnswers
from probatum.app.remembered import joined
from probatum.app.running import InProcess, Runner, Task
from probatum.app.service import Service
from probatum.app.sources import NO_SOURCES, Sources
from probatum.core.command import STANDARD_INPUT
from probatum.core.events import Event, Listener
from probatum.verification.files import ChangesSince, FilePath, Files, Gated, Ignored, Slice
from probatum.verification.kind import Request
from probatum.verification.observed import Blank, Refusal
from probatum.workers.watchdog import progress

CHANGED, FORCED = "changed", "force-exclude"


@dataclass(frozen=True, slots=True)
class How:
    """How a run is done; none of it changes a verdict."""

    jobs: int = 1
    # The folder of the cache; None for none.
    cache: Path | None = None
    # Whether files are read as they are on disk; in an editor, one of them is not.
    is_on_disk: bool = True
    # Whether the proof of a VERIFIED verdict is about the file as it is now, so that a gate may admit it; else an older
    # one does while nothing changed that the verdict depends on.
    proves: bool = True


@dataclass(slots=True)
class RunReport:
    """What a run tells beside its answers; complete when it has ended."""

    files: int = 0
    done: int = 0
    # Parts whose answers were kept from an earlier run.
    kept: int = 0
    ignored: list[tuple[str, Ignored]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is known of one file, and what is left to do."""

    path: FilePath
    # What it is where nothing is left to do; None where its definitions are put together.
    done: Answer | Blank | Refusal | None = None
    request: Request | None = None
    slices: Sequence[Slice] = ()
    known: dict[str, tuple[Answer, ...]] = field(default_factory=dict)
    read_from: dict[str, str] = field(default_factory=dict)
    tasks: tuple[Task, ...] = ()
    # Whether something of the file is left out.
    is_partial: bool = False
    # Whether nothing more of the file comes.
    is_last: bool = True


def one_for_each(answers: Iterable[Answer]) -> list[Answer]:
    """Return an answer for each file, where some came in pieces."""
    found: dict[str, list[Answer]] = {}
    for each in answers:
        found.setdefault(each.name, []).append(each)
    return [
        pieces[0]
        if len(pieces) == 1
        else joined(name, [part for each in pieces for part in each.parts or (each,)], pieces[0].called)
        for name, pieces in found.items()
    ]


class Checking:
    """One run."""

    def __init__(self, asked: Asked, sources: Sources, how: How, report: RunReport) -> None:
        """Look at nothing but which files there are; raises UsageError where there are none, or options make no sense.

        Raises NotAttemptedError where a folder cannot be listed.
        """
        assert asked.kind.files is not None, "only such kinds are asked so"
        self._asked = asked
        self._files: Files[Request] = asked.kind.files
        self._sources = sources
        self._how = how
        self._report = report
        self.paths = self._files.paths(asked.given)
        report.files = len(self.paths)
        self._about = self._files.about(asked.given)
        revision = asked.given.text(CHANGED)
        about = b"" if self._about is None else self._about
        self._changes: ChangesSince[Request] | None = None
        if revision is not None:
            self._changes = self._files.changes(revision, about)

    def gated(self) -> list[Gated]:
        """Return what the gates say of every file; those that do not pass are left out. Raises as `Files.gated`.

        Standard input is refused: it can be read once, and the verification needs it.
        """
        given, kind = self._asked.given, self._asked.kind
        with Service(self._asked.store, given=given) as service:
            found = [self._files.gated(each, given, NO_SOURCES, lambda: service.bench(kind)) for each in self.paths]
        self.paths = [path for path, each in zip(self.paths, found, strict=True) if each.ended is None]
        self._report.files = len(self.paths)
        return found

    def answers(self, listener: Listener, by: Service | None = None) -> Generator[Answer | Blank, None, None]:
        """Yield the answers about every file, in order, and the files that have nothing to verify.

        ``by`` is a service that is open already, and stays so. Raises UsageError where the question makes no sense,
        NotAttemptedError where no process starts.
        """
        asked = self._asked
        paths = self.paths
        opened = Service(asked.store, recorder=asked.recorder(), given=asked.given) if by is None else nullcontext(by)
        with opened as service:
            service.bench(asked.kind)
            # What a ledger records is verified anew.
            if self._how.cache is None or self._about is None or asked.ledger is not None:
                yield from self._answered(paths, service, None, listener)
                return
            with Cache(self._how.cache) as cache:
                kept = KeptAnswers(cache, asked.store, build() + self._about, self._files, asked.kind.name)
                yield from self._answered(paths, service, kept, listener)

    def _answered(
        self, paths: Sequence[FilePath], service: Service, kept: KeptAnswers | None, listener: Listener
    ) -> Iterator[Answer | Blank]:
        blank, has_more = list[_Plan](), False
        for plan, answers in self._done(self._plans(paths, kept), service, listener):
            found = self._finished(plan, answers, service, kept)
            self._report.done += plan.is_last
            message = f"{self._report.done} of {self._report.files} files"
            listener(Event("file", message, {"done": self._report.done, "total": self._report.files}))
            if isinstance(found, Blank):
                blank.append(plan)
            else:
                has_more = True
            if found is not None:
                yield found
        skips = has_more or self._changes is not None or self._asked.given.flag(FORCED)
        for plan in () if skips else blank:
            # Nothing else is there: what defines nothing is verified as it is.
            request = plan.request or self._files.request(plan.path, self._asked.given, self._sources)
            yield service.answer(self._asked.kind, request)

    def _done(
        self, plans: Iterator[_Plan], service: Service, listener: Listener
    ) -> Iterator[tuple[_Plan, Sequence[Answer]]]:
        """Yield the plans with the answers to their jobs; nothing is made ready before there is a job."""
        for plan in plans:
            if plan.tasks:
                yield from self._runner(service).run(chain((plan,), plans), listener)
            else:
                yield plan, ()

    @property
    def _processes(self) -> int:
        """How many answer. One file is answered sooner without a further one; a ledger records one after the other."""
        is_apart = self._asked.ledger is None and self._about is not None
        return min(self._how.jobs, len(self.paths)) if is_apart else 1

    def _runner(self, service: Service) -> Runner:
        asked = self._asked
        if self._processes <= 1:
            return InProcess(asked.kind, service)
        # Deferred: a run that knows everything needs none.
        from probatum.app.pooled import Pooled

        return Pooled(asked.kind, asked.given, service, asked.store, self._processes)

    def _plans(self, paths: Sequence[FilePath], kept: KeptAnswers | None) -> Iterator[_Plan]:
        """Yield what is to be done: first what was edited since a revision, of all files, then what that may reach."""
        later = list[_Plan]()
        for path in paths:
            first, *others = self._of_file(path, kept)
            yield first
            later += others
        yield from later

    def _of_file(self, path: FilePath, kept: KeptAnswers | None) -> Sequence[_Plan]:
        progress()
        # Only then what the files hold says that nothing changed.
        is_settled = self._how.is_on_disk and self._files.elsewhere.isdisjoint(self._asked.given.options)
        on_disk = is_settled and path.path != STANDARD_INPUT
        if kept is not None and self._changes is None and on_disk and (known := kept.of_file(path)) is not None:
            if isinstance(known, Answer):
                self._report.kept += len(known.parts)
            return (_Plan(path, known),)
        request = self._files.request(path, self._asked.given, self._sources)
        if isinstance(request, Refusal):
            return (_Plan(path, request),)
        read_from = {} if kept is None or not on_disk else kept.look_at(self._files.read_from(request))
        if (path.is_found or self._asked.given.flag(FORCED)) and self._files.has_nothing(request):
            return (_Plan(path, Blank(request.name), request, read_from=read_from),)
        changed = None if self._changes is None else self._changes.of(request)
        if changed is not None and not changed.edited | changed.reached:
            return (_Plan(path, None, request, is_partial=True),)
        slices = self._files.slices(request, b"" if kept is None else kept.about)
        plan = _Plan(path, None, request, slices, read_from=read_from)
        if changed is None:
            return (self._planned(plan, request, kept, None),)
        plan = replace(plan, is_partial=True)
        first = self._planned(replace(plan, is_last=not changed.reached), request, kept, changed.edited)
        return (first, self._planned(plan, request, kept, changed.reached)) if changed.reached else (first,)

    def _planned(self, plan: _Plan, request: Request, kept: KeptAnswers | None, only: frozenset[str] | None) -> _Plan:
        """Return what is to be done of a file that was read: of these definitions alone, of all for None."""
        if only is not None and not only:
            return replace(plan, slices=())
        ignored = [each for each in self._files.ignored(request) if only is None or each.name in only]
        self._report.ignored += [(request.name, each) for each in ignored]
        slices = plan.slices
        left_out = {each.name for each in ignored}
        wanted = [each for each in slices if each.name not in left_out and (only is None or each.name in only)]
        is_partial = bool(left_out) or plan.is_partial
        plan = replace(plan, slices=wanted, is_partial=is_partial)
        if not slices:
            # What cannot be read as Python is judged as a whole, and says so.
            return replace(plan, tasks=(self._task(request),))
        if not wanted:
            return plan
        known_ones = {each.name: kept.of_slice(each) for each in wanted} if kept is not None else {}
        plan = replace(plan, known={name: answers for name, answers in known_ones.items() if answers is not None})
        missing = [each.name for each in wanted if each.name not in plan.known]
        parts = [part for each in plan.known.values() for part in each]
        # A gate admits no proof of another text, and none of a part for the whole.
        has_old_proof = self._how.proves and all(part.verdict.is_verified for part in parts)
        if not is_partial and (not parts or has_old_proof):
            plan.known.clear()
            return replace(plan, tasks=(self._task(request, len(slices)),))
        self._report.kept += len(parts)
        names = frozenset(each.name for each in slices)
        groups = [set(missing)] if missing else []
        if self._processes > 1 and (named := [each for each in missing if each]):
            # What no definition makes is seldom anything, and goes with another.
            groups = [{each} for each in named]
            groups[0].update(set(missing) - set(named))
        tasks = (self._task(self._files.without(request, names - each), len(each)) for each in groups)
        return replace(plan, tasks=tuple(tasks))

    def _task(self, request: Request, parts: int = 1) -> Task:
        return Task(request, parts, request.name if self._report.files > 1 else "")

    def _finished(
        self, plan: _Plan, answers: Sequence[Answer], service: Service, kept: KeptAnswers | None
    ) -> Answer | Blank | None:
        """Return what a file's jobs come to together; None where nothing of it was to be judged."""
        if plan.done is not None:
            if isinstance(plan.done, Refusal):
                return service.answer_refusal(plan.done, self._asked.kind)
            if isinstance(plan.done, Blank) and plan.request is not None and kept is not None:
                kept.keep_file(plan.path, plan.read_from, None)
            return plan.done
        failed = next((each for each in answers if not each.parts and not self._is_nothing(each, plan)), None)
        found = dict(plan.known)
        for each in plan.slices if failed is None else ():
            if each.name not in found:
                own = tuple(part for answer in answers for part in answer.parts if self._group(part, plan) == each.name)
                found[each.name] = own
                if kept is not None:
                    kept.keep_slice(each, own)
        whole = failed or (answers[0] if answers and not plan.known and not plan.is_partial else None)
        if whole is None:
            assert plan.request is not None, "what is not done was read"
            parts = [part for each in plan.slices for part in found.get(each.name, ())]
            whole = joined(plan.request.name, parts, self._asked.kind.parts) if parts else None
        if kept is not None:
            if whole is not None and plan.read_from and not plan.is_partial:
                kept.keep_file(plan.path, plan.read_from, whole)
            kept.flush()
        return whole

    def _is_nothing(self, answer: Answer, plan: _Plan) -> bool:
        is_narrow = bool(plan.known) or plan.is_partial
        return is_narrow and answer.verdict.constraint_id == self._files.nothing

    def _group(self, part: Answer, plan: _Plan) -> str:
        name = part.name.partition(".")[0]
        return name if any(each.name == name for each in plan.slices) else ""
