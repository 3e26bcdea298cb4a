"""Does the jobs of a run over files in several processes that work at the same time.

What they answer comes back in the order of the files. Refuses to lose a job: where no process answers it, the answer is
that it was not attempted. Refuses to go on where no process starts.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from probatum.app.answer_worker import kept_answer, request_frame, worker_command
from probatum.app.answers import Answer
from probatum.app.kinds import AnyKind
from probatum.app.running import PlannedT, Task
from probatum.app.service import Service, completed
from probatum.core.command import Given
from probatum.core.errors import IntegrityError, NotAttemptedError, ProbatumError
from probatum.core.events import Event, Listener
from probatum.core.ports import Store
from probatum.workers.pool import LostError, NotReadyError, Pool, PoolJob
from probatum.workers.watchdog import progress

_AHEAD: Final = 2
"""How many jobs for each process are begun, so that none waits for the next file to be read."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """As many jobs at a time as there are processes."""

    kind: AnyKind
    given: Given
    service: Service
    store: Store
    processes: int

    def run(self, plans: Iterable[PlannedT], listener: Listener) -> Iterator[tuple[PlannedT, Sequence[Answer]]]:
        """Yield what was planned with the answers to its jobs, in order.

        Raises UsageError as `Service.verify`, NotAttemptedError where no process starts.
        """
        queue = deque[tuple[PlannedT, list[asyncio.Task[Answer]]]]()
        with asyncio.Runner() as runner:
            loop = runner.get_loop()
            pool = Pool(worker_command(self.kind, self.given), self.processes, tries_to_start=False)
            try:
                for plan in plans:
                    progress()
                    queue.append((plan, [loop.create_task(self._answered(pool, e, listener)) for e in plan.tasks]))
                    # What was begun goes on while the next file is read.
                    runner.run(asyncio.sleep(0))
                    while len(left := _left(queue)) >= _AHEAD * self.processes:
                        runner.run(_first_of(left))
                        yield from _ready(queue)
                    yield from _ready(queue)
                while queue:
                    if left := _left(queue):
                        progress()
                        runner.run(_first_of(left))
                    yield from _ready(queue)
            finally:
                runner.run(pool.close())

    async def _answered(self, pool: Pool, task: Task, listener: Listener) -> Answer:
        listener = task.listener(listener)
        patience = max(1, task.parts) * self.kind.patience(self.given)

        def tell(event: Mapping[str, object]) -> None:
            listener(Event(**cast("dict[str, Any]", event)))

        job = PoolJob(
            request_frame(task.request), task.request.name, slow_after=patience, hung_after=patience, tell=tell
        )
        pool.add(job)
        try:
            answer = kept_answer(await job.reply, self.store)
            listener(completed(answer.verdict))
            return answer
        except LostError as error:
            reason: ProbatumError = NotAttemptedError("verifier.fault", str(error))
        except NotReadyError as error:
            raise NotAttemptedError(
                "verify.worker_failed", str(error), "See what is missing: probatum doctor"
            ) from error
        except (IntegrityError, NotAttemptedError) as error:
            reason = error
        return self.service.answer_without(self.kind, task.request, reason)


def _left(queue: Iterable[tuple[object, list[asyncio.Task[Answer]]]]) -> list[asyncio.Task[Answer]]:
    return [task for _, tasks in queue for task in tasks if not task.done()]


async def _first_of(tasks: Sequence[asyncio.Task[Answer]]) -> None:
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)


def _ready(
    queue: deque[tuple[PlannedT, list[asyncio.Task[Answer]]]],
) -> Iterator[tuple[PlannedT, Sequence[Answer]]]:
    while queue and all(task.done() for task in queue[0][1]):
        plan, tasks = queue.popleft()
        yield plan, [task.result() for task in tasks]
