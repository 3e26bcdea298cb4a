"""Sandboxes that start in the background: loading what judges takes as long as starting them.

What goes wrong is raised where the sandboxes are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from probatum.sandbox.environment import Environment
from probatum.sandbox.zygote import Sandbox


class Opening:
    """Begins to open one sandbox for each hash seed as soon as it is made."""

    def __init__(self, hash_seeds: Sequence[int], python: Environment, *, unsafe_no_isolation: bool = False) -> None:
        self.python = python
        threads = ThreadPoolExecutor(len(hash_seeds))
        self._opened = [
            threads.submit(Sandbox.open, hash_seed=seed, unsafe_no_isolation=unsafe_no_isolation, python=python)
            for seed in hash_seeds
        ]
        threads.shutdown(wait=False)

    def sandboxes(self) -> tuple[Sandbox, ...]:
        """Wait for all of them; raises NotAttemptedError if one could not start, see `Sandbox.open`."""
        return tuple(each.result() for each in self._opened)

    def close(self) -> None:
        """End all that started; can be done twice."""
        for each in self._opened:
            if each.exception() is None:
                each.result().close()
