"""Looking for the smallest call that refutes: Hypothesis makes the decisions that a call is drawn by, and shrinks them.

Refuses to return a call for which ``refutes`` answers differently the second time: such a call refutes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import HealthCheck, Phase, Verbosity, find, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, NoSuchExample
from hypothesis.strategies import DrawFn

from probatum.programs.inputs.generate import Call, CallSource

_BIT = st.booleans()
# Everything is said here: a profile of the caller's, or the one for CI, must not change what is found.
_SEARCH = settings(
    database=None,
    deadline=None,
    derandomize=False,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=tuple(HealthCheck),
    verbosity=Verbosity.quiet,
)


class _DrawnChoices:
    """Decisions that Hypothesis makes, and therefore can shrink.

    Made of single bits: its whole numbers prefer constants of whatever modules are loaded, and are drawn otherwise by
    every few versions, while the same input must give the same bytes everywhere.
    """

    def __init__(self, draw: DrawFn) -> None:
        self._draw = draw

    def below(self, count: int) -> int:
        number = 0
        for _ in range((count - 1).bit_length()):
            number = number * 2 + self._draw(_BIT)
        return number % count


@st.composite
def _calls(draw: DrawFn, source: CallSource) -> Call:
    choices = _DrawnChoices(draw)
    return source.draw(choices, near=bool(choices.below(2)))


def find_smallest(source: CallSource, refutes: Callable[[Call], bool], *, count: int, seed: int) -> Call | None:
    """Search ``count`` generated calls for one that ``refutes`` and shrink it; None when none of them does."""
    try:
        return find(_calls(source), refutes, settings=settings(_SEARCH, max_examples=count), random=Random(seed))  # noqa: S311 - not a secret
    except (NoSuchExample, Flaky):
        return None
