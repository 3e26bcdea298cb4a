"""A batch's request lines, answered by a pool of workers.

One line at a time is handed out, and the answers come as they are ready; memory does not grow with the number of lines.
Each line is an owner of its own: all of them take turns. Refuses to lose a line: one that no worker answers is answered
as a fault of the verifier. Refuses to go on when a worker cannot even start.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from probatum.app.kinds import AnyKind, every_kind, kind_named
from probatum.app.request_lines import identify
from probatum.app.service import Service
from probatum.app.sources import NO_SOURCES
from probatum.app.wishes import Wish, fault_frame
from probatum.core.command import NOTHING, Given
from probatum.core.disclosure import Layer
from probatum.core.errors import NotAttemptedError
from probatum.proof.stores import MemoryStore
from probatum.workers.link import own_command
from probatum.workers.pool import LostError, NotReadyError, Pool, PoolJob
from probatum.workers.watchdog import progress

WORKER_MODULE = "probatum.app.worker"
# After which time a request of no known kind counts as hung; every other kind says it itself.
PATIENCE_SECONDS = 120.0
LONGEST_SECONDS = 86_400.0
SLOW: Final = 1 / 30
"""The part of its patience after which a request is slow, so that a further worker may be busy beside it."""


@dataclass(frozen=True, slots=True)
class PoolOptions:
    """How to answer: the same for every worker."""

    store: Path
    workers: int
    layer: Layer = Layer.PROOF
    # Options of the kinds, such as the interpreter that programs run with; for lines that do not say them.
    given: Given = NOTHING
    # Where every verdict is recorded; None for nowhere.
    ledger: Path | None = None


def for_all(given: Given) -> Given:
    """Return what was given for every request, with files read that it names; raises as the kinds' options do."""
    made = dict(given.options)
    for option in (each for kind in every_kind() for each in kind.command.batch):
        if option.for_all is not None and (text := given.text(option.name)) is not None:
            made[option.name] = option.for_all(text, NO_SOURCES)
    return replace(given, options=made)


def require_usable(options: PoolOptions) -> None:
    """Raise UsageError where an option of the kinds cannot be used: before any work, and before a file is made."""
    asked = [kind for kind in every_kind() if any(each.name in options.given.options for each in kind.command.batch)]
    with Service(MemoryStore(), given=options.given) as service:
        for kind in asked:
            service.bench(kind)
            kind.patience(options.given)


def worker_command(store: Path, ledger: Path | None, given: Given, *, in_batch: bool = False) -> list[str]:
    """Return how a worker is started that answers requests."""
    told = {"store": str(store), "ledger": str(ledger or ""), "given": given.options, "in_batch": in_batch}
    return own_command(WORKER_MODULE, json.dumps(told))


def answer_lines(lines: Iterable[bytes], options: PoolOptions) -> Generator[bytes]:
    """Yield one answer line for every request line that passed `identify`, in any order; closing it ends the workers.

    Raises NotAttemptedError where no worker starts.
    """
    left, begun = iter(lines), 0
    with asyncio.Runner() as runner:
        # A finished line; None where a worker has become slow.
        news = asyncio.Queue[asyncio.Task[bytes | NotAttemptedError] | None]()
        command = worker_command(options.store, options.ledger, options.given, in_batch=True)
        pool = Pool(command, options.workers, on_slow=lambda: news.put_nowait(None), tries_to_start=False)
        try:
            while True:
                while begun < options.workers + min(pool.slow, options.workers):
                    line = next(left, None)
                    if line is None:
                        break
                    task = runner.get_loop().create_task(_answered(pool, line, options))
                    task.add_done_callback(news.put_nowait)
                    begun += 1
                if begun == 0:
                    return
                progress()
                done = runner.run(news.get())
                if done is not None:
                    begun -= 1
                    answer = done.result()
                    if isinstance(answer, NotAttemptedError):
                        raise answer
                    yield answer
        finally:
            runner.run(pool.close())


async def _answered(pool: Pool, line: bytes, options: PoolOptions) -> bytes | NotAttemptedError:
    wish = Wish("", identify(line, 0, "request").id, options.layer, line)
    kind, patience = _kind_and_patience(line, options.given)
    job = PoolJob(wish.frame(), wish.id, slow_after=patience * SLOW, hung_after=patience)
    pool.add(job)
    try:
        answer = await job.reply
    except LostError as error:
        answer = fault_frame(kind, wish, str(error))
    except NotReadyError as error:
        return NotAttemptedError("batch.worker_failed", str(error), "See what is missing: probatum doctor")
    return answer.body + b"\n"


def _kind_and_patience(line: bytes, given: Given) -> tuple[AnyKind | None, float]:
    fields = identify(line, 0, "request").fields
    named = fields.get("kind")
    kind = None
    try:
        kind = kind_named(named) if isinstance(named, str) else None
        if kind is None:
            return None, PATIENCE_SECONDS
        # What a line says itself counts more than what was said for all of them.
        said = {option.name: fields[option.name] for option in kind.command.batch if option.name in fields}
        patience = float(kind.patience(Given(options={**given.options, **said})))
        return kind, min(max(patience, 1.0), LONGEST_SECONDS)
    except Exception:  # noqa: BLE001  a kind of a package that breaks here must not end the batch
        return kind, PATIENCE_SECONDS
