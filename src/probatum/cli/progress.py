"""Shows on standard error what a run is doing, while it does it.

On a terminal it is one live line. Elsewhere a run over several subjects prints a line every ten seconds, so that a log
shows that it goes on; a short run, and one over one subject, prints nothing there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Final

from probatum.app.settings import read_settings
from probatum.cli.output import note
from probatum.core.events import Event, Listener, ignore
from probatum.core.outside import visible

SECONDS_BETWEEN_LINES: Final = 10.0


@dataclass(frozen=True, slots=True)
class Progress:
    """Hears of events and shows them; ``aside`` takes the live line away while something else is printed."""

    listener: Listener
    aside: Callable[[], AbstractContextManager[None]] = nullcontext

    def __call__(self, event: Event) -> None:
        self.listener(event)


@contextmanager
def shown_progress(title: str, *, counted: bool = False, many: int = 0, quiet: bool = False) -> Iterator[Progress]:
    """Give what shows a run; the live line is gone at the end.

    Where the work is ``counted``, the events' ``done`` and ``total`` fill a bar; else they stand before what follows.
    ``many`` is how many subjects there are, 0 for one alone.
    """
    surroundings = read_settings()
    if not sys.stderr.isatty() or surroundings.dumb_terminal:
        yield Progress(_LoggedLines(title, many) if many and not quiet else ignore)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    has_bar = counted or many > 0
    bar = (BarColumn(bar_width=24), MofNCompleteColumn()) if has_bar else ()
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), *bar, TimeElapsedColumn())
    console = Console(file=sys.stderr, no_color=not surroundings.colour)
    with Bars(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as progress:
        task = progress.add_task(visible(title), total=None)
        place = ""

        def listen(event: Event) -> None:
            nonlocal place
            done, total = event.data.get("done"), event.data.get("total")
            fills = has_bar and (counted or event.stage == "file")
            place = f" {done} of {total}" if total and not has_bar else place
            text = title if counted else f"{event.data.get('subject', title)}{place}: {event.message or event.stage}"
            room = max(20, console.width - (55 if has_bar else 15))
            progress.update(
                task,
                description=visible(text)[:room],
                completed=done if fills and isinstance(done, int) else None,
                total=total if fills and isinstance(total, int) else None,
            )

        @contextmanager
        def aside() -> Iterator[None]:
            progress.stop()
            try:
                yield
            finally:
                progress.start()

        yield Progress(listen, aside)


class _LoggedLines:
    """Prints what a run does, at most one line every `SECONDS_BETWEEN_LINES`."""

    def __init__(self, title: str, total: int) -> None:
        self._title = title
        self._next = time.monotonic() + SECONDS_BETWEEN_LINES
        self._count = f"[0/{total}] "

    def __call__(self, event: Event) -> None:
        if event.stage == "file":
            self._count = f"[{event.data.get('done')}/{event.data.get('total')}] "
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + SECONDS_BETWEEN_LINES
        subject = event.data.get("subject", self._title)
        note(f"{self._count}{subject}: {event.message or event.stage}")
