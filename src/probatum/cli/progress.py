"""Shows on standard error what a run is doing, while it does it.

Refuses to appear where nobody looks: without a terminal on standard error it prints nothing at all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from probatum.app.settings import read_settings
from probatum.core.events import Event, Listener, ignore
from probatum.core.outside import visible


@contextmanager
def shown_progress(title: str, *, counted: bool = False) -> Iterator[Listener]:
    """Give a listener that keeps one live line up to date and takes it away at the end.

    Where the work is counted, the events' ``done`` and ``total`` fill a bar; else they stand before what follows.
    """
    surroundings = read_settings()
    if not sys.stderr.isatty() or surroundings.dumb_terminal:
        yield ignore
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = (BarColumn(bar_width=24), MofNCompleteColumn()) if counted else ()
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), *bar, TimeElapsedColumn())
    console = Console(file=sys.stderr, no_color=not surroundings.colour)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(visible(title), total=None)
        place = ""

        def listen(event: Event) -> None:
            nonlocal place
            done, total = event.data.get("done"), event.data.get("total")
            place = f" {done} of {total}" if total and not counted else place
            text = title if counted else f"{title}{place}: {event.message or event.stage}"
            room = max(20, console.width - (55 if counted else 15))
            progress.update(
                task,
                description=visible(text)[:room],
                completed=done if isinstance(done, int) else None,
                total=total if isinstance(total, int) else None,
            )

        yield listen
