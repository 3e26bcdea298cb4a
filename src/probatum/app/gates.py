"""The gates that files have to pass before they are verified; those that do not are not verified.

Refuses standard input: it is read once, and the verification needs it.
"""

from __future__ import annotations

from probatum.app.asking import Asked
from probatum.app.checking import Checking
from probatum.app.service import Service
from probatum.app.sources import NO_SOURCES
from probatum.verification.files import Gated


def run_gates(asked: Asked, checking: Checking) -> list[Gated]:
    """Return what the gates say of every file of a run; it leaves out those that end them. Raises as `Files.gated`."""
    files = asked.kind.files
    assert files is not None, "only such kinds are asked so"
    with Service(asked.store, given=asked.given) as service:
        found = [
            files.gated(path, asked.given, NO_SOURCES, lambda: service.bench(asked.kind)) for path in checking.paths
        ]
    checking.leave_out({each.path for each in found if each.outcome is not None})
    return found
