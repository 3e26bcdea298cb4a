"""How often a caller may ask: never more than his rate, and never less."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from probatum.app.rates import Rates


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@given(
    per_minute=st.integers(1, 600),
    pauses=st.lists(st.floats(0, 30, allow_nan=False), max_size=200),
)
def test_nobody_gets_more_than_a_bucket_and_what_flows_into_it(per_minute: int, pauses: list[float]) -> None:
    clock = Clock()
    rates, taken = Rates(per_minute, clock), 0
    for pause in pauses:
        clock.now += pause
        wait, told = rates.take("alice")
        taken += wait == 0
        assert taken <= per_minute + clock.now * per_minute / 60 + 1e-6
        assert 0 <= int(told["x-ratelimit-remaining"]) <= per_minute
        assert (wait > 0) <= (told["x-ratelimit-remaining"] == "0")


@given(per_minute=st.integers(1, 600))
def test_who_waits_as_long_as_he_is_told_may_ask(per_minute: int) -> None:
    clock = Clock()
    rates = Rates(per_minute, clock)
    while not (wait := rates.take("alice")[0]):
        pass
    assert rates.take("bob")[0] == 0
    clock.now += wait
    assert rates.take("alice")[0] == 0


def test_without_a_rate_nobody_waits() -> None:
    assert Rates(0, Clock()).take("alice") == (0, {})
