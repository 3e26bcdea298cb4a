"""Making a counterexample small: Hypothesis searches the generated inputs and shrinks what fails."""

from __future__ import annotations

from collections.abc import Callable

from probatum.programs.inputs.generate import CallSource
from probatum.programs.running.checks import DirectCall

MOST_TRIES = 150


def smallest_failing(
    source: CallSource | None, failing: DirectCall, fails: Callable[[DirectCall], bool], *, seed: int
) -> DirectCall:
    """Return the smallest failing call that a search finds, or ``failing`` where it finds none."""
    if source is None:
        return failing
    # Hypothesis takes about 80 ms to import, which most verifications would spend for nothing: they shrink nothing.
    from probatum.programs.inputs.smallest import find_smallest

    found = find_smallest(
        source, lambda call: fails(DirectCall(failing.target, call.args, call.kwargs)), count=MOST_TRIES, seed=seed
    )
    return failing if found is None else DirectCall(failing.target, found.args, found.kwargs)
