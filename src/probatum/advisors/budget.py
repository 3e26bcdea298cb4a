"""What one model may use in one command: tokens, cost and time, reserved before a request and settled after it.

A request is counted at the most that it can use until the server says what it used; of one that says nothing, or less
than nothing, all of it stays counted. Refuses a request that could go beyond the budget, before it is sent.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Final

from probatum.advisors.configured import ConfiguredModel
from probatum.core.errors import BudgetError
from probatum.core.ports import Spent

_MILLION: Final = 1_000_000
_BYTES_OF_A_TOKEN: Final = 2
"""The least that a token stands for in practice, so that what is reserved is enough."""


class Budget:
    """Keeps account for one model; several threads may use it."""

    def __init__(self, model: ConfiguredModel, clock: Callable[[], float] = time.monotonic) -> None:
        self._model = model
        self.clock = clock
        self._lock = threading.Lock()
        self._spent = Spent()
        self._reserved: list[Spent] = []

    @property
    def spent(self) -> Spent:
        """What was used so far, without what is reserved."""
        return replace(self._spent, cost=self._cost_of(self._spent))

    def seconds_for_one(self) -> float:
        """Return how long the next question may take; raises BudgetError where no time is left."""
        left = self._model.most_seconds - self._spent.seconds
        if left <= 0:
            raise self._used_up("most-seconds", f"{self._model.most_seconds:g} s")
        return min(self._model.seconds, left)

    def reserve(self, size: int) -> Spent:
        """Reserve what a request of so many bytes can use; raises BudgetError where that is more than is left."""
        asked = Spent(1, size // _BYTES_OF_A_TOKEN + 1, self._model.reply_tokens)
        with self._lock:
            total = reduce(Spent.plus, [*self._reserved, asked], self._spent)
            if total.tokens_in + total.tokens_out > self._model.most_tokens:
                raise self._used_up("most-tokens", f"{self._model.most_tokens:,} tokens")
            cost = self._cost_of(total)
            if self._model.most_cost is not None and cost is not None and cost > self._model.most_cost:
                raise self._used_up("most-cost", f"{self._model.most_cost:g}")
            self._reserved.append(asked)
        return asked

    def settle(self, reserved: Spent, used: tuple[int, int] | None) -> None:
        """Count what a request used: tokens in and out, or all that was reserved where that is unknown."""
        with self._lock:
            self._reserved.remove(reserved)
            self._spent = self._spent.plus(reserved if used is None else Spent(1, *used))

    def took(self, seconds: float) -> None:
        """Count the time that a question took."""
        with self._lock:
            self._spent = self._spent.plus(Spent(seconds=seconds))

    def _cost_of(self, spent: Spent) -> float | None:
        price_in, price_out = self._model.price_in, self._model.price_out
        if price_in is None or price_out is None:
            return None
        return (spent.tokens_in * price_in + spent.tokens_out * price_out) / _MILLION

    def _used_up(self, key: str, most: str) -> BudgetError:
        said = f"The budget of the model {self._model.name!r} is used up: {key} is {most}."
        return BudgetError("advisor.budget", said, f"Raise {key} in [tool.probatum.models.{self._model.name}].")
