"""How often each caller may ask: a bucket of tokens that fills again as time goes by.

Refuses to forget a caller who has used his bucket up: only full buckets are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

_MOST_BUCKETS = 10_000


class Rates:
    """The buckets of all callers."""

    def __init__(self, per_minute: int, now: Callable[[], float]) -> None:
        """Allow so many requests a minute, as many of them at once; 0 for any number."""
        self._per_minute = per_minute
        self._now = now
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, caller: str) -> tuple[int, dict[str, str]]:
        """Return after how many seconds the caller may ask, 0 for at once, and the headers that tell him his rate."""
        if not self._per_minute:
            return 0, {}
        now, most, speed = self._now(), self._per_minute, self._per_minute / 60
        left, moment = self._buckets.get(caller, (float(most), now))
        left = min(most, left + (now - moment) * speed)
        wait = 0 if left >= 1 else math.ceil((1 - left) / speed)
        left -= 0 if wait else 1
        if len(self._buckets) >= _MOST_BUCKETS:
            self._buckets = {name: told for name, told in self._buckets.items() if not self._is_full(told, now)}
        self._buckets[caller] = left, now
        return wait, self._headers(left, speed)

    def _is_full(self, bucket: tuple[float, float], now: float) -> bool:
        return bucket[0] + (now - bucket[1]) * self._per_minute / 60 >= self._per_minute

    def _headers(self, left: float, speed: float) -> dict[str, str]:
        told: Mapping[str, int] = {
            "limit": self._per_minute,
            "remaining": math.floor(left),
            "reset": math.ceil((self._per_minute - left) / speed),
        }
        return {f"x-ratelimit-{name}": str(value) for name, value in told.items()}
