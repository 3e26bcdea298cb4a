"""What readers write need not come to an end: the verdict still comes, it says so, and is never for the better."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.core.limits import JobLimits
from probatum.programs.running import reading_judge
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from tests.programs.readers import GOOD, GUARD, INPUTS, NET, accepted, asked
from tests.services import Service

NEVER = "9 ** 9 ** 9 ** 9"
SMALL = Reading("Return the price without tax.", ReadingKind.REQUIRES, f"gross < {NEVER}")
ENDLESS = {
    "a result": ("accepted", (replace(GOOD, clause=f"result == {NEVER}"), GUARD), ""),
    "a requirement": ("accepted", (GOOD, GUARD, SMALL), ""),
    "a helper": (
        "proposed",
        (replace(GOOD, clause="ends(result)"), GUARD),
        "import itertools\ndef ends(x):\n    return sum(itertools.count())\n",
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("policy", "readings", "helpers"), ENDLESS.values(), ids=ENDLESS)
def test_a_reading_that_does_not_end_is_named_and_withholds(
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    policy: str,
    readings: tuple[Reading, ...],
    helpers: str,
):
    monkeypatch.setattr(reading_judge, "LIMITS", JobLimits(cpu_seconds=1, wall_seconds=1.0))
    counting = accepted(*readings) if policy == "accepted" else readings
    about = ReadingRecord("net_price", counting, "a reader", helpers, inputs=INPUTS)
    verdict = service.verify_program(asked(NET, about, policy=policy)).verdict
    assert verdict.outcome == Outcome.UNDECIDED.value
